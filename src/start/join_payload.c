/**
 * @file join_payload.c
 * Packs, sends and receives the join payload: new and woken processes receive it before nereus_init
 * (or the zombie's malleability point) returns.
 */

#include "join_payload.h"

#include "src/mpi/large_counts.h"
#include "src/util/clock.h"
#include "src/util/json_lines.h"
#include "src/util/pack_buffer.h"
#include "src/util/process_settings.h"
#include "src/util/wait.h"

static void pack_spec(struct pack_buffer *pack, struct start_spec *spec)
{
    nereus_pack_text(pack, &spec->guard);
    nereus_pack_names(pack, &spec->argv);
}

static void pack_machine(struct pack_buffer *pack, struct nereus_machine *machine)
{
    NEREUS_PACK(pack, machine->cores_per_process);
    NEREUS_PACK(pack, machine->cores_per_node);
    NEREUS_PACK(pack, machine->slots);
    NEREUS_PACK(pack, machine->had_several_hosts);
    NEREUS_PACK_ITEMS(pack, machine->nodes, machine->node_count);
}

static void pack_state(struct pack_buffer *pack, struct nereus_jobstate *state)
{
    NEREUS_PACK(pack, state->next_world_id);
    NEREUS_PACK(pack, state->cores_per_node);
    NEREUS_PACK_ITEMS(pack, state->worlds, state->world_count);
    NEREUS_PACK_ITEMS(pack, state->segments, state->segment_count);
    NEREUS_PACK_ITEMS(pack, state->sleepers, state->sleeper_count);
}

/* Settings and data that go with them. */
static void pack_settings(struct pack_buffer *pack, nereus_job *job)
{
    struct job_settings *settings = &job->settings;
    double steady_shift_s = nereus_steady_shift_s();
    NEREUS_PACK(pack, job->id);
    NEREUS_PACK(pack, steady_shift_s);
    if (pack->reading)
        nereus_steady_set_shift(steady_shift_s);
    pack_machine(pack, &job->machine);
    NEREUS_PACK(pack, job->machine_changes);
    NEREUS_PACK_ITEMS(pack, job->freed_nodes, job->freed_count);
    pack_state(pack, &job->state);
    NEREUS_PACK(pack, settings->default_method);
    NEREUS_PACK(pack, settings->default_is_auto);
    NEREUS_PACK_ITEMS(pack, settings->schedule, settings->schedule_count);
    NEREUS_PACK(pack, settings->schedule_next);
    NEREUS_PACK_ITEMS(pack, settings->user_state, settings->user_state_bytes);
    nereus_pack_text(pack, &settings->program);
    nereus_pack_text(pack, &settings->state_path);
    nereus_pack_text(pack, &job->trace.path);
    nereus_pack_names(pack, &settings->environment);
    NEREUS_PACK(pack, settings->spawn_timeout_s);
    NEREUS_PACK(pack, settings->answer_timeout_s);
    NEREUS_PACK(pack, settings->bridge);
    NEREUS_PACK(pack, settings->bind_to_cores);
    NEREUS_PACK(pack, settings->keep_asleep);
    NEREUS_PACK(pack, settings->batch);
    NEREUS_PACK(pack, settings->test_every);
    NEREUS_PACK(pack, settings->imbalance);
    NEREUS_PACK(pack, settings->ranking);
    NEREUS_PACK(pack, settings->iterations);
    NEREUS_PACK(pack, settings->iteration_times);
    nereus_pack_text(pack, &settings->profile);
    nereus_pack_text(pack, &settings->scaling);
    nereus_pack_text(pack, &settings->learn_path);
    nereus_pack_text(pack, &settings->monitor_path);
    NEREUS_PACK(pack, nereus_unwritten);
    NEREUS_PACK(pack, settings->monitor);
    NEREUS_PACK(pack, settings->balance_every);
    nereus_pack_text(pack, &settings->policy_path);
    NEREUS_PACK(pack, settings->policy);
    nereus_pack_text(pack, &settings->name);
    nereus_pack_text(pack, &settings->folder);
    NEREUS_PACK(pack, settings->sizes);
    NEREUS_PACK(pack, settings->sizes_outside);
    nereus_pack_text(pack, &settings->checkpoint_folder);
    NEREUS_PACK(pack, settings->checkpoint);
    NEREUS_PACK(pack, job->restarts);
    NEREUS_PACK(pack, job->external_records);
    NEREUS_PACK(pack, settings->process);
    nereus_process_settings = settings->process;
    NEREUS_PACK(pack, job->warned);
    NEREUS_PACK(pack, job->misplaced);
    NEREUS_PACK(pack, job->has_threads);
    NEREUS_PACK(pack, job->cores_here);
    NEREUS_PACK(pack, job->pending);
    NEREUS_PACK(pack, job->is_pending);
}

