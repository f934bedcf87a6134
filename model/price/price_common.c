/**
 * @file price_common.c
 * Prices what price_parts.c and price_plan.c have in common: the context of a scenario, one step,
 * unattributed time, and methods that are priced as a whole.
 */

#include "cost_operation.h"
#include "model/plan/strategies/strategy.h"
#include "price_parts.h"

static int64_t find_max_moved(const struct nereus_transfer *t)
{
    return nereus_max(t->elements_out, t->elements_in);
}

/* Set what the ranges in the context move, relative to equal blocks; where equal blocks move
 * nothing (between the same processes), relative to a whole block. */
static void compare_to_blocks(struct nereus_cost_context *context)
{
    struct nereus_transfer block;
    nereus_transfer_blocks(context->range_elements, context->ns, context->nt, context->respawn,
                           &block);
    const int64_t moved =
        find_max_moved(&block) > 0 ? find_max_moved(&block) : block.touched_elements;
    if (moved > 0)
        context->share = (double)find_max_moved(&context->ranges) / (double)moved;
    context->largest_share =
        (double)context->ranges.touched_elements / (double)block.touched_elements;
}

static struct nereus_transfer_sizes make_sizes(const struct nereus_cost_context *context,
                                               int64_t elements)
{
    return (struct nereus_transfer_sizes){context->machine, elements, context->ns, context->nt,
                                          context->respawn};
}

/* Find the ranges of keep, from blocks before; if that fails, equal blocks are priced. */
static void find_keep_ranges(struct nereus_cost_context *context)
{
    const struct nereus_transfer_sizes sizes = make_sizes(context, NEREUS_COST_KEEP_ELEMENTS);
    if (nereus_transfer_keep(&sizes, NEREUS_COST_KEEP_CELLS, &context->ranges, NULL) != NEREUS_OK)
        return;
    context->range_elements = NEREUS_COST_KEEP_ELEMENTS;
    compare_to_blocks(context);
    context->share = fmin(context->share, 1);
    context->largest_share = 1;
}

static void find_weighted_ranges(const struct nereus_scenario *scenario,
                                 struct nereus_cost_context *context)
{
    const struct nereus_transfer_powers powers = nereus_transfer_powers_of(scenario);
    const struct nereus_transfer_sizes sizes = make_sizes(context, NEREUS_COST_WEIGHTED_ELEMENTS);
    if (nereus_transfer_weighted(&sizes, &powers, &context->ranges, NULL) != NEREUS_OK)
        return;
    context->range_elements = NEREUS_COST_WEIGHTED_ELEMENTS;
    compare_to_blocks(context);
}

static void find_grid_ranges(const struct nereus_scenario *scenario, bool keep,
                             struct nereus_cost_context *context)
{
    const int64_t elements = nereus_grid_count(scenario->grid);
    const struct nereus_transfer_sizes sizes = make_sizes(context, elements);
    if (nereus_transfer_grid(&sizes, scenario->grid, keep, &context->ranges, NULL) != NEREUS_OK)
        return;
    context->range_elements = elements;
    compare_to_blocks(context);
}

struct nereus_cost_context nereus_price_context(const struct nereus_profile *profile,
                                                const struct nereus_scenario *scenario,
                                                const struct nereus_method *method)
{
    struct nereus_cost_context context;
    const struct nereus_method carried_out = nereus_method_resolve(method);
    nereus_cost_context_init(profile, scenario->machine, scenario->ns, scenario->nt, &carried_out,
                             &context);
    context.values_only = scenario->values_only;
    if (carried_out.process == NEREUS_MERGE && scenario->state != NULL)
        context.starts = scenario->nt > scenario->ns + nereus_jobstate_zombies(scenario->state);
    const bool rebalances = nereus_method_rebalances(method, scenario->ns, scenario->nt);
    const bool moves = carried_out.has_data && (scenario->ns != scenario->nt || rebalances) &&
                       scenario->constant_bytes + scenario->variable_bytes > 0;
    if (rebalances) /* equal blocks would not move */
        context.share = 0;
    const bool grid = nereus_transfer_knows_grid(scenario->grid, scenario->ns, scenario->nt);
    if (moves && grid && scenario->ns != scenario->nt)
        find_grid_ranges(scenario, carried_out.distribution == NEREUS_KEEP && !context.respawn,
                         &context);
    else if (moves && nereus_transfer_knows_keep(&carried_out, scenario->ns, scenario->nt))
        find_keep_ranges(&context);
    else if (moves && carried_out.distribution == NEREUS_WEIGHTED && scenario->powers != NULL)
        find_weighted_ranges(scenario, &context);
    return context;
}

