/** @file profile_json.h  Names shared by the writer and the reader of profiles. Private to model/. */
#ifndef NEREUS_PROFILE_JSON_H
#define NEREUS_PROFILE_JSON_H

#include "nereus/profile.h"

/** The models that are no step kinds': X(member of struct nereus_profile, name). */
#define NEREUS_ASYNC_MODEL_LIST(X)                                                                           \
    X(async_plain, "plain")                                                                                  \
    X(async_single, "single")                                                                                \
    X(async_shrink, "shrink")                                                                                \
    X(async_plain_oversubscribed, "plain oversubscribed")                                                    \
    X(async_single_oversubscribed, "single oversubscribed")                                                  \
    X(async_shrink_oversubscribed, "shrink oversubscribed")                                                  \
    X(omega, "omega")                                                                                        \
    X(data_at_points, "data at points")                                                                      \
    X(data_by_thread, "data by thread")                                                                      \
    X(omega_by_thread, "omega by thread")

/** "fitted", "fallback", "contained"; by enum value. */
extern const char *const nereus_basis_names[4];

/** "merge", "baseline", ...; by enum nereus_beyond_steps. */
extern const char *const nereus_beyond_steps_names[NEREUS_BEYOND_STEPS_COUNT];

/** "rma", ...; by enum nereus_moves. */
extern const char *const nereus_moves_names[NEREUS_MOVES_COUNT];

#endif
