/** @file choices_print.c  Regrets as tables. */
#include <inttypes.h>
#include <math.h>

#include "print.h"

static const char *const goal_names[NEREUS_CHOICE_GOALS] = {"system", "application"};

static const char *load_name(bool oversubscribed)
{
    return oversubscribed ? "above" : "within";
}

#define CHOICE_COLUMNS(X)                                                                          \
    X("load", "cores", NULL, nereus_cell_text(load_name(choice->oversubscribed)))                  \
    X("goal", "goal", NULL, nereus_cell_text(goal_names[choice->goal]))                            \
    X("ns", "NS", NULL, nereus_cell_integer(choice->ns))                                           \
    X("nt", "NT", NULL, nereus_cell_integer(choice->nt))                                           \
    X("iterations_after", "iterations after", NULL,                                                \
      nereus_cell_integer((int64_t)choice->chosen->iterations_after))                              \
    X("methods", "methods", NULL, nereus_cell_integer(choice->methods))                            \
    X("chosen", "predictor's choice", NULL,                                                        \
      nereus_cell_text(nereus_method_print(&choice->chosen->method, chosen)))                      \
    X("best", "best measured", NULL,                                                               \
      nereus_cell_text(nereus_method_print(&choice->best->method, best)))                          \
    X("regret", "regret", NULL, nereus_cell_real(choice->regret))                                  \
    X("merge_regret", "merge's", NULL, nereus_cell_real(choice->merge_regret))                     \
    X("floor_regret", "floor", NULL, nereus_cell_real(choice->floor_regret))

void nereus_choices_table(const struct nereus_choices *choices, struct nereus_table *table)
{
    static const struct nereus_column columns[] = {CHOICE_COLUMNS(NEREUS_COLUMN)};
    nereus_table_init(table, columns, NEREUS_COUNT_OF(columns));
    for (int i = 0; i < choices->count; i++) {
        const struct nereus_choice *choice = &choices->items[i];
        char chosen[NEREUS_METHOD_TEXT_MAX], best[NEREUS_METHOD_TEXT_MAX];
        const struct nereus_cell cells[] = {CHOICE_COLUMNS(NEREUS_CELL)};
        nereus_table_add(table, cells);
    }
}

#define REGRET_COLUMNS(X)                                                                          \
    X("load", "cores", NULL, nereus_cell_text(load_name(load == 1)))                               \
    X("goal", "goal", NULL, nereus_cell_text(goal_names[goal]))                                    \
    X("who", "who chooses", NULL, nereus_cell_text(who))                                           \
    X("pairs", "pairs", NULL, nereus_cell_integer(regret->pairs))                                  \
    X("exact", "best chosen", NULL,                                                                \
      nereus_cell_if(regret->exact >= 0, nereus_cell_integer(regret->exact)))                      \
    X("regret_mean", "mean regret", NULL, nereus_cell_real(regret->mean))                          \
    X("regret_most", "at most", NULL, nereus_cell_real(regret->most))

static void add_regret(struct nereus_table *table, int load, int goal, const char *who,
                       const struct nereus_regret *regret)
{
    const struct nereus_cell cells[] = {REGRET_COLUMNS(NEREUS_CELL)};
    if (regret->pairs > 0) {
        nereus_table_add(table, cells);
    }
}

void nereus_regrets_table(const struct nereus_choices *choices, struct nereus_table *table)
{
    static const struct nereus_column columns[] = {REGRET_COLUMNS(NEREUS_COLUMN)};
    nereus_table_init(table, columns, NEREUS_COUNT_OF(columns));
    for (int load = 0; load < 2; load++) {
        for (int goal = 0; goal < NEREUS_CHOICE_GOALS; goal++) {
            const struct nereus_regrets *regrets = &choices->regrets[load][goal];
            add_regret(table, load, goal, "predictor", &regrets->predicted);
            add_regret(table, load, goal, "always merge", &regrets->merge);
            add_regret(table, load, goal, "noise floor", &regrets->floor);
        }
    }
}

bool nereus_choices_print(const struct nereus_choices *choices, FILE *stream)
{
    struct nereus_table each, all;
    if (choices->count == 0) {
        fputs("No pair was measured by two methods: there was nothing to choose.\n", stream);
        return true;
    }
    nereus_choices_table(choices, &each);
    nereus_regrets_table(choices, &all);
    fputs("Regret of following the predictor (0.1: 10 % more than the best)\n", stream);
    const bool printed = nereus_table_print(&each, NEREUS_FORMAT_TEXT, stream);
    fputc('\n', stream);
    const bool printed_all = nereus_table_print(&all, NEREUS_FORMAT_TEXT, stream);
    fputs(
        "System: of RT; the rule takes up to 10 % more for a lower T_ex. Application: of T_ex with so many "
        "iterations after the request\n(equation 7 with the measured RT and It). Floor: a choice by the "
        "medians "
        "of half of the repeats, judged by the other half.\n",
        stream);
    return printed && printed_all;
}
