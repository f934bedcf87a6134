/** @file request.c  Packs and unpacks request records in a portable form (little-endian 64-bit
 * integers and fixed-length names), which the runtime broadcasts, and checks them. */
#include "nereus/request.h"

#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/try.h"

enum {
    HEADER_BYTES = 8 * 23,
    ENTRY_BYTES = NEREUS_DATA_NAME_MAX + 8 * 7,
    PARTITION_BYTES = NEREUS_DATA_NAME_MAX + 8 * 5,
    GROUP_BYTES = 8 * 2,
    LEAVERS_BYTES = 8 * 3,
    LOST_BYTES = 8
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

/* Passes over the members of a record: one list of members serves to write, read and count. */
struct record {
    unsigned char *to;         /* NULL: not written */
    const unsigned char *from; /* NULL: not read */
    size_t bytes, all;         /* bytes passed so far; bytes of the record that is read */
    const char *unknown;       /* name of the first unknown code; NULL: none */
    int64_t code;
};

static void pass_integer(struct record *r, int64_t *value)
{
    uint64_t bits = r->from == NULL ? (uint64_t)*value : 0;
    for (size_t i = 0; i < 8; i++)
        if (r->from != NULL)
            bits |= (uint64_t)r->from[r->bytes + i] << (8 * i);
        else if (r->to != NULL)
            r->to[r->bytes + i] = (unsigned char)(bits >> (8 * i));
    if (r->from != NULL)
        *value = (int64_t)bits;
    r->bytes += 8;
}

static int64_t pass_code(struct record *r, int64_t value, int64_t count, const char *what)
{
    pass_integer(r, &value);
    if (value >= 0 && value < count)
        return value;
    r->code = r->unknown == NULL ? value : r->code;
    r->unknown = r->unknown == NULL ? what : r->unknown;
    return 0;
}

#define PASS_CODE(r, member, count, what)                                                          \
    do {                                                                                           \
        const int64_t code_ = pass_code((r), (int64_t)(member), (count), (what));                  \
        if ((r)->from != NULL)                                                                     \
            (member) = (__typeof__(member))code_;                                                  \
    } while (0)

static void pass_name(struct record *r, char *name)
{
    if (r->to != NULL) {
        /* the hash includes the bytes after the terminator */
        memset(r->to + r->bytes, 0, NEREUS_DATA_NAME_MAX);
        memcpy(r->to + r->bytes, name, strnlen(name, NEREUS_DATA_NAME_MAX - 1));
    } else if (r->from != NULL) {
        memcpy(name, r->from + r->bytes, NEREUS_DATA_NAME_MAX);
        name[NEREUS_DATA_NAME_MAX - 1] = '\0';
    }
    r->bytes += NEREUS_DATA_NAME_MAX;
}

static void pass_header(struct record *r, struct nereus_request *q)
{
    static const char code[] = "method code";
    struct nereus_method *m = &q->method;
    pass_integer(r, &q->version);
    pass_integer(r, &q->number);
    pass_integer(r, &q->point);
    pass_integer(r, &q->ns);
    pass_integer(r, &q->nt);
    pass_integer(r, &q->zombies);
    pass_integer(r, &q->next_world_id);
    PASS_CODE(r, m->process, NEREUS_PROCESS_COUNT, code);
    PASS_CODE(r, m->strategy, NEREUS_STRATEGY_COUNT, code);
    PASS_CODE(r, m->async, 2, code);
    PASS_CODE(r, m->shrink, NEREUS_SHRINK_COUNT, code);
    PASS_CODE(r, m->has_data, 2, code);
    PASS_CODE(r, m->data, NEREUS_DATA_COUNT, code);
    PASS_CODE(r, m->overlap, NEREUS_OVERLAP_COUNT, code);
    PASS_CODE(r, m->distribution, NEREUS_DISTRIBUTION_COUNT, "distribution");
    pass_integer(r, &q->data_count);
    pass_integer(r, &q->group_count);
    pass_integer(r, &q->leaver_count);
    pass_integer(r, &q->bridge);
    pass_integer(r, &q->batch);
    pass_integer(r, &q->partition_count);
    pass_integer(r, &q->gained);
    pass_integer(r, &q->lost_count);
}

static void pass_entry(struct record *r, struct nereus_data_entry *entry)
{
    pass_name(r, entry->name);
    pass_integer(r, &entry->element_bytes);
    pass_integer(r, &entry->count);
    PASS_CODE(r, entry->kind, 2, entry->name);
    PASS_CODE(r, entry->placement, NEREUS_MOVED_BY_APPLICATION + 1, entry->name);
    PASS_CODE(r, entry->shape, NEREUS_SHAPE_COUNT, entry->name);
    pass_integer(r, &entry->across);
    pass_integer(r, &entry->partition);
}

static void pass_group(struct record *r, struct nereus_group *group)
{
    pass_integer(r, &group->node);
    pass_integer(r, &group->processes);
}

static void pass_leavers(struct record *r, struct nereus_leavers *leavers)
{
    pass_integer(r, &leavers->first);
    pass_integer(r, &leavers->count);
    pass_integer(r, &leavers->ends);
}

/* Form of a partition: integers that follow its numbers. */
enum form_code {
    FORM_BLOCK,
    FORM_BOUNDS,
    FORM_BOUNDS_AND_ORDER,
    FORM_GRID,
    FORM_GRID_AND_ORDER,
    FORM_COUNT
};
struct form {
    int64_t n, before, after;
};

enum { GRID_INTEGERS = sizeof(struct nereus_grid) / sizeof(int64_t) };

static int64_t form_of(const struct nereus_partition *partition)
{
    const bool grid = nereus_partition_is_grid(partition);
    if (partition->bounds == NULL && !grid)
        return FORM_BLOCK;
    return (grid ? FORM_GRID : FORM_BOUNDS) + (partition->order != NULL ? 1 : 0);
}

/* Integers of bounds, or of a grid; those of an order follow. */
static size_t cut_integers(int64_t form, int64_t processes)
{
    if (form == FORM_BLOCK)
        return 0;
    return form >= FORM_GRID ? (size_t)GRID_INTEGERS : (size_t)processes + 1;
}

static bool has_order(int64_t form)
{
    return form == FORM_BOUNDS_AND_ORDER || form == FORM_GRID_AND_ORDER;
}

static size_t form_integers(int64_t form, int64_t processes)
{
    return cut_integers(form, processes) + (has_order(form) ? (size_t)processes : 0);
}

static void pass_partition(struct record *r, struct nereus_data_partition *p, struct form *form)
{
    pass_name(r, p->name);
    pass_integer(r, &form->n);
    pass_integer(r, &p->parent);
    pass_integer(r, &p->weights);
    pass_integer(r, &form->before);
    pass_integer(r, &form->after);
}

static void pass_list(struct record *r, int64_t *list, int64_t count)
{
    for (int64_t k = 0; list != NULL && k < count; k++)
        pass_integer(r, &list[k]);
}

static void pass_bounds(struct record *r, const struct nereus_partition *partition)
{
    struct nereus_grid grid = partition->grid;
    pass_list(r, partition->bounds, partition->processes + 1);
    if (nereus_partition_is_grid(partition))
        pass_list(r, (int64_t *)(void *)&grid, GRID_INTEGERS);
    pass_list(r, partition->order, partition->processes);
}

/* Write a request, or count its bytes. */
static size_t pass_request(struct record r, struct nereus_request q)
{
    pass_header(&r, &q);
    for (int64_t i = 0; i < q.data_count; i++)
        pass_entry(&r, &q.data[i]);
    for (int64_t i = 0; i < q.group_count; i++)
        pass_group(&r, &q.groups[i]);
    for (int64_t i = 0; i < q.leaver_count; i++)
        pass_leavers(&r, &q.leavers[i]);
    pass_list(&r, q.lost, q.lost_count);
    for (int64_t i = 0; i < q.partition_count; i++) {
        struct nereus_data_partition *p = &q.partitions[i];
        struct form form = {p->before.n, form_of(&p->before), form_of(&p->after)};
        pass_partition(&r, p, &form);
        pass_bounds(&r, &p->before);
        pass_bounds(&r, &p->after);
    }
    return r.bytes;
}

size_t nereus_request_packed_bytes(const struct nereus_request *request)
{
    return pass_request((struct record){0}, *request);
}

void nereus_request_pack(const struct nereus_request *request, unsigned char *buffer)
{
    pass_request((struct record){.to = buffer}, *request);
}

/* Check the number of bytes; the remainder belongs to the partitions. */
static bool counts_fit(const struct nereus_request *q, size_t bytes)
{
    const uint64_t sizes[] = {ENTRY_BYTES, GROUP_BYTES, LEAVERS_BYTES, LOST_BYTES};
    const int64_t counts[] = {q->data_count, q->group_count, q->leaver_count, q->lost_count};
    uint64_t left = bytes - HEADER_BYTES;
    for (size_t i = 0; i < NEREUS_COUNT_OF(counts); i++) {
        if (counts[i] < 0 || (uint64_t)counts[i] > left / sizes[i])
            return false;
        left -= (uint64_t)counts[i] * sizes[i];
    }
    return q->partition_count == 0 ? left == 0
                                   : (uint64_t)q->partition_count <= left / PARTITION_BYTES;
}

static enum nereus_status check_header(const struct record *r, const struct nereus_request *q,
                                       size_t bytes, struct nereus_error *err)
{
    if (q->version != NEREUS_RECORD_VERSION)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record of version %lld, this program knows version %d",
                           (long long)q->version, NEREUS_RECORD_VERSION);
    if (q->ns < 1 || q->nt < 1 || q->zombies < 0 || q->data_count < 0 || q->partition_count < 0 ||
        q->gained < 0)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "request record with impossible counts (%lld sources, %lld targets, %lld zombies, "
            "%lld data, %lld partitions)",
            (long long)q->ns, (long long)q->nt, (long long)q->zombies, (long long)q->data_count,
            (long long)q->partition_count);
    if (!counts_fit(q, bytes))
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "request record of %zu bytes does not hold its %lld data entries, %lld groups, "
            "%lld leavers and %lld "
            "partitions",
            bytes, (long long)q->data_count, (long long)q->group_count, (long long)q->leaver_count,
            (long long)q->partition_count);
    if (r->unknown != NULL)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an unknown %s %lld",
                           r->unknown, (long long)r->code);
    if (q->bridge < 0 || q->bridge > 1)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record with bridge %lld, which is 0 or 1",
                           (long long)q->bridge);
    if (q->batch < 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with batches of %lld processes",
                           (long long)q->batch);
    return NEREUS_OK;
}

