/**
 * @file modelled_run.c
 * Runs an application under a policy, interval by interval, with times of the computational model.
 */
#include "modelled_run.h"

enum { INTERVALS_MAX = 100000 };

/* Number of intervals that the extrapolation of regular applications uses. */
enum { SEEN_MAX = 5 };

struct run_state {
    const struct nereus_modelled_question *question;
    struct nereus_modelled_run *run;                /* its intervals are filled one by one */
    struct nereus_computational_model policy_model; /* the model as the policy knows it */
    struct nereus_computational_model real_model;   /* the one that gives the times */
    struct nereus_allocation allocation;            /* of the present interval */
    int64_t cool_down;         /* intervals until the policy may change the allocation again */
    double *work, *iterations; /* of all intervals, as the policy knows them */
    double computation_factor; /* measured / stated work so far */
};

static void make_models(struct run_state *state)
{
    const struct nereus_policy_settings *policy = state->question->policy;
    const struct nereus_application *application = state->question->application;
    state->policy_model = (struct nereus_computational_model){.class_count = policy->class_count,
                                                              .call_count = application->call_count,
                                                              .communication_factor = 1,
                                                              .bytes = application->bytes,
                                                              .profile = state->question->profile,
                                                              .machine = state->question->machine,
                                                              .stated_costs = policy->costs};
    memcpy(state->policy_model.classes, policy->classes, sizeof policy->classes);
    memcpy(state->policy_model.calls, application->calls, sizeof application->calls);
    state->real_model = state->policy_model;
    state->real_model.communication_factor = application->real_communication;
    state->allocation = policy->start;
    state->computation_factor = 1;
}

static void divide_work(struct run_state *state)
{
    const int64_t per_interval = state->question->policy->interval_iterations,
                  total = state->question->application->iterations;
    for (int64_t i = 0; i < state->run->count; i++) {
        struct nereus_modelled_interval *interval = &state->run->intervals[i];
        interval->first = i * per_interval;
        interval->iterations =
            interval->first + per_interval <= total ? per_interval : total - interval->first;
        interval->work = nereus_application_work(state->question->application, interval->first,
                                                 interval->iterations);
    }
}

/* Set the work of the next intervals as the policy knows it: recorded, or extrapolated from the
 * last ones, and corrected by measurements. */
static void predict_work(struct run_state *state, int64_t next)
{
    double seen[SEEN_MAX];
    const int64_t count = next < SEEN_MAX ? next : SEEN_MAX;
    const bool regular = state->question->application->shape.count == 0 && count > 0;
    for (int64_t i = 0; i < count; i++) {
        const struct nereus_modelled_interval *past = &state->run->intervals[next - count + i];
        seen[i] = past->work / (double)past->iterations;
    }
    const double work_per_iteration = regular ? nereus_work_extrapolate(seen, count) : 0;
    for (int64_t i = next; i < state->run->count; i++) {
        const struct nereus_modelled_interval *interval = &state->run->intervals[i];
        state->iterations[i] = (double)interval->iterations;
        state->work[i] = state->computation_factor *
                         (regular ? work_per_iteration * state->iterations[i] : interval->work);
    }
}

static enum nereus_status log_decision(const struct run_state *state,
                                       const struct nereus_policy_question *policy_question,
                                       const struct nereus_decision *decision,
                                       struct nereus_error *err)
{
    if (state->question->log == NULL)
        return NEREUS_OK;
    char *line = nereus_decision_json(state->question->policy->kind, policy_question, decision);
    NEREUS_TRY_MEMORY(line, err, "for a line of the log");
    const bool written = fputs(line, state->question->log) >= 0;
    free(line);
    return written
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO, "the log cannot be written: %s", strerror(errno));
}

static enum nereus_status decide_change(struct run_state *state, int64_t next, double elapsed_s,
                                        struct nereus_decision *decision, struct nereus_error *err)
{
    char requested[NEREUS_REQUESTED_MAX];
    const struct nereus_policy_question policy_question = {
        .model = &state->policy_model,
        .allocation = state->allocation,
        .interval = next,
        .elapsed_s = elapsed_s,
        .goal_s = state->run->goal_s,
        .tolerance_s = isfinite(state->run->goal_s)
                           ? state->question->policy->tolerance * state->run->goal_s
                           : 0,
        .intervals_left = state->run->count - next,
        .work = state->work + next,
        .iterations = state->iterations + next,
        .cool_down = state->cool_down,
        .cool_down_intervals = state->question->policy->cool_down_intervals,
        .request = nereus_policy_read_follow(state->question->policy, requested)};
    NEREUS_TRY(
        nereus_policy_decide(state->question->policy->kind, &policy_question, decision, err));
    const enum nereus_status status = log_decision(state, &policy_question, decision, err);
    if (status != NEREUS_OK)
        nereus_decision_fini(decision);
    return status;
}

/* Correct communication (equations 4, 5) and work by the last interval. */
static void correct_model(struct run_state *state, const struct nereus_interval_time *real,
                          const struct nereus_interval_time *modelled)
{
    nereus_communication_correct(&state->policy_model, modelled->communication_s,
                                 real->communication_s);
    if (modelled->computation_s > 0)
        state->computation_factor *= real->computation_s / modelled->computation_s;
}