/* Is the step contained in others? Most small steps are, where whole reconfigurations were
 * measured. */
static bool is_contained_in_others(const struct nereus_cost_context *context,
                                   const struct nereus_step *step)
{
    enum nereus_step_kind priced_as[2];
    if (step->kind == NEREUS_STEP_REDISTRIBUTE ||
        nereus_cost_priced_as(context->profile, step, context->oversubscribed, priced_as) > 1)
        return false;
    const struct nereus_linear_model *model = nereus_context_model(context, priced_as[0]);
    return model->basis == NEREUS_BASIS_CONTAINED && model->terms == 0;
}

enum nereus_status nereus_price_step(const struct nereus_cost_context *context,
                                     const struct nereus_step *step, struct nereus_cost_sum *sum,
                                     struct nereus_error *err)
{
    struct nereus_cost_sum one = NEREUS_COST_SUM_INIT;
    struct nereus_step_models models;
    if (is_contained_in_others(context, step))
        return NEREUS_OK;
    nereus_step_models_make(context, step, &models);
    NEREUS_TRY(nereus_step_models_add(&models, context, &one, err));
    if (isnan(one.value_s))
        return nereus_fail(err, NEREUS_ERR_NO_BASIS,
                           "the profile prices the step '%s' by a term that has no price",
                           nereus_step_name(step->kind));
    if (step->times > 1)
        nereus_cost_scale(&one, (double)step->times);
    nereus_cost_add_sum(sum, &one);
    return NEREUS_OK;
}

enum nereus_unattributed nereus_price_unattributed_of(const struct nereus_cost_context *context)
{
    return context->inter                                    ? NEREUS_UNATTRIBUTED_BASELINE
           : !context->respawn && context->nt <= context->ns ? NEREUS_UNATTRIBUTED_SHRINK
                                                             : NEREUS_UNATTRIBUTED_MERGE;
}

/* Find the unattributed time at the same kind of load, else at the other. A shrink, which is short
 * and starts no process, uses its own at another load before an expansion's. NULL: the profile has
 * none. */
static const struct nereus_linear_model *
find_unattributed_model(const struct nereus_cost_context *context)
{
    const struct nereus_profile *profile = context->profile;
    const int kinds = NEREUS_UNATTRIBUTED_MERGE_OVERSUBSCRIBED;
    const enum nereus_unattributed kind = nereus_price_unattributed_of(context);
    const bool shrink = kind == NEREUS_UNATTRIBUTED_SHRINK;
    const struct nereus_linear_model *const within = &profile->unattributed[kind],
                                            *const over = &within[kinds],
                                            *const merge =
                                                &profile->unattributed[NEREUS_UNATTRIBUTED_MERGE];
    const struct nereus_linear_model *const order[] = {
        context->oversubscribed ? over : within,
        context->oversubscribed || shrink ? (context->oversubscribed ? within : over) : NULL,
        shrink && context->oversubscribed ? &merge[kinds] : NULL, shrink ? merge : NULL};
    for (size_t i = 0; i < NEREUS_COUNT_OF(order); i++)
        if (order[i] != NULL && order[i]->basis != NEREUS_BASIS_NONE)
            return order[i];
    return NULL;
}

