/**
 * @file await.c
 * A job that Slurm has queued again answers nobody, until it has started on the same hosts or
 * others. Slurm is asked when the job does not answer, and at first where the exit status is
 * wanted, as a job that has ended is not found by its name any more.
 */
#include "await.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "answer.h"
#include "model/util/clock.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "predictor/slurm/followed_job.h"

/* Between two questions to Slurm, first and later; for the first answer of a job, and of one that has
 * just started. */
static const double FIRST_POLL_S = 0.25, POLL_S = 2, CONNECT_S = 10, STARTING_S = 60;

struct waiting {
    const struct nereus_awaited *awaited;
    struct nereus_job_client *client; /* NULL: not connected */
    struct nereus_followed_job slurm;
    double until_s;
    double running_s; /* since when Slurm says that it runs; negative: it does not */
    bool is_noted;    /* it is queued, which has been said */
    bool has_ended;   /* the job has said so: */
    struct nereus_job_reply ended;
    struct nereus_error silent; /* why there is no connection */
};

static void disconnect(struct waiting *waiting)
{
    nereus_job_disconnect(waiting->client);
    waiting->client = NULL;
}

/* ---- Slurm ----------------------------------------------------------------------------------- */

/* Its exit status is that of its batch script. */
static int print_end(const struct waiting *waiting)
{
    const struct nereus_job_reply reply = {.answer = NEREUS_JOB_ENDED, .rt_s = -1};
    const struct nereus_followed_job *slurm = &waiting->slurm;
    if (waiting->awaited->format == ASK_JSON)
        nereus_ask_print(&reply, ASK_JSON);
    else if (slurm->id[0] == '\0' || slurm->status == 0)
        puts("the job has ended");
    if (slurm->id[0] == '\0')
        return NEREUS_EXIT_OK;
    if (slurm->state == NEREUS_FOLLOWED_UNKNOWN)
        return nereus_cli_fail("Slurm does not say with which status job %s has ended", slurm->id);
    if (slurm->status != 0)
        nereus_cli_fail("the job has ended with status %d (Slurm: %s)", slurm->status, slurm->word);
    return slurm->status;
}

/* There is no more to wait for. */
static int print_silent(const struct waiting *waiting)
{
    if (waiting->awaited->is_end)
        return print_end(waiting);
    return waiting->has_ended ? nereus_ask_print(&waiting->ended, waiting->awaited->format)
                              : nereus_cli_fail("%s", waiting->silent.text);
}

static void note_queued(struct waiting *waiting)
{
    char text[96];
    if (!waiting->is_noted)
        nereus_cli_note("the job is %s: it goes on when it is started",
                        nereus_followed_print(&waiting->slurm, text));
    waiting->is_noted = true;
}

/* @param[out] status  if it is known
 * @return true: there is no more to wait for */
static bool is_over(struct waiting *waiting, int *status)
{
    struct nereus_followed_job *slurm = &waiting->slurm;
    const bool is_end = waiting->awaited->is_end;
    const double now_s = nereus_monotonic_s();
    if (slurm->id[0] == '\0' && !nereus_followed_find(waiting->awaited->job, slurm)) {
        *status = waiting->has_ended ? print_silent(waiting)
                                     : nereus_cli_fail("%s", waiting->silent.text);
        return true;
    }
    if (!nereus_followed_ask(slurm)) {
        *status = 128 + nereus_interrupted();
        return true;
    }
    if (slurm->state != NEREUS_FOLLOWED_RUNNING)
        waiting->running_s = -1;
    else if (waiting->running_s < 0)
        waiting->running_s = now_s;
    if (slurm->state == NEREUS_FOLLOWED_QUEUED)
        note_queued(waiting);
    else
        waiting->is_noted = false;
    if (slurm->state == NEREUS_FOLLOWED_ENDED || slurm->state == NEREUS_FOLLOWED_UNKNOWN) {
        *status = print_silent(waiting);
        return true;
    }
    /* Its answer may be for another host alone; how it ends is known here, too */
    if (!is_end && waiting->running_s >= 0 && now_s > waiting->running_s + STARTING_S) {
        *status = print_silent(waiting);
        return true;
    }
    return false;
}

/* ---- the job --------------------------------------------------------------------------------- */

/* Ask the job, as long as it answers.
 * @return true: it has answered what was waited for, and *status is known */
static bool has_answered(struct waiting *waiting, int *status)
{
    const struct nereus_awaited *awaited = waiting->awaited;
    struct nereus_job_reply reply;
    const double left_s = waiting->until_s - nereus_monotonic_s();
    const double limit_s = isinf(waiting->until_s) ? 0 : fmax(left_s, 0.1);
    const enum nereus_status asked =
        awaited->is_end
            ? nereus_job_wait_end(waiting->client, limit_s, &reply, &waiting->silent)
            : nereus_job_wait(waiting->client, awaited->request, limit_s, &reply, &waiting->silent);
    disconnect(waiting);
    if (asked != NEREUS_OK)
        return false;
    if (reply.answer == NEREUS_JOB_ENDED) {
        nereus_fail(&waiting->silent, NEREUS_ERR_STATE, "the job has ended");
        waiting->has_ended = true;
        waiting->ended = reply;
        return false;
    }
    *status = nereus_ask_print(&reply, awaited->format);
    return true;
}

static int fail_late(const struct waiting *waiting)
{
    char text[96];
    return waiting->is_noted
               ? nereus_cli_fail("the job is %s", nereus_followed_print(&waiting->slurm, text))
               : nereus_cli_fail("%s", waiting->silent.text);
}

static void sleep_s(double seconds)
{
    const struct timespec pause = {(time_t)seconds,
                                   (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&pause, NULL);
}

static int wait_for(struct waiting *waiting)
{
    int status = NEREUS_EXIT_FAILED;
    for (double poll_s = FIRST_POLL_S;; poll_s = fmin(2 * poll_s, POLL_S)) {
        if (waiting->client != NULL && has_answered(waiting, &status))
            return status;
        if (nereus_monotonic_s() > waiting->until_s)
            return fail_late(waiting);
        if (is_over(waiting, &status))
            return status;
        sleep_s(poll_s);
        nereus_job_connect(waiting->awaited->job, POLL_S, &waiting->client, &waiting->silent);
    }
}

int nereus_await(struct nereus_awaited *awaited)
{
    struct waiting waiting = {.awaited = awaited, .client = awaited->client, .running_s = -1};
    struct nereus_error *err = &waiting.silent;
    waiting.until_s = awaited->limit_s > 0 ? nereus_monotonic_s() + awaited->limit_s : INFINITY;
    if (waiting.client == NULL &&
        nereus_job_connect(awaited->job, CONNECT_S, &waiting.client, err) == NEREUS_ERR_ARGUMENT)
        return nereus_cli_fail_usage("%s", err->text);
    if (awaited->is_end)
        nereus_followed_find(awaited->job, &waiting.slurm);
    return wait_for(&waiting);
}
