/** @file lists.c  See lists.h. */
#include "lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATION_OF_CONSTANT = 4 };

static int64_t iteration_of(const struct lists *lists)
{
    return lists->iteration == NULL ? ITERATION_OF_CONSTANT : *lists->iteration;
}

static uint64_t mix(int64_t element, int64_t iteration)
{
    uint64_t z = (uint64_t)element * UINT64_C(0x9e3779b97f4a7c15) +
                 (uint64_t)iteration * UINT64_C(0xd1b54a32d192ed03);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 27);
}

static int64_t length_of(int64_t element, int64_t iteration)
{
    const uint64_t z = mix(element, iteration);
    return iteration < 3 || z % 4 == 0 ? 0 : (int64_t)(z % (iteration % 3 == 0 ? 3 : 40));
}

static int64_t number_of(int64_t element, int64_t iteration, int64_t index)
{
    return (int64_t)mix(element * 64 + index, iteration + 9000);
}

static void set_length(struct list *list, int64_t length)
{
    list->length = length;
    list->numbers = realloc(list->numbers, (size_t)length * sizeof *list->numbers + 1);
    if (list->numbers == NULL)
        abort();
}

static void fill(struct list *list, int64_t element, int64_t iteration)
{
    set_length(list, length_of(element, iteration));
    for (int64_t i = 0; i < list->length; i++)
        list->numbers[i] = number_of(element, iteration, i);
}

static void resize(void *user, int64_t first, int64_t count)
{
    struct lists *lists = user;
    lists_free(lists);
    lists->first = first;
    lists->count = count;
    lists->of = calloc((size_t)count + 1, sizeof *lists->of);
}

/* Packed size: the length and numbers of each list; 0 if all are empty. */
static int64_t bytes(void *user, int64_t first, int64_t count)
{
    const struct lists *lists = user;
    int64_t numbers = 0;
    for (int64_t i = first - lists->first; i < first - lists->first + count; i++)
        numbers += lists->of[i].length;
    return numbers == 0 ? 0 : (numbers + count) * (int64_t)sizeof(int64_t);
}

static void pack(void *user, int64_t first, int64_t count, void *buffer, int64_t limit)
{
    const struct lists *lists = user;
    int64_t *at = buffer;
    const int64_t needed_bytes = bytes(user, first, count);
    if (needed_bytes != limit) {
        fprintf(stderr, "lists: pack is given %" PRId64 " bytes where bytes says %" PRId64 "\n",
                limit, needed_bytes);
        abort();
    }
    for (int64_t i = first - lists->first; needed_bytes > 0 && i < first - lists->first + count;
         i++) {
        const struct list *list = &lists->of[i];
        *at++ = list->length;
        memcpy(at, list->numbers, (size_t)list->length * sizeof *at);
        at += list->length;
    }
}

static enum nereus_status unpack(void *user, int64_t first, int64_t count, const void *buffer,
                                 int64_t limit)
{
    struct lists *lists = user;
    const int64_t *at = buffer, *const end = at + limit / (int64_t)sizeof *at;
    if (first < lists->first || first + count > lists->first + lists->count)
        return NEREUS_ERR_MISMATCH;
    for (int64_t i = first - lists->first; limit > 0 && i < first - lists->first + count; i++) {
        if (at >= end || *at < 0 || *at > end - at - 1)
            return NEREUS_ERR_MISMATCH;
        set_length(&lists->of[i], *at++);
        memcpy(lists->of[i].numbers, at, (size_t)lists->of[i].length * sizeof *at);
        at += lists->of[i].length;
    }
    return at == end ? NEREUS_OK : NEREUS_ERR_MISMATCH;
}

enum nereus_status lists_register(struct lists *lists, nereus_job *job, const char *name, int64_t n,
                                  int partition, const int64_t *iteration)
{
    struct nereus_custom calls = NEREUS_CUSTOM_INIT;
    calls.bytes = bytes;
    calls.pack = pack;
    calls.resize = resize;
    calls.unpack = unpack;
    calls.user = lists;
    lists->job = job;
    lists->iteration = iteration;
    const enum nereus_status status =
        nereus_register_custom(job, name, n, partition, &calls,
                               iteration == NULL ? NEREUS_CONSTANT : NEREUS_VARIABLE, &lists->id);
    if (status != NEREUS_OK || nereus_is_received(job, lists->id))
        return status;
    int64_t first, count;
    nereus_part_of(job, lists->id, nereus_rank(job), &first, &count);
    resize(lists, first, count);
    for (int64_t i = 0; i < count; i++)
        fill(&lists->of[i], first + i, iteration_of(lists));
    return NEREUS_OK;
}

void lists_change(struct lists *lists)
{
    for (int64_t i = 0; i < lists->count && lists->iteration != NULL; i++)
        fill(&lists->of[i], lists->first + i, iteration_of(lists));
}

int64_t lists_check(const struct lists *lists)
{
    const int64_t iteration = iteration_of(lists);
    int64_t first, count;
    if (lists->job == NULL)
        return -1;
    nereus_part_of(lists->job, lists->id, nereus_rank(lists->job), &first, &count);
    if (lists->first != first || lists->count != count)
        return first;
    for (int64_t i = 0; i < count; i++) {
        const struct list *list = &lists->of[i];
        if (list->length != length_of(first + i, iteration))
            return first + i;
        for (int64_t k = 0; k < list->length; k++)
            if (list->numbers[k] != number_of(first + i, iteration, k))
                return first + i;
    }
    return -1;
}

void lists_free(struct lists *lists)
{
    for (int64_t i = 0; i < lists->count; i++)
        free(lists->of[i].numbers);
    free(lists->of);
    lists->of = NULL;
    lists->count = 0;
}
