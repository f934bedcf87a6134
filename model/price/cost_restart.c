/**
 * @file cost_restart.c
 * Prices the steps of a restart (the papers do not have it):
 *
 *   write   w0 + w1 (bytes of the busiest process) + w2 (bytes of all)
 *   end     e0 + e1 log2(NS)
 *   start   the terms of launch, for NT processes on nodes that the old ones have left
 *   read    r0 + r1 (bytes of the busiest process) + r2 (bytes of all)
 *
 * w0 is fsync of files and folders, and the manifest. A process copies into the page cache and
 * computes checksums at the rate 1 / w1; the file system takes the bytes of all processes at the
 * rate 1 / w2. Replicated values are written once and read by every process.
 */
#include "cost_restart.h"

#include "cost.h"

/* log-sd of a start priced as launch or spawn (factor 2 at 90 %), of assumed values (10) */
static const double other_start_log_sd = 0.42;
#define ASSUMED_LOG_SD 1.4

static const struct nereus_linear_model priors[NEREUS_STEP_KIND_COUNT] = {
    [NEREUS_STEP_WRITE] = {.basis = NEREUS_BASIS_PRIOR,
                           .source = "write: 10 ms + 2 ns a byte assumed",
                           .terms = 3,
                           .names = {"const", "freed_bytes", "all_bytes"},
                           .coefficients = {NEREUS_ASSUMED_WRITE_S, NEREUS_ASSUMED_WRITE_PROCESS_S,
                                            NEREUS_ASSUMED_WRITE_TOGETHER_S},
                           .log_sd = ASSUMED_LOG_SD},
    [NEREUS_STEP_END] = {.basis = NEREUS_BASIS_PRIOR,
                         .source = "end: 50 ms assumed",
                         .terms = 1,
                         .names = {"const"},
                         .coefficients = {NEREUS_ASSUMED_END_S},
                         .log_sd = ASSUMED_LOG_SD},
    [NEREUS_STEP_READ] = {.basis = NEREUS_BASIS_PRIOR,
                          .source = "read: 5 ms + 0.6 ns a byte assumed",
                          .terms = 3,
                          .names = {"const", "touched_bytes", "all_bytes"},
                          .coefficients = {NEREUS_ASSUMED_READ_S, NEREUS_ASSUMED_READ_PROCESS_S,
                                           NEREUS_ASSUMED_READ_TOGETHER_S},
                          .log_sd = ASSUMED_LOG_SD},
};
static const struct nereus_linear_model as_launch = {.basis = NEREUS_BASIS_PRIOR,
                                                     .source = "start as launch"},
                                        as_spawn = {.basis = NEREUS_BASIS_PRIOR,
                                                    .source = "start as spawn"};

void nereus_restart_bytes(const struct nereus_cost_context *context, const struct nereus_step *step,
                          struct nereus_cost_input *input)
{
    const bool reads = step->kind == NEREUS_STEP_READ;
    const double replicated = (double)step->replicated_bytes;
    if (!reads && step->kind != NEREUS_STEP_WRITE)
        return;
    *(reads ? &input->touched_bytes : &input->freed_bytes) += replicated;
    input->between_bytes.all_bytes = (double)step->constant_bytes + (double)step->variable_bytes +
                                     replicated * (reads ? (double)context->nt : 1);
}

static bool make_start_prior(const struct nereus_cost_context *context,
                             struct nereus_linear_model *own_model,
                             const struct nereus_linear_model **measured_model,
                             const struct nereus_linear_model **named)
{
    const struct nereus_linear_model *launch = nereus_context_model(context, NEREUS_STEP_LAUNCH),
                                     *spawn = nereus_context_model(context, NEREUS_STEP_SPAWN);
    const bool launched = launch->basis == NEREUS_BASIS_FITTED;
    *measured_model = launched ? launch : spawn;
    if ((*measured_model)->basis == NEREUS_BASIS_NONE)
        return false;
    *own_model = **measured_model;
    own_model->basis = NEREUS_BASIS_PRIOR;
    own_model->log_sd = fmax(own_model->log_sd, other_start_log_sd);
    own_model->low_factor = own_model->high_factor = 0;
    own_model->moments.mean = 0;
    *named = launched ? &as_launch : &as_spawn;
    return true;
}

bool nereus_restart_has_prior(enum nereus_step_kind kind)
{
    return kind == NEREUS_STEP_START || priors[kind].basis != NEREUS_BASIS_NONE;
}

bool nereus_restart_find_prior(const struct nereus_cost_context *context,
                               enum nereus_step_kind kind, struct nereus_linear_model *own_model,
                               const struct nereus_linear_model **measured_model,
                               const struct nereus_linear_model **named)
{
    *measured_model = NULL;
    if (kind == NEREUS_STEP_START)
        return make_start_prior(context, own_model, measured_model, named);
    if (priors[kind].basis == NEREUS_BASIS_NONE)
        return false;
    *own_model = priors[kind];
    *named = &priors[kind];
    return true;
}
