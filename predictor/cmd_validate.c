/** @file cmd_validate.c  nereus validate: reconfigure live, and set the measured times beside the predicted
 * ones. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "command.h"
#include "comparison.h"
#include "interrupt.h"
#include "live_job.h"
#include "options.h"
#include "output.h"
#include "placement.h"
#include "progress.h"
#include "summary.h"
#include "this_machine.h"
#include "values.h"

struct settings {
    const char *profile, *pairs, *methods, *hostfile;
    int64_t bytes, constant_bytes, repeats;
    double limit_s;
    int format;
};

static const struct nereus_option table[] = {
    {"profile", 'p', NEREUS_OPTION_TEXT, "PROFILE.json", "this machine, as `nereus calibrate` wrote it",
     offsetof(struct settings, profile), NULL},
    {"pairs", 0, NEREUS_OPTION_TEXT, "NS:NT,...", "what to reconfigure (2:4,4:2)",
     offsetof(struct settings, pairs), NULL},
    {"methods", 0, NEREUS_OPTION_TEXT, "A,B", "by which methods (merge/coll,baseline/coll)",
     offsetof(struct settings, methods), NULL},
    {"hostfile", 0, NEREUS_OPTION_TEXT, "FILE",
     "nodes of the jobs: lines name[:cores]; host/x:1 and host/y:1 are two on one host ($NEREUS_HOSTFILE)",
     offsetof(struct settings, hostfile), NULL},
    {"bytes", 0, NEREUS_OPTION_BYTES, "BYTES", "variable data of the application (1MiB)",
     offsetof(struct settings, bytes), NULL},
    {"bytes-constant", 0, NEREUS_OPTION_BYTES, "BYTES",
     "constant data, which an overlap moves while the application runs (0)",
     offsetof(struct settings, constant_bytes), NULL},
    {"repeats", 0, NEREUS_OPTION_COUNT, "N", "jobs for each pair and method; medians are shown (3)",
     offsetof(struct settings, repeats), NULL},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME", "end a job after this long (60s)",
     offsetof(struct settings, limit_s), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text, csv or json (text)",
     offsetof(struct settings, format), nereus_format_choices},
};

enum { PAIRS_MAX = 64, REPEATS_MAX = 1000, ITERATIONS_MANY = 1000000 };
struct pair {
    int64_t ns, nt;
};

/* Everything that one run of the command works on. */
struct work {
    const struct settings *settings;
    struct nereus_profile profile;
    struct nereus_methods methods;
    struct pair pairs[PAIRS_MAX];
    int pair_count;
    struct nereus_comparison *comparisons; /* pair by pair, method by method */
    int comparison_count;
    struct nereus_live live;
    struct nereus_progress progress;
    int jobs_done;
    char idle[320]; /* which method has nothing to do or cannot do it (the last one), "" if all can */
};

/* ---- the command line ---- */

static enum nereus_status parse_pair(char *word, struct pair *pair, struct nereus_error *err)
{
    char *nt = strchr(word, ':');
    if (nt == NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "--pairs needs pairs such as 2:4 (from 2 to 4 processes), not '%s'", word);
    }
    *nt++ = '\0';
    enum nereus_status status =
        nereus_value_integer("--pairs: the number before ':'", word, 1, &pair->ns, err);
    if (status == NEREUS_OK) {
        status = nereus_value_integer("--pairs: the number after ':'", nt, 1, &pair->nt, err);
    }
    return status;
}

static enum nereus_status parse_pairs(const char *text, struct work *work, struct nereus_error *err)
{
    char *copy = strdup(text), *rest = copy, *word;
    if (copy == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for --pairs");
    }
    enum nereus_status status = NEREUS_OK;
    while (status == NEREUS_OK && (word = strsep(&rest, ",")) != NULL) {
        status = work->pair_count == PAIRS_MAX
                     ? nereus_fail(err, NEREUS_ERR_ARGUMENT, "--pairs holds more than %d pairs", PAIRS_MAX)
                     : parse_pair(word, &work->pairs[work->pair_count++], err);
    }
    free(copy);
    return status;
}

