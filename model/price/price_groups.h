/**
 * @file price_groups.h
 * The groups in which new processes start, one after the other, without a list of them. Private to model/.
 *
 * Where the processes of a job fill their nodes in the order of their ranks, new ones go where layout.h's compact placement has
 * the ranks behind them (placement.c), so that the groups follow from sizes and cores. Else they are placed, and listed.
 */
#ifndef NEREUS_PRICE_GROUPS_H
#define NEREUS_PRICE_GROUPS_H

#include "model/plan/placement.h"
#include "nereus/price.h"

struct nereus_groups {
    int64_t count;
    const struct nereus_machine *machine;
    int64_t first_new, new_processes; /**< compact ranks */
    int64_t next, node, before;   /**< of the walk: group, and on a finite machine node and cores before it */
    struct nereus_request listed; /**< .groups: the list, owned; NULL where it is compact */
};

/**
 * @param[in]  method     as asked, with a strategy that starts several worlds
 * @param[in]  first_new  compact rank of the first of new_processes
 * @param[out] groups     to be freed with nereus_groups_fini where NEREUS_OK is returned
 * @return NEREUS_ERR_ARGUMENT where sizes and state contradict each other; NEREUS_ERR_ILLEGAL for hypercube with unequal groups
 */
enum nereus_status nereus_groups_make(const struct nereus_scenario *scenario,
                                      const struct nereus_method *method, int64_t first_new,
                                      int64_t new_processes, struct nereus_groups *groups,
                                      struct nereus_error *err);
void nereus_groups_fini(struct nereus_groups *groups);

/** Processes of the next so many groups. */
int64_t nereus_groups_take(struct nereus_groups *groups, int64_t count);

#endif
