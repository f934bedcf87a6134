/**
 * @file node_seconds.c
 * Computes node-seconds, the nodes that a job holds times the time, and their energy.
 *
 *     node_s   = nodes_before before T(NS) + nodes_during D + nodes_after (after - It) T(NT)
 *     energy_j = the same with the power of these nodes in place of their number
 *     D        = RT; asynchronous: CT and the time with the application stopped
 *
 * A node is held while a process, awake or asleep, is on it:
 *
 *                        before       during                  after
 *   merge, expanding     N(NS)        N(NT)                   N(NT)
 *   baseline, ss         N(NS)        old and new nodes       N(NT)
 *   merge, zs            N(NS)        N(NS)                   N(NS): zombies stay
 *   merge, ts            N(NS)        N(NS)                   N(NS) - nodes of ended worlds
 *
 * (Martín-Álvarez et al. (2025), sections 3 and 4.7.) The table holds for one initial world and
 * allocates nothing; other states follow nereus_request_place and nereus_jobstate_apply.
 */

#include "model/plan/placement.h"
#include "nereus/goal.h"

static enum nereus_status count_initial_nodes(const struct nereus_machine *machine, int64_t ns,
                                              int64_t nt, const struct nereus_method *method,
                                              struct nereus_nodes *nodes, struct nereus_error *err)
{
    const int64_t old = nereus_machine_count_nodes(machine, ns),
                  new = nereus_machine_count_nodes(machine, nt);
    const bool respawns = nereus_method_resolve(method).process != NEREUS_MERGE;
    if (method->shrink == NEREUS_TS)
        return nereus_fail(
            err, NEREUS_ERR_ILLEGAL,
            "ts ends whole worlds, and a job of one initial world has none to spare");
    *nodes = (struct nereus_nodes){old, nereus_max(old, new), nereus_max(old, new)};
    if (respawns)
        nodes->after = new;
    return NEREUS_OK;
}

static int64_t find_last_node(const struct nereus_segment *segments, int64_t count, int64_t last)
{
    for (int64_t i = 0; i < count; i++)
        last = nereus_max(last, segments[i].node);
    return last;
}

/* @return 1 for a node that was not marked, else 0 */
static int mark_node(bool *held, int64_t node)
{
    const bool was_held = held[node];
    held[node] = true;
    return was_held ? 0 : 1;
}

static int64_t mark_segments(const struct nereus_segment *segments, int64_t count, bool *held)
{
    int64_t marked = 0;
    for (int64_t i = 0; i < count; i++)
        marked += segments[i].count > 0 ? mark_node(held, segments[i].node) : 0;
    return marked;
}

/* Count the nodes that a state and further groups hold; -1: no memory. */
static int64_t count_held(const struct nereus_jobstate *state, const struct nereus_group *groups,
                          int64_t group_count)
{
    int64_t last = find_last_node(state->segments, state->segment_count, 0);
    last = find_last_node(state->sleepers, state->sleeper_count, last);
    for (int64_t i = 0; i < group_count; i++)
        last = nereus_max(last, groups[i].node);
    bool *held = calloc((size_t)last + 1, sizeof *held);
    if (held == NULL)
        return -1;
    int64_t distinct = mark_segments(state->segments, state->segment_count, held) +
                       mark_segments(state->sleepers, state->sleeper_count, held);
    for (int64_t i = 0; i < group_count; i++)
        distinct += mark_node(held, groups[i].node);
    free(held);
    return distinct;
}

static struct nereus_request make_request(const struct nereus_machine *machine,
                                          const struct nereus_jobstate *state, int64_t ns,
                                          int64_t nt, const struct nereus_method *method)
{
    return (struct nereus_request){.version = NEREUS_RECORD_VERSION,
                                   .ns = ns,
                                   .nt = nt,
                                   .zombies = nereus_jobstate_zombies(state),
                                   .next_world_id = state->next_world_id,
                                   .keep_asleep = machine->layout == NULL, /* as it is priced */
                                   .method = *method};
}

static enum nereus_status fail_no_memory(struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to count the nodes of a job");
}

/* Count the nodes before, during and after.
 * @param[in,out] state  the state before; on success the state after */
static enum nereus_status count_nodes(const struct nereus_machine *machine,
                                      const struct nereus_request *request,
                                      struct nereus_jobstate *state, struct nereus_nodes *nodes,
                                      struct nereus_error *err)
{
    nodes->before = count_held(state, NULL, 0);
    nodes->during = count_held(state, request->groups, request->group_count);
    NEREUS_TRY(nereus_jobstate_apply(machine, request, state, err));
    nodes->after = count_held(state, NULL, 0);
    return nodes->before < 0 || nodes->during < 0 || nodes->after < 0 ? fail_no_memory(err)
                                                                      : NEREUS_OK;
}

