/* What new and woken processes are told before nereus_init (or the zombie's malleability point)
 * returns. */
#include "join_payload.h"

#include <stdlib.h>
#include <string.h>

#include "src/util/error.h"
#include "src/util/pack_buffer.h"

static void put_machine(struct pack_buffer *pack, const struct nereus_machine *machine)
{
    pack_put_int(pack, machine->cores_per_node);
    pack_put_int(pack, machine->slots);
    pack_put_block(pack, machine->nodes, (size_t)machine->node_count * sizeof *machine->nodes);
}

static void put_state(struct pack_buffer *pack, const struct nereus_jobstate *state)
{
    pack_put_int(pack, state->next_world_id);
    pack_put_int(pack, state->cores_per_node);
    pack_put_block(pack, state->worlds, (size_t)state->world_count * sizeof *state->worlds);
    pack_put_block(pack, state->segments, (size_t)state->segment_count * sizeof *state->segments);
    pack_put_block(pack, state->sleepers, (size_t)state->sleeper_count * sizeof *state->sleepers);
}

static void put_names(struct pack_buffer *pack, char *const *names)
{
    for (; names != NULL && *names != NULL; names++)
        pack_put_text(pack, *names);
    pack_put_text(pack, NULL);
}

static void put_request(struct pack_buffer *pack, const struct nereus_request *request)
{
    const size_t bytes = nereus_request_packed_bytes(request);
    unsigned char *packed = malloc(bytes);
    if (packed == NULL) {
        pack->broken = true;
        return;
    }
    nereus_request_pack(request, packed);
    pack_put_block(pack, packed, bytes);
    free(packed);
}

static void put_settings(struct pack_buffer *pack, const nereus_job *job)
{
    put_machine(pack, &job->machine);
    put_state(pack, &job->state);
    pack_put_block(pack, &job->settings.default_method, sizeof job->settings.default_method);
    pack_put_int(pack, job->settings.default_open);
    pack_put_block(pack, job->settings.schedule,
                   (size_t)job->settings.schedule_count * sizeof *job->settings.schedule);
    pack_put_int(pack, job->settings.schedule_next);
    pack_put_block(pack, job->settings.user_state, job->settings.user_state_bytes);
    pack_put_text(pack, job->settings.program);
    pack_put_text(pack, job->settings.state_path);
    pack_put_text(pack, job->trace.path);
    put_names(pack, job->settings.environment);
    pack_put_int(pack, (int64_t)(job->settings.spawn_timeout_s * 1e3));
    pack_put_int(pack, (int64_t)(job->settings.answer_timeout_s * 1e3));
    pack_put_int(pack, job->warned.oversubscribed);
    pack_put_int(pack, job->settings.bind_to_cores);
    pack_put_int(pack, job->settings.bridge);
    pack_put_int(pack, job->misplaced);
    pack_put_int(pack, job->cores_here);
    pack_put_int(pack, job->settings.batch);
    pack_put_int(pack, job->settings.test_every);
    pack_put_block(pack, &job->settings.imbalance, sizeof job->settings.imbalance);
    pack_put_int(pack, job->warned.unbound);
    pack_put_block(pack, &job->pending, sizeof job->pending);
    pack_put_int(pack, job->is_pending);
}

/* In a tree new processes start others themselves. */
static void put_kit(struct pack_buffer *pack, const struct start_kit *kit)
{
    pack_put_text(pack, kit->guard);
    put_names(pack, kit->words);
}

enum nereus_status nereus_payload_pack(const nereus_job *job, const struct nereus_request *request,
                                       const struct start_kit *kit, unsigned char **buffer, int64_t *bytes,
                                       struct nereus_error *err)
{
    struct pack_buffer pack = {0};
    put_kit(&pack, kit);
    put_request(&pack, request);
    pack_put_int(&pack, job->points);
    pack_put_int(&pack, job->requests);
    pack_put_int(&pack, job->reconfigurations);
    put_settings(&pack, job);
    if (pack.broken) {
        free(pack.data);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the record that new processes get");
    }
    *buffer = pack.data;
    *bytes = (int64_t)pack.bytes;
    return NEREUS_OK;
}

