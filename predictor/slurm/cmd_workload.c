/**
 * @file cmd_workload.c
 * The command nereus slurm workload: runs a workload in a real Slurm, and compares it with its
 * simulation.
 */
#include "model/util/file.h"
#include "predictor/cli/command.h"
#include "predictor/cli/output.h"
#include "predictor/cli/progress.h"
#include "predictor/run/interrupt.h"
#include "predictor/simulate/sim_run.h"
#include "slurm_queue.h"
#include "submitted.h"

struct settings {
    struct nereus_sim_options simulation;
    const char *output;
    int format;
    bool dry, latencies;
};

static const struct nereus_option table[] = {
    {"output", 'o', NEREUS_OPTION_PLACE, "FOLDER",
     "configurations, scripts and outputs of the jobs (workload)",
     offsetof(struct settings, output), NULL},
    {"policy", 0, NEREUS_OPTION_CHOICE, "NAME",
     "who resizes malleable jobs in the simulation, as a broker does in Slurm: as for `nereus "
     "simulate` (none)",
     offsetof(struct settings, simulation.policy), nereus_sim_policy_names},
    {"dry-run", 0, NEREUS_OPTION_FLAG, NULL,
     "write configurations and scripts, print the simulation, submit nothing",
     offsetof(struct settings, dry), NULL},
    {"latencies", 0, NEREUS_OPTION_FLAG, NULL,
     "measure what Slurm adds, with 13 jobs of 1 to 2 s on all --nodes in about a minute, and "
     "print the --latency that makes simulations take it into account",
     offsetof(struct settings, latencies), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text, csv: a line per job, or json: both (text)",
     offsetof(struct settings, format), nereus_format_choices},
};

/* State of one run of the command. */
struct work {
    const struct settings *settings;
    struct nereus_sim_source source;
    struct nereus_submitted submitted;
    struct nereus_progress progress;
    bool failed; /* at least one job has failed */
};

/* --- results --- */

static const char *const state_names[] = {"waiting", "running", "ended", "failed"};

static bool has_started(const struct nereus_submitted_job *job)
{
    return job->state != NEREUS_SUBMITTED_WAITING;
}

#define JOB_COLUMNS(X)                                                                             \
    X("job", "job", NULL, nereus_cell_integer(simulated->number))                                  \
    X("nodes", "nodes", NULL, nereus_cell_integer(simulated->nodes))                               \
    X("submit_s", "submitted", "s",                                                                \
      nereus_cell_real(job->id[0] != '\0' ? job->submit_s : simulated->submit_s - first_s))        \
    X("wait_s", "wait", "s",                                                                       \
      nereus_cell_if(has_started(job), nereus_cell_real(job->start_s - job->submit_s)))            \
    X("simulated_wait_s", "simulated wait", "s",                                                   \
      nereus_cell_real(simulated->start_s - simulated->submit_s))                                  \
    X("run_s", "run", "s",                                                                         \
      nereus_cell_if(job->state == NEREUS_SUBMITTED_ENDED,                                         \
                     nereus_cell_real(job->end_s - job->start_s)))                                 \
    X("simulated_run_s", "simulated run", "s",                                                     \
      nereus_cell_real(simulated->end_s - simulated->start_s))                                     \
    X("malleable", "malleable", NULL, nereus_cell_bool(simulated->malleable))                      \
    X("state", "state", NULL, nereus_cell_text(state_names[job->state]))
static struct nereus_table make_job_table(const struct nereus_submitted *submitted)
{
    struct nereus_table rows;
    const double first_s = submitted->workload->jobs[0].submit_s;
    NEREUS_TABLE_INIT(&rows, JOB_COLUMNS);
    for (int64_t i = 0; i < submitted->workload->count; i++) {
        const struct nereus_sim_job *simulated = &submitted->workload->jobs[i];
        const struct nereus_submitted_job *job = &submitted->jobs[i];
        NEREUS_TABLE_ADD(&rows, JOB_COLUMNS);
    }
    return rows;
}

/* Means over the jobs that have ended in Slurm. */
struct figures {
    const char *what;
    int64_t jobs;
    double makespan_s, mean_wait_s, mean_turnaround_s;
};

static void add_job(struct figures *figures, double submit_s, double start_s, double end_s)
{
    figures->jobs++;
    figures->makespan_s = fmax(figures->makespan_s, end_s);
    figures->mean_wait_s += start_s - submit_s;
    figures->mean_turnaround_s += end_s - submit_s;
}

