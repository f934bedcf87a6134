/**
 * @file test_schedule.c
 * What goes to whom when data moves: every element once, whatever ranks sources and targets
 * have.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "src/move/schedule.h"
#include "tests/unit/random.h"

#define COUNT(list) (sizeof list / sizeof list[0])

enum { PROCESSES_MAX = 64 };

static int64_t pack_limit_bytes = PACK_BUFFER_BYTES;

/* --- maps --- */

static void expect_ranks(const struct rank_map *map, const int64_t *ranks, int64_t count,
                         const char *what)
{
    for (int64_t i = 0; i < count; i++)
        cr_expect(nereus_rank_map_rank(map, i) == ranks[i], "%s: number %ld is rank %ld, not %ld",
                  what, i, nereus_rank_map_rank(map, i), ranks[i]);
}

Test(src_traffic, maps_of_numbers_to_ranks)
{
    struct rank_map map = {0};
    expect_ranks(&map, (int64_t[]){0, 1, 2}, 3, "zeroed");
    cr_assert(nereus_rank_map_from(7, &map, NULL) == NEREUS_OK);
    expect_ranks(&map, (int64_t[]){7, 8, 9}, 3, "from 7");
    nereus_rank_map_fini(&map);
    cr_expect(map.steps == NULL && map.count == 0);

    static const struct nereus_leavers some[] = {{2, 3, 1}, {5, 1, 0}, {9, 2, 0}};
    cr_assert(nereus_rank_map_without(some, 3, &map, NULL) == NEREUS_OK);
    cr_expect(map.count == 2, "ranges side by side are one step");
    expect_ranks(&map, (int64_t[]){0, 1, 6, 7, 8, 11, 12}, 7, "without 2 to 5, 9 and 10");
    nereus_rank_map_fini(&map);

    static const struct nereus_leavers lowest[] = {{0, 4, 1}};
    cr_assert(nereus_rank_map_without(lowest, 1, &map, NULL) == NEREUS_OK);
    expect_ranks(&map, (int64_t[]){4, 5}, 2, "without the root's world");
    nereus_rank_map_fini(&map);
    cr_assert(nereus_rank_map_without(NULL, 0, &map, NULL) == NEREUS_OK);
    expect_ranks(&map, (int64_t[]){0, 1, 2}, 3, "nobody leaves");
    nereus_rank_map_fini(&map);
}

/* --- a redistribution without MPI: all its processes here --- */

struct process {
    struct parties parties;
    struct registry registry;
    struct message_schedule schedule;
    unsigned char *buffers[2];
};

/* Whose ranks a message names: in an inter-communicator those of the other group. */
struct world {
    struct process processes[2][PROCESSES_MAX]; /* [1]: the other group */
    int64_t counts[2];
    bool inter;
};

