/** @file test_request.c  The request record: its portable form, what is refused of one, and its
 * hash. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "nereus/request.h"
#include "tests/unit/random.h"

enum {
    HEADER_BYTES = 23 * 8,
    ENTRY_BYTES = NEREUS_DATA_NAME_MAX + 7 * 8,
    PARTITION_BYTES = NEREUS_DATA_NAME_MAX + 5 * 8,
    GROUP_BYTES = 2 * 8,
    LEAVERS_BYTES = 3 * 8,
    LOST_BYTES = 8
};

/* 23 sources and 37 targets share 1009 elements; the first target stands last. */
static int64_t before_bounds[24], after_bounds[38], after_order[37], after_place[37];

static struct nereus_data_partition *some_partitions(void)
{
    static struct nereus_data_partition partitions[3];
    for (int64_t k = 0; k < 23; k++)
        before_bounds[k] = 40 * k;
    for (int64_t k = 0; k < 37; k++)
        after_bounds[k] = 27 * k;
    for (int64_t k = 0; k < 37; k++) {
        after_order[k] = (k + 1) % 37;
        after_place[(k + 1) % 37] = k;
    }
    before_bounds[23] = after_bounds[37] = 1009;
    partitions[0] =
        (struct nereus_data_partition){"rows",
                                       0,
                                       2,
                                       {.n = 1009, .processes = 23, .bounds = before_bounds},
                                       {.n = 1009,
                                        .processes = 37,
                                        .bounds = after_bounds,
                                        .order = after_order,
                                        .place = after_place}};
    partitions[1] = (struct nereus_data_partition){
        "", 0, -1, {.n = 77, .processes = 23}, {.n = 77, .processes = 37}};
    partitions[2] = (struct nereus_data_partition){
        "rows (non-zeros)", 1, 0, {.n = 5, .processes = 23}, {.n = 5, .processes = 37}};
    return partitions;
}

static struct nereus_group some_groups[] = {{6, 3}, {2, 11}};
static struct nereus_leavers some_leavers[] = {{2, 3, 1}, {5, 4, 0}, {17, 6, 1}};
static int64_t some_lost[] = {12, 3};

/* Two data entries, three partitions, two groups, three ranges of leavers (which no request has
 * beside new groups, but a record may); no field 0 or 1 that could hide another. */
static struct nereus_request example(struct nereus_data_entry *data)
{
    data[0] = (struct nereus_data_entry){
        "temperature", 8, 1009, NEREUS_VARIABLE, NEREUS_DISTRIBUTED, NEREUS_BY_ROWS, 3, 2};
    data[1] =
        (struct nereus_data_entry){"seed", 4, 7, NEREUS_CONSTANT, .placement = NEREUS_REPLICATED};
    return (struct nereus_request){.version = NEREUS_RECORD_VERSION,
                                   .number = 7,
                                   .point = 4321,
                                   .ns = 23,
                                   .nt = 37,
                                   .zombies = 5,
                                   .next_world_id = 9,
                                   .method = {NEREUS_MERGE, NEREUS_SINGLE, true, NEREUS_ZS, true,
                                              NEREUS_COLL, NEREUS_THREAD, NEREUS_KEEP},
                                   .data_count = 2,
                                   .data = data,
                                   .group_count = 2,
                                   .groups = some_groups,
                                   .leaver_count = 3,
                                   .leavers = some_leavers,
                                   .bridge = 1,
                                   .batch = 29,
                                   .gained_nodes = 3,
                                   .lost_count = 2,
                                   .lost_nodes = some_lost,
                                   .partition_count = 3,
                                   .partitions = some_partitions()};
}

/* Who comes and who leaves. */
static void add_processes(struct nereus_request *r)
{
    int64_t next = 0;
    r->bridge = random_below(2);
    r->batch = random_below(1000);
    r->group_count = random_below(9);
    r->groups = calloc((size_t)r->group_count + 1, sizeof *r->groups);
    for (int64_t i = 0; i < r->group_count; i++)
        r->groups[i] = (struct nereus_group){random_below(1000), 1 + random_below(1 << 20)};
    r->leavers = calloc(9, sizeof *r->leavers);
    for (; r->leaver_count < 8 && next < r->ns - 1 && random_below(4) > 0; r->leaver_count++) {
        struct nereus_leavers *leavers = &r->leavers[r->leaver_count];
        leavers->first = next + random_below(r->ns - next);
        leavers->count = 1 + random_below(r->ns - leavers->first);
        leavers->ends = random_below(2);
        next = leavers->first + leavers->count;
    }
    r->gained_nodes = random_below(9);
    r->lost_count = random_below(5);
    r->lost_nodes = calloc(5, sizeof *r->lost_nodes);
    for (int64_t i = 0; i < r->lost_count; i++)
        r->lost_nodes[i] = random_below(1000);
}

