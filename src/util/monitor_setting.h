/**
 * @file monitor_setting.h
 * Reads NEREUS_MONITOR, NEREUS_MONITOR_EVERY and NEREUS_MONITOR_WORK (docs/jobs.md).
 */
#pragma once

#include "model/util/base.h"

/** The parsed variables. */
struct nereus_monitor_setting {
    bool on;
    int64_t iterations; /**< iterations of an interval; 0: by seconds */
    double seconds;
    /** first kind of work that is tried: enum nereus_work (as int: nereus.h needs MPI) */
    int work;
};

/** @param path, every, work  the three variables; NULL or empty: not set
 * @return NEREUS_ERR_ARGUMENT: one of them is wrong */
enum nereus_status nereus_monitor_setting_parse(const char *path, const char *every,
                                                const char *work,
                                                struct nereus_monitor_setting *setting,
                                                struct nereus_error *err);
/** "flop", "instructions", "cpu-time". */
const char *nereus_work_name(int work);
