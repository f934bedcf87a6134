/** @file slurm_queue_parse.c  The texts of squeue and sinfo: see slurm_queue.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch_script.h"
#include "model/ask/folder.h"
#include "model/layout/host_list.h"
#include "model/util/arith.h"
#include "model/util/grow.h"
#include "model/util/try.h"
#include "model/util/values.h"
#include "nereus/layout.h"
#include "slurm_queue.h"

enum { FIELDS_MAX = 8 };

/* No cluster has more; sums of them are numbers, too. */
enum { NODES_LIMIT = 1 << 20, CPUS_LIMIT = 1 << 30, TASKS_LIMIT = 1 << 20 };

/* Fields of a line between '|', in place; the last one is the rest. */
static enum nereus_status split(const char *command, char *line, char *fields[FIELDS_MAX],
                                int count, struct nereus_error *err)
{
    int found = 0;
    for (char *at = line; at != NULL && found < count;) {
        fields[found] = at;
        char *bar = ++found < count ? strchr(at, '|') : NULL;
        if (bar != NULL) {
            *bar++ = '\0';
        }
        at = bar;
    }
    return found == count
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s printed '%.80s', which has %d of the %d columns asked for",
                             command, line, found, count);
}

static enum nereus_status read_count(const char *what, const char *text, int64_t least,
                                     int64_t most, int64_t *count, struct nereus_error *err)
{
    NEREUS_TRY(nereus_value_integer(what, text, least, count, err));
    return *count <= most
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE, "%s must be at most %" PRId64, what, most);
}

static enum nereus_status read_id(const char *text, char id[NEREUS_SLURM_ID_MAX],
                                  struct nereus_error *err)
{
    if (!nereus_slurm_is_id(text)) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "squeue printed '%.80s' where the number of a job was to be", text);
    }
    snprintf(id, NEREUS_SLURM_ID_MAX, "%s", text);
    return NEREUS_OK;
}

static bool is_waiting(const char *reason)
{
    return strcmp(reason, "Resources") == 0 || strcmp(reason, "Priority") == 0 ||
           strcmp(reason, "None") == 0;
}

/* A line that cannot be read is left out, and ends nothing. */
static enum nereus_status judge(enum nereus_status status, const struct nereus_error *fault,
                                struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    if (status == NEREUS_ERR_MEMORY) {
        return nereus_fail(err, status, "%s", fault->text);
    }
    if (status != NEREUS_OK && queue->left_out++ == 0) {
        snprintf(queue->first_left_out, sizeof queue->first_left_out, "%.250s", fault->text);
    }
    return NEREUS_OK;
}

/* ---- jobs of this user ----------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* "NAME" with the number of the job for "%j"; no name of a job: "". */
static void read_name(const char *text, struct nereus_slurm_job *job)
{
    const char *number = strstr(text, "%j");
    const int before = number != NULL ? (int)(number - text) : (int)strlen(text);
    char name[2 * NEREUS_JOB_NAME_MAX];
    const int length = snprintf(name, sizeof name, "%.*s%s%s", before, text,
                                number != NULL ? job->id : "", number != NULL ? number + 2 : "");
    if (length < (int)sizeof name && nereus_job_name_check(name, NULL) == NEREUS_OK) {
        memcpy(job->name, name, sizeof job->name);
    }
}

static void read_comment(const char *comment, struct nereus_slurm_job *job)
{
    if (begins(comment, NEREUS_SLURM_COMMENT_ADDED)) {
        const char *name = comment + strlen(NEREUS_SLURM_COMMENT_ADDED);
        const char *blank = strchr(name, ' ');
        if (blank != NULL && nereus_slurm_is_id(blank + 1)) {
            snprintf(job->added_to, sizeof job->added_to, "%s", blank + 1);
        }
    } else if (begins(comment, NEREUS_SLURM_COMMENT)) {
        read_name(comment + strlen(NEREUS_SLURM_COMMENT), job);
    }
}

static enum nereus_slurm_state state_of(const char *state, const char *reason)
{
    if (strcmp(state, "RUNNING") == 0) {
        return NEREUS_SLURM_RUNNING;
    }
    if (strcmp(state, "PENDING") == 0) {
        return is_waiting(reason) ? NEREUS_SLURM_WAITING : NEREUS_SLURM_LATER;
    }
    return strcmp(state, "CONFIGURING") == 0 ? NEREUS_SLURM_LATER : NEREUS_SLURM_OTHER;
}

