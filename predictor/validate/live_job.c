/** @file live_job.c  Runs one live reconfiguration in a temporary folder. */
#include "live_job.h"

#include <unistd.h>

#include "model/util/file.h"
#include "model/util/home.h"
#include "model/util/json_reader.h"
#include "predictor/cli/command.h"

/* Configuration with a few iterations before and after, each with some computation and a
 * collective, so that the reconfiguration happens in a running application. With two processes per
 * core an iteration takes 2 ms at most. */
static const char application[] = "[general]\n"
                                  "trace = trace.jsonl\n"
                                  "constant_bytes = %lld\n"
                                  "variable_bytes = %lld\n"
                                  "[stage0]\n"
                                  "type = pi\n"
                                  "time_s = %g\n"
                                  "[stage1]\n"
                                  "type = allreduce\n"
                                  "bytes = 8\n";
static const char group[] = "[group%d]\n"
                            "processes = %lld\n"
                            "iterations = %lld\n";

const char nereus_live_growth_method[] = "merge-multiple/coll";
const double nereus_live_work_s = 0.002;
enum { ITERATIONS_COMPARED = 20 };

/* @return iterations before a reconfiguration; an asynchronous one needs more, for omega */
static int64_t get_iterations_before(const struct nereus_method *method)
{
    return nereus_method_is_overlapped(method) ? ITERATIONS_COMPARED : NEREUS_LIVE_ITERATIONS;
}

int64_t nereus_live_request_number(const struct nereus_method *method)
{
    return method->shrink == NEREUS_TS ? 2 : 1;
}

enum nereus_status nereus_live_init(struct nereus_live *live, double limit_s, const char *hostfile,
                                    int64_t cores_per_process, struct nereus_error *err)
{
    *live = (struct nereus_live){.limit_s = limit_s, .cores_per_process = cores_per_process};
    /* jobs run in another folder, so that the path must be absolute */
    if (hostfile != NULL && realpath(hostfile, live->hostfile) == NULL) {
        live->hostfile[0] = '\0';
        return nereus_fail(err, NEREUS_ERR_IO, "host file '%s': %s", hostfile, strerror(errno));
    }
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", live->mpiexec, err));
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-sam", live->program, err));
    char folder[PATH_MAX];
    if (mkdtemp(nereus_temporary_path("nereus", folder, sizeof folder)) == NULL) {
        return nereus_fail(err, NEREUS_ERR_IO, "no temporary folder could be made as %s: %s",
                           folder, strerror(errno));
    }
    snprintf(live->folder, sizeof live->folder, "%s", folder);
    return NEREUS_OK;
}

void nereus_live_fini(struct nereus_live *live)
{
    if (live->folder[0] != '\0') {
        nereus_file_remove_tree(live->folder);
        live->folder[0] = '\0';
    }
}

static enum nereus_status write_application(const char *path,
                                            const struct nereus_live_change *change,
                                            struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    const struct nereus_method *method = change->method;
    struct nereus_file_replace file;
    NEREUS_TRY(nereus_file_replace_begin(path, &file, err));
    file.transient = true;
    int groups = 0;
    fprintf(file.stream, application, (long long)change->constant_bytes,
            (long long)change->variable_bytes, nereus_live_work_s);
    if (nereus_live_request_number(method) > 1)
        fprintf(file.stream, group, groups++, (long long)change->nt,
                (long long)NEREUS_LIVE_ITERATIONS);
    fprintf(file.stream, group, groups++, (long long)change->ns,
            (long long)get_iterations_before(method));
    if (nereus_live_request_number(method) > 1)
        fprintf(file.stream, "method = %s\n", nereus_live_growth_method);
    fprintf(file.stream, group, groups, (long long)change->nt, (long long)NEREUS_LIVE_ITERATIONS);
    fprintf(file.stream, "method = %s\n", nereus_method_format(method, text));
    return nereus_file_replace_commit(&file, err);
}