/* A copy of a block of whole items; *count items. */
static void *get_items(struct pack_buffer *pack, size_t item_bytes, int64_t *count)
{
    size_t bytes;
    const unsigned char *block = pack_get_block(pack, &bytes);
    void *items = calloc(1, bytes + 1);
    if (items == NULL || bytes % item_bytes != 0)
        pack->broken = true;
    else if (bytes > 0)
        memcpy(items, block, bytes);
    *count = pack->broken ? 0 : (int64_t)(bytes / item_bytes);
    return items;
}

static void get_block(struct pack_buffer *pack, void *into, size_t expected)
{
    size_t bytes;
    const unsigned char *block = pack_get_block(pack, &bytes);
    if (block == NULL || bytes != expected)
        pack->broken = true;
    else
        memcpy(into, block, bytes);
}

static void replace_text(char **text, char *by)
{
    free(*text);
    *text = by;
}

static void free_names(char **names)
{
    for (char **name = names; name != NULL && *name != NULL; name++)
        free(*name);
    free(names);
}

static char **get_names(struct pack_buffer *pack)
{
    size_t count = 0;
    char **names = calloc(1, sizeof *names);
    for (char *name; names != NULL && (name = pack_get_text(pack)) != NULL; count++) {
        char **longer = realloc(names, (count + 2) * sizeof *names);
        if (longer == NULL) {
            free(name);
            pack->broken = true;
            break;
        }
        names = longer;
        names[count] = name;
        names[count + 1] = NULL;
    }
    return names;
}

static void get_settings(nereus_job *job, struct pack_buffer *pack)
{
    int64_t user_state_bytes;
    nereus_machine_fini(&job->machine);
    job->machine.cores_per_node = pack_get_int(pack);
    job->machine.slots = pack_get_int(pack);
    job->machine.nodes = get_items(pack, sizeof *job->machine.nodes, &job->machine.node_count);
    nereus_jobstate_fini(&job->state);
    job->state.next_world_id = pack_get_int(pack);
    job->state.cores_per_node = pack_get_int(pack);
    job->state.worlds = get_items(pack, sizeof *job->state.worlds, &job->state.world_count);
    job->state.segments = get_items(pack, sizeof *job->state.segments, &job->state.segment_count);
    job->state.sleepers = get_items(pack, sizeof *job->state.sleepers, &job->state.sleeper_count);
    get_block(pack, &job->settings.default_method, sizeof job->settings.default_method);
    job->settings.default_open = pack_get_int(pack) != 0;
    free(job->settings.schedule);
    job->settings.schedule = get_items(pack, sizeof *job->settings.schedule, &job->settings.schedule_count);
    job->settings.schedule_next = pack_get_int(pack);
    free(job->settings.user_state);
    job->settings.user_state = get_items(pack, 1, &user_state_bytes);
    job->settings.user_state_bytes = (size_t)user_state_bytes;
    replace_text(&job->settings.program, pack_get_text(pack));
    replace_text(&job->settings.state_path, pack_get_text(pack));
    replace_text(&job->trace.path, pack_get_text(pack));
    free_names(job->settings.environment);
    job->settings.environment = get_names(pack);
    job->settings.spawn_timeout_s = (double)pack_get_int(pack) * 1e-3;
    job->settings.answer_timeout_s = (double)pack_get_int(pack) * 1e-3;
    job->warned.oversubscribed = pack_get_int(pack) != 0;
    job->settings.bind_to_cores = pack_get_int(pack) != 0;
    job->settings.bridge = pack_get_int(pack) != 0;
    job->misplaced = pack_get_int(pack) != 0;
    job->cores_here = pack_get_int(pack);
    job->settings.batch = pack_get_int(pack);
    job->settings.test_every = pack_get_int(pack);
    get_block(pack, &job->settings.imbalance, sizeof job->settings.imbalance);
    job->warned.unbound = pack_get_int(pack) != 0;
    get_block(pack, &job->pending, sizeof job->pending);
    job->is_pending = pack_get_int(pack) != 0;
}

