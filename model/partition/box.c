/**
 * @file box.c
 * Copies between boxes and buffers: nested loops over the dimensions, down to runs of elements that
 * are contiguous on both sides.
 */
#include "box.h"

enum { SLICE_BYTES = 1 << 20 };

bool nereus_grid_has_halo(const struct nereus_grid *grid)
{
    for (int d = 0; d < grid->dimensions; d++)
        if (grid->halo[d] > 0)
            return true;
    return false;
}

struct box_memory nereus_box_memory(const struct nereus_grid *grid, int64_t place)
{
    struct box_memory memory = {.elements = 1};
    int64_t coordinates[NEREUS_GRID_DIMENSIONS];
    bool empty = false;
    nereus_grid_coordinates(grid, place, coordinates);
    for (int d = (int)grid->dimensions - 1; d >= 0; d--) {
        const int64_t count = nereus_grid_extent(grid, d, coordinates[d]).count;
        memory.strides[d] = memory.elements;
        memory.origin += grid->halo[d] * memory.elements;
        memory.elements *= count + 2 * grid->halo[d];
        empty = empty || count == 0;
    }
    if (empty)
        memory.elements = memory.origin = 0;
    return memory;
}

/* ---- visits ---------------------------------------------------------------------------------- */

static void visit_dimension(struct box_visit *visit, int d, int64_t at_a, int64_t at_b);

