/**
 * @file run_outcome.c
 * Finds the job's status, and why it has ended, from the reports and mpiexec's output.
 */
#include <signal.h>
#include <sys/wait.h>

#include "run.h"

/* Was a process killed together with its guard, or only a guard? Guards report every other kind of
 * end. */
static bool has_lost_guard(const struct run *run, const struct supervisor *supervisor,
                           int mpiexec_status)
{
    return run->guarded && mpiexec_status == SIGKILL && run->interrupt == 0 &&
           !supervisor->end.broken && supervisor->end.early.status == 0 &&
           supervisor->end.status.largest == 0 && supervisor->end.status.first_kill == 0;
}

/* Has mpiexec ended because of a proxy or guard that was killed, or been killed itself? */
static bool lost_its_launcher(const struct run *run, const struct supervisor *supervisor)
{
    return !supervisor->end.broken && run->interrupt == 0 &&
           (supervisor->end.mpiexec_deadline_s > 0 || WIFSIGNALED(run->wait_status));
}

static void explain_launcher(struct run *run, const struct supervisor *supervisor)
{
    const int signal_number = WIFSIGNALED(run->wait_status) ? WTERMSIG(run->wait_status) : 0;
    if (run->why[0] != '\0' || !lost_its_launcher(run, supervisor))
        return;
    if (signal_number != 0)
        run_explain(run, "mpiexec was killed by signal %d (%s)", signal_number,
                    strsignal(signal_number));
    else
        run_explain(run, "%s", supervisor->end.why_it_may_end);
}

/* Name the loss of new processes as a likely reason: MPI may end a job that sends to a process that
 * has just died, and a launcher may end a job that has lost a process. */
static void explain_loss(struct run *run, const struct supervisor *supervisor, int status)
{
    if (status == 0 || !supervisor_has_lost_recently(supervisor))
        return;
    run_explain(run, "the job ended with status %d, when it had just lost new processes: %s",
                status, supervisor->loss.sentence);
}

/* A killed process of a job without guards is visible only in mpiexec's status, in which the
 * signal's number looks like an exit status. */
static bool explain_signal(struct run *run, int mpiexec_status)
{
    static const char signals[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV};
    const bool may_be = !run->guarded && mpiexec_status > 0 && mpiexec_status < 64 &&
                        memchr(signals, mpiexec_status, sizeof signals) != NULL;
    if (may_be)
        run_explain(run,
                    "mpiexec ended with status %d: signal %d (%s) killed a process "
                    "that it had started, or that was the program's own status",
                    mpiexec_status, mpiexec_status, strsignal(mpiexec_status));
    return may_be;
}

static void explain_killed(struct run *run, const struct supervisor *supervisor, int mpiexec_status)
{
    const struct early_end *early_end = &supervisor->end.early;
    const bool is_own_status =
        early_end->phase == PHASE_DONE && !status_is_signal(early_end->status);
    if (has_lost_guard(run, supervisor, mpiexec_status))
        run_explain(run, "the job was ended: signal %d (%s) killed a process and its nereus-guard",
                    SIGKILL, strsignal(SIGKILL));
    else if (supervisor->end.status.first_kill > 128)
        run_explain(
            run, "the job was ended: signal %d killed a process that a reconfiguration had started",
            supervisor->end.status.first_kill - 128);
    else if (early_end->status != 0 && mpiexec_status != 0 && supervisor->processes > 1 &&
             !is_own_status)
        run_explain(run, "%s", early_end->sentence);
    else if ((early_end->status == 0 || is_own_status) && !explain_signal(run, mpiexec_status))
        explain_loss(run, supervisor, mpiexec_status);
}

static int find_own_status(const struct run *run, const struct supervisor *supervisor,
                           int mpiexec_status)
{
    const struct job_status *reported = &supervisor->end.status;
    if (reported->first_kill != 0)
        return reported->first_kill;
    if (supervisor->end.broken) /* mpiexec's own status shows only how mpiexec was ended */
        return reported->largest != 0 ? reported->largest : 1;
    if (mpiexec_status != 0 && supervisor->end.early.status != 0)
        return supervisor->end.early.status;
    if (has_lost_guard(run, supervisor, mpiexec_status))
        return 128 + SIGKILL;
    return mpiexec_status != 0 ? mpiexec_status : reported->largest;
}

