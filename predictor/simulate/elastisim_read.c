/**
 * @file elastisim_read.c
 * Reads ElastiSim's jobs as a workload. The time of a job on n nodes is that of its phases: tasks
 * that keep nodes busy for a time (busy_wait, idle) or for operations (cpu), send bytes over their
 * links, or read and write a storage that they have for themselves, evaluated for each n. A
 * malleable job can be converted if an iteration takes about a + b / n, which is Amdahl's law.
 */
#include <inttypes.h>
#include <unistd.h>

#include "convert.h"
#include "model/util/json_reader.h"
#include "model/workload/formula.h"
#include "predictor/cli/command.h"

enum { NAMES_MAX = 64, DEPTH_MAX = 8, SIZES_MAX = 4096 };

struct reading {
    const char *path;
    const struct nereus_platform *platform;
    struct nereus_workload *workload;
    json_t *models;   /* the application models that were read, by their paths */
    double max_error; /* of Amdahl's law, over all jobs */
    /* moldable: jobs that get their largest size; evolving: jobs whose requests are left out */
    int64_t moldable, evolving;
    int64_t cut; /* jobs with a walltime below their run, which is not cut off */
    struct nereus_error *err;
};

/* A job, and the names that its performance models may use. */
struct job {
    struct reading *r;
    const json_t *entry;
    const json_t *model;
    struct nereus_formula_name names[NAMES_MAX]; /* the first one is num_nodes */
    struct nereus_error why;                     /* why it cannot be converted */
};

static enum nereus_status fail_job(struct job *job, const char *what)
{
    return nereus_fail(&job->why, NEREUS_ERR_ILLEGAL, "%s", what);
}

/* --- numbers --- */

/* Read a number, or a text that is a number or a formula. If `key` is missing, `value` stays. */
static enum nereus_status read_number(struct job *job, const json_t *object, const char *key,
                                      double *value)
{
    static const struct nereus_formula_name none[] = {{NULL, 0}};
    const json_t *item = json_object_get(object, key);
    if (json_is_number(item)) {
        *value = json_number_value(item);
        return NEREUS_OK;
    }
    if (json_is_string(item)) {
        return nereus_formula_value(json_string_value(item),
                                    job->names[0].name != NULL ? job->names : none, value,
                                    &job->why);
    }
    return item == NULL && !isnan(*value)
               ? NEREUS_OK
               : nereus_fail(&job->why, NEREUS_ERR_PARSE, "'%s' must be a number", key);
}

/* Read the number of iterations; the value of a model is truncated to a whole number. */
static enum nereus_status read_iterations(struct job *job, const json_t *object, double *count)
{
    *count = 1;
    NEREUS_TRY(read_number(job, object, "iterations", count));
    *count = trunc(*count);
    return NEREUS_OK;
}

static enum nereus_status collect_names(struct job *job)
{
    const json_t *arguments = json_object_get(job->entry, "arguments");
    const char *key;
    json_t *item;
    struct nereus_formula_name found[NAMES_MAX] = {{"num_nodes", 1}};
    int count = 1;
    json_object_foreach((json_t *)arguments, key, item)
    {
        if (count == NAMES_MAX - 1)
            return fail_job(job, "it has too many arguments");
        if (strcmp(key, "resize_s") == 0)
            continue; /* part of the phase on_reconfiguration only */
        found[count].name = key;
        found[count].value = NAN;
        NEREUS_TRY(read_number(job, arguments, key, &found[count].value));
        count++;
    }
    memcpy(job->names, found, sizeof found);
    return NEREUS_OK;
}

/* --- times --- */

static bool has_key(const json_t *object, const char *key)
{
    const json_t *item = json_object_get(object, key);
    return item != NULL && !json_is_null(item);
}

static bool is_text(const json_t *object, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value != NULL && strcasecmp(value, text) == 0;
}

static enum nereus_status compute_tasks_time(struct job *job, const json_t *tasks, int depth,
                                             double *time_s);