/* @param method  restart: with a folder for its checkpoints */
static enum nereus_status start_job(const struct nereus_live *live, int64_t processes,
                                    const struct nereus_method *method,
                                    struct nereus_child_result *result, struct nereus_error *err)
{
    static const char variable[] = "NEREUS_CHECKPOINT=";
    const bool restarts = method->process == NEREUS_RESTART;
    char count[24], outcome[96], hostfile[PATH_MAX + 32], cores[64], folder[PATH_MAX + 64];
    snprintf(count, sizeof count, "%lld", (long long)processes);
    snprintf(hostfile, sizeof hostfile, "NEREUS_HOSTFILE=%s", live->hostfile);
    snprintf(cores, sizeof cores, "NEREUS_CORES_PER_PROCESS=%lld",
             (long long)live->cores_per_process);
    snprintf(folder, sizeof folder, "%s%s/nereus-validate.%lld", variable,
             restarts ? live->checkpoints : "", (long long)getpid());
    const char *const environment[] = {hostfile, cores, restarts ? folder : NULL, NULL};
    const char *const argv[] = {live->mpiexec,     "-n",        count,
                                live->program,     "--results", "results.json",
                                "application.ini", NULL};
    const struct nereus_child child = {.argv = argv,
                                       .environment = environment,
                                       .folder = live->folder,
                                       .limit_s = live->limit_s,
                                       .quiet = true,
                                       .on_tick = live->on_tick,
                                       .user = live->user};
    enum nereus_status status = nereus_child_run(&child, result, err);
    if (restarts)
        nereus_file_remove_tree(folder + sizeof variable - 1);
    if (status == NEREUS_OK &&
        (result->exit_status != 0 || result->timed_out || result->interrupt != 0)) {
        status = nereus_fail(err, NEREUS_ERR_SPAWN, "the job %s%s%s%s",
                             nereus_child_format_outcome(&child, result, outcome),
                             result->last[0] != '\0' ? "; it last said '" : "", result->last,
                             result->last[0] != '\0' ? "'" : "");
    }
    return status;
}

static enum nereus_status read_trace(const char *path, int64_t number, struct nereus_trace *trace,
                                     struct nereus_error *err)
{
    NEREUS_TRY(nereus_trace_read(path, trace, err));
    nereus_cli_note_left_out(path, trace->left_out.lines, trace->left_out.first,
                             trace->left_out.why);
    enum nereus_status status = NEREUS_OK;
    const struct nereus_trace_event *event = nereus_trace_reconfiguration(trace, number);
    if (event == NULL || strcmp(event->outcome, "resized") != 0) {
        status = nereus_fail(err, NEREUS_ERR_SPAWN, "the job did not reconfigure: %s%s%s",
                             event == NULL ? "the trace has no record of it" : event->outcome,
                             event != NULL && event->sentence[0] != '\0' ? ", " : "",
                             event != NULL ? event->sentence : "");
        nereus_trace_fini(trace);
    }
    return status;
}

/* Find a figure of a group in the application's results; NAN: missing, or not a number. */
static double get_group_figure(const json_t *results, int64_t index, const char *key)
{
    const json_t *groups = json_object_get(results, "groups");
    return nereus_json_get_real(json_array_get(groups, (size_t)index), key);
}

/* @return time of an iteration of a group with its malleability point, which overlapped iterations
 * include */
static double get_iteration_with_point_s(const json_t *results, int64_t index)
{
    const double point_s = get_group_figure(results, index, "point_mean_s");
    return get_group_figure(results, index, "iteration_median_s") + (isnan(point_s) ? 0 : point_s);
}

/* Add the application's iteration times before, during and after as an event of the trace. */
static enum nereus_status add_iterations(const char *path, int64_t number,
                                         struct nereus_trace *trace, struct nereus_error *err)
{
    json_t *results;
    NEREUS_TRY(nereus_json_read(path, "results", &results, err));
    const struct nereus_trace_event event = {
        .kind = NEREUS_TRACE_ITERATIONS,
        .reconfiguration = number,
        .iterations = get_group_figure(results, number, "overlap_iterations"),
        .t_iter_s = get_iteration_with_point_s(results, number - 1),
        .overlapped_s = get_group_figure(results, number, "overlap_mean_s"),
        .t_iter_after_s = get_iteration_with_point_s(results, number)};
    json_decref(results);
    return nereus_trace_append(trace, &event, err);
}

enum nereus_status nereus_live_run(const struct nereus_live *live,
                                   const struct nereus_live_change *change,
                                   struct nereus_trace *trace, struct nereus_child_result *result,
                                   struct nereus_error *err)
{
    char file[PATH_MAX + 32], trace_file[PATH_MAX + 32], results_file[PATH_MAX + 32];
    *result = (struct nereus_child_result){0};
    snprintf(file, sizeof file, "%s/application.ini", live->folder);
    snprintf(trace_file, sizeof trace_file, "%s/trace.jsonl", live->folder);
    snprintf(results_file, sizeof results_file, "%s/results.json", live->folder);
    remove(trace_file); /* the runtime appends */
    const int64_t number = nereus_live_request_number(change->method);
    enum nereus_status status = write_application(file, change, err);
    if (status == NEREUS_OK)
        status = start_job(live, number > 1 ? change->nt : change->ns, change->method, result, err);
    if (status == NEREUS_OK)
        status = read_trace(trace_file, number, trace, err);
    if (status == NEREUS_OK) {
        status = add_iterations(results_file, number, trace, err);
        if (status != NEREUS_OK)
            nereus_trace_fini(trace);
    }
    return status;
}
