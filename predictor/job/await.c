/**
 * @file await.c
 * The command nereus job wait, and waiting for the end of a request for other commands. A job that
 * Slurm has queued again does not answer until it has started again, maybe on other hosts:
 * Slurm is queried when the job does not answer. If the exit status of the job is needed, Slurm is
 * also queried at first, because it does not find a job by its name after the end.
 */
#include "await.h"

#include "model/util/clock.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "predictor/slurm/followed_job.h"

/* Seconds between two queries to Slurm: at first, and later. */
static const double first_poll_interval_s = 0.25, poll_interval_s = 2;

/* Seconds for the first answer of a job, and of a job that has just started. */
static const double connect_s = 10, start_limit_s = 60;

struct waiting {
    const struct nereus_awaited *awaited;
    struct nereus_job_client *client; /* NULL: not connected */
    struct nereus_followed_job slurm;
    double deadline_s;
    double running_s; /* time since which Slurm says that the job runs; negative: it does not run */
    bool is_queue_noted;           /* the user was told that the job is queued */
    bool has_ended;                /* the job has announced its end */
    struct nereus_job_reply reply; /* its last answer */
    struct nereus_error silence;   /* why there is no connection */
};

/* Result of a query to the job or to Slurm. */
enum finding {
    PENDING,  /* wait longer */
    ANSWERED, /* waiting->reply is the answer */
    UNKNOWN,  /* the job does not answer, and Slurm does not know it */
    GONE,     /* the job does not answer, and Slurm says that it has ended */
    INTERRUPTED
};

/* ---- asking ---------------------------------------------------------------------------------- */

/* Wait for the answer of the job, as long as it is connected. */
static enum finding query_job(struct waiting *waiting)
{
    const struct nereus_awaited *awaited = waiting->awaited;
    struct nereus_job_reply reply;
    const double left_s = waiting->deadline_s - nereus_monotonic_s();
    const double limit_s = isinf(waiting->deadline_s) ? 0 : fmax(left_s, 0.1);
    const enum nereus_status requested =
        awaited->is_end ? nereus_job_wait_end(waiting->client, limit_s, &reply, &waiting->silence)
                        : nereus_job_wait(waiting->client, awaited->request, limit_s, &reply,
                                          &waiting->silence);
    nereus_job_disconnect(waiting->client);
    waiting->client = NULL;
    if (requested != NEREUS_OK)
        return PENDING;
    waiting->reply = reply;
    waiting->has_ended = reply.answer == NEREUS_JOB_ENDED;
    if (waiting->has_ended)
        nereus_fail(&waiting->silence, NEREUS_ERR_STATE, "the job has ended");
    return waiting->has_ended ? PENDING : ANSWERED;
}

static enum finding query_slurm(struct waiting *waiting)
{
    struct nereus_followed_job *slurm = &waiting->slurm;
    const double now_s = nereus_monotonic_s();
    if (slurm->id[0] == '\0' && !nereus_followed_find(waiting->awaited->job, slurm))
        return UNKNOWN;
    if (!nereus_followed_query(slurm))
        return INTERRUPTED;
    if (slurm->state != NEREUS_FOLLOWED_RUNNING)
        waiting->running_s = -1;
    else if (waiting->running_s < 0)
        waiting->running_s = now_s;
    if (slurm->state == NEREUS_FOLLOWED_ENDED || slurm->state == NEREUS_FOLLOWED_UNKNOWN)
        return GONE;
    /* A running job may answer only on another host; Slurm knows its end on every host. */
    const bool is_late = waiting->running_s >= 0 && now_s > waiting->running_s + start_limit_s;
    return is_late && !waiting->awaited->is_end ? GONE : PENDING;
}

/* ---- printing -------------------------------------------------------------------------------- */

/* Print that the job has ended.
 * @return the exit status of its batch script, if Slurm knows it */
