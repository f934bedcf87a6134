/** @file reply.c  Connects to a running job, and prints its answers. */
#include "reply.h"

#include "model/job_client/message.h"
#include "predictor/cli/command.h"
#include "predictor/slurm/followed_job.h"

const char *const nereus_reply_formats[] = {"text", "json", NULL};

static int print_json(const struct nereus_job_reply *reply)
{
    char text[NEREUS_JOB_REPLY_BYTES];
    if (nereus_job_reply_write(reply, text, sizeof text) == 0)
        return nereus_cli_fail("no memory for the answer");
    fputs(text, stdout);
    fflush(stdout);
    return NEREUS_EXIT_OK;
}

static int fail_refused(const struct nereus_job_reply *reply)
{
    switch (reply->near_count) {
    case 1:
        return nereus_cli_fail("refused: %s (it would take %lld)", reply->reason,
                               (long long)reply->near_sizes[0]);
    case 2:
        return nereus_cli_fail("refused: %s (it would take %lld or %lld)", reply->reason,
                               (long long)reply->near_sizes[0], (long long)reply->near_sizes[1]);
    default:
        return nereus_cli_fail("refused: %s", reply->reason);
    }
}

static bool is_success(const struct nereus_job_reply *reply)
{
    return reply->answer == NEREUS_JOB_ACCEPTED || reply->answer == NEREUS_JOB_STATE ||
           (reply->answer == NEREUS_JOB_OUTCOME &&
            (reply->end == NEREUS_JOB_RESIZED || reply->end == NEREUS_JOB_UNCHANGED));
}

static int print_outcome(const struct nereus_job_reply *reply)
{
    char text[NEREUS_JOB_TEXT_MAX];
    nereus_job_end_format(reply, text);
    if (!is_success(reply)) { /* request 0: the job was not queried */
        return reply->request == 0
                   ? nereus_cli_fail("%s", text)
                   : nereus_cli_fail("request %lld %s", (long long)reply->request, text);
    }
    puts(text);
    if (reply->host[0] != '\0') {
        nereus_cli_note("rank 0 of the job has moved to the host '%s': ask there from now on",
                        reply->host);
    }
    return NEREUS_EXIT_OK;
}

static int print_text(const struct nereus_job_reply *reply)
{
    switch (reply->answer) {
    case NEREUS_JOB_ACCEPTED:
        printf("accepted as request %lld: from %lld to %lld process%s\n", (long long)reply->request,
               (long long)reply->ns, (long long)reply->nt, nereus_plural_es(reply->nt));
        fflush(stdout);
        return NEREUS_EXIT_OK;
    case NEREUS_JOB_OUTCOME:
        return print_outcome(reply);
    case NEREUS_JOB_REFUSED:
        return fail_refused(reply);
    case NEREUS_JOB_DEFERRED:
        return nereus_cli_fail("deferred: %s: ask again in %g s", reply->reason, reply->after_s);
    case NEREUS_JOB_MOVED:
        return nereus_cli_fail("rank 0 of the job has moved to the host '%s': ask there",
                               reply->host);
    case NEREUS_JOB_ENDED:
        return nereus_cli_fail("the job has ended");
    default:
        return nereus_cli_fail("the job says: %s", reply->reason);
    }
}

int nereus_job_reply_print(const struct nereus_job_reply *reply, int format)
{
    if (format == NEREUS_REPLY_TEXT)
        return print_text(reply);
    const int status = print_json(reply);
    return status == NEREUS_EXIT_OK && !is_success(reply) ? NEREUS_EXIT_FAILED : status;
}

int nereus_job_open(const char *job, double limit_s, struct nereus_job_client **client)
{
    struct nereus_error err;
    const enum nereus_status status = nereus_job_connect(job, limit_s, client, &err);
    struct nereus_followed_job slurm;
    char text[96];
    if (status == NEREUS_ERR_ARGUMENT)
        return nereus_cli_fail_usage("%s", err.text);
    if (status == NEREUS_OK)
        return NEREUS_EXIT_OK;
    return nereus_followed_find(job, &slurm) && slurm.state == NEREUS_FOLLOWED_QUEUED
               ? nereus_cli_fail("the job is %s: it answers when it is started",
                                 nereus_followed_format(&slurm, text))
               : nereus_cli_fail("%s", err.text);
}
