/** @file cmd_simulate.c  The command nereus simulate: simulates a cluster under a workload. */

#include "predictor/cli/command.h"
#include "predictor/cli/progress.h"
#include "predictor/run/interrupt.h"
#include "report.h"
#include "sim_run.h"
#include "sweep.h"

struct settings {
    struct nereus_sim_options simulation;
    struct nereus_picture_settings picture;
    const char *sweep, *window;
    int format;
};

static const struct nereus_option table[] = {
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT",
     "text: a summary; csv: a line per job; json: both; of a sweep: its table (text)",
     offsetof(struct settings, format), nereus_format_choices},
    {"sweep", 0, NEREUS_OPTION_TEXT, "OPTION=VALUE,...",
     "simulate every combination of these values, means over seeds, as \"malleable=0,0.5 "
     "method=merge,baseline seed=1:10\": any option of the three groups above; malleability: "
     "share, policy (unless --policy names it), method and bytes of malleable jobs",
     offsetof(struct settings, sweep), NULL},
    {"window", 0, NEREUS_OPTION_TEXT, "FROM:UNTIL",
     "seconds of the simulation that --output draws (all)", offsetof(struct settings, window),
     NULL},
};

/* State of one run of the command. */
struct work {
    const struct settings *settings;
    struct nereus_sim_source source;
    struct nereus_sim_record record; /* record for the picture of one simulation */
    double from_s, until_s;          /* period of --window */
    bool interrupted;
};

static const char *get_workload_name(const struct work *work)
{
    return work->source.path != NULL ? work->source.path : work->settings->simulation.generate;
}

/* --- one simulation --- */

static bool describes_resizes(const struct nereus_sim_options *options)
{
    const struct nereus_sim_options usual = NEREUS_SIM_OPTIONS_INIT;
    return options->shrink != usual.shrink || options->grow != usual.grow ||
           options->price_scale != usual.price_scale ||
           strcmp(options->method, usual.method) != 0 ||
           strcmp(options->t_iter, usual.t_iter) != 0 ||
           strcmp(options->serial, usual.serial) != 0 ||
           strcmp(options->bytes_per_process, usual.bytes_per_process) != 0;
}

static enum nereus_status report_outcome(void *user, const struct nereus_sim_outcome *outcome,
                                         struct nereus_error *err)
{
    struct work *work = user;
    nereus_workload_print_warnings(get_workload_name(work), outcome->workload);
    nereus_sim_note_prices(outcome);
    if (outcome->prices == NULL && work->settings->simulation.checkpoint == NULL &&
        describes_resizes(&work->settings->simulation)) {
        nereus_cli_note("no job can be resized (--malleable, --policy): the other options of "
                        "malleable jobs have no effect");
    }
    work->interrupted = outcome->interrupted;
    if (work->settings->picture.path != NULL) {
        NEREUS_TRY(nereus_sim_record_draw(&work->record, outcome->workload,
                                          &work->settings->picture, err));
    }
    return nereus_sim_report(outcome->workload, outcome->nodes, outcome->prices, outcome->power,
                             (enum nereus_format)work->settings->format, stdout)
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO, "the results could not be written");
}

static void record_change(void *user, const struct nereus_sim *sim, int32_t job)
{
    struct work *work = user;
    nereus_sim_record_change(&work->record, sim, job);
}

static enum nereus_status simulate_once(struct work *work, struct nereus_error *err)
{
    const struct nereus_sim_options *options = &work->settings->simulation;
    struct nereus_sim_drawn drawn;
    NEREUS_TRY(nereus_sim_options_check(options, work->source.path != NULL, &drawn, err));
    work->source.take = report_outcome;
    work->source.user = work;
    if (work->settings->picture.path != NULL) {
        NEREUS_TRY(nereus_sim_record_init((int32_t)options->nodes, work->from_s, work->until_s,
                                          &work->record, err));
        work->source.on_change = record_change;
    }
    const enum nereus_status status = nereus_sim_run(options, &drawn, &work->source, err);
    nereus_sim_record_fini(&work->record);
    return status;
}

/* --- a sweep --- */

struct sweeping {
    struct work *work;
    struct nereus_sweep sweep;
    struct nereus_sim_summary *summaries; /* indexed by row, then seed */
    struct nereus_sweep_row *rows;
    struct nereus_progress progress;
    int done;   /* number of simulations that have ended */
    bool noted; /* resizes without a price were noted */
};

/* Seeds of a log draw no other submissions, so that an interval says nothing of another month. */
static void note_one_log(const struct sweeping *sweeping)
{
    if (sweeping->work->source.path != NULL && nereus_sweep_seeds(&sweeping->sweep) > 1) {
        nereus_cli_note("the seeds draw malleable jobs and failures; submissions are those of one "
                        "log: the intervals do not cover another one");
    }
}