static struct nereus_partition random_partition(int64_t n, int64_t processes)
{
    int64_t bounds[65], order[64];
    struct nereus_partition partition = nereus_partition_block(n, processes);
    const int64_t form = processes > 64 ? 0 : random_below(3);
    for (int64_t k = 0; k < processes && form > 0; k++) {
        bounds[k] = nereus_block(n, processes, k).first;
        order[k] = (k + 1) % processes;
    }
    if (form > 0) {
        bounds[processes] = n;
        cr_assert(nereus_partition_make(n, processes, bounds, form == 2 ? order : NULL, &partition,
                                        NULL) == NEREUS_OK);
    }
    return partition;
}

/*
 * Data in a partition that follows from another one are custom, or a sparse matrix.
 * @return how many entries more these are
 */
static int64_t shape_as_derived(struct nereus_request *r, int64_t i)
{
    struct nereus_data_entry *e = &r->data[i];
    const int64_t own = e->partition, parent = own == 0 ? 0 : r->partitions[own - 1].parent;
    if (parent == 0)
        return 0;
    if (i + 2 >= r->data_count || random_below(2) == 0) {
        e->shape = NEREUS_CUSTOM;
        return 0;
    }
    e[0].shape = random_below(2) == 0 ? NEREUS_CSR : NEREUS_CSC;
    e[1].shape = NEREUS_INDICES;
    e[2].shape = NEREUS_VALUES;
    e[0].partition = parent;
    e[1].partition = e[2].partition = own;
    return 2;
}

static void add_partitions(struct nereus_request *r)
{
    r->partition_count = random_below(4);
    r->partitions = calloc((size_t)r->partition_count + 1, sizeof *r->partitions);
    for (int64_t i = 0; i < r->partition_count; i++) {
        struct nereus_data_partition *p = &r->partitions[i];
        const int64_t n = random_below(1000);
        snprintf(p->name, sizeof p->name, "p%lld", (long long)random_below(INT64_MAX));
        p->parent = random_below(i + 1);
        p->weights = random_below(r->data_count + 2) - 1;
        p->old_ranges = random_partition(n, r->ns);
        p->new_ranges = random_partition(n, r->nt);
    }
    for (int64_t i = 0; i < r->data_count; i++)
        r->data[i].partition = random_below(r->partition_count + 1);
    for (int64_t i = 0; i < r->data_count; i++)
        i += shape_as_derived(r, i);
}

static struct nereus_request random_request(void)
{
    struct nereus_request r = {.version = NEREUS_RECORD_VERSION,
                               .number = random_below(1000),
                               .point = random_below(INT64_MAX),
                               .ns = 1 + random_below(1 << 20),
                               .nt = 1 + random_below(INT64_MAX - 1),
                               .zombies = random_below(99),
                               .next_world_id = random_below(99)};
    r.method =
        (struct nereus_method){(enum nereus_process)random_below(NEREUS_PROCESS_COUNT),
                               (enum nereus_strategy)random_below(NEREUS_STRATEGY_COUNT),
                               random_below(2) == 1,
                               (enum nereus_shrink)random_below(NEREUS_SHRINK_COUNT),
                               random_below(2) == 1,
                               (enum nereus_data)random_below(NEREUS_DATA_COUNT),
                               (enum nereus_overlap)random_below(NEREUS_OVERLAP_COUNT),
                               (enum nereus_distribution)random_below(NEREUS_DISTRIBUTION_COUNT)};
    r.data_count = random_below(12);
    r.data = calloc((size_t)r.data_count + 1, sizeof *r.data);
    for (int64_t i = 0; i < r.data_count; i++) {
        struct nereus_data_entry *e = &r.data[i];
        const int64_t length = random_below(NEREUS_DATA_NAME_MAX);
        for (int64_t c = 0; c < length; c++)
            e->name[c] = (char)('!' + random_below(90));
        e->element_bytes = 1 + random_below(64);
        e->count = random_below(INT64_C(1) << 40);
        e->kind = (enum nereus_data_kind)random_below(2);
        e->placement = (enum nereus_data_placement)random_below(2);
        e->shape = (enum nereus_data_shape)random_below(NEREUS_CSR);
        e->undistributed = random_below(1000);
    }
    if (random_below(2) == 0) { /* few enough for bounds */
        r.ns = 1 + random_below(64);
        r.nt = 1 + random_below(64);
    }
    add_processes(&r);
    add_partitions(&r);
    return r;
}

