/**
 * @file cost.c
 * Computes the features, and lists the candidate terms of each step kind.
 *
 * Symbols (layout.h computes them from the placement): C cores of a node, k most new processes on
 * one node, n_c nodes that receive new processes, l = max (old + new) / C over those nodes, l_a the
 * same without old processes that are asleep (cost.h, load_awake), old and new those that take
 * part, p = old + new; (x)+ = max(0, x); [condition] is 1 if it holds, else 0. Each term has a
 * coefficient of its own, fitted from rows of this kind of step:
 *
 *   spawn           1, (k/C) [l_a >= 1], sqrt((l_a-1)+), log2(n_c), k      T_Spw of (2024a)
 *   launch, start   1, (k/C) [l >= 1], log2(n_c)                           as T_Spw
 *   connect         1, log2(min(old, new)) [l > 1], log2(p)                T_Con, equations 4, 5;
 *                                                       once a round of (2025), section 4.4
 *   join            1, log2(new), log2(p), [baseline]
 *   merge           1, log2(p), log2(nodes(NT))                            T_Mrg, equations 2, 5
 *   split           1, log2(p), log2(nodes(NS))                            T_split, equation 3
 *   gather, end     1, log2(p)                                             T_gather, equation 3
 *   decide          1, [starts], log2(p), [baseline]     the root checks if it can start processes
 *   allocate        1, bytes of one target, [starts], [baseline]           first touch of new pages
 *   redistribute    1, transfer, bytes of the busiest process, [baseline]  Hockney (1994)
 *   commit          1, bytes of one source, log2(p), [baseline]            pages given back
 *   write, read     1, bytes of one process, bytes of all processes        cost_restart.c
 *   wake, synchronise, reorder, agree, sleep, terminate, disconnect
 *                   1, log2(p), [baseline]      trees; synchronise, reorder, terminate: sections
 *                                               4.3, 4.5 and 4.7 of (2025)
 *
 * Terms of whole reconfigurations: README.md, from (2024a), tables 1 and 2. On a node that is not
 * full, starts are delayed less than in proportion, as the scheduler finds free cores. The tables
 * have two such cells.
 *
 * (2024a) and (2025) are papers by Martín-Álvarez et al. Each kind has two lists of terms, because
 * rows of a single step kind distinguish more terms than whole reconfigurations. Terms that the
 * rows of a fit cannot determine keep their priors (model/fit/regression.c).
 */
#include "cost.h"

#include "cost_data.h"
#include "cost_restart.h"
#include "model/plan/strategies/strategy.h"

#define TERMS(...)                                                                                 \
    .terms = (const enum nereus_term[]){__VA_ARGS__},                                              \
    .term_count =                                                                                  \
        (int)(sizeof((const enum nereus_term[]){__VA_ARGS__}) / sizeof(enum nereus_term))
#define WHOLE_TERMS(...)                                                                           \
    .whole_terms = (const enum nereus_term[]){__VA_ARGS__},                                        \
    .whole_term_count =                                                                            \
        (int)(sizeof((const enum nereus_term[]){__VA_ARGS__}) / sizeof(enum nereus_term))
#define TREE TERMS(NEREUS_TERM_CONST, NEREUS_TERM_LOG2_PROCESSES, NEREUS_TERM_TWO_GROUPS)