#define COLUMNS(X)                                                                                 \
    X("what", "", NULL, nereus_cell_text(f->what))                                                 \
    X("jobs", "jobs", NULL, nereus_cell_integer(f->jobs))                                          \
    X("makespan_s", "makespan", "s", nereus_cell_real(f->makespan_s))                              \
    X("mean_wait_s", "mean wait", "s", nereus_cell_real(f->mean_wait_s / (double)f->jobs))         \
    X("mean_turnaround_s", "turnaround", "s",                                                      \
      nereus_cell_real(f->mean_turnaround_s / (double)f->jobs))
static struct nereus_table make_summary_table(const struct nereus_submitted *submitted)
{
    struct figures both[] = {{.what = "measured"}, {.what = "simulated"}};
    struct nereus_table rows;
    const double first_s = submitted->workload->jobs[0].submit_s;
    NEREUS_TABLE_INIT(&rows, COLUMNS);
    for (int64_t i = 0; i < submitted->workload->count; i++) {
        const struct nereus_submitted_job *job = &submitted->jobs[i];
        const struct nereus_sim_job *simulated = &submitted->workload->jobs[i];
        if (job->state == NEREUS_SUBMITTED_ENDED) {
            add_job(&both[0], job->submit_s, job->start_s, job->end_s);
            add_job(&both[1], simulated->submit_s - first_s, simulated->start_s - first_s,
                    simulated->end_s - first_s);
        }
    }
    for (int i = 0; i < 2 && both[0].jobs > 0; i++) {
        const struct figures *f = &both[i];
        NEREUS_TABLE_ADD(&rows, COLUMNS);
    }
    return rows;
}

static bool print_results(const struct nereus_submitted *submitted, enum nereus_format format,
                          FILE *stream)
{
    struct nereus_table jobs = make_job_table(submitted), summary = make_summary_table(submitted);
    if (format == NEREUS_FORMAT_JSON) {
        return nereus_json_write(nereus_json_pack("{s:o,s:o}", "summary",
                                                  nereus_table_json(&summary), "jobs",
                                                  nereus_table_json(&jobs)),
                                 stream);
    }
    bool printed = nereus_table_print(&jobs, format, stream);
    if (format == NEREUS_FORMAT_CSV || summary.row_count == 0) {
        nereus_table_fini(&summary);
        return printed;
    }
    fputc('\n', stream);
    return nereus_table_print(&summary, format, stream) && printed;
}

/* --- latencies: what Slurm adds to jobs that hold all nodes one after the other --- */

/* A chain of jobs, and jobs that find free nodes when it has ended. As Slurm's controller looks at
 * its queue about once a second, jobs end and are submitted at other parts of a second. */
static const double latency_job_submit_s[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 45, 52.3, 59.6, 66.9};
enum { LATENCY_JOBS = NEREUS_COUNT_OF(latency_job_submit_s) };

/* 1 to 1.9 s. */
static double get_latency_job_run_s(int64_t job)
{
    return 1 + 0.1 * (double)(3 * job % 10);
}

/* Write the workload of the measurement, FOLDER/latencies.csv; the folder is made.
 * @param[out] path  PATH_MAX characters */
static enum nereus_status write_latency_jobs(const char *folder, int64_t processors, char *path,
                                             struct nereus_error *err)
{
    struct nereus_file_replace replace;
    NEREUS_TRY(nereus_file_make_folder(folder, err));
    snprintf(path, PATH_MAX, "%s/latencies.csv", folder);
    NEREUS_TRY(nereus_file_replace_begin(path, &replace, err));
    fputs("submit_s,run_s,processors\n", replace.stream);
    for (int i = 0; i < LATENCY_JOBS; i++)
        fprintf(replace.stream, "%g,%g,%lld\n", latency_job_submit_s[i], get_latency_job_run_s(i),
                (long long)processors);
    return nereus_file_replace_commit(&replace, err);
}

enum latency { SUBMIT, NEXT, JOB, LATENCIES };
static const char *const latency_names[LATENCIES] = {"submit", "next", "job"};
static const char *const latency_meanings[LATENCIES] = {
    "from a submission to the start, on free nodes", "from the end of a job to the next start",
    "what a job takes beyond its work"};

struct latency_samples {
    double values_s[LATENCY_JOBS];
    int count;
};

static void add_sample(struct latency_samples *samples, double value_s)
{
    samples->values_s[samples->count++] = value_s > 0 ? value_s : 0;
}

/* A job that was submitted after the end of the one before it found free nodes. */
static void collect(const struct nereus_submitted *submitted,
                    struct latency_samples samples[LATENCIES])
{
    double free_since_s = 0;
    for (int64_t i = 0; i < submitted->workload->count && i < LATENCY_JOBS; i++) {
        const struct nereus_submitted_job *job = &submitted->jobs[i];
        if (job->state != NEREUS_SUBMITTED_ENDED)
            continue;
        if (i == 0 || job->submit_s >= free_since_s)
            add_sample(&samples[SUBMIT], job->start_s - job->submit_s);
        else
            add_sample(&samples[NEXT], job->start_s - free_since_s);
        add_sample(&samples[JOB], job->end_s - job->start_s - get_latency_job_run_s(i));
        free_since_s = job->end_s;
    }
}

