/** @file sim_failures.c  Makes the simulator's settings of failing nodes from options. */
#include "sim_failures.h"

#include "model/util/values.h"
#include "predictor/cli/command.h"

static const char *const words[] = {"none", "auto", NULL};

const struct nereus_option nereus_sim_failure_options[] = {
    {"node-mtbf", 0, NEREUS_OPTION_SECONDS, "TIME",
     "mean time between failures of a node, as 8760h: failures are drawn with the seed (none)",
     offsetof(struct nereus_sim_options, node_mtbf_s), NULL},
    {"node-failures", 0, NEREUS_OPTION_TEXT, "FILE.csv",
     "failures from a list instead: columns time_s, node (from 0) and, if known, repair_s",
     offsetof(struct nereus_sim_options, node_failures), NULL},
    {"node-repair", 0, NEREUS_OPTION_SECONDS, "TIME", "how long a node that failed is out (1h)",
     offsetof(struct nereus_sim_options, node_repair_s), NULL},
    {"on-failure", 0, NEREUS_OPTION_CHOICE, "WHAT",
     "a job that loses a node can end, requeue (wait at its old place in the queue) or restart: "
     "malleable jobs with checkpoints at once on the nodes left, others as requeue (restart)",
     offsetof(struct nereus_sim_options, on_failure), nereus_sim_on_failure_names},
    {"restarts", 0, NEREUS_OPTION_NATURAL, "N", "of a job, at most (10)",
     offsetof(struct nereus_sim_options, restarts), NULL},
    {"checkpoint", 0, NEREUS_OPTION_TEXT, "EVERY",
     "time of computing between two checkpoints; auto: by Daly from --node-mtbf. A job goes on "
     "from its last one; none: it starts anew (none)",
     offsetof(struct nereus_sim_options, checkpoint), words},
};
const size_t nereus_sim_failure_option_count = NEREUS_COUNT_OF(nereus_sim_failure_options);

bool nereus_sim_has_failures(const struct nereus_sim_options *options)
{
    return options->node_mtbf_s > 0 || options->node_failures != NULL;
}

enum nereus_status nereus_sim_failures_check(const struct nereus_sim_options *options,
                                             double *interval_s, struct nereus_error *err)
{
    const bool by_daly = options->checkpoint != NULL && strcmp(options->checkpoint, "auto") == 0;
    *interval_s = by_daly ? INFINITY : 0;
    if (options->checkpoint == NULL || strcmp(options->checkpoint, "none") == 0)
        return NEREUS_OK;
    if (!nereus_sim_has_failures(options)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--checkpoint needs nodes that fail: --node-mtbf or --node-failures");
    }
    if (by_daly && !(options->node_mtbf_s > 0))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--checkpoint auto needs --node-mtbf");
    return by_daly
               ? NEREUS_OK
               : nereus_value_parse_seconds("--checkpoint", options->checkpoint, interval_s, err);
}

enum nereus_status nereus_sim_failures_make(const struct nereus_sim_options *options,
                                            double interval_s, const struct nereus_profile *profile,
                                            struct nereus_sim_failures *failures,
                                            struct nereus_error *err)
{
    struct nereus_sim_failure *list = NULL;
    *failures =
        (struct nereus_sim_failures){.mtbf_s = options->node_mtbf_s,
                                     .repair_s = options->node_repair_s,
                                     .seed = options->seed,
                                     .on_failure = (enum nereus_sim_on_failure)options->on_failure,
                                     .restarts = options->restarts,
                                     .interval_s = interval_s,
                                     .profile = profile};
    if (options->node_failures != NULL) {
        NEREUS_TRY(nereus_sim_failures_read(options->node_failures, (int32_t)options->nodes,
                                            options->node_repair_s, &list, &failures->count, err));
        failures->list = list;
    }
    return NEREUS_OK;
}

bool nereus_sim_note_checkpoints(const struct nereus_sim_failures *failures)
{
    const bool assumed = failures->interval_s > 0 &&
                         failures->profile->steps[NEREUS_STEP_WRITE].basis == NEREUS_BASIS_NONE;
    if (assumed) {
        nereus_cli_note("the price of a checkpoint is assumed: the profile has no measured step "
                        "write, and --synthetic no file-write");
    }
    return assumed;
}
