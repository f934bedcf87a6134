/**
 * @file state_file.c
 * Packs the job's state into a file, and unpacks it in the processes of the next attempt.
 */
#include "state_file.h"

#include "data_file.h"
#include "src/start/join_payload.h"

const char nereus_state_file_name[] = "state.bin";

/* Version of the contents, part of `layout`. Raise it whenever the meaning or the order of what is
 * packed changes (join_payload.c) but no size below does: two members exchanged, say. */
enum { STATE_VERSION = 1 };

/* The header before the payload. State files with another `layout` are refused: of another version,
 * or of a build in which a struct has another size. */
struct header {
    char magic[8];
    uint64_t layout;
    int64_t planned; /* 1: the next attempt completes the payload's record and this request */
    struct resize_request request;
};

static struct header make_header(void)
{
    const uint64_t numbers[] = {STATE_VERSION,
                                sizeof(struct job_settings),
                                sizeof(struct resize_request),
                                sizeof(struct nereus_node),
                                sizeof(struct nereus_world),
                                sizeof(struct nereus_segment),
                                sizeof(struct freed_node),
                                sizeof(struct external_records),
                                sizeof(struct policy_state),
                                sizeof(struct iteration_times),
                                sizeof(struct nereus_monitor_setting),
                                sizeof(struct checkpoint_interval)};
    struct header header = {.layout = nereus_hash(numbers, sizeof numbers)};
    memcpy(header.magic, "nereus1", sizeof header.magic);
    return header;
}

/* Reduce a partition to what a checkpoint stores: the length of its files, and the grid of their
 * boxes. */
static struct nereus_partition copy_without_order(const struct nereus_partition *partition)
{
    struct nereus_partition stored = nereus_partition_block(partition->n, partition->processes);
    stored.grid = partition->grid;
    return stored;
}

/* Make a record of the data of this job. Partitions are stored as blocks or grids, so that any
 * number of processes can read them. */
static enum nereus_status make_record(const nereus_job *job, struct nereus_request *record,
                                      struct nereus_error *err)
{
    const struct registry *registry = &job->registry;
    *record = (struct nereus_request){.version = NEREUS_RECORD_VERSION,
                                      .number = job->requests,
                                      .point = job->points,
                                      .ns = job->size,
                                      .nt = job->size,
                                      .next_world_id = job->state.next_world_id,
                                      .method = job->settings.default_method};
    record->data = calloc((size_t)registry->count + 1, sizeof *record->data);
    record->partitions = calloc((size_t)registry->space_count + 1, sizeof *record->partitions);
    NEREUS_TRY_MEMORY(record->data && record->partitions, err, "for the record of the data");
    record->data_count = registry->count;
    record->partition_count = registry->space_count;
    for (int64_t i = 0; i < registry->count; i++)
        record->data[i] = registry->data[i].entry;
    for (int64_t i = 0; i < registry->space_count; i++) {
        const struct index_space *space = &registry->spaces[i];
        struct nereus_data_partition *partition = &record->partitions[i];
        memcpy(partition->name, space->name, sizeof partition->name);
        partition->parent = space->parent;
        partition->weights = space->weights;
        partition->old_ranges = partition->new_ranges = copy_without_order(&space->partition);
    }
    return NEREUS_OK;
}

struct state_content {
    const struct header *header;
    const struct start_spec *spec;
};

static enum nereus_status write_content(struct data_file *file, const void *what,
                                        struct nereus_error *err)
{
    const struct state_content *state = what;
    NEREUS_TRY(nereus_data_file_write(file, state->header, (int64_t)sizeof *state->header, err));
    return nereus_data_file_write(file, state->spec->payload, state->spec->payload_bytes, err);
}

enum nereus_status nereus_state_file_write(nereus_job *job,
                                           const struct planned_restart *planned_restart,
                                           const char *checkpoint,
                                           struct write_behind *write_behind, struct range_sum *sum,
                                           struct nereus_error *err)
{
    struct header header = make_header();
    struct nereus_request own = {0}, record;
    struct start_spec spec = {0};
    enum nereus_status status = planned_restart == NULL ? make_record(job, &own, err) : NEREUS_OK;
    record = planned_restart == NULL ? own : planned_restart->record;
    if (planned_restart != NULL) {
        header.planned = 1;
        header.request = planned_restart->request;
    }
    if (status == NEREUS_OK)
        status = nereus_payload_pack(job, &record, &spec, err);
    const struct range_target target = {.folder = checkpoint,
                                        .name = nereus_state_file_name,
                                        .bytes = (int64_t)sizeof header + spec.payload_bytes,
                                        .sum = sum};
    if (status == NEREUS_OK)
        status = nereus_write_behind_range(write_behind, &target, write_content,
                                           &(const struct state_content){&header, &spec}, err);
    nereus_start_spec_fini(&spec);
    nereus_request_fini(&own);
    return status;
}