/* Of a heterogeneous job, "5+0" and "5+1", the first part runs the script, and so is the job. */
static void read_form(const char *form, struct nereus_slurm_job *job)
{
    const char *plus = strchr(form, '+');
    job->is_plain = strcmp(form, job->id) == 0;
    job->is_part = plus != NULL && strcmp(plus, "+0") == 0;
    if (plus != NULL && !job->is_part) {
        job->name[0] = job->added_to[0] = '\0';
    }
}

/* Behind the mark: NEREUS_SQUEUE_OWN. */
static enum nereus_status read_own(char *record, struct nereus_slurm_job *job,
                                   struct nereus_error *err)
{
    char *fields[FIELDS_MAX];
    *job = (struct nereus_slurm_job){.nodes = 0};
    NEREUS_TRY(split("squeue", record, fields, 8, err));
    NEREUS_TRY(read_id(fields[0], job->id, err));
    NEREUS_TRY(
        read_count("squeue: the number of nodes", fields[3], 0, NODES_LIMIT, &job->nodes, err));
    NEREUS_TRY(read_count("squeue: the number of CPUs", fields[4], 0, CPUS_LIMIT, &job->cpus, err));
    job->state = state_of(fields[2], fields[6]);
    if (nereus_host_name_is_plain(fields[5], strlen(fields[5])) &&
        strlen(fields[5]) < sizeof job->host) {
        snprintf(job->host, sizeof job->host, "%s", fields[5]);
    }
    read_comment(fields[7], job);
    read_form(fields[1], job);
    return NEREUS_OK;
}

static enum nereus_status add_own(char *record, struct nereus_slurm_queue *queue,
                                  struct nereus_error *err)
{
    struct nereus_slurm_job job;
    NEREUS_TRY(read_own(record, &job, err));
    struct nereus_slurm_job *jobs = nereus_grow(queue->jobs, queue->count, sizeof job);
    NEREUS_TRY_MEMORY(jobs, err, "for the jobs of the queue");
    queue->jobs = jobs;
    jobs[queue->count++] = job;
    return NEREUS_OK;
}

/* ---- jobs of all users ----------------------------------------------------------------------- */

/* "7" or "20-60:2" at *at, which goes on behind it. @return how many; 0: it is none */
static int64_t count_range(const char **at)
{
    const int64_t first = nereus_host_list_number(at);
    int64_t last = first, step = 1;
    if (**at == '-') {
        ++*at;
        last = nereus_host_list_number(at);
    }
    if (**at == ':') {
        ++*at;
        step = nereus_host_list_number(at);
    }
    return first >= 0 && last >= first && step > 0
               ? nereus_min((last - first) / step + 1, TASKS_LIMIT)
               : 0;
}

/* Tasks of an array that wait, as "1-3,7,20-60:2%4": as many as may run at once. squeue cuts a long
 * list off with "..."; there are many, then. "N/A": a job of no array. */
static enum nereus_status read_tasks(const char *text, int64_t *count, struct nereus_error *err)
{
    const bool is_cut_off = strstr(text, "...") != NULL, is_one = strcmp(text, "N/A") == 0;
    const char *at = is_cut_off || is_one ? text + strcspn(text, "%") : text;
    int64_t limit = TASKS_LIMIT, range = is_one ? 1 : is_cut_off ? TASKS_LIMIT : 0;
    *count = range;
    for (bool goes_on = range == 0; goes_on;) {
        range = count_range(&at);
        *count = nereus_min(*count + range, TASKS_LIMIT);
        goes_on = range > 0 && *at == ',';
        at += goes_on;
    }
    if (*at == '%') {
        at++;
        limit = nereus_host_list_number(&at);
    }
    *count = nereus_min(*count, limit);
    return range > 0 && *count > 0 && *at == '\0'
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "squeue printed '%.80s' where tasks of an array were to be", text);
}