static unsigned char *pack(const struct nereus_request *request, size_t *bytes)
{
    *bytes = nereus_request_packed_bytes(request);
    unsigned char *buffer = malloc(*bytes);
    nereus_request_pack(request, buffer);
    return buffer;
}

static bool same_partitions(const struct nereus_request *a, const struct nereus_request *b)
{
    bool equal = a->partition_count == b->partition_count;
    for (int64_t i = 0; equal && i < a->partition_count; i++) {
        const struct nereus_data_partition *p = &a->partitions[i], *q = &b->partitions[i];
        equal = strcmp(p->name, q->name) == 0 && p->parent == q->parent &&
                p->weights == q->weights &&
                (p->old_ranges.bounds == NULL) == (q->old_ranges.bounds == NULL) &&
                (p->new_ranges.order == NULL) == (q->new_ranges.order == NULL) &&
                nereus_partition_equal(&p->old_ranges, &q->old_ranges) &&
                nereus_partition_equal(&p->new_ranges, &q->new_ranges);
    }
    return equal;
}

static bool same(const struct nereus_request *a, const struct nereus_request *b)
{
    const struct nereus_method *m = &a->method, *n = &b->method;
    bool equal = a->version == b->version && a->number == b->number && a->point == b->point &&
                 a->ns == b->ns && a->nt == b->nt && a->zombies == b->zombies &&
                 a->next_world_id == b->next_world_id && a->data_count == b->data_count &&
                 m->process == n->process && m->strategy == n->strategy && m->async == n->async &&
                 m->shrink == n->shrink && m->has_data == n->has_data && m->data == n->data &&
                 m->overlap == n->overlap && m->distribution == n->distribution;
    for (int64_t i = 0; equal && i < a->data_count; i++) {
        const struct nereus_data_entry *d = &a->data[i], *e = &b->data[i];
        equal = strcmp(d->name, e->name) == 0 && d->element_bytes == e->element_bytes &&
                d->count == e->count && d->kind == e->kind && d->placement == e->placement &&
                d->shape == e->shape && d->undistributed == e->undistributed &&
                d->partition == e->partition;
    }
    equal = equal && a->group_count == b->group_count && a->leaver_count == b->leaver_count &&
            a->bridge == b->bridge && a->batch == b->batch && a->gained_nodes == b->gained_nodes &&
            a->lost_count == b->lost_count;
    for (int64_t i = 0; equal && i < a->lost_count; i++)
        equal = a->lost_nodes[i] == b->lost_nodes[i];
    for (int64_t i = 0; equal && i < a->group_count; i++)
        equal = a->groups[i].node == b->groups[i].node &&
                a->groups[i].processes == b->groups[i].processes;
    for (int64_t i = 0; equal && i < a->leaver_count; i++)
        equal = a->leavers[i].first == b->leavers[i].first &&
                a->leavers[i].count == b->leavers[i].count &&
                a->leavers[i].ends == b->leavers[i].ends;
    return equal && same_partitions(a, b);
}

static size_t partition_bytes(const struct nereus_partition *p)
{
    return p->bounds == NULL
               ? 0
               : 8 * ((size_t)p->processes + 1 + (p->order == NULL ? 0 : (size_t)p->processes));
}

