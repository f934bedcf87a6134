/**
 * @file emit.h
 * The one generator of steps. It hands each step of a reconfiguration to a sink, which appends it
 * to a plan (plan.c) or prices it (model/price). Private to model/.
 */
#ifndef NEREUS_EMIT_H
#define NEREUS_EMIT_H

#include "nereus/plan.h"
#include "nereus/request.h"
#include "strategies/strategy.h"

struct nereus_groups;

/** All that determines the steps of a reconfiguration. */
struct nereus_outline {
    struct nereus_method method; /**< as carried out (nereus_method_carried_out) */
    int64_t ns, nt;
    int64_t woken, spawned; /**< targets that were zombies; targets that are new */
    /** merge shrink: sources that end with their world; that become zombies */
    int64_t ending, sleeping;
    int64_t roused; /**< zombies that release communicators shared with the worlds that end */
    bool has_data;  /**< the application has registered data */
    struct nereus_request_bytes bytes;
    /** groups of new processes; used where the strategy makes several worlds */
    struct nereus_groups *groups;
};

/** Receives the steps in the order of their execution. */
struct nereus_step_sink {
    enum nereus_status (*take)(struct nereus_step_sink *sink, const struct nereus_step *step,
                               struct nereus_error *err);
};

/** Which steps to emit: those for processes, those for data. The commit belongs to both. */
enum { NEREUS_PART_PROCESSES = 1, NEREUS_PART_DATA = 2 };

struct nereus_emitter {
    const struct nereus_outline *outline;
    const struct nereus_strategy_ops *strategy;
    struct nereus_step_sink *sink;
    unsigned wanted;                /**< set of parts; steps of other parts are skipped */
    unsigned part;                  /**< part of the current step */
    enum nereus_step_thread thread; /**< thread of the current step */
    struct nereus_step step;        /**< the current step */
    /** status of the first step that the sink refused; nothing is emitted after it */
    enum nereus_status status;
    struct nereus_error *err;
};

/** Emit all steps of the wanted parts. @return what the sink returned */
enum nereus_status nereus_emit_steps(const struct nereus_outline *outline, unsigned wanted,
                                     struct nereus_step_sink *sink, struct nereus_error *err);

/** Count the zombies to wake and the processes to start. @param asleep number of zombies */
void nereus_outline_starts(int64_t asleep, struct nereus_outline *outline);

/* ---- for the builders: plan_*.c and strategies/ ---- */

/** Begin a step in emitter->step; the caller sets the other members. */
void nereus_emit_begin(struct nereus_emitter *emitter, enum nereus_step_kind kind, unsigned who);
void nereus_emit_end(struct nereus_emitter *emitter);
/** Begin and end a step that has no other members. */
void nereus_emit(struct nereus_emitter *emitter, enum nereus_step_kind kind, unsigned who,
                 int64_t new_processes);

/** An asynchronous method: the following steps run in an auxiliary thread of the sources. */
void nereus_emit_enter_thread(struct nereus_emitter *emitter);
/** Emit the steps of the strategy that start and connect new processes. */
void nereus_emit_start(struct nereus_emitter *emitter, const struct nereus_incoming *incoming);
/** End of the part that overlaps with the application: old and new processes synchronise at a
 * malleability point; constant data moves before that. */
void nereus_emit_overlapped(struct nereus_emitter *emitter, unsigned who);
/** Data that moves while the application is stopped. */
void nereus_emit_data(struct nereus_emitter *emitter, unsigned who);
void nereus_emit_commit(struct nereus_emitter *emitter, unsigned who, int64_t incoming);

void nereus_emit_baseline(struct nereus_emitter *emitter);
void nereus_emit_merge_expand(struct nereus_emitter *emitter);
void nereus_emit_merge_shrink(struct nereus_emitter *emitter);
void nereus_emit_rebalance(struct nereus_emitter *emitter);

#endif
