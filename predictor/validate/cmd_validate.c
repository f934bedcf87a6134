/**
 * @file cmd_validate.c
 * The command nereus validate: reconfigures jobs and compares measured with predicted times.
 */

#include "model/layout/slurm.h"
#include "model/util/file.h"
#include "model/util/limits.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "validate.h"

static const struct nereus_option table[] = {
    {"pairs", 0, NEREUS_OPTION_TEXT, "NS:NT,...",
     "pairs of sizes to reconfigure (2:4,4:2; with --held-out: see above)",
     offsetof(struct nereus_validate_settings, pairs), NULL},
    {"methods", 0, NEREUS_OPTION_TEXT, "A,B",
     "methods to validate (merge/coll,baseline/coll; with --held-out also merge-single, -launch "
     "and -async)",
     offsetof(struct nereus_validate_settings, methods), NULL},
    {"hostfile", 0, NEREUS_OPTION_TEXT, "FILE",
     "nodes of the jobs: lines name[:cores]; host/x:1 and host/y:1 are two virtual nodes of a host "
     "($NEREUS_HOSTFILE)",
     offsetof(struct nereus_validate_settings, hostfile), NULL},
    {"cores-per-process", 0, NEREUS_OPTION_COUNT, "N",
     "cores that each process takes, with its threads (the host file's, else 1)",
     offsetof(struct nereus_validate_settings, cores_per_process), NULL},
    {"bytes-variable", 0, NEREUS_OPTION_BYTES, "BYTES", "variable data of the application (1MiB)",
     offsetof(struct nereus_validate_settings, bytes), NULL},
    {"bytes-constant", 0, NEREUS_OPTION_BYTES, "BYTES",
     "constant data, which an overlap moves while the application runs (0)",
     offsetof(struct nereus_validate_settings, constant_bytes), NULL},
    {"repeats", 0, NEREUS_OPTION_COUNT, "N", "jobs for each pair and method; medians are shown (3)",
     offsetof(struct nereus_validate_settings, repeats), NULL},
    {"checkpoint", 0, NEREUS_OPTION_TEXT, "DIR",
     "restarts with checkpoints in this folder ($NEREUS_CHECKPOINT, else the current one), which "
     "are removed",
     offsetof(struct nereus_validate_settings, checkpoint), NULL},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME", "end a job after this long (60s)",
     offsetof(struct nereus_validate_settings, limit_s), NULL},
    NEREUS_FORMAT_OPTION(offsetof(struct nereus_validate_settings, format)),
};

static const struct nereus_option judging[] = {
    {"held-out", 0, NEREUS_OPTION_FLAG, NULL, "predict from a fit without the pairs",
     offsetof(struct nereus_validate_settings, held_out), NULL},
    {"samples", 0, NEREUS_OPTION_PLACE, "FILE.csv",
     "samples for that fit (as the profile, with .csv)",
     offsetof(struct nereus_validate_settings, samples), NULL},
    {"results", 0, NEREUS_OPTION_PLACE, "FILE.csv", "results file; a later run continues it",
     offsetof(struct nereus_validate_settings, results), NULL},
    {"budget", 0, NEREUS_OPTION_SECONDS, "TIME",
     "stop measuring after this long (until all is measured)",
     offsetof(struct nereus_validate_settings, budget_s), NULL},
    {"report", 0, NEREUS_OPTION_CHOICE, "WHAT",
     "steps, judgement, choices, regrets or overlaps (steps; with --held-out: judgement); JSON "
     "has all",
     offsetof(struct nereus_validate_settings, report), nereus_validate_reports},
};

enum { REPEATS_MAX = 1000 };

/* Refuse an overlap without constant data, which would run synchronously. */
static enum nereus_status check_overlap(const struct nereus_method *method,
                                        const struct nereus_validate *validation,
                                        struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    if (!method->has_data || method->overlap == NEREUS_SYNC ||
        validation->settings->constant_bytes > 0)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "%s moves constant data while the application runs, and there is none: add "
                       "--bytes-constant",
                       nereus_method_format(method, text));
}

