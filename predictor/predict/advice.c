/** @file advice.c  Turns options into a question about sizes, and answers it. */
#include "advice.h"

#include "advice_print.h"
#include "predictor/cli/command.h"

/* Without --nt all sizes are tried up to this many, else about so many at equal distances, as each
 * takes milliseconds on a machine of thousands of nodes. */
enum { SIZES_ALL_MAX = 10000, SIZES_SPREAD = 500 };

bool nereus_nt_is_range(const char *nt)
{
    return strcmp(nt, NEREUS_NT_BEST) == 0 || strpbrk(nt, ":,") != NULL;
}

enum nereus_status nereus_nt_check(const char *nt, struct nereus_error *err)
{
    struct nereus_sizes sizes = {NULL, 0};
    if (strcmp(nt, NEREUS_NT_BEST) == 0)
        return NEREUS_OK;
    const enum nereus_status status = nereus_sizes_parse("--nt", nt, &sizes, err);
    nereus_sizes_fini(&sizes);
    return status;
}

static void assume(struct nereus_question *question, const char *option, const char *value,
                   const char *reason)
{
    if (question->assumed_count == NEREUS_ASSUMPTIONS_MAX)
        return;
    struct nereus_assumption *row = &question->assumptions[question->assumed_count++];
    row->option = option;
    row->reason = reason;
    snprintf(row->value, sizeof row->value, "%s", value);
}

/* Set the sizes without --nt: from 1 to as many processes as the nodes have cores, or slots are
 * declared. */
static enum nereus_status set_all_sizes(struct nereus_question *question,
                                        struct nereus_sizes *sizes, struct nereus_error *err)
{
    const struct nereus_machine *machine = &question->machine;
    char range[64];
    const int64_t cores = machine->node_count > 0 ? nereus_machine_total_cores(machine) : 0;
    const int64_t max =
        machine->slots > 0 && (cores == 0 || machine->slots < cores) ? machine->slots : cores;
    if (max == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "nothing says how many nodes there are: --nodes N or --nt FIRST:LAST "
                           "is needed");
    }
    if (max <= SIZES_ALL_MAX) {
        snprintf(range, sizeof range, "1:%lld", (long long)max);
    } else {
        const long long step = nereus_divide_up(max, SIZES_SPREAD);
        snprintf(range, sizeof range, "%lld:%lld:%lld", step, (long long)max / step * step, step);
        assume(question, "nt", range, "too many sizes to try each");
    }
    return nereus_sizes_parse("--nt", range, sizes, err);
}

static void assume_scaling(const struct nereus_settings *settings, struct nereus_question *question)
{
    if (settings->scaling == NULL && question->scaling.law == NEREUS_SCALING_MEASURED)
        assume(question, "scaling", "measured", settings->observed->file);
    else if (settings->scaling == NULL)
        assume(question, "scaling", "strong", "T(n) = T(NS) NS / n within the cores");
}

/* Make the question of the present job. A later shrink is that of the largest size. */
static enum nereus_status make_question(const struct nereus_settings *settings, const char *nt,
                                        const struct nereus_goal_settings *goal_settings,
                                        struct nereus_advice_result *answer,
                                        struct nereus_error *err)
{
    struct nereus_settings present_job = *settings;
    struct nereus_scenario *scenario = &answer->question.scenario;
    present_job.nt = settings->ns;
    present_job.t_iter_nt_s = 1; /* not used; set so that no value is assumed */
    present_job.iterations_before =
        settings->iterations_before >= 0 ? settings->iterations_before : 0;
    present_job.bounded = nt == NULL || strcmp(nt, NEREUS_NT_BEST) == 0;
    NEREUS_TRY(nereus_question_make(&present_job, answer->profile, &answer->question, err));
    assume_scaling(settings, &answer->question);
    if (settings->state == NULL)
        scenario->state = NULL; /* an initial state needs no analysis */
    if (answer->mtbf != NULL)
        NEREUS_TRY(nereus_failures_weigh(answer->profile, &answer->question, answer->mtbf,
                                         &answer->failures, err));
    NEREUS_TRY(present_job.bounded ? set_all_sizes(&answer->question, &answer->candidates, err)
                                   : nereus_sizes_parse("--nt", nt, &answer->candidates, err));
    scenario->nt = answer->candidates.items[answer->candidates.count - 1];
    NEREUS_TRY(nereus_machine_check_size(&answer->question.machine, "--nt", scenario->nt, err));
    if (goal_settings->later_shrink == 0)
        return NEREUS_OK;
    NEREUS_TRY(nereus_scaling_apply(&answer->question.scaling, scenario->ns, scenario->t_iter_ns_s,
                                    scenario->nt, &scenario->t_iter_nt_s, err));
    return nereus_goal_add_later(goal_settings, &answer->question, err);
}

