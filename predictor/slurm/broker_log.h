/** @file broker_log.h  Prints what the broker sees, decides and does, as JSON Lines on stdout. */
#pragma once

#include "broker_view.h"

/** The latest lines, without their time; the same line is not printed again. */
struct nereus_broker_log {
    char *decision;
    char *outcome; /**< since that decision */
};

/** @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_broker_log_decision(struct nereus_broker_log *log,
                                              const struct nereus_broker_view *view,
                                              const struct nereus_broker_action *actions,
                                              int64_t count, struct nereus_error *err);

/** Print an action.
 * @param printed  lines of `nereus job resize`, which become one sentence */
enum nereus_status nereus_broker_log_outcome(struct nereus_broker_log *log, const char *job,
                                             int64_t processes, int exit_status,
                                             const char *printed, struct nereus_error *err);

void nereus_broker_log_fini(struct nereus_broker_log *log);
