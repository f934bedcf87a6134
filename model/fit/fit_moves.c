/**
 * @file fit_moves.c
 * Fits redistributions by rma and shared: the factor measured / priced by their operations
 * (cost_operation.c), over the step rows. The factor exceeds 1 because processes arrive at
 * different times, pages are new and cores are busy.
 *
 * There is one factor for each source of the data (same world, other world), oversubscribed or not.
 * Sizes have no factors of their own, because the lines of the operations contain them. Scatter is
 * kept as factors, as for steps (fit_factors.c).
 */
#include "fit_formula.h"
#include "model/price/cost_operation.h"

/* Price [s] of a row's redistribution by its operations; 0: none. */
static double compute_priced_s(const struct nereus_sample *s,
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
    nereus_step_models_make(context, &step, &models);
    return nereus_step_models_add(&models, context, &sum, NULL) == NEREUS_OK ? sum.value_s : 0;
}

static int set_moves_equation(const struct nereus_sample *s, const struct nereus_profile *profile,
                              const void *context, struct nereus_fit_equation *e)
{
    (void)context;
    struct nereus_cost_context cost;
    struct nereus_node node;
    if (s->kind != NEREUS_SAMPLE_STEP || !nereus_fit_is_by_operation(s) || !(s->bytes > 0) ||
        !(s->time_s > 0) || nereus_method_is_overlapped(&s->method))
        return 0;
    const struct nereus_machine machine = nereus_fit_machine(s, &node);
    nereus_cost_context_init(profile, &machine, s->ns, s->nt, &s->method, &cost);
    cost.oversubscribed = s->oversubscribed;
    const int move_class = nereus_cost_find_move_class(&cost);
    if (move_class < 0)
        return 0;
    e->model = (size_t)(move_class + (s->oversubscribed ? NEREUS_MOVES_OVERSUBSCRIBED : 0));
    e->cost.transfer_s = compute_priced_s(s, &cost);
    e->time_s = s->time_s;
    return e->cost.transfer_s > 0;
}

enum nereus_status nereus_fit_moves(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    static const enum nereus_term terms[] = {NEREUS_TERM_TRANSFER};
    static const struct nereus_fit_formula formula = {
        .model = "moves",
        .cost_terms = terms,
        .term_count = 1,
        .model_count = NEREUS_MOVES_COUNT,
        .equations = set_moves_equation,
        .max_prior_factor = 3.2}; /* the accuracy of an operation alone (cost_operation.c) */
    return nereus_fit_models(&formula, rows, profile, profile->moves, err);
}