static size_t expected_bytes(const struct nereus_request *r)
{
    size_t partitions = (size_t)r->partition_count * PARTITION_BYTES;
    for (int64_t i = 0; i < r->partition_count; i++)
        partitions += partition_bytes(&r->partitions[i].old_ranges) +
                      partition_bytes(&r->partitions[i].new_ranges);
    return partitions + HEADER_BYTES + (size_t)r->data_count * ENTRY_BYTES +
           (size_t)r->group_count * GROUP_BYTES + (size_t)r->leaver_count * LEAVERS_BYTES +
           (size_t)r->lost_count * LOST_BYTES;
}

Test(request, there_and_back)
{
    for (int i = 0; i < 3000; i++) {
        struct nereus_request sent = random_request(), received;
        struct nereus_error err = {0};
        size_t bytes;
        unsigned char *buffer = pack(&sent, &bytes);
        cr_assert(bytes == expected_bytes(&sent));
        cr_assert(nereus_request_unpack(buffer, bytes, &received, &err) == NEREUS_OK, "%s",
                  err.text);
        cr_assert(same(&sent, &received), "record %d is not the same afterwards", i);
        free(buffer);
        nereus_request_fini(&sent);
        nereus_request_fini(&received);
        cr_assert(received.data == NULL && received.data_count == 0 && received.groups == NULL &&
                  received.leavers == NULL && received.partitions == NULL &&
                  received.lost_nodes == NULL && received.lost_count == 0 &&
                  received.group_count == 0 && received.leaver_count == 0);
        nereus_request_fini(&received); /* twice is fine */
    }
}

/* The same on every machine. Source: the byte layout of request.c written out by another program
 * (Python's struct module) and hashed there. */
Test(request, its_form_and_hash_are_fixed)
{
    struct nereus_data_entry data[2];
    struct nereus_request r = example(data);
    size_t bytes;
    memset(data[0].name + strlen(data[0].name) + 1, 'x',
           20); /* what follows the terminator does not count */
    unsigned char *buffer = pack(&r, &bytes);
    cr_expect(bytes == 23 * 8 + 2 * 104 + 2 * 16 + 3 * 24 + 2 * 8 + 3 * 88 + 8 * (24 + 38 + 37));
    cr_expect(nereus_hash(buffer, bytes) == UINT64_C(0x07334c71715bc9c5), "hash %016llx",
              (unsigned long long)nereus_hash(buffer, bytes));
    free(buffer);
}

