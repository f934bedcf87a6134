/* The request record. Portable form: little-endian 64-bit integers and fixed-length names. */
#include "nereus/request.h"

#include "model/util/try.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_INTEGERS = 21,
    ENTRY_INTEGERS = 7,
    PARTITION_INTEGERS = 5,
    GROUP_INTEGERS = 2,
    LEAVERS_INTEGERS = 3
};

void nereus_request_sum_bytes(const struct nereus_request *request,
                              struct nereus_request_bytes *bytes)
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

/* Form of a partition: 0 block formula, 1 with bounds, 2 with bounds and order. */
static int64_t form_of(const struct nereus_partition *partition)
{
    return partition->bounds == NULL ? 0 : partition->order == NULL ? 1 : 2;
}

static size_t form_integers(int64_t form, int64_t processes)
{
    return form == 0 ? 0 : (size_t)processes + 1 + (form == 2 ? (size_t)processes : 0);
}

static size_t partitions_bytes(const struct nereus_request *request)
{
    size_t bytes = 0;
    for (int64_t i = 0; i < request->partition_count; i++) {
        const struct nereus_data_partition *p = &request->partitions[i];
        bytes += NEREUS_DATA_NAME_MAX + 8 * PARTITION_INTEGERS +
                 8 * form_integers(form_of(&p->before), request->ns) +
                 8 * form_integers(form_of(&p->after), request->nt);
    }
    return bytes;
}

size_t nereus_request_packed_bytes(const struct nereus_request *request)
{
    return partitions_bytes(request) + 8 * HEADER_INTEGERS +
           (size_t)request->data_count * (8 * ENTRY_INTEGERS + NEREUS_DATA_NAME_MAX) +
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

static unsigned char *put_name(unsigned char *at, const char *name)
{
    memset(at, 0, NEREUS_DATA_NAME_MAX); /* bytes after the terminator are hashed, too */
    memcpy(at, name, strnlen(name, NEREUS_DATA_NAME_MAX - 1));
    return at + NEREUS_DATA_NAME_MAX;
}

static unsigned char *put_bounds(unsigned char *at, const struct nereus_partition *partition,
                                 int64_t processes)
{
    for (int64_t k = 0; partition->bounds != NULL && k <= processes; k++)
        at = put(at, partition->bounds[k]);
    for (int64_t k = 0; partition->order != NULL && k < processes; k++)
        at = put(at, partition->order[k]);
    return at;
}

static unsigned char *put_partitions(unsigned char *at, const struct nereus_request *request)
{
    for (int64_t i = 0; i < request->partition_count; i++) {
        const struct nereus_data_partition *p = &request->partitions[i];
        at = put_name(at, p->name);
        at = put(at, p->before.n);
        at = put(at, p->parent);
        at = put(at, p->weights);
        at = put(at, form_of(&p->before));
        at = put(at, form_of(&p->after));
        at = put_bounds(at, &p->before, request->ns);
        at = put_bounds(at, &p->after, request->nt);
    }
    return at;
}

static unsigned char *put_entry(unsigned char *at, const struct nereus_data_entry *entry)
{
    at = put_name(at, entry->name);
    at = put(at, entry->element_bytes);
    at = put(at, entry->count);
    at = put(at, entry->kind);
    at = put(at, entry->placement);
    at = put(at, entry->shape);
    at = put(at, entry->across);
    return put(at, entry->partition);
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
                                             request->batch,
                                             request->partition_count};
    unsigned char *at = buffer;
    for (int i = 0; i < HEADER_INTEGERS; i++)
        at = put(at, header[i]);
    for (int64_t i = 0; i < request->data_count; i++)
        at = put_entry(at, &request->data[i]);
    for (int64_t i = 0; i < request->group_count; i++) {
        at = put(at, request->groups[i].node);
        at = put(at, request->groups[i].processes);
    }
    for (int64_t i = 0; i < request->leaver_count; i++) {
        at = put(at, request->leavers[i].first);
        at = put(at, request->leavers[i].count);
        at = put(at, request->leavers[i].ends);
    }
    put_partitions(at, request);
}

/* Do the counts of a header fit a record of this many bytes? The remainder is the partitions'. */
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
    return header[20] == 0
               ? left == 0
               : (uint64_t)header[20] <= left / (8 * PARTITION_INTEGERS + NEREUS_DATA_NAME_MAX);
}

