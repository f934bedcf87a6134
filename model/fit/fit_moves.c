/*
 * Redistributions by rma and shared: the median of measured / priced by their operations
 * (cost_operation.c), over the step rows. It exceeds 1 as processes arrive at different times,
 * pages are new and cores are busy.
 *
 * One factor for each origin of the data (same world, other world), within and above the cores; not
 * by size, which is in the lines of the operations. Scatter around the median is kept as factors,
 * as of steps (fit_cells.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "fit_cells.h"
#include "model/price/cost_operation.h"

enum { FEW_ROWS = 5 };
/* either way: the accuracy of an operation alone (cost_operation.c) */
static const double few_factor = 3.2;

/* The reconfiguration that a row is a step of. */
static struct nereus_cost_context context_of(const struct nereus_sample *s,
                                             const struct nereus_profile *profile,
                                             const struct nereus_machine *machine)
{
    struct nereus_cost_context context;
    nereus_cost_context_init(machine, profile->pairs, s->ns, s->nt, &s->method, &context);
    context.operations = profile->operations;
    return context;
}

/* Price of a row's redistribution by its operations; 0: none. */
static double priced_s(const struct nereus_sample *s, const struct nereus_profile *profile,
                       const struct nereus_cost_context *context)
{
    const struct nereus_step step = {.kind = NEREUS_STEP_REDISTRIBUTE,
                                     .repeat = 1,
                                     .times = 1,
                                     .thread = NEREUS_MAIN_THREAD,
                                     .old_processes = s->old_processes,
                                     .new_processes = s->new_processes,
                                     .constant_bytes = (int64_t)s->bytes};
    struct nereus_step_models models;
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    nereus_step_models_make(profile, context, &step, s->oversubscribed, &models);
    return nereus_step_models_add(&models, context, &sum, NULL) == NEREUS_OK ? sum.value_s : 0;
}

/* Is a row a measurement of these redistributions? @param[out] log_times  log(measured / priced) */
static bool take(const struct nereus_sample *s, const struct nereus_profile *profile, int which,
                 double *log_times)
{
    struct nereus_node node;
    if (s->kind != NEREUS_SAMPLE_STEP || !nereus_fit_by_operation(s) || !(s->bytes > 0) ||
        !(s->time_s > 0) || nereus_method_is_overlapped(&s->method))
        return false;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    const struct nereus_cost_context context = context_of(s, profile, &machine);
    const int kind = nereus_cost_moves(&context);
    if (kind < 0 || kind + (s->oversubscribed ? NEREUS_MOVES_OVERSUBSCRIBED : 0) != which)
        return false;
    const double price_s = priced_s(s, profile, &context);
    *log_times = log(s->time_s / price_s);
    return price_s > 0;
}

static void fit_one(const struct nereus_fit_rows *rows, const struct nereus_profile *profile,
                    int which, double *logs, double *scratch, struct nereus_linear_model *m)
{
    size_t n = 0;
    double log_s = 0; /* sum of the times' logarithms */
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < rows->count; i++)
        if (take(rows->rows[i], profile, which, &logs[n])) {
            nereus_fit_range(m, rows->rows[i]->ns, rows->rows[i]->nt, 0);
            log_s += log(rows->rows[i]->time_s);
            n++;
        }
    if (n == 0)
        return;
    memcpy(scratch, logs, n * sizeof *scratch);
    const double median = nereus_median(scratch, n);
    for (size_t i = 0; i < n; i++)
        logs[i] -= median;
    m->basis = NEREUS_BASIS_FITTED;
    m->rows = (int64_t)n;
    nereus_fit_add_term(m, nereus_feature_name(NEREUS_FEATURE_TRANSFER), exp(median));
    nereus_fit_factors(logs, n, 1, exp(log_s / (double)n), m);
    if (n < FEW_ROWS) { /* an operation alone is more accurate than a row or two */
        m->low_factor = fmax(m->low_factor, 1 / few_factor);
        m->high_factor = fmin(m->high_factor, few_factor);
    }
    m->log_sd = nereus_fit_log_sd(logs, n, 1);
}

enum nereus_status nereus_fit_moves(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_linear_model moves[NEREUS_MOVES_COUNT];
    double *logs = malloc((rows->count + 1) * sizeof *logs);
    double *scratch = malloc((rows->count + 1) * sizeof *scratch);
    const bool room = logs != NULL && scratch != NULL;
    /* Stored together at the end: until then the profile must price by operations alone. */
    for (int which = 0; which < NEREUS_MOVES_COUNT && room; which++)
        fit_one(rows, profile, which, logs, scratch, &moves[which]);
    if (room)
        memcpy(profile->moves, moves, sizeof moves);
    free(logs);
    free(scratch);
    return room ? NEREUS_OK : nereus_fit_no_memory(rows, err);
}
