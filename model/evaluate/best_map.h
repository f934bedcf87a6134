/**
 * @file best_map.h
 * The map of the best method of each pair of sizes, for nereus study compare: other pairs resolve
 * ties.
 */
#ifndef NEREUS_MODEL_EVALUATE_BEST_MAP_H
#define NEREUS_MODEL_EVALUATE_BEST_MAP_H

#include "compare.h"

struct nereus_best_cell {
    uint64_t best; /**< set of methods that tie for the best; empty: not measured */
    int fastest;   /**< method with the least median */
    int chosen;    /**< method that the map shows; -1: not measured */
};

struct nereus_best_map {
    int64_t *ns, *nt; /**< ascending; owned */
    int64_t rows, columns;
    struct nereus_best_cell *cells; /**< owned */
};

/** Set `chosen` of each cell. NEREUS_TIE_NEAREST takes the method that is among the best in most of
 * the eight cells around (Martín-Álvarez et al. (2024b), section 5.4.3); NEREUS_TIE_REMAINING the
 * method that is among the best in most of all other cells (Martín-Álvarez et al. (2023), section
 * 4.4.3). Remaining ties, and all ties with NEREUS_TIE_MEDIAN, go to the method with the least
 * median if this is among the best, else to the lowest index. */
void nereus_best_map_choose(const struct nereus_best_map *map, enum nereus_tie_rule rule);

/** Make the map of the tested pairs, and set `chosen` of each cell and pair. */
enum nereus_status nereus_best_map_init(struct nereus_compare *compare, struct nereus_best_map *map,
                                        struct nereus_error *err);
void nereus_best_map_fini(struct nereus_best_map *map);

#endif
