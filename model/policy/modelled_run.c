/**
 * @file modelled_run.c
 * Runs an application under a policy, interval by interval, with times of the computational model.
 */
#include "modelled_run.h"

enum { INTERVALS_MAX = 100000 };

/* Number of intervals that the extrapolation of regular applications uses. */
enum { SEEN_MAX = 5 };

struct running {
    const struct nereus_modelled_question *q;
    struct nereus_modelled_run *run;
    /* the model as the policy knows it, and the real one */
    struct nereus_computational_model model, real;
    struct nereus_allocation now;
    int64_t cool_down;
    double *work, *iterations; /* of all intervals, as the policy knows them */
    double computation_factor; /* measured / stated work so far */
};

static void make_models(struct running *r)
{
    const struct nereus_policy_settings *policy = r->q->policy;
    const struct nereus_application *application = r->q->application;
    r->model = (struct nereus_computational_model){.class_count = policy->class_count,
                                                   .call_count = application->call_count,
                                                   .communication_factor = 1,
                                                   .bytes = application->bytes,
                                                   .profile = r->q->profile,
                                                   .machine = r->q->machine,
                                                   .stated_costs = policy->costs};
    memcpy(r->model.classes, policy->classes, sizeof policy->classes);
    memcpy(r->model.calls, application->calls, sizeof application->calls);
    r->real = r->model;
    r->real.communication_factor = application->real_communication;
    r->now = policy->start;
    r->computation_factor = 1;
}

static void divide_work(struct running *r)
{
    const int64_t each = r->q->policy->interval_iterations, all = r->q->application->iterations;
    for (int64_t i = 0; i < r->run->count; i++) {
        struct nereus_modelled_interval *interval = &r->run->intervals[i];
        interval->first = i * each;
        interval->iterations = interval->first + each <= all ? each : all - interval->first;
        interval->work =
            nereus_application_work(r->q->application, interval->first, interval->iterations);
    }
}

/* Set the work of the next intervals as the policy knows it: recorded, or extrapolated from the
 * last ones, and corrected by measurements. */
static void predict_work(struct running *r, int64_t next)
{
    double seen[SEEN_MAX];
    const int64_t count = next < SEEN_MAX ? next : SEEN_MAX;
    const bool regular = r->q->application->shape.count == 0 && count > 0;
    for (int64_t i = 0; i < count; i++) {
        const struct nereus_modelled_interval *past = &r->run->intervals[next - count + i];
        seen[i] = past->work / (double)past->iterations;
    }
    const double each = regular ? nereus_work_extrapolate(seen, count) : 0;
    for (int64_t i = next; i < r->run->count; i++) {
        const struct nereus_modelled_interval *interval = &r->run->intervals[i];
        r->iterations[i] = (double)interval->iterations;
        r->work[i] = r->computation_factor * (regular ? each * r->iterations[i] : interval->work);
    }
}

static enum nereus_status log_decision(const struct running *r,
                                       const struct nereus_policy_question *question,
                                       const struct nereus_decision *decision,
                                       struct nereus_error *err)
{
    if (r->q->log == NULL)
        return NEREUS_OK;
    char *line = nereus_decision_json(r->q->policy->kind, question, decision);
    NEREUS_TRY_MEMORY(line, err, "for a line of the log");
    const bool written = fputs(line, r->q->log) >= 0;
    free(line);
    return written
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO, "the log cannot be written: %s", strerror(errno));
}

static enum nereus_status decide_change(struct running *r, int64_t next, double elapsed_s,
                                        struct nereus_decision *decision, struct nereus_error *err)
{
    char requested[NEREUS_REQUESTED_MAX];
    const struct nereus_policy_question question = {
        .model = &r->model,
        .allocation = r->now,
        .interval = next,
        .elapsed_s = elapsed_s,
        .goal_s = r->run->goal_s,
        .tolerance_s = isfinite(r->run->goal_s) ? r->q->policy->tolerance * r->run->goal_s : 0,
        .intervals_left = r->run->count - next,
        .work = r->work + next,
        .iterations = r->iterations + next,
        .cool_down = r->cool_down,
        .cool_down_intervals = r->q->policy->cool_down_intervals,
        .request = nereus_policy_read_follow(r->q->policy, requested)};
    NEREUS_TRY(nereus_policy_decide(r->q->policy->kind, &question, decision, err));
    const enum nereus_status status = log_decision(r, &question, decision, err);
    if (status != NEREUS_OK)
        nereus_decision_fini(decision);
    return status;
}

/* Correct communication (equations 4, 5) and work by the last interval. */
static void correct_model(struct running *r, const struct nereus_interval_time *real,
                          const struct nereus_interval_time *modelled)
{
    nereus_communication_correct(&r->model, modelled->communication_s, real->communication_s);
    if (modelled->computation_s > 0)
        r->computation_factor *= real->computation_s / modelled->computation_s;
}

