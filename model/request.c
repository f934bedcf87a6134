/* The request record: its portable form is a row of little-endian 64-bit integers and fixed-length names. */
#include "request.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_INTEGERS = 20, ENTRY_INTEGERS = 4, GROUP_INTEGERS = 2, LEAVERS_INTEGERS = 3 };

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
    return 8 * HEADER_INTEGERS + (size_t)request->data_count * (8 * ENTRY_INTEGERS + NEREUS_DATA_NAME_MAX) +
           (size_t)request->group_count * 8 * GROUP_INTEGERS +
           (size_t)request->leaver_count * 8 * LEAVERS_INTEGERS;
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
                                             request->data_count,
                                             request->group_count,
                                             request->leaver_count,
                                             request->bridge,
                                             request->batch};
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
    for (int64_t i = 0; i < request->group_count; i++) {
        at = put(at, request->groups[i].node);
        at = put(at, request->groups[i].processes);
    }
    for (int64_t i = 0; i < request->leaver_count; i++) {
        at = put(at, request->leavers[i].first);
        at = put(at, request->leavers[i].count);
        at = put(at, request->leavers[i].ends);
    }
}

/* The counts of a header are those of a record of this many bytes. */
static bool counts_fit(const int64_t *header, size_t bytes)
{
    const uint64_t sizes[3] = {8 * ENTRY_INTEGERS + NEREUS_DATA_NAME_MAX, 8 * GROUP_INTEGERS,
                               8 * LEAVERS_INTEGERS};
    uint64_t left = bytes - 8 * HEADER_INTEGERS;
    for (int i = 0; i < 3; i++) {
        if (header[15 + i] < 0 || (uint64_t)header[15 + i] > left / sizes[i])
            return false;
        left -= (uint64_t)header[15 + i] * sizes[i];
    }
    return left == 0;
}

static enum nereus_status check_header(const int64_t *header, size_t bytes, struct nereus_error *err)
{
    if (header[0] != NEREUS_RECORD_VERSION)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record of version %lld, this program knows version %d",
                           (long long)header[0], NEREUS_RECORD_VERSION);
    if (header[3] < 1 || header[4] < 1 || header[5] < 0 || header[15] < 0)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "request record with impossible counts (%lld sources, %lld targets, %lld zombies, %lld data)",
            (long long)header[3], (long long)header[4], (long long)header[5], (long long)header[15]);
    if (!counts_fit(header, bytes))
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "request record of %zu bytes does not hold its %lld data entries, %lld groups and %lld leavers",
            bytes, (long long)header[15], (long long)header[16], (long long)header[17]);
    const int64_t limits[7] = {NEREUS_PROCESS_COUNT, NEREUS_STRATEGY_COUNT, 2, NEREUS_SHRINK_COUNT, 2,
                               NEREUS_DATA_COUNT,    NEREUS_OVERLAP_COUNT};
    for (int i = 0; i < 7; i++)
        if (header[7 + i] < 0 || header[7 + i] >= limits[i])
            return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an unknown method code %lld",
                               (long long)header[7 + i]);
    if (header[14] < 0 || header[14] >= NEREUS_DISTRIBUTION_COUNT)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an unknown distribution %lld",
                           (long long)header[14]);
    if (header[18] < 0 || header[18] > 1)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with bridge %lld, which is 0 or 1",
                           (long long)header[18]);
    if (header[19] < 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with batches of %lld processes",
                           (long long)header[19]);
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

static enum nereus_status make_room(struct nereus_request *r, int64_t data, int64_t groups, int64_t leavers,
                                    struct nereus_error *err)
{
    r->data = calloc((size_t)data + 1, sizeof *r->data);
    r->groups = calloc((size_t)groups + 1, sizeof *r->groups);
    r->leavers = calloc((size_t)leavers + 1, sizeof *r->leavers);
    if (r->data == NULL || r->groups == NULL || r->leavers == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a record of %lld data entries",
                           (long long)data);
    r->data_count = data;
    r->group_count = groups;
    r->leaver_count = leavers;
    return NEREUS_OK;
}

/* Who comes and who leaves. */
static enum nereus_status unpack_processes(const unsigned char **at, struct nereus_request *r,
                                           struct nereus_error *err)
{
    int64_t before = 0;
    for (int64_t i = 0; i < r->group_count; i++) {
        struct nereus_group *group = &r->groups[i];
        *at = get(*at, &group->node);
        *at = get(*at, &group->processes);
        if (group->node < 0 || group->processes < 1)
            return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an impossible group %lld",
                               (long long)i);
    }
    for (int64_t i = 0; i < r->leaver_count; i++) {
        struct nereus_leavers *leavers = &r->leavers[i];
        *at = get(*at, &leavers->first);
        *at = get(*at, &leavers->count);
        *at = get(*at, &leavers->ends);
        if (leavers->first < before || leavers->count < 1 || leavers->count > r->ns - leavers->first ||
            leavers->ends < 0 || leavers->ends > 1)
            return nereus_fail(err, NEREUS_ERR_PARSE, "request record with impossible leavers %lld",
                               (long long)i);
        before = leavers->first + leavers->count;
    }
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
    struct nereus_request r = {.version = header[0],
                               .number = header[1],
                               .point = header[2],
                               .ns = header[3],
                               .nt = header[4],
                               .zombies = header[5],
                               .next_world_id = header[6],
                               .bridge = header[18],
                               .batch = header[19]};
    r.method.process = (enum nereus_process)header[7];
    r.method.strategy = (enum nereus_strategy)header[8];
    r.method.async = header[9] != 0;
    r.method.shrink = (enum nereus_shrink)header[10];
    r.method.has_data = header[11] != 0;
    r.method.data = (enum nereus_data)header[12];
    r.method.overlap = (enum nereus_overlap)header[13];
    r.method.distribution = (enum nereus_distribution)header[14];
    status = make_room(&r, header[15], header[16], header[17], err);
    for (int64_t i = 0; i < r.data_count && status == NEREUS_OK; i++)
        status = unpack_entry(&at, &r.data[i], err);
    if (status == NEREUS_OK)
        status = unpack_processes(&at, &r, err);
    if (status != NEREUS_OK)
        nereus_request_fini(&r);
    else
        *request = r;
    return status;
}

void nereus_request_fini(struct nereus_request *request)
{
    free(request->data);
    free(request->groups);
    free(request->leavers);
    request->data = NULL;
    request->groups = NULL;
    request->leavers = NULL;
    request->data_count = request->group_count = request->leaver_count = 0;
}

uint64_t nereus_hash(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}
