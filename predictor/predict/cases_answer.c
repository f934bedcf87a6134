/** @file cases_answer.c  Answers all cases, and prints notes that concern several cases only once.
 */

#include "cases.h"
#include "predictor/cli/command.h"
#include "predictor/scenario/predictions.h"

/* ---- methods that could not be predicted for some cases, and why ---- */

/* Reasons that differ in numbers only count as one. */
struct omission_reason {
    int64_t cases, first_line;
    char text[512];
};

struct omission {
    struct nereus_method method;
    int64_t cases;
    struct omission_reason *reasons; /* in the order of their first lines; owned */
    int reason_count;
};

struct omissions {
    struct omission *items; /* in the order in which they were first left out; owned */
    int count;
};

static struct omission *find_or_add_omission(struct omissions *omissions,
                                             const struct nereus_method *method)
{
    for (int i = 0; i < omissions->count; i++)
        if (nereus_method_equal(&omissions->items[i].method, method))
            return &omissions->items[i];
    struct omission *grown = nereus_grow(omissions->items, omissions->count, sizeof *grown);
    if (grown == NULL)
        return NULL;
    omissions->items = grown;
    grown[omissions->count] = (struct omission){.method = *method};
    return &grown[omissions->count++];
}

static struct omission_reason *find_or_add_reason(struct omission *omission, int64_t line,
                                                  const char *why)
{
    for (int i = 0; i < omission->reason_count; i++)
        if (nereus_cli_is_same_but_numbers(omission->reasons[i].text, why))
            return &omission->reasons[i];
    struct omission_reason *grown =
        nereus_grow(omission->reasons, omission->reason_count, sizeof *grown);
    if (grown == NULL)
        return NULL;
    omission->reasons = grown;
    grown += omission->reason_count++;
    *grown = (struct omission_reason){.first_line = line};
    snprintf(grown->text, sizeof grown->text, "%s", why);
    return grown;
}

static enum nereus_status add_omission(struct omissions *omissions,
                                       const struct nereus_method *method, int64_t line,
                                       const char *why, struct nereus_error *err)
{
    struct omission *omission = find_or_add_omission(omissions, method);
    struct omission_reason *reason =
        omission == NULL ? NULL : find_or_add_reason(omission, line, why);
    NEREUS_TRY_MEMORY(reason, err, "for what is left out of line %lld", (long long)line);
    omission->cases++;
    reason->cases++;
    return NEREUS_OK;
}

static void free_omissions(struct omissions *omissions)
{
    for (int i = 0; i < omissions->count; i++)
        free(omissions->items[i].reasons);
    free(omissions->items);
    *omissions = (struct omissions){0};
}

/* Print a sentence such as "merge-ts is left out of 3 of 3 cases; line 2: ...; line 3 and 1 more:
 * ...".
 * @return to be freed; NULL without memory */
static char *make_omission_sentence(const struct omission *omission, int64_t cases)
{
    char method[NEREUS_METHOD_TEXT_MAX], *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return NULL;
    fprintf(stream, "%s is left out of %lld of %lld case%s",
            nereus_method_format(&omission->method, method), (long long)omission->cases,
            (long long)cases, nereus_plural_s(cases));
    for (int i = 0; i < omission->reason_count; i++) {
        const struct omission_reason *reason = &omission->reasons[i];
        fprintf(stream, "; line %lld", (long long)reason->first_line);
        if (omission->reason_count > 1 && reason->cases > 1)
            fprintf(stream, " and %lld more", (long long)(reason->cases - 1));
        fprintf(stream, ": %s", reason->text);
    }
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- all cases ---- */

/* Rows and counts over all cases, for notes that are printed once. */
struct case_totals {
    struct nereus_table rows;
    struct omissions omissions;
    int64_t answered, oversubscribed, more_nodes;
    int64_t no_expansion, first_no_expansion; /* --later-shrink: cases that it cannot follow, and
                                                 the line of the first */
    char assumed[1024];
};

static enum nereus_status collect_left_out(bool all, const struct nereus_scenario *scenario,
                                           const struct nereus_answer *answer, int64_t line,
                                           struct case_totals *totals, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int i = 0; i < answer->refusal_count && status == NEREUS_OK; i++) {
        const struct nereus_refusal *refusal = &answer->refusals[i];
        if (all && nereus_method_check_direction(&refusal->method, scenario->ns, scenario->nt,
                                                 NULL) != NEREUS_OK)
            continue; /* --methods all means all legal methods */
        status = add_omission(&totals->omissions, &refusal->method, line, refusal->why.text, err);
    }
    return status;
}

