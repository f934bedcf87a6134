/**
 * @file cmd_calibrate.c
 * The command nereus calibrate: measures this machine within a time budget and writes its profile.
 */
#include <time.h>

#include "calibration.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"

/* In the order of enum nereus_calibration_format. */
static const char *const formats[] = {"text", "json", NULL};

static const struct nereus_option table[] = {
    {"budget", 'b', NEREUS_OPTION_SECONDS, "TIME", "how long to measure (60s)",
     offsetof(struct nereus_calibration_settings, budget_s), NULL},
    {"precision", 'p', NEREUS_OPTION_NUMBER, "PERCENT",
     "end when the 90 % intervals of all medians are within this (5; 0: never)",
     offsetof(struct nereus_calibration_settings, precision_percent), NULL},
    {"output", 'o', NEREUS_OPTION_PLACE, "PROFILE.json",
     "also write the profile to this file (only installed; with --no-install profile.json)",
     offsetof(struct nereus_calibration_settings, output), NULL},
    {"no-install", 0, NEREUS_OPTION_FLAG, NULL,
     "do not install the profile as the default of other commands",
     offsetof(struct nereus_calibration_settings, no_install), NULL},
    {"samples", 0, NEREUS_OPTION_PLACE, "FILE.csv",
     "samples file; a later run continues it (name of the profile with .csv)",
     offsetof(struct nereus_calibration_settings, samples), NULL},
    {"hostfile", 0, NEREUS_OPTION_TEXT, "FILE",
     "measure on these hosts: lines name[:cores] ($NEREUS_HOSTFILE; else the Slurm allocation's)",
     offsetof(struct nereus_calibration_settings, hostfile), NULL},
    {"slots", 0, NEREUS_OPTION_COUNT, "N",
     "largest job to measure (the host file's slots; in an allocation three times its cores)",
     offsetof(struct nereus_calibration_settings, slots), NULL},
    {"cores-per-node", 0, NEREUS_OPTION_COUNT, "N",
     "cores of this host, or of every node of the allocation (the usable ones)",
     offsetof(struct nereus_calibration_settings, cores), NULL},
    {"cores-per-process", 0, NEREUS_OPTION_COUNT, "N",
     "cores that each process of a reconfiguration takes, with its threads (the host file's, else "
     "1)",
     offsetof(struct nereus_calibration_settings, cores_per_process), NULL},
    {"cluster", 0, NEREUS_OPTION_TEXT, "NAME",
     "name of the cluster in samples and profile (Slurm's in an allocation, else this host's)",
     offsetof(struct nereus_calibration_settings, cluster), NULL},
    {"program", 0, NEREUS_OPTION_TEXT, "COMMAND",
     "also measure the start-up of this program, such as \"app input.txt\"",
     offsetof(struct nereus_calibration_settings, program), NULL},
    {"checkpoint", 0, NEREUS_OPTION_TEXT, "DIR",
     "measure restarts with checkpoints in this folder ($NEREUS_CHECKPOINT, else the current one); "
     "they take 1.1 GB, and are removed",
     offsetof(struct nereus_calibration_settings, checkpoint), NULL},
    {"seed", 0, NEREUS_OPTION_NATURAL, "N", "seed of the random order (from the clock)",
     offsetof(struct nereus_calibration_settings, seed), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "of the summary: text or json (text)",
     offsetof(struct nereus_calibration_settings, format), formats},
};

/* Fail because nothing was measured; earlier rows and an earlier profile stay unchanged. */
static int fail_nothing_measured(const struct nereus_calibration *calibration)
{
    if (calibration->failed_tasks > 0) {
        return nereus_cli_fail(
            "nothing could be measured: %s%s; nereus doctor says what works here",
            calibration->failed_tasks > 1 ? "the last of the jobs " : "the job ",
            calibration->last_failure);
    }
    if (calibration->stopped_tasks > 0) {
        return nereus_cli_fail(
            "no measurement ended within a budget of %.3g s: give a longer one; nereus "
            "doctor says what works here",
            calibration->settings->budget_s);
    }
    return nereus_cli_fail("a budget of %.3g s is too short for any measurement",
                           calibration->settings->budget_s);
}

/* Write a profile of the rows so far, if they can be fitted. */
static int finish_interrupted(struct nereus_calibration *calibration)
{
    struct nereus_error err;
    int64_t rows = 0;
    if (calibration->stored_samples.count == 0) {
        nereus_cli_note("interrupted before anything was measured; no profile was written");
    } else if (nereus_calibration_write_profile(calibration, false, &rows, &err) != NEREUS_OK) {
        nereus_cli_note(
            "interrupted; no profile was written: %s; what was measured is in %s, and the same "
            "command again continues from there",
            err.text, calibration->samples_path);
    } else {
        nereus_cli_note(
            "interrupted; the profile %s is fitted to the %lld row%s so far; these are in %s, and "
            "the same command again continues from there",
            calibration->output, (long long)rows, nereus_plural_s(rows), calibration->samples_path);
    }
    return 128 + calibration->interrupt;
}

/* Fail if --program was not measured: the profile would be that of the calibration's program. */
static int check_program(const struct nereus_calibration *calibration)
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

static int finish_calibration(struct nereus_calibration *calibration, int64_t seed)
{
    struct nereus_error err;
    int64_t rows = 0;
    if (calibration->interrupt != 0)
        return finish_interrupted(calibration);
    if (calibration->nothing_works || calibration->stored_samples.count == 0)
        return fail_nothing_measured(calibration);
    if (nereus_calibration_write_profile(calibration, true, &rows, &err) != NEREUS_OK) {
        return nereus_cli_fail("no profile was written: %s (the measurements are kept in %s)",
                               err.text, calibration->samples_path);
    }
    if (!nereus_calibration_report(calibration, seed, rows))
        return nereus_cli_fail("the summary could not be printed");
    return check_program(calibration);
}

static int run_calibration(const struct nereus_calibration_settings *settings)
{
    struct nereus_calibration calibration = {.settings = settings};
    struct nereus_error err;
    int64_t seed = settings->seed >= 0 ? settings->seed : (int64_t)time(NULL);
    int exit_status;
    if (nereus_calibration_set_up(&calibration, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else if (nereus_interrupt_watch() != 0) {
        exit_status = nereus_cli_fail("signals cannot be watched for: %s", strerror(errno));
    } else {
        if (calibration.stored_samples.count > 0) {
            nereus_cli_note(
                "continuing from %lld row%s in %s", (long long)calibration.stored_samples.count,
                nereus_plural_s(calibration.stored_samples.count), calibration.samples_path);
        }
        if (nereus_calibration_measure(&calibration, seed, &err) != NEREUS_OK)
            exit_status = nereus_cli_fail("%s", err.text);
        else
            exit_status = finish_calibration(&calibration, seed);
        nereus_interrupt_end();
    }
    nereus_calibration_tear_down(&calibration);
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
    struct nereus_calibration_settings settings = {
        .budget_s = 60.0,
        .precision_percent = 5.0,
        .hostfile = hostfile != NULL && hostfile[0] != '\0' ? hostfile : NULL,
        .seed = -1};
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, NULL, &exit_status))
        return exit_status;
    return run_calibration(&settings);
}
