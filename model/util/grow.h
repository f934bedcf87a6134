/**
 * @file grow.h
 * Grows arrays by one element at a time.
 */
#pragma once

#include <stdint.h>
#include <stdlib.h>

/** Make room for one more element in an array that has grown by this function alone, from NULL. The
 * capacity is the least power of two that holds all, so it is stored nowhere.
 * @return NULL: no memory, and `items` are unchanged */
static inline void *nereus_grow(void *items, int64_t count, size_t size)
{
    const size_t capacity = count == 0 ? 1 : 2 * (size_t)count;
    return (count & (count - 1)) == 0 ? realloc(items, capacity * size) : items;
}
