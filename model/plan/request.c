/** @file request.c  Packs and unpacks request records in a portable form (little-endian 64-bit
 * integers and fixed-length names), which the runtime broadcasts, and checks them. */
#include "nereus/request.h"

#include "model/util/base.h"

enum {
    HEADER_BYTES = 8 * 23,
    ENTRY_BYTES = NEREUS_DATA_NAME_MAX + 8 * 7,
    PARTITION_BYTES = NEREUS_DATA_NAME_MAX + 8 * 5,
    /* structs of plain integers, coded as lists of them */
    GROUP_INTEGERS = sizeof(struct nereus_group) / sizeof(int64_t),
    LEAVERS_INTEGERS = sizeof(struct nereus_leavers) / sizeof(int64_t),
    GRID_INTEGERS = sizeof(struct nereus_grid) / sizeof(int64_t)
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

/* A pass over the members of a record; one list of members serves to write, read and count. */
struct record {
    unsigned char *to;         /* NULL: not written */
    const unsigned char *from; /* NULL: not read */
    size_t bytes, all_bytes;   /* bytes passed so far; bytes of the record that is read */
    const char *unknown;       /* name of the first unknown code; NULL: none */
    int64_t code;
};

static void code_integer(struct record *record, int64_t *value)
{
    uint64_t bits = record->from == NULL ? (uint64_t)*value : 0;
    for (size_t i = 0; i < 8; i++)
        if (record->from != NULL)
            bits |= (uint64_t)record->from[record->bytes + i] << (8 * i);
        else if (record->to != NULL)
            record->to[record->bytes + i] = (unsigned char)(bits >> (8 * i));
    if (record->from != NULL)
        *value = (int64_t)bits;
    record->bytes += 8;
}

static int64_t code_enumerator(struct record *record, int64_t value, int64_t count,
                               const char *what)
{
    code_integer(record, &value);
    if (value >= 0 && value < count)
        return value;
    record->code = record->unknown == NULL ? value : record->code;
    record->unknown = record->unknown == NULL ? what : record->unknown;
    return 0;
}

#define PASS_CODE(r, member, count, what)                                                          \
    do {                                                                                           \
        const int64_t code_ = code_enumerator((r), (int64_t)(member), (count), (what));            \
        if ((r)->from != NULL)                                                                     \
            (member) = (__typeof__(member))code_;                                                  \
    } while (0)

static void code_name(struct record *record, char *name)
{
    if (record->to != NULL) {
        /* the hash includes the bytes after the terminator */
        memset(record->to + record->bytes, 0, NEREUS_DATA_NAME_MAX);
        memcpy(record->to + record->bytes, name, strnlen(name, NEREUS_DATA_NAME_MAX - 1));
    } else if (record->from != NULL) {
        memcpy(name, record->from + record->bytes, NEREUS_DATA_NAME_MAX);
        name[NEREUS_DATA_NAME_MAX - 1] = '\0';
    }
    record->bytes += NEREUS_DATA_NAME_MAX;
}

static void code_header(struct record *record, struct nereus_request *request)
{
    static const char code[] = "method code";
    struct nereus_method *m = &request->method;
    code_integer(record, &request->version);
    code_integer(record, &request->number);
    code_integer(record, &request->point);
    code_integer(record, &request->ns);
    code_integer(record, &request->nt);
    code_integer(record, &request->zombies);
    code_integer(record, &request->next_world_id);
    PASS_CODE(record, m->process, NEREUS_PROCESS_COUNT, code);
    PASS_CODE(record, m->strategy, NEREUS_STRATEGY_COUNT, code);
    PASS_CODE(record, m->async, 2, code);
    PASS_CODE(record, m->shrink, NEREUS_SHRINK_COUNT, code);
    PASS_CODE(record, m->has_data, 2, code);
    PASS_CODE(record, m->data, NEREUS_DATA_COUNT, code);
    PASS_CODE(record, m->overlap, NEREUS_OVERLAP_COUNT, code);
    PASS_CODE(record, m->distribution, NEREUS_DISTRIBUTION_COUNT, "distribution");
    code_integer(record, &request->data_count);
    code_integer(record, &request->group_count);
    code_integer(record, &request->leaver_count);
    code_integer(record, &request->bridge);
    code_integer(record, &request->batch);
    code_integer(record, &request->partition_count);
    code_integer(record, &request->gained_nodes);
    code_integer(record, &request->lost_count);
}

static void code_entry(struct record *record, struct nereus_data_entry *entry)
{
    code_name(record, entry->name);
    code_integer(record, &entry->element_bytes);
    code_integer(record, &entry->count);
    PASS_CODE(record, entry->kind, 2, entry->name);
    PASS_CODE(record, entry->placement, NEREUS_MOVED_BY_APPLICATION + 1, entry->name);
    PASS_CODE(record, entry->shape, NEREUS_SHAPE_COUNT, entry->name);
    code_integer(record, &entry->undistributed);
    code_integer(record, &entry->partition);
}

static void code_list(struct record *record, int64_t *list, int64_t count)
{
    for (int64_t k = 0; list != NULL && k < count; k++)
        code_integer(record, &list[k]);
}

/* Who starts and leaves, and the nodes that are lost. */
static void code_processes(struct record *record, const struct nereus_request *request)
{
    code_list(record, (int64_t *)(void *)request->groups, request->group_count * GROUP_INTEGERS);
    code_list(record, (int64_t *)(void *)request->leavers,
              request->leaver_count * LEAVERS_INTEGERS);
    code_list(record, request->lost_nodes, request->lost_count);
}

/* Form of a packed partition: which integers follow its fixed members. */
enum form_code {
    FORM_BLOCK,
    FORM_BOUNDS,
    FORM_BOUNDS_AND_ORDER,
    FORM_GRID,
    FORM_GRID_AND_ORDER,
    FORM_COUNT
};
struct form {
    int64_t n, old_bytes, new_bytes;
};

static int64_t find_form(const struct nereus_partition *partition)
{
    const bool grid = nereus_partition_is_grid(partition);
    if (partition->bounds == NULL && !grid)
        return FORM_BLOCK;
    return (grid ? FORM_GRID : FORM_BOUNDS) + (partition->order != NULL ? 1 : 0);
}

/* Count the integers of bounds or of a grid; the rank order follows them. */
static size_t count_cut_integers(int64_t form, int64_t processes)
{
    if (form == FORM_BLOCK)
        return 0;
    return form >= FORM_GRID ? (size_t)GRID_INTEGERS : (size_t)processes + 1;
}

static bool has_order(int64_t form)
{
    return form == FORM_BOUNDS_AND_ORDER || form == FORM_GRID_AND_ORDER;
}

static size_t count_form_integers(int64_t form, int64_t processes)
{
    return count_cut_integers(form, processes) + (has_order(form) ? (size_t)processes : 0);
}

static void code_partition(struct record *record, struct nereus_data_partition *p,
                           struct form *form)
{
    code_name(record, p->name);
    code_integer(record, &form->n);
    code_integer(record, &p->parent);
    code_integer(record, &p->weights);
    code_integer(record, &form->old_bytes);
    code_integer(record, &form->new_bytes);
}

static void code_bounds(struct record *record, const struct nereus_partition *partition)
{
    struct nereus_grid grid = partition->grid;
    code_list(record, partition->bounds, partition->processes + 1);
    if (nereus_partition_is_grid(partition))
        code_list(record, (int64_t *)(void *)&grid, GRID_INTEGERS);
    code_list(record, partition->order, partition->processes);
}

/* Write a request, or count its bytes. */
static size_t code_request(struct record record, struct nereus_request request)
{
    code_header(&record, &request);
    for (int64_t i = 0; i < request.data_count; i++)
        code_entry(&record, &request.data[i]);
    code_processes(&record, &request);
    for (int64_t i = 0; i < request.partition_count; i++) {
        struct nereus_data_partition *p = &request.partitions[i];
        struct form form = {p->old_ranges.n, find_form(&p->old_ranges), find_form(&p->new_ranges)};
        code_partition(&record, p, &form);
        code_bounds(&record, &p->old_ranges);
        code_bounds(&record, &p->new_ranges);
    }
    return record.bytes;
}

size_t nereus_request_packed_bytes(const struct nereus_request *request)
{
    return code_request((struct record){0}, *request);
}

void nereus_request_pack(const struct nereus_request *request, unsigned char *buffer)
{
    code_request((struct record){.to = buffer}, *request);
}

/* Do the counted entries fit into the record? The remainder belongs to the partitions. */
static bool counts_fit(const struct nereus_request *request, size_t bytes)
{
    const uint64_t sizes[] = {ENTRY_BYTES, 8 * GROUP_INTEGERS, 8 * LEAVERS_INTEGERS, 8};
    const int64_t counts[] = {request->data_count, request->group_count, request->leaver_count,
                              request->lost_count};
    uint64_t left = bytes - HEADER_BYTES;
    for (size_t i = 0; i < NEREUS_COUNT_OF(counts); i++) {
        if (counts[i] < 0 || (uint64_t)counts[i] > left / sizes[i])
            return false;
        left -= (uint64_t)counts[i] * sizes[i];
    }
    return request->partition_count == 0
               ? left == 0
               : (uint64_t)request->partition_count <= left / PARTITION_BYTES;
}

static enum nereus_status check_header(const struct record *record,
                                       const struct nereus_request *request, size_t bytes,
                                       struct nereus_error *err)
{
    if (request->version != NEREUS_RECORD_VERSION)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record of version %lld, this program knows version %d",
                           (long long)request->version, NEREUS_RECORD_VERSION);
    if (request->ns < 1 || request->nt < 1 || request->zombies < 0 || request->data_count < 0 ||
        request->partition_count < 0 || request->gained_nodes < 0)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "request record with impossible counts (%lld sources, %lld targets, %lld zombies, "
            "%lld data, %lld partitions)",
            (long long)request->ns, (long long)request->nt, (long long)request->zombies,
            (long long)request->data_count, (long long)request->partition_count);
    if (!counts_fit(request, bytes))
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "request record of %zu bytes does not hold its %lld data entries, %lld groups, "
            "%lld leavers and %lld "
            "partitions",
            bytes, (long long)request->data_count, (long long)request->group_count,
            (long long)request->leaver_count, (long long)request->partition_count);
    if (record->unknown != NULL)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an unknown %s %lld",
                           record->unknown, (long long)record->code);
    if (request->bridge < 0 || request->bridge > 1)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record with bridge %lld, which is 0 or 1",
                           (long long)request->bridge);
    if (request->batch < 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record with batches of %lld processes",
                           (long long)request->batch);
    return NEREUS_OK;
}

