/**
 * @file policy_context.c
 * Implements a policy in a running job. Monitoring gives rank 0 computation and communication of an
 * iteration with the present processes (observed.h); work is computation times the processes'
 * power. Processes by class are found from their nodes (nodes.h). The state that a new rank 0 needs
 * is sent with the settings.
 */

#include "nodes.h"
#include "observed.h"
#include "src/core/model_choice.h"
#include "src/util/clock.h"
#include "src/util/json_lines.h"

/* State of rank 0 between questions. */
struct policy_context {
    struct nereus_policy_settings policy;
    struct nereus_computational_model model;
    struct policy_powers powers;
    bool reported; /* a write error of the log has been reported */
};

enum { LEFT_MAX = 4096 }; /* largest number of intervals ahead; beyond it they become longer */

static bool is_flex(const struct nereus_policy_settings *policy)
{
    return policy->kind == NEREUS_POLICY_FLEX_EFFICIENCY || policy->kind == NEREUS_POLICY_FLEX_COST;
}

/* Do classes name hosts? If not, requests are sizes, with default placement. */
static bool names_hosts(const struct nereus_policy_settings *policy)
{
    return policy->nodes[0].hosts != NULL;
}

static enum nereus_status check_policy(const char *path, bool has_function, int64_t *interval,
                                       struct nereus_error *err)
{
    struct nereus_policy_settings policy;
    NEREUS_TRY(nereus_policy_read(path, &policy, err));
    const bool finds_nodes = policy.class_count == 1 || names_hosts(&policy);
    nereus_policy_settings_fini(&policy);
    if (!finds_nodes)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%.200s: a running job finds the nodes of %d classes by the key hosts, "
                           "which each [class NAME] needs",
                           path, policy.class_count);
    if (policy.kind == NEREUS_POLICY_USER && !has_function)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%.200s: the policy user asks a function of the program, and "
                           "options.decide is none",
                           path);
    *interval =
        is_flex(&policy) || policy.kind == NEREUS_POLICY_USER ? policy.interval_iterations : 0;
    return NEREUS_OK;
}

static double count_redistributed_bytes(const nereus_job *job)
{
    double bytes = 0;
    for (int64_t i = 0; i < job->registry.count; i++) {
        const struct nereus_data_entry *entry = &job->registry.data[i].entry;
        if (entry->placement != NEREUS_MOVED_BY_APPLICATION)
            bytes += (double)(entry->element_bytes * entry->count);
    }
    return bytes;
}

static enum nereus_status make_context(nereus_job *job, struct nereus_error *err)
{
    struct policy_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory");
    job->policy_context = context;
    NEREUS_TRY(nereus_policy_read(job->settings.policy_path, &context->policy, err));
    if (names_hosts(&context->policy))
        NEREUS_TRY(nereus_policy_nodes_check(job, &context->policy, err));
    context->model = (struct nereus_computational_model){.class_count = context->policy.class_count,
                                                         .communication_factor = 1,
                                                         .stated_costs = context->policy.costs,
                                                         .machine = &job->machine};
    memcpy(context->model.classes, context->policy.classes, sizeof context->model.classes);
    /* Other policies use no costs. */
    if (is_flex(&context->policy) && !context->policy.has_costs) {
        context->model.profile = nereus_model_choice_profile(job);
        if (context->model.profile == NULL)
            return nereus_fail(err, NEREUS_ERR_NO_BASIS,
                               "it has no [costs], and there is no profile of this machine");
    }
    return NEREUS_OK;
}

static void begin_policy(nereus_job *job)
{
    struct nereus_error err;
    struct policy_state *state = &job->settings.policy;
    if (job->policy_context == NULL && make_context(job, &err) != NEREUS_OK) {
        nereus_policy_module_disable(job, err.text);
        return;
    }
    if (state->began_s <= 0)
        state->began_s = nereus_steady_clock_s();
    state->next_point = job->points + job->policy_context->policy.interval_iterations;
    job->asks_policy = true;
}

static void write_log(struct policy_context *context, const struct nereus_policy_question *q,
                      const struct nereus_decision *decision)
{
    if (context->policy.log[0] == '\0')
        return;
    char *line = nereus_decision_json(context->policy.kind, q, decision);
    nereus_lines_append(context->policy.log, "policy's log", line, &context->reported);
    free(line);
}

/* Compute the share of the job's work between two points. */
static double compute_share_between(const nereus_job *job, double from, double to)
{
    return nereus_work_shape_interval_share(&job->policy_context->policy.shape,
                                            (double)job->settings.iterations, from, to);
}

/* Work of a future iteration relative to the iterations measured last; 1 if the shape does not
 * say. */
static double compute_relative_work(const nereus_job *job, double from, double iterations)
{
    const struct nereus_policy_settings *policy = &job->policy_context->policy;
    const double now = (double)job->points,
                 observed = fmin(now, fmax(1, (double)policy->interval_iterations / 4));
    if (policy->shape.count == 0)
        return 1;
    const double old_share = compute_share_between(job, now - observed, now) / observed;
    return old_share > 0
               ? compute_share_between(job, from, from + iterations) / iterations / old_share
               : 1;
}

/* Divide the rest of the job into equal intervals. */
static int64_t divide_rest(const nereus_job *job, double t_iter_s, double power, double *work,
                           double *iterations)
{
    const int64_t left = job->settings.iterations - job->points,
                  each = job->policy_context->policy.interval_iterations;
    const int64_t count = left <= each ? 1 : (left + each - 1) / each;
    const int64_t intervals = count < LEFT_MAX ? count : LEFT_MAX;
    for (int64_t i = 0; i < intervals; i++) {
        iterations[i] = (double)(left > 0 ? left : 1) / (double)intervals;
        work[i] = iterations[i] * t_iter_s * power *
                  compute_relative_work(job, (double)job->points + (double)i * iterations[i],
                                        iterations[i]);
    }
    return intervals;
}

