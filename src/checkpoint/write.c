/**
 * @file write.c
 * All processes write, then all agree, then rank 0 writes state and manifest: a checkpoint with a
 * manifest is complete.
 *
 *     rank 0               all
 *     lock, new folder     have all registered the same?
 *                          agree
 *     state                own ranges, to the disk or (overlapped) into memory
 *                          ... the application computes, if overlapped ...
 *                          agree; gather the checksums
 *     manifest
 *     remove older ones    broadcast
 */
#include "write.h"

#include "folder_lock.h"
#include "model/layout/slurm.h"
#include "own_data.h"
#include "program.h"
#include "src/mpi/mpi_library.h"
#include "src/start/bind_choice.h"
#include "src/util/agree.h"
#include "src/util/clock.h"
#include "write_behind.h"

/* ---- before anything is written -------------------------------------------------------------- */

/* Hash of the part of the registry that has to be the same in all processes. */
static uint64_t hash_registry(const struct registry *registry)
{
    uint64_t hash = nereus_hash(&registry->swaps, sizeof registry->swaps);
    for (int64_t i = 0; i < registry->count; i++)
        hash = nereus_entry_hash(&registry->data[i].entry, hash);
    return hash;
}

static void begin_at_root(nereus_job *job, struct nereus_checkpoint *checkpoint,
                          struct written_checkpoint *written_checkpoint,
                          struct nereus_error *own_error)
{
    const char *folder = job->settings.checkpoint_folder;
    if (own_error->status != NEREUS_OK)
        return;
    if (folder == NULL)
        nereus_fail(own_error, NEREUS_ERR_STATE,
                    "there is no folder for checkpoints (options.checkpoint, NEREUS_CHECKPOINT)");
    else if (nereus_folder_lock(job, own_error) == NEREUS_OK)
        nereus_checkpoint_begin(folder, &checkpoint->number, written_checkpoint->path, own_error);
}

/* ---- rank 0, when all have written ----------------------------------------------------------- */