/* Small ones, which go together; values that all have; one that is empty; one that goes alone. */
static const struct nereus_data_entry entries[] = {
    {"a", 8, 137, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
    {"b", 3, 61, NEREUS_CONSTANT, .placement = NEREUS_DISTRIBUTED},
    {"same", 4, 5, NEREUS_VARIABLE, .placement = NEREUS_REPLICATED},
    {"c", 16, 5, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
    {"none", 8, 0, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
    {"big", 40, 40961, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
};

/* In some runs some of them are cut anywhere, and in any order: before and after, by number of the
 * partition from 1. */
enum { CUTS = 3 };
static const size_t cut_entries[CUTS] = {0, 1, 5};
static struct nereus_partition spaces[CUTS][2];
static bool has_cuts;

static int rising(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static struct nereus_partition random_partition(int64_t n, int64_t processes)
{
    int64_t bounds[PROCESSES_MAX + 1], order[PROCESSES_MAX];
    struct nereus_partition partition;
    for (int64_t k = 0; k <= processes; k++)
        bounds[k] = random_below(n + 1);
    bounds[0] = 0;
    bounds[processes] = n;
    qsort(bounds, (size_t)processes + 1, sizeof *bounds, rising);
    for (int64_t k = 0; k < processes; k++) {
        const int64_t other = random_below(k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    cr_assert(nereus_partition_make(n, processes, bounds, random_below(3) == 0 ? NULL : order,
                                    &partition, NULL) == NEREUS_OK);
    return partition;
}

static void choose_cuts(const struct parties *parties)
{
    has_cuts = random_below(3) > 0;
    for (int c = 0; c < CUTS; c++) {
        spaces[c][0] = random_partition(entries[cut_entries[c]].count, parties->ns);
        spaces[c][1] = random_partition(entries[cut_entries[c]].count, parties->nt);
    }
}

static void drop_cuts(void)
{
    for (int c = 0; c < CUTS; c++) {
        nereus_partition_fini(&spaces[c][0]);
        nereus_partition_fini(&spaces[c][1]);
    }
}

/* What a process has of an array, before or after; told by another way than that of the code. */
static struct nereus_range part_of(size_t entry, int when, int64_t processes, int64_t rank)
{
    for (int c = 0; c < CUTS && has_cuts; c++)
        if (cut_entries[c] == entry)
            return nereus_partition_range(&spaces[c][when], rank);
    return nereus_block(entries[entry].count, processes, rank);
}

static void give_cuts(struct registry *registry)
{
    for (int c = 0; c < CUTS && has_cuts; c++) {
        registry->data[cut_entries[c]].entry.partition = c + 1;
        cr_assert(nereus_space_add(registry, "cut", 0, 1, 0, NULL) == NEREUS_OK);
        cr_assert(nereus_partition_copy(&spaces[c][0], &registry->spaces[c].partition, NULL) ==
                  NEREUS_OK);
        cr_assert(nereus_partition_copy(&spaces[c][1], &registry->spaces[c].next_partition, NULL) ==
                  NEREUS_OK);
    }
}

static unsigned char pattern(size_t array, int64_t byte)
{
    return (unsigned char)((uint64_t)(byte + 1) * (2 * array + 3) * UINT64_C(0x9e3779b97f4a7c15) >>
                           56);
}

static void fill(struct registry *registry)
{
    for (size_t i = 0; i < COUNT(entries); i++) {
        struct datum *datum = &registry->data[i];
        const int64_t size = datum->entry.element_bytes;
        datum->part = malloc((size_t)(datum->range.count * size) + 1);
        for (int64_t b = 0; b < datum->range.count * size; b++)
            datum->part[b] = pattern(i, datum->range.first * size + b);
    }
}

static void start(struct process *process)
{
    const struct parties *parties = &process->parties;
    for (size_t i = 0; i < COUNT(entries); i++) {
        cr_assert(nereus_registry_add(&process->registry, &entries[i], NULL) == NEREUS_OK);
        if (parties->source >= 0 && entries[i].placement == NEREUS_DISTRIBUTED)
            process->registry.data[i].range = part_of(i, 0, parties->ns, parties->source);
    }
    give_cuts(&process->registry);
    fill(&process->registry);
    if (parties->target >= 0)
        cr_assert(nereus_registry_prepare(&process->registry, parties->nt, parties->target, false,
                                          NULL) == NEREUS_OK);
}

/* The message that the receiver expects from a rank; there is at most one. */
static struct message *expected_from(struct message_schedule *schedule, int64_t rank)
{
    struct message *found = NULL;
    for (int64_t i = 0; i < schedule->receives.count; i++)
        if (schedule->receives.messages[i].rank == rank) {
            cr_assert(found == NULL, "two messages from rank %ld", rank);
            found = &schedule->receives.messages[i];
        }
    return found;
}

/* What MPI would do. */
static int64_t deliver(struct world *world, int64_t group, int64_t rank)
{
    const struct message_schedule *from = &world->processes[group][rank].schedule;
    const int64_t other = world->inter ? 1 - group : group;
    for (int64_t i = 0; i < from->sends.count; i++) {
        const struct message *m = &from->sends.messages[i];
        cr_assert(m->rank >= 0 && m->rank < world->counts[other] && m->bytes > 0);
        cr_assert(world->inter || m->rank != rank, "a message to itself");
        struct message_schedule *to = &world->processes[other][m->rank].schedule;
        const struct message *expected = expected_from(to, rank);
        cr_assert(expected != NULL && expected->bytes == m->bytes,
                  "rank %ld does not expect %ld bytes of %ld", m->rank, m->bytes, rank);
        memcpy(to->receive_into + expected->offset, from->send_from + m->offset, (size_t)m->bytes);
    }
    return from->sends.count;
}

/* A packed batch needs them, never above the bound; another moves from where its part is. */
static void give_buffers(struct process *p, const struct batch *batch)
{
    p->schedule.send_from = p->registry.data[batch->first].part;
    if (!batch->packed)
        return;
    cr_assert(p->schedule.sends.bytes <= pack_limit_bytes &&
              p->schedule.receives.bytes <= pack_limit_bytes);
    p->schedule.send_from = p->buffers[0] = malloc((size_t)p->schedule.sends.bytes + 1);
    p->schedule.receive_into = p->buffers[1] = malloc((size_t)p->schedule.receives.bytes + 1);
    nereus_schedule_pack(&p->registry, &p->parties, batch, &p->schedule);
}

static void move_batch(struct world *world, const struct batch *batch)
{
    int64_t sent = 0, received = 0;
    for (int g = 0; g < 2; g++)
        for (int64_t r = 0; r < world->counts[g]; r++) {
            struct process *p = &world->processes[g][r];
            cr_assert(nereus_schedule_make(&p->registry, &p->parties, batch, &p->schedule, NULL) ==
                      NEREUS_OK);
            give_buffers(p, batch);
            received += p->schedule.receives.count;
        }
    for (int g = 0; g < 2; g++)
        for (int64_t r = 0; r < world->counts[g]; r++)
            sent += deliver(world, g, r);
    cr_assert(sent == received, "%ld messages are sent, %ld expected", sent, received);
    for (int g = 0; g < 2; g++)
        for (int64_t r = 0; r < world->counts[g]; r++) {
            struct process *p = &world->processes[g][r];
            nereus_schedule_unpack(&p->registry, &p->parties, batch, &p->schedule);
            nereus_schedule_fini(&p->schedule);
            free(p->buffers[0]);
            free(p->buffers[1]);
            p->buffers[0] = p->buffers[1] = NULL;
        }
}

static void check_parts(const struct process *process)
{
    const struct parties *parties = &process->parties;
    for (size_t i = 0; i < COUNT(entries) && parties->target >= 0; i++) {
        const struct datum *datum = &process->registry.data[i];
        const int64_t size = datum->entry.element_bytes;
        if (datum->entry.placement != NEREUS_DISTRIBUTED)
            continue;
        const struct nereus_range part = part_of(i, 1, parties->nt, parties->target);
        cr_assert(datum->next_range.first == part.first && datum->next_range.count == part.count);
        for (int64_t b = 0; b < part.count * size; b++)
            cr_assert(datum->next_part[b] == pattern(i, part.first * size + b),
                      "%ld -> %ld: target %ld, '%s', byte %ld", parties->ns, parties->nt,
                      parties->target, datum->entry.name, b);
    }
}

static void finish(struct process *process)
{
    nereus_registry_roll_back(&process->registry);
    nereus_registry_fini(&process->registry);
    nereus_rank_map_fini(&process->parties.source_ranks);
    nereus_rank_map_fini(&process->parties.target_ranks);
}

/* The application continues between the pieces. */
static void copy_own(const struct world *world, enum data_selection selection)
{
    for (int g = 0; g < 2; g++)
        for (int64_t r = 0; r < world->counts[g]; r++) {
            const struct process *p = &world->processes[g][r];
            struct own_copy progress = {0};
            while (!nereus_copy_own(&p->registry, &p->parties, selection, 1 + random_below(9999),
                                    &progress))
                ;
        }
}

static int64_t move_selected(struct world *world, enum data_selection selection)
{
    struct batch batch;
    int64_t batches = 0;
    const struct process *first = &world->processes[0][0];
    copy_own(world, selection);
    for (int64_t at = 0; nereus_batch_next(&first->registry, &first->parties, selection,
                                           pack_limit_bytes, at, &batch);
         at = batch.first + batch.count, batches++)
        move_batch(world, &batch);
    return batches;
}

static void redistribute(struct world *world)
{
    static const int64_t limits[] = {PACK_BUFFER_BYTES, 2000, INT64_MAX};
    choose_cuts(&world->processes[0][0].parties);
    for (int g = 0; g < 2; g++)
        for (int64_t r = 0; r < world->counts[g]; r++)
            start(&world->processes[g][r]);
    pack_limit_bytes = limits[random_below(3)];
    if (random_below(2) == 0) {
        cr_assert(move_selected(world, DATA_ALL) >= 2, "packed ones and one alone");
    } else {
        cr_assert(move_selected(world, DATA_CONSTANT) == 1);
        cr_assert(move_selected(world, DATA_VARIABLE) >= 2);
    }
    for (int g = 0; g < 2; g++)
        for (int64_t r = 0; r < world->counts[g]; r++) {
            check_parts(&world->processes[g][r]);
            finish(&world->processes[g][r]);
        }
    drop_cuts();
}

/* --- who is where; the ranks are listed one by one here, as no map does --- */

static void add_process(struct world *world, int group, struct parties parties)
{
    world->processes[group][world->counts[group]++] = (struct process){.parties = parties};
}

static struct nereus_leavers *random_leavers(int64_t ns, int64_t *count, int64_t *leaving)
{
    struct nereus_leavers *list = calloc((size_t)ns, sizeof *list);
    *count = *leaving = 0;
    for (int64_t rank = 0; rank < ns; rank++) {
        if (random_below(2) == 0 || *leaving == ns - 1)
            continue;
        struct nereus_leavers *last = *count > 0 ? &list[*count - 1] : NULL;
        if (last != NULL && last->first + last->count == rank && random_below(4) > 0)
            last->count++;
        else
            list[(*count)++] = (struct nereus_leavers){rank, 1, random_below(2)};
        ++*leaving;
    }
    return list;
}

static bool leaves(const struct nereus_leavers *list, int64_t count, int64_t rank)
{
    for (int64_t i = 0; i < count; i++)
        if (rank >= list[i].first && rank < list[i].first + list[i].count)
            return true;
    return false;
}

Test(src_traffic, shrinks_with_leavers_anywhere)
{
    for (int i = 0; i < 60; i++) {
        static struct world world;
        const int64_t ns = 1 + random_below(17);
        int64_t count, leaving, target = 0;
        struct nereus_leavers *list = random_leavers(ns, &count, &leaving);
        memset(&world, 0, sizeof world);
        for (int64_t rank = 0; rank < ns; rank++) {
            struct parties parties = {ns, ns - leaving, .source = rank, .target = -1};
            if (!leaves(list, count, rank))
                parties.target = target++;
            cr_assert(nereus_rank_map_without(list, count, &parties.target_ranks, NULL) ==
                      NEREUS_OK);
            add_process(&world, 0, parties);
        }
        cr_assert(target == ns - leaving);
        free(list);
        redistribute(&world);
    }
}

Test(src_traffic, expansions_and_equal_sizes)
{
    for (int i = 0; i < 30; i++) {
        static struct world world;
        const int64_t ns = 1 + random_below(17), nt = ns + random_below(13);
        memset(&world, 0, sizeof world);
        for (int64_t rank = 0; rank < nt; rank++)
            add_process(&world, 0,
                        (struct parties){ns, nt, .source = rank < ns ? rank : -1, .target = rank});
        redistribute(&world);
    }
}

Test(src_traffic, targets_behind_the_sources)
{
    for (int i = 0; i < 60; i++) {
        static struct world world;
        const int64_t ns = 1 + random_below(17), nt = 1 + random_below(17);
        memset(&world, 0, sizeof world);
        for (int64_t rank = 0; rank < ns + nt; rank++) {
            struct parties parties = {ns, nt, .source = rank < ns ? rank : -1,
                                      .target = rank < ns ? -1 : rank - ns};
            cr_assert(nereus_rank_map_from(ns, &parties.target_ranks, NULL) == NEREUS_OK);
            add_process(&world, 0, parties);
        }
        redistribute(&world);
    }
}

Test(src_traffic, two_groups)
{
    for (int i = 0; i < 60; i++) {
        static struct world world;
        const int64_t ns = 1 + random_below(17), nt = 1 + random_below(17);
        memset(&world, 0, sizeof world);
        world.inter = true;
        for (int64_t rank = 0; rank < ns; rank++)
            add_process(&world, 0, (struct parties){ns, nt, .source = rank, .target = -1});
        for (int64_t rank = 0; rank < nt; rank++)
            add_process(&world, 1, (struct parties){ns, nt, .source = -1, .target = rank});
        redistribute(&world);
    }
}

/* Sources that no plan has, to hold the other map as well: those of a communicator in which others
 * come first. */
Test(src_traffic, sources_behind_the_targets)
{
    for (int i = 0; i < 20; i++) {
        static struct world world;
        const int64_t ns = 1 + random_below(17), nt = 1 + random_below(17);
        memset(&world, 0, sizeof world);
        for (int64_t rank = 0; rank < ns + nt; rank++) {
            struct parties parties = {ns, nt, .source = rank < nt ? -1 : rank - nt,
                                      .target = rank < nt ? rank : -1};
            cr_assert(nereus_rank_map_from(nt, &parties.source_ranks, NULL) == NEREUS_OK);
            add_process(&world, 0, parties);
        }
        redistribute(&world);
    }
}
