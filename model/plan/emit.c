/**
 * @file emit.c
 * Emits the steps that several kinds of plans have in common, and passes each step to the sink.
 */
#include "emit.h"

void nereus_emit_begin(struct nereus_emitter *emitter, enum nereus_step_kind kind, unsigned roles)
{
    memset(&emitter->step, 0, sizeof emitter->step);
    emitter->step.kind = kind;
    emitter->step.roles = roles;
    emitter->step.thread = emitter->thread;
    emitter->step.repeat = emitter->step.times = 1;
    emitter->step.old_processes = emitter->outline->ns;
    emitter->step.for_data = emitter->part == NEREUS_PART_DATA;
}

void nereus_emit_end(struct nereus_emitter *emitter)
{
    if (emitter->status == NEREUS_OK && (emitter->wanted & emitter->part) != 0)
        emitter->status = emitter->sink->take(emitter->sink, &emitter->step, emitter->err);
}

void nereus_emit(struct nereus_emitter *emitter, enum nereus_step_kind kind, unsigned roles,
                 int64_t new_processes)
{
    nereus_emit_begin(emitter, kind, roles);
    emitter->step.new_processes = new_processes;
    nereus_emit_end(emitter);
}

/* Does an auxiliary thread execute steps of the plan? A launch needs none, connecting its processes
 * does. */
static bool uses_thread(const struct nereus_emitter *e)
{
    return e->outline->method.async && (!e->strategy->threadless || e->outline->spawned > 0);
}

void nereus_emit_enter_thread(struct nereus_emitter *emitter)
{
    if (uses_thread(emitter))
        emitter->thread = NEREUS_AUXILIARY_THREAD;
}

void nereus_emit_start(struct nereus_emitter *emitter, const struct nereus_incoming *incoming)
{
    if ((emitter->wanted & NEREUS_PART_PROCESSES) != 0)
        emitter->strategy->emit(emitter, incoming);
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

void nereus_emit_overlapped(struct nereus_emitter *emitter, unsigned roles)
{
    const bool starts_in_thread = uses_thread(emitter);
    /* the thread that started the processes also moves the data, so that one synchronisation serves
     * both */
    const bool one_thread = starts_in_thread && has_overlapped_data(emitter) &&
                            emitter->outline->method.overlap == NEREUS_THREAD;
    if (starts_in_thread && !one_thread)
        emit_synchronise(emitter, roles);
    if (has_overlapped_data(emitter)) {
        emit_overlapped_data(emitter, roles);
        emitter->part = one_thread ? NEREUS_PART_PROCESSES : NEREUS_PART_DATA;
        emit_synchronise(emitter, roles);
        emitter->part = NEREUS_PART_PROCESSES;
    }
}

void nereus_emit_data(struct nereus_emitter *emitter, unsigned roles)
{
    const struct nereus_request_bytes *bytes = &emitter->outline->bytes;
    emitter->part = NEREUS_PART_DATA;
    if (has_overlapped_data(emitter)) {
        if (bytes->variable_bytes + bytes->replicated_bytes > 0)
            emit_redistribute(emitter, roles, 0, bytes->variable_bytes, bytes->replicated_bytes);
    } else if (emitter->outline->has_data) {
        emit_allocate(emitter, roles);
        emit_redistribute(emitter, roles, bytes->constant_bytes, bytes->variable_bytes,
                          bytes->replicated_bytes);
    }
    emitter->part = NEREUS_PART_PROCESSES;
}

void nereus_emit_commit(struct nereus_emitter *emitter, unsigned roles, int64_t incoming)
{
    nereus_emit_begin(emitter, NEREUS_STEP_COMMIT, roles);
    emitter->step.new_processes = incoming;
    emitter->step.constant_bytes = emitter->outline->bytes.constant_bytes;
    emitter->step.variable_bytes = emitter->outline->bytes.variable_bytes;
    emitter->part = NEREUS_PART_PROCESSES | NEREUS_PART_DATA;
    nereus_emit_end(emitter);
    emitter->part = NEREUS_PART_PROCESSES;
}
