/**
 * @file emit.c
 * Emits the steps that several kinds of plans have in common, and passes each step to the sink.
 */
#include "emit.h"

#include <string.h>

void nereus_emit_begin(struct nereus_emitter *e, enum nereus_step_kind kind, unsigned roles)
{
    memset(&e->step, 0, sizeof e->step);
    e->step.kind = kind;
    e->step.roles = roles;
    e->step.thread = e->thread;
    e->step.repeat = e->step.times = 1;
    e->step.old_processes = e->outline->ns;
    e->step.for_data = e->part == NEREUS_PART_DATA;
}

void nereus_emit_end(struct nereus_emitter *e)
{
    if (e->status == NEREUS_OK && (e->wanted & e->part) != 0)
        e->status = e->sink->take(e->sink, &e->step, e->err);
}

void nereus_emit(struct nereus_emitter *e, enum nereus_step_kind kind, unsigned roles,
                 int64_t new_processes)
{
    nereus_emit_begin(e, kind, roles);
    e->step.new_processes = new_processes;
    nereus_emit_end(e);
}

/* Does an auxiliary thread execute steps of the plan? A launch needs none, connecting its processes
 * does. */
static bool uses_thread(const struct nereus_emitter *e)
{
    return e->outline->method.async && (!e->strategy->threadless || e->outline->spawned > 0);
}

void nereus_emit_enter_thread(struct nereus_emitter *e)
{
    if (uses_thread(e))
        e->thread = NEREUS_AUXILIARY_THREAD;
}

void nereus_emit_start(struct nereus_emitter *e, const struct nereus_incoming *incoming)
{
    if ((e->wanted & NEREUS_PART_PROCESSES) != 0)
        e->strategy->emit(e, incoming);
}

/* Emit the allocation of new local parts, and of message buffers of processes that only send. */
static void emit_allocate(struct nereus_emitter *e, unsigned roles)
{
    nereus_emit_begin(e, NEREUS_STEP_ALLOCATE, roles);
    e->step.constant_bytes = e->outline->bytes.constant_bytes;
    e->step.variable_bytes = e->outline->bytes.variable_bytes;
    e->step.replicated_bytes = e->outline->bytes.replicated_bytes;
    nereus_emit_end(e);
    /* all must know of a failed allocation before any process waits for messages */
    nereus_emit(e, NEREUS_STEP_AGREE, roles, 0);
}

static void emit_redistribute(struct nereus_emitter *e, unsigned roles, int64_t constant_bytes,
                              int64_t variable_bytes, int64_t replicated_bytes)
{
    nereus_emit_begin(e, NEREUS_STEP_REDISTRIBUTE, roles);
    e->step.constant_bytes = constant_bytes;
    e->step.variable_bytes = variable_bytes;
    e->step.replicated_bytes = replicated_bytes;
    e->step.new_processes = e->outline->nt;
    nereus_emit_end(e);
}

/* Emit the synchronisation at an agreed malleability point, which stops the application. */
static void emit_synchronise(struct nereus_emitter *e, unsigned roles)
{
    e->thread = NEREUS_MAIN_THREAD;
    nereus_emit(e, NEREUS_STEP_SYNCHRONISE, roles, e->outline->spawned);
}

/* Emit the move of constant data during iterations; without a data thread the main thread allocates
 * at the first malleability point, which takes little time. */
static void emit_overlapped_data(struct nereus_emitter *e, unsigned roles)
{
    const bool in_thread = e->outline->method.overlap == NEREUS_THREAD;
    e->part = NEREUS_PART_DATA;
    e->thread = in_thread ? NEREUS_AUXILIARY_THREAD : NEREUS_MAIN_THREAD;
    emit_allocate(e, roles);
    e->thread = in_thread ? NEREUS_AUXILIARY_THREAD : NEREUS_AT_POINTS;
    emit_redistribute(e, roles, e->outline->bytes.constant_bytes, 0, 0);
}

static bool has_overlapped_data(const struct nereus_emitter *e)
{
    return nereus_method_overlaps(&e->outline->method, e->outline->bytes.constant_bytes);
}

void nereus_emit_overlapped(struct nereus_emitter *e, unsigned roles)
{
    const bool starts_in_thread = uses_thread(e);
    /* the thread that started the processes also moves the data, so that one synchronisation serves
     * both */
    const bool one_thread =
        starts_in_thread && has_overlapped_data(e) && e->outline->method.overlap == NEREUS_THREAD;
    if (starts_in_thread && !one_thread)
        emit_synchronise(e, roles);
    if (has_overlapped_data(e)) {
        emit_overlapped_data(e, roles);
        e->part = one_thread ? NEREUS_PART_PROCESSES : NEREUS_PART_DATA;
        emit_synchronise(e, roles);
        e->part = NEREUS_PART_PROCESSES;
    }
}

void nereus_emit_data(struct nereus_emitter *e, unsigned roles)
{
    const struct nereus_request_bytes *bytes = &e->outline->bytes;
    e->part = NEREUS_PART_DATA;
    if (has_overlapped_data(e)) {
        if (bytes->variable_bytes + bytes->replicated_bytes > 0)
            emit_redistribute(e, roles, 0, bytes->variable_bytes, bytes->replicated_bytes);
    } else if (e->outline->has_data) {
        emit_allocate(e, roles);
        emit_redistribute(e, roles, bytes->constant_bytes, bytes->variable_bytes,
                          bytes->replicated_bytes);
    }
    e->part = NEREUS_PART_PROCESSES;
}

void nereus_emit_commit(struct nereus_emitter *e, unsigned roles, int64_t incoming)
{
    nereus_emit_begin(e, NEREUS_STEP_COMMIT, roles);
    e->step.new_processes = incoming;
    e->step.constant_bytes = e->outline->bytes.constant_bytes;
    e->step.variable_bytes = e->outline->bytes.variable_bytes;
    e->part = NEREUS_PART_PROCESSES | NEREUS_PART_DATA;
    nereus_emit_end(e);
    e->part = NEREUS_PART_PROCESSES;
}
