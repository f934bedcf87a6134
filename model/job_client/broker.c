/**
 * @file broker.c
 * Decides how a broker divides idle nodes among jobs. The algorithm is greedy: each step takes the
 * job with the best score, sets its target, and continues with the nodes that are left. The score
 * of a resize from n to m nodes, with its reconfiguration time RT, is
 *
 *     to free nodes    least    RT x processes / (n - m)       process-seconds per freed node
 *     to use nodes     most     time saved / (m - n)           compute_saved_s
 *
 * A target may change several times, but remains one resize, priced from the job's present nodes.
 * There is at most one step per node.
 */
#include "nereus/broker.h"

#include "model/util/base.h"

struct deciding {
    const struct nereus_broker_state *state;
    int64_t *targets; /* number of nodes that each job should have */
};

/* The largest allowed size on this number of nodes; 0: none. */
static int64_t find_largest_size(const struct nereus_broker_job *job, int64_t nodes)
{
    const int64_t cores = nodes * job->cores_per_node;
    int64_t near_sizes[2];
    return cores > 0 && nereus_sizes_find_nearest(&job->sizes, cores + 1, cores, near_sizes) > 0
               ? near_sizes[0]
               : 0;
}

/* Does the job have an allowed size that needs exactly this number of nodes? */
static bool is_target(const struct nereus_broker_job *job, int64_t nodes)
{
    return find_largest_size(job, nodes) > (nodes - 1) * job->cores_per_node;
}

/* The largest, and the smallest, number of nodes within limits that an allowed size needs; 0: none.
 */
static int64_t find_largest_target(const struct nereus_broker_job *job, int64_t min, int64_t max)
{
    const int64_t nodes =
        max > 0 ? nereus_divide_up(find_largest_size(job, max), job->cores_per_node) : 0;
    return nodes >= min ? nodes : 0;
}

static int64_t find_smallest_target(const struct nereus_broker_job *job, int64_t min, int64_t max)
{
    const int64_t largest = find_largest_target(job, min, max);
    for (int64_t nodes = min; nodes < largest; nodes++)
        if (is_target(job, nodes))
            return nodes;
    return largest;
}

/* Processes on a number of nodes: the present size on the present nodes, else the largest allowed
 * size. */
static int64_t find_size(const struct nereus_broker_job *job, int64_t nodes)
{
    return nodes == job->nodes ? job->processes : find_largest_size(job, nodes);
}

/* Predicted reconfiguration time between two numbers of nodes. */
static double resize_price_s(const struct nereus_broker_state *state, int64_t index, int64_t from,
                             int64_t to)
{
    const struct nereus_broker_job *job = &state->jobs[index];
    const int64_t ns = find_size(job, from), nt = find_size(job, to);
    /* nodes without processes have cost 0 */
    return state->price == NULL || ns == nt ? 0 : state->price(state->user, index, ns, nt);
}

/* Remaining run time; if it is unknown, the horizon. */
static double get_remaining_s(const struct nereus_broker_state *state, int64_t index)
{
    const double left_s = state->jobs[index].left_s;
    return left_s >= 0 ? left_s : state->horizon_s;
}

/* Cost of a released node in processes x seconds; INFINITY: impossible. */
static double price_freed_node(const struct deciding *deciding, int64_t index, int64_t wanted,
                               int64_t *target)
{
    const struct nereus_broker_state *state = deciding->state;
    const struct nereus_broker_job *job = &state->jobs[index];
    const int64_t now = deciding->targets[index], kept_count = nereus_max(job->kept_nodes, 1);
    const int64_t wanted_target = nereus_max(now - wanted, kept_count);
    *target = job->is_busy ? 0 : find_largest_target(job, kept_count, wanted_target);
    if (*target == 0 && !job->is_busy) /* release as many nodes as it can */
        *target = find_smallest_target(job, wanted_target, now - 1);
    if (*target == 0 || *target >= now)
        return INFINITY;
    const double price_s = resize_price_s(state, index, job->nodes, *target);
    return price_s < state->horizon_s
               ? price_s * (double)job->processes / (double)(job->nodes - *target)
               : INFINITY;
}