/* Refuse methods that can only be predicted. */
static enum nereus_status parse_methods(struct nereus_validate *validation,
                                        struct nereus_error *err)
{
    const char *by_default =
        validation->settings->held_out
            ? "merge/coll,merge-single/coll,merge-launch/coll,merge-async/coll,baseline/coll"
            : "merge/coll,baseline/coll";
    const char *text =
        validation->settings->methods != NULL ? validation->settings->methods : by_default;
    NEREUS_TRY(nereus_methods_parse(text, &validation->methods, err));
    for (int i = 0; i < validation->methods.count; i++) {
        NEREUS_TRY(nereus_method_check(&validation->methods.items[i], err));
        NEREUS_TRY(check_overlap(&validation->methods.items[i], validation, err));
    }
    return NEREUS_OK;
}

static enum nereus_status parse_pairs(struct nereus_validate *validation, struct nereus_error *err)
{
    const char *text = validation->settings->pairs;
    if (text == NULL && validation->settings->held_out)
        return NEREUS_OK; /* chosen after the samples are read */
    return nereus_pairs_parse(text != NULL ? text : "2:4,4:2", validation->pairs, NEREUS_PAIRS_MAX,
                              &validation->pair_count, err);
}

/* ---- input files ---- */

/* Refuse the samples file as file of results, which the next calibration would fit. */
static enum nereus_status check_results(const char *results, const char *profile,
                                        const char *samples, struct nereus_error *err)
{
    if (results != NULL && nereus_file_is_same(results, profile)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--results %s is the profile: name another file", results);
    }
    if (results == NULL || !nereus_file_is_same(results, samples))
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "--results %s is the file that the profile is fitted to: name another one",
                       results);
}

static enum nereus_status read_samples(struct nereus_validate *validation, struct nereus_error *err)
{
    char path[PATH_MAX];
    struct nereus_error why;
    NEREUS_TRY(nereus_calibration_store_path(validation->profile_path,
                                             validation->settings->samples, path, err));
    NEREUS_TRY(check_results(validation->settings->results, validation->profile_path, path, err));
    if (!validation->settings->held_out)
        return NEREUS_OK;
    validation->origins.hostfile = validation->settings->hostfile;
    const enum nereus_status status = nereus_samples_read_provenance(
        path, true, &validation->samples, &validation->origins, &why);
    if (status != NEREUS_OK) {
        return nereus_fail(
            err, status,
            "--held-out fits again to the samples of the profile: %.300s (name them with "
            "--samples)",
            why.text);
    }
    nereus_cli_note_left_out(path, validation->samples.left_out, validation->samples.first_left_out,
                             NULL);
    if (validation->settings->pairs == NULL) {
        validation->pair_count = nereus_pairs_list_held_out(
            validation->machine.cores_per_node, validation->machine.slots, &validation->samples,
            validation->profile.cluster, validation->pairs, NEREUS_PAIRS_MAX);
    }
    return NEREUS_OK;
}

static enum nereus_status describe_machine(struct nereus_validate *validation,
                                           struct nereus_error *err)
{
    const char *hostfile = validation->settings->hostfile;
    const struct nereus_slurm slurm = nereus_slurm_environment();
    NEREUS_TRY(hostfile != NULL
                   ? nereus_machine_from_file(hostfile, &validation->machine, err)
                   : nereus_machine_from_environment(&slurm, "this host", nereus_cores_usable(),
                                                     &validation->machine, err));
    const int64_t each = validation->settings->cores_per_process;
    return each > 0 ? nereus_machine_set_per_process(&validation->machine, each, err) : NEREUS_OK;
}

static enum nereus_status prepare_validation(struct nereus_validate *validation,
                                             struct nereus_error *err)
{
    NEREUS_TRY(describe_machine(validation, err));
    NEREUS_TRY(read_samples(validation, err));
    NEREUS_TRY(nereus_validate_fit(validation, err));
    return nereus_validate_predict(validation, err);
}

static int measure_and_answer(struct nereus_validate *validation)
{
    struct nereus_error err;
    enum nereus_status status = nereus_validate_measure(validation, &err);
    const int signal_number = nereus_interrupted();
    if (status == NEREUS_OK && signal_number != 0) {
        if (validation->settings->results != NULL) {
            nereus_cli_fail(
                "interrupted: no process is left; what was measured is in %s, and the same "
                "command continues from there",
                validation->settings->results);
        } else {
            nereus_cli_fail("interrupted: no process and no file is left; nothing is reported");
        }
        return 128 + signal_number;
    }
    if (status == NEREUS_OK)
        status = nereus_validate_predict_again(validation, &err);
    return status == NEREUS_OK ? nereus_validate_answer(validation)
                               : nereus_cli_fail("%s", err.text);
}