/* Is the entry in the list, whose entries ", " separates? "--bytes 16" does not hold "--bytes 1".
 */
static bool has_entry(const char *list, const char *entry)
{
    const size_t length = strlen(entry);
    for (const char *position = strstr(list, entry); position != NULL;
         position = strstr(position + 1, entry)) {
        const bool begins =
            position == list || (position - list >= 2 && strncmp(position - 2, ", ", 2) == 0);
        if (begins && (position[length] == '\0' || strncmp(position + length, ", ", 2) == 0))
            return true;
    }
    return false;
}

/* Collect the assumptions of all cases. For iteration times that differ by case, the rule is named
 * instead of a value. */
static void collect_assumed(const struct nereus_question *question, struct case_totals *totals)
{
    for (int i = 0; i < question->assumed_count; i++) {
        const struct nereus_assumption *assumption = &question->assumptions[i];
        bool has_rule = strncmp(assumption->option, "t-iter", 6) == 0 && assumption->reason != NULL;
        char entry[256];
        snprintf(entry, sizeof entry, "--%s %s", assumption->option,
                 has_rule ? assumption->reason : assumption->value);
        size_t used = strlen(totals->assumed);
        if (!has_entry(totals->assumed, entry) &&
            used + strlen(entry) + 3 < sizeof totals->assumed) {
            snprintf(totals->assumed + used, sizeof totals->assumed - used, "%s%s",
                     used > 0 ? ", " : "", entry);
        }
    }
}

static enum nereus_status answer_question(const struct nereus_cases_request *requested,
                                          const struct nereus_case *item,
                                          const struct nereus_question *question,
                                          struct case_totals *totals, struct nereus_error *err)
{
    struct nereus_answer answer;
    struct nereus_method named = item->method;
    const struct nereus_methods only_named = {.items = &named, .count = 1};
    struct nereus_candidates candidates = *requested->candidates;
    candidates.methods = item->has_method ? &only_named : candidates.methods;
    NEREUS_TRY(nereus_answer_make_or_empty(&candidates, question, &answer, err));
    nereus_predictions_add(&totals->rows, &question->scenario, &answer,
                           requested->format != NEREUS_FORMAT_TEXT);
    const enum nereus_status status = collect_left_out(
        requested->all && !item->has_method, &question->scenario, &answer, item->line, totals, err);
    collect_assumed(question, totals);
    totals->more_nodes += question->more_nodes[0] != '\0' ? 1 : 0;
    totals->answered += answer.count > 0 ? 1 : 0;
    totals->oversubscribed += answer.oversubscribed ? 1 : 0;
    nereus_answer_fini(&answer);
    return status;
}

static void count_no_expansion(const struct nereus_case *item, struct case_totals *totals)
{
    if (totals->no_expansion++ == 0)
        totals->first_no_expansion = item->line;
}

static enum nereus_status answer_case(const struct nereus_cases_request *requested,
                                      const struct nereus_case *item, struct case_totals *totals,
                                      struct nereus_error *err)
{
    struct nereus_question question;
    struct nereus_error why;
    if (!nereus_goal_allows_later_shrink(requested->goal, item->settings.ns, item->settings.nt)) {
        count_no_expansion(item, totals);
        return NEREUS_OK;
    }
    enum nereus_status status = nereus_goal_question(
        requested->goal, &item->settings, requested->candidates->profile, &question, &why);
    if (status == NEREUS_OK) {
        status = answer_question(requested, item, &question, totals, &why);
        nereus_question_fini(&question);
    }
    return status == NEREUS_OK ? NEREUS_OK
                               : nereus_fail(err, status, "%s:%lld: %s", requested->cases->name,
                                             (long long)item->line, why.text);
}

