/**
 * @file write_behind.c
 * The thread takes ranges from a list, in order; copies are kept for the next checkpoint.
 */
#include "write_behind.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "nereus/checkpoint.h"
#include "src/start/host_resources.h"
#include "src/start/start.h"

/* Least length of a range whose writing takes less time than a copy into new memory. */
enum { LARGE_BYTES = 4 << 20 };

struct range {
    char folder[PATH_MAX], name[NEREUS_CHECKPOINT_FILE_MAX];
    int64_t offset, bytes;
    struct range_sum *sum;
    /* data that the thread writes; NULL: the range was written already, and the thread only touches
     * the copy's pages */
    const void *memory;
    void *copy;       /* owned; kept after the range was written */
    int64_t capacity; /* size of the copy */
};

struct write_behind {
    struct range *ranges;
    /* ranges of this checkpoint; entries of `ranges`, also those with copies for later
     * checkpoints */
    int64_t count, entry_count;
    int64_t processes_here;
    /* bytes of memory that may be used for copies; below 0: not measured yet in this checkpoint */
    int64_t copy_budget_bytes;
    pthread_t thread;
    bool runs;
    atomic_bool done;
    struct nereus_error failure; /* the thread's failure, valid when done is set */
};

struct write_behind *nereus_write_behind_new(void)
{
    return calloc(1, sizeof(struct write_behind));
}

void nereus_write_behind_free(struct write_behind *behind)
{
    for (int64_t i = 0; behind != NULL && i < behind->entry_count; i++)
        free(behind->ranges[i].copy);
    if (behind != NULL)
        free(behind->ranges);
    free(behind);
}

/* @param status  result of writing; its failure is reported even if closing also fails */
static enum nereus_status finish_range(const struct range_target *target, struct data_file *file,
                                       enum nereus_status status, struct nereus_error *err)
{
    struct nereus_error ignored;
    const enum nereus_status closed =
        nereus_data_file_close(file, status == NEREUS_OK ? err : &ignored);
    *target->sum = nereus_range_sum(file);
    return status == NEREUS_OK ? closed : status;
}

/* ---- in the thread --------------------------------------------------------------------------- */

static enum nereus_status write_range(const struct range *range, struct nereus_error *err)
{
    struct data_file file;
    const struct range_target target = {range->folder, range->name, range->offset, range->bytes,
                                        range->sum};
    if (range->memory == NULL) {
        if (range->copy != NULL)
            memset(range->copy, 0, (size_t)range->capacity);
        return NEREUS_OK;
    }
    NEREUS_TRY(nereus_data_file_open(range->folder, range->name, true, range->offset, &file, err));
    const enum nereus_status status =
        nereus_data_file_write(&file, range->memory, range->bytes, err);
    return finish_range(&target, &file, status, err);
}

static void *write_ranges(void *argument)
{
    struct write_behind *behind = argument;
    for (int64_t i = 0; i < behind->count && behind->failure.status == NEREUS_OK; i++)
        write_range(&behind->ranges[i], &behind->failure);
    atomic_store(&behind->done, true);
    return NULL;
}

/* ---- in the main thread ---------------------------------------------------------------------- */

/* Free the copies if they take more than the memory that is free now: the application may have
 * grown. */
static void release_copies(struct write_behind *behind)
{
    int64_t held = 0;
    for (int64_t i = 0; i < behind->entry_count; i++)
        held += behind->ranges[i].capacity;
    if (held <= nereus_memory_free_bytes() / behind->processes_here)
        return;
    for (int64_t i = 0; i < behind->entry_count; i++) {
        free(behind->ranges[i].copy);
        behind->ranges[i].copy = NULL;
        behind->ranges[i].capacity = 0;
    }
}

void nereus_write_behind_begin(struct write_behind *behind, int64_t processes_here)
{
    behind->count = 0;
    behind->processes_here = processes_here > 0 ? processes_here : 1;
    release_copies(behind);
    behind->copy_budget_bytes = -1;
    behind->failure = (struct nereus_error){.status = NEREUS_OK};
    atomic_store(&behind->done, false);
}

