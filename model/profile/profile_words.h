/** @file profile_words.h  Lists the words of profiles and samples, by enum value. Private to
 * model/. */
#pragma once

#include "nereus/profile.h"
#include "terms.h"

enum {
    NEREUS_BASIS_COUNT = NEREUS_BASIS_CONTAINED + 1,
    NEREUS_SAMPLE_KIND_COUNT = NEREUS_SAMPLE_REDISTRIBUTION + 1
};

extern const char *const nereus_basis_names[NEREUS_BASIS_COUNT];
/** "" for rows of steps, operations and collectives, whose kind is the name of what was measured */
extern const char *const nereus_sample_kind_names[NEREUS_SAMPLE_KIND_COUNT];
extern const char *const nereus_step_names[NEREUS_STEP_KIND_COUNT];
extern const char *const nereus_unattributed_names[NEREUS_UNATTRIBUTED_COUNT];
extern const char *const nereus_moves_names[NEREUS_MOVES_COUNT];
extern const char *const nereus_between_names[NEREUS_BETWEEN_COUNT];
extern const char *const nereus_pair_class_names[NEREUS_PAIR_CLASS_COUNT];
extern const char *const nereus_operation_names[NEREUS_OPERATION_COUNT];
extern const char *const nereus_collective_names[NEREUS_COLLECTIVE_COUNT];
extern const char *const nereus_contention_names[NEREUS_CONTENTION_COUNT];
extern const char *const nereus_term_names[NEREUS_TERM_COUNT];
extern const char *const nereus_overlap_term_names[NEREUS_OVERLAP_TERM_COUNT];

/** Models that belong to no step kind: X(member of struct nereus_profile, key). */
#define NEREUS_ASYNC_MODEL_LIST(X)                                                                 \
    X(async_plain, "plain")                                                                        \
    X(async_single, "single")                                                                      \
    X(async_shrink, "shrink")                                                                      \
    X(async_plain_oversubscribed, "plain oversubscribed")                                          \
    X(async_single_oversubscribed, "single oversubscribed")                                        \
    X(async_shrink_oversubscribed, "shrink oversubscribed")                                        \
    X(omega, "omega")                                                                              \
    X(extra_iterations, "late")                                                                    \
    X(data_at_points, "data at points")                                                            \
    X(data_by_thread, "data by thread")                                                            \
    X(omega_by_thread, "omega by thread")
