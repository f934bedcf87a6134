/**
 * @file mover_file.c
 * Lets the application write or read its file, in its own order, in four parts, so that no process
 * waits for one that has failed:
 *
 *     all agree            the application is called in all processes, or in none
 *     prepare              reading only; all agree again
 *     open, file, close    the application's MPI-IO
 *     checksums            each process reads a block of the bytes
 */

#include "nereus/checkpoint.h"
#include "own_data.h"
#include "src/util/agree.h"
#include "src/util/callback.h"

enum { BLOCK_BYTES = 1 << 20 };

static struct nereus_regroup describe_regroup(const struct mover_file *file)
{
    const nereus_job *job = file->job;
    const bool reads = file->writers > 0;
    return (struct nereus_regroup){.ns = (int)(reads ? file->writers : job->size),
                                   .nt = reads ? job->size : 0,
                                   .source = reads ? -1 : job->rank,
                                   .target = reads ? job->rank : -1,
                                   .comm = MPI_COMM_NULL};
}

enum nereus_status nereus_mover_file_check(const nereus_job *job, struct nereus_error *err)
{
    const struct nereus_mover *mover = &job->callbacks.mover;
    const bool is_there = nereus_registry_has_mover(&job->registry);
    if (is_there != (mover->move != NULL))
        return nereus_fail(err, NEREUS_ERR_MISMATCH,
                           "%s data that the program moves itself, and this process has %s",
                           is_there ? "the checkpoint has" : "the checkpoint has no",
                           is_there ? "no options.mover for it" : "an options.mover");
    if (is_there && mover->file == NULL)
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "this program moves data itself, and has no function `file' in "
                           "options.mover that writes and reads it");
    return NEREUS_OK;
}

static enum nereus_status fail_application(const struct mover_file *file, enum nereus_status status,
                                           const char *what, struct nereus_error *err)
{
    return nereus_fail(err, status,
                       "the application could not %s its own data (options.mover) in rank %d", what,
                       file->job->rank);
}

/* ---- the application ------------------------------------------------------------------------- */

static void prepare_application(struct mover_file *file, struct nereus_error *own_error)
{
    const struct nereus_mover *mover = &file->job->callbacks.mover;
    const struct nereus_regroup regroup = describe_regroup(file);
    file->prepared = true;
    nereus_callback_enter("options.mover");
    const enum nereus_status status = mover->prepare(mover->user, &regroup);
    nereus_callback_leave();
    if (status != NEREUS_OK)
        fail_application(file, status, "make room for", own_error);
}

static void call_application(const struct mover_file *file, MPI_File opened,
                             struct nereus_error *own_error)
{
    const struct nereus_mover *mover = &file->job->callbacks.mover;
    const struct nereus_regroup regroup = describe_regroup(file);
    nereus_callback_enter("options.mover");
    const enum nereus_status status = mover->file(mover->user, &regroup, opened);
    nereus_callback_leave();
    if (status != NEREUS_OK)
        fail_application(file, status, file->writers > 0 ? "read" : "write", own_error);
}

/* Write or read the file. Every process makes all collective calls, also after its own failure.
 * @param[out] bytes  length of the file, as this process sees it */
static void access_file(const struct mover_file *file, const char *path, MPI_Offset *bytes,
                        struct nereus_error *own_error)
{
    MPI_File opened;
    const bool writes = file->writers == 0;
    const int mode = writes ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY;
    int code = MPI_File_open(file->job->control, path, mode, MPI_INFO_NULL, &opened);
    /* MPI_File_open fails in all processes together. */
    if (code != MPI_SUCCESS) {
        nereus_mpi_failed(code, "MPI_File_open", own_error);
        return;
    }
    call_application(file, opened, own_error);
    code = writes ? MPI_File_sync(opened) : MPI_SUCCESS;
    if (code == MPI_SUCCESS)
        code = MPI_File_get_size(opened, bytes);
    const int closed = MPI_File_close(&opened);
    if (own_error->status == NEREUS_OK && (code != MPI_SUCCESS || closed != MPI_SUCCESS))
        nereus_mpi_failed(code != MPI_SUCCESS ? code : closed, "MPI-IO", own_error);
}

