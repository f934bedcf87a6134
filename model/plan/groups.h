/**
 * @file groups.h
 * Finds the groups in which new processes start. A request lists them; a prediction for a job whose
 * processes fill their nodes in rank order computes them from sizes and cores, without a list.
 */
#pragma once

#include "placement.h"

struct nereus_outline;

struct nereus_groups {
    int64_t count;
    /** machine of a compact placement; NULL, and no list: one group */
    const struct nereus_machine *machine;
    int64_t first_new, new_processes;
    /** next group; on a machine with listed nodes also the next node, and the cores before it */
    int64_t next_group, next_node, cores_before;
    int64_t total;                   /**< cores of the machine */
    const struct nereus_group *list; /**< NULL: compact placement */
    struct nereus_request placed;    /**< in a prediction: owns `list` */
};

/** Use the groups of a request, which must outlive `groups`; without groups one is made.
 * @return NEREUS_ERR_ARGUMENT if their sizes do not add up to new_processes; NEREUS_ERR_ILLEGAL if
 *         the strategy cannot start them */
enum nereus_status nereus_groups_from_request(const struct nereus_request *request,
                                              int64_t new_processes, struct nereus_groups *groups,
                                              struct nereus_error *err);

/** Make the groups of a prediction. A compact placement allocates nothing.
 * @param state    NULL: one initial world
 * @param outline  its strategy makes several worlds
 * @return NEREUS_ERR_ARGUMENT if sizes and state contradict each other; NEREUS_ERR_ILLEGAL if the
 *         strategy cannot start them */
enum nereus_status nereus_groups_make(const struct nereus_machine *machine,
                                      const struct nereus_jobstate *state,
                                      const struct nereus_outline *outline,
                                      struct nereus_groups *groups, struct nereus_error *err);
void nereus_groups_fini(struct nereus_groups *groups);

/** Pass over the next `count` groups.
 * @return number of their processes */
int64_t nereus_groups_advance(struct nereus_groups *groups, int64_t count);
