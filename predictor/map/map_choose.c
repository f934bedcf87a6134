/** @file map_choose.c  Chooses the best methods for one pair of sizes. */
#include "map_choose.h"

bool nereus_map_memory_init(const struct nereus_map *map, struct nereus_map_memory *memory)
{
    const size_t pairs = (size_t)map->nt.count;
    memory->predictions = malloc((size_t)map->methods->count * sizeof *memory->predictions);
    memory->chosen_predictions =
        malloc(NEREUS_MAP_GOALS * pairs * sizeof *memory->chosen_predictions);
    memory->shrinks = malloc(
        nereus_map_has_later_shrink(map) ? NEREUS_MAP_GOALS * pairs * sizeof *memory->shrinks : 1);
    memory->choices = malloc(pairs * sizeof *memory->choices);
    return memory->predictions != NULL && memory->chosen_predictions != NULL &&
           memory->shrinks != NULL && memory->choices != NULL;
}

void nereus_map_memory_fini(struct nereus_map_memory *memory)
{
    free(memory->predictions);
    free(memory->chosen_predictions);
    free(memory->shrinks);
    free(memory->choices);
}

enum nereus_status nereus_map_row_question(const struct nereus_map *map, int64_t ns, int64_t nt,
                                           struct nereus_question *question,
                                           struct nereus_error *err)
{
    struct nereus_settings settings = *map->scenario;
    settings.ns = ns;
    settings.nt = nt;
    return nereus_question_make(&settings, map->profile, question, err);
}

enum nereus_status nereus_map_pair_scenario(const struct nereus_map *map,
                                            const struct nereus_question *question, int64_t nt,
                                            struct nereus_scenario *scenario,
                                            struct nereus_error *err)
{
    *scenario = question->scenario;
    scenario->nt = nt;
    if (map->scenario->state == NULL)
        scenario->state = NULL; /* an initial state need not be analysed for each method */
    if (map->scenario->t_iter_nt_s > 0)
        return NEREUS_OK;
    return nereus_scaling_apply(&question->scaling, scenario->ns, scenario->t_iter_ns_s, nt,
                                &scenario->t_iter_nt_s, err);
}

/* Make the choices of a pair without a later shrink, kept in `chosen_predictions`. */
static struct nereus_map_choice choose_now(const struct nereus_map *map,
                                           const struct nereus_scenario *scenario,
                                           struct nereus_prediction *predictions,
                                           struct nereus_prediction *chosen_predictions)
{
    const struct nereus_methods *methods = map->methods;
    const struct nereus_goal_question requested = {map->profile, scenario, &map->ranking};
    const int count = map->goal_count == 1
                          ? nereus_predict_for_goal(&requested, methods->items, methods->count,
                                                    predictions, chosen_predictions)
                          : nereus_predict_best(&requested, methods->items, methods->count,
                                                predictions, chosen_predictions);
    struct nereus_map_choice choice = {.methods = count};
    for (int g = 0; g < map->goal_count && count > 0; g++) {
        choice.best_predictions[g] = &chosen_predictions[g];
        nereus_map_find_ties(map, g, predictions, count, &choice);
    }
    return choice;
}

/* Make the choices of a pair with a later shrink, as `predict` does; once per goal, because the
 * goal also decides the method of the shrink. */
static enum nereus_status
choose_by_answer(const struct nereus_map *map, const struct nereus_question *question,
                 struct nereus_prediction *chosen_predictions, struct nereus_prediction *shrinks,
                 struct nereus_map_choice *choice, struct nereus_error *err)
{
    struct nereus_ranking ranking = map->ranking;
    const struct nereus_candidates candidates = {map->profile, map->methods, &ranking};
    for (int g = 0; g < map->goal_count; g++) {
        struct nereus_answer answer;
        ranking.goal = map->goals[g];
        const enum nereus_status status = nereus_answer_make(&candidates, question, &answer, err);
        if (status == NEREUS_ERR_MEMORY)
            return status;
        if (status == NEREUS_OK) {
            chosen_predictions[g] = answer.predictions[0];
            choice->best_predictions[g] = &chosen_predictions[g];
            choice->methods = answer.count;
            nereus_map_find_ties(map, g, answer.predictions, answer.count, choice);
            shrinks[g] = answer.later_predictions[0].shrink;
            choice->shrink[g] = &shrinks[g];
            nereus_answer_fini(&answer);
        }
    }
    return NEREUS_OK;
}

enum nereus_status nereus_map_add_later_shrink(const struct nereus_map *map,
                                               struct nereus_question *question,
                                               struct nereus_error *err)
{
    const int assumed = question->assumed_count;
    const enum nereus_status status = nereus_goal_add_later(map->goal_settings, question, err);
    question->assumed_count = assumed;
    return status;
}

enum nereus_status nereus_map_choose_for_pair(const struct nereus_map *map,
                                              const struct nereus_scenario *scenario,
                                              struct nereus_question *question,
                                              struct nereus_map_memory *memory, int64_t i,
                                              struct nereus_error *err)
{
    struct nereus_map_choice *choice = &memory->choices[i];
    struct nereus_prediction *chosen_predictions =
        memory->chosen_predictions + NEREUS_MAP_GOALS * i;
    *choice = (struct nereus_map_choice){.methods = 0};
    if (!nereus_map_has_later_shrink(map)) {
        *choice = choose_now(map, scenario, memory->predictions, chosen_predictions);
        return NEREUS_OK;
    }
    question->scenario = *scenario;
    if (!nereus_goal_allows_later_shrink(map->goal_settings, scenario->ns, scenario->nt))
        return NEREUS_OK;
    NEREUS_TRY(nereus_map_add_later_shrink(map, question, err));
    return choose_by_answer(map, question, chosen_predictions,
                            memory->shrinks + NEREUS_MAP_GOALS * i, choice, err);
}