enum nereus_status nereus_state_file_read(const char *checkpoint,
                                          const struct nereus_checkpoint_file *file,
                                          unsigned char **bytes, struct nereus_error *err)
{
    const struct header header = make_header();
    struct data_file stream;
    *bytes = malloc((size_t)file->bytes + 1);
    NEREUS_TRY_MEMORY(*bytes, err, "for the state of the job");
    enum nereus_status status =
        nereus_data_file_open(checkpoint, file->name, false, 0, &stream, err);
    if (status == NEREUS_OK)
        status = nereus_data_file_read(&stream, *bytes, file->bytes, err);
    nereus_data_file_close(&stream, err);
    if (status == NEREUS_OK && stream.crc32 != file->crc32)
        status = nereus_fail(err, NEREUS_ERR_PARSE, "'%.300s' is damaged: its checksum is wrong",
                             stream.path);
    else if (status == NEREUS_OK &&
             (file->bytes < (int64_t)sizeof header ||
              memcmp(*bytes, &header, offsetof(struct header, planned)) != 0))
        status = nereus_fail(err, NEREUS_ERR_MISMATCH,
                             "'%.300s' was written by another build of this library", stream.path);
    if (status != NEREUS_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The part of the job's state that depends on the hosts of this attempt. Unpacking a state file
 * overwrites it, so that it is saved before and restored afterwards. */
struct location_state {
    struct nereus_machine machine;
    struct nereus_jobstate state;
    int64_t machine_changes, cores_here;
    bool misplaced, has_threads;
    char *checkpoint_folder;
    struct checkpoint_interval checkpoint;
};

static struct location_state save_location_state(nereus_job *job)
{
    const struct location_state location_state = {.machine = job->machine,
                                                  .state = job->state,
                                                  .machine_changes = job->machine_changes,
                                                  .cores_here = job->cores_here,
                                                  .misplaced = job->misplaced,
                                                  .has_threads = job->has_threads,
                                                  .checkpoint_folder =
                                                      job->settings.checkpoint_folder,
                                                  .checkpoint = job->settings.checkpoint};
    memset(&job->machine, 0, sizeof job->machine);
    memset(&job->state, 0, sizeof job->state);
    job->settings.checkpoint_folder = NULL;
    return location_state;
}

/* Do both machines have the same nodes in the same order? Otherwise indices of nodes in stored
 * requests are invalid. */
static bool have_same_nodes(const struct nereus_machine *a, const struct nereus_machine *b)
{
    bool same = a->node_count == b->node_count;
    for (int64_t i = 0; same && i < a->node_count; i++)
        same = strcmp(a->nodes[i].name, b->nodes[i].name) == 0;
    return same;
}

/* Restore the machine of this attempt, and its folder and interval of checkpoints if they are
 * given. */
static void restore_location_state(nereus_job *job, struct location_state *location_state)
{
    struct job_settings *settings = &job->settings;
    if (!have_same_nodes(&job->machine, &location_state->machine))
        job->machine_changes++;
    nereus_machine_fini(&job->machine);
    nereus_jobstate_fini(&job->state);
    job->machine = location_state->machine;
    job->state = location_state->state;
    job->cores_here = location_state->cores_here;
    job->misplaced = location_state->misplaced;
    job->has_threads = location_state->has_threads;
    job->freed_count = 0;
    memset(&job->warned, 0, sizeof job->warned);
    if (location_state->checkpoint_folder == NULL)
        return;
    free(settings->checkpoint_folder);
    settings->checkpoint_folder = location_state->checkpoint_folder;
    settings->checkpoint.overlapped = location_state->checkpoint.overlapped;
    if (location_state->checkpoint.automatic || location_state->checkpoint.every_s > 0) {
        settings->checkpoint.automatic = location_state->checkpoint.automatic;
        settings->checkpoint.every_s = location_state->checkpoint.every_s;
        settings->checkpoint.mtbf_s = location_state->checkpoint.mtbf_s;
    }
}

/* Can the grids of a record be cut for the present size? */
static enum nereus_status check_grids(const nereus_job *job, const struct nereus_request *record,
                                      struct nereus_error *err)
{
    for (int64_t i = 0; i < record->partition_count; i++) {
        const struct nereus_partition *old_partition = &record->partitions[i].old_ranges;
        const bool allowed = nereus_grid_allows(&old_partition->grid, job->size);
        const struct nereus_grid resized =
            allowed ? nereus_partition_resized(old_partition, job->size, 0).grid
                    : old_partition->grid;
        if (!allowed || nereus_grid_is_thin(&resized))
            return nereus_fail(
                err, NEREUS_ERR_UNSUPPORTED,
                "the grid '%s' cannot be cut for %d processes: the numbers in some of "
                "its dimensions are fixed, or parts would be thinner than its halo",
                record->partitions[i].name, job->size);
    }
    return NEREUS_OK;
}

/* Make the record's data in blocks for the present size. Custom data has no bytes yet. */
static enum nereus_status make_blocks(const nereus_job *job, const struct nereus_request *record,
                                      struct nereus_request *blocks, struct nereus_error *err)
{
    *blocks = (struct nereus_request){.version = record->version,
                                      .ns = job->size,
                                      .nt = job->size,
                                      .data_count = record->data_count,
                                      .partition_count = record->partition_count};
    blocks->data = calloc((size_t)record->data_count + 1, sizeof *blocks->data);
    blocks->partitions = calloc((size_t)record->partition_count + 1, sizeof *blocks->partitions);
    NEREUS_TRY_MEMORY(blocks->data && blocks->partitions, err, "for the record of the data");
    for (int64_t i = 0; i < record->partition_count; i++) {
        const struct nereus_partition resized =
            nereus_partition_resized(&record->partitions[i].old_ranges, job->size, 0);
        blocks->partitions[i] = record->partitions[i];
        blocks->partitions[i].old_ranges = blocks->partitions[i].new_ranges = resized;
    }
    for (int64_t i = 0; i < record->data_count; i++) {
        struct nereus_data_entry *entry = &blocks->data[i];
        *entry = record->data[i];
        if (entry->shape != NEREUS_CUSTOM)
            continue;
        struct nereus_data_partition *bytes = &blocks->partitions[entry->partition - 1];
        entry->count = 0;
        bytes->old_ranges = bytes->new_ranges = nereus_partition_block(0, job->size);
    }
    return NEREUS_OK;
}

static enum nereus_status set_registry(nereus_job *job, const struct nereus_request *record,
                                       struct nereus_error *err)
{
    struct nereus_request blocks;
    NEREUS_TRY(check_grids(job, record, err));
    enum nereus_status status = make_blocks(job, record, &blocks, err);
    nereus_registry_fini(&job->registry); /* frees the registry of a checkpoint that could not be
                                           * read */
    if (status == NEREUS_OK)
        status = nereus_registry_match(&job->registry, &blocks, err);
    for (int64_t i = 0; status == NEREUS_OK && i < record->partition_count; i++)
        job->registry.spaces[i].written_grid = record->partitions[i].old_ranges.grid;
    if (status == NEREUS_OK)
        nereus_spaces_commit(&job->registry);
    nereus_request_fini(&blocks);
    return status;
}

enum nereus_status nereus_state_file_unpack(nereus_job *job, unsigned char *bytes, int64_t count,
                                            struct planned_restart *planned_restart,
                                            struct nereus_error *err)
{
    struct header header;
    struct start_spec spec = {.payload = bytes + sizeof header,
                              .payload_bytes = count - (int64_t)sizeof header};
    struct location_state location_state = save_location_state(job);
    memset(planned_restart, 0, sizeof *planned_restart);
    enum nereus_status status = nereus_payload_read(job, &planned_restart->record, &spec, err);
    restore_location_state(job, &location_state);
    if (status == NEREUS_OK)
        status = set_registry(job, &planned_restart->record, err);
    memcpy(&header, bytes, sizeof header);
    planned_restart->planned = header.planned == 1;
    planned_restart->request = header.request;
    spec.payload = NULL; /* owned by the caller */
    nereus_start_spec_fini(&spec);
    return status;
}