static const struct nereus_cost_kind kinds[NEREUS_STEP_KIND_COUNT] = {
    [NEREUS_STEP_DECIDE] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_STARTS, NEREUS_TERM_LOG2_PROCESSES,
                                  NEREUS_TERM_TWO_GROUPS)},
    [NEREUS_STEP_WAKE] = {TREE},
    [NEREUS_STEP_SPAWN] =
        {
            TERMS(NEREUS_TERM_CONST, NEREUS_TERM_FULL_AWAKE, NEREUS_TERM_OVERLOAD_AWAKE,
                  NEREUS_TERM_LOG2_NEW_NODES, NEREUS_TERM_NEW_PER_NODE),
            WHOLE_TERMS(NEREUS_TERM_CONST, NEREUS_TERM_FILLING, NEREUS_TERM_OVERLOAD,
                        NEREUS_TERM_LOG2_NEW_NODES),
        },
    [NEREUS_STEP_LAUNCH] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_FULL, NEREUS_TERM_LOG2_NEW_NODES)},
    [NEREUS_STEP_SYNCHRONISE] = {TREE},
    [NEREUS_STEP_CONNECT] =
        {
            TERMS(NEREUS_TERM_CONST, NEREUS_TERM_OVERLOAD_LOG2, NEREUS_TERM_LOG2_PROCESSES),
            WHOLE_TERMS(NEREUS_TERM_OVERLOAD_LOG2, NEREUS_TERM_OVERLOADED),
        },
    [NEREUS_STEP_JOIN] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_LOG2_NEW, NEREUS_TERM_LOG2_PROCESSES,
                                NEREUS_TERM_TWO_GROUPS)},
    [NEREUS_STEP_MERGE] =
        {
            TERMS(NEREUS_TERM_CONST, NEREUS_TERM_LOG2_PROCESSES, NEREUS_TERM_LOG2_TARGET_NODES),
            WHOLE_TERMS(NEREUS_TERM_LOG2_TARGET_NODES),
        },
    [NEREUS_STEP_REORDER] = {TREE},
    [NEREUS_STEP_SPLIT] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_LOG2_PROCESSES,
                                 NEREUS_TERM_LOG2_SOURCE_NODES),
                           WHOLE_TERMS(NEREUS_TERM_ONE_NODE, NEREUS_TERM_LOG2_SOURCE_NODES)},
    [NEREUS_STEP_GATHER] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_LOG2_PROCESSES)},
    [NEREUS_STEP_ALLOCATE] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_TOUCHED_BYTES,
                                    NEREUS_TERM_STARTS, NEREUS_TERM_TWO_GROUPS)},
    [NEREUS_STEP_REDISTRIBUTE] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_TRANSFER,
                                        NEREUS_TERM_MOVED_BYTES, NEREUS_TERM_TWO_GROUPS),
                                  WHOLE_TERMS(NEREUS_TERM_TRANSFER, NEREUS_TERM_MOVED_BYTES)},
    [NEREUS_STEP_AGREE] = {TREE},
    [NEREUS_STEP_COMMIT] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_FREED_BYTES,
                                  NEREUS_TERM_LOG2_PROCESSES, NEREUS_TERM_TWO_GROUPS)},
    [NEREUS_STEP_SLEEP] = {TREE},
    [NEREUS_STEP_TERMINATE] = {TREE},
    [NEREUS_STEP_DISCONNECT] = {TREE},
    [NEREUS_STEP_WRITE] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_FREED_BYTES, NEREUS_TERM_ALL_BYTES),
                           WHOLE_TERMS(NEREUS_TERM_ALL_BYTES)},
    [NEREUS_STEP_END] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_LOG2_PROCESSES)},
    [NEREUS_STEP_START] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_FULL, NEREUS_TERM_LOG2_NEW_NODES),
                           WHOLE_TERMS(NEREUS_TERM_CONST, NEREUS_TERM_LOG2_NEW_NODES)},
    [NEREUS_STEP_READ] = {TERMS(NEREUS_TERM_CONST, NEREUS_TERM_TOUCHED_BYTES,
                                NEREUS_TERM_ALL_BYTES)},
};

const struct nereus_cost_kind *nereus_cost_kind_of(enum nereus_step_kind kind)
{
    return &kinds[kind];
}

static double log2_count(int64_t count)
{
    return count > 1 ? log2((double)count) : 0;
}

