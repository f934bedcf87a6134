/**
 * @file emit_steps.c
 * Emits the steps of a method, by the function of its process part (baseline, merge, ...).
 */
#include "emit.h"
#include "strategies/strategy.h"

void nereus_outline_set_starts(int64_t asleep, struct nereus_outline *outline)
{
    const int64_t missing = nereus_max(0, outline->nt - outline->ns);
    outline->woken = outline->method.process != NEREUS_MERGE ? 0 : nereus_min(asleep, missing);
    outline->spawned =
        outline->method.process != NEREUS_MERGE ? outline->nt : missing - outline->woken;
}

enum nereus_status nereus_emit_steps(const struct nereus_outline *outline, unsigned wanted_parts,
                                     struct nereus_step_sink *sink, struct nereus_error *err)
{
    const bool shrinks = outline->method.process == NEREUS_MERGE && outline->nt < outline->ns;
    struct nereus_emitter e = {.outline = outline,
                               .strategy = nereus_strategy_ops_of(outline->method.strategy),
                               .sink = sink,
                               .wanted = wanted_parts,
                               .part = NEREUS_PART_PROCESSES,
                               .thread = NEREUS_MAIN_THREAD,
                               .status = NEREUS_OK,
                               .err = err};
    if (outline->method.process == NEREUS_RESTART)
        nereus_emit_restart(&e);
    else if (outline->method.process != NEREUS_MERGE)
        /* NS = NT is a full respawn (Martín-Álvarez et al. (2025), section 4.6) */
        nereus_emit_baseline(&e);
    else if (shrinks)
        nereus_emit_merge_shrink(&e);
    else if (outline->nt > outline->ns)
        nereus_emit_merge_expand(&e);
    else if (nereus_method_rebalances(&outline->method, outline->ns, outline->nt) &&
             outline->bytes.constant_bytes + outline->bytes.variable_bytes > 0)
        nereus_emit_rebalance(&e);
    return e.status;
}
