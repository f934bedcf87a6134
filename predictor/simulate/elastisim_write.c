/**
 * @file elastisim_write.c
 * Writes a workload as ElastiSim's files. A performance model keeps the nodes busy for a time:
 *
 *   rigid      one phase, one iteration of run_s
 *   malleable  an iteration on n nodes takes fixed_s + shared_s / n, which is Amdahl's law; a last,
 *              shorter one takes rest_share of that
 *
 * ElastiSim substitutes the names of arguments textually in a model, also inside longer names:
 * so no argument's name may be a part of another name, or of num_nodes.
 */
#include "convert.h"
#include "model/util/file.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"

/* Largest number of sizes, because a larger model is slow to evaluate; between these sizes the
 * price of the next lower one is used. */
enum { PRICES_MAX = 32, PRICE_TEXT = 80 };

struct writing {
    const struct nereus_workload *workload;
    const struct nereus_platform *platform;
    struct nereus_resize_prices *prices;
    const char *folder;
    struct nereus_error *err;
};

/* --- files --- */

static enum nereus_status write_json(const struct writing *w, const char *name, json_t *document)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    return nereus_json_replace(path, document, 2, false, w->err);
}

static json_t *make_delay_task(const char *delay)
{
    return nereus_json_pack("[{s:s,s:s,s:s}]", "type", "busy_wait", "delay", delay, "pattern",
                            "uniform");
}

static json_t *make_rigid_model(void)
{
    return nereus_json_pack("{s:[{s:i,s:b,s:o}]}", "phases", "iterations", 1, "scheduling_point", 0,
                            "tasks", make_delay_task("run_s"));
}

static json_t *make_malleable_model(bool rest, bool price)
{
    json_t *model = nereus_json_pack("{s:[{s:s,s:b,s:o}]}", "phases", "iterations",
                                     "whole_iterations", "final_scheduling_point", rest, "tasks",
                                     make_delay_task("fixed_s + shared_s / num_nodes"));
    if (rest) {
        json_array_append_new(
            json_object_get(model, "phases"),
            nereus_json_pack("{s:i,s:b,s:o}", "iterations", 1, "scheduling_point", 0, "tasks",
                             make_delay_task("rest_share * (fixed_s + shared_s / num_nodes)")));
    }
    if (price) {
        json_object_set_new(model, "on_reconfiguration",
                            nereus_json_pack("{s:o}", "tasks", make_delay_task("resize_s")));
    }
    return model;
}

/* --- jobs --- */

static json_t *make_exact_number(double value)
{
    char text[32];
    return nereus_json_text(nereus_format_real(value, text));
}

/* Print the seconds of a resize by its target size, from the nodes requested (or to them from the
 * least ones), as nested conditions. */
static json_t *make_price_model(const struct writing *w, const struct nereus_sim_job *job,
                                int64_t nodes, int64_t min, int64_t max)
{
    const int64_t cores = w->platform->cores_per_node;
    const int64_t step = nereus_divide_up(max - min + 1, PRICES_MAX);
    const double rate = job->serial + (1 - job->serial) / (double)job->processors;
    char number[32], text[PRICES_MAX * PRICE_TEXT] = "", *end = text;
    int depth = 0;
    double last_s = 0;
    for (int64_t n = min; n <= max; n += step) {
        const int64_t from = n == nodes ? (n > min ? min : max) : nodes;
        const double t_ns =
            (job->serial + (1 - job->serial) / (double)(from * cores)) / rate * job->t_iter_s;
        const double t_nt =
            (job->serial + (1 - job->serial) / (double)(n * cores)) / rate * job->t_iter_s;
        const struct nereus_resize_question question = {.ns = from * cores,
                                                        .nt = n * cores,
                                                        .bytes = job->bytes_per_process *
                                                                 (double)job->processors,
                                                        .t_iter_ns_s = t_ns,
                                                        .t_iter_nt_s = t_nt};
        struct nereus_resize_price price = {0};
        if (from != n && !nereus_resize_prices_find(w->prices, &question, &price))
            return NULL;
        last_s = price.rt_s;
        if (n + step <= max) {
            end += snprintf(end, PRICE_TEXT, "if(num_nodes < %lld, %s, ", (long long)(n + step),
                            nereus_format_real(last_s, number));
            depth++;
        }
    }
    end += snprintf(end, PRICE_TEXT, "%s", nereus_format_real(last_s, number));
    for (; depth > 0; depth--)
        *end++ = ')';
    *end = '\0';
    return nereus_json_text(text);
}