/* Read the payload of a node: its own, or its share of one for all (total, all_ranks). */
static enum nereus_status compute_amount_per_node(struct job *job, const json_t *task,
                                                  const char *pattern, double *amount)
{
    if (is_text(task, pattern, "total") || is_text(task, pattern, "all_ranks")) {
        *amount /= job->names[0].value;
        return NEREUS_OK;
    }
    return is_text(task, pattern, "uniform")
               ? NEREUS_OK
               : fail_job(job, "a task's pattern is another one than uniform and total");
}

/* Share of the bytes of a communication that pass through the busiest link of a node, in one
 * direction; links are full duplex.
 * @return NAN: another pattern */
static double get_busiest_share(const json_t *task, double nodes)
{
    static const char key[] = "communication_pattern";
    if (nodes < 2)
        return 0;
    if (is_text(task, key, "gather") || is_text(task, key, "scatter"))
        return (nodes - 1) / nodes;
    if (is_text(task, key, "master_worker"))
        return 2;
    return is_text(task, key, "all_to_all") || is_text(task, key, "ring") ||
                   is_text(task, key, "ring_clockwise") ||
                   is_text(task, key, "ring_counter_clockwise")
               ? 1 / nodes
               : NAN;
}

static enum nereus_status compute_transfer_time(struct job *job, const json_t *task, double *time_s)
{
    double bytes = NAN;
    const double share = get_busiest_share(task, job->names[0].value);
    NEREUS_TRY(read_number(job, task, "bytes", &bytes));
    if (isnan(share))
        return fail_job(job, "a task's communication_pattern is not known");
    if (share > 0 && !(job->r->platform->link_bytes_per_s > 0))
        return fail_job(job, "it communicates, and no platform gives the bandwidth of a node (bw)");
    *time_s = share > 0 ? share * bytes / job->r->platform->link_bytes_per_s : 0;
    return NEREUS_OK;
}

/* Computing and communication of a task overlap. */
static enum nereus_status compute_cpu_time(struct job *job, const json_t *task, double *time_s)
{
    double flops = 0, transfer_s = 0;
    if (has_key(task, "flops")) {
        NEREUS_TRY(read_number(job, task, "flops", &flops));
        NEREUS_TRY(compute_amount_per_node(job, task, "computation_pattern", &flops));
        if (!(job->r->platform->flop_per_s > 0))
            return fail_job(job, "it counts operations, and no platform gives the speed of a node");
    }
    if (has_key(task, "bytes"))
        NEREUS_TRY(compute_transfer_time(job, task, &transfer_s));
    *time_s = fmax(flops > 0 ? flops / job->r->platform->flop_per_s : 0, transfer_s);
    return NEREUS_OK;
}

/* All bytes pass through the link of the storage, those of a node through its own. */
static enum nereus_status compute_storage_time(struct job *job, const json_t *task, double storage,
                                               double *time_s)
{
    const double nodes = job->names[0].value;
    double bytes = NAN;
    NEREUS_TRY(read_number(job, task, "bytes", &bytes));
    if (!(storage > 0) || !(job->r->platform->link_bytes_per_s > 0)) {
        return fail_job(job,
                        "it reads or writes, and no platform gives the bandwidth of a node "
                        "(bw) and of a link to storage (a <link> with read or write in its id)");
    }
    double of_node = bytes, of_all = bytes;
    if (is_text(task, "pattern", "total") || is_text(task, "pattern", "all_ranks"))
        of_node = bytes / nodes;
    else if (is_text(task, "pattern", "uniform"))
        of_all = bytes * nodes;
    else if (!is_text(task, "pattern", "root_only"))
        return fail_job(job, "a task's pattern is another one than root_only, uniform and total");
    *time_s = fmax(of_node / job->r->platform->link_bytes_per_s, of_all / storage);
    return NEREUS_OK;
}

