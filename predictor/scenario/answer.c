/** @file answer.c  Predicts the candidates of a question, and ranks them. */
#include "answer.h"

#include "model/util/option.h"

const char *const nereus_goal_choices[] = {NEREUS_GOAL_WORDS, NULL};

/* By enum nereus_quantity. */
#define QUANTITY(name, quantity)                                                                   \
    [NEREUS_QUANTITY_##quantity] = {name, 0,    NEREUS_OPTION_NUMBER,                              \
                                    "1",  NULL, NEREUS_QUANTITY_##quantity * sizeof(double),       \
                                    NULL}
static const struct nereus_option quantities[NEREUS_QUANTITY_COUNT] = {
    QUANTITY("t_ex", T_EX), QUANTITY("rt", RT), QUANTITY("node_hours", NODE_HOURS),
    QUANTITY("energy", ENERGY)};
#undef QUANTITY

static const double weight_max = 1e9; /* keeps sums of scores finite */

enum nereus_status nereus_weights_parse(const char *text, double weights[NEREUS_QUANTITY_COUNT],
                                        struct nereus_error *err)
{
    static const struct nereus_entries entries = {"--weights", quantities, NEREUS_QUANTITY_COUNT,
                                                  ",", '='};
    double found[NEREUS_QUANTITY_COUNT] = {0}, sum = 0;
    NEREUS_TRY(nereus_entries_store(&entries, text, found, err));
    for (int q = 0; q < NEREUS_QUANTITY_COUNT; q++) {
        if (found[q] > weight_max)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--weights %s: %g is above %g",
                               quantities[q].name, found[q], weight_max);
        sum += found[q];
    }
    if (!(sum > 0))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--weights %s: one must be above 0", text);
    memcpy(weights, found, sizeof found);
    return NEREUS_OK;
}

static bool has_method(const struct nereus_methods *methods, const struct nereus_method *method)
{
    for (int i = 0; i < methods->count; i++)
        if (nereus_method_equal(&methods->items[i], method))
            return true;
    return false;
}

static enum nereus_status add_text(struct nereus_methods *methods, const char *text,
                                   struct nereus_error *err)
{
    struct nereus_method method;
    NEREUS_TRY(nereus_method_parse(text, &method, err));
    NEREUS_TRY(nereus_method_check(&method, err));
    if (has_method(methods, &method))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--methods names '%s' twice", text);
    methods->items[methods->count++] = method;
    return NEREUS_OK;
}

enum nereus_status nereus_methods_parse(const char *text, struct nereus_methods *methods,
                                        struct nereus_error *err)
{
    *methods = (struct nereus_methods){0};
    char *copy = strdup(text), *rest = copy, *word;
    methods->items = calloc(strlen(text) + 1, sizeof *methods->items);
    enum nereus_status status = copy == NULL || methods->items == NULL
                                    ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for --methods")
                                    : NEREUS_OK;
    while (status == NEREUS_OK && (word = strsep(&rest, ",")) != NULL) {
        status = word[0] == '\0'
                     ? nereus_fail(err, NEREUS_ERR_PARSE,
                                   "--methods '%s' has an empty entry between its commas", text)
                     : add_text(methods, word, err);
    }
    free(copy);
    if (status != NEREUS_OK)
        nereus_methods_fini(methods);
    return status;
}

enum nereus_status nereus_methods_from_profile(const struct nereus_profile *profile,
                                               struct nereus_methods *methods,
                                               struct nereus_error *err)
{
    *methods = (struct nereus_methods){0};
    if (profile->method_count < 1) {
        return nereus_fail(err, NEREUS_ERR_NO_BASIS,
                           "the profile has no method; name some with --methods");
    }
    methods->items = calloc((size_t)profile->method_count, sizeof *methods->items);
    NEREUS_TRY_MEMORY(methods->items, err, "for %d methods", (int)profile->method_count);
    for (int64_t i = 0; i < profile->method_count; i++)
        if (!has_method(methods, &profile->methods[i]))
            methods->items[methods->count++] = profile->methods[i];
    return NEREUS_OK;
}

static bool is_legal(const struct nereus_method *method, int64_t ns, int64_t nt)
{
    return nereus_method_check(method, NULL) == NEREUS_OK &&
           (ns == 0 || nereus_method_check_direction(method, ns, nt, NULL) == NEREUS_OK);
}

