/*
 * All processes write, then all agree, then rank 0 writes state and manifest: a checkpoint that has
 * a manifest is whole.
 *
 *     rank 0               all
 *     lock, new folder     have all registered the same?
 *                          agree
 *                          own ranges, to the disk
 *                          agree; gather the checksums
 *     state, manifest
 *     older ones away      broadcast
 */
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder_lock.h"
#include "mover_file.h"
#include "src/util/agree.h"
#include "src/util/clock.h"
#include "src/util/error.h"
#include "src/util/mpi_library.h"
#include "write_data.h"

/* ---- before anything is written -------------------------------------------------------------- */

/* Of what has to be the same in all processes. */
static uint64_t hash_registry(const struct registry *registry)
{
    uint64_t hash = nereus_hash(&registry->swaps, sizeof registry->swaps);
    for (int64_t i = 0; i < registry->count; i++)
        hash = nereus_entry_hash(&registry->data[i].entry, hash);
    return hash;
}

static void begin_at_root(nereus_job *job, struct nereus_checkpoint *checkpoint,
                          struct written_checkpoint *written, struct nereus_error *mine)
{
    const char *folder = job->settings.checkpoint_folder;
    if (mine->status != NEREUS_OK)
        return;
    if (folder == NULL)
        nereus_fail(mine, NEREUS_ERR_STATE,
                    "there is no folder for checkpoints (options.checkpoint, NEREUS_CHECKPOINT)");
    else if (nereus_folder_lock(job, mine) == NEREUS_OK)
        nereus_checkpoint_begin(folder, &checkpoint->number, written->path, mine);
}

/* ---- rank 0, when all have written ----------------------------------------------------------- */

static void name_type(const struct datum *datum, char name[NEREUS_CHECKPOINT_FILE_MAX])
{
    char text[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (datum->type != 0 && MPI_Type_get_name(nereus_mpi_type_of_number((int)datum->type), text,
                                              &length) == MPI_SUCCESS)
        snprintf(name, NEREUS_CHECKPOINT_FILE_MAX, "%.*s", NEREUS_CHECKPOINT_FILE_MAX - 1, text);
}

static void describe_file(const nereus_job *job, const struct range_sum *sums, int64_t datum,
                          int kind, struct nereus_checkpoint_file *file)
{
    const struct range_sum sum = nereus_sums_combine(job, sums, datum, kind);
    nereus_datum_file_name(&job->registry, datum, kind, file->name);
    file->bytes = sum.bytes;
    file->crc32 = (uint32_t)sum.crc32;
}

/* Custom data is described by its elements, not by the bytes of the last reconfiguration. */
static enum nereus_status describe_data(const nereus_job *job, const struct range_sum *sums,
                                        struct nereus_checkpoint *checkpoint,
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
        describe_file(job, sums, i, FILE_VALUES, &object->values);
        if (object->entry.placement == NEREUS_MOVED_BY_APPLICATION)
            object->entry.count = object->values.bytes;
        if (object->entry.shape != NEREUS_CUSTOM)
            continue;
        object->entry.count = nereus_datum_elements(registry, &registry->data[i])->now.n;
        describe_file(job, sums, i, FILE_INDEX, &object->index);
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
        host->processes = nereus_jobstate_processes_on(&job->state, i);
    }
    return NEREUS_OK;
}

void nereus_checkpoint_program(struct nereus_checkpoint *checkpoint)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    const ssize_t bytes =
        readlink("/proc/self/exe", checkpoint->program, sizeof checkpoint->program - 1);
    checkpoint->program[bytes > 0 ? bytes : 0] = '\0';
    snprintf(checkpoint->library, sizeof checkpoint->library, "nereus %s", NEREUS_VERSION);
    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = '\0';
    snprintf(checkpoint->mpi, sizeof checkpoint->mpi, "%.*s", (int)sizeof checkpoint->mpi - 1,
             text);
}

static enum nereus_status describe(const nereus_job *job, const struct range_sum *sums,
                                   const struct planned_restart *planned,
                                   struct nereus_checkpoint *checkpoint, struct nereus_error *err)
{
    if (job->settings.name != NULL)
        snprintf(checkpoint->job_name, sizeof checkpoint->job_name, "%s", job->settings.name);
    nereus_checkpoint_program(checkpoint);
    checkpoint->job = job->id;
    checkpoint->processes = job->size;
    checkpoint->goes_on_as = planned != NULL ? planned->record.nt : 0;
    checkpoint->points = job->points;
    checkpoint->restarts = job->restarts;
    checkpoint->sizes = job->settings.sizes;
    NEREUS_TRY(describe_hosts(job, checkpoint, err));
    return describe_data(job, sums, checkpoint, err);
}

/* A checkpoint that is being written. */
struct writing {
    struct nereus_checkpoint checkpoint; /* rank 0: its manifest */
    const struct checkpoint_cause *cause;
    struct range_sum *sums; /* rank 0: of all processes; owned */
};

