/** @file answer.c  Candidates in, ranked predictions out. */
#include "answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const nereus_goal_choices[] = {"application", "system", NULL};

static bool contains(const struct nereus_methods *methods, const struct nereus_method *method)
{
    for (int i = 0; i < methods->count; i++) {
        if (nereus_method_equal(&methods->items[i], method)) {
            return true;
        }
    }
    return false;
}

static enum nereus_status add_text(struct nereus_methods *methods, const char *text, struct nereus_error *err)
{
    struct nereus_method method;
    enum nereus_status status = nereus_method_parse(text, &method, err);
    if (status == NEREUS_OK) {
        status = nereus_method_check_planned(&method, err);
    }
    if (status != NEREUS_OK) {
        return status;
    }
    if (contains(methods, &method)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--methods names '%s' twice", text);
    }
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
        status = word[0] == '\0' ? nereus_fail(err, NEREUS_ERR_PARSE,
                                               "--methods '%s' has an empty entry between its commas", text)
                                 : add_text(methods, word, err);
    }
    free(copy);
    if (status != NEREUS_OK) {
        nereus_methods_fini(methods);
    }
    return status;
}

enum nereus_status nereus_methods_from_profile(const struct nereus_profile *profile,
                                               struct nereus_methods *methods, struct nereus_error *err)
{
    *methods = (struct nereus_methods){0};
    if (profile->method_count < 1) {
        return nereus_fail(err, NEREUS_ERR_NO_BASIS, "the profile knows no method; name some with --methods");
    }
    methods->items = calloc((size_t)profile->method_count, sizeof *methods->items);
    if (methods->items == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %d methods", (int)profile->method_count);
    }
    for (int64_t i = 0; i < profile->method_count; i++) {
        if (!contains(methods, &profile->methods[i])) {
            methods->items[methods->count++] = profile->methods[i];
        }
    }
    return NEREUS_OK;
}

static bool is_legal(const struct nereus_method *method, int64_t ns, int64_t nt)
{
    return nereus_method_check_planned(method, NULL) == NEREUS_OK &&
           (ns == 0 || nereus_method_check_direction(method, ns, nt, NULL) == NEREUS_OK);
}

enum nereus_status nereus_methods_all(int64_t ns, int64_t nt, struct nereus_methods *methods,
                                      struct nereus_error *err)
{
    enum { ALL = NEREUS_PROCESS_COUNT * NEREUS_STRATEGY_COUNT * 2 * NEREUS_SHRINK_COUNT };
    *methods = (struct nereus_methods){.items = calloc(ALL, sizeof *methods->items)};
    if (methods->items == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %d methods", (int)ALL);
    }
    for (int i = 0; i < ALL; i++) {
        const int strategies = i / NEREUS_SHRINK_COUNT / 2;
        const struct nereus_method method = {
            .process = (enum nereus_process)(strategies / NEREUS_STRATEGY_COUNT),
            .strategy = (enum nereus_strategy)(strategies % NEREUS_STRATEGY_COUNT),
            .async = i / NEREUS_SHRINK_COUNT % 2 != 0,
            .shrink = (enum nereus_shrink)(i % NEREUS_SHRINK_COUNT)};
        if (is_legal(&method, ns, nt)) {
            methods->items[methods->count++] = method;
        }
    }
    return NEREUS_OK;
}

void nereus_methods_fini(struct nereus_methods *methods)
{
    free(methods->items);
    *methods = (struct nereus_methods){0};
}

/* Where RT would be `rt_s` instead. */
static double t_ex_at(const struct nereus_scenario *scenario, const struct nereus_prediction *prediction,
                      double rt_s)
{
    double change_s = rt_s - prediction->rt_s.value;
    if (!prediction->beside || prediction->rt_s.value <= 0) {
        return prediction->t_ex_expected_s + change_s;
    }
    double iterations = prediction->iterations_expected * (rt_s / prediction->rt_s.value);
    double slowed_s = prediction->omega * scenario->t_iter_ns_s;
    /* Beyond the last iteration there is nothing to overlap. */
    iterations = fmin(iterations, fmax(scenario->iterations_after, prediction->iterations_expected));
    return prediction->t_ex_expected_s +
           (iterations - prediction->iterations_expected) * (slowed_s - scenario->t_iter_nt_s);
}