static enum nereus_status check_header(const int64_t *header, size_t bytes,
                                       struct nereus_error *err)
{
    if (header[0] != NEREUS_RECORD_VERSION)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record of version %lld, this program knows version %d",
                           (long long)header[0], NEREUS_RECORD_VERSION);
    if (header[3] < 1 || header[4] < 1 || header[5] < 0 || header[15] < 0 || header[20] < 0)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "request record with impossible counts (%lld sources, %lld targets, %lld zombies, "
            "%lld data, %lld partitions)",
            (long long)header[3], (long long)header[4], (long long)header[5], (long long)header[15],
            (long long)header[20]);
    if (!counts_fit(header, bytes))
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "request record of %zu bytes does not hold its %lld data entries, %lld groups, "
            "%lld leavers and %lld "
            "partitions",
            bytes, (long long)header[15], (long long)header[16], (long long)header[17],
            (long long)header[20]);
    const int64_t limits[7] = {
        NEREUS_PROCESS_COUNT, NEREUS_STRATEGY_COUNT, 2, NEREUS_SHRINK_COUNT, 2,
        NEREUS_DATA_COUNT,    NEREUS_OVERLAP_COUNT};
    for (int i = 0; i < 7; i++)
        if (header[7 + i] < 0 || header[7 + i] >= limits[i])
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "request record with an unknown method code %lld",
                               (long long)header[7 + i]);
    if (header[14] < 0 || header[14] >= NEREUS_DISTRIBUTION_COUNT)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record with an unknown distribution %lld",
                           (long long)header[14]);
    if (header[18] < 0 || header[18] > 1)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record with bridge %lld, which is 0 or 1",
                           (long long)header[18]);
    if (header[19] < 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with batches of %lld processes",
                           (long long)header[19]);
    return NEREUS_OK;
}

static enum nereus_status unpack_entry(const unsigned char **at, int64_t partitions,
                                       struct nereus_data_entry *entry, struct nereus_error *err)
{
    int64_t kind, placement, shape;
    memcpy(entry->name, *at, NEREUS_DATA_NAME_MAX);
    entry->name[NEREUS_DATA_NAME_MAX - 1] = '\0';
    *at = get(*at + NEREUS_DATA_NAME_MAX, &entry->element_bytes);
    *at = get(*at, &entry->count);
    *at = get(*at, &kind);
    *at = get(*at, &placement);
    *at = get(*at, &shape);
    *at = get(*at, &entry->across);
    *at = get(*at, &entry->partition);
    if (entry->element_bytes < 1 || entry->count < 0 ||
        entry->count > INT64_MAX / entry->element_bytes || kind < 0 || kind > 1 || placement < 0 ||
        placement > NEREUS_MOVED_BY_APPLICATION || shape < 0 || shape >= NEREUS_SHAPE_COUNT ||
        entry->across < 0 || entry->partition < 0 || entry->partition > partitions)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with impossible data '%s'",
                           entry->name);
    entry->kind = (enum nereus_data_kind)kind;
    entry->placement = (enum nereus_data_placement)placement;
    entry->shape = (enum nereus_data_shape)shape;
    return NEREUS_OK;
}

static enum nereus_status make_room(struct nereus_request *r, int64_t data, int64_t groups,
                                    int64_t leavers, int64_t partitions, struct nereus_error *err)
{
    r->data = calloc((size_t)data + 1, sizeof *r->data);
    r->groups = calloc((size_t)groups + 1, sizeof *r->groups);
    r->leavers = calloc((size_t)leavers + 1, sizeof *r->leavers);
    r->partitions = calloc((size_t)partitions + 1, sizeof *r->partitions);
    if (r->data == NULL || r->groups == NULL || r->leavers == NULL || r->partitions == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a record of %lld data entries",
                           (long long)data);
    r->data_count = data;
    r->group_count = groups;
    r->leaver_count = leavers;
    r->partition_count = partitions;
    return NEREUS_OK;
}

/* The unread rest of a record. */
struct rest {
    const unsigned char *at;
    size_t bytes;
};

static enum nereus_status impossible(int64_t i, struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an impossible partition %lld",
                       (long long)i);
}

static enum nereus_status unpack_bounds(struct rest *rest, int64_t n, int64_t processes,
                                        int64_t form, struct nereus_partition *partition,
                                        struct nereus_error *err)
{
    *partition = nereus_partition_block(n, processes);
    if (form == 0)
        return NEREUS_OK;
    if ((uint64_t)processes > rest->bytes / 8 || form_integers(form, processes) > rest->bytes / 8)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record with partitions that are cut off");
    const size_t count = form_integers(form, processes);
    int64_t *integers = malloc(count * sizeof *integers);
    if (integers == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the bounds of %lld processes",
                           (long long)processes);
    for (size_t i = 0; i < count; i++)
        rest->at = get(rest->at, &integers[i]);
    rest->bytes -= 8 * count;
    const enum nereus_status status = nereus_partition_make(
        n, processes, integers, form == 2 ? integers + processes + 1 : NULL, partition, err);
    free(integers);
    return status;
}

