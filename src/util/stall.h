/**
 * @file stall.h
 * Describes a stall from the progress records of a host: which process waits for which, since when,
 * at which point or call, and the likely cause.
 */
#pragma once

#include "progress.h"

/** Input of the description. */
struct stall_view {
    const struct nereus_progress *own_record,
        *other_records; /**< others: of this host, of any job */
    int64_t count;      /**< number of other processes */
    double now_s;
};

/** Does this process report the stall, and with which sentence?
 * @param limit_s    time for which a process waits before it reports; below 0: this process
 *     reports, even if others also wait
 * @param[out] text  the message, at most size - 1 characters
 * @return false: this process waits for no other, another waiting process reports, or the job
 *   continues */
bool nereus_stall_describe(const struct stall_view *view, double limit_s, char *text, size_t size);
