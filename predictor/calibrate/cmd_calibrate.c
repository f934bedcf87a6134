/**
 * @file cmd_calibrate.c
 * nereus calibrate: measures this machine within a time budget and writes its profile.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/calibrate/grid.h"
#include "model/calibrate/order.h"
#include "model/calibrate/rows.h"
#include "model/layout/slurm.h"
#include "model/util/clock.h"
#include "model/util/file.h"
#include "model/util/limits.h"
#include "model/util/text.h"
#include "model/util/try.h"
#include "nereus/profile_place.h"
#include "nereus/provenance.h"
#include "predictor/cli/command.h"
#include "predictor/cli/options.h"
#include "predictor/cli/output.h"
#include "predictor/cli/progress.h"
#include "predictor/run/child.h"
#include "predictor/run/interrupt.h"
#include "predictor/run/store.h"
#include "predictor/run/this_machine.h"
#include "runner.h"
#include "summary.h"

enum { MOST_LOAD = 3 };
/* Limit of a task: the rest of the budget plus its expected time, of which at most overtime_s
 * counts; and at most task_limit_s. */
static const double overtime_s = 5.0, task_limit_s = 30.0;

struct settings {
    double budget_s, precision_percent;
    const char *output, *samples, *hostfile, *cluster, *program;
    int64_t slots, cores, cores_per_process, seed;
    int format;
    bool no_install;
};

static const char *const formats[] = {"text", "json", NULL};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option table[] = {
    {"budget", 'b', NEREUS_OPTION_SECONDS, "TIME", "how long to measure (60s)", AT(budget_s), NULL},
    {"precision", 'p', NEREUS_OPTION_NUMBER, "PERCENT",
     "end when the 90 % intervals of all medians are within this (5; 0: never)",
     AT(precision_percent), NULL},
    {"output", 'o', NEREUS_OPTION_PLACE, "PROFILE.json",
     "also write the profile to this file (only installed; with --no-install profile.json)",
     AT(output), NULL},
    {"no-install", 0, NEREUS_OPTION_FLAG, NULL,
     "do not install the profile as the default of other commands", AT(no_install), NULL},
    {"samples", 0, NEREUS_OPTION_PLACE, "FILE.csv",
     "samples file; a later run continues it (name of the profile with .csv)", AT(samples), NULL},
    {"hostfile", 0, NEREUS_OPTION_TEXT, "FILE",
     "measure on these hosts: lines name[:cores] ($NEREUS_HOSTFILE; else the Slurm allocation's)",
     AT(hostfile), NULL},
    {"slots", 0, NEREUS_OPTION_COUNT, "N",
     "largest job to measure (the host file's slots; in an allocation three times its cores)",
     AT(slots), NULL},
    {"cores-per-node", 0, NEREUS_OPTION_COUNT, "N",
     "cores of this host, or of every node of the allocation (the usable ones)", AT(cores), NULL},
    {"cores-per-process", 0, NEREUS_OPTION_COUNT, "N",
     "cores that each process of a reconfiguration takes, with its threads (the host file's, else 1)",
     AT(cores_per_process), NULL},
    {"cluster", 0, NEREUS_OPTION_TEXT, "NAME",
     "name of the cluster in samples and profile (Slurm's in an allocation, else this host's)",
     AT(cluster), NULL},
    {"program", 0, NEREUS_OPTION_TEXT, "COMMAND",
     "also measure the start-up of this program, such as \"app input.txt\"", AT(program), NULL},
    {"seed", 0, NEREUS_OPTION_NATURAL, "N", "seed of the random order (from the clock)", AT(seed),
     NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "of the summary: text or json (text)", AT(format),
     formats},
};

/* Everything that one calibration works on. */
struct calibration {
    const struct settings *settings;
    char cluster[64], samples_path[PATH_MAX];
    char output[PATH_MAX];
    char installed[NEREUS_PROFILE_PATH_MAX]; /* "": it is not installed */
    char replaced[160];                      /* the installed profile so far; "": none */
    char hostfile[PATH_MAX];                 /* "": this host alone */
    bool hostfile_is_ours;
    struct nereus_machine machine;
    struct nereus_provenance origin; /* provenance of the rows of this run */
    struct nereus_calibration_grid grid;
    struct nereus_calibration_runner runner;
    struct nereus_calibration_store store;
    struct nereus_samples held; /* rows of the file */
    struct nereus_progress progress;
    double started_s;
    int64_t tasks, failed_tasks, rows; /* tasks: successful ones */
    char last_failure[256];
    bool nothing_works; /* nereus_calibration_grid_nothing_works */
    int late;           /* tasks stopped at the end of the budget */
    int interrupt;
};

