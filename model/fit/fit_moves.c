/*
 * How many times as long as its operations say (cost_operation.c) a redistribution by rma or shared takes: the median of measured / priced over the
 * step rows, in which one process makes a window while others still come, pages are new and cores are not idle.
 *
 * By where the data comes from (of one world, of two) and apart on shared cores; not by size, which the operations' lines know of. What
 * the median leaves is kept as factors, as for steps (fit_cells.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "fit_cells.h"
#include "model/price/cost_operation.h"

enum { FEW_ROWS = 5 };
static const double few_factor =
    3.2; /* either way: what an operation by itself is believed to (cost_operation.c) */

/* The step of a row as a plan has it, and what it is a part of. */
static struct nereus_cost_context context_of(const struct nereus_sample *s,
                                             const struct nereus_profile *profile,
                                             const struct nereus_machine *machine)
{
    struct nereus_cost_context context;
    nereus_cost_context_init(machine, profile->pairs, s->ns, s->nt, &s->method, &context);
    context.operations = profile->operations;
    return context;
}

/* What the operations of a row's redistribution cost; 0: they cannot be priced. */
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

/* Does a row say something of these redistributions? @param[out] log_times  of measured / priced */
static bool take(const struct nereus_sample *s, const struct nereus_profile *profile, int which,
                 double *log_times)
{
    struct nereus_node node;
    if (s->kind != NEREUS_SAMPLE_STEP || !nereus_fit_by_operation(s) || !(s->bytes > 0) || !(s->time_s > 0) ||
        nereus_method_is_beside(&s->method))
        return false;
    const struct nereus_machine machine = nereus_fit_machine(s->cores_per_node, s->oversubscribed, &node);
    const struct nereus_cost_context context = context_of(s, profile, &machine);
    const int kind = nereus_cost_moves(&context);
    if (kind < 0 || kind + (s->oversubscribed ? NEREUS_MOVES_OVERSUBSCRIBED : 0) != which)
        return false;
    const double price_s = priced_s(s, profile, &context);
    *log_times = log(s->time_s / price_s);
    return price_s > 0;
}

static void fit_one(const struct nereus_fit_rows *rows, const struct nereus_profile *profile, int which,
                    double *logs, double *scratch, struct nereus_linear_model *m)
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
    if (n < FEW_ROWS) { /* an operation by itself says more than a row or two */
        m->low_factor = fmax(m->low_factor, 1 / few_factor);
        m->high_factor = fmin(m->high_factor, few_factor);
    }
    m->spread = nereus_fit_spread(logs, n, 1);
}

enum nereus_status nereus_fit_moves(const struct nereus_fit_rows *rows, struct nereus_profile *profile,
                                    struct nereus_error *err)
{
    struct nereus_linear_model moves[NEREUS_MOVES_COUNT];
    double *logs = malloc((rows->count + 1) * sizeof *logs);
    double *scratch = malloc((rows->count + 1) * sizeof *scratch);
    const bool room = logs != NULL && scratch != NULL;
    /* Until all are found, prices are of the operations alone: they go into the profile together. */
    for (int which = 0; which < NEREUS_MOVES_COUNT && room; which++)
        fit_one(rows, profile, which, logs, scratch, &moves[which]);
    if (room)
        memcpy(profile->moves, moves, sizeof moves);
    free(logs);
    free(scratch);
    return room ? NEREUS_OK : nereus_fit_no_memory(rows, err);
}