static void begin_interval(struct running *r, const struct nereus_decision *decision,
                           struct nereus_modelled_interval *interval)
{
    r->cool_down = r->cool_down > 0 ? r->cool_down - 1 : 0;
    if (decision->changes) {
        const double old_price = nereus_allocation_price(&r->model, &r->now),
                     new_price = nereus_allocation_price(&r->model, &decision->target);
        interval->changed = true;
        interval->change_s = decision->change_s.value;
        r->run->cost += interval->change_s * fmax(old_price, new_price) / 3600;
        r->now = decision->target;
        r->cool_down = r->q->policy->cool_down_intervals;
        r->run->changes++;
    }
}

static void record_allocation(const struct running *r, struct nereus_modelled_interval *interval)
{
    interval->allocation = r->now;
    interval->power = nereus_allocation_power(&r->model, &r->now);
    interval->price_per_hour = nereus_allocation_price(&r->model, &r->now);
}

static enum nereus_status run_interval(struct running *r, int64_t next, double *elapsed_s,
                                       struct nereus_error *err)
{
    struct nereus_modelled_interval *interval = &r->run->intervals[next];
    struct nereus_interval_time real, modelled;
    struct nereus_decision decision;
    predict_work(r, next);
    if (next > 0) { /* something was measured */
        NEREUS_TRY(decide_change(r, next, *elapsed_s, &decision, err));
        begin_interval(r, &decision, interval);
        nereus_decision_fini(&decision);
    }
    record_allocation(r, interval);
    NEREUS_TRY(nereus_interval_time_compute(&r->model, r->work[next], r->iterations[next], &r->now,
                                            &modelled, err));
    NEREUS_TRY(nereus_interval_time_compute(&r->real,
                                            interval->work * r->q->application->real_computation,
                                            r->iterations[next], &r->now, &real, err));
    correct_model(r, &real, &modelled);
    interval->computation_s = real.computation_s;
    interval->communication_s = real.communication_s;
    const double took_s = real.computation_s + real.communication_s;
    interval->elapsed_s = *elapsed_s += interval->change_s + took_s;
    r->run->cost += took_s * interval->price_per_hour / 3600;
    return NEREUS_OK;
}

static void sum_up(struct nereus_modelled_run *run, const struct running *r)
{
    run->end_s = run->intervals[run->count - 1].elapsed_s;
    for (int64_t i = 0; i < run->count; i++) {
        const struct nereus_modelled_interval *interval = &run->intervals[i];
        const int64_t processes = nereus_allocation_processes(&r->model, &interval->allocation);
        run->change_s += interval->change_s;
        run->computation_s += interval->computation_s;
        run->communication_s += interval->communication_s;
        run->max_processes = processes > run->max_processes ? processes : run->max_processes;
    }
}

static enum nereus_status measure_without(struct running *r, struct nereus_error *err)
{
    const struct nereus_application *application = r->q->application;
    struct nereus_interval_time time;
    NEREUS_TRY(nereus_interval_time_compute(
        &r->real,
        application->real_computation *
            nereus_application_work(application, 0, application->iterations),
        (double)application->iterations, &r->now, &time, err));
    const double took_s = time.computation_s + time.communication_s;
    r->run->without_s = application->start_s + took_s;
    r->run->without_cost = took_s * nereus_allocation_price(&r->model, &r->now) / 3600;
    r->run->goal_s = nereus_policy_goal_s(r->q->policy, r->run->without_s);
    return NEREUS_OK;
}

static enum nereus_status run_all(struct running *r, struct nereus_error *err)
{
    double elapsed_s = r->q->application->start_s;
    make_models(r);
    NEREUS_TRY(nereus_computational_model_check(&r->model, err));
    if (!nereus_allocation_fits(&r->model, &r->now)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "no class has processes at the start: give the key start");
    }
    NEREUS_TRY(measure_without(r, err));
    divide_work(r);
    for (int64_t i = 0; i < r->run->count; i++)
        NEREUS_TRY(run_interval(r, i, &elapsed_s, err));
    sum_up(r->run, r);
    return NEREUS_OK;
}

enum nereus_status nereus_modelled_run_make(const struct nereus_modelled_question *question,
                                            struct nereus_modelled_run *run,
                                            struct nereus_error *err)
{
    const int64_t each = question->policy->interval_iterations,
                  count = (question->application->iterations + each - 1) / each;
    if (count > INTERVALS_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%lld interval%s; at most %d: give a larger interval", (long long)count,
                           nereus_plural_s(count), INTERVALS_MAX);
    }
    struct nereus_modelled_run new_run = {.count = count};
    struct running r = {.q = question, .run = &new_run};
    new_run.intervals = calloc((size_t)count, sizeof *new_run.intervals);
    r.work = calloc(2 * (size_t)count, sizeof *r.work);
    r.iterations = r.work != NULL ? r.work + count : NULL;
    enum nereus_status status =
        new_run.intervals == NULL || r.work == NULL
            ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld intervals", (long long)count)
            : run_all(&r, err);
    free(r.work);
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
