/** @file job_end.c  Stores the reason for the end of the job: of several reasons the first one. */
#include "job_end.h"

#include <signal.h>

#include "model/util/clock.h"
#include "src/link/connection.h"

/* If a job ends within this time after a loss of new processes, the loss may be the reason. */
static const double loss_relevant_s = 10;
/* Time for a launcher to detect a dead process by itself. */
static const double detection_s = 1;

static const char prefix[] = "the job cannot go on and is ended: ";

void job_end_handle_report(struct supervisor *supervisor, char kind, int status)
{
    struct job_status *reported = &supervisor->end.status;
    if (supervisor->end.broken)
        return;
    if (kind == REPORT_SIGNALLED && reported->first_kill == 0)
        reported->first_kill = status;
    if ((status & ~OWN_STATUS) > reported->largest)
        reported->largest = status & ~OWN_STATUS;
}

void job_end_set_broken(struct supervisor *supervisor, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!supervisor->end.broken)
        vsnprintf(supervisor->end.sentence, sizeof supervisor->end.sentence, format, arguments);
    va_end(arguments);
    supervisor->end.broken = true;
}

void job_end_by_group(struct supervisor *supervisor, const struct group *group, const char *when)
{
    job_end_set_broken(supervisor, "%s%s%s", prefix, group->sentence, when);
}

void job_end_store_loss(struct supervisor *supervisor, const char *sentence)
{
    snprintf(supervisor->loss.sentence, sizeof supervisor->loss.sentence, "%s", sentence);
    supervisor->loss.at_s = nereus_monotonic_s();
}

bool supervisor_has_lost_recently(const struct supervisor *supervisor)
{
    return supervisor->loss.sentence[0] != '\0' &&
           nereus_monotonic_s() <= supervisor->loss.at_s + loss_relevant_s;
}

/* A process that the job needs has ended, and MPI may not detect it. The first sentence counts. If
 * launched processes have just been lost, they may be the reason. */
void supervisor_fail_job(struct supervisor *supervisor, const char *sentence)
{
    const bool has_lost = supervisor_has_lost_recently(supervisor);
    if (!supervisor->end.broken)
        supervisor->end.detection_deadline_s = nereus_monotonic_s() + detection_s;
    job_end_set_broken(supervisor, "%s%.560s%s%.200s", prefix, sentence,
                       has_lost ? ", when it had just lost new processes: " : "",
                       has_lost ? supervisor->loss.sentence : "");
}

void job_end_record(struct supervisor *supervisor, bool by_program, int status)
{
    if (!supervisor->end.broken)
        supervisor->end.by_program = by_program;
    supervisor->end.signalled = supervisor->end.signalled || status_is_loss(status);
}

bool supervisor_has_loss(const struct supervisor *supervisor)
{
    return supervisor->end.broken && !supervisor->end.not_started &&
           (!supervisor->end.by_program || supervisor->end.signalled);
}

void job_end_fail_recovery(struct supervisor *supervisor, const char *why)
{
    const int status = supervisor->recovery.status;
    char sentence[sizeof supervisor->recovery.sentence + 200];
    if (!recovery_fail(supervisor, why, sentence, sizeof sentence))
        return;
    job_end_record(supervisor, false, status);
    job_end_handle_loss(supervisor, status, sentence);
}

/* A process requests the end of the job. The first sentence counts. If launched processes have just
 * been lost, they are the reason. */
void job_end_handle_request(struct supervisor *supervisor, char *line)
{
    const size_t length = sizeof prefix - 1;
    const char *word = nereus_word_next(&line), *mistake = nereus_word_next(&line),
               *sentence = word != NULL && *word != '\0' ? word : "no reason was given";
    job_end_fail_recovery(supervisor,
                          sentence + (strncmp(sentence, prefix, length) == 0 ? length : 0));
    job_end_record(supervisor, mistake != NULL, 0);
    if (supervisor->loss.unresolved)
        job_end_set_broken(supervisor, "%s%.300s; %.150s", prefix, supervisor->loss.sentence,
                           sentence + (strncmp(sentence, prefix, length) == 0 ? length : 0));
    else
        job_end_set_broken(supervisor, "%s", sentence);
}

void job_end_handle_loss(struct supervisor *supervisor, int status, const char *sentence)
{
    if (recovery_begin(supervisor, status, sentence))
        return;
    job_end_handle_report(supervisor, status_is_signal(status) ? REPORT_SIGNALLED : REPORT_EXITED,
                          status);
    supervisor_fail_job(supervisor, sentence);
}

void job_end_handle_abort(struct supervisor *supervisor, char *line)
{
    const char *status = nereus_word_next(&line), *sentence = nereus_word_next(&line);
    if (sentence != NULL)
        job_end_handle_loss(supervisor, atoi(status), sentence);
}

bool job_end_explain_by_launched(struct supervisor *supervisor, const char *how)
{
    bool joins = supervisor->ended_while_joining;
    for (size_t i = 0; i < supervisor->group_count; i++)
        joins = joins || supervisor->groups[i].state == GROUP_CONNECTING ||
                supervisor->groups[i].state == GROUP_CONNECTED;
    if (!supervisor->loss.unresolved && !joins)
        return false;
    job_end_record(supervisor, false, 0);
    job_end_set_broken(supervisor, "%s%s%s (%s)", prefix,
                       supervisor->loss.unresolved
                           ? supervisor->loss.sentence
                           : "its processes ended while launched ones were joining",
                       supervisor->loss.unresolved ? ", and MPI did not survive it" : "", how);
    return true;
}

void job_end_fail_start(struct supervisor *supervisor, int status, const char *who,
                        const char *missing)
{
    job_end_handle_report(supervisor, REPORT_EXITED, status);
    job_end_set_broken(supervisor, "%s: %s", who, missing);
    supervisor->end.not_started = true;
}

void job_end_await_launcher(struct supervisor *supervisor, double limit_s, const char *sentence)
{
    if (supervisor->end.mpiexec_deadline_s > 0 ||
        recovery_begin(supervisor, 128 + SIGKILL, sentence))
        return;
    supervisor->end.mpiexec_deadline_s = nereus_monotonic_s() + limit_s;
    snprintf(supervisor->end.why_it_may_end, sizeof supervisor->end.why_it_may_end, "%s", sentence);
}

void supervisor_handle_mpiexec_end(struct supervisor *supervisor, int mpiexec_status)
{
    char how[64], sentence[LAUNCHED_SENTENCE_MAX];
    snprintf(how, sizeof how, "mpiexec ended with status %d", mpiexec_status);
    job_end_fail_recovery(supervisor, how);
    if (!supervisor->end.broken && mpiexec_status != 0)
        job_end_explain_by_launched(supervisor, how);
    else if (!supervisor->end.broken && supervisor->end.mpiexec_deadline_s > 0) {
        snprintf(sentence, sizeof sentence,
                 "%.300s, and mpiexec ended with status 0, as where one calls MPI_Abort with 0",
                 supervisor->end.why_it_may_end);
        job_end_handle_loss(supervisor, 1, sentence);
    }
}