static enum nereus_status fail_impossible_data(const struct nereus_data_entry *entry,
                                               struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "request record with impossible data '%s'",
                       entry->name);
}

static enum nereus_status unpack_entry(struct record *record, int64_t partitions,
                                       struct nereus_data_entry *entry, struct nereus_error *err)
{
    code_entry(record, entry);
    return record->unknown != NULL || entry->element_bytes < 1 || entry->count < 0 ||
                   entry->count > INT64_MAX / entry->element_bytes || entry->undistributed < 0 ||
                   entry->partition < 0 || entry->partition > partitions
               ? fail_impossible_data(entry, err)
               : NEREUS_OK;
}

static enum nereus_status allocate_arrays(struct nereus_request *request, struct nereus_error *err)
{
    request->data = calloc((size_t)request->data_count + 1, sizeof *request->data);
    request->groups = calloc((size_t)request->group_count + 1, sizeof *request->groups);
    request->leavers = calloc((size_t)request->leaver_count + 1, sizeof *request->leavers);
    request->partitions = calloc((size_t)request->partition_count + 1, sizeof *request->partitions);
    request->lost_nodes = calloc((size_t)request->lost_count + 1, sizeof *request->lost_nodes);
    NEREUS_TRY_MEMORY(request->data && request->groups && request->leavers && request->partitions &&
                          request->lost_nodes,
                      err, "for a record of %lld data entries", (long long)request->data_count);
    return NEREUS_OK;
}

