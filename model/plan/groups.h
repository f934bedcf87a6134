/**
 * @file groups.h
 * The groups in which new processes start, enumerated without a list where possible. Private to
 * model/.
 *
 * A request lists its groups. A question to the predictor has no list: where the processes of a job
 * fill their nodes in rank order, new processes continue the compact placement of layout.h, so the
 * groups follow from sizes and cores. Otherwise they are placed and listed.
 */
#ifndef NEREUS_GROUPS_H
#define NEREUS_GROUPS_H

#include "placement.h"

struct nereus_outline;

struct nereus_groups {
    int64_t count;
    const struct nereus_machine
        *machine; /**< machine of a compact placement; NULL without a list: one group of all */
    int64_t first_new, new_processes; /**< compact rank of the first, and their number */
    /** position of the enumeration: next group; on a finite machine node and cores before it */
    int64_t next, node, before;
    const struct nereus_group *list; /**< NULL: compact placement */
    struct nereus_request placed;    /**< owns .groups, the list, if it was made here */
};

/**
 * The groups of a request, or one group of all if it lists none. Frees nothing; the request must
 * outlive them.
 * @return NEREUS_ERR_ARGUMENT if the groups do not add up to new_processes; NEREUS_ERR_ILLEGAL if
 *         the strategy cannot start them
 */
enum nereus_status nereus_groups_of_request(const struct nereus_request *request,
                                            int64_t new_processes, struct nereus_groups *groups,
                                            struct nereus_error *err);

/**
 * The groups of a reconfiguration (emit.h). Allocates nothing for a compact placement.
 * @param[in]  state    NULL: one initial world
 * @param[in]  outline  with a strategy that starts several worlds
 * @param[out] groups   free with nereus_groups_fini after NEREUS_OK
 * @return NEREUS_ERR_ARGUMENT if sizes and state contradict each other; NEREUS_ERR_ILLEGAL if the
 *         strategy cannot start them
 */
enum nereus_status nereus_groups_make(const struct nereus_machine *machine,
                                      const struct nereus_jobstate *state,
                                      const struct nereus_outline *outline,
                                      struct nereus_groups *groups, struct nereus_error *err);
void nereus_groups_fini(struct nereus_groups *groups);

/** Take the next `count` groups. @return the number of their processes */
int64_t nereus_groups_take(struct nereus_groups *groups, int64_t count);

#endif
