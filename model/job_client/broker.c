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

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/text.h"
#include "model/util/try.h"

struct deciding {
    const struct nereus_broker_state *state;
    int64_t *targets; /* number of nodes that each job should have */
};

/* The largest allowed size on this number of nodes; 0: none. */
static int64_t find_largest_size(const struct nereus_broker_job *job, int64_t nodes)
{
    const int64_t cores = nodes * job->cores_per_node;
    int64_t near[2];
    return cores > 0 && nereus_sizes_find_nearest(&job->sizes, cores + 1, cores, near) > 0 ? near[0]
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
    const int64_t now = deciding->targets[index], kept = nereus_max(job->kept_nodes, 1);
    const int64_t wanted_target = nereus_max(now - wanted, kept);
    *target = job->is_busy ? 0 : find_largest_target(job, kept, wanted_target);
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

/* Time by which the job ends earlier, minus the times of this resize and of a later shrink. */
static double compute_saved_s(const struct nereus_broker_state *state, int64_t index, int64_t to)
{
    const struct nereus_broker_job *job = &state->jobs[index];
    if (to == job->nodes)
        return 0;
    const double ns = (double)job->processes, nt = (double)find_largest_size(job, to);
    return get_remaining_s(state, index) * (1 - ns / nt) -
           resize_price_s(state, index, job->nodes, to) -
           resize_price_s(state, index, to, job->nodes);
}

/* The next expansion of a job: one step, or onto all idle nodes (one step may cost more than it
 * saves). */
struct expansion {
    int64_t targets[2]; /* of one step, and of all idle nodes; 0: none */
    int64_t best;       /* one of the targets */
    double gain;        /* seconds saved a node; 0: no expansion gains */
};

/* Update the expansion of a job for so many idle nodes. Prices are asked only where the targets have
 * changed. */
static void update_expansion(const struct deciding *deciding, int64_t index, int64_t idle,
                             struct expansion *expansion)
{
    const struct nereus_broker_job *job = &deciding->state->jobs[index];
    const int64_t now = deciding->targets[index];
    const int64_t targets[] = {find_smallest_target(job, now + 1, now + idle),
                               find_largest_target(job, now + 1, now + idle)};
    if (job->is_busy || memcmp(targets, expansion->targets, sizeof targets) == 0)
        return;
    *expansion = (struct expansion){.targets = {targets[0], targets[1]}};
    for (int i = 0; i < 2; i++) {
        if (targets[i] > 0) {
            const double gain = (compute_saved_s(deciding->state, index, targets[i]) -
                                 compute_saved_s(deciding->state, index, now)) /
                                (double)(targets[i] - now);
            if (gain > expansion->gain) {
                expansion->gain = gain;
                expansion->best = targets[i];
            }
        }
    }
}

/* @param expansions  one a job, zeroed */
static void request_expansions(struct deciding *deciding, int64_t idle,
                               struct expansion *expansions)
{
    for (int64_t chosen = 0; idle > 0 && chosen >= 0;) {
        double best = 0;
        chosen = -1;
        for (int64_t i = 0; i < deciding->state->job_count; i++) {
            update_expansion(deciding, i, idle, &expansions[i]);
            if (expansions[i].gain > best) {
                best = expansions[i].gain;
                chosen = i;
            }
        }
        if (chosen >= 0) {
            idle -= expansions[chosen].best - deciding->targets[chosen];
            deciding->targets[chosen] = expansions[chosen].best;
        }
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