static enum nereus_status impossible_data(const struct nereus_data_entry *entry,
                                          struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "request record with impossible data '%s'",
                       entry->name);
}

static enum nereus_status unpack_entry(struct record *r, int64_t partitions,
                                       struct nereus_data_entry *entry, struct nereus_error *err)
{
    pass_entry(r, entry);
    return r->unknown != NULL || entry->element_bytes < 1 || entry->count < 0 ||
                   entry->count > INT64_MAX / entry->element_bytes || entry->across < 0 ||
                   entry->partition < 0 || entry->partition > partitions
               ? impossible_data(entry, err)
               : NEREUS_OK;
}

static enum nereus_status allocate_arrays(struct nereus_request *r, struct nereus_error *err)
{
    r->data = calloc((size_t)r->data_count + 1, sizeof *r->data);
    r->groups = calloc((size_t)r->group_count + 1, sizeof *r->groups);
    r->leavers = calloc((size_t)r->leaver_count + 1, sizeof *r->leavers);
    r->partitions = calloc((size_t)r->partition_count + 1, sizeof *r->partitions);
    r->lost = calloc((size_t)r->lost_count + 1, sizeof *r->lost);
    NEREUS_TRY_MEMORY(r->data && r->groups && r->leavers && r->partitions && r->lost, err,
                      "for a record of %lld data entries", (long long)r->data_count);
    return NEREUS_OK;
}