static enum nereus_status compute_task_time(struct job *job, const json_t *task, int depth,
                                            double *time_s)
{
    const struct nereus_platform *platform = job->r->platform;
    double iterations, amount = NAN;
    NEREUS_TRY(read_iterations(job, task, &iterations));
    if (is_text(task, "type", "busy_wait") || is_text(task, "type", "idle")) {
        NEREUS_TRY(read_number(job, task, "delay", &amount));
        if (!is_text(task, "pattern", "uniform"))
            return fail_job(job, "a delay has another pattern than uniform");
    } else if (is_text(task, "type", "cpu")) {
        NEREUS_TRY(compute_cpu_time(job, task, &amount));
    } else if (is_text(task, "type", "pfs_read")) {
        NEREUS_TRY(compute_storage_time(job, task, platform->storage_read_bytes_per_s, &amount));
    } else if (is_text(task, "type", "pfs_write")) {
        NEREUS_TRY(compute_storage_time(job, task, platform->storage_write_bytes_per_s, &amount));
    } else if (is_text(task, "type", "sequence") && depth < DEPTH_MAX) {
        NEREUS_TRY(compute_tasks_time(job, json_object_get(task, "tasks"), depth + 1, &amount));
    } else {
        const char *type = json_string_value(json_object_get(task, "type"));
        return nereus_fail(&job->why, NEREUS_ERR_ILLEGAL,
                           "it has a task '%.160s': burst buffers and GPUs are not simulated",
                           type != NULL ? type : "");
    }
    *time_s += iterations * amount;
    return NEREUS_OK;
}

static enum nereus_status compute_tasks_time(struct job *job, const json_t *tasks, int depth,
                                             double *time_s)
{
    *time_s = 0;
    if (!json_is_array(tasks))
        return fail_job(job, "its application model has a phase without tasks");
    for (size_t i = 0; i < json_array_size(tasks); i++)
        NEREUS_TRY(compute_task_time(job, json_array_get(tasks, i), depth, time_s));
    return NEREUS_OK;
}

/* Compute the time of an iteration of a phase on a number of nodes. */
static enum nereus_status compute_phase_time(struct job *job, size_t phase, int64_t nodes,
                                             double *time_s)
{
    const json_t *phases = json_object_get(job->model, "phases");
    job->names[0].value = (double)nodes;
    return compute_tasks_time(job, json_object_get(json_array_get(phases, phase), "tasks"), 0,
                              time_s);
}

static enum nereus_status read_phase_iterations(struct job *job, size_t phase, double *iterations)
{
    const json_t *phases = json_object_get(job->model, "phases");
    return read_iterations(job, json_array_get(phases, phase), iterations);
}

/* --- malleable jobs --- */

/* The law a + b / n. */
struct law {
    double a, b;
};

/* Relative distance from the law above which a job is refused. */
static const double law_error_max = 0.2;

static double compute_law_error(const struct law *law, int64_t nodes, double time_s)
{
    return time_s > 0 ? fabs(law->a + law->b / (double)nodes - time_s) / time_s : 0;
}

static enum nereus_status find_law(struct job *job, size_t phase, int64_t min, int64_t max,
                                   struct law *law)
{
    double first_s, last_s, time_s;
    NEREUS_TRY(compute_phase_time(job, phase, min, &first_s));
    NEREUS_TRY(compute_phase_time(job, phase, max, &last_s));
    law->b = max > min ? (first_s - last_s) / (1 / (double)min - 1 / (double)max) : 0;
    law->a = first_s - law->b / (double)min;
    const int64_t step = nereus_max(1, nereus_divide_up(max - min, SIZES_MAX));
    for (int64_t n = min; n <= max; n += step) {
        NEREUS_TRY(compute_phase_time(job, phase, n, &time_s));
        const double error = compute_law_error(law, n, time_s);
        if (error > law_error_max) {
            return fail_job(job,
                            "its iterations take another time than a + b / num_nodes, which is "
                            "Amdahl's law");
        }
        job->r->max_error = fmax(job->r->max_error, error > 1e-6 ? error : 0);
    }
    const double limit = -1e-9 * first_s;
    if (law->a < limit || law->b < limit)
        return fail_job(job, "its iterations take longer on more nodes, or less than nothing");
    law->a = fmax(0, law->a);
    law->b = fmax(0, law->b);
    return NEREUS_OK;
}

/* Do the phases after the first one follow the same law, with the same proportions, and take no
 * longer? */