/* ---- setting up ---- */

/* In an allocation the machine is its nodes: until the end a host file lies beside the samples,
 * in a folder that the nodes share. */
static enum nereus_status use_allocation(struct calibration *calibration,
                                         const struct nereus_slurm *slurm, struct nereus_error *err)
{
    char *text;
    NEREUS_TRY(nereus_slurm_hosts(slurm, calibration->settings->cores, &text, err));
    if (snprintf(calibration->hostfile, PATH_MAX, "%s.hosts", calibration->samples_path) >=
        PATH_MAX) {
        free(text);
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path %s is too long",
                           calibration->samples_path);
    }
    struct nereus_file_replace file;
    enum nereus_status status = nereus_file_replace_begin(calibration->hostfile, &file, err);
    if (status == NEREUS_OK) {
        fputs(text, file.stream);
        file.transient = true;
        status = nereus_file_replace_commit(&file, err);
    }
    free(text);
    calibration->hostfile_is_ours = status == NEREUS_OK;
    NEREUS_TRY(status);
    const bool tasks = slurm->tasks_per_node != NULL && calibration->settings->cores <= 0;
    nereus_cli_note("the nodes are those of the Slurm allocation: %.200s%s%.160s", slurm->nodes,
                    tasks ? ", with a core for each task that was asked for: " : "",
                    tasks ? slurm->tasks_per_node : "");
    return NEREUS_OK;
}

/* --hostfile, else the allocation, else this host. */
static enum nereus_status choose_hosts(struct calibration *calibration, struct nereus_error *err)
{
    const struct nereus_slurm slurm = nereus_slurm_environment();
    const char *given = calibration->settings->hostfile;
    if (given == NULL)
        return slurm.nodes != NULL ? use_allocation(calibration, &slurm, err) : NEREUS_OK;
    return snprintf(calibration->hostfile, PATH_MAX, "%s", given) < PATH_MAX
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path %s is too long", given);
}

static enum nereus_status describe_machine(struct calibration *calibration,
                                           struct nereus_error *err)
{
    const struct settings *settings = calibration->settings;
    char host[64];
    nereus_this_machine_name(host, sizeof host);
    /* The cluster's name does not depend on the node that the command runs on. */
    const char *slurm = calibration->hostfile_is_ours ? getenv("SLURM_CLUSTER_NAME") : NULL;
    snprintf(calibration->cluster, sizeof calibration->cluster, "%s",
             settings->cluster != NULL ? settings->cluster
             : slurm != NULL           ? slurm
                                       : host);
    if (calibration->hostfile[0] != '\0') {
        NEREUS_TRY(nereus_machine_from_file(calibration->hostfile, &calibration->machine, err));
        if (!calibration->hostfile_is_ours) {
            NEREUS_TRY(
                nereus_this_machine_knows_hosts(&calibration->machine, calibration->hostfile, err));
        }
    } else {
        int64_t cores = settings->cores > 0 ? settings->cores : nereus_cores_usable();
        NEREUS_TRY(nereus_machine_single(host, cores, &calibration->machine, err));
    }
    if (settings->cores_per_process > 0) {
        NEREUS_TRY(nereus_machine_set_per_process(&calibration->machine,
                                                  settings->cores_per_process, err));
    }
    if (settings->slots > 0) {
        calibration->machine.slots = settings->slots;
    } else if (calibration->hostfile_is_ours) {
        /* An allocation is exclusive: oversubscribed nodes can be measured too. */
        calibration->machine.slots = MOST_LOAD * nereus_machine_total_cores(&calibration->machine);
    }
    return NEREUS_OK;
}

