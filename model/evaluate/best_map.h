/**
 * @file best_map.h
 * Maps the best method of each pair of sizes, for nereus study compare: other pairs resolve
 * ties.
 */
#pragma once

#include "compare.h"

struct nereus_best_cell {
    uint64_t best_set;  /**< set of methods that tie for the best; empty: not measured */
    int fastest_method; /**< method with the least median */
    int chosen_method;  /**< method that the map shows; -1: not measured */
};

struct nereus_best_map {
    int64_t *ns, *nt; /**< ascending; owned */
    int64_t rows, columns;
    struct nereus_best_cell *cells; /**< owned */
};

/** Make the map of the tested pairs, and set `chosen_method` of each cell and pair.
 * NEREUS_TIE_NEAREST takes the method that is among the best in most of the eight cells around
 * (Martín-Álvarez et al. (2024b), section 5.4.3); NEREUS_TIE_REMAINING the method that is among the
 * best in most of all other cells (Martín-Álvarez et al. (2023), section 4.4.3). Of several methods
 * in equally many cells the one with the least median is taken, if it is one of them, else the one
 * with the lowest index. NEREUS_TIE_MEDIAN takes the method with the least median. */
enum nereus_status nereus_best_map_init(struct nereus_compare *compare, struct nereus_best_map *map,
                                        struct nereus_error *err);
void nereus_best_map_fini(struct nereus_best_map *map);
