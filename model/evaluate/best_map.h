/**
 * @file best_map.h
 * The best method of each pair of sizes, with ties resolved by other pairs.
 */
#ifndef NEREUS_MODEL_EVALUATE_BEST_MAP_H
#define NEREUS_MODEL_EVALUATE_BEST_MAP_H

#include "compare.h"

struct nereus_best_cell {
    uint64_t best; /**< set of methods that tie for the best; empty: not measured */
    int fastest;   /**< with the least median */
    int chosen;    /**< -1: not measured */
};

struct nereus_best_map {
    int64_t *ns, *nt; /**< ascending; owned */
    int64_t rows, columns;
    struct nereus_best_cell *cells; /**< owned */
};

/** Set `chosen` of each cell. NEREUS_TIE_NEAREST: the method that is among the best in most of the
 * eight cells around (proteo, 5.4.3); NEREUS_TIE_REMAINING: in most of all other cells
 * (data-redistribution, 4.4.3). Remaining ties, and with NEREUS_TIE_MEDIAN all: the least median if
 * it ties, else the lowest number. */
void nereus_best_map_choose(const struct nereus_best_map *map, enum nereus_tie_rule rule);

/** The map of tested pairs; each gets its `chosen` method. */
enum nereus_status nereus_best_map_init(struct nereus_compare *compare, struct nereus_best_map *map,
                                        struct nereus_error *err);
void nereus_best_map_fini(struct nereus_best_map *map);

#endif