static enum nereus_status add_summary(void *user, const struct nereus_sim_outcome *outcome,
                                      struct nereus_error *err)
{
    struct sweeping *sweeping = user;
    (void)err;
    if (sweeping->done == 0) {
        nereus_workload_print_warnings(get_workload_name(sweeping->work), outcome->workload);
        note_one_log(sweeping);
    }
    if (!sweeping->noted)
        sweeping->noted = nereus_sim_note_prices(outcome);
    sweeping->work->interrupted = outcome->interrupted;
    if (!outcome->interrupted) {
        nereus_sim_summarise(outcome->workload, outcome->nodes, outcome->power,
                             &sweeping->summaries[sweeping->done++]);
    }
    return NEREUS_OK;
}

static enum nereus_status sweep_one(struct sweeping *sweeping, int row, int seed,
                                    struct nereus_error *err)
{
    struct work *work = sweeping->work;
    struct nereus_sim_options options = work->settings->simulation;
    struct nereus_sim_drawn drawn;
    NEREUS_TRY(nereus_sweep_set(&sweeping->sweep, row, seed, &options, err));
    NEREUS_TRY(nereus_sim_options_check(&options, work->source.path != NULL, &drawn, err));
    work->source.take = add_summary;
    work->source.user = sweeping;
    NEREUS_TRY(nereus_sim_run(&options, &drawn, &work->source, err));
    nereus_progress_update(&sweeping->progress, sweeping->done, NULL);
    return NEREUS_OK;
}

/* @param[out] rows  number of rows whose seeds are all simulated */
static enum nereus_status sweep_rows(struct sweeping *sweeping, int *rows, struct nereus_error *err)
{
    const int seeds = nereus_sweep_seeds(&sweeping->sweep);
    const int count = nereus_sweep_rows(&sweeping->sweep);
    nereus_progress_start_quietly(&sweeping->progress, "simulating", (double)count * seeds, 2);
    for (*rows = 0; *rows < count; (*rows)++) {
        const struct nereus_sim_summary *own = sweeping->summaries + (size_t)*rows * (size_t)seeds;
        for (int seed = 0; seed < seeds && !sweeping->work->interrupted; seed++)
            NEREUS_TRY(sweep_one(sweeping, *rows, seed, err));
        if (sweeping->work->interrupted)
            break;
        nereus_sweep_summarise(own, sweeping->summaries, seeds, &sweeping->rows[*rows]);
    }
    nereus_progress_end(&sweeping->progress, NULL);
    return NEREUS_OK;
}

static void print_effects(const struct sweeping *sweeping)
{
    char *text = nereus_sweep_effects(&sweeping->sweep, sweeping->rows, false), *rest = text, *line;
    puts("\nOne option at a time, the others equal:");
    while (rest != NULL && (line = strsep(&rest, "\n"))[0] != '\0')
        nereus_print_wrapped(stdout, 2, "%s", line);
    free(text);
}

static enum nereus_status sweep_all(struct sweeping *sweeping, struct nereus_error *err)
{
    const struct settings *settings = sweeping->work->settings;
    const size_t rows = (size_t)nereus_sweep_rows(&sweeping->sweep);
    const size_t seeds = (size_t)nereus_sweep_seeds(&sweeping->sweep);
    int complete = 0;
    sweeping->summaries = calloc(rows * seeds, sizeof *sweeping->summaries);
    sweeping->rows = calloc(rows, sizeof *sweeping->rows);
    enum nereus_status status =
        sweeping->summaries == NULL || sweeping->rows == NULL
            ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %zu simulations", rows * seeds)
            : sweep_rows(sweeping, &complete, err);
    if (status == NEREUS_OK && !nereus_sweep_print(&sweeping->sweep, sweeping->rows, complete,
                                                   (enum nereus_format)settings->format, stdout))
        status = nereus_fail(err, NEREUS_ERR_IO, "the results could not be written");
    if (status == NEREUS_OK && settings->format == NEREUS_FORMAT_TEXT && complete == (int)rows)
        print_effects(sweeping);
    if (status == NEREUS_OK && settings->picture.path != NULL && complete > 0) {
        status =
            nereus_sweep_draw(&sweeping->sweep, sweeping->rows, complete, &settings->picture, err);
    }
    free(sweeping->summaries);
    free(sweeping->rows);
    return status;
}

static enum nereus_status parse_window(const struct settings *settings, struct work *work,
                                       struct nereus_error *err)
{
    char rest;
    if (settings->window == NULL)
        return NEREUS_OK;
    if (settings->picture.path == NULL || settings->sweep != NULL) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--window is a part of the picture of one simulation: it needs "
                           "--output, and no --sweep");
    }
    return sscanf(settings->window, "%lf:%lf%c", &work->from_s, &work->until_s, &rest) == 2 &&
                   work->from_s >= 0 && work->until_s > work->from_s && isfinite(work->until_s)
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "--window must be FROM:UNTIL in seconds, as 0:3600, not '%s'",
                             settings->window);
}

