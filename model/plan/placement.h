/**
 * @file placement.h
 * Where new processes go and who leaves: what a request says beyond its sizes, decided from the job's state.
 *
 * An expansion and a baseline fill nodes as layout.h says: free cores in the order of the nodes, then round after round.
 * A merge shrink lets go by the rule of parallel-spawning 4.6 and 4.7 (as its errata restore it):
 *
 *   whole worlds      end (ts): the youngest first, the world of rank 0 last;
 *   more than those   the world of rank 0 ends as a whole, if it is not larger than what must go; the lowest rank that
 *                     stays is the new root;
 *   part of a world   sleeps (zs): the highest ranks; one whose active processes all go ends with its zombies;
 *   nodes by name     worlds that have processes there end as a whole; if more would go than asked for, all processes are
 *                     started anew on the nodes that are kept, each node a world (ss).
 *
 * Both ways of leaving may be in one request.
 */
#ifndef NEREUS_PLACEMENT_H
#define NEREUS_PLACEMENT_H

#include "nereus/request.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Complete a request whose sizes, zombies and method are known.
 *
 * Expansion, baseline and ss: request->groups says where the new processes go, in the order of the nodes; one group a node, or with
 * the strategy multiple one per request->batch processes. A merge shrink: request->leavers says who leaves, and the kind
 * of shrink left to the job's state becomes a definite one (ts if any world ends, else zs, or ss), and a spawn strategy
 * that does not go with it is replaced: none for ts and zs, which start nothing; diffusive for ss where the method's own makes one
 * world of all (single) or needs equal groups (hypercube).
 *
 * @param[in]  release        indices of nodes to be given back; no process is placed there (NULL: none)
 * @param[in,out] request     what it held of groups and leavers is freed
 * @return NEREUS_ERR_ARGUMENT where sizes and state contradict each other; NEREUS_ERR_ILLEGAL, with a sentence that says what
 *         is possible, where the method cannot do it; the request is then as it was
 */
enum nereus_status nereus_request_place(const struct nereus_machine *machine,
                                        const struct nereus_jobstate *state, const int64_t *release,
                                        int64_t release_count, struct nereus_request *request,
                                        struct nereus_error *err);

/**
 * What a reconfiguration, once committed, has made of the state. Who stays keeps the order; woken zombies come next (those
 * who fell asleep last), then the groups. A request without groups or leavers is placed first.
 * @return NEREUS_ERR_ARGUMENT where request and state contradict each other; the state is then as it was
 */
enum nereus_status nereus_jobstate_apply(const struct nereus_machine *machine,
                                         const struct nereus_request *request, struct nereus_jobstate *state,
                                         struct nereus_error *err);

/** Does the request start all targets anew? Baseline and ss do. */
bool nereus_request_respawns(const struct nereus_request *request);

/** Does the request start each of its groups as a world of its own? */
bool nereus_request_world_per_group(const struct nereus_request *request);

#ifdef __cplusplus
}
#endif
#endif
