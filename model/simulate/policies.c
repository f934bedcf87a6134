/**
 * @file policies.c
 * Lists the malleability policies. A new policy is a file policy_NAME.c and a line here.
 */
#include "simulation.h"

/* The policy none resizes no job. */
const struct nereus_sim_policy nereus_sim_policy_none = {.name = "none"};

#define POLICY_LIST(X)                                                                             \
    X(none, "none")                                                                                \
    X(shrink_to_start, "shrink-to-start")                                                          \
    X(grow_into_idle, "grow-into-idle")                                                            \
    X(both, "both")                                                                                \
    X(equipartition, "equipartition")                                                              \
    X(broker, "broker")

#define DECLARE(symbol, name) extern const struct nereus_sim_policy nereus_sim_policy_##symbol;
POLICY_LIST(DECLARE)
#undef DECLARE

#define REFER(symbol, name) &nereus_sim_policy_##symbol,
const struct nereus_sim_policy *const nereus_sim_policies[] = {POLICY_LIST(REFER) NULL};

#define NAME(symbol, name) name,
const char *const nereus_sim_policy_names[] = {POLICY_LIST(NAME) NULL};