/* What would be run is another method than the one that is named. */
static enum nereus_status check_overlap(const struct nereus_method *method, const struct work *work,
                                        struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    if (!method->has_data || method->overlap == NEREUS_SYNC || work->settings->constant_bytes > 0) {
        return NEREUS_OK;
    }
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "%s moves constant data while the application runs, and there is none: add "
                       "--bytes-constant",
                       nereus_method_print(method, text));
}

/* validate runs what it compares: methods that can only be predicted are refused. */
static enum nereus_status parse_methods(const char *text, struct work *work, struct nereus_error *err)
{
    enum nereus_status status = nereus_methods_parse(text, &work->methods, err);
    for (int i = 0; status == NEREUS_OK && i < work->methods.count; i++) {
        status = nereus_method_check_built(&work->methods.items[i], err);
        if (status == NEREUS_OK) {
            status = check_overlap(&work->methods.items[i], work, err);
        }
    }
    return status;
}

/* ---- predictions ---- */

/* What the synthetic application of live_job.c does, on this very machine or on the nodes that were named. */
static struct nereus_settings settings_of(const struct work *work, const struct pair *pair,
                                          const struct nereus_method *method)
{
    struct nereus_settings settings = NEREUS_SETTINGS_INIT;
    settings.ns = pair->ns;
    settings.nt = pair->nt;
    settings.hostfile = work->settings->hostfile;
    settings.cores_per_node = settings.hostfile != NULL ? 0 : nereus_this_machine_cores();
    settings.nodes = settings.hostfile != NULL ? 0 : 1;
    settings.t_iter_ns_s = 0.002 / (double)pair->ns;
    settings.t_iter_nt_s = 0.002 / (double)pair->nt;
    settings.iterations_before = settings.iterations_after = 4;
    if (nereus_method_is_beside(method)) {
        settings.iterations_after = ITERATIONS_MANY; /* it goes on until the reconfiguration is over */
    }
    settings.constant_bytes = work->settings->constant_bytes;
    settings.variable_bytes = work->settings->bytes;
    settings.state = "initial";
    return settings;
}

/* Where the job of live_job.c grows first, the question is asked of what it has become. */
static enum nereus_status grow_first(const struct nereus_method *method, struct nereus_question *question,
                                     struct nereus_error *err)
{
    struct nereus_jobstate state;
    struct nereus_method growth;
    const struct nereus_scenario *scenario = &question->scenario;
    if (nereus_live_number(method) == 1 || scenario->nt >= scenario->ns) {
        return NEREUS_OK;
    }
    enum nereus_status status = nereus_method_parse(nereus_live_growth, &growth, err);
    if (status == NEREUS_OK) {
        status = nereus_jobstate_initial(&question->machine, scenario->nt, &state, err);
    }
    if (status != NEREUS_OK) {
        return status;
    }
    const struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                           .number = 1,
                                           .ns = scenario->nt,
                                           .nt = scenario->ns,
                                           .next_world_id = state.next_world_id,
                                           .batch = 1,
                                           .method = growth};
    status = nereus_jobstate_apply(&question->machine, &request, &state, err);
    if (status != NEREUS_OK) {
        nereus_jobstate_fini(&state);
        return status;
    }
    nereus_jobstate_fini(&question->state);
    question->state = state;
    return NEREUS_OK;
}

