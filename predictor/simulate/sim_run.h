/** @file sim_run.h  One simulation, from its options to its results. */
#ifndef NEREUS_SIMULATE_SIM_RUN_H
#define NEREUS_SIMULATE_SIM_RUN_H

#include "resize_price.h"
#include "sim_options.h"
#include "workload.h"

/** What a simulation leaves; gone when the taker returns. */
struct nereus_sim_outcome {
    const struct nereus_workload *workload;
    const struct nereus_resize_prices *prices; /**< NULL: no job could be resized */
    int32_t nodes;
    bool interrupted; /**< the results are those of the jobs that had ended */
};
typedef enum nereus_status nereus_sim_taker(void *user, const struct nereus_sim_outcome *outcome,
                                            struct nereus_error *err);

/**
 * Read or generate the workload, simulate, and hand the results to `take`.
 * @param path     NULL: the workload is generated
 * @param drawn    of nereus_sim_options_check
 * @param profile  prices of resizes; NULL where no job is malleable
 */
enum nereus_status nereus_sim_run(const struct nereus_sim_options *options,
                                  const struct nereus_sim_drawn *drawn,
                                  const struct nereus_profile *profile, const char *path,
                                  nereus_sim_taker *take, void *user, struct nereus_error *err);

/** Notes on stderr: what was wrong with the workload. */
void nereus_sim_note_troubles(const char *name, const struct nereus_sim_outcome *outcome);
/** A note on stderr if resizes had no price. @return there was something to note */
bool nereus_sim_note_prices(const struct nereus_sim_outcome *outcome);

#endif
