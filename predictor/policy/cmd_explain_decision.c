/** @file cmd_explain_decision.c  nereus explain-decision: what a policy decided, and why. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/file.h"
#include "model/util/try.h"
#include "predictor/cli/command.h"
#include "predictor/cli/output.h"

struct settings {
    bool all;
    int64_t interval, candidates;
};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option table[] = {
    {"all", 0, NEREUS_OPTION_FLAG, NULL, "also decisions that change nothing", AT(all), NULL},
    {"interval", 0, NEREUS_OPTION_NATURAL, "N", "only the decision before this interval, from 0",
     AT(interval), NULL},
    {"candidates", 0, NEREUS_OPTION_NATURAL, "N", "of each decision, at most (8)", AT(candidates),
     NULL},
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static double real_of(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* {"C1": 2, "C8": 4} as "C1:2,C8:4". */
static void allocation_text(const json_t *allocation, char text[256])
{
    const char *name;
    json_t *count;
    size_t used = 0;
    text[0] = '\0';
    json_object_foreach((json_t *)allocation, name, count)
    {
        if (used < 256) {
            used += (size_t)snprintf(text + used, 256 - used, "%s%s:%lld", used > 0 ? "," : "",
                                     name, (long long)json_integer_value(count));
        }
    }
}

#define COLUMNS(X)                                                                                 \
    X("chosen", "", NULL, nereus_cell_text(chosen ? "->" : " "))                                   \
    X("processes", "processes", NULL,                                                              \
      nereus_cell_integer(json_integer_value(json_object_get(one, "count"))))                      \
    X("allocation", "by class", NULL, nereus_cell_text(allocation))                                \
    X("needed_power", "power needed", NULL, nereus_cell_real(real_of(one, "needed_power")))        \
    X("change_s", "change", "s",                                                                   \
      nereus_cell_real(json_number_value(json_array_get(json_object_get(one, "change_s"), 1))))    \
    X("end_s", "end", "s", nereus_cell_real(real_of(one, "end_s")))                                \
    X("cost", "cost", NULL, nereus_cell_real(real_of(one, "cost")))                                \
    X("simplex", "simplex", NULL, nereus_cell_real(real_of(mix, "simplex")))                       \
    X("taken", "integer", NULL, nereus_cell_real(real_of(mix, "taken")))                           \
    X("verdict", "verdict", NULL, nereus_cell_text(text_of(one, "verdict")))

static const struct nereus_column columns[] = {COLUMNS(NEREUS_COLUMN)};

static void add_candidate(const json_t *one, bool chosen, struct nereus_table *rows)
{
    const json_t *mix = json_object_get(one, "mix");
    char allocation[256];
    allocation_text(json_object_get(one, "processes"), allocation);
    const struct nereus_cell cells[] = {COLUMNS(NEREUS_CELL)};
    nereus_table_add(rows, cells);
}

/* Those around the chosen one; without one the last, which have the most power. */
static bool print_candidates(const json_t *decision, int64_t most)
{
    const json_t *candidates = json_object_get(decision, "candidates");
    const int64_t count = (int64_t)json_array_size(candidates),
                  chosen = json_integer_value(json_object_get(decision, "chosen"));
    int64_t first = chosen >= 0 ? chosen - most / 2 : count - most;
    first = first < 0 || count <= most ? 0 : first;
    first = first + most > count && count > most ? count - most : first;
    struct nereus_table rows;
    if (count == 0 || most == 0) {
        return true;
    }
    nereus_table_init(&rows, columns, NEREUS_COUNT_OF(columns));
    for (int64_t i = first; i < count && i < first + most; i++) {
        add_candidate(json_array_get(candidates, (size_t)i), i == chosen, &rows);
    }
    const bool printed = nereus_table_print(&rows, NEREUS_FORMAT_TEXT, stdout);
    if (count > most) {
        printf("  %lld of %lld candidates are shown\n", (long long)most, (long long)count);
    }
    return printed;
}

