/**
 * @file mpiexec_processes.c
 * Keeps the phases of mpiexec's processes, the initial ones (REQUEST_GUARDS_INITIAL) and those that
 * MPI_Comm_spawn has started (REQUEST_GUARDS_SPAWNED), and decides which end is a loss.
 */

#include "job_end.h"
#include "peers.h"

/* Time limits for the end of mpiexec: after the end of one of its proxies, and after a guard was
 * killed. */
static const double proxy_lost_s = 2, killed_guard_s = 5;

static void handle_initial_loss(struct supervisor *supervisor, int status, const char *sentence)
{
    if (!job_end_explain_by_launched(supervisor, sentence))
        job_end_handle_loss(supervisor, status, sentence);
}

/* Does any running process wait for the one that has ended early? */
static void check_early_end(struct supervisor *supervisor)
{
    const struct early_end *early_end = &supervisor->end.early;
    bool missed = false;
    for (size_t i = 0; i < supervisor->peer_count && early_end->sentence[0] != '\0'; i++)
        missed = missed || (supervisor->peers[i].kind == PEER_INITIAL &&
                            phase_waits_for(supervisor->peers[i].phase, early_end->phase));
    if (missed) {
        job_end_record(supervisor, !status_is_loss(early_end->status), early_end->status);
        handle_initial_loss(supervisor, early_end->status, early_end->sentence);
    }
}

/* An end before any process has reached MPI (`nereus-mpiexec -n 2 false`) is left to the launcher;
 * the status is that of the process that ended first. */
static void end_initial(struct supervisor *supervisor, const struct peer *peer, int status,
                        const char *sentence)
{
    if (phase_is_loss(peer->phase, status)) {
        /* where a guard was killed Open MPI aborts the other processes */
        const bool follows = supervisor->end.mpiexec_deadline_s > 0;
        job_end_record(supervisor, !follows && !status_is_loss(status), status);
        handle_initial_loss(supervisor, status,
                            follows ? supervisor->end.why_it_may_end : sentence);
        return;
    }
    struct early_end *early_end = &supervisor->end.early;
    if (early_end->sentence[0] != '\0' && early_end->phase <= peer->phase)
        return;
    early_end->phase = peer->phase;
    early_end->status = status;
    snprintf(early_end->sentence, sizeof early_end->sentence, "%s", sentence);
    check_early_end(supervisor);
}

void mpiexec_handle_initial(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence)
{
    if (kind == REPORT_PHASE) {
        peer->phase = (enum process_phase)number;
        supervisor->begun = supervisor->begun || peer->phase == PHASE_JOB;
        check_early_end(supervisor);
        return;
    }
    if (kind == REPORT_SIGUSR1) {
        supervisor->signalled_usr1 = true;
        return;
    }
    if (kind == REPORT_NOT_STARTED)
        job_end_fail_start(supervisor, number, "the program cannot be started", sentence);
    else if (kind != REPORT_PROXY_ENDED)
        end_initial(supervisor, peer, number, sentence);
    else if (peer->phase < PHASE_FINALIZE)
        job_end_await_launcher(supervisor, proxy_lost_s, sentence);
    peer_close(peer);
}

void mpiexec_handle_spawned(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence)
{
    if (kind == REPORT_PHASE) {
        peer->phase = (enum process_phase)number;
    } else if (kind == REPORT_NOT_STARTED) {
        if (peer->why == NULL)
            peer->why = strdup(sentence);
    } else {
        if (kind == REPORT_LOST) {
            job_end_record(supervisor, !status_is_loss(number), number);
            job_end_handle_loss(supervisor, number, sentence);
        } else
            job_end_handle_report(supervisor, kind, number);
        peer_close(peer);
    }
}

/* The guard of a spawned process has ended without a report. If its process had not reached MPI,
 * the spawn may never return; a member of the job was killed together with its guard. */
static void handle_spawned_loss(struct supervisor *supervisor, const struct peer *peer)
{
    char sentence[LAUNCHED_SENTENCE_MAX];
    if (peer->phase == PHASE_JOB) {
        snprintf(sentence, sizeof sentence,
                 "a spawned process on %s was killed together with its guard %ld", peer->host,
                 peer->pid);
        job_end_await_launcher(supervisor, killed_guard_s, sentence);
        return;
    }
    if (peer->phase != PHASE_START)
        return;
    if (peer->why != NULL)
        snprintf(sentence, sizeof sentence,
                 "%.330s; the process that was to join in its place has died, too", peer->why);
    else
        snprintf(sentence, sizeof sentence,
                 "a new process under guard %ld on %s ended before it had reached MPI", peer->pid,
                 peer->host);
    supervisor_fail_job(supervisor, sentence);
}

void mpiexec_handle_guard_end(struct supervisor *supervisor, const struct peer *peer)
{
    char sentence[200];
    if (peer->kind == PEER_GUARD)
        handle_spawned_loss(supervisor, peer);
    if (peer->kind != PEER_INITIAL || peer->phase >= PHASE_LEFT)
        return;
    snprintf(sentence, sizeof sentence,
             "process %d of the initial world on %s was killed together with its guard",
             peer->group, peer->host);
    job_end_await_launcher(supervisor, killed_guard_s, sentence);
}

bool supervisor_awaits_ends(const struct supervisor *supervisor)
{
    for (size_t i = 0; i < supervisor->peer_count; i++) {
        const struct peer *peer = &supervisor->peers[i];
        if ((peer->kind == PEER_INITIAL && peer->phase < PHASE_LEFT) ||
            (peer->kind == PEER_GUARD && peer->phase == PHASE_JOB))
            return true;
    }
    return false;
}