static bool is_proportional(const struct law *first, const struct law *other)
{
    const double cross = first->a * other->b - first->b * other->a;
    const double scale = (first->a + first->b) * (other->a + other->b);
    return fabs(cross) <= 1e-9 * scale && other->a + other->b <= (first->a + first->b) * (1 + 1e-9);
}

static enum nereus_status read_malleable(struct job *job, int64_t nodes, int64_t min, int64_t max,
                                         struct nereus_workload_line *line)
{
    const int64_t cores = nereus_max(1, job->r->platform->cores_per_node);
    const size_t phases = json_array_size(json_object_get(job->model, "phases"));
    struct law first = {0, 0};
    line->run_s = 0;
    for (size_t p = 0; p < phases; p++) {
        struct law law;
        double iterations;
        NEREUS_TRY(find_law(job, p, min, max, &law));
        NEREUS_TRY(read_phase_iterations(job, p, &iterations));
        first = p == 0 ? law : first;
        if (!is_proportional(&first, &law))
            return fail_job(job, "its phases scale differently, or later iterations are longer");
        line->run_s += iterations * (law.a + law.b / (double)nodes);
    }
    const double one_s = first.a + first.b * (double)cores; /* times the iteration on one process */
    line->t_iter_s = first.a + first.b / (double)nodes;
    line->serial = one_s > 0 ? first.a / one_s : 0;
    line->malleable = true;
    line->min = min * cores;
    line->max = max * cores;
    line->given = NEREUS_SIM_GIVEN_MALLEABLE | NEREUS_SIM_GIVEN_T_ITER | NEREUS_SIM_GIVEN_SERIAL |
                  NEREUS_SIM_GIVEN_MIN | NEREUS_SIM_GIVEN_MAX;
    return NEREUS_OK;
}

static enum nereus_status read_rigid(struct job *job, int64_t nodes,
                                     struct nereus_workload_line *line)
{
    const size_t phases = json_array_size(json_object_get(job->model, "phases"));
    line->run_s = 0;
    for (size_t p = 0; p < phases; p++) {
        double iterations, time_s;
        NEREUS_TRY(read_phase_iterations(job, p, &iterations));
        NEREUS_TRY(compute_phase_time(job, p, nodes, &time_s));
        line->run_s += iterations * time_s;
    }
    line->given = NEREUS_SIM_GIVEN_MALLEABLE;
    return NEREUS_OK;
}

/* --- a job --- */

/* Find a path as given, or relative to the jobs file. */
static enum nereus_status load_model(const struct reading *r, const char *path, json_t **document,
                                     struct nereus_error *why)
{
    char beside[PATH_MAX];
    const char *slash = strrchr(r->path, '/'), *name = strrchr(path, '/');
    snprintf(beside, sizeof beside, "%.*s%s", slash != NULL ? (int)(slash - r->path) + 1 : 0,
             r->path, name != NULL ? name + 1 : path);
    return nereus_json_read(access(path, F_OK) == 0 ? path : beside, "application model", document,
                            why);
}

static enum nereus_status find_model(struct reading *r, struct job *job)
{
    const char *path = json_string_value(json_object_get(job->entry, "application_model"));
    if (path == NULL)
        return fail_job(job, "it names no application_model");
    json_t *document = json_object_get(r->models, path);
    if (document == NULL) {
        NEREUS_TRY(load_model(r, path, &document, &job->why));
        if (json_object_set_new(r->models, path, document) != 0)
            return nereus_fail(&job->why, NEREUS_ERR_MEMORY, "no memory for an application model");
    }
    job->model = document;
    return NEREUS_OK;
}

/* Convert to an integer, at most INT64_MAX. */
static int64_t get_integer(const json_t *object, const char *key, int64_t other)
{
    const json_t *item = json_object_get(object, key);
    const double value = json_number_value(item), limit = 9007199254740992.0;
    return json_is_number(item) ? (int64_t)fmax(-limit, fmin(value, limit)) : other;
}

