/** @file recovery.c  Waits for the processes that are left, and logs the result. */
#include "recovery.h"

#include "model/util/clock.h"
#include "supervisor.h"

/* Is a spawn under way? Then the job cannot recover: PMIx_Connect, within MPI_Comm_spawn, waits
 * forever for a lost process. */
static bool is_spawning(const struct supervisor *supervisor)
{
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].kind == PEER_SPAWNS && supervisor->peers[i].connection.fd >= 0)
            return true;
    return false;
}

bool recovery_begin(struct supervisor *supervisor, int status, const char *sentence)
{
    struct recovery *recovery = &supervisor->recovery;
    if (!status_is_loss(status) || supervisor->end.broken)
        return false;
    /* A late report: the job has recovered from this loss, so that a spawn does not matter. */
    if (recovery->unrecovered < 0) {
        recovery->unrecovered++;
        return recovery->count <= recovery->max_recoveries;
    }
    if (recovery->limit_s <= 0 || recovery->deadline_s > 0 || supervisor->checkpoint == NULL ||
        is_spawning(supervisor) || recovery->count >= recovery->max_recoveries)
        return false;
    recovery->unrecovered++;
    recovery->deadline_s = nereus_monotonic_s() + recovery->limit_s;
    recovery->status = status;
    snprintf(recovery->sentence, sizeof recovery->sentence, "%s", sentence);
    return true;
}

void recovery_succeed(struct supervisor *supervisor, char *line)
{
    struct recovery *recovery = &supervisor->recovery;
    const char *lost = nereus_word_next(&line), *how = nereus_word_next(&line);
    if (how == NULL || supervisor->end.broken) /* too late: the job is being ended */
        return;
    const bool was_waiting = recovery->deadline_s > 0;
    recovery->count++;
    recovery->unrecovered -= atoll(lost);
    /* A recovery from no loss, as after a revoked communicator, leaves the reported one open. */
    if (recovery->unrecovered <= 0)
        recovery->deadline_s = 0;
    fprintf(stderr, "nereus-mpiexec: %s; %s\n",
            was_waiting && recovery->deadline_s <= 0 ? recovery->sentence : "a process was lost",
            how);
}

bool recovery_fail(struct supervisor *supervisor, const char *why, char *sentence, size_t size)
{
    struct recovery *recovery = &supervisor->recovery;
    if (recovery->deadline_s <= 0)
        return false;
    if (why == NULL)
        snprintf(sentence, size,
                 "%s, and the others did not go on without it within %g s "
                 "(NEREUS_RECOVERY_TIMEOUT)",
                 recovery->sentence, recovery->limit_s);
    else
        snprintf(sentence, size, "%s; %.190s", recovery->sentence, why);
    recovery->deadline_s = 0;
    recovery->limit_s = 0; /* no further wait */
    return true;
}
