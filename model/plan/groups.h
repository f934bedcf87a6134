/**
 * @file groups.h
 * The groups in which new processes start, one after the other, without a list of them. Private to model/.
 *
 * A request lists them. A question to the predictor has no list: where the processes of a job fill their nodes in the order of their ranks,
 * new ones go where layout.h's compact placement has the ranks behind them (placement.c), so that the groups follow from sizes and cores.
 * Else they are placed, and listed.
 */
#ifndef NEREUS_GROUPS_H
#define NEREUS_GROUPS_H

#include "placement.h"

struct nereus_groups {
    int64_t count;
    const struct nereus_machine
        *machine;                     /**< that they are compact on; NULL with no list: one group of all */
    int64_t first_new, new_processes; /**< compact ranks */
    int64_t next, node, before; /**< of the walk: group, and on a finite machine node and cores before it */
    const struct nereus_group *list; /**< NULL: where they are compact */
    struct nereus_request placed;    /**< .groups: the list, if it was made for this */
};

/** The groups that a request names; one of all where it names none. Nothing is to be freed; the request must outlive them.
 *  @return NEREUS_ERR_ARGUMENT where they are not so many processes; NEREUS_ERR_ILLEGAL where the strategy cannot start them */
enum nereus_status nereus_groups_of_request(const struct nereus_request *request, int64_t new_processes,
                                            struct nereus_groups *groups, struct nereus_error *err);

/**
 * The groups of a change from ns to nt processes. Allocates nothing where they are compact.
 * @param[in]  state      NULL: one initial world
 * @param[in]  method     as asked, with a strategy that starts several worlds
 * @param[in]  first_new  compact rank of the first of new_processes
 * @param[out] groups     to be freed with nereus_groups_fini where NEREUS_OK is returned
 * @return NEREUS_ERR_ARGUMENT where sizes and state contradict each other; NEREUS_ERR_ILLEGAL where the strategy cannot start them
 */
enum nereus_status nereus_groups_make(const struct nereus_machine *machine,
                                      const struct nereus_jobstate *state, int64_t ns, int64_t nt,
                                      const struct nereus_method *method, int64_t first_new,
                                      int64_t new_processes, struct nereus_groups *groups,
                                      struct nereus_error *err);
void nereus_groups_fini(struct nereus_groups *groups);

/** Processes of the next so many groups. */
int64_t nereus_groups_take(struct nereus_groups *groups, int64_t count);

#endif
