#include "later.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nereus/checkpoint.h"
#include "src/start/bind.h"
#include "src/start/host_resources.h"
#include "src/util/error.h"

/* From this length on writing a range takes less than a copy into new memory. */
enum { LARGE_BYTES = 4 << 20 };

struct range {
    char folder[PATH_MAX], name[NEREUS_CHECKPOINT_FILE_MAX];
    int64_t offset, bytes;
    struct range_sum *sum;
    const void *memory; /* what is written; NULL: it has been, and the copy is touched */
    void *copy;         /* owned; kept when the range is written */
    int64_t capacity;   /* of the copy */
};

struct later {
    struct range *ranges;
    int64_t count, known; /* of this checkpoint; that have or had a copy */
    int64_t processes_here;
    int64_t may_take; /* bytes of memory for copies; below 0: not measured in this checkpoint */
    pthread_t thread;
    bool runs;
    atomic_bool done;
    struct nereus_error failure; /* of the thread, until it is done */
};

struct later *nereus_later_new(void)
{
    return calloc(1, sizeof(struct later));
}

void nereus_later_free(struct later *later)
{
    for (int64_t i = 0; later != NULL && i < later->known; i++)
        free(later->ranges[i].copy);
    if (later != NULL)
        free(later->ranges);
    free(later);
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
    return nereus_later_close(&target, &file, status, err);
}

static void *run(void *argument)
{
    struct later *later = argument;
    for (int64_t i = 0; i < later->count && later->failure.status == NEREUS_OK; i++)
        write_range(&later->ranges[i], &later->failure);
    atomic_store(&later->done, true);
    return NULL;
}

/* ---- in the main thread ---------------------------------------------------------------------- */

/* The application may have grown since: the copies go if they take more than what is free now. */
static void release_copies(struct later *later)
{
    int64_t held = 0;
    for (int64_t i = 0; i < later->known; i++)
        held += later->ranges[i].capacity;
    if (held <= nereus_memory_free_bytes() / later->processes_here)
        return;
    for (int64_t i = 0; i < later->known; i++) {
        free(later->ranges[i].copy);
        later->ranges[i].copy = NULL;
        later->ranges[i].capacity = 0;
    }
}

void nereus_later_begin(struct later *later, int64_t processes_here)
{
    later->count = 0;
    later->processes_here = processes_here > 0 ? processes_here : 1;
    release_copies(later);
    later->may_take = -1;
    later->failure = (struct nereus_error){.status = NEREUS_OK};
    atomic_store(&later->done, false);
}

/* At most half of what is free, as the application goes on. Custom data may grow a little.
 * @return false: too little memory, and the range has no copy */
static bool make_copy(struct later *later, struct range *range, int64_t bytes)
{
    const int64_t capacity = bytes + bytes / 8;
    free(range->copy);
    range->copy = NULL;
    range->capacity = 0;
    if (later->may_take < 0)
        later->may_take = nereus_memory_free_bytes() / 2 / later->processes_here;
    if (capacity > later->may_take || (range->copy = malloc((size_t)capacity + 1)) == NULL)
        return false;
    range->capacity = capacity;
    later->may_take -= capacity;
    return true;
}

/* The next range of the checkpoint, which has the copy of the same one of the checkpoint before.
 * NULL: no memory. */
static struct range *next_range(struct later *later, const struct range_target *target)
{
    if (later->count == later->known) {
        struct range *grown =
            realloc(later->ranges, (size_t)(later->known + 1) * sizeof *later->ranges);
        if (grown == NULL)
            return NULL;
        later->ranges = grown;
        later->ranges[later->known++] = (struct range){.copy = NULL};
    }
    struct range *range = &later->ranges[later->count];
    snprintf(range->folder, sizeof range->folder, "%s", target->folder);
    snprintf(range->name, sizeof range->name, "%s", target->name);
    range->offset = target->offset;
    range->bytes = target->bytes;
    range->sum = target->sum;
    return range;
}

enum nereus_status nereus_later_open(struct later *later, const struct range_target *target,
                                     struct data_file *file, struct nereus_error *err)
{
    struct range *range = later != NULL ? next_range(later, target) : NULL;
    bool at_once = range == NULL;
    if (range != NULL) {
        const bool is_new = range->copy == NULL || range->capacity < target->bytes,
                   has_copy = !is_new || make_copy(later, range, target->bytes);
        at_once = !has_copy || (is_new && target->bytes >= LARGE_BYTES);
        range->memory = at_once ? NULL : range->copy;
        later->count++;
    }
    if (at_once)
        return nereus_data_file_open(target->folder, target->name, true, target->offset, file, err);
    nereus_data_file_open_memory(range->copy, file);
    return NEREUS_OK;
}

enum nereus_status nereus_later_close(const struct range_target *target, struct data_file *file,
                                      enum nereus_status status, struct nereus_error *err)
{
    struct nereus_error ignored;
    const enum nereus_status closed =
        nereus_data_file_close(file, status == NEREUS_OK ? err : &ignored);
    *target->sum = nereus_range_sum(file);
    return status == NEREUS_OK ? closed : status;
}

enum nereus_status nereus_later_refer(struct later *later, const struct range_target *target,
                                      const void *memory, struct nereus_error *err)
{
    struct range *range = next_range(later, target);
    NEREUS_TRY_MEMORY(range, err, "to write '%s'", target->name);
    later->count++;
    range->memory = memory;
    return NEREUS_OK;
}

/* Signals stay blocked: they are for the program's threads. */
void nereus_later_start(struct later *later)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    later->runs = pthread_create(&later->thread, NULL, run, later) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (later->runs)
        nereus_bind_auxiliary(later->thread);
    else
        run(later);
}

bool nereus_later_is_done(const struct later *later)
{
    return atomic_load(&later->done);
}

void nereus_later_end(struct later *later, struct nereus_error *mine)
{
    if (later->runs)
        pthread_join(later->thread, NULL);
    later->runs = false;
    if (mine->status == NEREUS_OK)
        *mine = later->failure;
}