static json_t *make_malleable_job(const struct writing *w, const struct nereus_sim_job *job,
                                  int64_t nodes, bool *rest)
{
    const int64_t cores = w->platform->cores_per_node;
    const int64_t min = nereus_divide_up(job->min, cores);
    const int64_t max = nereus_min(job->max / cores, w->platform->nodes);
    const double at_asked = job->serial + (1 - job->serial) / (double)(nodes * cores);
    const double iterations = job->run_s / job->t_iter_s;
    const double whole = floor(iterations * (1 + 1e-12)), share = iterations - whole;
    *rest = share > 1e-9 && whole > 0;
    json_t *arguments = nereus_json_pack(
        "{s:o,s:o}", "fixed_s", make_exact_number(job->t_iter_s * job->serial / at_asked),
        "shared_s",
        make_exact_number(job->t_iter_s * (1 - job->serial) / (double)cores / at_asked));
    if (whole < 1) {
        /* a job shorter than one iteration has one iteration of its own length */
        json_object_set_new(arguments, "fixed_s",
                            make_exact_number(job->run_s * job->serial / at_asked));
        json_object_set_new(
            arguments, "shared_s",
            make_exact_number(job->run_s * (1 - job->serial) / (double)cores / at_asked));
    }
    json_object_set_new(arguments, "whole_iterations", json_integer((json_int_t)fmax(1, whole)));
    if (*rest)
        json_object_set_new(arguments, "rest_share", make_exact_number(share));
    if (w->prices != NULL)
        json_object_set_new(arguments, "resize_s", make_price_model(w, job, nodes, min, max));
    return nereus_json_pack("{s:s,s:f,s:I,s:I,s:o}", "type", "malleable", "submit_time",
                            job->submit_s, "num_nodes_min", (json_int_t)min, "num_nodes_max",
                            (json_int_t)max, "arguments", arguments);
}

static json_t *make_rigid_job(const struct nereus_sim_job *job, int64_t nodes)
{
    json_t *entry = nereus_json_pack("{s:s,s:f,s:I,s:{s:o}}", "type", "rigid", "submit_time",
                                     job->submit_s, "num_nodes", (json_int_t)nodes, "arguments",
                                     "run_s", make_exact_number(job->run_s));
    if (job->estimate_s > job->run_s)
        json_object_set_new(entry, "walltime",
                            json_integer((json_int_t)fmin(ceil(job->estimate_s), 1e15)));
    return entry;
}

/* Add attributes for schedulers of ElastiSim and for reading the job back. */
static json_t *make_job_attributes(const struct writing *w, const struct nereus_sim_job *job,
                                   int64_t nodes)
{
    json_t *all = nereus_json_pack("{s:I,s:I,s:I}", "job", (json_int_t)job->number, "num_nodes",
                                   (json_int_t)nodes, "processors", (json_int_t)job->processors);
    if (job->estimate_s > job->run_s)
        json_object_set_new(all, "requested_s", make_exact_number(job->estimate_s));
    if ((job->given & NEREUS_SIM_GIVEN_BYTES) != 0)
        json_object_set_new(all, "bytes_per_process", make_exact_number(job->bytes_per_process));
    if (job->app_class != NEREUS_SIM_NONE)
        json_object_set_new(all, "class", nereus_json_text(w->workload->classes[job->app_class]));
    return all;
}

/* @return why a job cannot be converted; NULL: it can */
static const char *find_refusal(const struct writing *w, const struct nereus_sim_job *job)
{
    static const unsigned needed =
        NEREUS_SIM_GIVEN_T_ITER | NEREUS_SIM_GIVEN_MIN | NEREUS_SIM_GIVEN_MAX;
    const int64_t cores = w->platform->cores_per_node;
    if (nereus_divide_up(job->processors, cores) > w->platform->nodes)
        return "it asks for more nodes than the platform has";
    if (!job->malleable)
        return NULL;
    if ((job->given & needed) != needed)
        return "it is malleable, which needs t_iter_s, least_processors and most_processors";
    if (job->processors % cores != 0)
        return "it is malleable and asks for a part of a node: ElastiSim counts whole ones";
    return job->t_iter_s <= 0 || job->run_s <= 0 ? "it is malleable and has no time to iterate"
                                                 : NULL;
}