void nereus_price_add_unattributed(const struct nereus_cost_context *context,
                                   struct nereus_cost_sum *sum)
{
    const struct nereus_linear_model *model = find_unattributed_model(context);
    static const struct nereus_cost_input of_one_group = {.two_groups = false},
                                          of_two_groups = {.two_groups = true};
    /* in a restart no time passes between the end of a step and the begin of the next */
    if (model == NULL || context->restarts)
        return;
    nereus_cost_add(sum, model, context, context->inter ? &of_two_groups : &of_one_group);
    sum->centred = true;
}

bool nereus_price_unattributed_time(const struct nereus_profile *profile,
                                    const struct nereus_scenario *scenario,
                                    const struct nereus_method *method,
                                    struct nereus_interval *unattributed_s)
{
    const struct nereus_cost_context context = nereus_price_context(profile, scenario, method);
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    nereus_price_add_unattributed(&context, &sum);
    *unattributed_s = nereus_cost_interval(&sum);
    return sum.centred;
}

bool nereus_method_has_same_process(const struct nereus_method *a, const struct nereus_method *b,
                                    bool shrinks)
{
    if (a->process != b->process || a->async != b->async)
        return false;
    enum nereus_shrink x = a->shrink, y = b->shrink;
    enum nereus_strategy p = a->strategy, q = b->strategy;
    const bool merge = a->process == NEREUS_MERGE;
    if (x == NEREUS_SS && y == NEREUS_SS) {
        p = nereus_method_resolve(a).strategy;
        q = nereus_method_resolve(b).strategy;
    } else if (shrinks && merge) {
        /* a shrink kind left open means zs in samples; a shrink spawns no process, so that
         * strategies do not matter */
        x = x == NEREUS_SHRINK_BY_STATE ? NEREUS_ZS : x;
        y = y == NEREUS_SHRINK_BY_STATE ? NEREUS_ZS : y;
        p = q = NEREUS_PLAIN;
    } else if (merge) {
        x = x == NEREUS_ZS ? NEREUS_SHRINK_BY_STATE : x; /* an expansion puts no process to sleep */
        y = y == NEREUS_ZS ? NEREUS_SHRINK_BY_STATE : y;
    }
    return p == q && x == y;
}

/* Do the youngest worlds add up to the processes that must leave? */
bool nereus_price_worlds_can_leave(const struct nereus_jobstate *state, int64_t leaving)
{
    if (state == NULL)
        return false; /* the job is one initial world */
    int64_t sum = 0;
    for (int64_t i = state->world_count - 1; i > 0 && sum < leaving; i--)
        sum += state->worlds[i].processes;
    return sum == leaving && leaving > 0;
}

static bool is_shrink_kind_open(const struct nereus_scenario *scenario,
                                const struct nereus_method *method)
{
    return method->process == NEREUS_MERGE && method->shrink == NEREUS_SHRINK_BY_STATE &&
           scenario->nt < scenario->ns;
}

/* Did the measured runtime end worlds? This library does; other measurements show it by rows of
 * terminations. */
static bool ends_worlds(const struct nereus_profile *profile, const struct nereus_method *method)
{
    struct nereus_method termination = *method;
    termination.shrink = NEREUS_TS;
    termination.strategy = NEREUS_PLAIN;
    return nereus_profile_has_steps(profile) ||
           profile->steps[NEREUS_STEP_TERMINATE].basis == NEREUS_BASIS_FITTED ||
           nereus_price_whole_model(profile, &termination) != NULL;
}