/* @return nodes still missing */
static int64_t request_shrink(struct deciding *deciding, int64_t lacking)
{
    while (lacking > 0) {
        double best = INFINITY;
        int64_t chosen = -1, to = 0;
        for (int64_t i = 0; i < deciding->state->job_count; i++) {
            int64_t target;
            const double price = price_freed_node(deciding, i, lacking, &target);
            const bool is_equal = chosen >= 0 && price == best && isfinite(price);
            if (price < best || (is_equal && get_remaining_s(deciding->state, i) >
                                                 get_remaining_s(deciding->state, chosen))) {
                best = price;
                chosen = i;
                to = target;
            }
        }
        if (chosen < 0)
            return lacking;
        lacking -= deciding->targets[chosen] - to;
        deciding->targets[chosen] = to;
    }
    return 0;
}

/* Time by which the job ends earlier if resizes cost nothing: at least that which it saves. */
static double compute_free_s(const struct nereus_broker_state *state, int64_t index, int64_t to)
{
    const struct nereus_broker_job *job = &state->jobs[index];
    const double ns = (double)job->processes, nt = (double)find_largest_size(job, to);
    return to == job->nodes ? 0 : get_remaining_s(state, index) * (1 - ns / nt);
}

/* Time by which the job ends earlier, minus the times of this resize and of a later shrink. */
static double compute_saved_s(const struct nereus_broker_state *state, int64_t index, int64_t to)
{
    const int64_t nodes = state->jobs[index].nodes;
    return to == nodes
               ? 0
               : compute_free_s(state, index, to) - resize_price_s(state, index, nodes, to) -
                     resize_price_s(state, index, to, nodes);
}

/* The next expansion of a job: one step, or onto all idle nodes (one step may cost more than it
 * saves). */
struct expansion {
    double saved_s; /* on the present target */
    struct {
        int64_t target; /* of one step, and of all idle nodes; 0: none */
        double saved_s; /* without prices, unless is_priced */
        bool is_priced;
    } options[2];
};

/* Update the options of a job for so many idle nodes, without prices. */
static void update_options(const struct deciding *deciding, int64_t index, int64_t idle,
                           struct expansion *expansion)
{
    const struct nereus_broker_job *job = &deciding->state->jobs[index];
    const int64_t now = deciding->targets[index];
    const int64_t targets[] = {find_smallest_target(job, now + 1, now + idle),
                               find_largest_target(job, now + 1, now + idle)};
    for (int i = 0; i < 2 && !job->is_busy; i++) {
        if (targets[i] == expansion->options[i].target)
            continue;
        expansion->options[i].target = targets[i];
        expansion->options[i].is_priced = false;
        if (targets[i] > 0)
            expansion->options[i].saved_s = compute_free_s(deciding->state, index, targets[i]);
    }
}

/* Seconds saved a node by an option. A prediction is expensive: the price is asked only if the
 * option would be better than `best` without one.
 * @return `best` or less: it is not better */
static double compute_gain(const struct deciding *deciding, int64_t index,
                           struct expansion *expansion, int option, double best)
{
    const int64_t target = expansion->options[option].target;
    const double nodes = (double)(target - deciding->targets[index]);
    double *saved_s = &expansion->options[option].saved_s;
    if (target == 0)
        return 0;
    if (!expansion->options[option].is_priced && (*saved_s - expansion->saved_s) / nodes > best) {
        *saved_s = compute_saved_s(deciding->state, index, target);
        expansion->options[option].is_priced = true;
    }
    return (*saved_s - expansion->saved_s) / nodes;
}

/* Choose the job and the option that save most a node.
 * @return false: no expansion gains */
static bool choose_expansion(const struct deciding *deciding, int64_t idle,
                             struct expansion *expansions, int64_t *job, int *option)
{
    double best = 0;
    for (int64_t i = 0; i < deciding->state->job_count; i++) {
        update_options(deciding, i, idle, &expansions[i]);
        for (int k = 0; k < 2; k++) {
            const double gain = compute_gain(deciding, i, &expansions[i], k, best);
            if (gain > best) {
                best = gain;
                *job = i;
                *option = k;
            }
        }
    }
    return best > 0;
}

