/** @file cmd_predict.c  nereus predict: what a change of size will cost, by every method, and which is best.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "cases.h"
#include "command.h"
#include "goal_options.h"
#include "options.h"
#include "output.h"
#include "predictions.h"
#include "sequence.h"

struct settings {
    const char *profile, *cases, *methods, *sequence;
    int goal, format;
    struct nereus_goal_settings best;
};

static const struct nereus_option table[] = {
    {"profile", 'p', NEREUS_OPTION_TEXT, "PROFILE.json",
     "the machine, as `nereus fit` or `calibrate` wrote it", offsetof(struct settings, profile), NULL},
    {"cases", 0, NEREUS_OPTION_TEXT, "CASES.csv",
     "many questions: ns,nt,cores_per_node,t_iter_ns_s,t_iter_nt_s,...", offsetof(struct settings, cases),
     NULL},
    {"methods", 0, NEREUS_OPTION_TEXT, "A,B",
     "candidates (those that the profile has measured); all: every legal method",
     offsetof(struct settings, methods), NULL},
    {"sequence", 0, NEREUS_OPTION_TEXT, "LIST",
     "several changes in a row, SIZE@ITERATION or SIZE@ITERATION:METHOD, separated by commas: each in the "
     "state that the one before it leaves",
     offsetof(struct settings, sequence), NULL},
    {"goal", 0, NEREUS_OPTION_CHOICE, "GOAL",
     "application (least T_ex), system (least RT or CT, then T_ex), node-hours or weights (application)",
     offsetof(struct settings, goal), nereus_goal_choices},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text, csv or json (text)",
     offsetof(struct settings, format), nereus_format_choices},
};

/* Everything that one run of the command works on. */
struct work {
    const struct settings *settings;
    struct nereus_ranking ranking;
    struct nereus_profile profile;
    struct nereus_methods methods;
    struct nereus_sequence sequence; /* --sequence; else without changes */
    bool all;                        /* --methods all */
    int64_t legal;                   /* methods that are legal for the pair; 0: many pairs */
};

static int could_not_write(void)
{
    return nereus_cli_flush() ? nereus_cli_fail("not enough memory to print the answer") : NEREUS_EXIT_FAILED;
}

static void note_refusals(const struct nereus_answer *answer)
{
    for (int i = 0; i < answer->refusal_count; i++) {
        char text[NEREUS_METHOD_TEXT_MAX];
        nereus_cli_note("%s is left out: %s", nereus_method_print(&answer->refusals[i].method, text),
                        answer->refusals[i].why.text);
    }
}

static bool print_csv(const struct nereus_question *question, const struct nereus_answer *answer)
{
    struct nereus_table rows;
    nereus_table_init(&rows, nereus_prediction_columns, nereus_prediction_column_count);
    nereus_predictions_add(&rows, &question->scenario, answer);
    bool printed = nereus_table_print(&rows, NEREUS_FORMAT_CSV, stdout);
    nereus_table_fini(&rows);
    /* CSV holds rows and nothing else: what else there is to say goes beside it. */
    nereus_question_print_assumed(question, "nereus predict: ", stderr);
    note_refusals(answer);
    if (answer->oversubscribed) {
        nereus_cli_note("more processes than cores: these predictions are oversubscribed");
    }
    return printed;
}

/* What a reader might miss. */
static void say_how_many(const struct work *work, const struct nereus_answer *answer)
{
    if (work->all) {
        printf("%d of the %" PRId64 " ways to start and to end processes that are legal here are predicted\n",
               answer->count, work->legal);
    } else if (work->settings->methods == NULL && answer->count < work->legal) {
        printf("%d methods, those that the profile has measured; --methods all predicts the %" PRId64
               " that are legal here\n",
               answer->count, work->legal);
    }
}

static bool print_answer(const struct work *work, const struct nereus_question *question,
                         const struct nereus_answer *answer)
{
    switch ((enum nereus_format)work->settings->format) {
    case NEREUS_FORMAT_CSV:
        return print_csv(question, answer);
    case NEREUS_FORMAT_JSON:
        return nereus_json_print(nereus_answer_json(&work->profile, question, answer), stdout);
    case NEREUS_FORMAT_TEXT:
        break;
    }
    if (!nereus_answer_print_text(&work->profile, question, answer, stdout)) {
        return false;
    }
    say_how_many(work, answer);
    return !ferror(stdout);
}