static enum nereus_status predict_one(struct work *work, const struct pair *pair,
                                      const struct nereus_method *method, struct nereus_error *err)
{
    struct nereus_question question;
    struct nereus_priced_plan priced;
    struct nereus_settings settings = settings_of(work, pair, method);
    enum nereus_status status = nereus_question_make(&settings, &work->profile, &question, err);
    if (status != NEREUS_OK) {
        return status;
    }
    status = grow_first(method, &question, err);
    if (status == NEREUS_OK) {
        status = nereus_priced_plan_make(&work->profile, &question, method, &priced, err);
    }
    if (status == NEREUS_OK) {
        if (priced.plan.step_count == 0) {
            char text[NEREUS_METHOD_TEXT_MAX];
            snprintf(work->idle, sizeof work->idle,
                     "%s has nothing to do from %" PRId64 " to %" PRId64 " processes",
                     nereus_method_print(method, text), pair->ns, pair->nt);
        } else {
            status = nereus_comparison_init(&question, &priced, (int)work->settings->repeats,
                                            &work->comparisons[work->comparison_count], err);
            work->comparison_count += status == NEREUS_OK ? 1 : 0;
        }
        nereus_priced_plan_fini(&priced);
    } else if (status == NEREUS_ERR_ILLEGAL) { /* by this pair: others may be legal */
        snprintf(work->idle, sizeof work->idle, "%" PRId64 " -> %" PRId64 " is left out: %.250s", pair->ns,
                 pair->nt, err->text);
        status = NEREUS_OK;
    }
    nereus_question_fini(&question);
    return status;
}

/* Predicted before anything is run: what was said beforehand cannot be bent afterwards. */
static enum nereus_status predict_all(struct work *work, struct nereus_error *err)
{
    size_t room = (size_t)work->pair_count * (size_t)work->methods.count;
    work->comparisons = calloc(room, sizeof *work->comparisons);
    if (work->comparisons == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %zu comparisons", room);
    }
    enum nereus_status status = NEREUS_OK;
    for (int p = 0; status == NEREUS_OK && p < work->pair_count; p++) {
        for (int m = 0; status == NEREUS_OK && m < work->methods.count; m++) {
            status = predict_one(work, &work->pairs[p], &work->methods.items[m], err);
        }
    }
    if (status == NEREUS_OK && work->comparison_count == 0) {
        status = nereus_fail(err, NEREUS_ERR_ARGUMENT, "there is nothing to run: %s", work->idle);
    }
    return status;
}

/* ---- measurements ---- */

static void tick(void *user)
{
    struct work *work = user;
    nereus_progress_update(&work->progress, work->jobs_done, NULL);
}

static void measure_one(struct work *work, struct nereus_comparison *comparison)
{
    char method[NEREUS_METHOD_TEXT_MAX], note[160];
    const struct nereus_live_data data = {work->settings->constant_bytes, work->settings->bytes};
    struct nereus_trace trace;
    struct nereus_child_result result;
    struct nereus_error err;
    nereus_method_print(&comparison->method, method);
    snprintf(note, sizeof note, "%s, %" PRId64 " -> %" PRId64, method, comparison->ns, comparison->nt);
    nereus_progress_update(&work->progress, work->jobs_done, note);
    enum nereus_status status = nereus_live_run(&work->live, comparison->ns, comparison->nt,
                                                &comparison->method, &data, &trace, &result, &err);
    if (status == NEREUS_OK) {
        status = nereus_comparison_add(comparison, &trace, nereus_live_number(&comparison->method), &err);
        nereus_trace_fini(&trace);
    }
    if (status != NEREUS_OK && nereus_interrupted() == 0) {
        snprintf(comparison->failure, sizeof comparison->failure, "%s", err.text);
        nereus_progress_say(&work->progress, "nereus validate: %s: %s", note, err.text);
    }
}

/* Repeats are the outer loop, so that a disturbance of the machine meets all methods alike. What has failed
 * is not tried again. */
static void measure_all(struct work *work)
{
    for (int64_t repeat = 0; repeat < work->settings->repeats; repeat++) {
        for (int i = 0; i < work->comparison_count && nereus_interrupted() == 0; i++) {
            if (work->comparisons[i].failure[0] == '\0') {
                measure_one(work, &work->comparisons[i]);
            }
            work->jobs_done++;
        }
    }
}

/* ---- the answer ---- */