/* Read the attributes that Nereus has written; other attributes are for schedulers. */
static enum nereus_status read_attributes(struct job *job, struct nereus_workload_line *line)
{
    const json_t *attributes = json_object_get(job->entry, "attributes"),
                 *walltime = json_object_get(job->entry, "walltime");
    const int64_t cores = nereus_max(1, job->r->platform->cores_per_node);
    const int64_t processors = get_integer(attributes, "processors", line->processors);
    line->number = get_integer(attributes, "job", line->number);
    if (nereus_divide_up(processors, cores) == line->processors / cores)
        line->processors = processors;
    line->app_class = json_string_value(json_object_get(attributes, "class"));
    line->requested_s = json_is_number(walltime) ? json_number_value(walltime) : -1;
    NEREUS_TRY(read_number(job, attributes, "requested_s", &line->requested_s));
    if (json_object_get(attributes, "bytes_per_process") != NULL) {
        NEREUS_TRY(read_number(job, attributes, "bytes_per_process", &line->bytes_per_process));
        line->given |= NEREUS_SIM_GIVEN_BYTES;
    }
    return NEREUS_OK;
}

/* Does the system change the size of this type of job? The size of others is constant. */
static bool is_resized(const struct job *job)
{
    return is_text(job->entry, "type", "malleable") || is_text(job->entry, "type", "adaptive");
}

static enum nereus_status read_nodes(struct job *job, struct nereus_workload_line *line)
{
    const int64_t cores = nereus_max(1, job->r->platform->cores_per_node);
    const bool rigid = is_text(job->entry, "type", "rigid");
    const int64_t min = get_integer(job->entry, rigid ? "num_nodes" : "num_nodes_min", 0);
    const int64_t max = rigid ? min : get_integer(job->entry, "num_nodes_max", 0);
    const int64_t nodes = get_integer(json_object_get(job->entry, "attributes"), "num_nodes", max);
    if (min < 1 || max < min || max > INT32_MAX / cores)
        return fail_job(job, "its numbers of nodes are missing, or too large");
    if (!rigid && (nodes < min || nodes > max))
        return fail_job(job, "its attribute num_nodes is outside num_nodes_min and num_nodes_max");
    line->processors = (rigid ? min : nodes) * cores;
    return is_resized(job) ? read_malleable(job, nodes, min, max, line)
                           : read_rigid(job, rigid ? min : nodes, line);
}

/* Add the time of the phase on_init, on the nodes with which the job starts. */
static enum nereus_status add_init_time(struct job *job, struct nereus_workload_line *line)
{
    const json_t *phase = json_object_get(job->model, "on_init");
    double iterations, time_s;
    if (!has_key(job->model, "on_init"))
        return NEREUS_OK;
    job->names[0].value =
        (double)line->processors / (double)nereus_max(1, job->r->platform->cores_per_node);
    NEREUS_TRY(read_iterations(job, phase, &iterations));
    NEREUS_TRY(compute_tasks_time(job, json_object_get(phase, "tasks"), 0, &time_s));
    line->run_s += iterations * time_s;
    return NEREUS_OK;
}

static bool has_evolving_request(const struct job *job)
{
    size_t i;
    json_t *phase;
    json_array_foreach(json_object_get(job->model, "phases"), i, phase)
    {
        if (has_key(phase, "evolving_request"))
            return true;
    }
    return false;
}

static void count_type(struct job *job)
{
    const bool evolving = is_text(job->entry, "type", "evolving");
    job->r->moldable += evolving || is_text(job->entry, "type", "moldable");
    job->r->evolving +=
        (evolving || is_text(job->entry, "type", "adaptive")) && has_evolving_request(job);
}

static bool is_known_type(const struct job *job)
{
    return is_resized(job) || is_text(job->entry, "type", "rigid") ||
           is_text(job->entry, "type", "moldable") || is_text(job->entry, "type", "evolving");
}