static void begin_interval(struct run_state *state, const struct nereus_decision *decision,
                           struct nereus_modelled_interval *interval)
{
    state->cool_down = state->cool_down > 0 ? state->cool_down - 1 : 0;
    if (decision->changes) {
        const double old_price = nereus_allocation_price(&state->policy_model, &state->allocation),
                     new_price = nereus_allocation_price(&state->policy_model, &decision->target);
        interval->changed = true;
        interval->change_s = decision->change_s.value;
        state->run->cost += interval->change_s * fmax(old_price, new_price) / 3600;
        state->allocation = decision->target;
        state->cool_down = state->question->policy->cool_down_intervals;
        state->run->changes++;
    }
}

static void record_allocation(const struct run_state *state,
                              struct nereus_modelled_interval *interval)
{
    interval->allocation = state->allocation;
    interval->power = nereus_allocation_power(&state->policy_model, &state->allocation);
    interval->price_per_hour = nereus_allocation_price(&state->policy_model, &state->allocation);
}

static enum nereus_status run_interval(struct run_state *state, int64_t next, double *elapsed_s,
                                       struct nereus_error *err)
{
    struct nereus_modelled_interval *interval = &state->run->intervals[next];
    struct nereus_interval_time real, modelled;
    struct nereus_decision decision;
    predict_work(state, next);
    if (next > 0) { /* something was measured */
        NEREUS_TRY(decide_change(state, next, *elapsed_s, &decision, err));
        begin_interval(state, &decision, interval);
        nereus_decision_fini(&decision);
    }
    record_allocation(state, interval);
    NEREUS_TRY(nereus_interval_time_compute(&state->policy_model, state->work[next],
                                            state->iterations[next], &state->allocation, &modelled,
                                            err));
    NEREUS_TRY(nereus_interval_time_compute(
        &state->real_model, interval->work * state->question->application->real_computation,
        state->iterations[next], &state->allocation, &real, err));
    correct_model(state, &real, &modelled);
    interval->computation_s = real.computation_s;
    interval->communication_s = real.communication_s;
    const double took_s = real.computation_s + real.communication_s;
    interval->elapsed_s = *elapsed_s += interval->change_s + took_s;
    state->run->cost += took_s * interval->price_per_hour / 3600;
    return NEREUS_OK;
}

static void sum_up(struct nereus_modelled_run *run, const struct run_state *state)
{
    run->end_s = run->intervals[run->count - 1].elapsed_s;
    for (int64_t i = 0; i < run->count; i++) {
        const struct nereus_modelled_interval *interval = &run->intervals[i];
        const int64_t processes =
            nereus_allocation_processes(&state->policy_model, &interval->allocation);
        run->change_s += interval->change_s;
        run->computation_s += interval->computation_s;
        run->communication_s += interval->communication_s;
        run->max_processes = processes > run->max_processes ? processes : run->max_processes;
    }
}

static enum nereus_status measure_without(struct run_state *state, struct nereus_error *err)
{
    const struct nereus_application *application = state->question->application;
    struct nereus_interval_time time;
    NEREUS_TRY(nereus_interval_time_compute(
        &state->real_model,
        application->real_computation *
            nereus_application_work(application, 0, application->iterations),
        (double)application->iterations, &state->allocation, &time, err));
    const double took_s = time.computation_s + time.communication_s;
    state->run->without_s = application->start_s + took_s;
    state->run->without_cost =
        took_s * nereus_allocation_price(&state->policy_model, &state->allocation) / 3600;
    state->run->goal_s = nereus_policy_goal_s(state->question->policy, state->run->without_s);
    return NEREUS_OK;
}

static enum nereus_status run_all(struct run_state *state, struct nereus_error *err)
{
    double elapsed_s = state->question->application->start_s;
    make_models(state);
    NEREUS_TRY(nereus_computational_model_check(&state->policy_model, err));
    if (!nereus_allocation_fits(&state->policy_model, &state->allocation)) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "no [class] of the policy file says how many processes the job starts "
            "with: add a line as 'start = 2' to [class %s] (a running job needs none)",
            state->question->policy->classes[0].name);
    }
    NEREUS_TRY(measure_without(state, err));
    divide_work(state);
    for (int64_t i = 0; i < state->run->count; i++)
        NEREUS_TRY(run_interval(state, i, &elapsed_s, err));
    sum_up(state->run, state);
    return NEREUS_OK;
}

enum nereus_status nereus_modelled_run_make(const struct nereus_modelled_question *question,
                                            struct nereus_modelled_run *run,
                                            struct nereus_error *err)
{
    const int64_t per_interval = question->policy->interval_iterations,
                  count = (question->application->iterations + per_interval - 1) / per_interval;
    if (count > INTERVALS_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%lld interval%s; at most %d: give a larger interval", (long long)count,
                           nereus_plural_s(count), INTERVALS_MAX);
    }
    struct nereus_modelled_run new_run = {.count = count};
    struct run_state state = {.question = question, .run = &new_run};
    new_run.intervals = calloc((size_t)count, sizeof *new_run.intervals);
    state.work = calloc(2 * (size_t)count, sizeof *state.work);
    state.iterations = state.work != NULL ? state.work + count : NULL;
    enum nereus_status status =
        new_run.intervals == NULL || state.work == NULL
            ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld intervals", (long long)count)
            : run_all(&state, err);
    free(state.work);
    if (status != NEREUS_OK) {
        nereus_modelled_run_fini(&new_run);
        return status;
    }
    *run = new_run;
    return NEREUS_OK;
}

void nereus_modelled_run_fini(struct nereus_modelled_run *run)
{
    free(run->intervals);
    run->intervals = NULL;
    run->count = 0;
}
