/** @file slurm_queue.c  See slurm_queue.h. */
#include "slurm_queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch_script.h"
#include "model/util/arith.h"
#include "model/util/grow.h"
#include "model/util/try.h"
#include "model/util/values.h"
#include "slurm_command.h"

enum { FIELDS_MAX = 8 };

/* Fields of a line between '|', in place; the last one is the rest. */
static int split(char *line, char *fields[FIELDS_MAX], int most)
{
    int count = 0;
    for (char *at = line; at != NULL && count < most;) {
        fields[count] = at;
        char *bar = ++count < most ? strchr(at, '|') : NULL;
        if (bar != NULL) {
            *bar++ = '\0';
        }
        at = bar;
    }
    return count;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* "NAME" with the number of the job for "%j". */
static void read_name(const char *text, struct nereus_slurm_job *job)
{
    const char *number = strstr(text, "%j");
    const int before = number != NULL ? (int)(number - text) : (int)strlen(text);
    snprintf(job->name, sizeof job->name, "%.*s%s%s", before, text, number != NULL ? job->id : "",
             number != NULL ? number + 2 : "");
}

static void read_comment(const char *comment, struct nereus_slurm_job *job)
{
    if (begins(comment, NEREUS_SLURM_COMMENT_ADDED)) {
        const char *name = comment + strlen(NEREUS_SLURM_COMMENT_ADDED);
        const char *blank = strchr(name, ' ');
        snprintf(job->added_to, sizeof job->added_to, "%.31s", blank != NULL ? blank + 1 : "?");
    } else if (begins(comment, NEREUS_SLURM_COMMENT)) {
        read_name(comment + strlen(NEREUS_SLURM_COMMENT), job);
    }
}

static enum nereus_slurm_state state_of(const char *state, const char *reason)
{
    if (strcmp(state, "RUNNING") == 0) {
        return NEREUS_SLURM_RUNNING;
    }
    return strcmp(state, "PENDING") == 0 &&
                   (strcmp(reason, "Resources") == 0 || strcmp(reason, "Priority") == 0 ||
                    strcmp(reason, "None") == 0)
               ? NEREUS_SLURM_WAITING
               : NEREUS_SLURM_OTHER;
}

/* No cluster has more; sums of them are numbers, too. */
enum { NODES_LIMIT = 1 << 20, CPUS_LIMIT = 1 << 30 };

static enum nereus_status read_count(const char *what, const char *text, int64_t least,
                                     int64_t most, int64_t *count, struct nereus_error *err)
{
    NEREUS_TRY(nereus_value_integer(what, text, least, count, err));
    return *count <= most
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE, "%s must be at most %" PRId64, what, most);
}

static enum nereus_status read_job(char *line, const char *user, struct nereus_slurm_job *job,
                                   struct nereus_error *err)
{
    char *fields[FIELDS_MAX];
    const int count = split(line, fields, FIELDS_MAX);
    *job = (struct nereus_slurm_job){.nodes = 0};
    if (count < FIELDS_MAX) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "squeue printed '%.160s', which has %d of the %d columns asked for",
                           line, count, FIELDS_MAX);
    }
    NEREUS_TRY(
        read_count("squeue: the number of nodes", fields[3], 0, NODES_LIMIT, &job->nodes, err));
    NEREUS_TRY(read_count("squeue: the number of CPUs", fields[4], 0, CPUS_LIMIT, &job->cpus, err));
    snprintf(job->id, sizeof job->id, "%.31s", fields[0]);
    job->state = state_of(fields[1], fields[6]);
    job->is_own = strcmp(fields[2], user) == 0;
    snprintf(job->host, sizeof job->host, "%.63s", strcmp(fields[5], "n/a") == 0 ? "" : fields[5]);
    read_comment(fields[7], job);
    return NEREUS_OK;
}

/* Hands each line of the text, in place, to `read`. */
static enum nereus_status each_line(char *text, const char *user, struct nereus_slurm_queue *queue,
                                    enum nereus_status (*read)(char *line, const char *user,
                                                               struct nereus_slurm_queue *queue,
                                                               struct nereus_error *err),
                                    struct nereus_error *err)
{
    char *at;
    for (char *line = strtok_r(text, "\n", &at); line != NULL; line = strtok_r(NULL, "\n", &at)) {
        NEREUS_TRY(read(line, user, queue, err));
    }
    return NEREUS_OK;
}