struct nereus_interval nereus_answer_t_ex(const struct nereus_scenario *scenario,
                                          const struct nereus_prediction *prediction)
{
    double a = t_ex_at(scenario, prediction, prediction->rt_s.low);
    double b = t_ex_at(scenario, prediction, prediction->rt_s.high);
    return (struct nereus_interval){prediction->t_ex_expected_s, fmin(a, b), fmax(a, b)};
}

/* What the goal looks at first. */
static struct nereus_interval deciding(const struct nereus_scenario *scenario,
                                       const struct nereus_prediction *prediction, enum nereus_goal goal)
{
    if (goal == NEREUS_GOAL_APPLICATION) {
        return nereus_answer_t_ex(scenario, prediction);
    }
    struct nereus_interval rt = prediction->rt_s;
    double scale = rt.value > 0 ? prediction->wait_s / rt.value : 1;
    return (struct nereus_interval){prediction->wait_s, rt.low * scale, rt.high * scale};
}

static int count_tied(const struct nereus_scenario *scenario, const struct nereus_answer *answer,
                      enum nereus_goal goal)
{
    struct nereus_interval best = deciding(scenario, &answer->predictions[0], goal);
    int tied = 1;
    while (tied < answer->count) {
        struct nereus_interval other = deciding(scenario, &answer->predictions[tied], goal);
        if (other.low > best.high || best.low > other.high) {
            break;
        }
        tied++;
    }
    return tied;
}

static int rank_of(const struct nereus_prediction *prediction, enum nereus_goal goal)
{
    return goal == NEREUS_GOAL_APPLICATION ? prediction->rank_application : prediction->rank_system;
}

static void sort_for(enum nereus_goal goal, struct nereus_answer *answer)
{
    struct nereus_prediction *items = answer->predictions;
    for (int i = 1; i < answer->count; i++) {
        for (int j = i; j > 0 && rank_of(&items[j], goal) < rank_of(&items[j - 1], goal); j--) {
            struct nereus_prediction swap = items[j];
            items[j] = items[j - 1];
            items[j - 1] = swap;
        }
    }
}

static void predict_one(const struct nereus_profile *profile, const struct nereus_question *question,
                        const struct nereus_method *method, struct nereus_answer *answer)
{
    struct nereus_error why = {.status = NEREUS_OK};
    struct nereus_prediction *prediction = &answer->predictions[answer->count];
    enum nereus_status status = nereus_method_check_planned(method, &why);
    if (status == NEREUS_OK) {
        status = nereus_predict(profile, &question->scenario, method, prediction, &why);
    }
    if (status == NEREUS_OK) {
        answer->oversubscribed = answer->oversubscribed || prediction->oversubscribed;
        answer->count++;
    } else {
        why.status = status;
        answer->refusals[answer->refusal_count++] = (struct nereus_refusal){.method = *method, .why = why};
    }
}

enum nereus_status nereus_answer_make(const struct nereus_profile *profile,
                                      const struct nereus_question *question,
                                      const struct nereus_methods *methods, enum nereus_goal goal,
                                      struct nereus_answer *answer, struct nereus_error *err)
{
    *answer = (struct nereus_answer){0};
    answer->predictions = calloc((size_t)methods->count, sizeof *answer->predictions);
    answer->refusals = calloc((size_t)methods->count, sizeof *answer->refusals);
    if (answer->predictions == NULL || answer->refusals == NULL) {
        nereus_answer_fini(answer);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the predictions of %d methods",
                           methods->count);
    }
    for (int i = 0; i < methods->count; i++) {
        predict_one(profile, question, &methods->items[i], answer);
    }
    if (answer->count == 0) {
        enum nereus_status status =
            nereus_fail(err, answer->refusals[0].why.status, "%s%s", answer->refusals[0].why.text,
                        methods->count > 1 ? "; nor can another method be predicted" : "");
        nereus_answer_fini(answer);
        return status;
    }
    nereus_rank(answer->predictions, answer->count);
    sort_for(goal, answer);
    answer->tied = count_tied(&question->scenario, answer, goal);
    return NEREUS_OK;
}

void nereus_answer_fini(struct nereus_answer *answer)
{
    free(answer->predictions);
    free(answer->refusals);
    *answer = (struct nereus_answer){0};
}