/* The question of a command line or a case, with the shrink that is to follow. */
static enum nereus_status make_question(const struct work *work, const struct nereus_settings *settings,
                                        struct nereus_question *question, struct nereus_error *err)
{
    enum nereus_status status = nereus_question_make(settings, &work->profile, question, err);
    if (status != NEREUS_OK) {
        return status;
    }
    status = nereus_goal_add_later(&work->settings->best, question, err);
    if (status != NEREUS_OK) {
        nereus_question_fini(question);
    }
    return status;
}

static int answer_one(const struct work *work, const struct nereus_settings *settings)
{
    struct nereus_error err;
    struct nereus_question question;
    struct nereus_answer answer;
    if (make_question(work, settings, &question, &err) != NEREUS_OK) {
        return nereus_cli_fail("%s", err.text);
    }
    int exit_status = NEREUS_EXIT_OK;
    if (nereus_answer_make(&work->profile, &question, &work->methods, &work->ranking, &answer, &err) !=
        NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else {
        exit_status = print_answer(work, &question, &answer) ? NEREUS_EXIT_OK : could_not_write();
        nereus_answer_fini(&answer);
    }
    nereus_question_fini(&question);
    return exit_status;
}

static int answer_sequence(struct work *work, const struct nereus_settings *settings)
{
    struct nereus_error err;
    struct nereus_question question;
    if (nereus_sequence_question(&work->sequence, settings, &work->profile, &question, &err) != NEREUS_OK) {
        return nereus_cli_fail("%s", err.text);
    }
    int exit_status = NEREUS_EXIT_OK;
    if (nereus_sequence_answer(&work->profile, &work->methods, &work->ranking, &question, &work->sequence,
                               &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else if (!nereus_sequence_print(&work->profile, &question, &work->sequence, &work->ranking,
                                      (enum nereus_format)work->settings->format, stdout)) {
        exit_status = could_not_write();
    }
    nereus_question_fini(&question);
    return exit_status;
}

/* Over all cases: how often a method was left out, and why at first. */
struct left_out {
    int64_t cases, first_line;
    char reason[512];
};

/* What is the same for all cases is said once. */
struct over_cases {
    const char *path;
    struct nereus_table rows;
    struct left_out *left_out; /* one a candidate */
    int64_t oversubscribed;
    char assumed[1024];
};

static void count_left_out(const struct work *work, const struct nereus_scenario *scenario,
                           const struct nereus_answer *answer, int64_t line, struct over_cases *over)
{
    for (int i = 0; i < answer->refusal_count; i++) {
        for (int m = 0; m < work->methods.count; m++) {
            struct left_out *left_out = &over->left_out[m];
            if (work->all && nereus_method_check_direction(&work->methods.items[m], scenario->ns,
                                                           scenario->nt, NULL) != NEREUS_OK) {
                continue; /* of all, those that are legal were asked for */
            }
            if (nereus_method_equal(&answer->refusals[i].method, &work->methods.items[m]) &&
                left_out->cases++ == 0) {
                left_out->first_line = line;
                snprintf(left_out->reason, sizeof left_out->reason, "%s", answer->refusals[i].why.text);
            }
        }
    }
}

/* The union of what was assumed. Iteration times that follow from the case: their rule is named instead of a value. */
static void collect_assumed(const struct nereus_question *question, struct over_cases *over)
{
    for (int i = 0; i < question->assumed_count; i++) {
        const struct nereus_assumption *assumption = &question->assumed[i];
        bool follows = strncmp(assumption->option, "t-iter", 6) == 0 && assumption->reason != NULL;
        char entry[256];
        snprintf(entry, sizeof entry, "--%s %s", assumption->option,
                 follows ? assumption->reason : assumption->value);
        size_t used = strlen(over->assumed);
        if (strstr(over->assumed, entry) == NULL && used + strlen(entry) + 3 < sizeof over->assumed) {
            snprintf(over->assumed + used, sizeof over->assumed - used, "%s%s", used > 0 ? ", " : "", entry);
        }
    }
}

static enum nereus_status answer_case(const struct work *work, const struct nereus_case *item,
                                      struct over_cases *over, struct nereus_error *err)
{
    struct nereus_question question;
    struct nereus_answer answer;
    struct nereus_error why;
    enum nereus_status status = make_question(work, &item->settings, &question, &why);
    if (status == NEREUS_OK) {
        status = nereus_answer_make(&work->profile, &question, &work->methods, &work->ranking, &answer, &why);
        if (status == NEREUS_OK) {
            nereus_predictions_add(&over->rows, &question.scenario, &answer);
            count_left_out(work, &question.scenario, &answer, item->line, over);
            collect_assumed(&question, over);
            over->oversubscribed += answer.oversubscribed ? 1 : 0;
            nereus_answer_fini(&answer);
        }
        nereus_question_fini(&question);
    }
    return status == NEREUS_OK
               ? NEREUS_OK
               : nereus_fail(err, status, "%s:%" PRId64 ": %s", over->path, item->line, why.text);
}

static void say_over_cases(const struct work *work, const struct nereus_cases *cases,
                           const struct over_cases *over)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    if (over->assumed[0] != '\0') {
        nereus_cli_note("assumed where a case does not say: %s", over->assumed);
    }
    for (int m = 0; m < work->methods.count; m++) {
        if (over->left_out[m].cases > 0) {
            nereus_cli_note("%s is left out of %" PRId64 " of %" PRId64 " cases; line %" PRId64 ": %s",
                            nereus_method_print(&work->methods.items[m], text), over->left_out[m].cases,
                            cases->count, over->left_out[m].first_line, over->left_out[m].reason);
        }
    }
    if (over->oversubscribed > 0) {
        nereus_cli_note("%" PRId64 " of %" PRId64
                        " cases have more processes than cores and are oversubscribed",
                        over->oversubscribed, cases->count);
    }
}

/* All cases are answered before the first is printed: a broken line leaves no half of an answer. */
static int answer_cases(const struct work *work, const struct nereus_cases *cases)
{
    struct nereus_error err = {.status = NEREUS_OK};
    struct over_cases over = {.path = work->settings->cases};
    enum nereus_status status = NEREUS_OK;
    nereus_table_init(&over.rows, nereus_prediction_columns, nereus_prediction_column_count);
    over.left_out = calloc((size_t)work->methods.count, sizeof *over.left_out);
    if (over.left_out == NULL) {
        status =
            nereus_fail(&err, NEREUS_ERR_MEMORY, "not enough memory for %" PRId64 " cases", cases->count);
    }
    for (int64_t i = 0; status == NEREUS_OK && i < cases->count; i++) {
        status = answer_case(work, &cases->items[i], &over, &err);
    }
    int exit_status = NEREUS_EXIT_OK;
    if (status != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else {
        say_over_cases(work, cases, &over);
        exit_status = nereus_table_print(&over.rows, (enum nereus_format)work->settings->format, stdout)
                          ? NEREUS_EXIT_OK
                          : could_not_write();
    }
    nereus_table_fini(&over.rows);
    free(over.left_out);
    return exit_status;
}

static int read_and_answer_cases(const struct work *work, const struct nereus_settings *defaults)
{
    struct nereus_cases cases;
    struct nereus_error err;
    if (nereus_cases_read(work->settings->cases, defaults, &cases, &err) != NEREUS_OK) {
        return nereus_cli_fail("%s", err.text);
    }
    int exit_status = answer_cases(work, &cases);
    nereus_cases_fini(&cases);
    return exit_status;
}

/* Whatever the profile has measured in the other direction is no candidate, and no news. */
static void keep_legal(const struct nereus_settings *scenario, struct nereus_methods *methods)
{
    int kept = 0;
    for (int i = 0; i < methods->count; i++) {
        if (nereus_method_check_direction(&methods->items[i], scenario->ns, scenario->nt, NULL) ==
            NEREUS_OK) {
            methods->items[kept++] = methods->items[i];
        }
    }
    methods->count = kept > 0 ? kept : methods->count; /* none: the answer says why */
}

/* Candidates by name, all, or those of the profile; and how many there could be. */
static enum nereus_status choose_methods(const struct nereus_settings *scenario, struct work *work,
                                         struct nereus_error *err)
{
    struct nereus_methods legal;
    /* Of a sequence: changes in both directions. */
    const int64_t ns = work->settings->sequence != NULL ? 0 : scenario->ns;
    enum nereus_status status = nereus_methods_all(ns, scenario->nt, &legal, err);
    if (status != NEREUS_OK) {
        return status;
    }
    work->legal = ns > 0 ? legal.count : 0;
    if (work->all) {
        work->methods = legal;
        return NEREUS_OK;
    }
    nereus_methods_fini(&legal);
    if (work->settings->methods != NULL) {
        return NEREUS_OK;
    }
    status = nereus_methods_from_profile(&work->profile, &work->methods, err);
    if (status == NEREUS_OK && ns > 0) {
        keep_legal(scenario, &work->methods);
    }
    return status;
}

/* Words of the command line come before files: they are quicker to put right. */
static enum nereus_status read_words(const struct settings *settings, const struct nereus_settings *scenario,
                                     struct work *work, struct nereus_error *err)
{
    work->all = settings->methods != NULL && strcmp(settings->methods, "all") == 0;
    enum nereus_status status =
        nereus_goal_ranking(&settings->best, (enum nereus_goal)settings->goal, &work->ranking, err);
    if (status == NEREUS_OK) {
        status = nereus_settings_check(scenario, err);
    }
    if (status == NEREUS_OK && settings->sequence != NULL) {
        status = nereus_sequence_check(scenario, err);
    }
    if (status == NEREUS_OK && settings->sequence != NULL) {
        status = nereus_sequence_parse(settings->sequence, &work->sequence, err);
    }
    if (status == NEREUS_OK && settings->methods != NULL && !work->all) {
        status = nereus_methods_parse(settings->methods, &work->methods, err);
    }
    return status;
}

static int read_and_answer(const struct nereus_settings *scenario, struct work *work)
{
    struct nereus_error err;
    int exit_status;
    if (nereus_profile_read(work->settings->profile, &work->profile, &err) != NEREUS_OK) {
        return nereus_cli_fail("%s", err.text);
    }
    if (choose_methods(scenario, work, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else if (work->settings->cases != NULL) {
        exit_status = read_and_answer_cases(work, scenario);
    } else if (work->settings->sequence != NULL) {
        exit_status = answer_sequence(work, scenario);
    } else {
        exit_status = answer_one(work, scenario);
    }
    nereus_profile_fini(&work->profile);
    return exit_status;
}

static int predict(const struct settings *settings, const struct nereus_settings *scenario)
{
    struct work work = {.settings = settings};
    struct nereus_error err;
    const int exit_status = read_words(settings, scenario, &work, &err) == NEREUS_OK
                                ? read_and_answer(scenario, &work)
                                : nereus_cli_fail_usage("%s", err.text);
    nereus_sequence_fini(&work.sequence);
    nereus_methods_fini(&work.methods);
    return exit_status;
}

static int run(int argc, char **argv)
{
    struct settings settings = {.best = nereus_goal_settings_usual()};
    struct nereus_settings scenario = NEREUS_SETTINGS_INIT;
    const struct nereus_option_group groups[] = {
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {NULL, nereus_goal_options, nereus_goal_option_count, &settings.best},
        {NULL, nereus_scenario_options, nereus_scenario_option_count, &scenario},
    };
    const struct nereus_command_line line = {
        NULL,
        "Predicts what a change from NS to NT processes costs by each method: its "
        "time RT with a 90 % interval, and for asynchronous methods alpha, omega, It "
        "and CT; the time T_ex of the whole application; and which method is best. "
        "Needs no MPI. Defaults are in brackets; the answer says which were used.",
        groups,
        NEREUS_COUNT_OF(groups),
        0,
        0};
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, NULL, &exit_status)) {
        return exit_status;
    }
    if (settings.profile == NULL) {
        return nereus_cli_fail_usage(NEREUS_PROFILE_IS_MISSING);
    }
    if (settings.sequence != NULL && (settings.cases != NULL || settings.best.later_shrink > 0)) {
        return nereus_cli_fail_usage("--sequence and --%s exclude each other",
                                     settings.cases != NULL ? "cases" : "later-shrink");
    }
    if (settings.cases == NULL && (scenario.ns == 0 || (scenario.nt == 0 && settings.sequence == NULL))) {
        return nereus_cli_fail_usage("--%s is missing (processes %s)", scenario.ns == 0 ? "ns" : "nt",
                                     scenario.ns == 0 ? "now" : "wanted");
    }
    if (settings.cases != NULL && (scenario.ns != 0 || scenario.nt != 0)) {
        return nereus_cli_fail_usage("--cases holds the sizes: leave --%s out",
                                     scenario.ns != 0 ? "ns" : "nt");
    }
    return predict(&settings, &scenario);
}

const struct command nereus_cmd_predict = {
    "predict", "say what a change of size will cost, and which method is best", run};
