/*
 * What new and woken processes are told before nereus_init (or the zombie's malleability point) goes on: the
 * request record with the registered data, the job's state, the machine, the settings and the user state.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "parcel.h"

static void put_machine(struct parcel *parcel, const struct nereus_machine *machine)
{
    parcel_put_int(parcel, machine->cores_per_node);
    parcel_put_int(parcel, machine->slots);
    parcel_put_block(parcel, machine->nodes, (size_t)machine->node_count * sizeof *machine->nodes);
}

static void put_state(struct parcel *parcel, const struct nereus_jobstate *state)
{
    parcel_put_int(parcel, state->next_world_id);
    parcel_put_int(parcel, state->cores_per_node);
    parcel_put_block(parcel, state->worlds, (size_t)state->world_count * sizeof *state->worlds);
    parcel_put_block(parcel, state->segments, (size_t)state->segment_count * sizeof *state->segments);
    parcel_put_block(parcel, state->sleepers, (size_t)state->sleeper_count * sizeof *state->sleepers);
}

static void put_names(struct parcel *parcel, char *const *names)
{
    for (; names != NULL && *names != NULL; names++)
        parcel_put_text(parcel, *names);
    parcel_put_text(parcel, NULL);
}

static void put_request(struct parcel *parcel, const struct nereus_request *request)
{
    const size_t bytes = nereus_request_packed_bytes(request);
    unsigned char *packed = malloc(bytes);
    if (packed == NULL) {
        parcel->broken = true;
        return;
    }
    nereus_request_pack(request, packed);
    parcel_put_block(parcel, packed, bytes);
    free(packed);
}

static void put_settings(struct parcel *parcel, const nereus_job *job)
{
    put_machine(parcel, &job->machine);
    put_state(parcel, &job->state);
    parcel_put_block(parcel, &job->default_method, sizeof job->default_method);
    parcel_put_int(parcel, job->default_open);
    parcel_put_block(parcel, job->schedule, (size_t)job->schedule_count * sizeof *job->schedule);
    parcel_put_int(parcel, job->schedule_next);
    parcel_put_block(parcel, job->user_state, job->user_state_bytes);
    parcel_put_text(parcel, job->program);
    parcel_put_text(parcel, job->state_path);
    parcel_put_text(parcel, job->trace.path);
    put_names(parcel, job->environment);
    parcel_put_int(parcel, (int64_t)(job->spawn_timeout_s * 1e3));
    parcel_put_int(parcel, (int64_t)(job->answer_timeout_s * 1e3));
    parcel_put_int(parcel, job->warned_oversubscribed);
    parcel_put_int(parcel, job->bind_to_cores);
    parcel_put_int(parcel, job->bridge);
    parcel_put_int(parcel, job->misplaced);
    parcel_put_int(parcel, job->cores_here);
    parcel_put_int(parcel, job->batch);
    parcel_put_int(parcel, job->test_every);
    parcel_put_block(parcel, &job->imbalance, sizeof job->imbalance);
    parcel_put_int(parcel, job->warned_unbound);
    parcel_put_block(parcel, &job->bell.wish, sizeof job->bell.wish);
    parcel_put_int(parcel, job->bell.wanted);
}

/* In a tree new processes start others themselves. */
static void put_kit(struct parcel *parcel, const struct preparation *kit)
{
    parcel_put_text(parcel, kit->guard);
    put_names(parcel, kit->words);
}

enum nereus_status nereus_welcome_pack(const nereus_job *job, const struct nereus_request *request,
                                       const struct preparation *kit, unsigned char **buffer, int64_t *bytes,
                                       struct nereus_error *err)
{
    struct parcel parcel = {0};
    put_kit(&parcel, kit);
    put_request(&parcel, request);
    parcel_put_int(&parcel, job->points);
    parcel_put_int(&parcel, job->requests);
    parcel_put_int(&parcel, job->reconfigurations);
    put_settings(&parcel, job);
    if (parcel.broken) {
        free(parcel.data);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the record that new processes get");
    }
    *buffer = parcel.data;
    *bytes = (int64_t)parcel.bytes;
    return NEREUS_OK;
}

/* A copy of a block of whole items; *count items. */
static void *get_items(struct parcel *parcel, size_t item_bytes, int64_t *count)
{
    size_t bytes;
    const unsigned char *block = parcel_get_block(parcel, &bytes);
    void *items = calloc(1, bytes + 1);
    if (items == NULL || bytes % item_bytes != 0)
        parcel->broken = true;
    else if (bytes > 0)
        memcpy(items, block, bytes);
    *count = parcel->broken ? 0 : (int64_t)(bytes / item_bytes);
    return items;
}