/* Check the command line before any file is read. */
static enum nereus_status check_settings(const struct settings *settings, bool file,
                                         struct nereus_sweep *sweep, struct work *work,
                                         struct nereus_error *err)
{
    struct nereus_sim_drawn drawn;
    NEREUS_TRY(nereus_picture_check(&settings->picture, err));
    NEREUS_TRY(parse_window(settings, work, err));
    if (settings->sweep == NULL)
        return nereus_sim_options_check(&settings->simulation, file, &drawn, err);
    const bool one_policy =
        settings->simulation.policy >= 0 && strcmp(settings->sweep, "malleability") == 0;
    NEREUS_TRY(
        nereus_sweep_parse(one_policy ? NEREUS_SWEEP_ONE_POLICY : settings->sweep, sweep, err));
    for (int row = 0; row < nereus_sweep_rows(sweep); row++) {
        struct nereus_sim_options options = settings->simulation;
        NEREUS_TRY(nereus_sweep_set(sweep, row, 0, &options, err));
        NEREUS_TRY(nereus_sim_options_check(&options, file, &drawn, err));
    }
    return NEREUS_OK;
}

static bool sweeps_nodes(const struct nereus_sweep *sweep)
{
    for (int i = 0; i < sweep->axis_count; i++)
        if (strcmp(sweep->axes[i].option->name, "nodes") == 0)
            return true;
    return false;
}

static enum nereus_status answer_question(struct settings *settings, struct work *work,
                                          struct nereus_sweep *sweep, struct nereus_error *err)
{
    struct sweeping sweeping = {.work = work, .sweep = *sweep};
    const char *const read[] = {work->source.path, settings->simulation.classes,
                                settings->simulation.profile.profile,
                                settings->simulation.node_failures};
    NEREUS_TRY(nereus_picture_check_path(&settings->picture, read, NEREUS_COUNT_OF(read), err));
    enum nereus_status status = nereus_sim_set_machine(
        &settings->simulation, settings->simulation.nodes > 0 || sweeps_nodes(sweep), &work->source,
        err);
    if (status == NEREUS_OK)
        status = settings->sweep != NULL ? sweep_all(&sweeping, err) : simulate_once(work, err);
    if (work->source.has_profile)
        nereus_profile_fini(&work->source.profile);
    return status;
}

static const char help[] =
    "Simulates a cluster under a workload (of sacct, Standard Workload Format or CSV, also "
    "gzipped), event by event. A share of the jobs can be malleable: they are resized by a policy, "
    "and each resize costs what the profile predicts for it. Nodes can fail: "
    "jobs then end, wait again, or go on at once on the nodes left.";

int nereus_cmd_simulate(int argc, char **argv)
{
    struct settings settings = {.simulation = NEREUS_SIM_OPTIONS_INIT};
    const struct nereus_option_group groups[] = {
        {"Cluster and workload", nereus_sim_machine_options, nereus_sim_machine_option_count,
         &settings.simulation},
        {"Malleable jobs", nereus_sim_malleable_options, nereus_sim_malleable_option_count,
         &settings.simulation},
        {"Failures of nodes", nereus_sim_failure_options, nereus_sim_failure_option_count,
         &settings.simulation},
        {"Prices of resizes and checkpoints", nereus_profile_options, nereus_profile_option_count,
         &settings.simulation.profile},
        {"Results", table, NEREUS_COUNT_OF(table), &settings},
        {NULL, nereus_picture_options, nereus_picture_option_count, &settings.picture}};
    const struct nereus_command_line line = NEREUS_COMMAND_LINE("[WORKLOAD]", help, groups, 0, 1);
    struct work work = {.settings = &settings};
    struct nereus_arguments files;
    struct nereus_sweep sweep = {0};
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status))
        return exit_status;
    work.source.path = files.count == 1 ? files.items[0] : NULL;
    if (check_settings(&settings, work.source.path != NULL, &sweep, &work, &err) != NEREUS_OK) {
        nereus_sweep_fini(&sweep);
        return nereus_cli_fail_usage("%s", err.text);
    }
    nereus_interrupt_watch();
    const enum nereus_status status = answer_question(&settings, &work, &sweep, &err);
    const int signal_number = nereus_interrupted();
    nereus_interrupt_end();
    nereus_sweep_fini(&sweep);
    NEREUS_CLI_TRY(status, err);
    if (work.interrupted) {
        nereus_cli_note(settings.sweep != NULL
                            ? "interrupted: the rows are those that were complete"
                            : "interrupted: the results are those of the jobs that had ended");
        return 128 + signal_number;
    }
    return NEREUS_EXIT_OK;
}
