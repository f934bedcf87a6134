/** @file slurm_queue.c  Asks squeue and sinfo: see slurm_queue.h. */
#include "slurm_queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "model/util/text.h"
#include "model/util/try.h"
#include "predictor/cli/command.h"

enum { MARK_MAX = 32 };

/* Begins the records of one answer: no comment can have it. */
static void make_mark(char mark[MARK_MAX])
{
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
        random = (uint64_t)(uintptr_t)&random;
    }
    snprintf(mark, MARK_MAX, "nereus:%016" PRIx64, random);
}

/* An option with its value in one word. @return word */
static const char *set_option(char *word, size_t room, const char *option, const char *value)
{
    snprintf(word, room, "%s%s", option, value);
    return word;
}

/* This user's jobs, all or some. @param[out] text  to be freed */
static enum nereus_status ask_own(const char *partition, const char *ids, const char *nodes,
                                  const char *mark, char **text, struct nereus_error *err)
{
    char format[MARK_MAX + sizeof NEREUS_SQUEUE_OWN], place[256], jobs[1024],
        hosts[NEREUS_JOB_NODES_MAX * NEREUS_JOB_NODE_MAX + 16];
    const char *argv[10] = {"squeue", "-h", "--noconvert", "--me", "-o", format};
    int words = 6;
    set_option(format, sizeof format, mark, NEREUS_SQUEUE_OWN);
    if (partition != NULL) {
        argv[words++] = set_option(place, sizeof place, "--partition=", partition);
    }
    if (ids != NULL) {
        argv[words++] = set_option(jobs, sizeof jobs, "--jobs=", ids);
    }
    if (nodes != NULL) {
        argv[words++] = set_option(hosts, sizeof hosts, "--nodelist=", nodes);
    }
    return nereus_slurm_run(argv, text, err);
}

/* Numbers of waiting jobs, and of nodes. */
static enum nereus_status ask_all(const char *partition, char **waiting, char **nodes,
                                  struct nereus_error *err)
{
    char place[256];
    const char *last =
        partition != NULL ? set_option(place, sizeof place, "--partition=", partition) : NULL;
    const char *const squeue[] = {"squeue",      "-h", "--noconvert",         "--states=PENDING",
                                  "--sort=-p,i", "-o", NEREUS_SQUEUE_WAITING, last,
                                  NULL},
                      *const sinfo[] = {
                          "sinfo", "-h", "-N", "--noconvert", "-o", NEREUS_SINFO_NODES, last, NULL};
    NEREUS_TRY(nereus_slurm_run(squeue, waiting, err));
    const enum nereus_status status = nereus_slurm_run(sinfo, nodes, err);
    if (status != NEREUS_OK) {
        free(*waiting);
    }
    return status;
}

/* Once: a broker sees the same line again and again. */
static void note_left_out(const struct nereus_slurm_queue *queue)
{
    static bool is_said = false;
    if (queue->left_out > 0 && !is_said) {
        nereus_cli_note("%" PRId64 " line%s of Slurm's cannot be read and %s left out, the first "
                        "because %s",
                        queue->left_out, nereus_plural_s(queue->left_out),
                        queue->left_out == 1 ? "is" : "are", queue->first_left_out);
        is_said = true;
    }
}

enum nereus_status nereus_slurm_queue_read(const char *partition, struct nereus_slurm_queue *queue,
                                           struct nereus_error *err)
{
    char mark[MARK_MAX], *own, *waiting, *nodes;
    make_mark(mark);
    NEREUS_TRY(ask_own(partition, NULL, NULL, mark, &own, err));
    enum nereus_status status = ask_all(partition, &waiting, &nodes, err);
    if (status == NEREUS_OK) {
        const struct nereus_slurm_texts texts = {mark, own, waiting, nodes};
        status = nereus_slurm_queue_parse(&texts, queue, err);
        free(waiting);
        free(nodes);
    }
    free(own);
    if (status == NEREUS_OK) {
        note_left_out(queue);
    }
    return status;
}

/* Of a single job that has ended a while ago squeue says that there is none, and fails. */
enum nereus_status nereus_slurm_own_read(const char *ids, const char *nodes,
                                         struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    char mark[MARK_MAX], *own = NULL;
    struct nereus_error fault = {.text = ""};
    make_mark(mark);
    enum nereus_status status = ask_own(NULL, ids, nodes, mark, &own, &fault);
    if (status != NEREUS_OK && strstr(fault.text, "Invalid job id") == NULL) {
        return nereus_fail(err, status, "%s", fault.text);
    }
    const struct nereus_slurm_texts texts = {.mark = mark, .own = own};
    status = nereus_slurm_queue_parse(&texts, queue, err);
    free(own);
    return status;
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
