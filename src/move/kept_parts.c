/**
 * @file kept_parts.c
 * Keeps a list of at most KEPT_MAX parts; if it is full the oldest part is freed; a request gets
 * the smallest part that is large enough.
 */
#include "kept_parts.h"

#include <malloc.h>

#include "src/util/process_settings.h"

/* BYTES_MIN: smaller parts are not kept, as the first touch of 64 KiB takes only microseconds. */
enum { KEPT_MAX = 64, BYTES_MIN = 65536 };

static struct kept {
    void *part;
    size_t bytes;
} kept[KEPT_MAX]; /* the oldest first */
static int count;
static size_t all_bytes;

/* Remove an entry; the caller owns its memory. */
static void *remove_entry(int index)
{
    void *part = kept[index].part;
    all_bytes -= kept[index].bytes;
    count--;
    for (int i = index; i < count; i++)
        kept[i] = kept[i + 1];
    return part;
}

void nereus_kept_parts_add(void *part)
{
    const size_t bytes = part == NULL ? 0 : malloc_usable_size(part);
    const size_t limit = (size_t)nereus_process_settings.keep_bytes;
    if (bytes < BYTES_MIN || bytes > limit) {
        free(part);
        return;
    }
    while (count == KEPT_MAX || all_bytes + bytes > limit)
        free(remove_entry(0));
    kept[count++] = (struct kept){part, bytes};
    all_bytes += bytes;
}

void *nereus_kept_parts_reuse(size_t bytes)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (kept[i].bytes >= bytes && (best < 0 || kept[i].bytes < kept[best].bytes))
            best = i;
    if (bytes < BYTES_MIN || best < 0)
        return NULL;
    const size_t rest = kept[best].bytes - bytes;
    void *part = remove_entry(best), *shorter = rest < BYTES_MIN ? part : realloc(part, bytes);
    return shorter != NULL ? shorter : part;
}

size_t nereus_kept_parts_bytes(void)
{
    return all_bytes;
}

void nereus_kept_parts_free(void)
{
    while (count > 0)
        free(remove_entry(count - 1));
}