static bool print_text(const struct work *work, const struct nereus_summary *summary)
{
    bool printed = true;
    for (int i = 0; printed && i < work->comparison_count; i++) {
        printed = nereus_comparison_print(&work->comparisons[i], stdout);
    }
    return printed && nereus_summary_print(summary, work->comparisons, work->comparison_count, stdout);
}

static json_t *failures_json(const struct work *work)
{
    json_t *array = json_array();
    for (int i = 0; i < work->comparison_count; i++) {
        const struct nereus_comparison *comparison = &work->comparisons[i];
        char method[NEREUS_METHOD_TEXT_MAX];
        if (comparison->failure[0] != '\0') {
            json_array_append_new(array, json_pack("{s:I, s:I, s:s, s:s}", "ns", (json_int_t)comparison->ns,
                                                   "nt", (json_int_t)comparison->nt, "method",
                                                   nereus_method_print(&comparison->method, method), "reason",
                                                   comparison->failure));
        }
    }
    return array;
}

/* Iterations beside asynchronous reconfigurations. */
static json_t *overlaps_json(const struct work *work)
{
    json_t *array = json_array();
    for (int i = 0; i < work->comparison_count; i++) {
        const struct nereus_comparison *comparison = &work->comparisons[i];
        char method[NEREUS_METHOD_TEXT_MAX];
        if (nereus_method_is_beside(&comparison->method) && comparison->done > 0) {
            json_array_append_new(
                array, json_pack("{s:I, s:I, s:s, s:o, s:o}", "ns", (json_int_t)comparison->ns, "nt",
                                 (json_int_t)comparison->nt, "method",
                                 nereus_method_print(&comparison->method, method), "iterations_predicted",
                                 nereus_json_real(comparison->iterations), "iterations_measured",
                                 nereus_json_real(comparison->iterations_measured / comparison->done)));
        }
    }
    return array;
}

static bool print_rows(const struct work *work, const struct nereus_summary *summary)
{
    struct nereus_table rows;
    nereus_table_init(&rows, nereus_comparison_columns, nereus_comparison_column_count);
    for (int i = 0; i < work->comparison_count; i++) {
        nereus_comparison_add_rows(&rows, &work->comparisons[i]);
    }
    bool printed;
    if (work->settings->format == NEREUS_FORMAT_JSON) {
        printed =
            nereus_json_print(json_pack("{s:s, s:I, s:I, s:o, s:o, s:o, s:o}", "cluster",
                                        work->profile.cluster, "bytes", (json_int_t)work->settings->bytes,
                                        "bytes_constant", (json_int_t)work->settings->constant_bytes, "rows",
                                        nereus_table_json(&rows), "summary", nereus_summary_json(summary),
                                        "overlaps", overlaps_json(work), "failures", failures_json(work)),
                              stdout);
    } else {
        printed = nereus_table_print(&rows, NEREUS_FORMAT_CSV, stdout);
    }
    nereus_table_fini(&rows);
    return printed;
}

static int answer(const struct work *work)
{
    struct nereus_summary summary;
    struct nereus_error err;
    if (nereus_summary_make(work->comparisons, work->comparison_count, &summary, &err) != NEREUS_OK) {
        return nereus_cli_fail("%s", err.text);
    }
    bool printed = work->settings->format == NEREUS_FORMAT_TEXT ? print_text(work, &summary)
                                                                : print_rows(work, &summary);
    if (!printed) {
        return nereus_cli_flush() ? nereus_cli_fail("not enough memory to print the comparison")
                                  : NEREUS_EXIT_FAILED;
    }
    for (int i = 0; i < work->comparison_count; i++) {
        if (work->comparisons[i].failure[0] != '\0') {
            return nereus_cli_fail("not everything could be measured: %s", work->comparisons[i].failure);
        }
    }
    return NEREUS_EXIT_OK;
}

/* ---- all of it ---- */