/* Source: test vectors of FNV-1a, 64 bit (draft-eastlake-fnv, appendix C). */
Test(request, hash_is_fnv_1a)
{
    cr_expect(nereus_hash("", 0) == UINT64_C(0xcbf29ce484222325));
    cr_expect(nereus_hash("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    cr_expect(nereus_hash("foobar", 6) == UINT64_C(0x85944171f73967e8));
}

/* Refused with a sentence, and nothing written. */
static void expect_refused(const unsigned char *buffer, size_t bytes, const char *word,
                           const char *what)
{
    struct nereus_request untouched = {.version = 4711, .data_count = 12};
    struct nereus_error err = {0};
    cr_expect(nereus_request_unpack(buffer, bytes, &untouched, &err) == NEREUS_ERR_PARSE, "%s",
              what);
    cr_expect(err.status == NEREUS_ERR_PARSE && strstr(err.text, word) != NULL,
              "%s: '%s' lacks '%s'", what, err.text, word);
    cr_expect(untouched.version == 4711 && untouched.data_count == 12 && untouched.data == NULL,
              "%s: a refused record was written", what);
    cr_expect(nereus_request_unpack(buffer, bytes, &untouched, NULL) == NEREUS_ERR_PARSE);
}

static void put(unsigned char *position, int64_t value)
{
    for (int i = 0; i < 8; i++)
        position[i] = (unsigned char)((uint64_t)value >> (8 * i));
}

/* Entries as name, shape, partition; partition 2 follows from partition 1, and 3 from none. */
struct shapes {
    const char *what;
    enum nereus_data_shape shape[4];
    int64_t partition[4];
    bool fits;
};

Test(request, data_without_what_belongs_to_them)
{
    static const struct shapes rows[] = {
        {"custom", {NEREUS_ARRAY, NEREUS_CUSTOM}, {0, 2}, true},
        {"custom without a partition", {NEREUS_ARRAY, NEREUS_CUSTOM}, {0, 0}, false},
        {"custom that nothing cuts", {NEREUS_CUSTOM}, {3}, false},
        {"csr", {NEREUS_CSR, NEREUS_INDICES, NEREUS_VALUES}, {1, 2, 2}, true},
        {"csc at the end",
         {NEREUS_ARRAY, NEREUS_CSC, NEREUS_INDICES, NEREUS_VALUES},
         {1, 1, 2, 2},
         true},
        {"pointers last",
         {NEREUS_ARRAY, NEREUS_ARRAY, NEREUS_ARRAY, NEREUS_CSR},
         {1, 1, 1, 1},
         false},
        {"no values",
         {NEREUS_ARRAY, NEREUS_ARRAY, NEREUS_CSR, NEREUS_INDICES},
         {0, 0, 1, 2},
         false},
        {"no indices", {NEREUS_CSC, NEREUS_VALUES, NEREUS_VALUES}, {1, 2, 2}, false},
        {"indices first", {NEREUS_INDICES, NEREUS_VALUES}, {2, 2}, false},
        {"values alone", {NEREUS_VALUES}, {2}, false},
        {"indices after an array", {NEREUS_ARRAY, NEREUS_INDICES, NEREUS_VALUES}, {1, 2, 2}, false},
        {"rows without a partition", {NEREUS_CSR, NEREUS_INDICES, NEREUS_VALUES}, {0, 2, 2}, false},
        {"non-zeros that rows do not cut",
         {NEREUS_CSR, NEREUS_INDICES, NEREUS_VALUES},
         {1, 3, 3},
         false},
        {"non-zeros of other rows", {NEREUS_CSR, NEREUS_INDICES, NEREUS_VALUES}, {3, 2, 2}, false},
        {"values cut elsewhere", {NEREUS_CSR, NEREUS_INDICES, NEREUS_VALUES}, {1, 2, 3}, false},
    };
    for (size_t row = 0; row < NEREUS_COUNT_OF(rows); row++) {
        struct nereus_data_entry data[4] = {0};
        struct nereus_data_partition partitions[3] = {{.parent = 0}, {.parent = 1}, {.parent = 0}};
        struct nereus_request received, r = example(data);
        memset(data, 0, sizeof data);
        for (int i = 0; i < 4; i++)
            data[i] = (struct nereus_data_entry){.name = "d",
                                                 .element_bytes = 8,
                                                 .shape = rows[row].shape[i],
                                                 .partition = rows[row].partition[i]};
        for (int i = 0; i < 3; i++) {
            partitions[i].old_ranges = nereus_partition_block(100, r.ns);
            partitions[i].new_ranges = nereus_partition_block(100, r.nt);
        }
        r.data_count = 4;
        r.partitions = partitions;
        size_t bytes;
        unsigned char *buffer = pack(&r, &bytes);
        if (rows[row].fits) {
            cr_expect(nereus_request_unpack(buffer, bytes, &received, NULL) == NEREUS_OK, "%s",
                      rows[row].what);
            nereus_request_fini(&received);
        } else {
            expect_refused(buffer, bytes, "impossible data", rows[row].what);
        }
        free(buffer);
    }
}

Test(request, cut_off_or_too_long)
{
    enum {
        PARTITIONS = HEADER_BYTES + 2 * ENTRY_BYTES + 2 * GROUP_BYTES + 3 * LEAVERS_BYTES +
                     2 * LOST_BYTES + 3 * PARTITION_BYTES
    };
    struct nereus_data_entry data[2];
    struct nereus_request r = example(data);
    size_t bytes;
    unsigned char *buffer = pack(&r, &bytes);
    for (size_t length = 0; length < bytes; length++) {
        unsigned char *exact =
            malloc(length + 1); /* so that a sanitizer sees what is read behind it */
        memcpy(exact, buffer, length);
        expect_refused(exact, length,
                       length < HEADER_BYTES ? "cut off"
                       : length < PARTITIONS ? "data entries"
                                             : "partitions",
                       "a short record");
        free(exact);
    }
    unsigned char *longer = calloc(1, bytes + ENTRY_BYTES);
    memcpy(longer, buffer, bytes);
    expect_refused(longer, bytes + 1, "1 bytes behind", "one byte too many");
    expect_refused(longer, bytes + ENTRY_BYTES, "bytes behind", "one entry too many");
    put(longer + 20 * 8, 0);
    expect_refused(longer, bytes, "data entries", "partitions that the header does not count");
    free(longer);
    free(buffer);
}

/* One integer of the record replaced by what cannot be. */
enum {
    ENTRY_1 = HEADER_BYTES + ENTRY_BYTES + NEREUS_DATA_NAME_MAX,
    GROUP_1 = HEADER_BYTES + 2 * ENTRY_BYTES + GROUP_BYTES,
    LEAVERS_1 = HEADER_BYTES + 2 * ENTRY_BYTES + 2 * GROUP_BYTES + LEAVERS_BYTES,
    PARTITION_0 = HEADER_BYTES + 2 * ENTRY_BYTES + 2 * GROUP_BYTES + 3 * LEAVERS_BYTES +
                  2 * LOST_BYTES + NEREUS_DATA_NAME_MAX,
    LOST_1 = HEADER_BYTES + 2 * ENTRY_BYTES + 2 * GROUP_BYTES + 3 * LEAVERS_BYTES + LOST_BYTES,
    BOUNDS_0 = PARTITION_0 + 5 * 8,
    ORDER_0 = BOUNDS_0 + (24 + 38) * 8
};
static const struct {
    size_t at; /* byte */
    int64_t value;
    const char *word;
} impossible[] = {
    {0, 1, "version 1, this program knows version 4"},
    {0, 2, "version 2"},
    {0, 0, "version 0"},
    {0, INT64_C(4) << 56, "version"}, /* version 4 of a machine with the other byte order */
    {3 * 8, 0, "0 sources"},
    {3 * 8, -23, "-23 sources"},
    {4 * 8, 0, "0 targets"},
    {5 * 8, -5, "-5 zombies"},
    {7 * 8, NEREUS_PROCESS_COUNT, "method code 4"},
    {7 * 8, -1, "method code -1"},
    {8 * 8, NEREUS_STRATEGY_COUNT, "an unknown method code"},
    {9 * 8, 2, "method code 2"},
    {10 * 8, NEREUS_SHRINK_COUNT, "method code 4"},
    {11 * 8, 2, "method code 2"},
    {12 * 8, NEREUS_DATA_COUNT, "method code 5"},
    {13 * 8, NEREUS_OVERLAP_COUNT, "method code 4"},
    {13 * 8, INT64_C(1) << 32, "method code"},
    {14 * 8, NEREUS_DISTRIBUTION_COUNT, "distribution 3"},
    {14 * 8, -1, "distribution -1"},
    {15 * 8, -1, "-1 data"},
    {20 * 8, -1, "-1 partitions"},
    {20 * 8, 2, "behind"},
    {20 * 8, 4, "partitions"},
    {20 * 8, INT64_MAX, "partitions"},
    {15 * 8, 1, ""}, /* what comes next is read as something else */
    {15 * 8, 3, ""},
    {15 * 8, INT64_MAX, "data entries"},
    {16 * 8, -2, "-2 groups"},
    {16 * 8, 3, ""},
    {16 * 8, INT64_MAX, "groups"},
    {17 * 8, -3, "-3 leavers"},
    {17 * 8, 2, ""},
    {18 * 8, 2, "bridge 2"},
    {18 * 8, -1, "bridge -1"},
    {19 * 8, -2, "batches of -2"},
    {21 * 8, -1, "impossible counts"},
    {22 * 8, -1, "does not hold"},
    {22 * 8, INT64_MAX, "does not hold"},
    {LOST_1, -3, "lost node -3"},
    {GROUP_1, -6, "group 1"},
    {GROUP_1 + 8, 0, "group 1"},
    {GROUP_1 + 8, -11, "group 1"},
    {LEAVERS_1, 4, "leavers 1"}, /* one of the range before */
    {LEAVERS_1, -5, "leavers 1"},
    {LEAVERS_1, 16, "leavers 2"}, /* reaches into the next */
    {LEAVERS_1 + 8, 0, "leavers 1"},
    {LEAVERS_1 + 8, 19, "leavers 1"}, /* more than there are sources */
    {LEAVERS_1 + 8, INT64_MAX, "leavers 1"},
    {LEAVERS_1 + 16, 2, "leavers 1"},
    {ENTRY_1, 0, "'seed'"},
    {ENTRY_1, -4, "'seed'"},
    {ENTRY_1 + 8, -7, "'seed'"},
    {ENTRY_1 + 8, INT64_MAX / 4 + 1, "'seed'"}, /* more bytes than can be counted */
    {ENTRY_1 + 16, 2, "'seed'"},
    {ENTRY_1 + 24, -1, "'seed'"},
    {ENTRY_1 + 32, NEREUS_SHAPE_COUNT, "'seed'"},
    {ENTRY_1 + 40, -2, "'seed'"},
    {ENTRY_1 + 48, 4, "'seed'"}, /* there are three */
    {ENTRY_1 + 48, -1, "'seed'"},
    {PARTITION_0, -1009, "partition 0"},
    {PARTITION_0, 1010, "partition 0"},  /* not what its bounds end with */
    {PARTITION_0 + 8, 1, "partition 0"}, /* its own parent */
    {PARTITION_0 + 16, 3, "partition 0"},
    {PARTITION_0 + 16, -2, "partition 0"},
    {PARTITION_0 + 24, 3, "partition 0"},
    {PARTITION_0 + 32, -1, "partition 0"},
    {BOUNDS_0, 1, "partition 0"},
    {BOUNDS_0 + 8, 81, "partition 0"}, /* above the next */
    {ORDER_0, 37, "partition 0"},
    {ORDER_0, 2, "partition 0"}, /* twice */
};

Test(request, impossible_values)
{
    struct nereus_data_entry data[2];
    struct nereus_request r = example(data);
    size_t bytes;
    for (size_t i = 0; i < NEREUS_COUNT_OF(impossible); i++) {
        unsigned char *buffer = pack(&r, &bytes);
        put(buffer + impossible[i].at, impossible[i].value);
        expect_refused(buffer, bytes, impossible[i].word, impossible[i].word);
        free(buffer);
    }
}

/* Damaged records are refused or read as something else, but never hurt. */
Test(request, damaged_records_do_no_harm)
{
    for (int i = 0; i < 20000; i++) {
        struct nereus_request sent = random_request(), received;
        struct nereus_request_bytes sum;
        size_t bytes;
        unsigned char *buffer = pack(&sent, &bytes);
        for (int64_t hits = 1 + random_below(3); hits > 0; hits--)
            buffer[random_below((int64_t)bytes)] = (unsigned char)random_below(256);
        if (nereus_request_unpack(buffer, bytes, &received, NULL) == NEREUS_OK) {
            for (int64_t d = 0; d < received.data_count; d++)
                cr_assert(memchr(received.data[d].name, '\0', NEREUS_DATA_NAME_MAX) != NULL);
            if (received.data_count == 1)
                nereus_request_sum_bytes(&received, &sum);
            nereus_request_fini(&received);
        }
        free(buffer);
        nereus_request_fini(&sent);
    }
}

/* Source: the definition in request.h, added up by hand. */
Test(request, sums_of_bytes)
{
    struct nereus_data_entry data[] = {
        {"a", 8, 1009, NEREUS_CONSTANT, .placement = NEREUS_DISTRIBUTED},
        {"b", 16, 517, NEREUS_CONSTANT, .placement = NEREUS_DISTRIBUTED},
        {"c", 4, 65537, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
        {"d", 2, 0, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
        {"e", 8, 7, NEREUS_CONSTANT, .placement = NEREUS_REPLICATED},
        {"f", 3, 11, NEREUS_VARIABLE, .placement = NEREUS_REPLICATED}};
    struct nereus_request r = {.data_count = NEREUS_COUNT_OF(data), .data = data};
    struct nereus_request_bytes sum = {-1, -1, -1};
    nereus_request_sum_bytes(&r, &sum);
    cr_expect(sum.constant_bytes == 8072 + 8272);
    cr_expect(sum.variable_bytes == 262148);
    cr_expect(sum.replicated_bytes == 56 + 33);
    r.data_count = 0;
    nereus_request_sum_bytes(&r, &sum);
    cr_expect(sum.constant_bytes == 0 && sum.variable_bytes == 0 && sum.replicated_bytes == 0);
}
