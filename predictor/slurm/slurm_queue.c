/** @file slurm_queue.c  Asks squeue and sinfo: see slurm_queue.h. */
#include "slurm_queue.h"

#include <inttypes.h>
#include <string.h>

#include "model/util/text.h"
#include "model/util/try.h"
#include "predictor/cli/command.h"

static void add_option(struct nereus_slurm_command *command, const char *option, const char *value)
{
    if (value != NULL) {
        nereus_slurm_word(command, "%s%s", option, value);
    }
}

static enum nereus_status ask(struct nereus_slurm_command *command, const char *columns,
                              enum nereus_slurm_list list, struct nereus_slurm_queue *queue,
                              struct nereus_error *err)
{
    struct nereus_slurm_rows rows;
    NEREUS_TRY(nereus_slurm_ask(command, columns, &rows, err));
    const enum nereus_status status = nereus_slurm_queue_take(queue, list, &rows, err);
    nereus_slurm_rows_fini(&rows);
    return status;
}

static enum nereus_status ask_own(const char *partition, const char *ids, const char *nodes,
                                  struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    struct nereus_slurm_command squeue = {.argv = {"squeue", "-h", "--noconvert", "--me"}};
    add_option(&squeue, "--partition=", partition);
    add_option(&squeue, "--jobs=", ids);
    add_option(&squeue, "--nodelist=", nodes);
    return ask(&squeue, NEREUS_SQUEUE_OWN, NEREUS_SLURM_OWN, queue, err);
}

static enum nereus_status ask_all(const char *partition, struct nereus_slurm_queue *queue,
                                  struct nereus_error *err)
{
    struct nereus_slurm_command squeue = {.argv = {"squeue", "-h", "--noconvert",
                                                   "--states=PENDING", "--sort=-p,i"}},
                                sinfo = {.argv = {"sinfo", "-h", "--noconvert", "-N"}};
    add_option(&squeue, "--partition=", partition);
    add_option(&sinfo, "--partition=", partition);
    NEREUS_TRY(ask_own(partition, NULL, NULL, queue, err));
    NEREUS_TRY(ask(&squeue, NEREUS_SQUEUE_QUEUE, NEREUS_SLURM_QUEUE, queue, err));
    return ask(&sinfo, NEREUS_SINFO_NODES, NEREUS_SLURM_NODES, queue, err);
}

/* Once: a broker sees the same line again and again. */
static void note_left_out(const struct nereus_slurm_left_out *left_out)
{
    static bool is_said = false;
    if (left_out->count > 0 && !is_said) {
        nereus_cli_note("%" PRId64 " line%s of Slurm's cannot be read and %s left out, the first "
                        "because %s",
                        left_out->count, nereus_plural_s(left_out->count),
                        nereus_agree(left_out->count, "is", "are"), left_out->first);
        is_said = true;
    }
}

enum nereus_status nereus_slurm_queue_read(const char *partition, struct nereus_slurm_queue *queue,
                                           struct nereus_error *err)
{
    struct nereus_slurm_queue read = {.count = 0};
    const enum nereus_status status = ask_all(partition, &read, err);
    if (status != NEREUS_OK) {
        nereus_slurm_queue_fini(&read);
        return status;
    }
    note_left_out(&read.left_out);
    *queue = read;
    return NEREUS_OK;
}

/* Of a single job that has ended a while ago squeue says that there is none, and fails. */
enum nereus_status nereus_slurm_own_read(const char *ids, const char *nodes,
                                         struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    struct nereus_slurm_queue read = {.count = 0};
    struct nereus_error fault = {.text = ""};
    const enum nereus_status status = ask_own(NULL, ids, nodes, &read, &fault);
    if (status != NEREUS_OK && strstr(fault.text, "Invalid job id") == NULL) {
        nereus_slurm_queue_fini(&read);
        return nereus_fail(err, status, "%s", fault.text);
    }
    *queue = read;
    return NEREUS_OK;
}

const struct nereus_slurm_job *nereus_slurm_job_numbered(const struct nereus_slurm_queue *queue,
                                                         const char *id)
{
    for (int64_t i = 0; i < queue->count; i++) {
        if (strcmp(queue->jobs[i].id, id) == 0) {
            return &queue->jobs[i];
        }
    }
    return NULL;
}

const struct nereus_slurm_job *nereus_slurm_job_named(const struct nereus_slurm_queue *queue,
                                                      const char *name)
{
    for (int64_t i = 0; i < queue->count; i++) {
        const struct nereus_slurm_job *job = &queue->jobs[i];
        if (job->state == NEREUS_SLURM_RUNNING && job->name[0] != '\0' &&
            strcmp(job->name, name) == 0) {
            return job;
        }
    }
    return NULL;
}