/* Data follows power only where powers differ: else blocks, as without a policy. */
static bool has_unequal_powers(const struct nereus_computational_model *model)
{
    for (int k = 1; k < model->class_count; k++)
        if (model->classes[k].power != model->classes[0].power)
            return true;
    return false;
}

static double get_power_of_node(const nereus_job *job, int64_t node)
{
    const struct policy_context *context = job->policy_context;
    const int k = nereus_policy_nodes_class(job, &context->policy, node);
    return context->model.class_count > 1 && k >= 0 ? context->model.classes[k].power : 0;
}

/* Update to the job's present nodes. */
static enum nereus_status find_processes(const nereus_job *job, struct policy_context *context,
                                         struct nereus_allocation *now, struct nereus_error *err)
{
    if (names_hosts(&context->policy))
        return nereus_policy_nodes_count(job, &context->policy, &context->model, now, err);
    int64_t *max = &context->model.classes[0].max;
    *now = (struct nereus_allocation){{job->size}};
    *max = context->policy.classes[0].max;
    if (job->machine.slots > 0 && job->machine.slots < *max)
        *max = job->machine.slots;
    return NEREUS_OK;
}

/* @return as nereus_policy_module_query */
static int64_t query_policy(nereus_job *job, struct nereus_policy_question *q, double t_iter_s,
                            struct policy_layout *layout)
{
    static double work[LEFT_MAX], iterations[LEFT_MAX];
    struct policy_context *context = job->policy_context;
    struct policy_state *state = &job->settings.policy;
    struct nereus_decision decision;
    struct nereus_error err;
    double held_s;
    q->intervals_left = divide_rest(
        job, t_iter_s, nereus_allocation_power(&context->model, &q->allocation), work, iterations);
    q->work = work;
    q->iterations = iterations;
    if (state->goal_s <= 0 &&
        nereus_policy_unchanged_s(q, &q->allocation, &held_s, NULL) == NEREUS_OK)
        state->goal_s = nereus_policy_goal_s(&context->policy, q->elapsed_s + held_s);
    q->goal_s = state->goal_s;
    q->tolerance_s = isfinite(q->goal_s) ? context->policy.tolerance * q->goal_s : 0;
    if (nereus_policy_decide(context->policy.kind, q, &decision, &err) != NEREUS_OK) {
        nereus_policy_module_disable(job, err.text);
        return 0;
    }
    write_log(context, q, &decision);
    const int64_t wanted =
        decision.changes ? nereus_allocation_processes(&context->model, &decision.target) : 0;
    const enum nereus_status placed =
        wanted > 0
            ? nereus_policy_nodes_lay_out(job, &context->policy, &decision.target, layout, &err)
            : NEREUS_OK;
    layout->weighted = has_unequal_powers(&context->model);
    nereus_decision_fini(&decision);
    if (placed != NEREUS_OK) {
        nereus_policy_module_disable(job, err.text);
        return 0;
    }
    state->cool_down = wanted > 0             ? context->policy.cool_down_intervals
                       : state->cool_down > 0 ? state->cool_down - 1
                                              : 0;
    return wanted;
}

static int64_t query_if_due(nereus_job *job, struct policy_layout *layout)
{
    struct policy_context *context = job->policy_context;
    struct policy_state *state = &job->settings.policy;
    struct nereus_allocation now;
    struct nereus_error err;
    char requested[NEREUS_REQUESTED_MAX];
    if (job->points < state->next_point)
        return 0;
    state->next_point = job->points + context->policy.interval_iterations;
    const int64_t past = job->points - job->size_since_points;
    /* No iteration of this size was timed yet. */
    if (past < 1) {
        state->next_point = job->points + 1;
        return 0;
    }
    if (job->is_pending || job->under_way != NULL)
        return 0;
    if (is_flex(&context->policy) && job->settings.iterations == 0) {
        nereus_policy_module_disable(
            job, "the job does not say how many iterations it has (options.iterations)");
        return 0;
    }
    if (find_processes(job, context, &now, &err) != NEREUS_OK) {
        nereus_policy_module_disable(job, err.text);
        return 0;
    }
    const double t_iter_s = (nereus_skewed_monotonic_s() - job->size_since_s) / (double)past;
    struct policy_observed observed;
    nereus_policy_observe(job, &context->policy, t_iter_s, &context->powers, &context->model,
                          &observed);
    nereus_policy_add_observed(&observed, job->size, &state->lambda, &context->model);
    context->model.bytes = count_redistributed_bytes(job);
    struct nereus_policy_question question = {
        .model = &context->model,
        .allocation = now,
        .interval = job->points / context->policy.interval_iterations,
        .elapsed_s = fmax(0, nereus_steady_clock_s() - state->began_s),
        .endless = job->settings.iterations == 0,
        .cool_down = state->cool_down,
        .cool_down_intervals = context->policy.cool_down_intervals,
        .request = nereus_policy_read_follow(&context->policy, requested),
        .function = job->callbacks.decide,
        .user = job->callbacks.user};
    return query_policy(job, &question, observed.compute_s, layout);
}

static void end_policy(nereus_job *job)
{
    nereus_policy_settings_fini(&job->policy_context->policy);
    free(job->policy_context);
    job->policy_context = NULL;
}

const struct policy_module nereus_policy_module = {.check = check_policy,
                                                   .begin = begin_policy,
                                                   .query_if_due = query_if_due,
                                                   .power_of_node = get_power_of_node,
                                                   .fini = end_policy};