static void free_all(struct nereus_validate *validation)
{
    nereus_calibration_store_close(&validation->store);
    nereus_live_fini(&validation->live);
    nereus_checkpoint_folder_close(&validation->checkpoints);
    for (int i = 0; i < validation->comparison_count; i++)
        nereus_comparison_fini(&validation->comparisons[i]);
    for (int i = 0; i < validation->fit_count; i++)
        nereus_profile_fini(&validation->fits[i]);
    free(validation->comparisons);
    free(validation->pair_of);
    nereus_samples_fini(&validation->samples);
    nereus_provenances_fini(&validation->origins);
    nereus_machine_fini(&validation->machine);
}

static int run_validation(struct nereus_validate *validation)
{
    struct nereus_error err;
    int exit_status;
    const struct nereus_validate_settings *settings = validation->settings;
    const char *const read[] = {settings->machine.profile, settings->hostfile, settings->samples,
                                settings->results};
    if (nereus_picture_check_path(&settings->picture, read, NEREUS_COUNT_OF(read), &err) !=
            NEREUS_OK ||
        nereus_profile_open(&settings->machine, validation->profile_path, &validation->profile,
                            &err) != NEREUS_OK)
        return nereus_cli_fail("%s", err.text);
    if (prepare_validation(validation, &err) != NEREUS_OK)
        exit_status = nereus_cli_fail("%s", err.text);
    else
        exit_status = measure_and_answer(validation);
    free_all(validation);
    nereus_profile_fini(&validation->profile);
    return exit_status;
}

static const char help[] =
    "Runs live reconfigurations of a small synthetic application on this machine and prints, for "
    "each method, predicted and measured times and their ratio, step by step and in total. With "
    "--held-out the predictions come from a fit without the samples of the validated pairs: those "
    "of --pairs, else changes among a few sizes within and above the cores, each left out by "
    "itself if it was measured. The judgement has the coverage of the 90 % intervals by single "
    "runs, the errors, the regret of following the predictions, and the noise floor: the error of "
    "a perfect predictor.";

int nereus_cmd_validate(int argc, char **argv)
{
    const char *hostfile = getenv("NEREUS_HOSTFILE");
    struct nereus_validate_settings settings = {
        .hostfile = hostfile != NULL && hostfile[0] != '\0' ? hostfile : NULL,
        .bytes = 1 << 20,
        .repeats = 3,
        .limit_s = 60,
        .report = -1};
    const struct nereus_option_group groups[] = {
        {NULL, nereus_profile_options, nereus_profile_option_count, &settings.machine},
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {NULL, nereus_picture_options, nereus_picture_option_count, &settings.picture},
        {"How good the predictions are", judging, NEREUS_COUNT_OF(judging), &settings}};
    const struct nereus_command_line line = NEREUS_COMMAND_LINE(NULL, help, groups, 0, 0);
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, NULL, &exit_status))
        return exit_status;
    if (settings.repeats > REPEATS_MAX) {
        return nereus_cli_fail_usage("--repeats must be at most %d, not %lld", REPEATS_MAX,
                                     (long long)settings.repeats);
    }
    if (settings.samples != NULL && !settings.held_out)
        return nereus_cli_fail_usage("--samples is what --held-out fits to, which is missing");
    if (settings.machine.synthetic != NULL && settings.held_out) {
        return nereus_cli_fail_usage("--held-out fits again to the samples of the profile, and a "
                                     "synthetic machine has none");
    }
    struct nereus_validate *validation = calloc(1, sizeof *validation);
    struct nereus_error err;
    if (validation == NULL)
        return nereus_cli_fail("no memory");
    validation->settings = &settings;
    if (nereus_profile_settings_check(&settings.machine, &err) != NEREUS_OK ||
        parse_pairs(validation, &err) != NEREUS_OK ||
        parse_methods(validation, &err) != NEREUS_OK ||
        nereus_picture_check(&settings.picture, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail_usage("%s", err.text);
    } else {
        nereus_interrupt_watch();
        exit_status = run_validation(validation);
        nereus_interrupt_end();
    }
    nereus_methods_fini(&validation->methods);
    free(validation);
    return exit_status;
}