static enum nereus_status fail_impossible_partition(int64_t i, struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an impossible partition %lld",
                       (long long)i);
}

static enum nereus_status cut_off(struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "request record with partitions that are cut off");
}

/* Make a partition of the integers that belong to its form. */
static enum nereus_status make_partition(int64_t n, int64_t processes, int64_t form,
                                         const int64_t *integers,
                                         struct nereus_partition *partition,
                                         struct nereus_error *err)
{
    const int64_t *order = has_order(form) ? integers + cut_integers(form, processes) : NULL;
    struct nereus_grid grid;
    if (form < FORM_GRID)
        return nereus_partition_make(n, processes, integers, order, partition, err);
    memcpy(&grid, integers, sizeof grid);
    if (nereus_grid_check(&grid, err) != NEREUS_OK || nereus_grid_count(&grid) != n ||
        !nereus_grid_is_on(&grid, processes))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a grid that is none");
    return nereus_partition_grid(&grid, order, partition, err);
}

static enum nereus_status unpack_bounds(struct record *r, int64_t n, int64_t processes,
                                        int64_t form, struct nereus_partition *partition,
                                        struct nereus_error *err)
{
    const size_t left = r->all - r->bytes;
    *partition = nereus_partition_block(n, processes);
    if (form == 0)
        return NEREUS_OK;
    if ((uint64_t)processes > left / 8 || form_integers(form, processes) > left / 8)
        return cut_off(err);
    const size_t count = form_integers(form, processes);
    int64_t *integers = malloc(count * sizeof *integers);
    NEREUS_TRY_MEMORY(integers, err, "for the bounds of %lld processes", (long long)processes);
    pass_list(r, integers, (int64_t)count);
    const enum nereus_status status = make_partition(n, processes, form, integers, partition, err);
    free(integers);
    return status;
}