/* @param expansions  one a job, zeroed */
static void request_expansions(struct deciding *deciding, int64_t idle,
                               struct expansion *expansions)
{
    int64_t job;
    int option;
    while (idle > 0 && choose_expansion(deciding, idle, expansions, &job, &option)) {
        const int64_t target = expansions[job].options[option].target;
        expansions[job].saved_s = expansions[job].options[option].saved_s;
        idle -= target - deciding->targets[job];
        deciding->targets[job] = target;
    }
}

/* Idle nodes left after the waiting jobs have started; below 0: minus the nodes that the first
 * waiting job lacks. */
static int64_t count_idle_after_waiting(const struct nereus_broker_state *state)
{
    int64_t idle = state->idle_nodes;
    for (int64_t i = 0; i < state->waiting_count && idle >= 0; i++)
        idle -= state->waiting_nodes[i];
    return idle;
}

static void reset_targets(struct deciding *deciding)
{
    for (int64_t i = 0; i < deciding->state->job_count; i++)
        deciding->targets[i] = deciding->state->jobs[i].nodes;
}

static int64_t write_actions(const struct deciding *deciding, struct nereus_broker_action *actions)
{
    const struct nereus_broker_state *state = deciding->state;
    int64_t count = 0;
    for (int64_t i = 0; i < state->job_count; i++) {
        const struct nereus_broker_job *job = &state->jobs[i];
        const int64_t to = deciding->targets[i];
        if (to != job->nodes) {
            actions[count++] = (struct nereus_broker_action){
                .job = i,
                .from_nodes = job->nodes,
                .to_nodes = to,
                .to_processes = find_largest_size(job, to),
                .price_s = resize_price_s(state, i, job->nodes, to),
                .gain_s = to > job->nodes ? compute_saved_s(state, i, to) : 0};
        }
    }
    return count;
}

static enum nereus_status check_state(const struct nereus_broker_state *state,
                                      struct nereus_error *err)
{
    if (state->idle_nodes < 0 || state->job_count < 0 || !(state->horizon_s > 0)) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "a cluster of %lld idle node%s and %lld job%s, with a horizon of %g s: nodes and jobs "
            "must be 0 or more, the horizon above 0",
            (long long)state->idle_nodes, nereus_plural_s(state->idle_nodes),
            (long long)state->job_count, nereus_plural_s(state->job_count), state->horizon_s);
    }
    for (int64_t i = 0; i < state->job_count; i++) {
        const struct nereus_broker_job *job = &state->jobs[i];
        if (job->processes < 1 || job->nodes < 1 || job->cores_per_node < 1 ||
            job->kept_nodes < 0) {
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "malleable job %lld has %lld process%s on %lld node%s of %lld core%s: each must "
                "be 1 or more",
                (long long)i, (long long)job->processes, nereus_plural_es(job->processes),
                (long long)job->nodes, nereus_plural_s(job->nodes), (long long)job->cores_per_node,
                nereus_plural_s(job->cores_per_node));
        }
    }
    return NEREUS_OK;
}

enum nereus_status nereus_broker_decide(const struct nereus_broker_state *state,
                                        struct nereus_broker_action *actions, int64_t *count,
                                        struct nereus_error *err)
{
    NEREUS_TRY(check_state(state, err));
    struct deciding deciding = {
        .state = state, .targets = malloc(((size_t)state->job_count + 1) * sizeof(int64_t))};
    struct expansion *expansions = calloc((size_t)state->job_count + 1, sizeof *expansions);
    if (deciding.targets == NULL || expansions == NULL) {
        free(deciding.targets);
        free(expansions);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld jobs",
                           (long long)state->job_count);
    }
    reset_targets(&deciding);
    const int64_t idle = count_idle_after_waiting(state);
    if (idle > 0)
        request_expansions(&deciding, idle, expansions);
    else if (idle < 0 && request_shrink(&deciding, -idle) > 0)
        reset_targets(&deciding);
    *count = write_actions(&deciding, actions);
    free(deciding.targets);
    free(expansions);
    return NEREUS_OK;
}