enum nereus_shrink nereus_predicted_shrink_kind(const struct nereus_profile *profile,
                                                const struct nereus_scenario *scenario,
                                                const struct nereus_method *method)
{
    const struct nereus_jobstate *state = scenario->state;
    if (!is_shrink_kind_open(scenario, method) || state == NULL || state->world_count < 2)
        return method->shrink;
    if (!ends_worlds(profile, method))
        return NEREUS_ZS;
    return nereus_price_worlds_can_leave(state, scenario->ns - scenario->nt)
               ? NEREUS_TS
               : NEREUS_SHRINK_BY_STATE;
}

struct nereus_method nereus_priced_method(const struct nereus_profile *profile,
                                          const struct nereus_scenario *scenario,
                                          const struct nereus_method *method)
{
    struct nereus_method priced = *method;
    priced.shrink = nereus_predicted_shrink_kind(profile, scenario, method);
    if (is_shrink_kind_open(scenario, method) && priced.shrink != NEREUS_TS)
        priced.shrink = NEREUS_ZS;
    return priced;
}

bool nereus_price_uses_one_model(const struct nereus_method *method, bool shrinks)
{
    const struct nereus_method m = nereus_method_resolve(method);
    const bool spawns = m.process != NEREUS_MERGE || !shrinks;
    return method->shrink == NEREUS_TS ||
           (spawns && nereus_strategy_ops_of(m.strategy)->several_worlds);
}

int nereus_price_whole_terms(const struct nereus_method *method, const enum nereus_term **terms)
{
    /* Terms of README.md; Martín-Álvarez et al. (2025), sections 5.2 and 5.3. A termination is
     * announced to worlds, one per node; the staying processes make a communicator: trees over the
     * nodes. */
    static const enum nereus_term termination[] = {NEREUS_TERM_CONST, NEREUS_TERM_LOG2_SOURCE_NODES,
                                                   NEREUS_TERM_LOG2_TARGET_NODES};
    /* trees over the nodes of targets and of sources; the groups are opened and announced one after
     * the other */
    static const enum nereus_term merge[] = {NEREUS_TERM_CONST, NEREUS_TERM_LOG2_TARGET_NODES,
                                             NEREUS_TERM_GROUPS, NEREUS_TERM_LOG2_SOURCE_NODES};
    /* rounds over the groups; the slowest node with old and new processes delays all, and the
     * largest of n waits grows as log(n) */
    static const enum nereus_term baseline[] = {NEREUS_TERM_CONST, NEREUS_TERM_LOG2_NEW_NODES,
                                                NEREUS_TERM_LOG2_SHARED_NODES,
                                                NEREUS_TERM_SHARED_NODES};
    if (method->shrink == NEREUS_TS) {
        *terms = termination;
        return (int)NEREUS_COUNT_OF(termination);
    }
    const bool is_merge = nereus_method_resolve(method).process == NEREUS_MERGE;
    *terms = is_merge ? merge : baseline;
    return (int)(is_merge ? NEREUS_COUNT_OF(merge) : NEREUS_COUNT_OF(baseline));
}

void nereus_price_whole_input(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                              const struct nereus_method *method, struct nereus_cost_input *input)
{
    const bool merge = nereus_method_resolve(method).process == NEREUS_MERGE;
    memset(input, 0, sizeof *input);
    input->old_processes = ns;
    input->new_processes = !merge ? nt : (nt > ns ? nt - ns : 0);
    nereus_placement_find_load(
        machine,
        &(struct nereus_placement){ns, merge && nt > ns ? ns : 0, input->new_processes, nt, !merge},
        &input->load);
    if (nereus_strategy_of(method)->several_worlds)
        input->groups = input->load.new_nodes;
}

const struct nereus_linear_model *nereus_price_whole_model(const struct nereus_profile *profile,
                                                           const struct nereus_method *method)
{
    struct nereus_method synchronous = *method;
    synchronous.async = false;
    for (int64_t i = 0; i < profile->whole_count; i++)
        if (nereus_method_has_same_process(&profile->whole_models[i].method, &synchronous,
                                           method->shrink == NEREUS_TS))
            return &profile->whole_models[i].model;
    return NULL;
}