/* A pack buffer that is only read. */
static struct pack_buffer pack_buffer_of(const unsigned char *buffer, int64_t bytes)
{
    return (struct pack_buffer){.data = (unsigned char *)(uintptr_t)buffer, .bytes = (size_t)bytes};
}

enum nereus_status nereus_payload_kit(struct start_kit *kit, struct nereus_error *err)
{
    struct pack_buffer pack = pack_buffer_of(kit->payload, kit->payload_bytes);
    kit->guard = pack_get_text(&pack);
    kit->words = get_names(&pack);
    return pack.broken ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the new processes' arguments")
                       : NEREUS_OK;
}

static void skip_kit(struct pack_buffer *pack)
{
    free(pack_get_text(pack));
    free_names(get_names(pack));
}

enum nereus_status nereus_payload_unpack(nereus_job *job, const unsigned char *buffer, int64_t bytes,
                                         struct nereus_request *request, struct nereus_error *err)
{
    struct pack_buffer pack = pack_buffer_of(buffer, bytes);
    size_t request_bytes;
    skip_kit(&pack);
    const unsigned char *packed = pack_get_block(&pack, &request_bytes);
    NEREUS_TRY(nereus_request_unpack(packed, request_bytes, request, err));
    job->points = pack_get_int(&pack);
    job->requests = pack_get_int(&pack);
    job->reconfigurations = pack_get_int(&pack);
    get_settings(job, &pack);
    if (pack.broken) {
        nereus_request_fini(request);
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "the record for new processes is cut off or could not be stored");
    }
    return nereus_registry_match(&job->registry, request, err);
}

/* Most payloads fit the first message, which has a fixed length: one broadcast instead of two. */
struct first_part {
    int64_t bytes, group;
    unsigned char block[4080];
};

enum nereus_status nereus_payload_broadcast(MPI_Comm comm, int root, bool sends, unsigned char **buffer,
                                            int64_t *bytes, int64_t *group, struct nereus_error *err)
{
    struct first_part part = {.bytes = *bytes, .group = *group};
    const int64_t room = (int64_t)sizeof part.block;
    if (sends)
        memcpy(part.block, *buffer, (size_t)(*bytes < room ? *bytes : room));
    NEREUS_MPI(MPI_Bcast(&part, (int)sizeof part, MPI_BYTE, root, comm), err);
    const bool receives = !sends && root != MPI_PROC_NULL;
    if (receives) {
        *bytes = part.bytes;
        *group = part.group;
        *buffer = malloc((size_t)part.bytes + 1);
        if (*buffer == NULL)
            return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a record of %lld bytes",
                               (long long)part.bytes);
        memcpy(*buffer, part.block, (size_t)(part.bytes < room ? part.bytes : room));
    }
    /* A parent that neither sends nor receives knows the length from the decision. */
    if (*bytes > room)
        NEREUS_MPI(MPI_Bcast_c(sends || receives ? *buffer + room : part.block, (MPI_Count)(*bytes - room),
                               MPI_BYTE, root, comm),
                   err);
    return NEREUS_OK;
}

enum nereus_status nereus_settings_share(nereus_job *job, struct nereus_error *err)
{
    struct pack_buffer pack = {0};
    if (job->rank == 0)
        put_settings(&pack, job);
    int64_t bytes = pack.broken ? -1 : (int64_t)pack.bytes;
    NEREUS_MPI(MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, job->control), err);
    if (bytes < 0)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the job's settings");
    if (job->rank != 0) {
        pack.data = malloc((size_t)bytes);
        pack.bytes = (size_t)bytes;
    }
    if (pack.data == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the job's settings");
    const int code = MPI_Bcast_c(pack.data, (MPI_Count)bytes, MPI_BYTE, 0, job->control);
    if (code == MPI_SUCCESS && job->rank != 0)
        get_settings(job, &pack);
    free(pack.data);
    if (code != MPI_SUCCESS)
        return nereus_mpi_failed(code, "sharing the settings", err);
    return pack.broken ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the job's settings") : NEREUS_OK;
}
