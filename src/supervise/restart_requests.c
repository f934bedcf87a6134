/**
 * @file restart_requests.c
 * Parses the requests, and stores their contents in struct supervisor.
 */
#include <unistd.h>

#include "job_line.h"
#include "peers.h"
#include "slurm_job.h"
#include "src/util/guard_events.h"

static const double answer_limit_s = 5;

static void replace_text(char **text, const char *by)
{
    free(*text);
    *text = strdup(by != NULL ? by : "");
}

/* Open the progress record of rank 0; NULL: rank 0 is on another host. */
static struct nereus_progress_page *open_root_progress(const char *host, const char *pid)
{
    char own_host[NEREUS_CONNECTION_HOST_MAX] = "";
    gethostname(own_host, sizeof own_host - 1);
    return host != NULL && pid != NULL && strcmp(host, own_host) == 0
               ? nereus_progress_open_other(atoll(pid))
               : NULL;
}

void restart_note_checkpoint(struct supervisor *supervisor, char *message)
{
    const char *path = nereus_word_next(&message), *how = nereus_word_next(&message),
               *host = nereus_word_next(&message), *pid = nereus_word_next(&message);
    replace_text(&supervisor->checkpoint, path);
    supervisor->checkpoints += how != NULL && strcmp(how, "new") == 0;
    nereus_progress_close(supervisor->root);
    supervisor->root = open_root_progress(host, pid);
}

void restart_await_warning(const struct supervisor *supervisor, struct peer *peer)
{
    peer->kind = PEER_CHECKPOINTS;
    if (supervisor->wants_checkpoint)
        nereus_connection_send_line(peer->connection.fd, "%c", ANSWER_CHECKPOINT_WANTED);
}

static void answer_restart(const struct peer *peer, const char *refusal)
{
    struct nereus_words reply = {0};
    nereus_words_add(&reply, NEREUS_LETTER(refusal == NULL ? ANSWER_TAKEN : ANSWER_FAILED));
    if (refusal != NULL)
        nereus_words_add(&reply, refusal);
    nereus_words_send(&reply, peer->connection.fd, answer_limit_s);
}

/* Explain why Slurm cannot queue the job again; NULL: it can. */
static const char *explain_no_requeue(const struct supervisor *supervisor)
{
    struct slurm_job job;
    if (!supervisor->can_requeue)
        return "it needs further nodes of Slurm's, which a job gets that was started with "
               "--checkpoint and --on-failure restart";
    if (!slurm_job_read(&job))
        return "it needs further nodes, and Slurm does not answer (scontrol show job)";
    return job.is_batch ? NULL
                        : "it needs further nodes, and Slurm queues only a job again that sbatch "
                          "has submitted";
}

void restart_handle_request(struct supervisor *supervisor, const struct peer *peer, char *message)
{
    const char *number = nereus_word_next(&message), *path = nereus_word_next(&message),
               *hosts = nereus_word_next(&message);
    const long long processes = number != NULL ? atoll(number) : 0;
    if (processes < 1 || path == NULL)
        return;
    if (!job_line_can_resize(supervisor->mpiexec)) {
        answer_restart(peer,
                       "a job of several programs (\":\" on mpiexec's command line) cannot be "
                       "restarted, as it is not known how many of each there would be");
        return;
    }
    const char *refusal = hosts != NULL && strcmp(hosts, NEREUS_HOSTS_OF_SLURM) == 0
                              ? explain_no_requeue(supervisor)
                              : NULL;
    if (refusal != NULL) {
        answer_restart(peer, refusal);
        return;
    }
    struct restart_order *planned_restart = &supervisor->planned_restart;
    replace_text(&planned_restart->path, path);
    replace_text(&planned_restart->hosts, hosts);
    planned_restart->processes =
        planned_restart->path != NULL && planned_restart->hosts != NULL ? processes : 0;
    answer_restart(peer, planned_restart->processes > 0 ? NULL : "no memory for a restart");
}

void supervisor_request_checkpoint(struct supervisor *supervisor)
{
    supervisor->wants_checkpoint = true;
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].kind == PEER_CHECKPOINTS)
            nereus_connection_send_line(supervisor->peers[i].connection.fd, "%c",
                                        ANSWER_CHECKPOINT_WANTED);
}
