/** @file slurm_queue.c  Runs squeue and sinfo, and reads their output (slurm_queue.h). */
#include "slurm_queue.h"

#include "batch_script.h"
#include "model/job_client/folder.h"
#include "model/layout/host_list.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"

/* Limits far above any cluster, so that sums do not overflow. */
enum { NODES_LIMIT = 1 << 20, CPUS_LIMIT = 1 << 30, TASKS_LIMIT = 1 << 20 };

static enum nereus_status read_count(const char *what, const char *text, int64_t min, int64_t max,
                                     int64_t *count, struct nereus_error *err)
{
    NEREUS_TRY(nereus_value_parse_integer(what, text, min, count, err));
    return *count <= max ? NEREUS_OK
                         : nereus_fail(err, NEREUS_ERR_PARSE, "%s must be at most %lld", what,
                                       (long long)max);
}

static enum nereus_status read_size(char *const *fields, int64_t *nodes, int64_t *cpus,
                                    struct nereus_error *err)
{
    NEREUS_TRY(read_count("squeue: the number of nodes", fields[0], 0, NODES_LIMIT, nodes, err));
    return read_count("squeue: the number of CPUs", fields[1], 0, CPUS_LIMIT, cpus, err);
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

/* ---- jobs of this user ----------------------------------------------------------------------- */

/* Set job->name, with the number of the job for "%j"; an invalid name becomes "". */
static void read_name(const char *text, struct nereus_slurm_job *job)
{
    char name[NEREUS_JOB_NAME_MAX];
    if (nereus_batch_make_name(text, job->id, name, sizeof name) &&
        nereus_job_name_check(name, NULL) == NEREUS_OK)
        memcpy(job->name, name, sizeof job->name);
}

static void read_comment(const char *comment, struct nereus_slurm_job *job)
{
    if (nereus_text_begins_with(comment, NEREUS_SLURM_COMMENT_ADDED)) {
        const char *name = comment + strlen(NEREUS_SLURM_COMMENT_ADDED);
        const char *blank = strchr(name, ' ');
        if (blank != NULL && nereus_slurm_is_id(blank + 1))
            snprintf(job->added_to, sizeof job->added_to, "%s", blank + 1);
    } else if (nereus_text_begins_with(comment, NEREUS_SLURM_COMMENT)) {
        read_name(comment + strlen(NEREUS_SLURM_COMMENT), job);
    }
}

/* Is a state in the list, also in the forms of sacct, "CANCELLED by 1000", "OUT_OF_ME+"? */
static bool is_listed(const char *list, const char *state)
{
    const size_t length = strspn(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    const bool is_cut = state[length] == '+';
    size_t end;
    for (const char *at = list;; at += end + 1) {
        end = strcspn(at, "|");
        if (length > 0 && strncmp(at, state, length) == 0 && (is_cut || length == end))
            return true;
        if (at[end] == '\0')
            return false;
    }
}

enum nereus_slurm_state nereus_slurm_state_parse(const char *state, const char *reason)
{
    if (strcmp(state, "PENDING") == 0 && is_waiting(reason))
        return NEREUS_SLURM_WAITING;
    if (strcmp(state, "RUNNING") == 0)
        return NEREUS_SLURM_RUNNING;
    if (is_listed(NEREUS_SLURM_WAITING_STATES, state))
        return NEREUS_SLURM_LATER;
    return is_listed(NEREUS_SLURM_END_STATES, state) ? NEREUS_SLURM_ENDED : NEREUS_SLURM_OTHER;
}

/* In a heterogeneous job ("5+0", "5+1") the first part runs the script and counts as the job. */
static void read_form(const char *form, struct nereus_slurm_job *job)
{
    const char *plus = strchr(form, '+');
    job->is_plain = strcmp(form, job->id) == 0;
    job->is_part = plus != NULL && strcmp(plus, "+0") == 0;
    if (plus != NULL && !job->is_part)
        job->name[0] = job->added_to[0] = '\0';
}

/* Add a row of NEREUS_SQUEUE_OWN. */
static enum nereus_status read_own(char *const *fields, struct nereus_slurm_job *job,
                                   struct nereus_error *err)
{
    *job = (struct nereus_slurm_job){.nodes = 0};
    NEREUS_TRY(read_id(fields[0], job->id, err));
    NEREUS_TRY(read_size(fields + 3, &job->nodes, &job->cpus, err));
    job->state = nereus_slurm_state_parse(fields[2], fields[6]);
    if (nereus_host_name_is_plain(fields[5], strlen(fields[5])) &&
        strlen(fields[5]) < sizeof job->host)
        snprintf(job->host, sizeof job->host, "%s", fields[5]);
    read_comment(fields[7], job);
    read_form(fields[1], job);
    return NEREUS_OK;
}

static enum nereus_status add_own(const struct nereus_slurm_rows *row,
                                  struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    struct nereus_slurm_job job;
    NEREUS_TRY(read_own(row->fields, &job, err));
    NEREUS_TRY_GROW(queue->jobs, queue->count, err, "for the jobs of the queue");
    queue->jobs[queue->count++] = job;
    return NEREUS_OK;
}

/* ---- jobs of all users ----------------------------------------------------------------------- */

/* Read "7" or "20-60:2" and move *at to its end.
 * @return number of numbers; 0: invalid */
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

/* Count the waiting tasks of an array that may run at once, from "1-3,7,20-60:2%4". squeue cuts off
 * a long list with "...", which gives TASKS_LIMIT; "N/A" (no array) gives 1. */
static enum nereus_status read_tasks(const char *text, int64_t *count, struct nereus_error *err)
{
    const bool is_cut_off = strstr(text, "...") != NULL, is_one = strcmp(text, "N/A") == 0;
    const char *at = is_cut_off || is_one ? text + strcspn(text, "%") : text;
    int64_t limit = TASKS_LIMIT, range = is_one ? 1 : is_cut_off ? TASKS_LIMIT : 0;
    *count = range;
    for (bool has_next = range == 0; has_next;) {
        range = count_range(&at);
        *count = nereus_min(*count + range, TASKS_LIMIT);
        has_next = range > 0 && *at == ',';
        at += has_next;
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

static enum nereus_status add_waiting(const struct nereus_slurm_rows *row,
                                      struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    char *const *fields = row->fields;
    struct nereus_slurm_waiting job = {.is_left_out = false};
    NEREUS_TRY(read_id(fields[0], job.id, err));
    NEREUS_TRY(read_tasks(fields[1], &job.count, err));
    NEREUS_TRY(read_size(fields + 2, &job.nodes, &job.cpus, err));
    if (!is_waiting(fields[4]))
        return NEREUS_OK;
    NEREUS_TRY_GROW(queue->waiting, queue->waiting_count, err, "for the jobs of the queue");
    queue->waiting[queue->waiting_count++] = job;
    return NEREUS_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* "plnd" and "idle-" are planned for a waiting job, which the broker serves first anyway. Nodes
 * with other suffixes of sinfo cannot be used at once: "~", "%", "!", "#" power saving; "*" not
 * responding; "$" maintenance; "@", "^" reboot. */
static bool is_idle(const char *state)
{
    return strcmp(state, "idle") == 0 || strcmp(state, "plnd") == 0 || strcmp(state, "idle-") == 0;
}

static bool is_out_of_service(const char *state)
{
    static const char *const words[] = {"down", "drain", "drng", "fail", "futr", "inval", "unk"};
    bool is_out = strchr(state, '*') != NULL;
    for (size_t i = 0; i < NEREUS_COUNT_OF(words); i++)
        is_out |= nereus_text_begins_with(state, words[i]);
    return is_out;
}

/* Add a node. Slurm may not know its CPUs if it has never answered. */
static enum nereus_status add_node(const struct nereus_slurm_rows *row,
                                   struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    const char *name = row->fields[0], *state = row->fields[1];
    int64_t cores;
    if (!nereus_host_name_is_plain(name, strlen(name))) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "sinfo printed '%.80s' where the name of a node was to be", name);
    }
    NEREUS_TRY(read_count("sinfo: the CPUs of a node", row->fields[2], 1, CPUS_LIMIT, &cores, err));
    if (strcmp(name, row->before) == 0)
        return NEREUS_OK;
    const bool is_out = is_out_of_service(state), none_before = queue->nodes == queue->out_nodes;
    if (queue->nodes == 0 || (!is_out && none_before))
        queue->cores_per_node = cores;
    else if (!is_out || none_before)
        queue->cores_per_node = nereus_min(cores, queue->cores_per_node);
    queue->nodes++;
    queue->out_nodes += is_out;
    queue->idle_nodes += is_idle(state);
    return NEREUS_OK;
}

/* ---- lists ----------------------------------------------------------------------------------- */

enum nereus_status nereus_slurm_queue_add_rows(struct nereus_slurm_queue *queue,
                                               enum nereus_slurm_list list,
                                               struct nereus_slurm_rows *rows,
                                               struct nereus_error *err)
{
    static enum nereus_status (*const add[])(const struct nereus_slurm_rows *,
                                             struct nereus_slurm_queue *, struct nereus_error *) = {
        [NEREUS_SLURM_OWN] = add_own,
        [NEREUS_SLURM_QUEUE] = add_waiting,
        [NEREUS_SLURM_NODES] = add_node};
    struct nereus_error fault;
    rows->left_out = &queue->left_out;
    while (nereus_slurm_rows_next(rows)) {
        const enum nereus_status status = add[list](rows, queue, &fault);
        if (status == NEREUS_ERR_MEMORY)
            return nereus_fail(err, status, "%s", fault.text);
        if (status != NEREUS_OK)
            nereus_slurm_rows_leave_out(rows, &fault);
    }
    return list != NEREUS_SLURM_NODES || queue->nodes > 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE, "sinfo lists no node%s%s",
                             queue->left_out.count > 0 ? ": " : "", queue->left_out.first);
}

void nereus_slurm_queue_fini(struct nereus_slurm_queue *queue)
{
    free(queue->jobs);
    free(queue->waiting);
    *queue = (struct nereus_slurm_queue){.count = 0};
}

/* ---- queries -------------------------------------------------------------------------------- */

static void add_option(struct nereus_slurm_command *command, const char *option, const char *value)
{
    if (value != NULL)
        nereus_slurm_add_word(command, "%s%s", option, value);
}

static enum nereus_status query_queue(struct nereus_slurm_command *command, const char *columns,
                                      enum nereus_slurm_list list, struct nereus_slurm_queue *queue,
                                      struct nereus_error *err)
{
    struct nereus_slurm_rows rows;
    NEREUS_TRY(nereus_slurm_query(command, columns, &rows, err));
    const enum nereus_status status = nereus_slurm_queue_add_rows(queue, list, &rows, err);
    nereus_slurm_rows_fini(&rows);
    return status;
}

static enum nereus_status query_own(const char *partition, const char *ids, const char *nodes,
                                    struct nereus_slurm_queue *queue, struct nereus_error *err)
{
    struct nereus_slurm_command squeue = {.argv = {"squeue", "-h", "--noconvert", "--me"}};
    add_option(&squeue, "--partition=", partition);
    add_option(&squeue, "--jobs=", ids);
    add_option(&squeue, "--nodelist=", nodes);
    return query_queue(&squeue, NEREUS_SQUEUE_OWN, NEREUS_SLURM_OWN, queue, err);
}

static enum nereus_status query_all(const char *partition, struct nereus_slurm_queue *queue,
                                    struct nereus_error *err)
{
    struct nereus_slurm_command squeue = {.argv = {"squeue", "-h", "--noconvert",
                                                   "--states=PENDING", "--sort=-p,i"}},
                                sinfo = {.argv = {"sinfo", "-h", "--noconvert", "-N"}};
    struct nereus_error why;
    add_option(&squeue, "--partition=", partition);
    add_option(&sinfo, "--partition=", partition);
    NEREUS_TRY(query_own(partition, NULL, NULL, queue, err));
    NEREUS_TRY(query_queue(&squeue, NEREUS_SQUEUE_QUEUE, NEREUS_SLURM_QUEUE, queue, err));
    const enum nereus_status status =
        query_queue(&sinfo, NEREUS_SINFO_NODES, NEREUS_SLURM_NODES, queue, &why);
    if (status == NEREUS_OK)
        return NEREUS_OK;
    return partition == NULL
               ? nereus_fail(err, status, "%s", why.text)
               : nereus_fail(err, status, "%s; is '%.80s' a partition of this cluster?", why.text,
                             partition);
}

/* Note an unreadable line only once, as a broker reads it in each round. */
static void note_left_out(const struct nereus_slurm_left_out *left_out)
{
    static bool is_said = false;
    if (left_out->count > 0 && !is_said) {
        nereus_cli_note("%lld line%s of Slurm's cannot be read and %s left out, the first "
                        "because %s",
                        (long long)left_out->count, nereus_plural_s(left_out->count),
                        nereus_choose_plural(left_out->count, "is", "are"), left_out->first);
        is_said = true;
    }
}

enum nereus_status nereus_slurm_queue_read(const char *partition, struct nereus_slurm_queue *queue,
                                           struct nereus_error *err)
{
    struct nereus_slurm_queue read = {.count = 0};
    const enum nereus_status status = query_all(partition, &read, err);
    if (status != NEREUS_OK) {
        nereus_slurm_queue_fini(&read);
        return status;
    }
    note_left_out(&read.left_out);
    *queue = read;
    return NEREUS_OK;
}

/* For a single job that has ended a while ago squeue fails with "Invalid job id". */
enum nereus_status nereus_slurm_queue_read_own(const char *ids, const char *nodes,
                                               struct nereus_slurm_queue *queue,
                                               struct nereus_error *err)
{
    struct nereus_slurm_queue read = {.count = 0};
    struct nereus_error fault = {.text = ""};
    const enum nereus_status status = query_own(NULL, ids, nodes, &read, &fault);
    if (status != NEREUS_OK && strstr(fault.text, "Invalid job id") == NULL) {
        nereus_slurm_queue_fini(&read);
        return nereus_fail(err, status, "%s", fault.text);
    }
    *queue = read;
    return NEREUS_OK;
}

const struct nereus_slurm_job *nereus_slurm_find_job_by_id(const struct nereus_slurm_queue *queue,
                                                           const char *id)
{
    for (int64_t i = 0; i < queue->count; i++)
        if (strcmp(queue->jobs[i].id, id) == 0)
            return &queue->jobs[i];
    return NULL;
}

const struct nereus_slurm_job *nereus_slurm_find_job_by_name(const struct nereus_slurm_queue *queue,
                                                             const char *name)
{
    for (int64_t i = 0; i < queue->count; i++) {
        const struct nereus_slurm_job *job = &queue->jobs[i];
        if (job->state == NEREUS_SLURM_RUNNING && job->name[0] != '\0' &&
            strcmp(job->name, name) == 0)
            return job;
    }
    return NULL;
}

int64_t nereus_slurm_count_needed_nodes(const struct nereus_slurm_waiting *waiting,
                                        const struct nereus_slurm_queue *queue)
{
    return nereus_max(waiting->nodes, nereus_divide_up(waiting->cpus, queue->cores_per_node));
}

void nereus_slurm_set_cluster_name(void)
{
    static const char key[] = "ClusterName";
    const struct nereus_slurm_command scontrol = {.argv = {"scontrol", "show", "config"}};
    char *text;
    if (getenv("SLURM_CLUSTER_NAME") != NULL ||
        nereus_slurm_run(&scontrol, &text, NULL) != NEREUS_OK)
        return;
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n")) != NULL) {
        line += strspn(line, " ");
        if (!nereus_text_begins_with(line, key))
            continue;
        char *value = line + strlen(key);
        value += strspn(value, " =");
        value[strcspn(value, " \t\r")] = '\0';
        setenv("SLURM_CLUSTER_NAME", value, 0);
        break;
    }
    free(text);
}