static void name_type(const struct datum *datum, char name[NEREUS_CHECKPOINT_FILE_MAX])
{
    char text[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (datum->type != TYPE_NOT_PREDEFINED &&
        MPI_Type_get_name(nereus_mpi_type_of_number((int)datum->type), text, &length) ==
            MPI_SUCCESS)
        snprintf(name, NEREUS_CHECKPOINT_FILE_MAX, "%.*s", NEREUS_CHECKPOINT_FILE_MAX - 1, text);
}

static void describe_file(const nereus_job *job, const struct range_sums *sums, int64_t datum,
                          int kind, struct nereus_checkpoint_file *file)
{
    const struct range_sum sum = nereus_sums_combine(job, sums, datum, kind);
    file->bytes = sum.bytes;
    file->crc32 = (uint32_t)sum.crc32;
}

/* Custom data is described by its elements, not by the bytes of the last reconfiguration. */
static enum nereus_status describe_data(const nereus_job *job, struct nereus_checkpoint *checkpoint,
                                        struct nereus_error *err)
{
    const struct registry *registry = &job->registry;
    checkpoint->objects = calloc((size_t)registry->count + 1, sizeof *checkpoint->objects);
    NEREUS_TRY_MEMORY(checkpoint->objects, err, "for a manifest");
    checkpoint->object_count = registry->count;
    for (int64_t i = 0; i < registry->count; i++) {
        struct nereus_checkpoint_object *object = &checkpoint->objects[i];
        object->entry = registry->data[i].entry;
        object->entry.partition = 0;
        name_type(&registry->data[i], object->type);
        nereus_datum_file_name(registry, i, DATUM_FILE_VALUES, object->values.name);
        if (object->entry.shape == NEREUS_FIELD)
            object->grid = nereus_datum_before(registry, &registry->data[i])->grid;
        if (object->entry.shape != NEREUS_CUSTOM)
            continue;
        object->entry.count = nereus_datum_elements(registry, &registry->data[i])->partition.n;
        nereus_datum_file_name(registry, i, DATUM_FILE_INDEX, object->index.name);
    }
    return NEREUS_OK;
}

static enum nereus_status describe_hosts(const nereus_job *job,
                                         struct nereus_checkpoint *checkpoint,
                                         struct nereus_error *err)
{
    const struct nereus_machine *machine = &job->machine;
    checkpoint->hosts = calloc((size_t)machine->node_count + 1, sizeof *checkpoint->hosts);
    NEREUS_TRY_MEMORY(checkpoint->hosts, err, "for a manifest");
    checkpoint->host_count = machine->node_count;
    for (int64_t i = 0; i < machine->node_count; i++) {
        struct nereus_checkpoint_host *host = &checkpoint->hosts[i];
        snprintf(host->name, sizeof host->name, "%s", machine->nodes[i].name);
        host->slots = machine->nodes[i].cores;
        host->processes = nereus_jobstate_node_processes(&job->state, i);
    }
    return NEREUS_OK;
}

/* Describe the job, except lengths, checksums and times, which are known later. */
static enum nereus_status describe_job(const nereus_job *job,
                                       const struct planned_restart *planned_restart,
                                       struct nereus_checkpoint *checkpoint,
                                       struct nereus_error *err)
{
    if (job->settings.name != NULL)
        snprintf(checkpoint->job_name, sizeof checkpoint->job_name, "%s", job->settings.name);
    nereus_checkpoint_program(checkpoint);
    checkpoint->job = job->id;
    checkpoint->slurm_job = nereus_slurm_job();
    checkpoint->processes = job->size;
    checkpoint->goes_on_as = planned_restart != NULL ? planned_restart->record.nt : 0;
    checkpoint->points = job->points;
    checkpoint->restarts = job->restarts;
    checkpoint->sizes = job->settings.sizes;
    snprintf(checkpoint->state.name, sizeof checkpoint->state.name, "%s", nereus_state_file_name);
    NEREUS_TRY(describe_hosts(job, checkpoint, err));
    return describe_data(job, checkpoint, err);
}

/* A checkpoint that is being written. */
struct checkpoint_writing {
    struct nereus_checkpoint checkpoint; /* rank 0: its manifest */
    struct written_checkpoint written_checkpoint;
    struct write_behind *write_behind; /* owned by the job; NULL: all is written at once */
    struct range_sums sums;
    struct range_sum state;
    struct nereus_error failure; /* this process' failure */
    double began_s;
};

static void describe_files(const nereus_job *job, struct checkpoint_writing *writing)
{
    struct nereus_checkpoint *checkpoint = &writing->checkpoint;
    checkpoint->state.bytes = writing->state.bytes;
    checkpoint->state.crc32 = (uint32_t)writing->state.crc32;
    writing->written_checkpoint.bytes = writing->state.bytes;
    for (int64_t i = 0; i < checkpoint->object_count; i++) {
        struct nereus_checkpoint_object *object = &checkpoint->objects[i];
        describe_file(job, &writing->sums, i, DATUM_FILE_VALUES, &object->values);
        if (object->entry.placement == NEREUS_MOVED_BY_APPLICATION)
            object->entry.count = object->values.bytes;
        if (object->entry.shape == NEREUS_CUSTOM)
            describe_file(job, &writing->sums, i, DATUM_FILE_INDEX, &object->index);
        writing->written_checkpoint.bytes += object->values.bytes + object->index.bytes;
    }
}

/* @param waits_s  time since which the application waits for the end */
static void finish_at_root(nereus_job *job, struct checkpoint_writing *writing, double waits_s,
                           struct nereus_error *own_error)
{
    struct nereus_checkpoint *checkpoint = &writing->checkpoint;
    struct written_checkpoint *written_checkpoint = &writing->written_checkpoint;
    describe_files(job, writing);
    checkpoint->written_s = nereus_wall_clock_s();
    checkpoint->took_s = nereus_skewed_monotonic_s() - writing->began_s;
    nereus_checkpoint_write(written_checkpoint->path, checkpoint, own_error);
    written_checkpoint->took_s = nereus_skewed_monotonic_s() - writing->began_s;
    written_checkpoint->held_s += nereus_skewed_monotonic_s() - waits_s;
}

/* ---- all processes --------------------------------------------------------------------------- */

static enum nereus_status write_or_copy_data(nereus_job *job, const struct checkpoint_cause *cause,
                                             struct checkpoint_writing *writing,
                                             struct nereus_error *err)
{
    const char *path = writing->written_checkpoint.path;
    nereus_sums_init(job, &writing->sums);
    if (job->rank == 0 && describe_job(job, cause->planned_restart, &writing->checkpoint,
                                       &writing->failure) == NEREUS_OK)
        nereus_state_file_write(job, cause->planned_restart, path, writing->write_behind,
                                &writing->state, &writing->failure);
    struct mover_file file = {.job = job, .checkpoint = path};
    NEREUS_TRY(nereus_mover_file_access(&file, writing->sums.own_sums, &writing->failure, err));
    return nereus_write_data(
        &(const struct data_write){job, path, writing->write_behind, writing->sums.own_sums},
        &writing->failure, err);
}

/* Copy or write the data of all processes.
 * @param[out] verdict  OK, or why nothing was begun */
static enum nereus_status begin_writing(nereus_job *job, const struct checkpoint_cause *cause,
                                        struct checkpoint_writing *writing,
                                        struct nereus_error *verdict, struct nereus_error *err)
{
    struct nereus_error own_error = {0};
    writing->began_s = nereus_skewed_monotonic_s();
    writing->written_checkpoint.points = job->points;
    if (cause->failure != NULL)
        own_error = *cause->failure;
    if (own_error.status == NEREUS_OK)
        nereus_mover_file_check(job, &own_error);
    if (job->rank == 0)
        begin_at_root(job, &writing->checkpoint, &writing->written_checkpoint, &own_error);
    NEREUS_TRY(nereus_agree_intra(job->control, &own_error, hash_registry(&job->registry),
                                  NEREUS_WAIT_AWAKE, verdict, err));
    if (verdict->status != NEREUS_OK)
        return NEREUS_OK;
    NEREUS_TRY(nereus_broadcast(writing->written_checkpoint.path,
                                sizeof writing->written_checkpoint.path, 0, job->control,
                                NEREUS_WAIT_AWAKE, err));
    return write_or_copy_data(job, cause, writing, err);
}

/* Rank 0's result, broadcast: what all processes get. */
struct result {
    struct written_checkpoint written_checkpoint;
    struct nereus_error failure;
};

static enum nereus_status broadcast_result(nereus_job *job, struct checkpoint_writing *writing,
                                           double waits_s, struct nereus_error *verdict,
                                           struct nereus_error *err)
{
    struct result result = {.failure.status = NEREUS_OK};
    if (job->rank == 0)
        finish_at_root(job, writing, waits_s, &result.failure);
    result.written_checkpoint = writing->written_checkpoint;
    NEREUS_TRY(nereus_broadcast(&result, sizeof result, 0, job->control, NEREUS_WAIT_ASLEEP, err));
    writing->written_checkpoint = result.written_checkpoint;
    *verdict = result.failure;
    return NEREUS_OK;
}

/* @param waits_s  time since which the application waits for the end */
static enum nereus_status end_writing(nereus_job *job, struct checkpoint_writing *writing,
                                      double waits_s, struct nereus_error *verdict,
                                      struct nereus_error *err)
{
    if (writing->write_behind != NULL)
        nereus_write_behind_end(writing->write_behind, &writing->failure);
    NEREUS_TRY(
        nereus_agree_intra(job->control, &writing->failure, 0, NEREUS_WAIT_ASLEEP, verdict, err));
    if (verdict->status != NEREUS_OK)
        return NEREUS_OK;
    NEREUS_TRY(nereus_sums_gather(job, &writing->sums, err));
    return broadcast_result(job, writing, waits_s, verdict, err);
}

/* Remove older checkpoints after a success, and the incomplete one after a failure. */
static void remove_outdated(nereus_job *job, struct checkpoint_writing *writing,
                            const struct nereus_error *verdict)
{
    struct checkpoint_interval *interval = &job->settings.checkpoint;
    if (job->rank == 0 && job->checkpoint_lock >= 0)
        nereus_checkpoint_prune(job->settings.checkpoint_folder, job->id);
    if (verdict->status == NEREUS_OK) {
        interval->cost_s = writing->written_checkpoint.held_s;
        interval->took_s = writing->written_checkpoint.took_s;
    }
    nereus_checkpoint_fini(&writing->checkpoint);
    nereus_sums_fini(&writing->sums);
}

enum nereus_status nereus_write_checkpoint(nereus_job *job, const struct checkpoint_cause *cause,
                                           struct written_checkpoint *checkpoint,
                                           struct nereus_error *verdict, struct nereus_error *err)
{
    struct checkpoint_writing writing = {.write_behind = NULL};
    memset(verdict, 0, sizeof *verdict);
    enum nereus_status status = begin_writing(job, cause, &writing, verdict, err);
    if (status == NEREUS_OK && verdict->status == NEREUS_OK)
        status = end_writing(job, &writing, writing.began_s, verdict, err);
    remove_outdated(job, &writing, verdict);
    job->settings.checkpoint.last_s = nereus_steady_clock_s();
    *checkpoint = writing.written_checkpoint;
    return status;
}

/* ---- overlapped ------------------------------------------------------------------------------ */

static int64_t count_processes_on_host(const nereus_job *job, int64_t node)
{
    const struct nereus_machine *machine = &job->machine;
    int64_t processes = 0;
    for (int64_t i = 0; i < machine->node_count; i++)
        if (nereus_bind_same_host(machine, i, node))
            processes += nereus_jobstate_node_processes(&job->state, i);
    return processes;
}

/* Find the largest number of the job's processes on one host. Virtual nodes share the memory of
 * their host. */
static int64_t find_most_processes_on_host(const nereus_job *job)
{
    int64_t most = 1;
    for (int64_t i = 0; i < job->machine.node_count; i++)
        if (nereus_jobstate_node_processes(&job->state, i) > 0 &&
            count_processes_on_host(job, i) > most)
            most = count_processes_on_host(job, i);
    return most;
}

enum nereus_status nereus_write_checkpoint_begin(nereus_job *job, struct nereus_error *verdict,
                                                 struct nereus_error *err)
{
    const struct checkpoint_cause cause = {.planned_restart = NULL};
    struct overlapped_checkpoint *overlap = &job->overlap;
    struct checkpoint_writing *writing = calloc(1, sizeof *writing);
    memset(verdict, 0, sizeof *verdict);
    if (overlap->write_behind == NULL)
        overlap->write_behind = nereus_write_behind_new();
    if (writing == NULL || overlap->write_behind == NULL) {
        nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a checkpoint");
        nereus_abort_job(err); /* the others wait */
    }
    nereus_write_behind_begin(overlap->write_behind, find_most_processes_on_host(job));
    writing->write_behind = overlap->write_behind;
    const enum nereus_status status = begin_writing(job, &cause, writing, verdict, err);
    job->settings.checkpoint.last_s = nereus_steady_clock_s();
    if (status == NEREUS_OK && verdict->status == NEREUS_OK) {
        nereus_write_behind_start(writing->write_behind);
        overlap->writing = writing;
        writing->written_checkpoint.held_s = nereus_skewed_monotonic_s() - writing->began_s;
    } else {
        remove_outdated(job, writing, verdict);
        free(writing);
    }
    return status;
}

bool nereus_write_checkpoint_is_done(const nereus_job *job)
{
    return nereus_write_behind_is_done(job->overlap.write_behind);
}

enum nereus_status nereus_write_checkpoint_end(nereus_job *job,
                                               struct written_checkpoint *checkpoint,
                                               struct nereus_error *verdict,
                                               struct nereus_error *err)
{
    struct checkpoint_writing *writing = job->overlap.writing;
    memset(verdict, 0, sizeof *verdict);
    const enum nereus_status status =
        end_writing(job, writing, nereus_skewed_monotonic_s(), verdict, err);
    remove_outdated(job, writing, verdict);
    *checkpoint = writing->written_checkpoint;
    free(writing);
    job->overlap.writing = NULL;
    return status;
}

void nereus_write_checkpoint_abandon(nereus_job *job)
{
    struct checkpoint_writing *writing = job->overlap.writing;
    struct nereus_error ignored = {0};
    if (writing == NULL)
        return;
    nereus_write_behind_end(writing->write_behind, &ignored);
    nereus_checkpoint_fini(&writing->checkpoint);
    nereus_sums_fini(&writing->sums);
    free(writing);
    job->overlap.writing = NULL;
}

void nereus_write_checkpoint_fini(nereus_job *job)
{
    nereus_write_behind_free(job->overlap.write_behind);
    job->overlap.write_behind = NULL;
}
