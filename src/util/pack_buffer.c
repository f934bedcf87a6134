/**
 * @file pack_buffer.c
 * Packs and unpacks values. They are sent in their memory layout, as all processes of a job run the
 * same program.
 */
#include "pack_buffer.h"

#include "agree.h"
#include "error.h"
#include "model/util/strings.h"
#include "src/mpi/large_counts.h"

struct pack_buffer nereus_pack_reading(const void *data, size_t bytes)
{
    return (struct pack_buffer){
        .data = (unsigned char *)(uintptr_t)data, .bytes = bytes, .reading = true};
}

static void append_bytes(struct pack_buffer *pack, const void *value, size_t bytes)
{
    unsigned char *data = nereus_grow_by(pack->data, (int64_t)pack->bytes, (int64_t)bytes, 1);
    pack->broken = data == NULL;
    if (pack->broken)
        return;
    pack->data = data;
    memcpy(pack->data + pack->bytes, value, bytes);
    pack->bytes += bytes;
}

void nereus_pack_bytes(struct pack_buffer *pack, void *value, size_t bytes)
{
    if (pack->broken || bytes == 0)
        return;
    if (!pack->reading) {
        append_bytes(pack, value, bytes);
    } else if (bytes > pack->bytes - pack->read_offset) {
        pack->broken = true;
    } else {
        memcpy(value, pack->data + pack->read_offset, bytes);
        pack->read_offset += bytes;
    }
}

void *nereus_pack_items(struct pack_buffer *pack, void *items, int64_t *count, size_t item_bytes)
{
    NEREUS_PACK(pack, *count);
    if (pack->reading) {
        free(items);
        const bool fits = !pack->broken && *count >= 0 &&
                          (uint64_t)*count <= (pack->bytes - pack->read_offset) / item_bytes;
        items = fits && *count > 0 ? malloc((size_t)*count * item_bytes) : NULL;
        pack->broken = pack->broken || !fits || (*count > 0 && items == NULL);
        if (pack->broken)
            *count = 0;
    }
    nereus_pack_bytes(pack, items, (size_t)*count * item_bytes);
    return items;
}

void nereus_pack_text(struct pack_buffer *pack, char **text)
{
    int64_t bytes = !pack->reading && *text != NULL ? (int64_t)strlen(*text) + 1 : 0;
    *text = nereus_pack_items(pack, *text, &bytes, 1);
    if (*text != NULL && (*text)[bytes - 1] != '\0')
        pack->broken = true;
}

void nereus_pack_names(struct pack_buffer *pack, char ***names)
{
    int64_t count = 0;
    while (!pack->reading && *names != NULL && (*names)[count] != NULL)
        count++;
    NEREUS_PACK(pack, count);
    if (pack->reading) {
        nereus_strings_free(*names);
        const bool fits = !pack->broken && count >= 0 && (uint64_t)count <= pack->bytes;
        *names = fits ? calloc((size_t)count + 1, sizeof **names) : NULL;
        pack->broken = pack->broken || *names == NULL;
    }
    for (int64_t i = 0; i < count && !pack->broken; i++)
        nereus_pack_text(pack, &(*names)[i]);
}

/* ---- messages -------------------------------------------------------------------------------- */

static enum nereus_status fail_without_memory(struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a message");
}

static bool reserve_bytes(struct pack_buffer *pack, size_t bytes)
{
    *pack = (struct pack_buffer){.data = malloc(bytes + 1), .bytes = bytes, .reading = true};
    return pack->data != NULL;
}

enum nereus_status nereus_pack_send(struct pack_buffer *pack, MPI_Comm comm, int tag,
                                    struct nereus_error *err)
{
    const MPI_Count bytes = pack->broken ? 0 : (MPI_Count)pack->bytes; /* 0: no memory */
    const int code = MPI_Send_c(pack->data, bytes, MPI_BYTE, 0, tag, comm);
    free(pack->data);
    pack->data = NULL;
    if (pack->broken)
        return fail_without_memory(err);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Send", err);
}

/* Only this process can receive a matched message, and the sender of a long one waits until then.
 * MPI_ERR_TRUNCATE is expected and must not end the process. Not MPI_Mrecv: MPICH 5.0.2 ignores the
 * error handler of comm there. */
static void discard_message(MPI_Message *message, MPI_Comm comm)
{
    MPI_Request received;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (MPI_Imrecv(NULL, 0, MPI_BYTE, message, &received) == MPI_SUCCESS)
        MPI_Wait(&received, MPI_STATUS_IGNORE);
}

