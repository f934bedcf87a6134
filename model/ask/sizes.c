/* Sizes that an application can take: see nereus/sizes.h. */
#include "nereus/sizes.h"

#include <inttypes.h>
#include <stdio.h>

static int64_t step_of(const struct nereus_sizes *sizes)
{
    return sizes->multiple_of > 1 ? sizes->multiple_of : 1;
}

static int64_t least_of(const struct nereus_sizes *sizes)
{
    return sizes->minimum > 1 ? sizes->minimum : 1;
}

/* Limits of application and machine together. */
static int64_t most_of(const struct nereus_sizes *sizes, int64_t most)
{
    const int64_t own = sizes->maximum > 0 ? sizes->maximum : INT64_MAX;
    return most > 0 && most < own ? most : own;
}

bool nereus_sizes_allow(const struct nereus_sizes *sizes, int64_t n)
{
    return n >= least_of(sizes) && n <= most_of(sizes, 0) && n % step_of(sizes) == 0 &&
           (!sizes->powers_of_two || (n & (n - 1)) == 0);
}

/* The largest allowed size of at most `limit`, which is at least 0; 0: there is none. */
static int64_t below(const struct nereus_sizes *sizes, int64_t limit)
{
    int64_t n = limit - limit % step_of(sizes);
    if (sizes->powers_of_two) {
        for (n = 1; n <= limit / 2;) {
            n *= 2;
        }
    }
    return n <= limit && nereus_sizes_allow(sizes, n) ? n : 0;
}

/* The smallest allowed size of at least `limit` and at most `most`; 0: there is none. */
static int64_t above(const struct nereus_sizes *sizes, int64_t limit, int64_t most)
{
    const int64_t step = step_of(sizes);
    int64_t n = limit;
    if (sizes->powers_of_two) {
        for (n = 1; n < limit || n % step != 0;) {
            if (n > INT64_MAX / 2) {
                return 0;
            }
            n *= 2;
        }
    } else if (limit % step != 0) {
        if (limit > INT64_MAX - step) {
            return 0;
        }
        n += step - limit % step;
    }
    return n <= most && nereus_sizes_allow(sizes, n) ? n : 0;
}

int nereus_sizes_near(const struct nereus_sizes *sizes, int64_t n, int64_t most, int64_t near[2])
{
    const int64_t end = most_of(sizes, most), least = least_of(sizes);
    const int64_t low = n > 1 ? below(sizes, n - 1 < end ? n - 1 : end) : 0;
    const int64_t high = n < end ? above(sizes, n + 1 > least ? n + 1 : least, end) : 0;
    int count = 0;
    if (low > 0) {
        near[count++] = low;
    }
    if (high > 0) {
        near[count++] = high;
    }
    return count;
}

enum nereus_status nereus_sizes_check(const struct nereus_sizes *sizes, struct nereus_error *err)
{
    char text[NEREUS_SIZES_TEXT_MAX];
    if (sizes->minimum < 0 || sizes->maximum < 0 || sizes->multiple_of < 0) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "sizes of an application: minimum %lld, maximum %lld, multiples of %lld: "
            "each must be 1 or more, or 0 for none",
            (long long)sizes->minimum, (long long)sizes->maximum, (long long)sizes->multiple_of);
    }
    if (above(sizes, least_of(sizes), most_of(sizes, 0)) == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "sizes of an application: there is no such size: %s",
                           nereus_sizes_print(sizes, text));
    }
    return NEREUS_OK;
}

char *nereus_sizes_print(const struct nereus_sizes *sizes, char text[NEREUS_SIZES_TEXT_MAX])
{
    const size_t room = NEREUS_SIZES_TEXT_MAX;
    size_t at = 0;
    if (sizes->maximum > 0) {
        at = (size_t)snprintf(text, room, "%" PRId64 " to %" PRId64 " processes", least_of(sizes),
                              sizes->maximum);
    } else if (sizes->minimum > 1) {
        at = (size_t)snprintf(text, room, "at least %" PRId64 " processes", sizes->minimum);
    } else {
        at = (size_t)snprintf(text, room, "any number of processes");
    }
    if (sizes->multiple_of > 1) {
        at += (size_t)snprintf(text + at, room - at, ", multiples of %" PRId64, sizes->multiple_of);
    }
    if (sizes->powers_of_two) {
        snprintf(text + at, room - at, ", powers of two");
    }
    return text;
}