/* Mean, least and most; NAN if there are none. */
static void summarise(const struct latency_samples *samples, double *mean_s, double *least_s,
                      double *most_s)
{
    double sum_s = 0;
    *mean_s = *least_s = *most_s = NAN;
    for (int i = 0; i < samples->count; i++) {
        sum_s += samples->values_s[i];
        *least_s = fmin(*least_s, samples->values_s[i]);
        *most_s = fmax(*most_s, samples->values_s[i]);
        *mean_s = sum_s / (i + 1);
    }
}

#define LATENCY_COLUMNS(X)                                                                         \
    X("latency", "", NULL, nereus_cell_text(latency_names[i]))                                     \
    X("mean_s", "mean", "s", nereus_cell_real(mean_s))                                             \
    X("least_s", "least", "s", nereus_cell_real(least_s))                                          \
    X("most_s", "most", "s", nereus_cell_real(most_s))                                             \
    X("jobs", "jobs", NULL, nereus_cell_integer(s->count))                                         \
    X("meaning", "", NULL, nereus_cell_text(latency_meanings[i]))

/* Print means of the latencies, and as text also the --latency of `nereus simulate`.
 * @return false when writing failed */
static bool print_latencies(const struct nereus_submitted *submitted, enum nereus_format format,
                            FILE *stream)
{
    struct latency_samples samples[LATENCIES] = {{.count = 0}};
    char text[120] = "";
    size_t used = 0;
    struct nereus_table rows;
    NEREUS_TABLE_INIT(&rows, LATENCY_COLUMNS);
    collect(submitted, samples);
    for (int i = 0; i < LATENCIES; i++) {
        struct latency_samples *s = &samples[i];
        double mean_s, least_s, most_s;
        summarise(s, &mean_s, &least_s, &most_s);
        NEREUS_TABLE_ADD(&rows, LATENCY_COLUMNS);
        if (s->count > 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:%.2fs",
                                     used > 0 ? " " : "", latency_names[i], mean_s);
    }
    if (format == NEREUS_FORMAT_JSON)
        return nereus_json_write(nereus_table_json(&rows), stream);
    const bool printed = nereus_table_print(&rows, format, stream);
    if (format == NEREUS_FORMAT_TEXT && used > 0)
        fprintf(stream, "\n--latency \"%s\"\n", text);
    return printed && !ferror(stream);
}

/* --- jobs --- */

static void show_progress(void *user, const struct nereus_submitted *submitted)
{
    struct work *work = user;
    int64_t done = 0;
    for (int64_t i = 0; i < submitted->workload->count; i++)
        done += submitted->jobs[i].state >= NEREUS_SUBMITTED_ENDED;
    nereus_progress_update(&work->progress, (double)done, NULL);
}

static void note_failures(struct work *work)
{
    for (int64_t i = 0; i < work->submitted.workload->count; i++) {
        const struct nereus_submitted_job *job = &work->submitted.jobs[i];
        if (job->state == NEREUS_SUBMITTED_FAILED) {
            work->failed = true;
            nereus_cli_note("job %lld (Slurm's %s) %s; see %s/job-%lld.out",
                            (long long)work->submitted.workload->jobs[i].number, job->id,
                            job->status < 0 ? "was ended by Slurm" : "has failed",
                            work->submitted.folder, (long long)i);
        }
    }
}

static enum nereus_status run_submitted(struct work *work, struct nereus_error *err)
{
    struct nereus_submitted *submitted = &work->submitted;
    if (work->settings->dry) {
        for (int64_t i = 0; i < submitted->workload->count; i++)
            NEREUS_TRY(nereus_submitted_write(submitted, i, err));
        return NEREUS_OK;
    }
    nereus_progress_start_quietly(&work->progress, "jobs", (double)submitted->workload->count, 2);
    const enum nereus_status status = nereus_submitted_run(submitted, show_progress, work, err);
    nereus_progress_end(&work->progress, NULL);
    return status;
}