static enum nereus_status unpack_partition(struct record *r, struct nereus_request *q, int64_t i,
                                           struct nereus_error *err)
{
    struct nereus_data_partition *p = &q->partitions[i];
    struct form form = {0};
    if (r->all - r->bytes < PARTITION_BYTES)
        return cut_off(err);
    pass_partition(r, p, &form);
    if (form.n < 0 || p->parent < 0 || p->parent > i || p->weights < -1 ||
        p->weights > q->data_count || form.before < 0 || form.before >= FORM_COUNT ||
        form.after < 0 || form.after >= FORM_COUNT)
        return fail_impossible_partition(i, err);
    enum nereus_status status = unpack_bounds(r, form.n, q->ns, form.before, &p->before, err);
    if (status == NEREUS_OK)
        status = unpack_bounds(r, form.n, q->nt, form.after, &p->after, err);
    if (status == NEREUS_OK && !nereus_grid_same(&p->before.grid, &p->after.grid))
        status = NEREUS_ERR_ARGUMENT;
    return status == NEREUS_ERR_ARGUMENT ? fail_impossible_partition(i, err) : status;
}

static enum nereus_status unpack_partitions(struct record *r, struct nereus_request *q,
                                            struct nereus_error *err)
{
    for (int64_t i = 0; i < q->partition_count; i++)
        NEREUS_TRY(unpack_partition(r, q, i, err));
    if (r->bytes != r->all)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record with %zu bytes behind its partitions",
                           r->all - r->bytes);
    return NEREUS_OK;
}

/* Entry from which an entry takes its partition, from 1; 0: none. */
static int64_t parent_of(const struct nereus_request *r, const struct nereus_data_entry *entry)
{
    return entry->partition == 0 ? 0 : r->partitions[entry->partition - 1].parent;
}