static int print_end(const struct waiting *waiting)
{
    const struct nereus_job_reply reply = {.answer = NEREUS_JOB_ENDED, .rt_s = -1};
    const struct nereus_followed_job *slurm = &waiting->slurm;
    if (waiting->awaited->format == NEREUS_REPLY_JSON)
        nereus_job_reply_print(&reply, NEREUS_REPLY_JSON);
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

/* Print what has ended the wait.
 * @return the exit status */
static int print_finding(const struct waiting *waiting, enum finding finding)
{
    if (finding == INTERRUPTED)
        return 128 + nereus_interrupted();
    if (waiting->awaited->is_end && (finding == GONE || waiting->has_ended))
        return print_end(waiting);
    return finding == ANSWERED || waiting->has_ended
               ? nereus_job_reply_print(&waiting->reply, waiting->awaited->format)
               : nereus_cli_fail("%s", waiting->silence.text);
}

/* Tell the user once each time that Slurm has queued the job. */
static void print_queued(struct waiting *waiting)
{
    char text[96];
    const bool is_queued = waiting->slurm.state == NEREUS_FOLLOWED_QUEUED;
    if (is_queued && !waiting->is_queue_noted)
        nereus_cli_note("the job is %s: it goes on when it is started",
                        nereus_followed_format(&waiting->slurm, text));
    waiting->is_queue_noted = is_queued;
}

static int fail_late(const struct waiting *waiting)
{
    char text[96];
    return waiting->is_queue_noted
               ? nereus_cli_fail("the job is %s", nereus_followed_format(&waiting->slurm, text))
               : nereus_cli_fail("%s", waiting->silence.text);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static int wait_for_finding(struct waiting *waiting)
{
    for (double poll_s = first_poll_interval_s;; poll_s = fmin(2 * poll_s, poll_interval_s)) {
        enum finding finding = waiting->client != NULL ? query_job(waiting) : PENDING;
        if (finding == PENDING && nereus_monotonic_s() > waiting->deadline_s)
            return fail_late(waiting);
        if (finding == PENDING)
            finding = query_slurm(waiting);
        if (finding != PENDING)
            return print_finding(waiting, finding);
        print_queued(waiting);
        nereus_sleep_s(poll_s);
        nereus_job_connect(waiting->awaited->job, poll_interval_s, &waiting->client,
                           &waiting->silence);
    }
}

int nereus_await_outcome(struct nereus_awaited *awaited)
{
    struct waiting waiting = {.awaited = awaited, .client = awaited->client, .running_s = -1};
    struct nereus_error *err = &waiting.silence;
    waiting.deadline_s = awaited->limit_s > 0 ? nereus_monotonic_s() + awaited->limit_s : INFINITY;
    if (waiting.client == NULL &&
        nereus_job_connect(awaited->job, connect_s, &waiting.client, err) == NEREUS_ERR_ARGUMENT)
        return nereus_cli_fail_usage("%s", err->text);
    if (awaited->is_end)
        nereus_followed_find(awaited->job, &waiting.slurm);
    return wait_for_finding(&waiting);
}

/* ---- the command ----------------------------------------------------------------------------- */

struct settings {
    int64_t request;
    bool end;
    double limit_s;
    int format;
};

static const struct nereus_option table[] = {
    {"request", 0, NEREUS_OPTION_COUNT, "N", "its number (the latest)",
     offsetof(struct settings, request), NULL},
    {"end", 0, NEREUS_OPTION_FLAG, NULL, "wait for the end of the job",
     offsetof(struct settings, end), NULL},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME", "wait no longer than this (no limit)",
     offsetof(struct settings, limit_s), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)",
     offsetof(struct settings, format), nereus_reply_formats},
};

static const char help[] =
    "Waits until a request to a running job (nereus job resize, nereus job release) has come to "
    "its end, and prints that; with --end until the job has ended. Both go on while Slurm has "
    "queued the job again. The exit status is 0 if the request was carried out; with --end, of a "
    "job of `nereus slurm submit`, it is that of the job.";

static const struct nereus_plain_line plain = {"JOB", help, table, NEREUS_COUNT_OF(table), 1, 1};

int nereus_cmd_job_wait(int argc, char **argv)
{
    struct settings settings = {.format = NEREUS_REPLY_TEXT};
    struct nereus_arguments words;
    int status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &words, &status))
        return status;
    if (settings.end && settings.request != 0)
        return nereus_cli_fail_usage("--end and --request exclude each other");
    struct nereus_awaited awaited = {.job = words.items[0],
                                     .is_end = settings.end,
                                     .request = settings.request,
                                     .limit_s = settings.limit_s,
                                     .format = (enum nereus_reply_format)settings.format};
    return nereus_await_outcome(&awaited);
}