/* Elements of one interval: the last dimension is one run. */
static void visit_interval(struct box_visit *visit, int d, int64_t at_a, int64_t at_b,
                           int64_t count)
{
    if (d == visit->last) {
        visit->run(visit, at_a, at_b, count * visit->memory_a.strides[d]);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        visit_dimension(visit, d + 1, at_a + i * visit->memory_a.strides[d],
                        at_b + i * visit->memory_b.strides[d]);
}

/* Dimension 0 can be visited in slices: of one element, or of about SLICE_BYTES if its elements are
 * one run. */
static void visit_slices(struct box_visit *visit, int64_t at_a, int64_t at_b, int64_t count)
{
    const int64_t element = visit->memory_a.strides[0] * visit->element_bytes,
                  each = visit->last == 0 ? nereus_max(1, SLICE_BYTES / element) : 1;
    for (int64_t i = 0; i < count; i += each) {
        if (visit->done_bytes >= visit->limit)
            return;
        if (visit->slice++ < visit->skip)
            continue;
        visit_interval(visit, 0, at_a + i * visit->memory_a.strides[0],
                       at_b + i * visit->memory_b.strides[0], nereus_min(each, count - i));
    }
}

static void visit_shared(struct box_visit *visit, int d, int64_t at_a, int64_t at_b, int64_t count)
{
    if (d == 0)
        visit_slices(visit, at_a, at_b, count);
    else
        visit_interval(visit, d, at_a, at_b, count);
}

/* Find the offsets of an interval in both boxes. */
static struct shared_block find_offsets(const struct box_visit *visit, int d,
                                        struct nereus_range shared)
{
    return (struct shared_block){
        true, nereus_grid_local_index(visit->a.grid, d, shared.first) * visit->memory_a.strides[d],
        nereus_grid_local_index(visit->b.grid, d, shared.first) * visit->memory_b.strides[d],
        shared.count};
}

static void visit_dimension(struct box_visit *visit, int d, int64_t at_a, int64_t at_b)
{
    const struct shared_block *block = &visit->blocks[d];
    struct shared_intervals intervals = {0};
    struct nereus_range shared;
    if (block->known) {
        visit_shared(visit, d, at_a + block->at_a, at_b + block->at_b, block->count);
        return;
    }
    while (nereus_grid_next_shared(&visit->a, &visit->b, d, &intervals, &shared)) {
        const struct shared_block one = find_offsets(visit, d, shared);
        visit_shared(visit, d, at_a + one.at_a, at_b + one.at_b, one.count);
    }
}

/* Does the interval of a dimension fill its row, with no halo, in both boxes? Then the interval is
 * contiguous with the next element of the dimension before. */
static bool fills_row(const struct box_visit *visit, int d)
{
    const int64_t *a = visit->memory_a.strides, *b = visit->memory_b.strides;
    return visit->blocks[d].known && visit->blocks[d].count * a[d] == a[d - 1] &&
           visit->blocks[d].count * b[d] == b[d - 1];
}

/* Find what is the same for all elements: the intervals of blocks, and the dimensions of a run. */
static bool find_blocks(struct box_visit *visit)
{
    const int dimensions = (int)visit->a.grid->dimensions;
    for (int d = 0; d < dimensions; d++) {
        struct shared_intervals intervals = {0};
        struct nereus_range shared;
        if (visit->a.grid->block[d] > 0)
            continue;
        if (!nereus_grid_next_shared(&visit->a, &visit->b, d, &intervals, &shared))
            return false;
        visit->blocks[d] = find_offsets(visit, d, shared);
    }
    for (visit->last = dimensions - 1; visit->last > 0 && fills_row(visit, visit->last);)
        visit->last--;
    return true;
}

void nereus_box_visit(struct box_visit *visit)
{
    if (find_blocks(visit))
        visit_dimension(visit, 0, visit->memory_a.origin, visit->memory_b.origin);
}

/* ---- copies ---------------------------------------------------------------------------------- */

struct box_visit nereus_box_visit_of(const struct box *box, const struct nereus_grid *other_grid,
                                     int64_t place, int64_t element_bytes)
{
    return (struct box_visit){.a = nereus_grid_side(box->grid, box->place),
                              .b = nereus_grid_side(other_grid, place),
                              .memory_a = nereus_box_memory(box->grid, box->place),
                              .memory_b = nereus_box_memory(other_grid, place),
                              .element_bytes = element_bytes,
                              .limit = INT64_MAX};
}

/* A part, and a buffer or another part. */
struct copy {
    unsigned char *part, *other_bytes;
    enum { PACK, UNPACK, COPY } direction; /* COPY: into the other part; else it is a buffer */
};

static void copy_run(struct box_visit *visit, int64_t at_a, int64_t at_b, int64_t count)
{
    const struct copy *copy = visit->user;
    const int64_t element = visit->element_bytes;
    unsigned char *part = copy->part + at_a * element,
                  *other = copy->other_bytes +
                           (copy->direction == COPY ? at_b * element : visit->done_bytes);
    memcpy(copy->direction == UNPACK ? part : other, copy->direction == UNPACK ? other : part,
           (size_t)(count * element));
    visit->done_bytes += count * element;
}

static int64_t copy_buffer(const struct box *box, const struct nereus_grid *other_grid,
                           int64_t place, int64_t element_bytes, struct copy copy)
{
    struct box_visit visit = nereus_box_visit_of(box, other_grid, place, element_bytes);
    visit.run = copy_run;
    visit.user = &copy;
    nereus_box_visit(&visit);
    return visit.done_bytes;
}

int64_t nereus_box_pack(const struct box *box, const struct nereus_grid *other_grid, int64_t place,
                        int64_t element_bytes, unsigned char *buffer)
{
    return copy_buffer(box, other_grid, place, element_bytes,
                       (struct copy){box->part, buffer, PACK});
}

int64_t nereus_box_unpack(const struct box *box, const struct nereus_grid *other_grid,
                          int64_t place, int64_t element_bytes, const unsigned char *buffer)
{
    const struct copy copy = {box->part, (unsigned char *)(uintptr_t)buffer, UNPACK};
    return copy_buffer(box, other_grid, place, element_bytes, copy);
}

bool nereus_box_copy(const struct box *from, const struct box *to, int64_t element_bytes,
                     int64_t limit_bytes, int64_t *slice, int64_t *done_bytes)
{
    struct copy copy = {from->part, to->part, COPY};
    struct box_visit visit = nereus_box_visit_of(from, to->grid, to->place, element_bytes);
    visit.run = copy_run;
    visit.user = &copy;
    visit.skip = *slice;
    visit.limit = limit_bytes;
    nereus_box_visit(&visit);
    *slice = visit.slice;
    *done_bytes += visit.done_bytes;
    return visit.done_bytes < limit_bytes;
}
