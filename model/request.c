/* The request record: its portable form is a row of little-endian 64-bit integers and fixed-length names. */
#include "request.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_INTEGERS = 16, ENTRY_INTEGERS = 4 };

void nereus_request_sum_bytes(const struct nereus_request *request, struct nereus_request_bytes *bytes)
{
    memset(bytes, 0, sizeof *bytes);
    for (int64_t i = 0; i < request->data_count; i++) {
        const struct nereus_data_entry *entry = &request->data[i];
        const int64_t size = entry->element_bytes * entry->count;
        if (entry->placement == NEREUS_REPLICATED)
            bytes->replicated_bytes += size;
        else if (entry->kind == NEREUS_CONSTANT)
            bytes->constant_bytes += size;
        else
            bytes->variable_bytes += size;
    }
}

size_t nereus_request_packed_bytes(const struct nereus_request *request)
{
    return 8 * HEADER_INTEGERS + (size_t)request->data_count * (8 * ENTRY_INTEGERS + NEREUS_DATA_NAME_MAX);
}

static unsigned char *put(unsigned char *at, int64_t value)
{
    const uint64_t bits = (uint64_t)value;
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(bits >> (8 * i));
    return at + 8;
}

static const unsigned char *get(const unsigned char *at, int64_t *value)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)at[i] << (8 * i);
    *value = (int64_t)bits;
    return at + 8;
}

void nereus_request_pack(const struct nereus_request *request, unsigned char *buffer)
{
    const struct nereus_method *m = &request->method;
    const int64_t header[HEADER_INTEGERS] = {request->version,
                                             request->number,
                                             request->point,
                                             request->ns,
                                             request->nt,
                                             request->zombies,
                                             request->next_world_id,
                                             m->process,
                                             m->strategy,
                                             m->async,
                                             m->shrink,
                                             m->has_data,
                                             m->data,
                                             m->overlap,
                                             m->distribution,
                                             request->data_count};
    unsigned char *at = buffer;
    for (int i = 0; i < HEADER_INTEGERS; i++)
        at = put(at, header[i]);
    for (int64_t i = 0; i < request->data_count; i++) {
        const struct nereus_data_entry *entry = &request->data[i];
        memset(at, 0, NEREUS_DATA_NAME_MAX); /* what follows the terminator is part of the hash */
        memcpy(at, entry->name, strnlen(entry->name, NEREUS_DATA_NAME_MAX - 1));
        at = put(at + NEREUS_DATA_NAME_MAX, entry->element_bytes);
        at = put(at, entry->count);
        at = put(at, entry->kind);
        at = put(at, entry->placement);
    }
}

static enum nereus_status check_header(const int64_t *header, size_t bytes, struct nereus_error *err)
{
    const size_t entry_bytes = 8 * ENTRY_INTEGERS + NEREUS_DATA_NAME_MAX;
    if (header[0] != NEREUS_RECORD_VERSION)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record of version %lld, this program knows version %d",
                           (long long)header[0], NEREUS_RECORD_VERSION);
    if (header[3] < 1 || header[4] < 1 || header[5] < 0 || header[15] < 0)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "request record with impossible counts (%lld sources, %lld targets, %lld zombies, %lld data)",
            (long long)header[3], (long long)header[4], (long long)header[5], (long long)header[15]);
    if ((uint64_t)header[15] != (bytes - 8 * HEADER_INTEGERS) / entry_bytes ||
        (bytes - 8 * HEADER_INTEGERS) % entry_bytes != 0)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record of %zu bytes does not hold its %lld data entries", bytes,
                           (long long)header[15]);
    const int64_t limits[7] = {NEREUS_PROCESS_COUNT, NEREUS_STRATEGY_COUNT, 2, NEREUS_SHRINK_COUNT, 2,
                               NEREUS_DATA_COUNT,    NEREUS_OVERLAP_COUNT};
    for (int i = 0; i < 7; i++)
        if (header[7 + i] < 0 || header[7 + i] >= limits[i])
            return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an unknown method code %lld",
                               (long long)header[7 + i]);
    if (header[14] < 0 || header[14] >= NEREUS_DISTRIBUTION_COUNT)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an unknown distribution %lld",
                           (long long)header[14]);
    return NEREUS_OK;
}

static enum nereus_status unpack_entry(const unsigned char **at, struct nereus_data_entry *entry,
                                       struct nereus_error *err)
{
    int64_t kind, placement;
    memcpy(entry->name, *at, NEREUS_DATA_NAME_MAX);
    entry->name[NEREUS_DATA_NAME_MAX - 1] = '\0';
    *at = get(*at + NEREUS_DATA_NAME_MAX, &entry->element_bytes);
    *at = get(*at, &entry->count);
    *at = get(*at, &kind);
    *at = get(*at, &placement);
    if (entry->element_bytes < 1 || entry->count < 0 || entry->count > INT64_MAX / entry->element_bytes ||
        kind < 0 || kind > 1 || placement < 0 || placement > 1)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with impossible data '%s'", entry->name);
    entry->kind = (enum nereus_data_kind)kind;
    entry->placement = (enum nereus_data_placement)placement;
    return NEREUS_OK;
}

enum nereus_status nereus_request_unpack(const unsigned char *buffer, size_t bytes,
                                         struct nereus_request *request, struct nereus_error *err)
{
    int64_t header[HEADER_INTEGERS];
    const unsigned char *at = buffer;
    if (bytes < 8 * HEADER_INTEGERS)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record of %zu bytes is cut off", bytes);
    for (int i = 0; i < HEADER_INTEGERS; i++)
        at = get(at, &header[i]);
    enum nereus_status status = check_header(header, bytes, err);
    if (status != NEREUS_OK)
        return status;
    struct nereus_request r = {header[0], header[1], header[2], header[3], header[4],
                               header[5], header[6], {0},       0,         0};
    r.method.process = (enum nereus_process)header[7];
    r.method.strategy = (enum nereus_strategy)header[8];
    r.method.async = header[9] != 0;
    r.method.shrink = (enum nereus_shrink)header[10];
    r.method.has_data = header[11] != 0;
    r.method.data = (enum nereus_data)header[12];
    r.method.overlap = (enum nereus_overlap)header[13];
    r.method.distribution = (enum nereus_distribution)header[14];
    r.data = calloc((size_t)header[15] + 1, sizeof *r.data);
    if (r.data == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a record of %lld data entries",
                           (long long)header[15]);
    r.data_count = header[15];
    for (int64_t i = 0; i < r.data_count && status == NEREUS_OK; i++)
        status = unpack_entry(&at, &r.data[i], err);
    if (status != NEREUS_OK)
        nereus_request_fini(&r);
    else
        *request = r;
    return status;
}

void nereus_request_fini(struct nereus_request *request)
{
    free(request->data);
    request->data = NULL;
    request->data_count = 0;
}

uint64_t nereus_hash(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}
