/*
 * Progress records between hosts: /proc shows those of one host, so a process that stays where it is
 * for long tells nereus-supervise, and one that waits asks there for those of other hosts. Nothing
 * is sent while iterations are shorter than half of NEREUS_WATCHDOG, or where all processes of a job
 * are on one host. Private to src/.
 */
#ifndef NEREUS_SRC_PROGRESS_LINE_H
#define NEREUS_SRC_PROGRESS_LINE_H

#include "src/util/progress.h"

/* Is a rank of its job on no record of this host? */
bool nereus_progress_is_apart(const struct nereus_progress *mine,
                              const struct nereus_progress *others, int64_t count);

/* Tell where this process is; and that it is no longer where it was told to be. Without
 * nereus-supervise nothing happens. */
void nereus_progress_tell(const struct nereus_progress *mine, double now_s);
void nereus_progress_untell(void);

/* Append what processes of other hosts have told. Their pids are below 0, and `since_s` is of this
 * host's clock. @return how many records there are then */
int64_t nereus_progress_ask(double now_s, struct nereus_progress **records, int64_t count);

#endif