/* The request record in the model's serialisation. */
static enum nereus_status pack_record(struct pack_buffer *pack, struct nereus_request *record,
                                      struct nereus_error *err)
{
    int64_t bytes = pack->reading ? 0 : (int64_t)nereus_request_packed_bytes(record);
    unsigned char *packed_bytes = pack->reading ? NULL : malloc((size_t)bytes);
    enum nereus_status status = NEREUS_OK;
    if (!pack->reading && packed_bytes == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a request record");
    if (!pack->reading)
        nereus_request_pack(record, packed_bytes);
    NEREUS_PACK_ITEMS(pack, packed_bytes, bytes);
    if (pack->reading)
        status = nereus_request_unpack(packed_bytes, (size_t)bytes, record, err);
    free(packed_bytes);
    return status;
}

static enum nereus_status pack_payload(struct pack_buffer *pack, nereus_job *job,
                                       struct start_spec *spec, struct nereus_request *record,
                                       struct nereus_error *err)
{
    pack_spec(pack, spec);
    NEREUS_TRY(pack_record(pack, record, err));
    NEREUS_PACK(pack, job->points);
    NEREUS_PACK(pack, job->requests);
    NEREUS_PACK(pack, job->reconfigurations);
    NEREUS_PACK(pack, job->began_s);
    pack_settings(pack, job);
    return pack->broken
               ? nereus_fail(err, NEREUS_ERR_MEMORY,
                             "the record for new processes is incomplete or could not be stored")
               : NEREUS_OK;
}

enum nereus_status nereus_payload_pack(nereus_job *job, struct nereus_request *record,
                                       struct start_spec *spec, struct nereus_error *err)
{
    struct pack_buffer pack = {0};
    const enum nereus_status status = pack_payload(&pack, job, spec, record, err);
    spec->payload = pack.data;
    spec->payload_bytes = (int64_t)pack.bytes;
    return status;
}

enum nereus_status nereus_payload_unpack(nereus_job *job, struct nereus_request *record,
                                         struct start_spec *spec, struct nereus_error *err)
{
    NEREUS_TRY(nereus_payload_read(job, record, spec, err));
    return nereus_registry_match(&job->registry, record, err);
}

enum nereus_status nereus_payload_read(nereus_job *job, struct nereus_request *record,
                                       struct start_spec *spec, struct nereus_error *err)
{
    struct pack_buffer pack = nereus_pack_reading(spec->payload, (size_t)spec->payload_bytes);
    return pack_payload(&pack, job, spec, record, err);
}

enum nereus_status nereus_payload_read_spec(struct start_spec *spec, struct nereus_error *err)
{
    struct pack_buffer pack = nereus_pack_reading(spec->payload, (size_t)spec->payload_bytes);
    pack_spec(&pack, spec);
    return pack.broken
               ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the new processes' arguments")
               : NEREUS_OK;
}

/* Most payloads fit the first message, of fixed length: one broadcast instead of two. */
struct first_part {
    int64_t bytes, group;
    unsigned char block[4080];
};

enum nereus_status nereus_payload_broadcast(MPI_Comm comm, int root, bool sends,
                                            struct start_spec *spec, int64_t *group,
                                            struct nereus_error *err)
{
    struct first_part part = {.bytes = spec->payload_bytes, .group = *group};
    const int64_t first = (int64_t)sizeof part.block;
    if (sends)
        memcpy(part.block, spec->payload,
               (size_t)(spec->payload_bytes < first ? spec->payload_bytes : first));
    NEREUS_TRY(nereus_broadcast(&part, sizeof part, root, comm, NEREUS_WAIT_AWAKE, err));
    const bool receives = !sends && root != MPI_PROC_NULL;
    if (receives) {
        spec->payload_bytes = part.bytes;
        *group = part.group;
        spec->payload = malloc((size_t)part.bytes + 1);
        NEREUS_TRY_MEMORY(spec->payload, err, "for a record of %lld bytes", (long long)part.bytes);
        memcpy(spec->payload, part.block, (size_t)(part.bytes < first ? part.bytes : first));
    }
    /* a parent that neither sends nor receives data knows the length from the decision */
    if (spec->payload_bytes > first)
        NEREUS_MPI(MPI_Bcast_c(sends || receives ? spec->payload + first : part.block,
                               (MPI_Count)(spec->payload_bytes - first), MPI_BYTE, root, comm),
                   err);
    return NEREUS_OK;
}

enum nereus_status nereus_settings_broadcast(nereus_job *job, struct nereus_error *err)
{
    struct pack_buffer pack = {0};
    if (job->rank == 0)
        pack_settings(&pack, job);
    NEREUS_TRY(nereus_pack_broadcast(&pack, job->control, err));
    if (job->rank != 0)
        pack_settings(&pack, job);
    free(pack.data);
    return pack.broken ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the job's settings")
                       : NEREUS_OK;
}