static bool print_decision(const json_t *decision, int64_t most)
{
    char now[256], to[256];
    allocation_text(json_object_get(decision, "now"), now);
    allocation_text(json_object_get(decision, "to"), to);
    const bool changes = json_is_true(json_object_get(decision, "changes"));
    printf("Before interval %lld, %.4g s after the start: ",
           (long long)json_integer_value(json_object_get(decision, "interval")),
           real_of(decision, "elapsed_s"));
    printf(changes ? "%s becomes %s\n" : "%s stays\n", now, to);
    printf("  %s: %s.\n", text_of(decision, "policy"), text_of(decision, "why"));
    printf("  held to the end it would end after %.5g s", real_of(decision, "stay_end_s"));
    if (!isnan(real_of(decision, "goal_s"))) {
        printf("; the goal is %.5g s", real_of(decision, "goal_s"));
    }
    if (!isnan(real_of(decision, "fastest_end_s"))) {
        printf("; the fastest sequence of changes ends after %.5g s",
               real_of(decision, "fastest_end_s"));
    }
    putchar('\n');
    return print_candidates(decision, most);
}

static bool is_wanted(const struct settings *settings, const json_t *decision)
{
    if (settings->interval >= 0) {
        return json_integer_value(json_object_get(decision, "interval")) == settings->interval;
    }
    return settings->all || json_is_true(json_object_get(decision, "changes"));
}

struct totals {
    int64_t decisions, shown;
};

static enum nereus_status explain_line(const struct settings *settings, const char *path,
                                       int number, const char *line, struct totals *totals,
                                       struct nereus_error *err)
{
    json_error_t why;
    json_t *decision = json_loads(line, JSON_REJECT_DUPLICATES, &why);
    if (decision == NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%.200s:%d: no JSON: %.150s", path, number,
                           why.text);
    }
    enum nereus_status status = NEREUS_OK;
    if (!json_is_string(json_object_get(decision, "why")) ||
        !json_is_object(json_object_get(decision, "now"))) {
        status = nereus_fail(err, NEREUS_ERR_PARSE,
                             "%.200s:%d: no decision of a policy: keys 'why' and 'now' are missing",
                             path, number);
    } else if (is_wanted(settings, decision)) {
        totals->shown++;
        if (!print_decision(decision, settings->candidates)) {
            status = nereus_fail(err, NEREUS_ERR_IO, "the answer could not be written");
        }
    }
    totals->decisions++;
    json_decref(decision);
    return status;
}

static enum nereus_status explain(const struct settings *settings, const char *path,
                                  struct nereus_error *err)
{
    struct totals totals = {0};
    char *text, *rest, *line;
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY(nereus_file_read(path, "log of decisions", &text, NULL, err));
    rest = text;
    for (int number = 1; status == NEREUS_OK && (line = strsep(&rest, "\n")) != NULL; number++) {
        if (line[0] != '\0') {
            status = explain_line(settings, path, number, line, &totals, err);
        }
    }
    free(text);
    if (status == NEREUS_OK) {
        printf("%lld decisions, %lld shown%s\n", (long long)totals.decisions,
               (long long)totals.shown,
               totals.shown < totals.decisions && settings->interval < 0
                   ? "; --all shows those that change nothing"
                   : "");
    }
    return status;
}

static const char help[] =
    "Prints the decisions of a policy from its log: what was known, which sets of processes were "
    "considered, which was chosen, and why. A policy writes the log where its key log or the option "
    "--log of `nereus policy` says.";

static int run(int argc, char **argv)
{
    struct settings settings = {.interval = -1, .candidates = 8};
    const struct nereus_option_group groups[] = {{NULL, table, NEREUS_COUNT_OF(table), &settings}};
    const struct nereus_command_line line = {.arguments_help = "LOG.jsonl",
                                             .help = help,
                                             .groups = groups,
                                             .group_count = NEREUS_COUNT_OF(groups),
                                             .min_arguments = 1,
                                             .max_arguments = 1};
    struct nereus_arguments files;
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status)) {
        return exit_status;
    }
    return explain(&settings, files.items[0], &err) == NEREUS_OK ? NEREUS_EXIT_OK
                                                                 : nereus_cli_fail("%s", err.text);
}

const struct command nereus_cmd_explain_decision = {
    "explain-decision", "print what a policy decided, with the candidates and why", run};