static void get_block(struct parcel *parcel, void *into, size_t expected)
{
    size_t bytes;
    const unsigned char *block = parcel_get_block(parcel, &bytes);
    if (block == NULL || bytes != expected)
        parcel->broken = true;
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

static char **get_names(struct parcel *parcel)
{
    size_t count = 0;
    char **names = calloc(1, sizeof *names);
    for (char *name; names != NULL && (name = parcel_get_text(parcel)) != NULL; count++) {
        char **longer = realloc(names, (count + 2) * sizeof *names);
        if (longer == NULL) {
            free(name);
            parcel->broken = true;
            break;
        }
        names = longer;
        names[count] = name;
        names[count + 1] = NULL;
    }
    return names;
}

static void get_settings(nereus_job *job, struct parcel *parcel)
{
    int64_t user_state_bytes;
    nereus_machine_fini(&job->machine);
    job->machine.cores_per_node = parcel_get_int(parcel);
    job->machine.slots = parcel_get_int(parcel);
    job->machine.nodes = get_items(parcel, sizeof *job->machine.nodes, &job->machine.node_count);
    nereus_jobstate_fini(&job->state);
    job->state.next_world_id = parcel_get_int(parcel);
    job->state.cores_per_node = parcel_get_int(parcel);
    job->state.worlds = get_items(parcel, sizeof *job->state.worlds, &job->state.world_count);
    job->state.segments = get_items(parcel, sizeof *job->state.segments, &job->state.segment_count);
    job->state.sleepers = get_items(parcel, sizeof *job->state.sleepers, &job->state.sleeper_count);
    get_block(parcel, &job->default_method, sizeof job->default_method);
    job->default_open = parcel_get_int(parcel) != 0;
    free(job->schedule);
    job->schedule = get_items(parcel, sizeof *job->schedule, &job->schedule_count);
    job->schedule_next = parcel_get_int(parcel);
    free(job->user_state);
    job->user_state = get_items(parcel, 1, &user_state_bytes);
    job->user_state_bytes = (size_t)user_state_bytes;
    replace_text(&job->program, parcel_get_text(parcel));
    replace_text(&job->state_path, parcel_get_text(parcel));
    replace_text(&job->trace.path, parcel_get_text(parcel));
    free_names(job->environment);
    job->environment = get_names(parcel);
    job->spawn_timeout_s = (double)parcel_get_int(parcel) * 1e-3;
    job->answer_timeout_s = (double)parcel_get_int(parcel) * 1e-3;
    job->warned_oversubscribed = parcel_get_int(parcel) != 0;
    job->bind_to_cores = parcel_get_int(parcel) != 0;
    job->bridge = parcel_get_int(parcel) != 0;
    job->misplaced = parcel_get_int(parcel) != 0;
    job->cores_here = parcel_get_int(parcel);
    job->batch = parcel_get_int(parcel);
    job->test_every = parcel_get_int(parcel);
    get_block(parcel, &job->imbalance, sizeof job->imbalance);
    job->warned_unbound = parcel_get_int(parcel) != 0;
    get_block(parcel, &job->bell.wish, sizeof job->bell.wish);
    job->bell.wanted = parcel_get_int(parcel) != 0;
}

/* A parcel that is only read. */
static struct parcel parcel_of(const unsigned char *buffer, int64_t bytes)
{
    return (struct parcel){.data = (unsigned char *)(uintptr_t)buffer, .bytes = (size_t)bytes};
}

enum nereus_status nereus_welcome_kit(const unsigned char *buffer, int64_t bytes, struct preparation *kit,
                                      struct nereus_error *err)
{
    struct parcel parcel = parcel_of(buffer, bytes);
    kit->guard = parcel_get_text(&parcel);
    kit->words = get_names(&parcel);
    return parcel.broken ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the new processes' arguments")
                         : NEREUS_OK;
}

static void skip_kit(struct parcel *parcel)
{
    free(parcel_get_text(parcel));
    free_names(get_names(parcel));
}

enum nereus_status nereus_welcome_unpack(nereus_job *job, const unsigned char *buffer, int64_t bytes,
                                         struct nereus_request *request, struct nereus_error *err)
{
    struct parcel parcel = parcel_of(buffer, bytes);
    size_t request_bytes;
    skip_kit(&parcel);
    const unsigned char *packed = parcel_get_block(&parcel, &request_bytes);
    NEREUS_TRY(nereus_request_unpack(packed, request_bytes, request, err));
    job->points = parcel_get_int(&parcel);
    job->requests = parcel_get_int(&parcel);
    job->reconfigurations = parcel_get_int(&parcel);
    get_settings(job, &parcel);
    if (parcel.broken) {
        nereus_request_fini(request);
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "the record for new processes is cut off or could not be stored");
    }
    return nereus_registry_match(&job->registry, request, err);
}

/* Mostly everything fits the first message, which has a fixed length: one broadcast instead of two. */
struct first_part {
    int64_t bytes, group;
    unsigned char block[4080];
};

enum nereus_status nereus_welcome_broadcast(MPI_Comm comm, int root, bool sends, unsigned char **buffer,
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
    /* A parent that only stands by knows the length from the decision. */
    if (*bytes > room)
        NEREUS_MPI(MPI_Bcast_c(sends || receives ? *buffer + room : part.block, (MPI_Count)(*bytes - room),
                               MPI_BYTE, root, comm),
                   err);
    return NEREUS_OK;
}

enum nereus_status nereus_settings_share(nereus_job *job, struct nereus_error *err)
{
    struct parcel parcel = {0};
    if (job->rank == 0)
        put_settings(&parcel, job);
    int64_t bytes = parcel.broken ? -1 : (int64_t)parcel.bytes;
    NEREUS_MPI(MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, job->control), err);
    if (bytes < 0)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the job's settings");
    if (job->rank != 0) {
        parcel.data = malloc((size_t)bytes);
        parcel.bytes = (size_t)bytes;
    }
    if (parcel.data == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the job's settings");
    const int code = MPI_Bcast_c(parcel.data, (MPI_Count)bytes, MPI_BYTE, 0, job->control);
    if (code == MPI_SUCCESS && job->rank != 0)
        get_settings(job, &parcel);
    free(parcel.data);
    if (code != MPI_SUCCESS)
        return nereus_mpi_failed(code, "sharing the settings", err);
    return parcel.broken ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the job's settings")
                         : NEREUS_OK;
}
