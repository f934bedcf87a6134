/** @file orphans.h  Kills the remaining children of this process, by pid. */
#ifndef NEREUS_ORPHANS_H
#define NEREUS_ORPHANS_H

/**
 * SIGKILL to every direct child (orphans of a program are children here once this process is their
 * reaper; their own children follow when they are gone, so the caller repeats this until waitpid
 * finds none).
 * @return how many were killed
 */
int nereus_kill_children(void);

#endif