static enum nereus_status unpack_partition(struct rest *rest, struct nereus_request *r, int64_t i,
                                           struct nereus_error *err)
{
    struct nereus_data_partition *p = &r->partitions[i];
    int64_t n, before, after;
    if (rest->bytes < NEREUS_DATA_NAME_MAX + 8 * PARTITION_INTEGERS)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record with partitions that are cut off");
    memcpy(p->name, rest->at, NEREUS_DATA_NAME_MAX);
    p->name[NEREUS_DATA_NAME_MAX - 1] = '\0';
    rest->at = get(rest->at + NEREUS_DATA_NAME_MAX, &n);
    rest->at = get(rest->at, &p->parent);
    rest->at = get(rest->at, &p->weights);
    rest->at = get(rest->at, &before);
    rest->at = get(rest->at, &after);
    rest->bytes -= NEREUS_DATA_NAME_MAX + 8 * PARTITION_INTEGERS;
    if (n < 0 || p->parent < 0 || p->parent > i || p->weights < -1 || p->weights > r->data_count ||
        before < 0 || before > 2 || after < 0 || after > 2)
        return impossible(i, err);
    enum nereus_status status = unpack_bounds(rest, n, r->ns, before, &p->before, err);
    if (status == NEREUS_OK)
        status = unpack_bounds(rest, n, r->nt, after, &p->after, err);
    return status == NEREUS_ERR_ARGUMENT ? impossible(i, err) : status;
}

static enum nereus_status unpack_partitions(struct rest rest, struct nereus_request *r,
                                            struct nereus_error *err)
{
    for (int64_t i = 0; i < r->partition_count; i++) {
        NEREUS_TRY(unpack_partition(&rest, r, i, err));
    }
    if (rest.bytes != 0)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record with %zu bytes behind its partitions", rest.bytes);
    return NEREUS_OK;
}

/* Parent partition of an entry's partition, as a number from 1; 0: none. */
static int64_t parent_of(const struct nereus_request *r, const struct nereus_data_entry *entry)
{
    return entry->partition == 0 ? 0 : r->partitions[entry->partition - 1].parent;
}

/* Is the entry the pointers of a sparse matrix, with its indices and values after it? Non-zeros are
 * cut at the rows. */
static bool is_sparse(const struct nereus_request *r, int64_t pointers)
{
    if (pointers < 0 || pointers + 2 >= r->data_count)
        return false;
    const struct nereus_data_entry *e = &r->data[pointers];
    return (e->shape == NEREUS_CSR || e->shape == NEREUS_CSC) && e[1].shape == NEREUS_INDICES &&
           e[2].shape == NEREUS_VALUES && e[1].partition == e[2].partition && e->partition > 0 &&
           parent_of(r, &e[1]) == e->partition;
}

/* Are the partitions and neighbours that readers of the entry rely on there? */
static bool is_whole(const struct nereus_request *r, int64_t i)
{
    switch (r->data[i].shape) {
    case NEREUS_CUSTOM:
        return parent_of(r, &r->data[i]) > 0;
    case NEREUS_CSR:
    case NEREUS_CSC:
        return is_sparse(r, i);
    case NEREUS_INDICES:
        return is_sparse(r, i - 1);
    case NEREUS_VALUES:
        return is_sparse(r, i - 2);
    default:
        return true;
    }
}

static enum nereus_status check_entries(const struct nereus_request *r, struct nereus_error *err)
{
    for (int64_t i = 0; i < r->data_count; i++)
        if (!is_whole(r, i))
            return nereus_fail(err, NEREUS_ERR_PARSE, "request record with impossible data '%s'",
                               r->data[i].name);
    return NEREUS_OK;
}

/* Groups and leavers. */
static enum nereus_status unpack_processes(const unsigned char **at, struct nereus_request *r,
                                           struct nereus_error *err)
{
    int64_t before = 0;
    for (int64_t i = 0; i < r->group_count; i++) {
        struct nereus_group *group = &r->groups[i];
        *at = get(*at, &group->node);
        *at = get(*at, &group->processes);
        if (group->node < 0 || group->processes < 1)
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "request record with an impossible group %lld", (long long)i);
    }
    for (int64_t i = 0; i < r->leaver_count; i++) {
        struct nereus_leavers *leavers = &r->leavers[i];
        *at = get(*at, &leavers->first);
        *at = get(*at, &leavers->count);
        *at = get(*at, &leavers->ends);
        if (leavers->first < before || leavers->count < 1 ||
            leavers->count > r->ns - leavers->first || leavers->ends < 0 || leavers->ends > 1)
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
    NEREUS_TRY(check_header(header, bytes, err));
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
    enum nereus_status status = make_room(&r, header[15], header[16], header[17], header[20], err);
    for (int64_t i = 0; i < r.data_count && status == NEREUS_OK; i++)
        status = unpack_entry(&at, r.partition_count, &r.data[i], err);
    if (status == NEREUS_OK)
        status = unpack_processes(&at, &r, err);
    if (status == NEREUS_OK)
        status = unpack_partitions((struct rest){at, bytes - (size_t)(at - buffer)}, &r, err);
    if (status == NEREUS_OK)
        status = check_entries(&r, err);
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
    for (int64_t i = 0; request->partitions != NULL && i < request->partition_count; i++) {
        nereus_partition_fini(&request->partitions[i].before);
        nereus_partition_fini(&request->partitions[i].after);
    }
    free(request->partitions);
    request->partitions = NULL;
    request->partition_count = 0;
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