/* The installed profile so far, which will be replaced. */
static enum nereus_status look_at_installed(struct calibration *calibration,
                                            struct nereus_error *err)
{
    struct nereus_profile old;
    NEREUS_TRY(nereus_profile_check_place(calibration->installed, err));
    if (access(calibration->installed, F_OK) != 0)
        return NEREUS_OK;
    if (nereus_profile_read(calibration->installed, &old, NULL) != NEREUS_OK) {
        snprintf(calibration->replaced, sizeof calibration->replaced, "one that cannot be read");
        return NEREUS_OK;
    }
    snprintf(calibration->replaced, sizeof calibration->replaced, "that of %s, measured %s",
             old.cluster, old.date[0] != '\0' ? old.date : "at an unknown date");
    nereus_profile_fini(&old);
    return NEREUS_OK;
}

/* Where the profile goes. What cannot be installed is only noted: measurements are worth more. */
static enum nereus_status choose_output(struct calibration *calibration, struct nereus_error *err)
{
    const struct settings *settings = calibration->settings;
    struct nereus_profile_search search;
    struct nereus_error why;
    nereus_profile_search_here(&search);
    if (!settings->no_install &&
        (nereus_profile_install_path(&search, settings->cluster, calibration->installed, &why) !=
             NEREUS_OK ||
         look_at_installed(calibration, &why) != NEREUS_OK)) {
        nereus_cli_note("the profile will not be installed: %s", why.text);
        calibration->installed[0] = '\0';
    }
    const char *output = settings->output != NULL            ? settings->output
                         : calibration->installed[0] != '\0' ? calibration->installed
                                                             : "profile.json";
    return snprintf(calibration->output, PATH_MAX, "%s", output) < PATH_MAX
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path %s is too long", output);
}

static void tick(void *user);

/* What waits for its next share of time takes longer than on whole cores. */
static void note_quota(double processors)
{
    struct nereus_limits limits;
    char time[32];
    if (processors > 0.0) {
        nereus_limits_read(NULL, &limits);
        nereus_cores_text(processors, time);
        nereus_cli_note(
            "a control group allows this host the time of %s (%s): the profile is one of "
            "%s; calibrate under the limit that jobs will have",
            time, limits.processors.place, time);
    }
}

static void describe_origin(struct calibration *calibration)
{
    struct nereus_provenance *origin = &calibration->origin;
    nereus_this_machine_origin(&calibration->machine, calibration->cluster, origin);
    note_quota(origin->processors);
    if (calibration->hostfile_is_ours) /* not the node that this command runs on */
        snprintf(origin->host, sizeof origin->host, "%s", nereus_slurm_environment().nodes);
}

static enum nereus_status open_samples(struct calibration *calibration, struct nereus_error *err)
{
    NEREUS_TRY(choose_output(calibration, err));
    NEREUS_TRY(nereus_calibration_store_path(calibration->output, calibration->settings->samples,
                                             calibration->samples_path, err));
    /* Check before measuring that the profile can be written. */
    NEREUS_TRY(nereus_profile_check_place(calibration->output, err));
    if (nereus_file_same(calibration->output, calibration->samples_path)) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "--output %.200s and --samples %.200s are one file: the profile would replace the "
            "samples; name two",
            calibration->output, calibration->samples_path);
    }
    NEREUS_TRY(choose_hosts(calibration, err));
    NEREUS_TRY(describe_machine(calibration, err));
    NEREUS_TRY(nereus_calibration_grid_make(&calibration->machine, &calibration->grid, err));
    if (calibration->settings->program != NULL)
        nereus_calibration_grid_add_program(calibration->settings->program, &calibration->grid);
    NEREUS_TRY(
        nereus_calibration_runner_init(&calibration->runner, calibration->samples_path, err));
    NEREUS_TRY(nereus_calibration_store_open(calibration->samples_path, calibration->cluster,
                                             nereus_machine_per_process(&calibration->machine),
                                             &calibration->store, &calibration->held, err));
    return nereus_calibration_check_cores(calibration->samples_path, &calibration->machine,
                                          &calibration->held, err);
}

static enum nereus_status set_up(struct calibration *calibration, struct nereus_error *err)
{
    NEREUS_TRY(open_samples(calibration, err));
    describe_origin(calibration);
    calibration->store.origin = &calibration->origin;
    calibration->runner.machine = &calibration->machine;
    calibration->runner.hostfile = calibration->hostfile[0] != '\0' ? calibration->hostfile : NULL;
    calibration->runner.cluster = calibration->cluster;
    calibration->runner.on_tick = tick;
    calibration->runner.user = calibration;
    nereus_calibration_grid_count(&calibration->grid, &calibration->held);
    return NEREUS_OK;
}

