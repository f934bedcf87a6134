/**
 * @file cmd_predict.c
 * The command nereus predict: the cost of a resize by each method, and the best method.
 */

#include <unistd.h>

#include "cases.h"
#include "explain.h"
#include "predict_options.h"
#include "predictor/cli/command.h"
#include "predictor/cli/terminal.h"
#include "predictor/predict/advice.h"
#include "sequence.h"

/* Everything that one run of the command works on. */
struct work {
    const struct nereus_predict_settings *settings;
    struct nereus_ranking ranking;
    struct nereus_profile profile;
    struct nereus_methods methods;
    struct nereus_sequence sequence; /* --sequence; without it there are no changes */
    bool all;                        /* --methods all */
    int64_t legal;                   /* methods that are legal for the pair; 0: many pairs */
};

static struct nereus_candidates make_candidates(const struct work *work)
{
    return (struct nereus_candidates){&work->profile, &work->methods, &work->ranking};
}

/* A failed print is a lack of memory: writes to stdout do not fail (standard_output.h). */
static int fail_memory(void)
{
    return nereus_cli_fail("not enough memory to print the answer");
}

static void note_refusals(const struct nereus_answer *answer)
{
    for (int i = 0; i < answer->refusal_count; i++) {
        char text[NEREUS_METHOD_TEXT_MAX];
        nereus_cli_note("%s is left out: %s",
                        nereus_method_format(&answer->refusals[i].method, text),
                        answer->refusals[i].why.text);
    }
}

static bool print_csv(const struct nereus_question *question, const struct nereus_answer *answer)
{
    struct nereus_table rows;
    nereus_table_init(&rows, nereus_prediction_columns, nereus_prediction_column_count);
    nereus_predictions_add(&rows, &question->scenario, answer, true);
    bool printed = nereus_table_print(&rows, NEREUS_FORMAT_CSV, stdout);
    /* CSV holds rows only: notes go to stderr. */
    nereus_question_log_assumed(question, "nereus predict: ");
    note_refusals(answer);
    if (answer->oversubscribed)
        nereus_cli_note("more processes than cores: these predictions are oversubscribed");
    return printed;
}

/* Print how many of the legal methods were predicted. */
static void print_counts(const struct work *work, const struct nereus_answer *answer)
{
    if (work->all) {
        nereus_print_wrapped(
            stdout, 2, "%d of the %lld process management method%s that %s legal here %s predicted",
            answer->count, (long long)work->legal, nereus_plural_s(work->legal),
            nereus_choose_plural(work->legal, "is", "are"),
            nereus_choose_plural(answer->count, "is", "are"));
    } else if (work->settings->methods == NULL && answer->count < work->legal) {
        nereus_print_wrapped(
            stdout, 2, "%d measured method%s; --methods all predicts the %lld that are legal here",
            answer->count, nereus_plural_s(answer->count), (long long)work->legal);
    }
}

static bool print_json(const struct work *work, const struct nereus_question *question,
                       const struct nereus_answer *answer)
{
    json_t *document = nereus_answer_json(&work->profile, question, answer);
    if (document != NULL && work->settings->explain) {
        json_t *why = nereus_explain_json(&work->profile, question, answer);
        json_object_set_new(document, "explanation", why != NULL ? why : json_null());
    }
    return nereus_json_write(document, stdout);
}

static void print_explanation(const struct work *work, const struct nereus_question *question,
                              const struct nereus_answer *answer)
{
    struct nereus_error err;
    if (nereus_explain_print(&work->profile, question, answer, stdout, &err) != NEREUS_OK)
        nereus_cli_note("--explain: %s", err.text);
}

/* Lines of the screen beside the number of methods, the prompt, and a note about the profile; 0: all
 * methods that are named are shown. */
static int get_lines(const struct nereus_predict_settings *settings)
{
    return settings->methods != NULL || isatty(STDOUT_FILENO) != 1
               ? 0
               : nereus_terminal_rows(STDOUT_FILENO) - (settings->machine.profile != NULL ? 2 : 4);
}