/* Pointers of a sparse matrix, followed by its indices and values? Non-zeros are cut at the rows.
 */
static bool is_sparse(const struct nereus_request *r, int64_t pointers)
{
    if (pointers < 0 || pointers + 2 >= r->data_count)
        return false;
    const struct nereus_data_entry *e = &r->data[pointers];
    return (e->shape == NEREUS_CSR || e->shape == NEREUS_CSC) && e[1].shape == NEREUS_INDICES &&
           e[2].shape == NEREUS_VALUES && e[1].partition == e[2].partition && e->partition > 0 &&
           parent_of(r, &e[1]) == e->partition;
}

/* Check that the partitions and neighbours of the entry exist. */
static bool is_complete(const struct nereus_request *r, int64_t i)
{
    const struct nereus_data_entry *entry = &r->data[i];
    const bool grid = entry->partition > 0 &&
                      nereus_partition_is_grid(&r->partitions[entry->partition - 1].before);
    if (grid != (entry->shape == NEREUS_FIELD))
        return false;
    switch (entry->shape) {
    case NEREUS_FIELD:
        return r->partitions[entry->partition - 1].before.n == entry->count;
    case NEREUS_CUSTOM:
        return parent_of(r, entry) > 0;
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
        if (!is_complete(r, i))
            return impossible_data(&r->data[i], err);
    return NEREUS_OK;
}

static enum nereus_status unpack_processes(struct record *r, struct nereus_request *q,
                                           struct nereus_error *err)
{
    int64_t before = 0;
    for (int64_t i = 0; i < q->group_count; i++) {
        struct nereus_group *group = &q->groups[i];
        pass_group(r, group);
        if (group->node < 0 || group->processes < 1)
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "request record with an impossible group %lld", (long long)i);
    }
    for (int64_t i = 0; i < q->leaver_count; i++) {
        struct nereus_leavers *leavers = &q->leavers[i];
        pass_leavers(r, leavers);
        if (leavers->first < before || leavers->count < 1 ||
            leavers->count > q->ns - leavers->first || leavers->ends < 0 || leavers->ends > 1)
            return nereus_fail(err, NEREUS_ERR_PARSE, "request record with impossible leavers %lld",
                               (long long)i);
        before = leavers->first + leavers->count;
    }
    pass_list(r, q->lost, q->lost_count);
    for (int64_t i = 0; i < q->lost_count; i++)
        if (q->lost[i] < 0)
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "request record with an impossible lost node %lld",
                               (long long)q->lost[i]);
    return NEREUS_OK;
}

static enum nereus_status unpack_rest(struct record *r, struct nereus_request *q,
                                      struct nereus_error *err)
{
    NEREUS_TRY(allocate_arrays(q, err));
    for (int64_t i = 0; i < q->data_count; i++)
        NEREUS_TRY(unpack_entry(r, q->partition_count, &q->data[i], err));
    NEREUS_TRY(unpack_processes(r, q, err));
    NEREUS_TRY(unpack_partitions(r, q, err));
    return check_entries(q, err);
}

enum nereus_status nereus_request_unpack(const unsigned char *buffer, size_t bytes,
                                         struct nereus_request *request, struct nereus_error *err)
{
    struct record r = {.from = buffer, .all = bytes};
    struct nereus_request q = {0};
    if (bytes < HEADER_BYTES)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record of %zu bytes is cut off", bytes);
    pass_header(&r, &q);
    NEREUS_TRY(check_header(&r, &q, bytes, err));
    const enum nereus_status status = unpack_rest(&r, &q, err);
    if (status != NEREUS_OK)
        nereus_request_fini(&q);
    else
        *request = q;
    return status;
}

void nereus_request_fini(struct nereus_request *request)
{
    free(request->data);
    free(request->groups);
    free(request->leavers);
    free(request->lost);
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
    request->lost = NULL;
    request->data_count = request->group_count = request->leaver_count = request->lost_count = 0;
}

uint64_t nereus_hash(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}