static void tear_down(struct calibration *calibration)
{
    nereus_calibration_store_close(&calibration->store);
    nereus_samples_fini(&calibration->held);
    nereus_calibration_grid_fini(&calibration->grid);
    nereus_machine_fini(&calibration->machine);
    if (calibration->hostfile_is_ours)
        unlink(calibration->hostfile);
}

/* ---- measuring ---- */

/* NEREUS_TEST_JOB_S: a simulated clock that advances by this value with each job, so that tests of
 * a budget count jobs. 0: the real one. */
static double made_up_job_s(void)
{
    const char *text = getenv("NEREUS_TEST_JOB_S");
    return text != NULL ? atof(text) : 0;
}

static double spent_s(const struct calibration *calibration)
{
    if (made_up_job_s() > 0)
        return made_up_job_s() * (double)(calibration->tasks + calibration->failed_tasks);
    return nereus_clock_s() - calibration->started_s;
}

static double left_s(const struct calibration *calibration)
{
    return calibration->settings->budget_s - spent_s(calibration);
}

static void tick(void *user)
{
    struct calibration *calibration = user;
    nereus_progress_set_left(&calibration->progress, fmax(0.0, left_s(calibration)));
    nereus_progress_update(&calibration->progress, spent_s(calibration), NULL);
}

static double precision(const struct calibration *calibration)
{
    return 0.01 * calibration->settings->precision_percent;
}

/* A failed task is reported in a line and skipped; if all fail for the same reason, once. */
static void note_failure(struct calibration *calibration, struct nereus_calibration_cell *cell,
                         const char *why)
{
    const bool told =
        calibration->tasks == 0 && nereus_cli_same_but_numbers(why, calibration->last_failure);
    cell->failures++;
    snprintf(cell->failure, sizeof cell->failure, "%.310s", why);
    snprintf(calibration->last_failure, sizeof calibration->last_failure, "%.255s", why);
    calibration->failed_tasks++;
    if (!told) {
        nereus_progress_say(&calibration->progress, "%s failed and is skipped: %s", cell->label,
                            why);
    }
}

/* Keep the rows of a successful run. */
static enum nereus_status keep(struct calibration *calibration,
                               struct nereus_calibration_cell *cell,
                               const struct nereus_samples *rows, struct nereus_error *err)
{
    const int64_t before = cell->runs;
    NEREUS_TRY(nereus_calibration_store_append(&calibration->store, rows, err));
    NEREUS_TRY(nereus_samples_append(&calibration->held, rows, err));
    nereus_calibration_cell_count(cell, &calibration->held);
    calibration->rows += rows->count;
    if (cell->runs == before) { /* else it would be chosen again and again */
        cell->failures++;
        snprintf(cell->failure, sizeof cell->failure, "the rows of a run were not complete");
    }
    return NEREUS_OK;
}

/* Runs a cell and keeps its rows. */
static enum nereus_status measure(struct calibration *calibration, int index,
                                  struct nereus_error *err)
{
    struct nereus_calibration_cell *cell = &calibration->grid.cells[index];
    struct nereus_samples rows;
    double wall_s;
    const double made_up_s = made_up_job_s();
    const double rest_s =
        made_up_s > 0 ? task_limit_s : left_s(calibration) + fmin(overtime_s, cell->cost_s);
    nereus_progress_update(&calibration->progress, spent_s(calibration), cell->label);
    calibration->runner.huge_pages = nereus_calibration_huge_pages(&calibration->held);
    enum nereus_status status = nereus_calibration_run(
        &calibration->runner, cell, fmin(task_limit_s, rest_s), &rows, &wall_s, err);
    wall_s = made_up_s > 0 ? made_up_s : wall_s;
    if (status == NEREUS_ERR_STATE)
        return status;
    if (status != NEREUS_OK) {
        cell->cost_s = fmax(cell->cost_s, wall_s);
        if (rest_s < task_limit_s && wall_s >= rest_s) {
            calibration->late++;
            nereus_progress_say(&calibration->progress, "%s was stopped at the end of the budget",
                                cell->label);
        } else {
            note_failure(calibration, cell, err->text);
            nereus_calibration_grid_give_up_program(&calibration->grid, index);
        }
        return NEREUS_OK;
    }
    calibration->tasks++;
    nereus_calibration_grid_took(&calibration->grid, index, wall_s);
    status = keep(calibration, cell, &rows, err);
    nereus_samples_fini(&rows);
    return status;
}

