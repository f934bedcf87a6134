/** @file survival.c  Computes the progress of jobs with checkpoints, where nodes can fail
 * (survival.h). */
#include "survival.h"

#include "nereus/checkpoint.h"
#include "restart_price.h"

static struct nereus_sim_survival *get_survival(const struct nereus_sim *sim, int32_t number)
{
    return sim->survival != NULL ? &sim->survival[number] : NULL;
}

void nereus_survival_set_nodes(struct nereus_sim *sim, int32_t job_index, int32_t nodes)
{
    const struct nereus_sim_failures *failures = sim->settings->failures;
    const struct nereus_sim_job *job = &sim->jobs[job_index];
    struct nereus_sim_survival *s = get_survival(sim, job_index);
    struct nereus_restart_price price;
    struct nereus_error why;
    if (s == NULL)
        return;
    s->interval_s = INFINITY;
    /* at least the manifest is written: without data Daly's interval would be 0 */
    if (failures->interval_s == 0 || sim->error.status != NEREUS_OK)
        return;
    if (nereus_restart_price_predict(failures->profile, sim->settings->machine.cores_per_node,
                                     nereus_sim_processes(sim, job, nodes),
                                     fmax(1, job->bytes_per_process * (double)job->processors),
                                     &price, &why) != NEREUS_OK) {
        nereus_fail(&sim->error, why.status, "a checkpoint has no price: %s", why.text);
        return;
    }
    s->write_s = price.write_s;
    s->restart_s = price.restart_s;
    s->interval_s = isinf(failures->interval_s)
                        ? nereus_checkpoint_interval_s(price.write_s, failures->mtbf_s / nodes)
                        : failures->interval_s;
}

void nereus_survival_begin(struct nereus_sim *sim, int32_t job_index)
{
    const struct nereus_sim_job *job = &sim->jobs[job_index];
    struct nereus_sim_survival *s = get_survival(sim, job_index);
    if (s == NULL)
        return;
    const double writing_s = fmax(0, s->since_checkpoint_s - s->interval_s);
    nereus_survival_set_nodes(sim, job_index, job->held);
    s->since_checkpoint_s =
        fmin(s->since_checkpoint_s, s->interval_s) + fmin(writing_s, s->write_s);
    s->since_s = sim->now_s;
    s->work_s = job->work_s;
    s->rate = job->rate;
}

/* Advance through periods of computing and writing, of which at least one checkpoint has begun. */
static void advance_periods(struct nereus_sim_survival *s, int32_t held, double elapsed_s)
{
    const double period_s = s->interval_s + s->write_s;
    const double before_s =
        fmin(s->since_checkpoint_s, s->interval_s); /* of computing, in this period */
    const double written = floor((s->since_checkpoint_s + elapsed_s) / period_s);
    s->since_checkpoint_s += elapsed_s - written * period_s;
    const double unsaved_s = fmin(s->since_checkpoint_s, s->interval_s);
    const double computed_s = written * s->interval_s + unsaved_s - before_s;
    if (written > 0) {
        s->saved_s = s->work_s + s->rate * (written * s->interval_s - before_s);
        s->unsaved_node_s = held * unsaved_s;
    } else {
        s->unsaved_node_s += held * computed_s;
    }
    s->checkpoint_node_s += held * (elapsed_s - computed_s);
    s->work_s += s->rate * computed_s;
}

void nereus_survival_advance(struct nereus_sim *sim, int32_t job_index, double until_s)
{
    const int32_t held = sim->jobs[job_index].held;
    struct nereus_sim_survival *s = get_survival(sim, job_index);
    if (s == NULL || !(until_s > s->since_s))
        return;
    const double elapsed_s = until_s - s->since_s;
    s->since_s = until_s;
    if (s->since_checkpoint_s + elapsed_s > s->interval_s) {
        advance_periods(s, held, elapsed_s);
        return;
    }
    s->since_checkpoint_s += elapsed_s;
    s->unsaved_node_s += held * elapsed_s;
    s->work_s += s->rate * elapsed_s;
}

double nereus_survival_done_s(const struct nereus_sim *sim, int32_t job_index)
{
    const struct nereus_sim_job *job = &sim->jobs[job_index];
    const struct nereus_sim_survival *s = get_survival(sim, job_index);
    return s != NULL ? s->work_s : job->work_s + job->rate * (sim->now_s - job->since_s);
}

double nereus_survival_wall_s(const struct nereus_sim *sim, int32_t job_index, double work_s,
                              double rate)
{
    const struct nereus_sim_survival *s = get_survival(sim, job_index);
    const double computed_s = work_s / rate;
    if (s == NULL || !(s->since_checkpoint_s + computed_s > s->interval_s))
        return computed_s;
    const double writing_s = fmax(0, s->since_checkpoint_s - s->interval_s);
    const double periods =
        (fmin(s->since_checkpoint_s, s->interval_s) + computed_s) / s->interval_s;
    return computed_s + fmax(0, s->write_s * (ceil(periods - 1e-9) - 1) - writing_s);
}

double nereus_survival_restart_s(const struct nereus_sim *sim, int32_t job_index)
{
    const struct nereus_sim_survival *s = get_survival(sim, job_index);
    return s != NULL && s->saved_s > 0 ? s->restart_s : 0;
}

double nereus_sim_estimate_s(const struct nereus_sim *sim, int32_t job_index)
{
    const struct nereus_sim_job *job = &sim->jobs[job_index];
    return nereus_survival_restart_s(sim, job_index) +
           nereus_survival_wall_s(sim, job_index, job->estimate_s - job->work_s, 1) +
           nereus_sim_tail_s(sim);
}

void nereus_survival_lose_work(struct nereus_sim *sim, int32_t job_index)
{
    struct nereus_sim_survival *s = get_survival(sim, job_index);
    s->redone_s += s->work_s - s->saved_s;
    s->redone_node_s += s->unsaved_node_s;
    s->work_s = s->saved_s;
    s->unsaved_node_s = s->since_checkpoint_s = 0;
}
