/**
 * @file grow.h
 * Grows arrays to which elements are appended.
 */
#pragma once

#include <stdint.h>
#include <stdlib.h>

/** The least power of two that holds `count` elements, at least 1. */
static inline size_t nereus_grow_capacity(int64_t count)
{
    size_t capacity = 1;
    while (capacity < (size_t)count)
        capacity *= 2;
    return capacity;
}

/** Make room for `more` elements behind `count` others. The array starts as NULL and is allocated
 * by nereus_grow and nereus_grow_by alone: its capacity, stored nowhere, is the least power of two
 * that holds `count`, so on an array of another size they would write beyond its end.
 * @return NULL: no memory, and `items` are unchanged */
static inline void *nereus_grow_by(void *items, int64_t count, int64_t more, size_t size)
{
    const size_t capacity = nereus_grow_capacity(count + more);
    return count > 0 && capacity == nereus_grow_capacity(count) ? items
                                                                : realloc(items, capacity * size);
}

/** Make room for one more element; as nereus_grow_by. */
static inline void *nereus_grow(void *items, int64_t count, size_t size)
{
    return nereus_grow_by(items, count, 1, size);
}
