/** @file watchdog_setting.h  Reads NEREUS_WATCHDOG: the time for which a process waits before it
 * reports the processes that it waits for. */
#pragma once

#include "model/util/base.h"

/** The parsed variable. */
struct nereus_watchdog_setting {
    double after_s; /**< 0: off */
    bool aborts;    /**< end the job after the report */
};

/** @param text  as "10s", "60s,abort" or "off"; NULL or empty: 10 s */
enum nereus_status nereus_watchdog_setting_parse(const char *text,
                                                 struct nereus_watchdog_setting *setting,
                                                 struct nereus_error *err);