static enum nereus_status read_job(struct reading *r, struct job *job)
{
    struct nereus_workload_line line = {.requested_s = -1, .submit_s = -1};
    const char *const gpus[] = {"num_gpus_per_node", "num_gpus_per_node_max"};
    line.line = line.number = r->workload->count + 1;
    if (!is_known_type(job))
        return fail_job(job, "its type is not rigid, moldable, malleable, adaptive or evolving");
    for (int i = 0; i < 2; i++)
        if (get_integer(job->entry, gpus[i], 0) > 0)
            return fail_job(job, "it asks for GPUs");
    NEREUS_TRY(find_model(r, job));
    if (json_array_size(json_object_get(job->model, "phases")) == 0)
        return fail_job(job, "its application model has no phases");
    NEREUS_TRY(collect_names(job));
    line.submit_s = NAN;
    NEREUS_TRY(read_number(job, job->entry, "submit_time", &line.submit_s));
    NEREUS_TRY(read_nodes(job, &line));
    NEREUS_TRY(add_init_time(job, &line));
    NEREUS_TRY(read_attributes(job, &line));
    count_type(job);
    r->cut += line.requested_s > 0 && line.requested_s < line.run_s;
    return nereus_workload_add(r->workload, &line, &job->why);
}

/* --- the file --- */

/* Note what the workload represents differently from the files. */
static void note_losses(const struct reading *r)
{
    if (r->moldable > 0) {
        nereus_cli_note("%s: %" PRId64 " moldable and evolving job%s got the largest number of "
                        "nodes",
                        r->path, r->moldable, nereus_plural_s(r->moldable));
    }
    if (r->evolving > 0) {
        nereus_cli_note("%s: what %" PRId64 " job%s would ask for themselves (evolving_request) is "
                        "left out",
                        r->path, r->evolving, nereus_plural_s(r->evolving));
    }
    if (r->cut > 0) {
        nereus_cli_note("%s: the walltime of %" PRId64
                        " job%s is below the run, at which ElastiSim "
                        "would end it: it is taken with the whole run",
                        r->path, r->cut, nereus_plural_s(r->cut));
    }
    if (r->max_error > 0) {
        nereus_cli_note(
            "%s: iterations of malleable jobs are taken by Amdahl's law, which is up to "
            "%.2g %% off",
            r->path, 100 * r->max_error);
    }
}

static enum nereus_status read_jobs(struct reading *r, const json_t *jobs)
{
    bool priced = false;
    for (size_t i = 0; i < json_array_size(jobs); i++) {
        struct job job = {.r = r, .entry = json_array_get(jobs, i)};
        const enum nereus_status status = read_job(r, &job);
        if (status == NEREUS_ERR_MEMORY)
            return nereus_fail(r->err, status, "%s", job.why.text);
        if (status != NEREUS_OK)
            nereus_cli_note("%s: jobs[%zu] is left out: %s", r->path, i, job.why.text);
        priced = priced || has_key(job.model, "on_reconfiguration") ||
                 has_key(job.model, "on_expansion");
    }
    if (priced) {
        nereus_cli_note("%s: the phases on_reconfiguration and on_expansion are left out: a "
                        "profile says what a resize costs",
                        r->path);
    }
    note_losses(r);
    return r->workload->count > 0
               ? NEREUS_OK
               : nereus_fail(r->err, NEREUS_ERR_PARSE, "%s: no job can be converted to a workload",
                             r->path);
}

enum nereus_status nereus_elastisim_read(struct nereus_text_file *file,
                                         const struct nereus_platform *platform,
                                         struct nereus_workload *workload, struct nereus_error *err)
{
    json_t *document;
    *workload = (struct nereus_workload){0};
    NEREUS_TRY(nereus_json_read_text(file, &document, err));
    struct reading reading = {.path = file->path,
                              .platform = platform,
                              .workload = workload,
                              .models = json_object(),
                              .err = err};
    const json_t *jobs = json_object_get(document, "jobs");
    const enum nereus_status status =
        json_is_array(jobs) ? read_jobs(&reading, jobs)
                            : nereus_fail(err, NEREUS_ERR_PARSE,
                                          "%s: there must be an array 'jobs', as in a jobs file of "
                                          "ElastiSim",
                                          file->path);
    json_decref(reading.models);
    json_decref(document);
    if (status != NEREUS_OK)
        nereus_workload_fini(workload);
    return status;
}
