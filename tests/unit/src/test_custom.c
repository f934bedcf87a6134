/**
 * @file test_custom.c
 * Custom data: which pieces a target gets, also of more bytes than an int counts, and a function
 * `pack` that writes more than `bytes` has said.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "src/move/custom.h"

enum { SPACES = 2, ELEMENTS = 37 };

/* ELEMENTS of `each` bytes, from ns sources to nt targets, as one process sees it. */
struct fixture {
    struct registry registry;
    struct datum datum;
    struct index_space spaces[SPACES];
};

/* By rank, where each one's bytes begin. */
static struct nereus_partition bytes_of(int64_t processes, int64_t each)
{
    int64_t bounds[16];
    struct nereus_partition partition;
    for (int64_t k = 0; k <= processes; k++)
        bounds[k] =
            k == processes ? ELEMENTS * each : nereus_block(ELEMENTS, processes, k).first * each;
    cr_assert(nereus_partition_make(ELEMENTS * each, processes, bounds, NULL, &partition, NULL) ==
              NEREUS_OK);
    return partition;
}

static void set_up(struct fixture *f, int64_t ns, int64_t nt, int64_t each)
{
    memset(f, 0, sizeof *f);
    f->spaces[0].partition = nereus_partition_block(ELEMENTS, ns);
    f->spaces[0].next_partition = nereus_partition_block(ELEMENTS, nt);
    f->spaces[1].parent = 1;
    f->spaces[1].partition = bytes_of(ns, each);
    f->spaces[1].next_partition = bytes_of(nt, each);
    f->datum.entry = (struct nereus_data_entry){.name = "list",
                                                .element_bytes = 1,
                                                .count = ELEMENTS * each,
                                                .kind = NEREUS_VARIABLE,
                                                .shape = NEREUS_CUSTOM,
                                                .partition = 2};
    f->registry = (struct registry){
        .data = &f->datum, .count = 1, .spaces = f->spaces, .space_count = SPACES};
}

static void tear_down(struct fixture *f)
{
    nereus_custom_drop(&f->datum, false);
    nereus_partition_fini(&f->spaces[1].partition);
    nereus_partition_fini(&f->spaces[1].next_partition);
}

Test(src_custom, pieces_are_all_elements_and_all_their_bytes)
{
    static const struct {
        int64_t ns, nt, each;
    } rows[] = {{2, 3, 5},          {3, 2, 5},          {7, 7, 11},
                {1, 8, 3000000019}, {5, 3, 3000000019}, {4, 9, 0}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int64_t rank = 0; rank < rows[r].nt; rank++) {
            struct fixture f;
            set_up(&f, rows[r].ns, rows[r].nt, rows[r].each);
            cr_assert(nereus_custom_list_pieces(&f.registry, &f.datum, rank, NULL) == NEREUS_OK);
            const struct nereus_range own_range = nereus_block(ELEMENTS, rows[r].nt, rank);
            int64_t at = own_range.first;
            for (int64_t i = 0; i < f.datum.piece_count; i++) {
                const struct piece *piece = &f.datum.pieces[i];
                cr_expect(piece->elements.first == at && piece->elements.count > 0,
                          "row %zu: a piece begins at %ld, not %ld", r, piece->elements.first, at);
                cr_expect(piece->bytes == piece->elements.count * rows[r].each,
                          "row %zu: a piece of %ld elements has %ld bytes", r,
                          piece->elements.count, piece->bytes);
                at += piece->elements.count;
            }
            cr_expect(at == own_range.first + own_range.count, "row %zu: elements are missing", r);
            tear_down(&f);
        }
}

/* Writes so many bytes more than it was told, into one piece. */
struct writer {
    int64_t more, into, pieces, bytes;
};

static void pack(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes)
{
    struct writer *writer = user;
    const int64_t more = writer->pieces++ == writer->into ? writer->more : 0;
    cr_expect(count > 0 && first + count <= ELEMENTS);
    writer->bytes += bytes;
    memset(buffer, 'x', (size_t)(bytes + more));
}

Test(src_custom, a_pack_that_writes_more_is_found)
{
    static const struct {
        int64_t each, more, into; /* source 0 of 2 has a piece for targets 0 and 1 of 3 */
        bool found;
    } rows[] = {{5, 0, 0, false}, {5, 1, 0, true}, {5, 64, 1, true}, {5, 9, 1, true},
                {0, 0, 0, false}, {0, 1, 0, true}, {0, 8, 1, true}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct fixture f;
        struct nereus_error err = {0};
        struct writer writer = {rows[r].more, rows[r].into, 0, 0};
        set_up(&f, 2, 3, rows[r].each);
        f.datum.custom = (struct custom_calls){.pack = pack, .user = &writer};
        f.datum.range = nereus_partition_range(&f.spaces[1].partition, 0);
        cr_assert(nereus_custom_reserve(&f.registry, 0, DATA_VARIABLE, NULL) == NEREUS_OK);
        const enum nereus_status status = nereus_custom_pack(&f.registry, 0, DATA_ALL, &err);
        cr_expect((status != NEREUS_OK) == rows[r].found, "row %zu: status %d", r, (int)status);
        cr_expect(!rows[r].found || strstr(err.text, "'list': pack has written more than") != NULL,
                  "row %zu: %s", r, err.text);
        cr_expect(rows[r].found || (writer.pieces == 2 && writer.bytes == f.datum.range.count),
                  "row %zu: %ld pieces, %ld bytes", r, writer.pieces, writer.bytes);
        tear_down(&f);
    }
}

Test(src_custom, constant_data_are_not_packed_with_variable_ones)
{
    struct fixture f;
    struct writer writer = {0, 0, 0, 0};
    set_up(&f, 2, 3, 5);
    f.datum.entry.kind = NEREUS_CONSTANT;
    f.datum.entry.placement = NEREUS_DISTRIBUTED;
    f.datum.custom = (struct custom_calls){.pack = pack, .user = &writer};
    cr_expect(nereus_custom_reserve(&f.registry, 0, DATA_VARIABLE, NULL) == NEREUS_OK);
    cr_expect(f.datum.part == NULL);
    cr_expect(nereus_custom_pack(&f.registry, 0, DATA_VARIABLE, NULL) == NEREUS_OK);
    cr_expect(nereus_custom_pack(&f.registry, -1, DATA_ALL, NULL) == NEREUS_OK);
    cr_expect(writer.pieces == 0);
    tear_down(&f);
}
