/**
 * @file write_behind.c
 * Runs the thread that writes ranges, which it takes from a list, in order; copies are kept for the
 * next checkpoint.
 */
#include "write_behind.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "nereus/checkpoint.h"
#include "src/start/bind.h"
#include "src/start/host_resources.h"

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

void nereus_write_behind_free(struct write_behind *write_behind)
{
    for (int64_t i = 0; write_behind != NULL && i < write_behind->entry_count; i++)
        free(write_behind->ranges[i].copy);
    if (write_behind != NULL)
        free(write_behind->ranges);
    free(write_behind);
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
    struct write_behind *write_behind = argument;
    for (int64_t i = 0; i < write_behind->count && write_behind->failure.status == NEREUS_OK; i++)
        write_range(&write_behind->ranges[i], &write_behind->failure);
    atomic_store(&write_behind->done, true);
    return NULL;
}

/* ---- in the main thread ---------------------------------------------------------------------- */

/* Free the copies if they take more than the memory that is free now: the application may have
 * grown. */
static void release_copies(struct write_behind *write_behind)
{
    int64_t held = 0;
    for (int64_t i = 0; i < write_behind->entry_count; i++)
        held += write_behind->ranges[i].capacity;
    if (held <= nereus_memory_free_bytes() / write_behind->processes_here)
        return;
    for (int64_t i = 0; i < write_behind->entry_count; i++) {
        free(write_behind->ranges[i].copy);
        write_behind->ranges[i].copy = NULL;
        write_behind->ranges[i].capacity = 0;
    }
}

void nereus_write_behind_begin(struct write_behind *write_behind, int64_t processes_here)
{
    write_behind->count = 0;
    write_behind->processes_here = processes_here > 0 ? processes_here : 1;
    release_copies(write_behind);
    write_behind->copy_budget_bytes = -1;
    write_behind->failure = (struct nereus_error){.status = NEREUS_OK};
    atomic_store(&write_behind->done, false);
}

/* Make a copy, from at most half of the free memory, as the application continues to compute.
 * Reserve some more, as custom data may grow.
 * @return false: too little memory: the range has no copy */
static bool make_copy(struct write_behind *write_behind, struct range *range, int64_t bytes)
{
    const int64_t capacity = bytes + bytes / 8;
    free(range->copy);
    range->copy = NULL;
    range->capacity = 0;
    if (write_behind->copy_budget_bytes < 0)
        write_behind->copy_budget_bytes =
            nereus_memory_free_bytes() / 2 / write_behind->processes_here;
    if (capacity > write_behind->copy_budget_bytes ||
        (range->copy = malloc((size_t)capacity + 1)) == NULL)
        return false;
    range->capacity = capacity;
    write_behind->copy_budget_bytes -= capacity;
    return true;
}

/* Get the next range of the checkpoint, with the copy of the corresponding range of the checkpoint
 * before. NULL: no memory. */
static struct range *pop_next_range(struct write_behind *write_behind,
                                    const struct range_target *target)
{
    if (write_behind->count == write_behind->entry_count) {
        struct range *grown =
            realloc(write_behind->ranges,
                    (size_t)(write_behind->entry_count + 1) * sizeof *write_behind->ranges);
        if (grown == NULL)
            return NULL;
        write_behind->ranges = grown;
        write_behind->ranges[write_behind->entry_count++] = (struct range){.copy = NULL};
    }
    struct range *range = &write_behind->ranges[write_behind->count];
    snprintf(range->folder, sizeof range->folder, "%s", target->folder);
    snprintf(range->name, sizeof range->name, "%s", target->name);
    range->offset = target->offset;
    range->bytes = target->bytes;
    range->sum = target->sum;
    return range;
}

/* Open the range's copy, or its file. */
static enum nereus_status open_range(struct write_behind *write_behind,
                                     const struct range_target *target, struct data_file *file,
                                     struct nereus_error *err)
{
    struct range *range = write_behind != NULL ? pop_next_range(write_behind, target) : NULL;
    bool at_once = range == NULL;
    if (range != NULL) {
        const bool is_new = range->copy == NULL || range->capacity < target->bytes,
                   has_copy = !is_new || make_copy(write_behind, range, target->bytes);
        at_once = !has_copy || (is_new && target->bytes >= LARGE_BYTES);
        range->memory = at_once ? NULL : range->copy;
        write_behind->count++;
    }
    if (at_once)
        return nereus_data_file_open(target->folder, target->name, true, target->offset, file, err);
    nereus_data_file_open_memory(range->copy, file);
    return NEREUS_OK;
}

enum nereus_status nereus_write_behind_range(struct write_behind *write_behind,
                                             const struct range_target *target, range_writer *write,
                                             const void *what, struct nereus_error *err)
{
    struct data_file file;
    NEREUS_TRY(open_range(write_behind, target, &file, err));
    return finish_range(target, &file, write(&file, what, err), err);
}

enum nereus_status nereus_write_behind_add_constant(struct write_behind *write_behind,
                                                    const struct range_target *target,
                                                    const void *memory, struct nereus_error *err)
{
    struct range *range = pop_next_range(write_behind, target);
    NEREUS_TRY_MEMORY(range, err, "to write '%s'", target->name);
    write_behind->count++;
    range->memory = memory;
    return NEREUS_OK;
}

/* Signals stay blocked in this thread: the program's threads handle them. */
void nereus_write_behind_start(struct write_behind *write_behind)
{
    sigset_t all_signals, old_mask;
    sigfillset(&all_signals);
    pthread_sigmask(SIG_SETMASK, &all_signals, &old_mask);
    write_behind->runs =
        pthread_create(&write_behind->thread, NULL, write_ranges, write_behind) == 0;
    pthread_sigmask(SIG_SETMASK, &old_mask, NULL);
    if (write_behind->runs)
        nereus_bind_auxiliary(write_behind->thread);
    else
        write_ranges(write_behind);
}

bool nereus_write_behind_is_done(const struct write_behind *write_behind)
{
    return atomic_load(&write_behind->done);
}

void nereus_write_behind_end(struct write_behind *write_behind, struct nereus_error *own_error)
{
    if (write_behind->runs)
        pthread_join(write_behind->thread, NULL);
    write_behind->runs = false;
    if (own_error->status == NEREUS_OK)
        *own_error = write_behind->failure;
}
