/**
 * @file terms.h
 * Lists the terms of all linear models. A profile stores terms by name; model/price computes their
 * values (cost.c, overlap.c).
 */
#pragma once

#include "model/util/base.h"
#include "nereus/profile.h"

/** X(enumerator, name in profiles, formula, for readers); symbols: first comments of cost.c and
 * cost_between.c in model/price. */
#define NEREUS_TERM_LIST(X)                                                                        \
    X(NEREUS_TERM_CONST, "const", "1")                                                             \
    X(NEREUS_TERM_FULL, "full", "(k/C) [l >= 1]")                                                  \
    X(NEREUS_TERM_OVERLOAD, "overload", "sqrt((l-1)+)")                                            \
    X(NEREUS_TERM_LOG2_NEW_NODES, "log2_new_nodes", "log2(n_c)")                                   \
    X(NEREUS_TERM_NEW_PER_NODE, "new_per_node", "k")                                               \
    X(NEREUS_TERM_OVERLOAD_LOG2, "overload_log2", "log2(min(old, new)) [l > 1]")                   \
    X(NEREUS_TERM_LOG2_TARGET_NODES, "log2_target_nodes", "log2(nodes(NT))")                       \
    X(NEREUS_TERM_ONE_NODE, "one_node", "[nodes(NS) = 1]")                                         \
    X(NEREUS_TERM_LOG2_SOURCE_NODES, "log2_source_nodes", "log2(nodes(NS))")                       \
    X(NEREUS_TERM_LOG2_PROCESSES, "log2_processes", "log2(processes that take part)")              \
    X(NEREUS_TERM_TRANSFER, "transfer", "ping-pong estimate of the busiest process")               \
    X(NEREUS_TERM_MOVED_BYTES, "moved_bytes", "bytes in or out of the busiest process")            \
    X(NEREUS_TERM_TOUCHED_BYTES, "touched_bytes", "bytes of one target's new parts")               \
    X(NEREUS_TERM_GROUPS, "groups", "worlds that are started, less one")                           \
    X(NEREUS_TERM_TWO_GROUPS, "two_groups", "[old and new processes stay apart: baseline]")        \
    X(NEREUS_TERM_LOG2_NEW, "log2_new", "log2(new processes that take part)")                      \
    X(NEREUS_TERM_FREED_BYTES, "freed_bytes", "bytes of one source's old parts")                   \
    X(NEREUS_TERM_FULL_AWAKE, "full_awake", "(k/C) [l_a >= 1]")                                    \
    X(NEREUS_TERM_OVERLOAD_AWAKE, "overload_awake", "sqrt((l_a-1)+)")                              \
    X(NEREUS_TERM_WINDOW, "window", "creation of a window, from its own measurement")              \
    X(NEREUS_TERM_TOUCH, "touch", "first touch of a new part, from its own measurement")           \
    X(NEREUS_TERM_BROADCAST, "broadcast",                                                          \
      "broadcast of replicated values, from its own measurement")                                  \
    X(NEREUS_TERM_FILLING, "filling", "(k/C) min(1, l)^1.5")                                       \
    X(NEREUS_TERM_OVERLOADED, "overloaded", "[l > 1]")                                             \
    X(NEREUS_TERM_STARTS, "starts", "[processes are started, and not only woken]")                 \
    X(NEREUS_TERM_LOG2_SHARED_NODES, "log2_shared_nodes",                                          \
      "log2(nodes that hold old and new processes)")                                               \
    X(NEREUS_TERM_SHARED_NODES, "shared_nodes", "nodes that hold old and new processes, less one") \
    X(NEREUS_TERM_EXCESS, "excess", "(l-1)+")                                                      \
    X(NEREUS_TERM_OTHER_NEW, "other_new", "new processes of one start, less one")                  \
    X(NEREUS_TERM_NODE_BYTES, "node_bytes", "B_n: bytes in or out of the busiest node")            \
    X(NEREUS_TERM_ALL_BYTES, "all_bytes", "B: bytes of all processes")                             \
    X(NEREUS_TERM_BOTH_BYTES, "both_bytes", "B min(NS, NT) / max(NS, NT)")                         \
    X(NEREUS_TERM_GATHERED_BYTES, "gathered_bytes", "B_n [NT < NS]")                               \
    X(NEREUS_TERM_CROWDED_BYTES, "crowded_bytes", "B ((NS + NT) / cores of the nodes - 1)+^2")

#define NEREUS_ENUMERATOR(e, name, formula) e,
enum nereus_term { NEREUS_TERM_LIST(NEREUS_ENUMERATOR) NEREUS_TERM_COUNT };
#undef NEREUS_ENUMERATOR

const char *nereus_term_name(enum nereus_term term);
/** @return NEREUS_TERM_COUNT: no such name */
enum nereus_term nereus_term_from_name(const char *name);
static inline enum nereus_term nereus_cost_term(const struct nereus_linear_model *model, int i)
{
    return model->term_numbers[i] > 0 ? (enum nereus_term)(model->term_numbers[i] - 1)
                                      : nereus_term_from_name(model->names[i]);
}

