/** @file broker_log.h  Prints what the broker sees, decides and does, as JSON Lines on stdout. */
#ifndef NEREUS_PREDICTOR_SLURM_BROKER_LOG_H
#define NEREUS_PREDICTOR_SLURM_BROKER_LOG_H

#include "broker_view.h"

/** The latest decision that was printed, without its time; the same decision is not printed again.
 */
struct nereus_broker_log {
    char *last;
};

/** @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_broker_log_decision(struct nereus_broker_log *log,
                                              const struct nereus_broker_view *view,
                                              const struct nereus_broker_action *actions,
                                              int64_t count, struct nereus_error *err);

/** Print an action. @param sentence  last line of `nereus job resize` */
enum nereus_status nereus_broker_log_outcome(const char *job, int64_t processes, int exit_status,
                                             const char *sentence, struct nereus_error *err);

void nereus_broker_log_fini(struct nereus_broker_log *log);

#endif
