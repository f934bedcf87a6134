/* See walk.h. */
#include "walk.h"

#include <stdio.h>
#include <string.h>

enum { LARGEST = 6 };

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Any method of the grammar's process part, by a number. */
static struct nereus_method any_method(uint64_t number)
{
    struct nereus_method method = {.has_data = true};
    method.process = (enum nereus_process)(number % NEREUS_PROCESS_COUNT);
    number /= NEREUS_PROCESS_COUNT;
    method.strategy = (enum nereus_strategy)(number % NEREUS_STRATEGY_COUNT);
    number /= NEREUS_STRATEGY_COUNT;
    method.shrink = (enum nereus_shrink)(number % NEREUS_SHRINK_COUNT);
    number /= NEREUS_SHRINK_COUNT;
    method.async = number % 2 != 0;
    method.data = (enum nereus_data)(number / 2 % NEREUS_DATA_COUNT);
    return method;
}

static bool can_be(const struct nereus_method *method, int64_t size, int64_t next, bool merges_only)
{
    struct nereus_error err;
    if (merges_only && (method->process != NEREUS_MERGE || method->shrink == NEREUS_SS))
        return false;
    return nereus_method_check(method, &err) == NEREUS_OK &&
           nereus_method_check_direction(method, size, next, &err) == NEREUS_OK;
}

int walk_rests(int64_t reconfigurations, int64_t length)
{
    return reconfigurations == 1 || reconfigurations == length / 2 || reconfigurations == length;
}

int64_t walk_next(uint64_t seed, int64_t vain, int64_t size, int64_t reconfigurations,
                  int64_t length, char text[NEREUS_METHOD_TEXT_MAX])
{
    uint64_t random = mix(seed ^ mix((uint64_t)(1000 * reconfigurations + vain)));
    if (walk_rests(reconfigurations + 1, length)) {
        snprintf(text, NEREUS_METHOD_TEXT_MAX, "baseline/coll");
        return 2;
    }
    for (;;) {
        random = mix(random);
        const int64_t next = 1 + (int64_t)(random % LARGEST);
        const struct nereus_method method = any_method(random >> 8);
        if (next == size || !can_be(&method, size, next, reconfigurations < length / 2))
            continue;
        nereus_method_print(&method, text);
        return next;
    }
}
