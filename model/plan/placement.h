/**
 * @file placement.h
 * Decides from the job state where new processes are placed and which processes leave.
 *
 * An expansion and a baseline fill nodes as layout.h says: free cores in node order, then further
 * rounds. A merge shrink removes processes by the rule of Martín-Álvarez et al. (2025), sections
 * 4.6 and 4.7 (with docs/results/errata.md):
 *
 *   whole worlds      end (ts): the youngest first, the world of rank 0 last;
 *   world of rank 0   ends as a whole if the others are not enough and it is not larger than what
 *                     must leave; the lowest rank that stays is the new root;
 *   part of a world   sleeps (zs): the highest ranks; a world whose active processes all leave ends
 *                     with its zombies, even if zs is requested (unless request->keep_asleep);
 *   nodes by name     worlds with processes there end as a whole; if more would leave than
 *                     requested, all processes are started again on the nodes that are kept (ss).
 *
 * In one shrink some worlds may end while other processes fall asleep.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/request.h"

/**
 * Complete a request whose sizes, zombies and method are set.
 *
 * Expansion, baseline and ss: request->groups receives the new processes in node order, one group a
 * node, or with the strategy multiple one per request->batch processes. Merge shrink:
 * request->leavers receives the ranks that leave; a shrink kind left open becomes definite (ts if
 * any world ends, else zs, or ss); a spawn strategy that does not fit is replaced: none for ts and
 * zs, diffusive for ss where the strategy makes one world or needs equal groups.
 *
 * A machine with a layout: as nereus_request_place_layout, unless nodes are given back.
 *
 * @param[in]     release  node indices to be given back, where no process is placed (NULL: none)
 * @param[in,out] request  its old groups and leavers are freed; unchanged on error
 * @return NEREUS_ERR_ARGUMENT if sizes and state contradict each other; NEREUS_ERR_ILLEGAL, with a
 *         sentence that says what is possible, if the method cannot do it (also where processes are
 *         to start on, or from, a node in an allocation of its own, and the strategy is not launch)
 */
enum nereus_status nereus_request_place(const struct nereus_machine *machine,
                                        const struct nereus_jobstate *state, const int64_t *release,
                                        int64_t release_count, struct nereus_request *request,
                                        struct nereus_error *err);

/** As nereus_request_place, for a layout, which says how many processes each node has afterwards;
 * other nodes have none. Baseline and ss start all processes there. Merge moves no process, so the
 * nodes of one request either gain processes or lose them. Missing processes are started on exactly
 * these nodes, after zombies have been woken. On a node that loses processes whole worlds end where
 * they fit and other processes sleep (zs); if a node must become empty and would keep sleepers, all
 * are started again (ss).
 * @param[in] layout  each node at most once; `count` nodes with request->nt processes in total
 * @return as nereus_request_place; also NEREUS_ERR_ILLEGAL where merge cannot reach the layout */
enum nereus_status nereus_request_place_layout(const struct nereus_machine *machine,
                                               const struct nereus_jobstate *state,
                                               const struct nereus_group *layout, int64_t count,
                                               struct nereus_request *request,
                                               struct nereus_error *err);

/** Compute the state after a committed reconfiguration: processes that stay keep their order, then
 * come woken zombies (last asleep, first awake), then the groups. A request without groups or
 * leavers is placed first.
 * @return NEREUS_ERR_ARGUMENT, with the state unchanged, if request and state contradict each other
 */
enum nereus_status nereus_jobstate_apply(const struct nereus_machine *machine,
                                         const struct nereus_request *request,
                                         struct nereus_jobstate *state, struct nereus_error *err);

/** Does the request start all targets? Baseline and ss do. */
bool nereus_request_respawns(const struct nereus_request *request);

bool nereus_request_has_world_per_group(const struct nereus_request *request);