enum nereus_status nereus_pack_receive(struct pack_buffer *pack, MPI_Comm comm, int tag,
                                       struct nereus_wait_mode wait_mode, double limit_s,
                                       struct nereus_error *err)
{
    MPI_Message message;
    MPI_Status status;
    MPI_Count bytes;
    NEREUS_TRY(nereus_await_message((struct nereus_sender){comm, 0, tag}, wait_mode, limit_s,
                                    &message, &status, err));
    MPI_Get_count_c(&status, MPI_BYTE, &bytes);
    if (bytes == 0 || !reserve_bytes(pack, (size_t)bytes)) {
        discard_message(&message, comm);
        *pack = (struct pack_buffer){0};
        return fail_without_memory(err);
    }
    NEREUS_MPI(MPI_Mrecv_c(pack->data, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE), err);
    return NEREUS_OK;
}

/* Agree on whether every process has memory for its part: one that left alone would let the others
 * wait for it. */
static enum nereus_status agree_on_memory(bool has_memory, MPI_Comm comm, struct nereus_error *err)
{
    struct nereus_error own_error = {0};
    if (!has_memory)
        fail_without_memory(&own_error);
    return nereus_agree_or_fail(comm, &own_error, err);
}

static enum nereus_status broadcast_bytes(struct pack_buffer *pack, int rank, MPI_Comm comm,
                                          struct nereus_error *err)
{
    int64_t bytes = (int64_t)pack->bytes;
    NEREUS_MPI(MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, comm), err);
    const bool has_memory = rank == 0 ? !pack->broken : reserve_bytes(pack, (size_t)bytes);
    NEREUS_TRY(agree_on_memory(has_memory, comm, err));
    NEREUS_MPI(MPI_Bcast_c(pack->data, (MPI_Count)bytes, MPI_BYTE, 0, comm), err);
    return NEREUS_OK;
}

enum nereus_status nereus_pack_broadcast(struct pack_buffer *pack, MPI_Comm comm,
                                         struct nereus_error *err)
{
    int rank;
    NEREUS_MPI(MPI_Comm_rank(comm, &rank), err);
    if (rank != 0)
        *pack = (struct pack_buffer){0};
    const enum nereus_status status = broadcast_bytes(pack, rank, comm, err);
    if (status != NEREUS_OK) {
        free(pack->data);
        *pack = (struct pack_buffer){0};
    }
    return status;
}

/* Gather at rank 0. counts: there, twice as many numbers as processes. */
static enum nereus_status gather_bytes(const struct pack_buffer *own, struct pack_buffer *all,
                                       int *counts, MPI_Comm comm, struct nereus_error *err)
{
    const int bytes = (int)own->bytes;
    int size, total = 0;
    NEREUS_MPI(MPI_Comm_size(comm, &size), err);
    NEREUS_MPI(MPI_Gather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, 0, comm), err);
    int *offsets = counts != NULL ? counts + size : NULL;
    for (int i = 0; offsets != NULL && i < size; i++) {
        offsets[i] = total;
        total += counts[i];
    }
    NEREUS_MPI(
        MPI_Gatherv(own->data, bytes, MPI_BYTE, all->data, counts, offsets, MPI_BYTE, 0, comm),
        err);
    return NEREUS_OK;
}

/* Reserve memory at rank 0, then gather.
 * @param[out] counts  scratch memory; the caller frees it */
static enum nereus_status reserve_and_gather(const struct pack_buffer *own, struct pack_buffer *all,
                                             int **counts, MPI_Comm comm, struct nereus_error *err)
{
    int rank, size;
    int64_t total = (int64_t)own->bytes;
    bool has_memory = !own->broken;
    NEREUS_MPI(MPI_Comm_rank(comm, &rank), err);
    NEREUS_MPI(MPI_Comm_size(comm, &size), err);
    NEREUS_MPI(MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, comm), err);
    if (total > INT_MAX)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "%lld bytes are too many for one message",
                           (long long)total);
    if (rank == 0) {
        *counts = malloc(2 * (size_t)size * sizeof **counts);
        has_memory = reserve_bytes(all, (size_t)total) && *counts != NULL && has_memory;
    }
    NEREUS_TRY(agree_on_memory(has_memory, comm, err));
    return gather_bytes(own, all, *counts, comm, err);
}

enum nereus_status nereus_pack_gather(struct pack_buffer *pack, MPI_Comm comm,
                                      struct nereus_error *err)
{
    const struct pack_buffer own = *pack;
    int *counts = NULL;
    *pack = (struct pack_buffer){.reading = true};
    const enum nereus_status status = reserve_and_gather(&own, pack, &counts, comm, err);
    free(own.data);
    free(counts);
    if (status != NEREUS_OK) {
        free(pack->data);
        *pack = (struct pack_buffer){0};
    }
    return status;
}