/* The compiler warns of a missing case; an unknown term gives NAN, and the price is refused. */
double nereus_cost_feature(enum nereus_term term, const struct nereus_cost_input *input)
{
    const struct nereus_load *const load = &input->load;
    switch (term) {
    case NEREUS_TERM_CONST:
        return 1;
    case NEREUS_TERM_FULL:
        return load->core_load >= 1 ? load->fill : 0;
    case NEREUS_TERM_FULL_AWAKE:
        return input->load_awake >= 1 ? load->fill : 0;
    case NEREUS_TERM_FILLING:
        return load->core_load < 1 ? load->core_load * sqrt(load->core_load) * load->fill
                                   : load->fill;
    case NEREUS_TERM_OVERLOAD:
        return load->core_load > 1 ? sqrt(load->core_load - 1) : 0;
    case NEREUS_TERM_OVERLOAD_AWAKE:
        return input->load_awake > 1 ? sqrt(input->load_awake - 1) : 0;
    case NEREUS_TERM_OVERLOADED:
        return load->core_load > 1 ? 1 : 0;
    case NEREUS_TERM_OVERLOAD_LOG2:
        return load->core_load > 1
                   ? log2_count(nereus_min(input->old_processes, input->new_processes))
                   : 0;
    case NEREUS_TERM_NEW_PER_NODE:
        return (double)load->new_per_node;
    case NEREUS_TERM_LOG2_NEW_NODES:
        return log2_count(load->new_nodes);
    case NEREUS_TERM_LOG2_TARGET_NODES:
        return log2_count(load->target_nodes);
    case NEREUS_TERM_LOG2_SOURCE_NODES:
        return log2_count(load->old_nodes);
    case NEREUS_TERM_ONE_NODE:
        return load->old_nodes <= 1 ? 1 : 0;
    case NEREUS_TERM_GROUPS:
        return input->groups > 1 ? (double)(input->groups - 1) : 0;
    case NEREUS_TERM_LOG2_SHARED_NODES:
        return log2_count(load->shared_nodes);
    case NEREUS_TERM_SHARED_NODES:
        return load->shared_nodes > 1 ? (double)(load->shared_nodes - 1) : 0;
    case NEREUS_TERM_LOG2_PROCESSES:
        return log2_count(input->old_processes + input->new_processes);
    case NEREUS_TERM_EXCESS:
        return nereus_max_real(0, load->core_load - 1);
    case NEREUS_TERM_OTHER_NEW:
        return input->new_processes > 1 ? (double)(input->new_processes - 1) : 0;
    case NEREUS_TERM_LOG2_NEW:
        return log2_count(input->new_processes);
    case NEREUS_TERM_TRANSFER:
        return input->transfer_s;
    case NEREUS_TERM_MOVED_BYTES:
        return input->moved_bytes;
    case NEREUS_TERM_TOUCHED_BYTES:
        return input->touched_bytes;
    case NEREUS_TERM_FREED_BYTES:
        return input->freed_bytes;
    case NEREUS_TERM_TWO_GROUPS:
        return input->two_groups ? 1 : 0;
    case NEREUS_TERM_WINDOW:
        return input->window_s;
    case NEREUS_TERM_TOUCH:
        return input->touch_s;
    case NEREUS_TERM_BROADCAST:
        return input->broadcast_s;
    case NEREUS_TERM_STARTS:
        return input->starts ? 1 : 0;
    case NEREUS_TERM_NODE_BYTES:
        return input->between_bytes.node_bytes;
    case NEREUS_TERM_ALL_BYTES:
        return input->between_bytes.all_bytes;
    case NEREUS_TERM_BOTH_BYTES:
        return input->between_bytes.both_bytes;
    case NEREUS_TERM_GATHERED_BYTES:
        return input->between_bytes.gathered_bytes;
    case NEREUS_TERM_CROWDED_BYTES:
        return input->between_bytes.crowded_bytes;
    case NEREUS_TERM_COUNT:
        break;
    }
    return NAN;
}

/* Does the cost depend on the nodes of the new processes? Other steps ignore `first_new`. */
static bool depends_on_placement(enum nereus_step_kind kind)
{
    return kind == NEREUS_STEP_SPAWN || kind == NEREUS_STEP_LAUNCH || kind == NEREUS_STEP_CONNECT ||
           kind == NEREUS_STEP_JOIN || kind == NEREUS_STEP_MERGE || kind == NEREUS_STEP_START;
}

void nereus_cost_context_init(const struct nereus_profile *profile,
                              const struct nereus_machine *machine, int64_t ns, int64_t nt,
                              const struct nereus_method *method,
                              struct nereus_cost_context *context)
{
    *context = (struct nereus_cost_context){
        .profile = profile,
        .machine = machine,
        .ns = ns,
        .nt = nt,
        .oversubscribed = nereus_cost_is_oversubscribed(machine, ns, nt, method),
        .data = nereus_method_data(method),
        .inter = method->process == NEREUS_BASELINE,
        .respawn = method->process != NEREUS_MERGE,
        .single = nereus_strategy_starts_by_root(method->strategy),
        .restarts = method->process == NEREUS_RESTART,
        .starts = method->process != NEREUS_RESTART && (method->process != NEREUS_MERGE || nt > ns),
        .overlapped = nereus_method_is_overlapped(method),
        .share = 1,
        .largest_share = 1,
        .collective = method->process != NEREUS_BASELINE &&
                      (!method->has_data || method->data == NEREUS_COLL),
    };
}

/* Set the participants of one of the identical steps (repeat, times) that `step` represents. */
static void count_processes(const struct nereus_step *step, struct nereus_cost_input *input)
{
    input->old_processes = step->old_processes;
    input->new_processes =
        step->times > 1 ? nereus_divide_up(step->new_processes, step->times) : step->new_processes;
    /* a round connects pairs of groups of new processes */
    if (step->kind == NEREUS_STEP_CONNECT && step->level > 0)
        input->old_processes = input->new_processes =
            nereus_divide_up(step->new_processes, 2 * step->repeat);
    else if (step->kind == NEREUS_STEP_REORDER)
        input->old_processes = 0; /* new processes only */
}

/* Find the load of a step: new processes share nodes with the sources and, in a merge, with earlier
 * new ones; in a respawn earlier new processes are on other nodes. */
