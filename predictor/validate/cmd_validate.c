/**
 * @file cmd_validate.c
 * The command nereus validate: reconfigures jobs and compares measured with predicted times.
 */

#include "model/layout/slurm.h"
#include "model/util/file.h"
#include "model/util/limits.h"
#include "predictor/cli/command.h"
#include "predictor/run/interrupt.h"
#include "predictor/run/sample_store.h"
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
static enum nereus_status check_overlap(const struct nereus_method *method, int64_t constant_bytes,
                                        struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    if (!method->has_data || method->overlap == NEREUS_SYNC || constant_bytes > 0)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "%s moves constant data while the application runs, and there is none: add "
                       "--bytes-constant",
                       nereus_method_format(method, text));
}

/* Refuse methods that can only be predicted. */
static enum nereus_status parse_methods(const struct nereus_validate_settings *settings,
                                        struct nereus_methods *methods, struct nereus_error *err)
{
    const char *by_default =
        settings->held_out
            ? "merge/coll,merge-single/coll,merge-launch/coll,merge-async/coll,baseline/coll"
            : "merge/coll,baseline/coll";
    NEREUS_TRY(nereus_methods_parse(settings->methods != NULL ? settings->methods : by_default,
                                    methods, err));
    for (int i = 0; i < methods->count; i++) {
        NEREUS_TRY(nereus_method_check(&methods->items[i], err));
        NEREUS_TRY(check_overlap(&methods->items[i], settings->constant_bytes, err));
    }
    return NEREUS_OK;
}

static enum nereus_status parse_pairs(struct nereus_validate_inputs *inputs,
                                      struct nereus_error *err)
{
    const char *text = inputs->settings->pairs;
    if (text == NULL && inputs->settings->held_out)
        return NEREUS_OK; /* chosen after the samples are read */
    return nereus_pairs_parse(text != NULL ? text : "2:4,4:2", inputs->pairs, NEREUS_PAIRS_MAX,
                              &inputs->pair_count, err);
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

static enum nereus_status read_samples(struct nereus_validate_inputs *inputs,
                                       struct nereus_error *err)
{
    char path[PATH_MAX];
    struct nereus_error why;
    NEREUS_TRY(
        nereus_sample_store_path(inputs->profile_path, inputs->settings->samples, path, err));
    NEREUS_TRY(check_results(inputs->settings->results, inputs->profile_path, path, err));
    if (!inputs->settings->held_out)
        return NEREUS_OK;
    inputs->provenances.hostfile = inputs->settings->hostfile;
    const enum nereus_status status =
        nereus_samples_read_provenance(path, true, &inputs->samples, &inputs->provenances, &why);
    if (status != NEREUS_OK) {
        return nereus_fail(
            err, status,
            "--held-out fits again to the samples of the profile: %.300s (name them with "
            "--samples)",
            why.text);
    }
    nereus_cli_note_left_out(path, inputs->samples.left_out, inputs->samples.first_left_out, NULL);
    if (inputs->settings->pairs == NULL) {
        inputs->pair_count = nereus_pairs_list_held_out(
            inputs->machine.cores_per_node, inputs->machine.slots, &inputs->samples,
            inputs->profile.cluster, inputs->pairs, NEREUS_PAIRS_MAX);
    }
    return NEREUS_OK;
}

static enum nereus_status describe_machine(const struct nereus_validate_settings *settings,
                                           struct nereus_machine *machine, struct nereus_error *err)
{
    const struct nereus_slurm slurm = nereus_slurm_environment();
    const int64_t each = settings->cores_per_process;
    NEREUS_TRY(settings->hostfile != NULL
                   ? nereus_machine_from_file(settings->hostfile, machine, err)
                   : nereus_machine_from_environment(&slurm, "this host", nereus_cores_usable(),
                                                     machine, err));
    return each > 0 ? nereus_machine_set_per_process(machine, each, err) : NEREUS_OK;
}

/* Tell what an interrupt has left.
 * @return the exit status */
static int end_interrupted(const char *results, int signal_number)
{
    if (results != NULL) {
        nereus_cli_fail("interrupted: no process is left; what was measured is in %s, and the same "
                        "command continues from there",
                        results);
    } else {
        nereus_cli_fail("interrupted: no process and no file is left; nothing is reported");
    }
    return 128 + signal_number;
}

static int measure_and_answer(const struct nereus_validate_inputs *inputs,
                              const struct nereus_validate_profiles *profiles,
                              struct nereus_validate_results *results)
{
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_validate_predict(inputs, profiles, results, &err), err);
    NEREUS_CLI_TRY(nereus_validate_measure(inputs, results, &err), err);
    if (nereus_interrupted() != 0)
        return end_interrupted(inputs->settings->results, nereus_interrupted());
    NEREUS_CLI_TRY(nereus_validate_predict_again(inputs, profiles, results, &err), err);
    return nereus_validate_answer(inputs, results);
}

/* Validate what was read. */
static int validate(const struct nereus_validate_inputs *inputs)
{
    struct nereus_validate_profiles *profiles = calloc(1, sizeof *profiles);
    struct nereus_validate_results results = {.count = 0};
    struct nereus_error err;
    if (profiles == NULL)
        return nereus_cli_fail("no memory");
    const int exit_status = nereus_validate_fit(inputs, profiles, &err) == NEREUS_OK
                                ? measure_and_answer(inputs, profiles, &results)
                                : nereus_cli_fail("%s", err.text);
    for (int i = 0; i < results.count; i++)
        nereus_comparison_fini(&results.comparisons[i]);
    free(results.comparisons);
    free(results.pair_of);
    for (int i = 0; i < profiles->fit_count; i++)
        nereus_profile_fini(&profiles->fits[i]);
    free(profiles);
    return exit_status;
}

static int read_and_validate(struct nereus_validate_inputs *inputs)
{
    struct nereus_error err;
    const struct nereus_validate_settings *settings = inputs->settings;
    const char *const read[] = {settings->machine.profile, settings->hostfile, settings->samples,
                                settings->results};
    NEREUS_CLI_TRY(nereus_picture_check_path(&settings->picture, read, NEREUS_COUNT_OF(read), &err),
                   err);
    NEREUS_CLI_TRY(
        nereus_profile_open(&settings->machine, inputs->profile_path, &inputs->profile, &err), err);
    const int exit_status = describe_machine(settings, &inputs->machine, &err) == NEREUS_OK &&
                                    read_samples(inputs, &err) == NEREUS_OK
                                ? validate(inputs)
                                : nereus_cli_fail("%s", err.text);
    nereus_samples_fini(&inputs->samples);
    nereus_provenances_fini(&inputs->provenances);
    nereus_machine_fini(&inputs->machine);
    nereus_profile_fini(&inputs->profile);
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
    struct nereus_validate_inputs inputs = {.settings = &settings};
    struct nereus_error err;
    if (nereus_profile_settings_check(&settings.machine, &err) != NEREUS_OK ||
        parse_pairs(&inputs, &err) != NEREUS_OK ||
        parse_methods(&settings, &inputs.methods, &err) != NEREUS_OK ||
        nereus_picture_check(&settings.picture, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail_usage("%s", err.text);
    } else {
        nereus_interrupt_watch();
        exit_status = read_and_validate(&inputs);
        nereus_interrupt_end();
    }
    nereus_methods_fini(&inputs.methods);
    return exit_status;
}
