/**
 * @file outcome.c
 * Each outcome is set, and reported to the monitor and external clients, in one place; a
 * cancellation is also logged.
 */

#include "external.h"
#include "model_choice.h"
#include "policy_module.h"
#include "reconfigure.h"
#include "src/job/machine.h"
#include "src/monitor/monitor.h"
#include "src/start/hosts.h"
#include "src/util/callback.h"
#include "src/util/clock.h"
#include "trace.h"

static void set_outcome(nereus_job *job, enum nereus_outcome outcome, const char *sentence)
{
    job->outcome = outcome;
    nereus_fail(&job->outcome_error, NEREUS_OK, "%s", sentence);
}

enum { TIME_TEXT_MAX = 32 };

/* Format the time so far; empty if unknown: a new process on another host has not aligned its clock
 * yet. */
static const char *format_time(const struct reconfiguration *reconfig, const char *preposition,
                               char *text)
{
    const nereus_job *job = reconfig->job;
    text[0] = '\0';
    if (reconfig->role != NEREUS_SPAWNED || !nereus_machine_has_several_hosts(&job->machine))
        nereus_snprintf(text, TIME_TEXT_MAX, " %s %.3g s", preposition,
                        nereus_skewed_monotonic_s() + nereus_clock_correction_s() - job->began_s);
    return text;
}

static void set_resized_outcome(struct reconfiguration *reconfig)
{
    const struct resize_request *request = &reconfig->request;
    char method[NEREUS_METHOD_TEXT_MAX], time[TIME_TEXT_MAX], machine[MACHINE_TEXT_MAX],
        sentence[NEREUS_METHOD_TEXT_MAX + MACHINE_TEXT_MAX + 128];
    const bool moved = reconfig->plan.leaving + reconfig->plan.woken + reconfig->plan.spawned == 0;
    nereus_machine_describe_change(reconfig->job, &reconfig->record, machine);
    snprintf(sentence, sizeof sentence, "%s from %lld to %lld process%s by %s%s%s%s%s",
             moved ? "load balanced" : "resized", (long long)reconfig->record.ns,
             (long long)reconfig->record.nt, nereus_plural_es(reconfig->record.nt),
             nereus_method_format(&request->method, method),
             request->by_model         ? ", chosen by the model,"
             : request->method_is_auto ? ", as no method was given,"
                                       : "",
             format_time(reconfig, "in", time), machine[0] != '\0' ? "; " : "", machine);
    set_outcome(reconfig->job, NEREUS_OUTCOME_RESIZED, sentence);
}

static void notify_monitor(const struct reconfiguration *reconfig, int64_t ns, int64_t nt)
{
    nereus_monitor_write_outcome(reconfig->job, ns, nt, &reconfig->request.method,
                                 nereus_outcome_name(reconfig->job->outcome));
}

enum nereus_status nereus_report_carried_out(struct reconfiguration *reconfig,
                                             struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    set_resized_outcome(reconfig);
    nereus_callback_call("options.after", job->callbacks.after, job, job->callbacks.user);
    job->times.end_s = nereus_skewed_monotonic_s();
    nereus_model_choice_start_timing(job, job->points);
    if (!job->asks_policy) /* rank 0 may be another process now */
        nereus_policy_module_begin(job);
    nereus_external_report_resized(reconfig);
    nereus_learn_append_row(reconfig);
    NEREUS_TRY(nereus_trace_report(reconfig, err));
    NEREUS_TRY(nereus_monitor_begin(job, err));
    notify_monitor(reconfig, reconfig->record.ns, reconfig->record.nt);
    return NEREUS_OK;
}

static void log_cancelled(const struct reconfiguration *reconfig)
{
    char method[NEREUS_METHOD_TEXT_MAX], time[TIME_TEXT_MAX], end[2 * TIME_TEXT_MAX];
    snprintf(end, sizeof end, "cancelled%s, and the job goes on as it was",
             format_time(reconfig, "after", time));
    nereus_log("the reconfiguration from %d to %lld process%s by %s was %s: %s",
               reconfig->job->size, (long long)reconfig->request.nt,
               nereus_plural_es(reconfig->request.nt),
               nereus_method_format(&reconfig->request.method, method),
               reconfig->application_ended ? "not carried out" : end, reconfig->verdict.text);
}

void nereus_report_cancelled(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    const enum nereus_outcome outcome =
        reconfig->application_ended ? NEREUS_OUTCOME_TOO_LATE : NEREUS_OUTCOME_FAILED;
    nereus_machine_roll_back(job, &reconfig->machine);
    nereus_consensus_begin(job);
    set_outcome(job, outcome, reconfig->verdict.text);
    nereus_trace_write_outcome(job, &reconfig->request, outcome, reconfig->verdict.text);
    nereus_external_report_not_resized(reconfig, outcome, reconfig->verdict.text);
    if (job->rank == 0)
        log_cancelled(reconfig);
    notify_monitor(reconfig, job->size, reconfig->request.nt);
    nereus_monitor_restart(job);
}

void nereus_report_unchanged(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    char machine[MACHINE_TEXT_MAX];
    const bool changed = nereus_machine_commit(job, &reconfig->record, &reconfig->machine);
    if (changed && job->rank == 0)
        nereus_job_write_state(job);
    set_outcome(job, NEREUS_OUTCOME_UNCHANGED,
                reconfig->unchanged_reason[0] != '\0' ? reconfig->unchanged_reason
                : changed ? nereus_machine_describe_change(job, &reconfig->record, machine)
                          : "the job has that size already");
    nereus_trace_write_outcome(job, &reconfig->request, NEREUS_OUTCOME_UNCHANGED,
                               job->outcome_error.text);
    nereus_external_report_not_resized(reconfig, NEREUS_OUTCOME_UNCHANGED, job->outcome_error.text);
    nereus_consensus_begin(job);
    notify_monitor(reconfig, job->size, reconfig->request.nt);
    nereus_monitor_restart(job);
}