static enum nereus_status measure_all(struct calibration *calibration, int64_t seed,
                                      struct nereus_error *err)
{
    unsigned short state[3] = {(unsigned short)(seed & 0xffff),
                               (unsigned short)(seed >> 16 & 0xffff),
                               (unsigned short)(seed >> 32 & 0xffff)};
    enum nereus_status status = NEREUS_OK;
    calibration->started_s = nereus_clock_s();
    int next = nereus_calibration_grid_next(&calibration->grid, precision(calibration),
                                            left_s(calibration), state);
    if (next < 0)
        return NEREUS_OK;
    nereus_progress_start(&calibration->progress, "calibrating", calibration->settings->budget_s);
    while (next >= 0 && status == NEREUS_OK && nereus_interrupted() == 0 &&
           !calibration->nothing_works) {
        status = measure(calibration, next, err);
        calibration->nothing_works =
            nereus_calibration_grid_nothing_works(&calibration->grid, calibration->tasks);
        next = nereus_calibration_grid_next(&calibration->grid, precision(calibration),
                                            left_s(calibration), state);
    }
    calibration->interrupt = nereus_interrupted();
    char done[96];
    snprintf(done, sizeof done, "%" PRId64 " measurement%s, %" PRId64 " row%s", calibration->tasks,
             nereus_plural_s(calibration->tasks), calibration->rows,
             nereus_plural_s(calibration->rows));
    nereus_progress_end(&calibration->progress, done);
    return calibration->interrupt != 0 ? NEREUS_OK : status;
}

/* ---- the profile ---- */

/* The provenance is in the samples file, so that `nereus profile fit` gives the same profile later.
 * Rows before the first provenance line are of this machine too. */
static enum nereus_status describe_profile(struct calibration *calibration,
                                           const struct nereus_provenances *origins,
                                           struct nereus_profile *profile, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    const struct nereus_provenance *told = nereus_provenances_of(origins, calibration->cluster);
    if (told == NULL || !nereus_provenance_same_but_date(told, &calibration->origin)) {
        status = nereus_calibration_store_write_origin(&calibration->store, err);
        told = &calibration->origin;
    }
    nereus_provenance_describe(told, profile);
    nereus_profile_set_campaign(profile);
    return status;
}

static void install(struct calibration *calibration, const struct nereus_profile *profile)
{
    struct nereus_error err;
    if (calibration->installed[0] != '\0' &&
        !nereus_file_same(calibration->installed, calibration->output) &&
        nereus_profile_write(calibration->installed, profile, &err) != NEREUS_OK) {
        nereus_cli_note("the profile is not installed: %s", err.text);
        calibration->installed[0] = '\0';
    }
}

/* All rows of the file, earlier ones too. @param whole  not interrupted: to be installed */
static enum nereus_status write_profile(struct calibration *calibration, bool whole, int64_t *rows,
                                        struct nereus_error *err)
{
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_provenances origins = {0};
    struct nereus_profile profile;
    memset(&profile, 0, sizeof profile);
    enum nereus_status status =
        nereus_samples_read_provenance(calibration->samples_path, false, &samples, &origins, err);
    if (status == NEREUS_OK) {
        *rows = samples.count;
        status = nereus_profile_fit(&samples, calibration->cluster, &profile, err);
    }
    if (status == NEREUS_OK)
        status = describe_profile(calibration, &origins, &profile, err);
    if (status == NEREUS_OK)
        status = nereus_profile_write(calibration->output, &profile, err);
    if (status == NEREUS_OK && whole)
        install(calibration, &profile);
    nereus_profile_fini(&profile);
    nereus_provenances_fini(&origins);
    nereus_samples_fini(&samples);
    return status;
}