static int measure_and_answer(struct work *work)
{
    char result[80];
    int jobs = work->comparison_count * (int)work->settings->repeats;
    work->live.on_tick = tick;
    work->live.user = work;
    nereus_progress_start(&work->progress, "validating", jobs);
    measure_all(work);
    int signal_number = nereus_interrupted();
    snprintf(result, sizeof result, "%s%d live reconfigurations",
             signal_number != 0 ? "interrupted after " : "", work->jobs_done);
    nereus_progress_end(&work->progress, result);
    if (signal_number != 0) {
        nereus_cli_fail("interrupted: no process and no file is left; nothing is reported");
        return 128 + signal_number;
    }
    return answer(work);
}

static void warn_of_machine(const struct work *work)
{
    int64_t cores = nereus_this_machine_cores();
    int64_t most = 0;
    for (int i = 0; i < work->pair_count; i++) {
        most = work->pairs[i].ns > most ? work->pairs[i].ns : most;
        most = work->pairs[i].nt > most ? work->pairs[i].nt : most;
    }
    if (work->settings->hostfile == NULL && work->profile.cores_per_node != cores) {
        nereus_cli_note("the profile (%s) has %" PRId64 " cores a node, this machine has %" PRId64,
                        work->profile.cluster, work->profile.cores_per_node, cores);
    }
    if (work->idle[0] != '\0') {
        nereus_cli_note("%s", work->idle);
    }
    if (most > cores) {
        nereus_cli_note("up to %" PRId64 " processes on %" PRId64 " cores: these runs are oversubscribed",
                        most, cores);
    }
}

static int validate(struct work *work)
{
    struct nereus_error err;
    int exit_status;
    bool read = nereus_profile_read(work->settings->profile, &work->profile, &err) == NEREUS_OK;
    if (!read ||
        nereus_live_init(&work->live, work->settings->limit_s, work->settings->hostfile, &err) != NEREUS_OK ||
        predict_all(work, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else {
        warn_of_machine(work);
        exit_status = measure_and_answer(work);
    }
    nereus_live_fini(&work->live);
    for (int i = 0; i < work->comparison_count; i++) {
        nereus_comparison_fini(&work->comparisons[i]);
    }
    free(work->comparisons);
    if (read) {
        nereus_profile_fini(&work->profile);
    }
    return exit_status;
}

static int run(int argc, char **argv)
{
    const char *hostfile = getenv("NEREUS_HOSTFILE");
    struct settings settings = {.pairs = "2:4,4:2",
                                .hostfile = hostfile != NULL && hostfile[0] != '\0' ? hostfile : NULL,
                                .methods = "merge/coll,baseline/coll",
                                .bytes = 1 << 20,
                                .repeats = 3,
                                .limit_s = 60};
    const struct nereus_option_group groups[] = {{NULL, table, NEREUS_COUNT_OF(table), &settings}};
    const struct nereus_command_line line = {
        NULL,
        "Runs live reconfigurations of a small synthetic application on this machine, "
        "and prints for each method predicted and measured times and their ratio, step "
        "by step and in all.",
        groups,
        NEREUS_COUNT_OF(groups),
        0,
        0};
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, NULL, &exit_status)) {
        return exit_status;
    }
    if (settings.profile == NULL) {
        return nereus_cli_fail_usage("--profile PROFILE.json is missing (`nereus calibrate` writes one)");
    }
    if (settings.repeats > REPEATS_MAX) {
        return nereus_cli_fail_usage("--repeats must be at most %d, not %" PRId64, REPEATS_MAX,
                                     settings.repeats);
    }
    struct work work = {.settings = &settings};
    struct nereus_error err;
    if (parse_pairs(settings.pairs, &work, &err) != NEREUS_OK ||
        parse_methods(settings.methods, &work, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else {
        nereus_interrupt_watch();
        exit_status = validate(&work);
        nereus_interrupt_end();
    }
    nereus_methods_fini(&work.methods);
    return exit_status;
}

const struct command nereus_cmd_validate = {
    "validate", "reconfigure live and set the measured times beside the predicted ones", run};