/** Terms of asynchronous reconfigurations; symbols: first comments of overlap.c and overlap_data.c
 * in model/price. */
#define NEREUS_OVERLAP_TERM_LIST(X)                                                                \
    X(NEREUS_OVERLAP_RT_SYNC, "rt_sync", "RT_sync")                                                \
    X(NEREUS_OVERLAP_CONST, "const", "1")                                                          \
    X(NEREUS_OVERLAP_LOG2_NODES, "log2_source_nodes", "log2(nodes(NS))")                           \
    X(NEREUS_OVERLAP_ITER_EXCESS, "t_iter_excess", "T_iter (L_all-1)+ [not single]")               \
    X(NEREUS_OVERLAP_PLAIN_EXCESS, "plain_excess", "(L_all-1)+ [not single]")                      \
    X(NEREUS_OVERLAP_NODES_EXCESS, "nodes_excess", "(L_all-1)+ log2(n_c) [not single]")            \
    X(NEREUS_OVERLAP_MOVE, "move", "D max(1, L_all) of a thread")                                  \
    X(NEREUS_OVERLAP_POINTS, "points", "T_iter: a thread has ended at a point")                    \
    X(NEREUS_OVERLAP_PEERS_EXCESS, "peers_excess", "(L-1)+ [NS > 1]")                              \
    X(NEREUS_OVERLAP_PEERS_MOVE, "peers_move", "D max(1, L_all) [NS > 1]")                         \
    X(NEREUS_OVERLAP_NOTICE, "notice",                                                             \
      "T_iter until all know of the end: 2 T_iter, of one process T_iter")                         \
    X(NEREUS_OVERLAP_SYNC_GROWTH, "sync_growth", "RT_sync (sqrt(e_A) - sqrt(e_S))")                \
    X(NEREUS_OVERLAP_SYNC_EXCESS, "sync_excess", "RT_sync (L_all-1)+")                             \
    X(NEREUS_OVERLAP_ITER_ALL, "t_iter_all", "T_iter max(1, L_all) [NS > 1]")                      \
    X(NEREUS_OVERLAP_SLICE, "slice", "1: a thread waits for its core")                             \
    X(NEREUS_OVERLAP_IN_POINTS, "move_in_points", "D: moved by main threads in their points")      \
    X(NEREUS_OVERLAP_MEANWHILE, "move_meanwhile", "D: moved while iterations go on")               \
    X(NEREUS_OVERLAP_PASSED, "points_passed", "(p - 0.5) T_iter: until all stop at a point")       \
    X(NEREUS_OVERLAP_ITER_SHARED, "t_iter_shared", "T_iter ((L-1)+)^1.25 [not shrink]")            \
    X(NEREUS_OVERLAP_LOCKED, "locked", "RT_async / It [shrink]")                                   \
    X(NEREUS_OVERLAP_EXTRA, "late", "1 [not single, or NS = 1]")                                   \
    X(NEREUS_OVERLAP_EXTRA_SINGLE, "late_single", "1 [merge-single, NS > 1]")                      \
    X(NEREUS_OVERLAP_EXTRA_RESPAWN, "late_respawn", "1 [baseline-single, NS > 1]")

#define NEREUS_ENUMERATOR(e, name, formula) e,
enum nereus_overlap_term { NEREUS_OVERLAP_TERM_LIST(NEREUS_ENUMERATOR) NEREUS_OVERLAP_TERM_COUNT };
#undef NEREUS_ENUMERATOR

const char *nereus_overlap_term_name(enum nereus_overlap_term term);
/** @return NEREUS_OVERLAP_TERM_COUNT: no such name */
enum nereus_overlap_term nereus_overlap_term_from_name(const char *name);
static inline enum nereus_overlap_term nereus_overlap_term(const struct nereus_linear_model *model,
                                                           int i)
{
    return model->term_numbers[i] > 0 ? (enum nereus_overlap_term)(model->term_numbers[i] - 1)
                                      : nereus_overlap_term_from_name(model->names[i]);
}

/** @return degrees of freedom of a model's log_sd, at least 1; INT64_MAX: unknown (priors) */
static inline int64_t nereus_model_degrees_of_freedom(const struct nereus_linear_model *model)
{
    const int64_t degrees =
        model->degrees_of_freedom > 0 ? model->degrees_of_freedom : model->rows - model->terms;
    return model->basis != NEREUS_BASIS_FITTED ? INT64_MAX : degrees > 1 ? degrees : 1;
}

/** @return seconds of a message of `bytes`, by the piece that contains them */
double nereus_hockney_s(const struct nereus_hockney *pair, double bytes);

/** Were single steps measured (by this library), or whole reconfigurations only (tables of papers)?
 */
static inline bool nereus_profile_has_steps(const struct nereus_profile *profile)
{
    const struct nereus_linear_model *within = &profile->steps[NEREUS_STEP_COMMIT],
                                     *upper_model =
                                         &profile->steps_oversubscribed[NEREUS_STEP_COMMIT];
    return (within->basis == NEREUS_BASIS_FITTED && within->high_factor > 0) ||
           upper_model->high_factor > 0;
}