/* Set the size without a resize, from the advice. */
static void set_present(struct nereus_advice_result *answer)
{
    const struct nereus_scenario *scenario = &answer->question.scenario;
    const struct nereus_advice *advice = &answer->advice;
    const int64_t nodes = advice->stay_nodes;
    answer->present = (struct nereus_advice_size){
        .nt = scenario->ns,
        .possible = true,
        .t_iter_nt_s = scenario->t_iter_ns_s,
        .t_ex_s = {advice->stay_t_ex_s, 0, 0},
        .break_even_iterations = NAN,
        .prediction = {.rt_s = {NAN, NAN, NAN},
                       .oversubscribed = nereus_machine_is_oversubscribed(&answer->question.machine,
                                                                          scenario->ns),
                       .node_s = (double)nodes * advice->stay_t_ex_s,
                       .nodes = {nodes, nodes, nodes},
                       .energy_j = advice->stay_power_w * advice->stay_t_ex_s}};
}

static enum nereus_status advise_from_ranking(const struct nereus_methods *methods,
                                              struct nereus_advice_result *answer,
                                              struct nereus_error *err)
{
    const struct nereus_question *question = &answer->question;
    const struct nereus_advice_question requested = {
        .profile = answer->profile,
        .scenario = &question->scenario,
        .scaling = &question->scaling,
        .sizes = answer->candidates.items,
        .size_count = answer->candidates.count,
        .methods = methods->items,
        .method_count = methods->count,
        .ranking = &answer->ranking,
        .later_shrink = question->later_shrink.processes > 0 ? &question->later_shrink : NULL};
    struct nereus_prediction *working = calloc((size_t)methods->count + 1, sizeof *working);
    answer->sizes = calloc((size_t)answer->candidates.count + 1, sizeof *answer->sizes);
    const enum nereus_status status =
        working == NULL || answer->sizes == NULL
            ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld sizes",
                          (long long)answer->candidates.count)
            : nereus_advise(&requested, working, answer->sizes, &answer->advice, err);
    free(working);
    if (status == NEREUS_OK)
        set_present(answer);
    return status;
}

static void free_result(struct nereus_advice_result *answer)
{
    nereus_question_fini(&answer->question);
    nereus_sizes_fini(&answer->candidates);
    free(answer->sizes);
    memset(answer, 0, sizeof *answer);
}

/* Answer the question; the result has its profile and ranking already. */
static enum nereus_status make_advice(const struct nereus_settings *settings, const char *nt,
                                      const struct nereus_goal_settings *goal_settings,
                                      const struct nereus_methods *methods,
                                      struct nereus_advice_result *answer, struct nereus_error *err)
{
    enum nereus_status status = make_question(settings, nt, goal_settings, answer, err);
    if (status == NEREUS_OK)
        status = advise_from_ranking(methods, answer, err);
    if (status != NEREUS_OK)
        free_result(answer);
    return status;
}

int nereus_advice_answer(const struct nereus_candidates *candidates,
                         const struct nereus_settings *settings, const char *nt,
                         const struct nereus_goal_settings *goal_settings,
                         const struct nereus_mtbf *mtbf, enum nereus_format format)
{
    struct nereus_advice_result advice = {
        .profile = candidates->profile, .ranking = *candidates->ranking, .mtbf = mtbf};
    struct nereus_error err;
    NEREUS_CLI_TRY(make_advice(settings, nt, goal_settings, candidates->methods, &advice, &err),
                   err);
    const bool printed = nereus_advice_print(&advice, format, stdout);
    free_result(&advice);
    return printed ? NEREUS_EXIT_OK : nereus_cli_fail("the answer could not be printed");
}