static void print_json(const struct calibration *calibration, int64_t seed, int64_t rows)
{
    const int missing = nereus_calibration_grid_missing(&calibration->grid);
    nereus_json_write(
        nereus_json_pack(
            "{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:i, s:i, s:i, s:f, s:I, s:o, s:o, s:s?, s:s?}",
            "profile", calibration->output, "samples", calibration->samples_path, "cluster",
            calibration->cluster, "cores_per_node", (json_int_t)calibration->origin.cores_per_node,
            "new_rows", (json_int_t)calibration->rows, "rows", (json_int_t)rows, "failed_tasks",
            (json_int_t)calibration->failed_tasks, "grid_cells", calibration->grid.count,
            "cells_not_measured", missing, "cells_not_narrow",
            nereus_calibration_grid_wide(&calibration->grid, precision(calibration)),
            "precision_percent", calibration->settings->precision_percent, "seed", (json_int_t)seed,
            "cells", nereus_calibration_summary_json(&calibration->grid), "rates",
            nereus_calibration_rates_json(&calibration->held), "installed",
            calibration->installed[0] != '\0' ? calibration->installed : NULL, "replaced",
            calibration->replaced[0] != '\0' ? calibration->replaced : NULL),
        stdout);
}

/* Cells that failed twice count as complete; the summary above names them. */
static void print_early_end(const struct calibration *calibration)
{
    int given_up = 0;
    for (int i = 0; i < calibration->grid.count; i++)
        given_up += nereus_calibration_cell_given_up(&calibration->grid.cells[i]);
    printf("complete after %.0f s of a budget of %.0f s: every median is within %.3g %%",
           spent_s(calibration), calibration->settings->budget_s,
           calibration->settings->precision_percent);
    if (given_up > 0)
        printf(", except %d kind%s that failed twice", given_up, nereus_plural_s(given_up));
    putchar('\n');
}

/* What was replaced is said; so is how a profile of another name is taken. */
static void print_installed(const struct calibration *calibration)
{
    const char *cluster = calibration->settings->cluster;
    if (calibration->installed[0] == '\0')
        return;
    printf("installed: %s%s%s\n", calibration->installed,
           calibration->replaced[0] != '\0' ? ", replacing " : "", calibration->replaced);
    if (cluster != NULL)
        printf("`nereus profile use %s` makes it the one that is taken here\n", cluster);
}

static bool print_summary(const struct calibration *calibration, int64_t seed, int64_t rows)
{
    const int missing = nereus_calibration_grid_missing(&calibration->grid);
    const int wide = nereus_calibration_grid_wide(&calibration->grid, precision(calibration));
    if (calibration->settings->format == 1) {
        print_json(calibration, seed, rows);
        return true;
    }
    printf("%s: %d kind%s of measurement, %d of them made so far; %" PRId64
           " row%s in %s (seed %" PRId64 ")\n",
           calibration->cluster, calibration->grid.count, nereus_plural_s(calibration->grid.count),
           calibration->grid.count - missing, rows, nereus_plural_s(rows),
           calibration->samples_path, seed);
    const bool printed = nereus_calibration_summary_print(&calibration->grid, &calibration->machine,
                                                          &calibration->held, stdout);
    if (wide > 0) {
        printf("%d kind%s %s not yet within %.3g %%: the same command again continues with them\n",
               wide, nereus_plural_s(wide), nereus_agree(wide, "is", "are"),
               calibration->settings->precision_percent);
    } else {
        print_early_end(calibration);
    }
    if (strcmp(calibration->output, calibration->installed) != 0)
        printf("profile: %s\n", calibration->output);
    print_installed(calibration);
    return printed;
}

/* Earlier rows and an earlier profile stay. */
static int nothing_measured(const struct calibration *calibration)
{
    if (calibration->failed_tasks > 0) {
        return nereus_cli_fail(
            "nothing could be measured: %s%s; nereus doctor says what works here",
            calibration->failed_tasks > 1 ? "the last of the jobs " : "the job ",
            calibration->last_failure);
    }
    if (calibration->late > 0) {
        return nereus_cli_fail(
            "no measurement ended within a budget of %.3g s: give a longer one; nereus "
            "doctor says what works here",
            calibration->settings->budget_s);
    }
    return nereus_cli_fail("a budget of %.3g s is too short for any measurement",
                           calibration->settings->budget_s);
}