static enum nereus_status fail_impossible_partition(int64_t i, struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "request record with an impossible partition %lld",
                       (long long)i);
}

static enum nereus_status fail_cut_off(struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "request record with partitions that are cut off");
}

/* Make a partition of the integers that belong to its form. */
static enum nereus_status make_partition(int64_t n, int64_t processes, int64_t form,
                                         const int64_t *integers,
                                         struct nereus_partition *partition,
                                         struct nereus_error *err)
{
    const int64_t *order = has_order(form) ? integers + count_cut_integers(form, processes) : NULL;
    struct nereus_grid grid;
    if (form < FORM_GRID)
        return nereus_partition_make(n, processes, integers, order, partition, err);
    memcpy(&grid, integers, sizeof grid);
    if (nereus_grid_check(&grid, err) != NEREUS_OK || nereus_grid_count(&grid) != n ||
        !nereus_grid_is_on(&grid, processes))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a grid that is none");
    return nereus_partition_grid(&grid, order, partition, err);
}

static enum nereus_status unpack_bounds(struct record *record, int64_t n, int64_t processes,
                                        int64_t form, struct nereus_partition *partition,
                                        struct nereus_error *err)
{
    const size_t left = record->all_bytes - record->bytes;
    *partition = nereus_partition_block(n, processes);
    if (form == 0)
        return NEREUS_OK;
    if ((uint64_t)processes > left / 8 || count_form_integers(form, processes) > left / 8)
        return fail_cut_off(err);
    const size_t count = count_form_integers(form, processes);
    int64_t *integers = malloc(count * sizeof *integers);
    NEREUS_TRY_MEMORY(integers, err, "for the bounds of %lld processes", (long long)processes);
    code_list(record, integers, (int64_t)count);
    const enum nereus_status status = make_partition(n, processes, form, integers, partition, err);
    free(integers);
    return status;
}