enum nereus_status nereus_methods_all(int64_t ns, int64_t nt, struct nereus_methods *methods,
                                      struct nereus_error *err)
{
    enum { ALL = NEREUS_PROCESS_COUNT * NEREUS_STRATEGY_COUNT * 2 * NEREUS_SHRINK_COUNT };
    *methods = (struct nereus_methods){.items = calloc(ALL, sizeof *methods->items)};
    NEREUS_TRY_MEMORY(methods->items, err, "for %d methods", (int)ALL);
    for (int i = 0; i < ALL; i++) {
        const int strategies = i / NEREUS_SHRINK_COUNT / 2;
        const struct nereus_method method = {
            .process = (enum nereus_process)(strategies / NEREUS_STRATEGY_COUNT),
            .strategy = (enum nereus_strategy)(strategies % NEREUS_STRATEGY_COUNT),
            .async = i / NEREUS_SHRINK_COUNT % 2 != 0,
            .shrink = (enum nereus_shrink)(i % NEREUS_SHRINK_COUNT)};
        if (is_legal(&method, ns, nt))
            methods->items[methods->count++] = method;
    }
    return NEREUS_OK;
}

void nereus_methods_fini(struct nereus_methods *methods)
{
    free(methods->items);
    *methods = (struct nereus_methods){0};
}

/* List the parts of a prediction of an answer.
 * @return their number */
static int list_parts(const struct nereus_scenario *scenario, const struct nereus_answer *answer,
                      int number, struct nereus_goal_part parts[2])
{
    if (answer->later_predictions == NULL) {
        parts[0] = (struct nereus_goal_part){scenario, &answer->predictions[number]};
        return 1;
    }
    const struct nereus_later_prediction *predictions = &answer->later_predictions[number];
    parts[0] = (struct nereus_goal_part){&predictions->expand_scenario, &predictions->expand};
    parts[1] = (struct nereus_goal_part){&predictions->shrink_scenario, &predictions->shrink};
    return 2;
}

struct nereus_interval nereus_answer_interval(const struct nereus_scenario *scenario,
                                              const struct nereus_answer *answer, int number,
                                              enum nereus_quantity quantity)
{
    const struct nereus_goal_figure figure = {.quantity = quantity};
    struct nereus_goal_part parts[2];
    const int count = list_parts(scenario, answer, number, parts);
    return nereus_goal_interval(parts, count, &figure);
}

/* @return the quantity that the goal compares first */
static struct nereus_interval compute_deciding_quantity(const struct nereus_scenario *scenario,
                                                        const struct nereus_answer *answer,
                                                        int number,
                                                        const struct nereus_goal_extremes *extremes)
{
    static const enum nereus_quantity first[] = {NEREUS_QUANTITY_T_EX, NEREUS_QUANTITY_RT,
                                                 NEREUS_QUANTITY_NODE_HOURS,
                                                 NEREUS_QUANTITY_ENERGY};
    const struct nereus_ranking *ranking = &answer->ranking;
    if (ranking->goal != NEREUS_GOAL_WEIGHTS)
        return nereus_answer_interval(scenario, answer, number, first[ranking->goal]);
    const struct nereus_goal_figure score = {.weights = ranking->weights, .extremes = extremes};
    struct nereus_goal_part parts[2];
    const int count = list_parts(scenario, answer, number, parts);
    return nereus_goal_interval(parts, count, &score);
}

/* Insertion sort, stable. */
static void insert_by_robustness(struct nereus_answer *answer, int number)
{
    const struct nereus_prediction *p = answer->predictions;
    int index = answer->tie_count++;
    while (index > 0 &&
           nereus_robustness_compare(&p[number], &p[answer->tie[index - 1]], NULL) < 0) {
        answer->tie[index] = answer->tie[index - 1];
        index--;
    }
    answer->tie[index] = number;
}

static void find_tie(const struct nereus_scenario *scenario, struct nereus_answer *answer)
{
    struct nereus_goal_extremes extremes;
    nereus_goal_extremes_make(answer->predictions, answer->count, &extremes);
    const struct nereus_interval best = compute_deciding_quantity(scenario, answer, 0, &extremes);
    for (int i = 0; i < answer->count; i++) {
        const struct nereus_interval other =
            compute_deciding_quantity(scenario, answer, i, &extremes);
        const bool ends_as_best =
            answer->predictions[i].iterations_capped == answer->predictions[0].iterations_capped;
        if (ends_as_best && other.low <= best.high && best.low <= other.high)
            insert_by_robustness(answer, i);
    }
    if (answer->tie[0] != 0) {
        nereus_robustness_compare(&answer->predictions[answer->tie[0]], &answer->predictions[0],
                                  &answer->robust_why);
    }
}

