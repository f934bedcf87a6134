/**
 * @file emit.h
 * The one generator of steps. It hands each step of a reconfiguration to a sink: appended, they are the plan (plan.c); priced as they
 * come, they are its price (model/price). Private to model/.
 */
#ifndef NEREUS_EMIT_H
#define NEREUS_EMIT_H

#include "nereus/plan.h"
#include "nereus/request.h"
#include "strategies/strategy.h"

struct nereus_groups;

/** All that the steps of a reconfiguration follow from. */
struct nereus_outline {
    struct nereus_method method; /**< as it is carried out */
    int64_t ns, nt;
    int64_t woken, spawned;   /**< targets that were zombies, that are new */
    int64_t ending, sleeping; /**< of a merge shrink: sources that leave, by how they do */
    int64_t roused;           /**< zombies that let go of those who end */
    bool has_data;            /**< anything is registered */
    struct nereus_request_bytes bytes;
    struct nereus_groups *groups; /**< of the new processes, where the strategy makes several worlds */
};

/** Takes the steps, in the order in which they can be carried out. */
struct nereus_step_sink {
    enum nereus_status (*take)(struct nereus_step_sink *sink, const struct nereus_step *step,
                               struct nereus_error *err);
};

/** Which steps are wanted: those that move processes, those that move data. The commit belongs to both. */
enum { NEREUS_PART_PROCESSES = 1, NEREUS_PART_DATA = 2 };

struct nereus_emitter {
    const struct nereus_outline *outline;
    const struct nereus_strategy_ops *strategy;
    struct nereus_step_sink *sink;
    unsigned wanted;                /**< set of parts; steps of others are passed over */
    unsigned part;                  /**< of the step that is being emitted */
    enum nereus_step_thread thread; /**< that carries it out */
    struct nereus_step step;        /**< the one that is being filled in */
    enum nereus_status status;      /**< of the first step that the sink refused; nothing follows */
    struct nereus_error *err;
};

/** Emit all steps of the wanted parts. @return what the sink returned */
enum nereus_status nereus_emit_steps(const struct nereus_outline *outline, unsigned wanted,
                                     struct nereus_step_sink *sink, struct nereus_error *err);

/** How many processes old and new a reconfiguration wakes and starts. @param asleep  zombies */
void nereus_outline_starts(int64_t asleep, struct nereus_outline *outline);

/* ---- for the builders: plan_baseline.c, plan_merge_expand.c, plan_merge_shrink.c, strategies ---- */

/** A step of all sources, once; to be completed in emitter->step. */
void nereus_emit_begin(struct nereus_emitter *emitter, enum nereus_step_kind kind, unsigned who);
void nereus_emit_end(struct nereus_emitter *emitter);
/** Both, of a step that needs no more. */
void nereus_emit(struct nereus_emitter *emitter, enum nereus_step_kind kind, unsigned who,
                 int64_t new_processes);

/** From here on an auxiliary thread of the sources carries out what it can, where the method starts processes in one. */
void nereus_emit_enter_thread(struct nereus_emitter *emitter);
/** How new processes come in. From here to the end of the rest the strategy is of no interest. */
void nereus_emit_start(struct nereus_emitter *emitter, const struct nereus_incoming *incoming);
/** The end of what is carried out beside the application: the meeting at a point, and constant data that moves before it. */
void nereus_emit_overlapped(struct nereus_emitter *emitter, unsigned who);
/** Data that moves while the application stands still. */
void nereus_emit_data(struct nereus_emitter *emitter, unsigned who);
void nereus_emit_commit(struct nereus_emitter *emitter, unsigned who, int64_t incoming);

void nereus_emit_baseline(struct nereus_emitter *emitter);
void nereus_emit_merge_expand(struct nereus_emitter *emitter);
void nereus_emit_merge_shrink(struct nereus_emitter *emitter);

#endif