/* Note another number of nodes than the simulation has; latencies need all of them, and idle. */
static enum nereus_status check_nodes(const struct settings *settings, struct nereus_error *err)
{
    const int64_t wanted = settings->simulation.nodes;
    struct nereus_slurm_queue queue = {.count = 0};
    const bool is_known = nereus_slurm_queue_read(NULL, &queue, NULL) == NEREUS_OK;
    const int64_t nodes = queue.nodes, idle = queue.idle_nodes;
    nereus_slurm_queue_fini(&queue);
    if (is_known && settings->latencies && idle < wanted) {
        return nereus_fail(err, NEREUS_ERR_STATE,
                           "--latencies needs %lld idle node%s (--nodes), and Slurm has %lld",
                           (long long)wanted, nereus_plural_s(wanted), (long long)idle);
    }
    if (is_known && nodes != wanted) {
        nereus_cli_note("Slurm has %lld node%s in service, and the simulation %lld: waits differ "
                        "(--nodes %lld)",
                        (long long)nodes, nereus_plural_s(nodes), (long long)wanted,
                        (long long)nodes);
    }
    return NEREUS_OK;
}

/* Submit the jobs of the workload, after it was simulated. */
static enum nereus_status submit_jobs(void *user, const struct nereus_sim_outcome *outcome,
                                      struct nereus_error *err)
{
    struct work *work = user;
    const struct settings *settings = work->settings;
    nereus_workload_print_warnings(work->source.path != NULL ? work->source.path : "the workload",
                                   outcome->workload);
    if (outcome->interrupted)
        return NEREUS_OK;
    NEREUS_TRY(nereus_submitted_init(outcome->workload,
                                     (int32_t)settings->simulation.cores_per_node, settings->output,
                                     &work->submitted, err));
    enum nereus_status status = settings->dry ? NEREUS_OK : check_nodes(settings, err);
    if (status == NEREUS_OK)
        status = run_submitted(work, err);
    if (status == NEREUS_OK) {
        note_failures(work);
        status = (settings->latencies ? print_latencies : print_results)(
                     &work->submitted, (enum nereus_format)settings->format, stdout)
                     ? NEREUS_OK
                     : nereus_fail(err, NEREUS_ERR_IO, "the results could not be written");
    }
    nereus_submitted_fini(&work->submitted);
    return status;
}

static enum nereus_status run_workload(struct settings *settings, struct work *work,
                                       struct nereus_error *err)
{
    struct nereus_sim_options *options = &settings->simulation;
    struct nereus_sim_drawn drawn;
    char path[PATH_MAX];
    NEREUS_TRY(nereus_sim_set_machine(options, options->nodes > 0, &work->source, err));
    if (settings->latencies) {
        NEREUS_TRY(write_latency_jobs(settings->output, options->nodes * options->cores_per_node,
                                      path, err));
        work->source.path = path;
    }
    NEREUS_TRY(nereus_sim_options_check(options, work->source.path != NULL, &drawn, err));
    return nereus_sim_run(options, &drawn, &work->source, err);
}

static const char help[] =
    "Submits the jobs of a workload to Slurm, as synthetic applications (`nereus run`) that run as "
    "long as it says, and prints their waiting and run times, compared with those of `nereus "
    "simulate` for the same jobs. Run it where sbatch works.";

int nereus_cmd_slurm_workload(int argc, char **argv)
{
    struct settings settings = {.simulation = NEREUS_SIM_OPTIONS_INIT, .output = "workload"};
    const struct nereus_option_group groups[] = {
        {"Cluster and workload", nereus_sim_machine_options, nereus_sim_machine_option_count,
         &settings.simulation},
        {"Prices of simulated resizes", nereus_profile_options, nereus_profile_option_count,
         &settings.simulation.profile},
        {"Results", table, NEREUS_COUNT_OF(table), &settings}};
    const struct nereus_command_line line = NEREUS_COMMAND_LINE("[WORKLOAD]", help, groups, 0, 1);
    struct work work = {.settings = &settings};
    struct nereus_sim_drawn drawn;
    struct nereus_arguments files;
    struct nereus_error err;
    int exit_status;
    settings.simulation.policy = 0; /* none */
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status))
        return exit_status;
    work.source = (struct nereus_sim_source){
        .path = files.count == 1 ? files.items[0] : NULL, .take = submit_jobs, .user = &work};
    if (settings.latencies && (files.count > 0 || settings.simulation.generate != NULL ||
                               settings.dry || settings.simulation.latency != NULL))
        return nereus_cli_fail_usage("--latencies submits jobs of its own: leave the workload, "
                                     "--generate, --latency and --dry-run out");
    if (nereus_sim_options_check(&settings.simulation,
                                 settings.latencies || work.source.path != NULL, &drawn,
                                 &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    nereus_interrupt_watch();
    const enum nereus_status status = run_workload(&settings, &work, &err);
    const int signal_number = nereus_interrupted();
    nereus_interrupt_end();
    NEREUS_CLI_TRY(status, err);
    if (signal_number != 0) {
        nereus_cli_note("interrupted: jobs that had not ended were cancelled");
        return 128 + signal_number;
    }
    return work.failed ? NEREUS_EXIT_FAILED : NEREUS_EXIT_OK;
}