static void find_load(const struct nereus_cost_context *context, const struct nereus_step *step,
                      const struct nereus_cost_input *input, struct nereus_load *load)
{
    const int64_t present = context->respawn && step->level > 0 ? context->ns : step->old_processes;
    const int64_t count = step->times > 1 ? input->new_processes : step->new_processes;
    nereus_placement_find_load(
        context->machine,
        &(struct nereus_placement){present, step->first_new, count, context->nt, context->respawn},
        load);
}

/* Count the nodes of the groups started so far, in a merge also the sources' nodes. */
static int64_t count_group_nodes(const struct nereus_cost_context *context,
                                 const struct nereus_step *step)
{
    const int64_t all = step->first_new + step->new_processes,
                  old = context->respawn ? 0 : step->first_new;
    struct nereus_load load;
    if (context->machine->layout == NULL)
        return nereus_machine_count_nodes(context->machine, all);
    nereus_placement_find_load(
        context->machine,
        &(struct nereus_placement){old, old, all - old, context->nt, context->respawn}, &load);
    return load.old_nodes + load.new_nodes - load.shared_nodes;
}

void nereus_cost_input_make(const struct nereus_cost_context *context,
                            const struct nereus_step *step, struct nereus_cost_input *input)
{
    const double bytes = (double)step->constant_bytes + (double)step->variable_bytes;
    const int64_t fewest = nereus_min(context->ns, context->nt);
    *input = (struct nereus_cost_input){0};
    count_processes(step, input);
    if (depends_on_placement(step->kind))
        find_load(context, step, input, &input->load);
    else /* the sources alone */
        nereus_placement_find_load(
            context->machine,
            &(struct nereus_placement){context->ns, 0, 0, context->nt, context->respawn},
            &input->load);
    input->load_awake = context->single ? input->load.load_root_only : input->load.core_load;
    /* several groups: all nodes of these groups */
    if (step->level != 0 || step->kind == NEREUS_STEP_REORDER)
        input->load.old_nodes = count_group_nodes(context, step);
    /* a pair of groups: only the nodes of this pair */
    if (step->kind == NEREUS_STEP_CONNECT && step->level > 0)
        input->load.target_nodes = nereus_divide_up(input->load.new_nodes, step->repeat);
    if (bytes > 0) {
        input->moved_bytes = ceil(bytes * context->share / (double)fewest);
        input->touched_bytes = ceil(bytes * context->largest_share / (double)context->nt);
        input->freed_bytes = ceil(bytes / (double)context->ns);
    }
    if (step->kind == NEREUS_STEP_ALLOCATE && nereus_cost_lacks_replicated(context))
        input->touched_bytes += (double)step->replicated_bytes; /* each target has a whole copy */
    input->two_groups = context->inter;
    input->starts = context->starts;
    nereus_restart_bytes(context, step, input);
    if (step->kind == NEREUS_STEP_REDISTRIBUTE)
        input->transfer_s = nereus_cost_transfer_s(context, bytes);
}

/* Was the cost of a connection measured by itself? Whole reconfigurations contain it visibly only
 * where processes are oversubscribed. */
static bool has_connect_terms(const struct nereus_linear_model *m)
{
    bool has_terms = m->basis != NEREUS_BASIS_FITTED;
    for (int i = 0; i < m->terms; i++)
        has_terms = has_terms || (nereus_cost_term(m, i) != NEREUS_TERM_OVERLOAD_LOG2 &&
                                  nereus_cost_term(m, i) != NEREUS_TERM_OVERLOADED);
    return has_terms;
}

int nereus_cost_priced_as(const struct nereus_profile *profile, const struct nereus_step *step,
                          bool oversubscribed, enum nereus_step_kind priced_as[2])
{
    priced_as[0] =
        step->kind == NEREUS_STEP_SYNCHRONISE && step->level == 0 ? NEREUS_STEP_AGREE : step->kind;
    priced_as[1] = NEREUS_STEP_MERGE;
    return step->kind == NEREUS_STEP_CONNECT && step->level > 0 &&
                   !has_connect_terms(nereus_cost_model(profile, step->kind, oversubscribed))
               ? 2
               : 1;
}

bool nereus_cost_is_oversubscribed(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                   const struct nereus_method *method)
{
    if (machine->node_count == 0)
        return false;
    /* sources and targets of a baseline exist together; merge and restart have the larger number of
     * both */
    const enum nereus_process process = nereus_method_resolve(method).process;
    const bool one_set = process == NEREUS_MERGE || process == NEREUS_RESTART;
    const int64_t max = one_set ? nereus_max(ns, nt) : ns + nt;
    return max > nereus_machine_total_cores(machine);
}
