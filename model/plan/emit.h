/**
 * @file emit.h
 * Generates all steps, for plans and for prices. Each step goes to a sink, which appends it
 * to a plan (plan.c) or prices it (model/price). Private to model/.
 */
#pragma once

#include "nereus/plan.h"
#include "nereus/request.h"
#include "strategies/strategy.h"

struct nereus_groups;

/** Input of the step generator. */
struct nereus_outline {
    struct nereus_method method;
    int64_t ns, nt;
    int64_t woken, spawned; /**< targets: former zombies, new processes */
    /** sources that leave in a merge shrink: with their world; as zombies */
    int64_t ending, sleeping;
    int64_t releasing; /**< zombies that release communicators of worlds that end */
    bool has_data;
    struct nereus_request_bytes bytes;
    /** groups of the new processes, if the strategy makes several worlds */
    struct nereus_groups *groups;
};

/** Receiver of the emitted steps: appends each to a plan, or prices it. */
struct nereus_step_sink {
    enum nereus_status (*take)(struct nereus_step_sink *sink, const struct nereus_step *step,
                               struct nereus_error *err);
};

/** Append a step.
 * @return NEREUS_ERR_UNSUPPORTED, with the plan unchanged: it is full */
enum nereus_status nereus_plan_append(struct nereus_plan *plan, const struct nereus_step *step,
                                      struct nereus_error *err);

/** Parts of a plan: steps for processes and steps for data; the commit belongs to both. */
enum { NEREUS_PART_PROCESSES = 1, NEREUS_PART_DATA = 2 };

/** State of the generator. */
struct nereus_emitter {
    const struct nereus_outline *outline;
    const struct nereus_strategy_ops *strategy;
    struct nereus_step_sink *sink;
    unsigned wanted; /**< set of parts; the steps of other parts are skipped */
    unsigned part;
    enum nereus_step_thread thread;
    struct nereus_step step;
    /** Status of the first step that the sink refused; no step is emitted after an error. */
    enum nereus_status status;
    struct nereus_error *err;
};

/** Emit the steps of the wanted parts, in plan order.
 * @return the first error of the sink */
enum nereus_status nereus_emit_steps(const struct nereus_outline *outline, unsigned wanted_parts,
                                     struct nereus_step_sink *sink, struct nereus_error *err);

/** Set `woken` and `spawned`.
 * @param asleep  number of zombies */
void nereus_outline_set_starts(int64_t asleep, struct nereus_outline *outline);

/** Begin a step; the caller then sets other members of emitter->step. */
void nereus_emit_begin(struct nereus_emitter *emitter, enum nereus_step_kind kind, unsigned roles);
void nereus_emit_end(struct nereus_emitter *emitter);
/** Emit a step of which only these members are set. */
void nereus_emit(struct nereus_emitter *emitter, enum nereus_step_kind kind, unsigned roles,
                 int64_t new_processes);

/** Let an auxiliary thread of the sources execute the next steps, if the method is asynchronous. */
void nereus_emit_enter_thread(struct nereus_emitter *emitter);
void nereus_emit_start(struct nereus_emitter *emitter, const struct nereus_incoming *incoming);
/** Emit the end of the overlapped part: constant data moves, then old and new processes synchronise
 * at a malleability point. */
void nereus_emit_overlapped(struct nereus_emitter *emitter, unsigned roles);
/** Emit the data that moves while the application is stopped. */
void nereus_emit_data(struct nereus_emitter *emitter, unsigned roles);
void nereus_emit_commit(struct nereus_emitter *emitter, unsigned roles, int64_t incoming);

void nereus_emit_baseline(struct nereus_emitter *emitter);
void nereus_emit_merge_expand(struct nereus_emitter *emitter);
void nereus_emit_merge_shrink(struct nereus_emitter *emitter);
void nereus_emit_rebalance(struct nereus_emitter *emitter);
void nereus_emit_restart(struct nereus_emitter *emitter);
