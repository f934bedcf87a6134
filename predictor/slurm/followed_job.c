/** @file followed_job.c  Queries Slurm for the state of one job (followed_job.h). */
#include "followed_job.h"

#include "model/layout/slurm.h"
#include "predictor/run/child.h"
#include "slurm_queue.h"

/* A job that has ended well after a preemption with GraceTime: Slurm 24.05 and later call it
 * preempted, without its status. nereus-mpiexec has turned its requeueing off then. */
static bool is_good_end_after_preemption(const struct nereus_followed_job *job, const char *text)
{
    char value[64];
    nereus_slurm_field(text, "Requeue", value, sizeof value);
    return job->is_requeued && strcmp(job->word, "PREEMPTED") == 0 && strcmp(value, "0") == 0;
}

/* Exit status of a job, from Slurm's "STATUS:SIGNAL". */
static int parse_exit_status(const char *exit_code, bool is_good)
{
    const char *colon = strchr(exit_code, ':');
    const int status = (int)strtol(exit_code, NULL, 10),
              number = colon != NULL ? (int)strtol(colon + 1, NULL, 10) : 0;
    if (number > 0)
        return 128 + number;
    return status != 0 || is_good ? status : 1;
}

void nereus_followed_parse(struct nereus_followed_job *job, const char *text)
{
    /* after the job's name, which may contain anything */
    const char *from = strstr(text, " UserId=");
    char value[64];
    job->state = NEREUS_FOLLOWED_UNKNOWN;
    if (from == NULL)
        return;
    nereus_slurm_field(from, "Restarts", value, sizeof value);
    job->is_requeued = strtol(value, NULL, 10) > 0;
    nereus_slurm_field(from, "JobState", job->word, sizeof job->word);
    nereus_slurm_field(from, "ExitCode", value, sizeof value);
    switch (nereus_slurm_state_parse(job->word, "")) {
    case NEREUS_SLURM_WAITING:
    case NEREUS_SLURM_LATER:
        job->state = NEREUS_FOLLOWED_QUEUED;
        break;
    case NEREUS_SLURM_ENDED:
        job->state =
            strcmp(job->word, "COMPLETING") == 0 ? NEREUS_FOLLOWED_RUNNING : NEREUS_FOLLOWED_ENDED;
        job->status = parse_exit_status(value, strcmp(job->word, "COMPLETED") == 0 ||
                                                   is_good_end_after_preemption(job, from));
        break;
    default:
        job->state = NEREUS_FOLLOWED_RUNNING;
    }
}

bool nereus_followed_query(struct nereus_followed_job *job)
{
    struct nereus_slurm_command scontrol = {.argv = {"scontrol", "show", "job", "-o"}};
    struct nereus_error err = {0};
    char *text;
    nereus_slurm_add_word(&scontrol, "%s", job->id);
    if (nereus_slurm_run(&scontrol, &text, &err) != NEREUS_OK) {
        /* after any other failure the state stays: the controller may be starting again */
        if (strstr(err.text, "Invalid job id") != NULL)
            job->state = NEREUS_FOLLOWED_UNKNOWN;
        return err.status != NEREUS_ERR_CANCELLED;
    }
    nereus_followed_parse(job, text);
    free(text);
    return true;
}

/* Choose a running job before one that waits, because a name may be used again. */
static bool is_better(const struct nereus_slurm_job *job, const struct nereus_slurm_job *than)
{
    return than == NULL ||
           (job->state == NEREUS_SLURM_RUNNING && than->state != NEREUS_SLURM_RUNNING);
}

static bool read_queue(struct nereus_slurm_queue *queue)
{
    return nereus_program_is_on_path("squeue") &&
           nereus_slurm_queue_read_own(NULL, NULL, queue, NULL) == NEREUS_OK;
}

static void follow_job(const struct nereus_slurm_job *listed, struct nereus_followed_job *job)
{
    *job = (struct nereus_followed_job){.state = NEREUS_FOLLOWED_UNKNOWN};
    memcpy(job->id, listed->id, sizeof job->id);
    memcpy(job->name, listed->name, sizeof job->name);
    nereus_followed_query(job);
}

bool nereus_followed_find(const char *name, struct nereus_followed_job *job)
{
    const char *own = getenv("SLURM_JOB_ID");
    struct nereus_slurm_queue queue;
    const struct nereus_slurm_job *best = NULL;
    *job = (struct nereus_followed_job){.id = ""};
    if (!read_queue(&queue))
        return false;
    for (int64_t i = 0; i < queue.count; i++) {
        const struct nereus_slurm_job *listed = &queue.jobs[i];
        if (listed->is_plain && strcmp(listed->name, name) == 0 && is_better(listed, best))
            best = listed;
    }
    if (best != NULL && (own == NULL || strcmp(best->id, own) != 0))
        follow_job(best, job);
    nereus_slurm_queue_fini(&queue);
    return job->id[0] != '\0';
}

int64_t nereus_followed_list_queued(struct nereus_followed_job **jobs)
{
    struct nereus_slurm_queue queue;
    int64_t count = 0;
    *jobs = NULL;
    if (!read_queue(&queue))
        return 0;
    *jobs = calloc((size_t)queue.count + 1, sizeof **jobs);
    for (int64_t i = 0; i < queue.count && *jobs != NULL; i++) {
        const struct nereus_slurm_job *listed = &queue.jobs[i];
        const bool waits =
            listed->state == NEREUS_SLURM_WAITING || listed->state == NEREUS_SLURM_LATER;
        if (!listed->is_plain || listed->name[0] == '\0' || !waits)
            continue;
        follow_job(listed, &(*jobs)[count]);
        count += (*jobs)[count].state == NEREUS_FOLLOWED_QUEUED;
    }
    nereus_slurm_queue_fini(&queue);
    return count;
}

const char *nereus_followed_format(const struct nereus_followed_job *job, char text[96])
{
    const char *state = job->state != NEREUS_FOLLOWED_QUEUED ? job->word
                        : job->is_requeued                   ? "queued again by Slurm"
                                                             : "queued by Slurm";
    snprintf(text, 96, "%s (job %s)", state, job->id);
    return text;
}