enum nereus_status nereus_predict_held_nodes(const struct nereus_scenario *scenario,
                                             const struct nereus_method *method,
                                             struct nereus_nodes *nodes, struct nereus_error *err)
{
    const struct nereus_machine *machine = scenario->machine;
    const struct nereus_jobstate *state = scenario->state;
    struct nereus_jobstate after;
    struct nereus_nodes held;
    if (state == NULL)
        return count_initial_nodes(machine, scenario->ns, scenario->nt, method, nodes, err);
    struct nereus_request request =
        make_request(machine, state, scenario->ns, scenario->nt, method);
    enum nereus_status status = nereus_request_place(machine, state, NULL, 0, &request, err);
    if (status != NEREUS_OK) {
        nereus_request_fini(&request);
        return status;
    }
    status = nereus_jobstate_copy(state, &after, err);
    if (status == NEREUS_OK) {
        status = count_nodes(machine, &request, &after, &held, err);
        nereus_jobstate_fini(&after);
    }
    nereus_request_fini(&request);
    if (status == NEREUS_OK)
        *nodes = held;
    return status;
}

enum nereus_status nereus_jobstate_reconfigure(const struct nereus_machine *machine, int64_t ns,
                                               int64_t nt, const struct nereus_method *method,
                                               struct nereus_jobstate *state,
                                               struct nereus_error *err)
{
    struct nereus_request request = make_request(machine, state, ns, nt, method);
    enum nereus_status status = nereus_request_place(machine, state, NULL, 0, &request, err);
    if (status == NEREUS_OK)
        status = nereus_jobstate_apply(machine, &request, state, err);
    nereus_request_fini(&request);
    return status;
}

/* Is the job in the state in which the launcher starts a job? */
static bool is_initial(const struct nereus_scenario *s)
{
    const struct nereus_jobstate *state = s->state;
    if (state == NULL)
        return true;
    if (state->world_count != 1 || state->sleeper_count > 0 || s->machine->node_count > 0)
        return false;
    int64_t left = s->ns;
    for (int64_t i = 0; i < state->segment_count; i++) {
        const int64_t here = nereus_min(left, s->machine->cores_per_node);
        if (state->segments[i].node != i || state->segments[i].count != here)
            return false;
        left -= here;
    }
    return left == 0;
}

struct nereus_method nereus_prediction_method(const struct nereus_prediction *prediction)
{
    struct nereus_method method = prediction->method;
    if (prediction->shrink != NEREUS_SHRINK_BY_STATE)
        method.shrink = prediction->shrink;
    return method;
}

/* Power of `nodes` nodes [W], of which those that `processes` awake processes need compute.
 * Approximate where processes are spread over more nodes. */
static double compute_power_w(const struct nereus_machine *machine, int64_t processes,
                              int64_t nodes, const struct nereus_node_power *power)
{
    const int64_t busy = nereus_min(nodes, nereus_machine_count_nodes(machine, processes));
    return (double)busy * power->busy_w + (double)(nodes - busy) * power->idle_w;
}

enum nereus_status nereus_predict_nodes(const struct nereus_scenario *scenario,
                                        const struct nereus_node_power *power,
                                        struct nereus_prediction *prediction,
                                        struct nereus_error *err)
{
    static const struct nereus_node_power unknown = {0};
    struct nereus_nodes nodes;
    const struct nereus_method method = nereus_prediction_method(prediction);
    struct nereus_scenario placed = *scenario;
    placed.state = is_initial(scenario) ? NULL : scenario->state;
    NEREUS_TRY(nereus_predict_held_nodes(&placed, &method, &nodes, err));
    const double before_s = scenario->iterations_before * scenario->t_iter_ns_s;
    const double after_s = fmax(0, scenario->iterations_after - prediction->iterations_expected) *
                           scenario->t_iter_nt_s;
    const double during_s = fmax(0, prediction->t_ex_expected_s - before_s - after_s);
    prediction->nodes = nodes;
    prediction->node_s = (double)nodes.before * before_s + (double)nodes.during * during_s +
                         (double)nodes.after * after_s;
    power = power != NULL ? power : &unknown;
    prediction->power_w = (struct nereus_held_power){
        compute_power_w(scenario->machine, scenario->ns, nodes.before, power),
        (double)nodes.during * power->resize_w,
        compute_power_w(scenario->machine, scenario->nt, nodes.after, power)};
    prediction->energy_j = prediction->power_w.before * before_s +
                           prediction->power_w.during * during_s +
                           prediction->power_w.after * after_s;
    return NEREUS_OK;
}
