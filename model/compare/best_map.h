/**
 * @file best_map.h
 * The best method of each pair of sizes, with ties resolved by other cells. Pure function.
 */
#ifndef NEREUS_COMPARE_BEST_MAP_H
#define NEREUS_COMPARE_BEST_MAP_H

#include "compare.h"

/** A cell of the map. */
struct nereus_best_cell {
    uint64_t best; /**< methods that tie for the best; 0: nothing was measured */
    int fastest;   /**< that with the least median */
    int chosen;    /**< -1: nothing was measured */
};

/** The map of all pairs that were measured. */
struct nereus_best_map {
    int64_t *ns, *nt;               /**< sizes, ascending; owned */
    int64_t rows, columns;          /**< how many of them */
    struct nereus_best_cell *cells; /**< owned */
};

/**
 * Choose among the methods of each tie. NEREUS_TIE_NEAREST: that which is among the best in most of
 * the up to eight cells around (proteo, 5.4.3); NEREUS_TIE_REMAINING: in most of all other cells
 * (data-redistribution, 4.4.3). What then still ties, and with NEREUS_TIE_MEDIAN every tie: the one
 * with the least median, if it is among these, else the one with the lowest number.
 * `chosen` of the cells is written.
 */
void nereus_best_map_choose(const struct nereus_best_map *map, enum nereus_tie_rule rule);

/**
 * The map of tested pairs; each of them gets its `chosen` method.
 * @param[out] map  to be freed with nereus_best_map_fini @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_best_map_init(struct nereus_compare *compare, struct nereus_best_map *map,
                                        struct nereus_error *err);
void nereus_best_map_fini(struct nereus_best_map *map);

#endif