static enum nereus_status unpack_partition(struct record *record, struct nereus_request *request,
                                           int64_t i, struct nereus_error *err)
{
    struct nereus_data_partition *p = &request->partitions[i];
    struct form form = {0};
    if (record->all_bytes - record->bytes < PARTITION_BYTES)
        return fail_cut_off(err);
    code_partition(record, p, &form);
    if (form.n < 0 || p->parent < 0 || p->parent > i || p->weights < -1 ||
        p->weights > request->data_count || form.old_bytes < 0 || form.old_bytes >= FORM_COUNT ||
        form.new_bytes < 0 || form.new_bytes >= FORM_COUNT)
        return fail_impossible_partition(i, err);
    enum nereus_status status =
        unpack_bounds(record, form.n, request->ns, form.old_bytes, &p->old_ranges, err);
    if (status == NEREUS_OK)
        status = unpack_bounds(record, form.n, request->nt, form.new_bytes, &p->new_ranges, err);
    if (status == NEREUS_OK && !nereus_grid_same(&p->old_ranges.grid, &p->new_ranges.grid))
        status = NEREUS_ERR_ARGUMENT;
    return status == NEREUS_ERR_ARGUMENT ? fail_impossible_partition(i, err) : status;
}

static enum nereus_status unpack_partitions(struct record *record, struct nereus_request *request,
                                            struct nereus_error *err)
{
    for (int64_t i = 0; i < request->partition_count; i++)
        NEREUS_TRY(unpack_partition(record, request, i, err));
    if (record->bytes != record->all_bytes)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "request record with %zu bytes behind its partitions",
                           record->all_bytes - record->bytes);
    return NEREUS_OK;
}

/* Find the parent of an entry's partition: a partition, from 1; 0: none. */
static int64_t find_parent(const struct nereus_request *request,
                           const struct nereus_data_entry *entry)
{
    return entry->partition == 0 ? 0 : request->partitions[entry->partition - 1].parent;
}

/* Are these the pointers of a sparse matrix, with its indices and values, cut at the rows? */
static bool is_sparse(const struct nereus_request *request, int64_t pointers)
{
    if (pointers < 0 || pointers + 2 >= request->data_count)
        return false;
    const struct nereus_data_entry *e = &request->data[pointers];
    return (e->shape == NEREUS_CSR || e->shape == NEREUS_CSC) && e[1].shape == NEREUS_INDICES &&
           e[2].shape == NEREUS_VALUES && e[1].partition == e[2].partition && e->partition > 0 &&
           find_parent(request, &e[1]) == e->partition;
}