/* State, then manifest. */
static void finish_at_root(nereus_job *job, struct writing *writing,
                           struct written_checkpoint *written, struct nereus_error *mine)
{
    struct nereus_checkpoint *checkpoint = &writing->checkpoint;
    const double began_s = nereus_now_s() - written->took_s;
    if (nereus_state_file_write(job, writing->cause->planned, written->path, &checkpoint->state,
                                mine) != NEREUS_OK ||
        describe(job, writing->sums, writing->cause->planned, checkpoint, mine) != NEREUS_OK)
        return;
    checkpoint->written_s = nereus_wall_clock_s();
    checkpoint->took_s = written->took_s = nereus_now_s() - began_s;
    written->bytes = checkpoint->state.bytes;
    for (int64_t i = 0; i < checkpoint->object_count; i++)
        written->bytes += checkpoint->objects[i].values.bytes + checkpoint->objects[i].index.bytes;
    nereus_checkpoint_write(written->path, checkpoint, mine);
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum nereus_status write_data(nereus_job *job, const char *path, struct range_sum **all,
                                     struct nereus_error *verdict, struct nereus_error *err)
{
    struct nereus_error mine = {0};
    const size_t count = FILES_PER_DATUM * (size_t)job->registry.count;
    struct range_sum *sums = calloc(count + 1, sizeof *sums);
    if (sums == NULL) {
        nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for checksums");
        nereus_abort_job(err); /* the others wait */
        return err->status;
    }
    struct mover_file file = {.job = job, .checkpoint = path};
    enum nereus_status status = nereus_mover_file_access(&file, sums, &mine, err);
    if (status == NEREUS_OK)
        status = nereus_write_data(job, path, sums, &mine, err);
    if (status == NEREUS_OK)
        status = nereus_agree_intra(job->control, &mine, 0, NEREUS_WAITING_ASLEEP, verdict, err);
    if (status == NEREUS_OK && verdict->status == NEREUS_OK)
        status = nereus_sums_gather(job, sums, all, err);
    free(sums);
    return status;
}

/* Rank 0's result, broadcast: what all processes get. */
struct result {
    struct written_checkpoint written;
    struct nereus_error failure;
};

static enum nereus_status finish(nereus_job *job, struct writing *writing,
                                 struct written_checkpoint *written, struct nereus_error *verdict,
                                 struct nereus_error *err)
{
    struct result result = {.written = *written};
    if (job->rank == 0)
        finish_at_root(job, writing, &result.written, &result.failure);
    NEREUS_TRY(
        nereus_broadcast(&result, sizeof result, 0, job->control, NEREUS_WAITING_ASLEEP, err));
    *written = result.written;
    *verdict = result.failure;
    return NEREUS_OK;
}

static enum nereus_status write_checkpoint(nereus_job *job, struct writing *writing,
                                           struct written_checkpoint *written,
                                           struct nereus_error *verdict, struct nereus_error *err)
{
    const double began_s = nereus_now_s();
    struct nereus_error mine = {0};
    if (writing->cause->failure != NULL)
        mine = *writing->cause->failure;
    if (mine.status == NEREUS_OK)
        nereus_mover_file_check(job, &mine);
    if (job->rank == 0)
        begin_at_root(job, &writing->checkpoint, written, &mine);
    NEREUS_TRY(nereus_agree_intra(job->control, &mine, hash_registry(&job->registry),
                                  NEREUS_WAITING, verdict, err));
    if (verdict->status != NEREUS_OK)
        return NEREUS_OK;
    NEREUS_TRY(nereus_broadcast(written->path, sizeof written->path, 0, job->control,
                                NEREUS_WAITING, err));
    NEREUS_TRY(write_data(job, written->path, &writing->sums, verdict, err));
    written->took_s = nereus_now_s() - began_s;
    return verdict->status == NEREUS_OK ? finish(job, writing, written, verdict, err) : NEREUS_OK;
}

enum nereus_status nereus_write_checkpoint(nereus_job *job, const struct checkpoint_cause *cause,
                                           struct written_checkpoint *written,
                                           struct nereus_error *verdict, struct nereus_error *err)
{
    struct checkpoint_interval *interval = &job->settings.checkpoint;
    struct writing writing = {.cause = cause};
    memset(written, 0, sizeof *written);
    memset(verdict, 0, sizeof *verdict);
    const enum nereus_status status = write_checkpoint(job, &writing, written, verdict, err);
    if (job->rank == 0 && job->checkpoint_lock >= 0)
        nereus_checkpoint_prune(job->settings.checkpoint_folder,
                                job->id); /* or what is incomplete */
    nereus_checkpoint_fini(&writing.checkpoint);
    free(writing.sums);
    interval->last_s = nereus_wall_clock_s();
    if (verdict->status == NEREUS_OK)
        interval->cost_s = written->took_s;
    return status;
}