/* Status after an interrupt: that of the signal, as mpiexec's own varies. Status 0 stays: the job
 * has handled the signal, or had ended before. */
static int find_job_status(const struct run *run, const struct supervisor *supervisor,
                           int mpiexec_status)
{
    const int status = find_own_status(run, supervisor, mpiexec_status) & ~OWN_STATUS;
    return run->interrupt != 0 && status != 0 ? 128 + run->interrupt : status;
}

void run_explain_end(struct run *run, const struct supervisor *supervisor, int mpiexec_status,
                     int status)
{
    if (supervisor->end.not_started)
        return; /* already reported */
    if (status != 0 && run->output.missing_program[0] != '\0')
        run_explain(run, "%s: %s", run_get_missing(run), run->output.missing_program);
    else if (run->interrupt != 0 && status != 0)
        run_explain(run, "the job was interrupted by signal %d (%s)", run->interrupt,
                    strsignal(run->interrupt));
    else if (status != 0 && run->output.write_error[0] != '\0')
        run_explain(
            run,
            "mpiexec cannot write what the job prints (-outfile-pattern, -errfile-pattern): %s",
            run->output.write_error);
    else if (run->guarded && mpiexec_status == RUN_LAUNCHER_FAILED && supervisor->processes == 0 &&
             !supervisor->end.broken)
        run_explain(run, "%s", run_launcher_ended);
    else if (!supervisor->end.broken && !run->ending && run->interrupt == 0)
        explain_killed(run, supervisor, mpiexec_status);
    if (run->holds)
        explain_launcher(run, supervisor);
}

int run_end_output(struct run *run, const struct supervisor *supervisor, int mpiexec_status)
{
    int status = find_job_status(run, supervisor, mpiexec_status);
    output_close(&run->output, supervisor->end.broken || run->interrupt != 0 ||
                                   supervisor->recovery.count > 0 ||
                                   (run->holds && lost_its_launcher(run, supervisor)) ||
                                   has_lost_guard(run, supervisor, mpiexec_status));
    if (run->output.write_error[0] != '\0' && run->interrupt == 0)
        status = EXIT_FAILURE;
    if (supervisor->begun) /* the program of a later launch; the job continued */
        run->output.missing_program[0] = '\0';
    if (run->interrupt == 0 && status != 0 && run->output.missing_program[0] != '\0')
        status = run_missing_status(run->output.missing_program);
    /* A signal to the process group reaches mpiexec twice; then its status may be 0. */
    if (run->interrupt != 0 && status == 0 && run->output.aborted)
        status = 128 + run->interrupt;
    return status;
}

bool run_is_loss(const struct run *run, const struct supervisor *supervisor, int mpiexec_status,
                 bool further)
{
    if (run->output.missing_program[0] != '\0' || run->output.write_error[0] != '\0' ||
        run->output.lost || supervisor->end.not_started)
        return false;
    const bool not_launched =
        further && mpiexec_status == RUN_LAUNCHER_FAILED && supervisor->processes == 0;
    return supervisor_has_loss(supervisor) || has_lost_guard(run, supervisor, mpiexec_status) ||
           lost_its_launcher(run, supervisor) ||
           status_is_loss(supervisor->end.status.first_kill) ||
           (!supervisor->end.broken && status_is_loss(supervisor->end.early.status)) ||
           not_launched || supervisor->planned_restart.processes > 0;
}

const char *run_get_loss(const struct run *run)
{
    static const char *const begins[] = {
        "the job cannot go on and is ended: ", "the job was ended: ", NULL};
    for (const char *const *begin = begins; *begin != NULL; begin++)
        if (nereus_text_begins_with(run->why, *begin))
            return run->why + strlen(*begin);
    return run->why[0] != '\0' ? run->why : "it was lost";
}