static void swap_with_previous(struct nereus_answer *answer, int i)
{
    const struct nereus_prediction prediction = answer->predictions[i];
    answer->predictions[i] = answer->predictions[i - 1];
    answer->predictions[i - 1] = prediction;
    if (answer->later_predictions != NULL) {
        const struct nereus_later_prediction predictions = answer->later_predictions[i];
        answer->later_predictions[i] = answer->later_predictions[i - 1];
        answer->later_predictions[i - 1] = predictions;
    }
}

static void sort_by_rank(struct nereus_answer *answer)
{
    const struct nereus_prediction *items = answer->predictions;
    for (int i = 1; i < answer->count; i++)
        for (int j = i; j > 0 && items[j].rank < items[j - 1].rank; j--)
            swap_with_previous(answer, j);
}

static void predict_one(const struct nereus_profile *profile,
                        const struct nereus_question *question, const struct nereus_method *method,
                        struct nereus_answer *answer)
{
    struct nereus_error why = {.status = NEREUS_OK};
    struct nereus_prediction *prediction = &answer->predictions[answer->count];
    const struct nereus_scenario *scenario = &question->scenario;
    const struct nereus_goal_question requested = {profile, scenario, &answer->ranking};
    enum nereus_status status = nereus_method_check(method, &why);
    if (status == NEREUS_OK && answer->later_predictions != NULL) {
        status = nereus_predict_later(&requested, method, &question->later_shrink, prediction,
                                      &answer->later_predictions[answer->count], &why);
    } else if (status == NEREUS_OK) {
        status = nereus_predict(profile, scenario, method, prediction, &why);
        if (status == NEREUS_OK && nereus_ranking_needs_nodes(&answer->ranking))
            status = nereus_predict_nodes(scenario, &answer->ranking.power, prediction, &why);
    }
    if (status == NEREUS_OK) {
        answer->oversubscribed = answer->oversubscribed || prediction->oversubscribed;
        answer->count++;
    } else {
        why.status = status;
        answer->refusals[answer->refusal_count++] =
            (struct nereus_refusal){.method = *method, .why = why};
    }
}

static enum nereus_status reserve_predictions(int count, bool later, struct nereus_answer *answer,
                                              struct nereus_error *err)
{
    answer->predictions = calloc((size_t)count, sizeof *answer->predictions);
    answer->refusals = calloc((size_t)count, sizeof *answer->refusals);
    answer->tie = calloc((size_t)count, sizeof *answer->tie);
    answer->later_predictions =
        later ? calloc((size_t)count, sizeof *answer->later_predictions) : NULL;
    if (answer->predictions == NULL || answer->refusals == NULL || answer->tie == NULL ||
        (later && answer->later_predictions == NULL)) {
        nereus_answer_fini(answer);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the predictions of %d methods",
                           count);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_answer_make_or_empty(const struct nereus_candidates *candidates,
                                               const struct nereus_question *question,
                                               struct nereus_answer *answer,
                                               struct nereus_error *err)
{
    const struct nereus_methods *methods = candidates->methods;
    *answer = (struct nereus_answer){.ranking = *candidates->ranking};
    NEREUS_TRY(
        reserve_predictions(methods->count, question->later_shrink.processes > 0, answer, err));
    for (int i = 0; i < methods->count; i++)
        predict_one(candidates->profile, question, &methods->items[i], answer);
    if (answer->count > 0) {
        nereus_rank_by_goal(candidates->ranking, answer->predictions, answer->count);
        sort_by_rank(answer);
        find_tie(&question->scenario, answer);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_answer_make(const struct nereus_candidates *candidates,
                                      const struct nereus_question *question,
                                      struct nereus_answer *answer, struct nereus_error *err)
{
    enum nereus_status status = nereus_answer_make_or_empty(candidates, question, answer, err);
    if (status == NEREUS_OK && answer->count == 0) {
        status = nereus_fail(
            err, answer->refusals[0].why.status, "%s%s", answer->refusals[0].why.text,
            candidates->methods->count > 1 ? "; nor can another method be predicted" : "");
        nereus_answer_fini(answer);
    }
    return status;
}

void nereus_answer_fini(struct nereus_answer *answer)
{
    free(answer->predictions);
    free(answer->refusals);
    free(answer->tie);
    free(answer->later_predictions);
    *answer = (struct nereus_answer){0};
}