static void note_methods_left_out(const struct nereus_cases_request *requested,
                                  const struct case_totals *totals)
{
    for (int i = 0; i < totals->omissions.count; i++) {
        char *sentence =
            make_omission_sentence(&totals->omissions.items[i], requested->cases->count);
        nereus_cli_note("%s",
                        sentence != NULL ? sentence : "not enough memory to say what is left out");
        free(sentence);
    }
}

/* Note the number of cases that are as the text says, unless it is 0. */
static void note_count(const struct nereus_cases_request *requested, int64_t count,
                       const char *text)
{
    if (count > 0)
        nereus_cli_note("%lld of %lld case%s %s %s", (long long)count,
                        (long long)requested->cases->count,
                        nereus_plural_s(requested->cases->count),
                        nereus_choose_plural(count, "is", "are"), text);
}

static void note_no_expansion(const struct nereus_cases_request *requested,
                              const struct case_totals *totals)
{
    char text[160];
    snprintf(text, sizeof text,
             "left out (line %lld%s): --later-shrink %lld is for an expansion to more processes "
             "than that",
             (long long)totals->first_no_expansion, totals->no_expansion > 1 ? ", ..." : "",
             (long long)requested->goal->later_shrink);
    note_count(requested, totals->no_expansion, text);
}

static void note_all_cases(const struct nereus_cases_request *requested,
                           const struct case_totals *totals)
{
    if (totals->assumed[0] != '\0')
        nereus_cli_note("assumed where a case does not say: %s", totals->assumed);
    if (requested->cases->unknown_columns != NULL)
        nereus_cli_note("%s unknown and ignored", requested->cases->unknown_columns);
    if (requested->cases->passed_over > 0) {
        nereus_cli_note("%lld sample%s of %s are not whole reconfigurations (kind) and are ignored",
                        (long long)requested->cases->passed_over,
                        nereus_plural_s(requested->cases->passed_over), requested->cases->name);
    }
    note_count(requested, totals->more_nodes, "on more nodes than the profile was measured on");
    note_no_expansion(requested, totals);
    note_methods_left_out(requested, totals);
    if (requested->measured_only) {
        nereus_cli_note("candidates are the methods that the profile has measured; --methods all "
                        "predicts all legal ones");
    }
    note_count(requested, totals->oversubscribed, "oversubscribed: more processes than cores");
}

/* Fail with the first reason, if no case has a prediction. */
static int fail_unanswered(const struct nereus_cases_request *requested,
                           const struct case_totals *totals)
{
    if (totals->omissions.count == 0) {
        return nereus_cli_fail(
            "%s: no case can be answered: --later-shrink %lld is for an expansion to more "
            "processes than that, and none of them is one",
            requested->cases->name, (long long)requested->goal->later_shrink);
    }
    char *sentence = make_omission_sentence(&totals->omissions.items[0], requested->cases->count);
    const int exit_status =
        nereus_cli_fail("%s: no case can be answered: %s%s", requested->cases->name,
                        sentence != NULL ? sentence : "not enough memory to say why",
                        totals->omissions.count > 1 ? "; nor can another method be predicted" : "");
    free(sentence);
    return exit_status;
}

static int print_cases(const struct nereus_cases_request *requested, struct case_totals *totals)
{
    if (totals->answered == 0)
        return fail_unanswered(requested, totals);
    note_all_cases(requested, totals);
    return nereus_table_print(&totals->rows, requested->format, stdout)
               ? NEREUS_EXIT_OK
               : nereus_cli_fail("not enough memory to print the answer");
}

int nereus_cases_answer(const struct nereus_cases_request *requested)
{
    struct nereus_error err = {.status = NEREUS_OK};
    struct case_totals totals = {.answered = 0};
    enum nereus_status status = NEREUS_OK;
    nereus_table_init(&totals.rows, nereus_prediction_columns, nereus_prediction_column_count);
    for (int64_t i = 0; status == NEREUS_OK && i < requested->cases->count; i++)
        status = answer_case(requested, &requested->cases->items[i], &totals, &err);
    const int exit_status =
        status == NEREUS_OK ? print_cases(requested, &totals) : nereus_cli_fail("%s", err.text);
    nereus_table_fini(&totals.rows);
    free_omissions(&totals.omissions);
    return exit_status;
}
