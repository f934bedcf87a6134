/* Replicated values go from rank 0 of the sources to everybody in one broadcast: small ones together, large
 * ones one by one. */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "job.h"

enum { PACK_BELOW_BYTES = 64 * 1024 };

static bool is_replicated(const struct datum *datum)
{
    return datum->entry.placement == NEREUS_REPLICATED;
}

static int64_t values_bytes(const struct datum *datum)
{
    return datum->entry.count * datum->entry.element_bytes;
}

static int root_of(const struct exchange *exchange)
{
    if (!exchange->inter || exchange->parties.source < 0)
        return 0;
    return exchange->parties.source == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

enum { CHUNK_BYTES = 1024 * 1024 };

/*
 * A large one, piece by piece: straight into next_part where it is lacking; who has the values already receives them into a small
 * scratch copy (a source's values must survive a roll-back).
 */
static enum nereus_status broadcast_large(const struct exchange *exchange, struct datum *datum,
                                          struct nereus_error *err)
{
    const int root = root_of(exchange);
    const int64_t bytes = values_bytes(datum);
    unsigned char *memory = exchange->parties.source == 0 ? nereus_datum_values(datum) : datum->next_part;
    unsigned char *scratch = memory == NULL && root != MPI_PROC_NULL ? malloc(CHUNK_BYTES) : NULL;
    if (memory == NULL && scratch == NULL && root != MPI_PROC_NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a piece of '%s'", datum->entry.name);
    int code = MPI_SUCCESS;
    for (int64_t at = 0; at < bytes && code == MPI_SUCCESS; at += CHUNK_BYTES) {
        const int piece = (int)(bytes - at < CHUNK_BYTES ? bytes - at : CHUNK_BYTES);
        code = MPI_Bcast(memory != NULL ? memory + at : scratch, root == MPI_PROC_NULL ? 0 : piece, MPI_BYTE,
                         root, exchange->comm);
    }
    free(scratch);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Bcast", err);
}

/* Copy all small ones between the registry and the packed form; inward only where they are lacking. */
static void copy_small(struct registry *registry, unsigned char *packed, bool outward)
{
    for (int64_t i = 0; i < registry->count; i++) {
        struct datum *datum = &registry->data[i];
        const int64_t bytes = values_bytes(datum);
        if (!is_replicated(datum) || bytes >= PACK_BELOW_BYTES || bytes == 0)
            continue;
        if (outward)
            memcpy(packed, nereus_datum_values(datum), (size_t)bytes);
        else if (datum->next_part != NULL)
            memcpy(datum->next_part, packed, (size_t)bytes);
        packed += bytes;
    }
}

static enum nereus_status broadcast_small(const struct exchange *exchange, struct registry *registry,
                                          int64_t bytes, struct nereus_error *err)
{
    unsigned char *packed = malloc((size_t)bytes);
    if (packed == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld bytes of replicated values",
                           (long long)bytes);
    if (exchange->parties.source == 0)
        copy_small(registry, packed, true);
    const int code = MPI_Bcast_c(packed, (MPI_Count)bytes, MPI_BYTE, root_of(exchange), exchange->comm);
    if (code == MPI_SUCCESS && exchange->parties.source != 0)
        copy_small(registry, packed, false);
    free(packed);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Bcast_c", err);
}

enum nereus_status nereus_exchange_replicated(const struct exchange *exchange, struct registry *registry,
                                              struct nereus_error *err)
{
    int64_t small = 0;
    if (exchange->first_new >= exchange->parties.nt)
        return NEREUS_OK; /* nobody lacks them */
    for (int64_t i = 0; i < registry->count; i++) {
        struct datum *datum = &registry->data[i];
        if (!is_replicated(datum))
            continue;
        if (values_bytes(datum) >= PACK_BELOW_BYTES)
            NEREUS_TRY(broadcast_large(exchange, datum, err));
        else
            small += values_bytes(datum);
    }
    return small > 0 ? broadcast_small(exchange, registry, small, err) : NEREUS_OK;
}
