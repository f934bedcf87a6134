/* What became of a request: see outcome.h. */
#include "outcome.h"

#include <stdio.h>

#include "src/util/clock.h"
#include "src/util/error.h"
#include "trace.h"

void nereus_set_outcome(nereus_job *job, enum nereus_outcome outcome, const char *sentence)
{
    job->outcome = outcome;
    nereus_fail(&job->outcome_error, NEREUS_OK, "%s", sentence);
}

/* Names a method that the request did not name. */
static void say_carried_out(nereus_job *job, const struct resize_request *wanted)
{
    char method[NEREUS_METHOD_TEXT_MAX], sentence[NEREUS_METHOD_TEXT_MAX + 64];
    snprintf(sentence, sizeof sentence, "carried out by %s, as no method was given",
             nereus_method_print(&wanted->method, method));
    nereus_set_outcome(job, NEREUS_OUTCOME_RESIZED, wanted->open ? sentence : "carried out");
}

enum nereus_status nereus_carried_out(struct reconfiguration *rc, struct nereus_error *err)
{
    nereus_job *job = rc->job;
    say_carried_out(job, &rc->wanted);
    if (job->callbacks.after != NULL)
        job->callbacks.after(job, job->callbacks.user);
    job->times.end_s = nereus_now_s();
    return nereus_trace_report(rc, err);
}

void nereus_called_off(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    const enum nereus_outcome outcome =
        rc->too_late ? NEREUS_OUTCOME_TOO_LATE : NEREUS_OUTCOME_FAILED;
    nereus_consensus_begin(job);
    nereus_set_outcome(job, outcome, rc->verdict.text);
    nereus_trace_outcome(job, &rc->wanted, outcome, rc->verdict.text);
    if (job->rank == 0)
        nereus_say(
            "the reconfiguration from %d to %lld processes was called off and the job goes on as it was: %s",
            job->size, (long long)rc->wanted.nt, rc->verdict.text);
}

void nereus_left_unchanged(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    nereus_set_outcome(job, NEREUS_OUTCOME_UNCHANGED, "the job has that size already");
    nereus_trace_outcome(job, &rc->wanted, NEREUS_OUTCOME_UNCHANGED, job->outcome_error.text);
    nereus_consensus_begin(job);
}

void nereus_warn_oversubscribed(nereus_job *job, int64_t nt)
{
    if (job->rank != 0 || job->warned.oversubscribed ||
        !nereus_machine_oversubscribed(&job->machine, nt))
        return;
    nereus_say(
        "warning: %lld processes on %lld cores: times are those of an oversubscribed machine, and are "
        "marked so",
        (long long)nt, (long long)nereus_machine_total_cores(&job->machine));
    job->warned.oversubscribed = true;
}
