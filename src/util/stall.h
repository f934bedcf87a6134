/* Describes a stall from the progress records of a host: which process waits for which, since when,
 * at which point or call, and the likely cause. */
#ifndef NEREUS_SRC_STALL_H
#define NEREUS_SRC_STALL_H

#include <stddef.h>

#include "progress.h"

/*
 * Is it this process that speaks, and what does it say?
 * @param others     records of this host, of any job; those of other jobs do not count
 * @param limit_s how long a process waits before anything is said; below 0: this one speaks,
 *                   also beside others that wait
 * @param[out] text  the sentence, at most size - 1 characters
 * @return false: it waits for nobody, another one that waits speaks for it, or the job goes on
 */
bool nereus_stall_describe(const struct nereus_progress *mine, const struct nereus_progress *others,
                           int64_t count, double now_s, double limit_s, char *text, size_t size);

#endif