/* Make a copy, from at most half of the free memory, as the application continues to compute.
 * Reserve some more, as custom data may grow.
 * @return false: too little memory: the range has no copy */
static bool make_copy(struct write_behind *behind, struct range *range, int64_t bytes)
{
    const int64_t capacity = bytes + bytes / 8;
    free(range->copy);
    range->copy = NULL;
    range->capacity = 0;
    if (behind->copy_budget_bytes < 0)
        behind->copy_budget_bytes = nereus_memory_free_bytes() / 2 / behind->processes_here;
    if (capacity > behind->copy_budget_bytes ||
        (range->copy = malloc((size_t)capacity + 1)) == NULL)
        return false;
    range->capacity = capacity;
    behind->copy_budget_bytes -= capacity;
    return true;
}

/* Get the next range of the checkpoint, with the copy of the corresponding range of the checkpoint
 * before. NULL: no memory. */
static struct range *pop_next_range(struct write_behind *behind, const struct range_target *target)
{
    if (behind->count == behind->entry_count) {
        struct range *grown =
            realloc(behind->ranges, (size_t)(behind->entry_count + 1) * sizeof *behind->ranges);
        if (grown == NULL)
            return NULL;
        behind->ranges = grown;
        behind->ranges[behind->entry_count++] = (struct range){.copy = NULL};
    }
    struct range *range = &behind->ranges[behind->count];
    snprintf(range->folder, sizeof range->folder, "%s", target->folder);
    snprintf(range->name, sizeof range->name, "%s", target->name);
    range->offset = target->offset;
    range->bytes = target->bytes;
    range->sum = target->sum;
    return range;
}

/* Open the range's copy, or its file. */
static enum nereus_status open_range(struct write_behind *behind, const struct range_target *target,
                                     struct data_file *file, struct nereus_error *err)
{
    struct range *range = behind != NULL ? pop_next_range(behind, target) : NULL;
    bool at_once = range == NULL;
    if (range != NULL) {
        const bool is_new = range->copy == NULL || range->capacity < target->bytes,
                   has_copy = !is_new || make_copy(behind, range, target->bytes);
        at_once = !has_copy || (is_new && target->bytes >= LARGE_BYTES);
        range->memory = at_once ? NULL : range->copy;
        behind->count++;
    }
    if (at_once)
        return nereus_data_file_open(target->folder, target->name, true, target->offset, file, err);
    nereus_data_file_open_memory(range->copy, file);
    return NEREUS_OK;
}

enum nereus_status nereus_write_behind_range(struct write_behind *behind,
                                             const struct range_target *target, range_writer *write,
                                             const void *what, struct nereus_error *err)
{
    struct data_file file;
    NEREUS_TRY(open_range(behind, target, &file, err));
    return finish_range(target, &file, write(&file, what, err), err);
}

enum nereus_status nereus_write_behind_without_copy(struct write_behind *behind,
                                                    const struct range_target *target,
                                                    const void *memory, struct nereus_error *err)
{
    struct range *range = pop_next_range(behind, target);
    NEREUS_TRY_MEMORY(range, err, "to write '%s'", target->name);
    behind->count++;
    range->memory = memory;
    return NEREUS_OK;
}

/* Signals stay blocked in this thread: the program's threads handle them. */
void nereus_write_behind_start(struct write_behind *behind)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    behind->runs = pthread_create(&behind->thread, NULL, write_ranges, behind) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (behind->runs)
        nereus_bind_auxiliary(behind->thread);
    else
        write_ranges(behind);
}

bool nereus_write_behind_is_done(const struct write_behind *behind)
{
    return atomic_load(&behind->done);
}

void nereus_write_behind_end(struct write_behind *behind, struct nereus_error *mine)
{
    if (behind->runs)
        pthread_join(behind->thread, NULL);
    behind->runs = false;
    if (mine->status == NEREUS_OK)
        *mine = behind->failure;
}