/* Write a profile of the rows so far, if they can be fitted. */
static int interrupted(struct calibration *calibration)
{
    struct nereus_error err;
    int64_t rows = 0;
    if (calibration->held.count == 0) {
        nereus_cli_note("interrupted before anything was measured; no profile was written");
    } else if (write_profile(calibration, false, &rows, &err) != NEREUS_OK) {
        nereus_cli_note(
            "interrupted; no profile was written: %s; what was measured is in %s, and the same "
            "command again continues from there",
            err.text, calibration->samples_path);
    } else {
        nereus_cli_note(
            "interrupted; the profile %s is fitted to the %" PRId64
            " row%s so far; these are in %s, and the same command again continues from there",
            calibration->output, rows, nereus_plural_s(rows), calibration->samples_path);
    }
    return 128 + calibration->interrupt;
}

/* It was asked for: without it the profile is that of the calibration's own program. */
static int check_program(const struct calibration *calibration)
{
    const char *why = "the budget was spent";
    if (calibration->settings->program == NULL)
        return NEREUS_EXIT_OK;
    for (int i = 0; i < calibration->grid.count; i++) {
        const struct nereus_calibration_cell *cell = &calibration->grid.cells[i];
        const bool starts = cell->task == NEREUS_CELL_PROGRAM;
        if (starts && cell->runs > 0)
            return NEREUS_EXIT_OK;
        why = starts && cell->failure[0] != '\0' ? cell->failure : why;
    }
    return nereus_cli_fail(
        "the start-up of '%.255s' was not measured: %s; the profile is without it",
        calibration->settings->program, why);
}

static int finish(struct calibration *calibration, int64_t seed)
{
    struct nereus_error err;
    int64_t rows = 0;
    if (calibration->interrupt != 0)
        return interrupted(calibration);
    if (calibration->nothing_works || calibration->held.count == 0)
        return nothing_measured(calibration);
    if (write_profile(calibration, true, &rows, &err) != NEREUS_OK) {
        return nereus_cli_fail("no profile was written: %s (the measurements are kept in %s)",
                               err.text, calibration->samples_path);
    }
    if (!print_summary(calibration, seed, rows))
        return nereus_cli_fail("the summary could not be printed");
    return check_program(calibration);
}

static int calibrate(const struct settings *settings)
{
    struct calibration calibration = {.settings = settings};
    struct nereus_error err;
    int64_t seed = settings->seed >= 0 ? settings->seed : (int64_t)time(NULL);
    int exit_status;
    if (set_up(&calibration, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else if (nereus_interrupt_watch() != 0) {
        exit_status = nereus_cli_fail("signals cannot be watched for: %s", strerror(errno));
    } else {
        if (calibration.held.count > 0) {
            nereus_cli_note("continuing from %" PRId64 " row%s in %s", calibration.held.count,
                            nereus_plural_s(calibration.held.count), calibration.samples_path);
        }
        if (measure_all(&calibration, seed, &err) != NEREUS_OK)
            exit_status = nereus_cli_fail("%s", err.text);
        else
            exit_status = finish(&calibration, seed);
        nereus_interrupt_end();
    }
    tear_down(&calibration);
    return exit_status;
}

static const char help[] =
    "Measures this machine and writes its profile. First each kind of measurement is made once, "
    "beginning with those that every prediction needs. Then measurements are repeated in random "
    "order, preferring those that narrow the intervals of the medians most per second, until the "
    "budget is spent or all intervals are narrow enough. All samples are kept in a file; the same "
    "command continues from it. After an interrupt the profile is fitted to the samples so far.";

static const struct nereus_plain_line plain = {NULL, help, table, NEREUS_COUNT_OF(table), 0, 0};

int nereus_cmd_calibrate(int argc, char **argv)
{
    const char *hostfile = getenv("NEREUS_HOSTFILE");
    struct settings settings = {.budget_s = 60.0,
                                .precision_percent = 5.0,
                                .hostfile =
                                    hostfile != NULL && hostfile[0] != '\0' ? hostfile : NULL,
                                .seed = -1};
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, NULL, &exit_status))
        return exit_status;
    return calibrate(&settings);
}
