/**
 * @file placement_worlds.c
 * Chooses the worlds that end in a shrink, so that as many processes as possible, but not more than
 * requested, leave with whole worlds. The youngest worlds come first; if processes are left over,
 * the largest sum of world sizes is found (bounded knapsack, O(sizes x processes)).
 */

#include "placement_build.h"

/* Above this only the youngest worlds are tried: some processes sleep that could have ended. */
enum { KNAPSACK_STEPS_MAX = 1 << 28 };

static int64_t choose_youngest(const struct nereus_jobstate *state, const bool *may_end,
                               int64_t leave, bool *taken)
{
    int64_t given = 0;
    for (int64_t i = state->world_count - 1; i >= 0; i--) {
        const int64_t processes = state->worlds[i].processes;
        taken[i] = may_end[i] && processes > 0 && processes <= leave - given;
        given += taken[i] ? processes : 0;
    }
    return given;
}

struct size_class {
    int64_t size, count;
};

static int compare_sizes(const void *left, const void *right)
{
    const struct size_class *a = left, *b = right;
    return (a->size < b->size) - (a->size > b->size);
}

/* List the sizes of worlds that may end, largest first. */
static int64_t list_sizes(const struct nereus_jobstate *state, const bool *may_end, int64_t limit,
                          struct size_class *classes)
{
    int64_t worlds = 0, count = 0;
    for (int64_t i = 0; i < state->world_count; i++)
        if (may_end[i] && state->worlds[i].processes > 0 && state->worlds[i].processes <= limit)
            classes[worlds++] = (struct size_class){state->worlds[i].processes, 1};
    qsort(classes, (size_t)worlds, sizeof *classes, compare_sizes);
    for (int64_t i = 0; i < worlds; i++)
        if (count > 0 && classes[count - 1].size == classes[i].size)
            classes[count - 1].count++;
        else
            classes[count++] = classes[i];
    return count;
}

/* A sum of world sizes: `used` worlds of class `last` and a sum of earlier classes; -1: none. */
struct sum_parts {
    int32_t last, used_count;
};

static void find_reachable_sums(const struct size_class *classes, int64_t count, int64_t limit,
                                struct sum_parts *sums)
{
    for (int64_t s = 0; s <= limit; s++)
        sums[s].last = -1;
    sums[0] = (struct sum_parts){(int32_t)count, 0};
    for (int64_t c = 0; c < count; c++)
        for (int64_t s = classes[c].size; s <= limit; s++) {
            const struct sum_parts *below = &sums[s - classes[c].size];
            const int32_t used = below->last == c ? below->used_count : 0;
            if (sums[s].last < 0 && below->last >= 0 && used < classes[c].count)
                sums[s] = (struct sum_parts){(int32_t)c, used + 1};
        }
}

static void choose_worlds_of_sum(const struct nereus_jobstate *state, const bool *may_end,
                                 const struct size_class *classes, const struct sum_parts *sums,
                                 int64_t sum, bool *taken)
{
    memset(taken, 0, (size_t)state->world_count * sizeof *taken);
    while (sum > 0) {
        const int64_t size = classes[sums[sum].last].size;
        int64_t missing = sums[sum].used_count;
        sum -= missing * size;
        for (int64_t i = state->world_count - 1; i >= 0 && missing > 0; i--)
            if (may_end[i] && state->worlds[i].processes == size) {
                taken[i] = true;
                missing--;
            }
    }
}

struct table {
    struct size_class *classes;
    struct sum_parts *sums; /* NULL: needs more than KNAPSACK_STEPS_MAX */
};

static enum nereus_status make_table(const struct nereus_jobstate *state, const bool *may_end,
                                     int64_t limit, struct table *table, struct nereus_error *err)
{
    const size_t worlds = (size_t)state->world_count;
    *table = (struct table){.classes = calloc(worlds, sizeof *table->classes)};
    const int64_t count =
        table->classes != NULL ? list_sizes(state, may_end, limit, table->classes) : 0;
    const bool feasible = limit <= KNAPSACK_STEPS_MAX / (count + 1);
    if (table->classes != NULL && feasible)
        table->sums = malloc((size_t)(limit + 1) * sizeof *table->sums);
    if (table->classes == NULL || (feasible && table->sums == NULL)) {
        free(table->classes);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to choose among %zu worlds", worlds);
    }
    if (feasible)
        find_reachable_sums(table->classes, count, limit, table->sums);
    return NEREUS_OK;
}

static void free_table(struct table *table)
{
    free(table->classes);
    free(table->sums);
}

static enum nereus_status choose_max_sum(const struct nereus_jobstate *state, const bool *may_end,
                                         int64_t leave, bool *taken, int64_t *given,
                                         struct nereus_error *err)
{
    struct table table;
    NEREUS_TRY(make_table(state, may_end, leave, &table, err));
    int64_t max = table.sums != NULL ? leave : 0;
    while (max > 0 && table.sums[max].last < 0)
        max--;
    if (max > *given) {
        choose_worlds_of_sum(state, may_end, table.classes, table.sums, max, taken);
        *given = max;
    }
    free_table(&table);
    return NEREUS_OK;
}

enum nereus_status nereus_find_nearest_sums(const struct nereus_jobstate *state,
                                            const bool *may_end, int64_t leave, int64_t limit,
                                            int64_t sums[2], struct nereus_error *err)
{
    int64_t *const below = &sums[0], *const above = &sums[1];
    struct table table;
    NEREUS_TRY(make_table(state, may_end, limit, &table, err));
    *below = leave - 1;
    *above = leave > 0 ? leave : 0;
    while (*below >= 0 && (table.sums == NULL || table.sums[*below].last < 0))
        --*below;
    while (*above <= limit && (table.sums == NULL || table.sums[*above].last < 0))
        ++*above;
    if (*above > limit)
        *above = -1;
    free_table(&table);
    return NEREUS_OK;
}

enum nereus_status nereus_choose_worlds(const struct nereus_jobstate *state, const bool *may_end,
                                        int64_t leave, bool *ends, int64_t *given,
                                        struct nereus_error *err)
{
    bool *taken = calloc((size_t)state->world_count, sizeof *taken);
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY_MEMORY(taken, err, "to choose among %lld worlds", (long long)state->world_count);
    int64_t sum = choose_youngest(state, may_end, leave, taken);
    if (sum < leave)
        status = choose_max_sum(state, may_end, leave, taken, &sum, err);
    for (int64_t i = 0; i < state->world_count && status == NEREUS_OK; i++)
        ends[i] |= taken[i];
    if (status == NEREUS_OK)
        *given = sum;
    free(taken);
    return status;
}