static bool print_answer(const struct work *work, const struct nereus_question *question,
                         const struct nereus_answer *answer)
{
    switch ((enum nereus_format)work->settings->format) {
    case NEREUS_FORMAT_CSV:
        return print_csv(question, answer);
    case NEREUS_FORMAT_JSON:
        return print_json(work, question, answer);
    case NEREUS_FORMAT_TEXT:
        break;
    }
    if (!nereus_answer_print_text(&work->profile, question, answer, get_lines(work->settings),
                                  stdout))
        return false;
    print_counts(work, answer);
    if (work->settings->explain)
        print_explanation(work, question, answer);
    return true;
}

static int answer_one(const struct work *work, const struct nereus_settings *settings)
{
    struct nereus_error err;
    struct nereus_question question;
    struct nereus_answer answer;
    const struct nereus_candidates candidates = make_candidates(work);
    NEREUS_CLI_TRY(
        nereus_goal_question(&work->settings->best, settings, &work->profile, &question, &err),
        err);
    int exit_status = NEREUS_EXIT_OK;
    if (nereus_answer_make(&candidates, &question, &answer, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else {
        /* The picture first: a failing command prints nothing to stdout. */
        exit_status = work->settings->picture.path != NULL &&
                              nereus_answer_draw(&work->profile, &question, &answer,
                                                 &work->settings->picture, &err) != NEREUS_OK
                          ? nereus_cli_fail("%s", err.text)
                      : print_answer(work, &question, &answer) ? NEREUS_EXIT_OK
                                                               : fail_memory();
        nereus_answer_fini(&answer);
    }
    nereus_question_fini(&question);
    return exit_status;
}

static int answer_sequence(struct work *work, const struct nereus_settings *settings)
{
    struct nereus_error err;
    struct nereus_question question;
    if (nereus_sequence_question(&work->sequence, settings, &work->profile, &question, &err) !=
        NEREUS_OK)
        return nereus_cli_fail("%s", err.text);
    int exit_status = NEREUS_EXIT_OK;
    const struct nereus_candidates candidates = make_candidates(work);
    if (nereus_sequence_answer(&candidates, &question, &work->sequence, &err) != NEREUS_OK)
        exit_status = nereus_cli_fail("%s", err.text);
    else if (!nereus_sequence_print(&work->profile, &question, &work->sequence, &work->ranking,
                                    (enum nereus_format)work->settings->format, stdout))
        exit_status = fail_memory();
    nereus_question_fini(&question);
    return exit_status;
}

static int read_and_answer_cases(const struct work *work, const struct nereus_settings *defaults)
{
    struct nereus_cases cases;
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_cases_read(work->settings->cases, defaults, &cases, &err), err);
    const struct nereus_candidates candidates = make_candidates(work);
    const struct nereus_cases_request requested = {.cases = &cases,
                                                   .candidates = &candidates,
                                                   .goal = &work->settings->best,
                                                   .all = work->all,
                                                   .measured_only = work->settings->methods == NULL,
                                                   .format =
                                                       (enum nereus_format)work->settings->format};
    const int exit_status = nereus_cases_answer(&requested);
    nereus_cases_fini(&cases);
    return exit_status;
}

/* Drop methods that were measured in the other direction only, without a note. */
static void remove_illegal(const struct nereus_settings *scenario, struct nereus_methods *methods)
{
    int kept_count = 0;
    for (int i = 0; i < methods->count; i++)
        if (nereus_method_check_direction(&methods->items[i], scenario->ns, scenario->nt, NULL) ==
            NEREUS_OK)
            methods->items[kept_count++] = methods->items[i];
    methods->count = kept_count > 0
                         ? kept_count
                         : methods->count; /* keep all: the answer then says why none is legal */
}

/* Set the candidates: the named ones, all legal ones, or those of the profile; and the number of
 * legal ones. */
static enum nereus_status choose_methods(const struct nereus_settings *scenario, struct work *work,
                                         struct nereus_error *err)
{
    struct nereus_methods legal;
    /* A sequence may change in both directions. */
    const int64_t ns =
        work->settings->sequence != NULL || nereus_predict_has_several_sizes(work->settings)
            ? 0
            : scenario->ns;
    NEREUS_TRY(nereus_methods_all(ns, scenario->nt, &legal, err));
    work->legal = ns > 0 ? legal.count : 0;
    if (work->all) {
        work->methods = legal;
        return NEREUS_OK;
    }
    nereus_methods_fini(&legal);
    if (work->settings->methods != NULL)
        return NEREUS_OK;
    NEREUS_TRY(nereus_methods_from_profile(&work->profile, &work->methods, err));
    if (ns > 0)
        remove_illegal(scenario, &work->methods);
    return NEREUS_OK;
}

/* Check the command line before any file is read. */
static enum nereus_status check_command_line(const struct nereus_predict_settings *settings,
                                             const struct nereus_settings *scenario,
                                             struct work *work, struct nereus_error *err)
{
    work->all = settings->methods != NULL && strcmp(settings->methods, "all") == 0;
    NEREUS_TRY(nereus_goal_ranking(&settings->best, (enum nereus_goal)settings->goal,
                                   &work->ranking, err));
    NEREUS_TRY(nereus_settings_check(scenario, err));
    NEREUS_TRY(nereus_picture_check(&settings->picture, err));
    NEREUS_TRY(nereus_profile_settings_check(&settings->machine, err));
    if (nereus_predict_has_several_sizes(settings))
        NEREUS_TRY(nereus_nt_check(settings->nt, err));
    if (settings->sequence != NULL) {
        NEREUS_TRY(nereus_sequence_check(scenario, err));
        NEREUS_TRY(nereus_sequence_parse(settings->sequence, &work->sequence, err));
    }
    return settings->methods != NULL && !work->all
               ? nereus_methods_parse(settings->methods, &work->methods, err)
               : NEREUS_OK;
}

static int read_and_answer(const struct nereus_settings *scenario, struct work *work)
{
    struct nereus_error err;
    int exit_status;
    const struct nereus_candidates candidates = make_candidates(work);
    const char *const read[] = {work->settings->machine.profile, scenario->hostfile,
                                scenario->state, scenario->scaling};
    if (nereus_picture_check_path(&work->settings->picture, read, NEREUS_COUNT_OF(read), &err) !=
            NEREUS_OK ||
        nereus_profile_open(&work->settings->machine, NULL, &work->profile, &err) != NEREUS_OK)
        return nereus_cli_fail("%s", err.text);
    if (choose_methods(scenario, work, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else if (work->settings->cases != NULL) {
        exit_status = read_and_answer_cases(work, scenario);
    } else if (work->settings->sequence != NULL) {
        exit_status = answer_sequence(work, scenario);
    } else if (nereus_predict_has_several_sizes(work->settings)) {
        exit_status =
            nereus_advice_answer(&candidates, scenario, work->settings->nt, &work->settings->best,
                                 NULL, (enum nereus_format)work->settings->format);
    } else {
        exit_status = answer_one(work, scenario);
    }
    nereus_profile_fini(&work->profile);
    return exit_status;
}

static int print_predictions(const struct nereus_predict_settings *settings,
                             const struct nereus_settings *scenario)
{
    struct work work = {.settings = settings};
    struct nereus_error err;
    const int exit_status = check_command_line(settings, scenario, &work, &err) == NEREUS_OK
                                ? read_and_answer(scenario, &work)
                                : nereus_cli_fail_usage("%s", err.text);
    nereus_sequence_fini(&work.sequence);
    nereus_methods_fini(&work.methods);
    return exit_status;
}

int nereus_cmd_predict(int argc, char **argv)
{
    struct nereus_predict_settings settings = {.best = nereus_goal_settings_default()};
    struct nereus_settings scenario = NEREUS_SETTINGS_INIT;
    int exit_status;
    return nereus_predict_options_parse(&settings, &scenario, argc, argv, &exit_status)
               ? print_predictions(&settings, &scenario)
               : exit_status;
}
