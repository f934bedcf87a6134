/** @file goals.c  Simulates runs under both flex policies with several goals (goals.h). */
#include "goals.h"

#include "model/util/values.h"

enum nereus_status nereus_goals_parse(const char *text, double time_goal[NEREUS_GOALS_MAX],
                                      int *count, struct nereus_error *err)
{
    char copy[256], *rest = copy, *word;
    *count = 0;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return nereus_fail(err, NEREUS_ERR_PARSE, "--goals is too long: at most %d goals",
                           NEREUS_GOALS_MAX);
    while ((word = strsep(&rest, ",")) != NULL) {
        double percent = 0;
        if (*count == NEREUS_GOALS_MAX) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--goals takes at most %d goals",
                               NEREUS_GOALS_MAX);
        }
        NEREUS_TRY(nereus_value_parse_number("--goals", word, &percent, err));
        if (!(percent > 0 && percent < 100)) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "--goals takes percentages above 0 and below 100, not %.160s", word);
        }
        time_goal[(*count)++] = percent / 100;
    }
    return NEREUS_OK;
}

static enum nereus_status add_run(const struct nereus_modelled_question *question,
                                  enum nereus_policy_kind kind, double time_goal,
                                  struct nereus_goal_runs *runs, struct nereus_error *err)
{
    struct nereus_goal_run *run = &runs->runs[runs->count];
    struct nereus_policy_settings policy = *question->policy;
    struct nereus_modelled_question run_question = *question;
    policy.kind = kind;
    policy.time_goal = time_goal;
    policy.finish_s = 0;
    run_question.policy = &policy;
    run_question.log = NULL;
    run->kind = kind;
    run->time_goal = time_goal;
    NEREUS_TRY(nereus_modelled_run_make(&run_question, &run->run, err));
    runs->count++;
    return NEREUS_OK;
}

static enum nereus_status make_all(const struct nereus_modelled_question *question,
                                   const double *time_goal, int count,
                                   struct nereus_goal_runs *runs, struct nereus_error *err)
{
    NEREUS_TRY(add_run(question, NEREUS_POLICY_NONE, 0, runs, err));
    for (int i = 0; i < count; i++)
        NEREUS_TRY(add_run(question, NEREUS_POLICY_FLEX_EFFICIENCY, time_goal[i], runs, err));
    for (int i = 0; i < count; i++)
        NEREUS_TRY(add_run(question, NEREUS_POLICY_FLEX_COST, time_goal[i], runs, err));
    return NEREUS_OK;
}

enum nereus_status nereus_goal_runs_make(const struct nereus_modelled_question *question,
                                         const double *time_goal, int count,
                                         struct nereus_goal_runs *runs, struct nereus_error *err)
{
    *runs = (struct nereus_goal_runs){.application = question->application};
    const enum nereus_status status = make_all(question, time_goal, count, runs, err);
    if (status != NEREUS_OK)
        nereus_goal_runs_fini(runs);
    return status;
}

void nereus_goal_runs_fini(struct nereus_goal_runs *runs)
{
    for (int i = 0; i < runs->count; i++)
        nereus_modelled_run_fini(&runs->runs[i].run);
    runs->count = 0;
}

#define COLUMNS(X)                                                                                 \
    X("policy", "policy", NULL, nereus_cell_text(nereus_policy_kind_name(goal_run->kind)))         \
    X("goal_percent", "goal", "% sooner",                                                          \
      nereus_cell_if(goal, nereus_cell_real(100 * goal_run->time_goal)))                           \
    X("goal_s", "goal", "s", nereus_cell_if(goal, nereus_cell_real(run->goal_s)))                  \
    X("end_s", "end", "s", nereus_cell_real(run->end_s))                                           \
    X("sooner_percent", "sooner", "%",                                                             \
      nereus_cell_if(goal, nereus_cell_real(100 * (1 - run->end_s / run->without_s))))             \
    X("met", "met", NULL, nereus_cell_if(goal, nereus_cell_bool(is_met)))                          \
    X("before_percent", "before it", "% of goal",                                                  \
      nereus_cell_if(goal, nereus_cell_real(100 * (1 - run->end_s / run->goal_s))))                \
    X("most_processes", "processes", NULL, nereus_cell_integer(run->max_processes))                \
    X("changes", "changes", NULL, nereus_cell_integer(run->changes))                               \
    X("computation_s", "computation", "s", nereus_cell_real(run->computation_s))                   \
    X("communication_s", "communication", "s", nereus_cell_real(run->communication_s))             \
    X("change_s", "change", "s", nereus_cell_real(run->change_s))                                  \
    X("cost", "cost", NULL, nereus_cell_real(run->cost))                                           \
    X("relative_cost", "cost, static = 1", NULL,                                                   \
      nereus_cell_if(run->without_cost > 0, nereus_cell_real(run->cost / run->without_cost)))

bool nereus_goal_runs_print(const struct nereus_goal_runs *runs, enum nereus_format format,
                            FILE *stream)
{
    struct nereus_table table;
    NEREUS_TABLE_INIT(&table, COLUMNS);
    for (int i = 0; i < runs->count; i++) {
        const struct nereus_goal_run *goal_run = &runs->runs[i];
        const struct nereus_modelled_run *run = &goal_run->run;
        const bool goal = goal_run->kind != NEREUS_POLICY_NONE,
                   is_met = run->end_s <= run->goal_s * (1 + 1e-9);
        NEREUS_TABLE_ADD(&table, COLUMNS);
    }
    return nereus_table_print(&table, format, stream);
}
