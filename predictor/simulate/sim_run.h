/** @file sim_run.h  Runs one simulation, from its options to its results. */
#pragma once

#include "nereus/resize_price.h"
#include "nereus/simulate.h"
#include "nereus/workload.h"
#include "sim_options.h"

/** Results of a simulation; valid until the function that takes them returns. */
struct nereus_sim_outcome {
    const struct nereus_workload *workload;
    const struct nereus_resize_prices *prices;  /**< NULL: no job could be resized */
    const struct nereus_node_power *power;      /**< NULL: no energy is requested */
    const struct nereus_sim_failures *failures; /**< NULL: no node fails */
    int32_t nodes;
    bool interrupted; /**< the results are those of the jobs that had ended */
};
typedef enum nereus_status nereus_sim_taker(void *user, const struct nereus_sim_outcome *outcome,
                                            struct nereus_error *err);

/** Input and observers that all simulations of a command share. */
struct nereus_sim_source {
    const char *path; /**< path of the workload; NULL: it is generated */
    /** profile with prices of resizes and checkpoints, opened when needed; free it with
     * nereus_profile_fini */
    struct nereus_profile profile;
    bool has_profile;
    nereus_sim_taker *take;
    /** called after each change of a job's nodes; may be NULL */
    void (*on_change)(void *user, const struct nereus_sim *sim, int32_t job);
    void *user; /**< argument of both functions */
};

/** Set nodes and cores that the options do not give: those of the profile; one core where nodes are
 * given (`given`: here or by a sweep). */
enum nereus_status nereus_sim_set_machine(struct nereus_sim_options *options, bool given,
                                          struct nereus_sim_source *source,
                                          struct nereus_error *err);

/** Read or generate the workload, simulate, and pass the results to `take`.
 * @param drawn  values of nereus_sim_options_check */
enum nereus_status nereus_sim_run(const struct nereus_sim_options *options,
                                  const struct nereus_sim_drawn *drawn,
                                  struct nereus_sim_source *source, struct nereus_error *err);

/** Note on stderr that resizes had no price, or checkpoints no measured one.
 * @return there was something to note */
bool nereus_sim_note_prices(const struct nereus_sim_outcome *outcome);

/** Print notes on stderr about invalid parts of a workload.
 * @param name  name of its file */
void nereus_workload_print_warnings(const char *name, const struct nereus_workload *workload);
