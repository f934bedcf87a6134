/** @file test_grow.c  Arrays that grow have room for what is written behind their last element. */
#include <criterion/criterion.h>
#include <string.h>

#include "model/util/base.h"

/* Written to the last element each time, so that the address sanitizer sees a lack of room. */
Test(grow, has_room_for_one_and_for_more)
{
    int *items = NULL;
    int64_t count = 0;
    for (int64_t more = 0; more < 70; more++) {
        for (int64_t step = more; step >= 0; step = step > 1 ? 1 : step - 1) {
            int *grown = step == 1 ? nereus_grow(items, count, sizeof *grown)
                                   : nereus_grow_by(items, count, step, sizeof *grown);
            cr_assert_not_null(grown, "%lld + %lld", (long long)count, (long long)step);
            items = grown;
            for (int64_t i = 0; i < step; i++, count++)
                items[count] = (int)count;
        }
    }
    for (int64_t i = 0; i < count; i++)
        cr_expect_eq(items[i], i);
    free(items);
}

Test(grow, capacity_is_the_least_power_of_two)
{
    static const struct {
        int64_t count;
        size_t capacity;
    } rows[] = {{0, 1}, {1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {1024, 1024}, {1025, 2048}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        cr_expect_eq(nereus_grow_capacity(rows[i].count), rows[i].capacity, "%lld",
                     (long long)rows[i].count);
}