/* ---- checksums ------------------------------------------------------------------------------- */

static void read_block(struct data_file *file, struct nereus_range block,
                       struct nereus_error *own_error)
{
    unsigned char *buffer = malloc(BLOCK_BYTES);
    if (buffer == NULL)
        nereus_fail(own_error, NEREUS_ERR_MEMORY, "no memory for a checksum");
    for (int64_t left = block.count; left > 0 && own_error->status == NEREUS_OK;) {
        const int64_t bytes = left < BLOCK_BYTES ? left : BLOCK_BYTES;
        nereus_data_file_read(file, buffer, bytes, own_error);
        left -= bytes;
    }
    free(buffer);
}

/* Compute a checksum for the application's file, too. The application's ranges are unknown, so that
 * each process checks a block of the file. */
static enum nereus_status checksum_block(const struct mover_file *file, MPI_Offset mine_bytes,
                                         struct range_sum *sum, struct nereus_error *own_error,
                                         struct nereus_error *err)
{
    char name[NEREUS_CHECKPOINT_FILE_MAX];
    struct data_file opened;
    const nereus_job *job = file->job;
    /* over a network file system only the last writer may see the final length */
    int64_t bytes = mine_bytes;
    NEREUS_MPI(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_MAX, job->control), err);
    const struct nereus_range block = nereus_block(bytes, job->size, job->rank);
    nereus_datum_file_name(&job->registry, 0, DATUM_FILE_VALUES, name);
    if (own_error->status != NEREUS_OK ||
        nereus_data_file_open(file->checkpoint, name, false, block.first, &opened, own_error) !=
            NEREUS_OK)
        return NEREUS_OK;
    read_block(&opened, block, own_error);
    *sum = nereus_range_sum(&opened);
    nereus_data_file_close(&opened, own_error);
    return NEREUS_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static enum nereus_status agree_on_readiness(const struct mover_file *file,
                                             const struct nereus_error *own_error, bool *can,
                                             struct nereus_error *err)
{
    struct nereus_error verdict;
    NEREUS_TRY(
        nereus_agree_intra(file->job->control, own_error, 0, NEREUS_WAIT_AWAKE, &verdict, err));
    *can = verdict.status == NEREUS_OK;
    return NEREUS_OK;
}

enum nereus_status nereus_mover_file_access(struct mover_file *file, struct range_sum *sums,
                                            struct nereus_error *own_error,
                                            struct nereus_error *err)
{
    char name[NEREUS_CHECKPOINT_FILE_MAX], path[PATH_MAX];
    MPI_Offset bytes = 0;
    bool can = true;
    if (!nereus_registry_has_mover(&file->job->registry))
        return NEREUS_OK;
    NEREUS_TRY(agree_on_readiness(file, own_error, &can, err));
    if (can && file->writers > 0) {
        prepare_application(file, own_error);
        NEREUS_TRY(agree_on_readiness(file, own_error, &can, err));
    }
    if (!can)
        return NEREUS_OK;
    nereus_datum_file_name(&file->job->registry, 0, DATUM_FILE_VALUES, name);
    snprintf(path, sizeof path, "%s/%s", file->checkpoint, name);
    access_file(file, path, &bytes, own_error);
    return checksum_block(file, bytes, &sums[DATUM_FILE_VALUES], own_error, err);
}

void nereus_mover_file_end(struct mover_file *file, bool good)
{
    const struct nereus_mover *mover = &file->job->callbacks.mover;
    const struct nereus_regroup regroup = describe_regroup(file);
    if (!file->prepared)
        return;
    file->prepared = false;
    nereus_callback_enter("options.mover");
    mover->end(mover->user, &regroup, good);
    nereus_callback_leave();
}
