/** @file strategies.c  Lists the spawn strategies, and finds the strategy of a method. */
#include "strategy.h"

#define NEREUS_STRATEGY_ROW(e, name, token) [e] = &nereus_strategy_##name,
const struct nereus_strategy_ops *const nereus_strategies[NEREUS_STRATEGY_COUNT] = {
    NEREUS_STRATEGY_LIST(NEREUS_STRATEGY_ROW)};
#undef NEREUS_STRATEGY_ROW

/* Diffusive starts groups of any size in the fewest rounds. */
enum nereus_strategy nereus_strategy_for_respawn(void)
{
    return NEREUS_DIFFUSIVE;
}

struct nereus_method nereus_method_resolve(const struct nereus_method *method)
{
    struct nereus_method m = *method;
    if (m.process == NEREUS_MERGE && m.shrink == NEREUS_SS) {
        m.process = NEREUS_BASELINE;
        m.shrink = NEREUS_SHRINK_BY_STATE;
        m.strategy = m.strategy == NEREUS_PLAIN ? nereus_strategy_for_respawn() : m.strategy;
    }
    return m;
}

const struct nereus_strategy_ops *nereus_strategy_of(const struct nereus_method *method)
{
    return nereus_strategies[nereus_method_resolve(method).strategy];
}
