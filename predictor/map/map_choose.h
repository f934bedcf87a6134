/** @file map_choose.h  Chooses the best methods for one pair of sizes, by each goal of a map. */
#pragma once

#include "map.h"

/** Working memory of a thread. */
struct nereus_map_memory {
    struct nereus_prediction *predictions;        /**< predictions of one pair */
    struct nereus_prediction *chosen_predictions; /**< NEREUS_MAP_GOALS per pair of the row */
    struct nereus_prediction *shrinks;            /**< the later shrink of each of them */
    struct nereus_map_choice *choices;            /**< one per pair */
};

/** @return false: not enough memory; nereus_map_memory_fini is to be called all the same */
bool nereus_map_memory_init(const struct nereus_map *map, struct nereus_map_memory *memory);
void nereus_map_memory_fini(struct nereus_map_memory *memory);

/** Make the question of a row, for its first NT. Only its iteration time on NT depends on NT. */
enum nereus_status nereus_map_row_question(const struct nereus_map *map, int64_t ns, int64_t nt,
                                           struct nereus_question *question,
                                           struct nereus_error *err);
/** Make the scenario of a pair: that of the row's question, with NT. */
enum nereus_status nereus_map_pair_scenario(const struct nereus_map *map,
                                            const struct nereus_question *question, int64_t nt,
                                            struct nereus_scenario *scenario,
                                            struct nereus_error *err);
/** Add the later shrink to the question. Its assumptions are the same for all pairs, and are not
 * recorded here. */
enum nereus_status nereus_map_add_later_shrink(const struct nereus_map *map,
                                               struct nereus_question *question,
                                               struct nereus_error *err);
/** Set memory->choices[i], the choices of pair i of a row. */
enum nereus_status nereus_map_choose_for_pair(const struct nereus_map *map,
                                              const struct nereus_scenario *scenario,
                                              struct nereus_question *question,
                                              struct nereus_map_memory *memory, int64_t i,
                                              struct nereus_error *err);