static enum nereus_status add_job(char *line, const char *user, struct nereus_slurm_queue *queue,
                                  struct nereus_error *err)
{
    struct nereus_slurm_job job;
    NEREUS_TRY(read_job(line, user, &job, err));
    struct nereus_slurm_job *jobs = nereus_grow(queue->jobs, queue->count, sizeof job);
    NEREUS_TRY_MEMORY(jobs, err, "for the jobs of the queue");
    queue->jobs = jobs;
    jobs[queue->count++] = job;
    return NEREUS_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static enum nereus_status add_node(char *line, const char *user, struct nereus_slurm_queue *queue,
                                   struct nereus_error *err)
{
    char *fields[FIELDS_MAX];
    int64_t cores;
    (void)user;
    if (split(line, fields, 3) < 3) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "sinfo printed '%.160s', which lacks a column that was asked for", line);
    }
    NEREUS_TRY(read_count("sinfo: the CPUs of a node", fields[2], 1, CPUS_LIMIT, &cores, err));
    queue->cores_per_node = queue->nodes == 0 ? cores : nereus_min(cores, queue->cores_per_node);
    queue->nodes++;
    queue->idle_nodes += strcmp(fields[1], "idle") == 0;
    return NEREUS_OK;
}

/* A node of several partitions is listed several times, one after the other. */
static void drop_repeated(char *text)
{
    char *to = text, last[256] = "";
    for (char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "|\n"), line);
        if (strcmp(name, last) != 0) {
            memmove(to, line, length);
            to += length;
        }
        memcpy(last, name, sizeof last);
        line += length;
    }
    *to = '\0';
}

/* ---- both ------------------------------------------------------------------------------------ */

static enum nereus_status parse(char *squeue, char *sinfo, const char *user,
                                struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    NEREUS_TRY_MEMORY(squeue != NULL && sinfo != NULL, err, "for the queue");
    drop_repeated(sinfo);
    NEREUS_TRY(each_line(sinfo, user, queue, add_node, err));
    if (queue->nodes == 0) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "sinfo lists no node");
    }
    return each_line(squeue, user, queue, add_job, err);
}

enum nereus_status nereus_slurm_queue_parse(const char *squeue, const char *sinfo, const char *user,
                                            struct nereus_slurm_queue *queue,
                                            struct nereus_error *err)
{
    struct nereus_slurm_queue read = {.count = 0};
    char *jobs = strdup(squeue), *nodes = strdup(sinfo);
    const enum nereus_status status = parse(jobs, nodes, user, &read, err);
    free(jobs);
    free(nodes);
    if (status == NEREUS_OK) {
        *queue = read;
    } else {
        nereus_slurm_queue_fini(&read);
    }
    return status;
}

void nereus_slurm_queue_fini(struct nereus_slurm_queue *queue)
{
    free(queue->jobs);
    *queue = (struct nereus_slurm_queue){.count = 0};
}

enum nereus_status nereus_slurm_queue_read(const char *partition, struct nereus_slurm_queue *queue,
                                           struct nereus_error *err)
{
    const char *squeue[] = {"squeue", "-h",      "--sort=-p,i", "-o", NEREUS_SQUEUE_FORMAT,
                            "-p",     partition, NULL},
               *sinfo[] = {"sinfo", "-h", "-N", "-o", NEREUS_SINFO_FORMAT, "-p", partition, NULL};
    char user[24], *jobs, *nodes;
    snprintf(user, sizeof user, "%lu", (unsigned long)getuid());
    if (partition == NULL) {
        squeue[5] = sinfo[5] = NULL;
    }
    NEREUS_TRY(nereus_slurm_run(squeue, &jobs, err));
    enum nereus_status status = nereus_slurm_run(sinfo, &nodes, err);
    if (status == NEREUS_OK) {
        status = nereus_slurm_queue_parse(jobs, nodes, user, queue, err);
        free(nodes);
    }
    free(jobs);
    return status;
}

const struct nereus_slurm_job *nereus_slurm_job_named(const struct nereus_slurm_queue *queue,
                                                      const char *name)
{
    for (int64_t i = 0; i < queue->count; i++) {
        const struct nereus_slurm_job *job = &queue->jobs[i];
        if (job->is_own && job->state == NEREUS_SLURM_RUNNING && strcmp(job->name, name) == 0) {
            return job;
        }
    }
    return NULL;
}