static json_t *make_job_entry(const struct writing *w, const struct nereus_sim_job *job)
{
    const int64_t nodes = nereus_divide_up(job->processors, w->platform->cores_per_node);
    bool rest = false;
    char path[PATH_MAX];
    json_t *entry =
        job->malleable ? make_malleable_job(w, job, nodes, &rest) : make_rigid_job(job, nodes);
    snprintf(path, sizeof path, "%s/%s", w->folder,
             !job->malleable ? "rigid.json"
             : rest          ? "malleable_rest.json"
                             : "malleable.json");
    json_object_set_new(entry, "application_model", nereus_json_text(path));
    json_object_set_new(entry, "attributes", make_job_attributes(w, job, nodes));
    return entry;
}

static enum nereus_status write_jobs(const struct writing *w)
{
    json_t *jobs = json_array();
    for (int64_t i = 0; i < w->workload->count; i++) {
        const struct nereus_sim_job *job = &w->workload->jobs[i];
        const char *why = find_refusal(w, job);
        if (why != NULL) {
            nereus_cli_note("job %lld (line %lld) is left out: %s", (long long)job->number,
                            (long long)job->line, why);
        } else if (json_array_append_new(jobs, make_job_entry(w, job)) != 0) {
            json_decref(jobs);
            return nereus_fail(w->err, NEREUS_ERR_MEMORY, "no memory for job %lld",
                               (long long)job->number);
        }
        if (w->prices != NULL && w->prices->without_price > 0) {
            json_decref(jobs);
            return nereus_fail(
                w->err, NEREUS_ERR_NO_BASIS, "job %lld (line %lld): no price of a resize: %.300s",
                (long long)job->number, (long long)job->line, w->prices->refusal.text);
        }
    }
    if (json_array_size(jobs) == 0) {
        json_decref(jobs);
        return nereus_fail(w->err, NEREUS_ERR_ARGUMENT, "no job of the workload can be converted");
    }
    return write_json(w, "jobs.json", nereus_json_pack("{s:o}", "jobs", jobs));
}

static json_t *make_path(const struct writing *w, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    return nereus_json_text(path);
}

static enum nereus_status write_configuration(const struct writing *w)
{
    return write_json(
        w, "configuration.json",
        nereus_json_pack(
            "{s:i,s:i,s:b,s:b,s:b,s:b,s:b,s:s,s:o,s:o,s:o,s:o,s:o}", "scheduling_interval", 0,
            "min_scheduling_interval", 0, "schedule_on_job_submit", 1, "schedule_on_job_finalize",
            1, "schedule_on_scheduling_point", 1, "allow_oversubscription", 0, "sensing", 0,
            "zmq_url", "ipc:///tmp/elastisim.ipc", "jobs_file", make_path(w, "jobs.json"),
            "platform_file", make_path(w, "platform.xml"), "job_statistics",
            make_path(w, "job_statistics.csv"), "node_utilization",
            make_path(w, "node_utilization.csv"), "task_times", make_path(w, "task_times.csv")));
}

static enum nereus_status write_platform(const struct writing *w)
{
    char path[PATH_MAX];
    struct nereus_file_replace replace;
    snprintf(path, sizeof path, "%s/platform.xml", w->folder);
    NEREUS_TRY(nereus_file_replace_begin(path, &replace, w->err));
    nereus_platform_write(w->platform, replace.stream);
    return nereus_file_replace_commit(&replace, w->err);
}

enum nereus_status nereus_elastisim_write(const struct nereus_workload *workload,
                                          const struct nereus_platform *platform,
                                          struct nereus_resize_prices *prices, const char *folder,
                                          struct nereus_error *err)
{
    const struct writing w = {workload, platform, prices, folder, err};
    const bool price = prices != NULL;
    NEREUS_TRY(nereus_file_make_folder(folder, err));
    NEREUS_TRY(write_jobs(&w));
    NEREUS_TRY(write_json(&w, "rigid.json", make_rigid_model()));
    NEREUS_TRY(write_json(&w, "malleable.json", make_malleable_model(false, price)));
    NEREUS_TRY(write_json(&w, "malleable_rest.json", make_malleable_model(true, price)));
    NEREUS_TRY(write_configuration(&w));
    return write_platform(&w);
}