static enum nereus_status add_waiting(char *line, struct nereus_slurm_queue *queue,
                                      struct nereus_error *err)
{
    char *fields[FIELDS_MAX];
    struct nereus_slurm_waiting job;
    NEREUS_TRY(split("squeue", line, fields, 5, err));
    NEREUS_TRY(read_id(fields[0], job.id, err));
    NEREUS_TRY(read_tasks(fields[1], &job.count, err));
    NEREUS_TRY(
        read_count("squeue: the number of nodes", fields[2], 0, NODES_LIMIT, &job.nodes, err));
    NEREUS_TRY(read_count("squeue: the number of CPUs", fields[3], 0, CPUS_LIMIT, &job.cpus, err));
    if (!is_waiting(fields[4])) {
        return NEREUS_OK;
    }
    struct nereus_slurm_waiting *jobs =
        nereus_grow(queue->waiting, queue->waiting_count, sizeof job);
    NEREUS_TRY_MEMORY(jobs, err, "for the jobs of the queue");
    queue->waiting = jobs;
    jobs[queue->waiting_count++] = job;
    return NEREUS_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A node of several partitions is listed several times, one after the other.
 * @param[in,out] last  NEREUS_NODE_NAME_MAX characters */
static enum nereus_status add_node(char *line, char *last, struct nereus_slurm_queue *queue,
                                   struct nereus_error *err)
{
    char *fields[FIELDS_MAX];
    int64_t cores;
    NEREUS_TRY(split("sinfo", line, fields, 3, err));
    if (!nereus_host_name_is_plain(fields[0], strlen(fields[0]))) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "sinfo printed '%.80s' where the name of a node was to be", fields[0]);
    }
    NEREUS_TRY(read_count("sinfo: the CPUs of a node", fields[2], 1, CPUS_LIMIT, &cores, err));
    if (strncmp(fields[0], last, NEREUS_NODE_NAME_MAX - 1) == 0) {
        return NEREUS_OK;
    }
    snprintf(last, NEREUS_NODE_NAME_MAX, "%s", fields[0]);
    queue->cores_per_node = queue->nodes == 0 ? cores : nereus_min(cores, queue->cores_per_node);
    queue->nodes++;
    /* "plnd": idle, and meant for a job that waits, which comes first in any case */
    queue->idle_nodes += strcmp(fields[1], "idle") == 0 || strcmp(fields[1], "plnd") == 0;
    return NEREUS_OK;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* A line that begins with the mark, from `text` on, which begins a line; NULL: there is none. */
static char *find_mark(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    while (at != NULL && at != text && at[-1] != '\n') {
        at = strstr(at + 1, mark);
    }
    return at;
}

static enum nereus_status parse_own(char *text, const char *mark, struct nereus_slurm_queue *queue,
                                    struct nereus_error *err)
{
    char *record = find_mark(text, mark);
    struct nereus_error fault;
    if (record != text && *text != '\0') {
        text[strcspn(text, "\n")] = '\0';
        judge(nereus_fail(&fault, NEREUS_ERR_PARSE, "squeue printed '%.80s' before the first job",
                          text),
              &fault, queue, err);
    }
    while (record != NULL) {
        char *fields = record + strlen(mark), *next = find_mark(fields, mark);
        char *end = next != NULL ? next : fields + strlen(fields);
        if (end > fields && end[-1] == '\n') {
            end[-1] = '\0';
        }
        NEREUS_TRY(judge(add_own(fields + (*fields == '|'), queue, &fault), &fault, queue, err));
        record = next;
    }
    return NEREUS_OK;
}

/* @param of_jobs  of waiting jobs, or else of nodes */
static enum nereus_status parse_lines(char *text, bool of_jobs, struct nereus_slurm_queue *queue,
                                      struct nereus_error *err)
{
    char *at, last[NEREUS_NODE_NAME_MAX] = "";
    for (char *line = strtok_r(text, "\n", &at); line != NULL; line = strtok_r(NULL, "\n", &at)) {
        struct nereus_error fault;
        NEREUS_TRY(
            judge(of_jobs ? add_waiting(line, queue, &fault) : add_node(line, last, queue, &fault),
                  &fault, queue, err));
    }
    return NEREUS_OK;
}

enum kind { OWN, WAITING, NODES };

/* @param text  NULL: was not asked for */
static enum nereus_status parse(enum kind kind, const char *text, const char *mark,
                                struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    if (text == NULL) {
        return NEREUS_OK;
    }
    char *copy = strdup(text);
    NEREUS_TRY_MEMORY(copy, err, "for the queue");
    const enum nereus_status status = kind == OWN ? parse_own(copy, mark, queue, err)
                                                  : parse_lines(copy, kind == WAITING, queue, err);
    free(copy);
    return status;
}

static enum nereus_status parse_all(const struct nereus_slurm_texts *texts,
                                    struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    NEREUS_TRY(parse(OWN, texts->own, texts->mark, queue, err));
    NEREUS_TRY(parse(WAITING, texts->waiting, NULL, queue, err));
    NEREUS_TRY(parse(NODES, texts->nodes, NULL, queue, err));
    return texts->nodes == NULL || queue->nodes > 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE, "sinfo lists no node%s%s",
                             queue->left_out > 0 ? ": " : "", queue->first_left_out);
}

enum nereus_status nereus_slurm_queue_parse(const struct nereus_slurm_texts *texts,
                                            struct nereus_slurm_queue *queue,
                                            struct nereus_error *err)
{
    struct nereus_slurm_queue read = {.count = 0};
    const enum nereus_status status = parse_all(texts, &read, err);
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
    free(queue->waiting);
    *queue = (struct nereus_slurm_queue){.count = 0};
}