/* Does entry i have the partition and the neighbouring entries that its shape needs? */
static bool has_needed_neighbours(const struct nereus_request *request, int64_t i)
{
    const struct nereus_data_entry *entry = &request->data[i];
    const bool grid =
        entry->partition > 0 &&
        nereus_partition_is_grid(&request->partitions[entry->partition - 1].old_ranges);
    if (grid != (entry->shape == NEREUS_FIELD))
        return false;
    switch (entry->shape) {
    case NEREUS_FIELD:
        return request->partitions[entry->partition - 1].old_ranges.n == entry->count;
    case NEREUS_CUSTOM:
        return find_parent(request, entry) > 0;
    case NEREUS_CSR:
    case NEREUS_CSC:
        return is_sparse(request, i);
    case NEREUS_INDICES:
        return is_sparse(request, i - 1);
    case NEREUS_VALUES:
        return is_sparse(request, i - 2);
    default:
        return true;
    }
}

static enum nereus_status check_entries(const struct nereus_request *request,
                                        struct nereus_error *err)
{
    for (int64_t i = 0; i < request->data_count; i++)
        if (!has_needed_neighbours(request, i))
            return fail_impossible_data(&request->data[i], err);
    return NEREUS_OK;
}

static enum nereus_status unpack_processes(struct record *record, struct nereus_request *request,
                                           struct nereus_error *err)
{
    int64_t before = 0;
    code_processes(record, request);
    for (int64_t i = 0; i < request->group_count; i++) {
        const struct nereus_group *group = &request->groups[i];
        if (group->node < 0 || group->processes < 1)
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "request record with an impossible group %lld", (long long)i);
    }
    for (int64_t i = 0; i < request->leaver_count; i++) {
        const struct nereus_leavers *leavers = &request->leavers[i];
        if (leavers->first < before || leavers->count < 1 ||
            leavers->count > request->ns - leavers->first || leavers->ends < 0 || leavers->ends > 1)
            return nereus_fail(err, NEREUS_ERR_PARSE, "request record with impossible leavers %lld",
                               (long long)i);
        before = leavers->first + leavers->count;
    }
    for (int64_t i = 0; i < request->lost_count; i++)
        if (request->lost_nodes[i] < 0)
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "request record with an impossible lost node %lld",
                               (long long)request->lost_nodes[i]);
    return NEREUS_OK;
}

static enum nereus_status unpack_rest(struct record *record, struct nereus_request *request,
                                      struct nereus_error *err)
{
    NEREUS_TRY(allocate_arrays(request, err));
    for (int64_t i = 0; i < request->data_count; i++)
        NEREUS_TRY(unpack_entry(record, request->partition_count, &request->data[i], err));
    NEREUS_TRY(unpack_processes(record, request, err));
    NEREUS_TRY(unpack_partitions(record, request, err));
    return check_entries(request, err);
}

enum nereus_status nereus_request_unpack(const unsigned char *buffer, size_t bytes,
                                         struct nereus_request *request, struct nereus_error *err)
{
    struct record record = {.from = buffer, .all_bytes = bytes};
    struct nereus_request unpacked = {0};
    if (bytes < HEADER_BYTES)
        return nereus_fail(err, NEREUS_ERR_PARSE, "request record of %zu bytes is cut off", bytes);
    code_header(&record, &unpacked);
    NEREUS_TRY(check_header(&record, &unpacked, bytes, err));
    const enum nereus_status status = unpack_rest(&record, &unpacked, err);
    if (status != NEREUS_OK)
        nereus_request_fini(&unpacked);
    else
        *request = unpacked;
    return status;
}

void nereus_request_fini(struct nereus_request *request)
{
    free(request->data);
    free(request->groups);
    free(request->leavers);
    free(request->lost_nodes);
    for (int64_t i = 0; request->partitions != NULL && i < request->partition_count; i++) {
        nereus_partition_fini(&request->partitions[i].old_ranges);
        nereus_partition_fini(&request->partitions[i].new_ranges);
    }
    free(request->partitions);
    request->partitions = NULL;
    request->partition_count = 0;
    request->data = NULL;
    request->groups = NULL;
    request->leavers = NULL;
    request->lost_nodes = NULL;
    request->data_count = request->group_count = request->leaver_count = request->lost_count = 0;
}

uint64_t nereus_hash(const void *data, size_t bytes)
{
    const unsigned char *position = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ position[i]) * UINT64_C(0x100000001b3);
    return hash;
}
