/** @file data_partition.c  Registers partitions, answers ownership queries, and takes weights and
 * computing power. */

#include "data.h"

enum nereus_status nereus_register_partition(nereus_job *job, const char *name, int64_t n,
                                             int *partition)
{
    struct registry *registry = &job->registry;
    NEREUS_TRY(nereus_callback_check_outside("registering a partition", &job->error));
    if (name == NULL || name[0] == '\0' || strlen(name) >= NEREUS_DATA_NAME_MAX || n < 0)
        return nereus_fail(
            &job->error, NEREUS_ERR_ARGUMENT,
            "a partition needs a name of 1 to %d characters and 0 or more elements, not '%s' "
            "and %lld",
            NEREUS_DATA_NAME_MAX - 1, name == NULL ? "" : name, (long long)n);
    int64_t index = nereus_space_find(registry, name, n);
    if (index >= 0 && registry->spaces[index].claimed)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "the partition '%s' is registered already", name);
    if (index >= 0 && nereus_partition_is_grid(&registry->spaces[index].partition))
        return nereus_fail(&job->error, NEREUS_ERR_MISMATCH,
                           "'%s' was received as a grid: nereus_register_grid registers it", name);
    if (index >= 0 && registry->spaces[index].partition.n != n)
        return nereus_fail(
            &job->error, NEREUS_ERR_MISMATCH,
            "the partition '%s' was received with %lld element%s, and cannot be registered "
            "with %lld",
            name, (long long)registry->spaces[index].partition.n,
            nereus_plural_s(registry->spaces[index].partition.n), (long long)n);
    if (index < 0) {
        NEREUS_TRY(nereus_check_new(job, name, &job->error));
        NEREUS_TRY(nereus_space_add(registry, name, n, job->size, 0, &job->error));
        index = registry->space_count - 1;
    }
    registry->spaces[index].claimed = true;
    *partition = (int)index;
    return NEREUS_OK;
}

/* Find the index space of a datum's elements: custom data also has an index space of packed
 * bytes. */
static struct index_space *find_elements_space(const nereus_job *job, int id)
{
    const struct datum *datum = nereus_datum_of(job, id, ~0u);
    if (datum == NULL)
        return NULL;
    struct index_space *space = &job->registry.spaces[datum->entry.partition - 1];
    return space->parent == 0 ? space : &job->registry.spaces[space->parent - 1];
}

enum nereus_status nereus_partition_of(const nereus_job *job, int id, int *partition)
{
    const struct index_space *space = find_elements_space(job, id);
    if (space == NULL)
        return NEREUS_ERR_ARGUMENT;
    *partition = (int)(space - job->registry.spaces);
    return NEREUS_OK;
}

static enum nereus_status find_range(const nereus_job *job, const struct index_space *space,
                                     int rank, int64_t *first, int64_t *count)
{
    if (space == NULL || rank < 0 || rank >= job->size)
        return NEREUS_ERR_ARGUMENT;
    if (nereus_partition_is_grid(&space->partition)) /* const calls report errors in the job, too */
        return nereus_fail(&((nereus_job *)job)->error, NEREUS_ERR_ARGUMENT,
                           "'%s' is a grid: a process has a box of it (nereus_local_box), and no "
                           "range",
                           space->name);
    const struct nereus_range range = nereus_partition_range(&space->partition, rank);
    if (first != NULL)
        *first = range.first;
    if (count != NULL)
        *count = range.count;
    return NEREUS_OK;
}

enum nereus_status nereus_part_of(const nereus_job *job, int id, int rank, int64_t *first,
                                  int64_t *count)
{
    return find_range(job, find_elements_space(job, id), rank, first, count);
}

static struct index_space *find_independent_space(const nereus_job *job, int partition)
{
    if (partition < 0 || partition >= job->registry.space_count ||
        job->registry.spaces[partition].parent != 0)
        return NULL;
    return &job->registry.spaces[partition];
}

enum nereus_status nereus_partition_part_of(const nereus_job *job, int partition, int rank,
                                            int64_t *first, int64_t *count)
{
    return find_range(job, find_independent_space(job, partition), rank, first, count);
}

/* @param element  number of the element, the last dimension fastest */
static int64_t find_owner_in_grid(const struct nereus_partition *partition, int64_t element)
{
    const struct nereus_grid *grid = &partition->grid;
    int64_t coordinates[NEREUS_GRID_DIMENSIONS];
    for (int d = (int)grid->dimensions - 1; d >= 0; d--) {
        coordinates[d] = nereus_grid_owner(grid, d, element % grid->n[d]);
        element /= grid->n[d];
    }
    return nereus_partition_range_rank(partition, nereus_grid_place(grid, coordinates));
}

enum nereus_status nereus_owner_of(const nereus_job *job, int id, int64_t element, int *rank)
{
    const struct index_space *space = find_elements_space(job, id);
    if (space == NULL || element < 0 || element >= space->partition.n)
        return NEREUS_ERR_ARGUMENT;
    *rank = (int)(nereus_partition_is_grid(&space->partition)
                      ? find_owner_in_grid(&space->partition, element)
                      : nereus_partition_owner(&space->partition, element));
    return NEREUS_OK;
}

enum nereus_status nereus_set_weights(nereus_job *job, int partition,
                                      int64_t (*weigh)(void *user, int64_t first, int64_t count,
                                                       int64_t *weights),
                                      void *user)
{
    struct index_space *space = find_independent_space(job, partition);
    if (space == NULL)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT, "%d is no partition", partition);
    if (nereus_partition_is_grid(&space->partition))
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "the grid '%s' is always cut evenly: its elements have no weights",
                           space->name);
    space->weigh = weigh;
    space->user = user;
    space->weights = weigh == NULL ? 0 : -1;
    return NEREUS_OK;
}

enum nereus_status nereus_weigh_by_nonzeros(nereus_job *job, int id)
{
    struct index_space *space = find_elements_space(job, id);
    if (space == NULL || nereus_datum_of(job, id, 1u << NEREUS_CSR | 1u << NEREUS_CSC) == NULL)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT, "%d is no sparse matrix", id);
    space->weights = id + 1;
    return NEREUS_OK;
}

enum nereus_status nereus_set_power(nereus_job *job, double work, double cpu_s)
{
    if (!(work >= 0) || !(cpu_s >= 0))
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "computing power is work per CPU second: %g units in %g s are none",
                           work, cpu_s);
    job->power = cpu_s > 0 ? work / cpu_s : 0;
    job->power_stated = job->power > 0;
    return NEREUS_OK;
}

enum nereus_status nereus_last_moved(const nereus_job *job, int64_t *moved_bytes,
                                     int64_t *kept_bytes)
{
    if (moved_bytes != NULL)
        *moved_bytes = job->registry.coming_bytes;
    if (kept_bytes != NULL)
        *kept_bytes = job->registry.staying_bytes;
    return NEREUS_OK;
}
