/** @file sizes.c  Finds, checks and combines the sizes that an application can have
 * (nereus/sizes.h). */
#include "nereus/sizes.h"

#include "model/util/values.h"

static int64_t get_step(const struct nereus_sizes *sizes)
{
    return sizes->multiple_of > 1 ? sizes->multiple_of : 1;
}

static int64_t get_min(const struct nereus_sizes *sizes)
{
    return sizes->minimum > 1 ? sizes->minimum : 1;
}

/* Limits of application and machine together. */
static int64_t get_max(const struct nereus_sizes *sizes, int64_t max)
{
    const int64_t own = sizes->maximum > 0 ? sizes->maximum : INT64_MAX;
    return max > 0 && max < own ? max : own;
}

bool nereus_sizes_allow(const struct nereus_sizes *sizes, int64_t n)
{
    return n >= get_min(sizes) && n <= get_max(sizes, 0) && n % get_step(sizes) == 0 &&
           (!sizes->powers_of_two || (n & (n - 1)) == 0);
}

/* Largest allowed size up to `limit` (>= 0); 0: none. */
static int64_t find_largest_up_to(const struct nereus_sizes *sizes, int64_t limit)
{
    int64_t n = limit - limit % get_step(sizes);
    if (sizes->powers_of_two)
        for (n = 1; n <= limit / 2;)
            n *= 2;
    return n <= limit && nereus_sizes_allow(sizes, n) ? n : 0;
}

/* Smallest allowed size from `limit` to `max`; 0: none. */
static int64_t find_smallest_above(const struct nereus_sizes *sizes, int64_t limit, int64_t max)
{
    const int64_t step = get_step(sizes);
    int64_t n = limit;
    if (sizes->powers_of_two) {
        for (n = 1; n < limit || n % step != 0;) {
            if (n > INT64_MAX / 2)
                return 0;
            n *= 2;
        }
    } else if (limit % step != 0) {
        if (limit > INT64_MAX - step)
            return 0;
        n += step - limit % step;
    }
    return n <= max && nereus_sizes_allow(sizes, n) ? n : 0;
}

int nereus_sizes_find_nearest(const struct nereus_sizes *sizes, int64_t n, int64_t max,
                              int64_t near_sizes[2])
{
    const int64_t end = get_max(sizes, max), min = get_min(sizes);
    const int64_t low = n > 1 ? find_largest_up_to(sizes, n - 1 < end ? n - 1 : end) : 0;
    const int64_t high = n < end ? find_smallest_above(sizes, n + 1 > min ? n + 1 : min, end) : 0;
    int count = 0;
    if (low > 0)
        near_sizes[count++] = low;
    if (high > 0)
        near_sizes[count++] = high;
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
    if (find_smallest_above(sizes, get_min(sizes), get_max(sizes, 0)) == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "sizes of an application: there is no such size: %s",
                           nereus_sizes_format(sizes, text));
    }
    return NEREUS_OK;
}

static int64_t find_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The smaller of two limits, where 0 means no limit. */
static int64_t get_smaller_limit(int64_t a, int64_t b)
{
    return a == 0 || b == 0 ? a + b : nereus_min(a, b);
}

enum nereus_status nereus_sizes_combine(const struct nereus_sizes *a, const struct nereus_sizes *b,
                                        struct nereus_sizes *both, struct nereus_error *err)
{
    const int64_t step = get_step(a) / find_common_divisor(get_step(a), get_step(b));
    if (step > INT64_MAX / get_step(b)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "no size is a multiple of %lld and of %lld",
                           (long long)get_step(a), (long long)get_step(b));
    }
    const struct nereus_sizes sizes = {.minimum = nereus_max(a->minimum, b->minimum),
                                       .maximum = get_smaller_limit(a->maximum, b->maximum),
                                       .multiple_of = step * get_step(b),
                                       .powers_of_two = a->powers_of_two || b->powers_of_two};
    NEREUS_TRY(nereus_sizes_check(&sizes, err));
    *both = sizes;
    return NEREUS_OK;
}

/* Read one part, such as "minimum=2". */
static enum nereus_status read_part(const char *what, const char *part, struct nereus_sizes *sizes,
                                    struct nereus_error *err)
{
    const struct {
        const char *key;
        int64_t *value;
    } keys[] = {{"minimum=", &sizes->minimum},
                {"maximum=", &sizes->maximum},
                {"multiple-of=", &sizes->multiple_of}};
    if (strcmp(part, "powers-of-two") == 0) {
        sizes->powers_of_two = true;
        return NEREUS_OK;
    }
    for (size_t i = 0; i < NEREUS_COUNT_OF(keys); i++) {
        const size_t length = strlen(keys[i].key);
        if (strncmp(part, keys[i].key, length) == 0) {
            char name[96];
            snprintf(name, sizeof name, "%s: %.*s", what, (int)length - 1, part);
            return nereus_value_parse_integer(name, part + length, 1, keys[i].value, err);
        }
    }
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "%s: '%.160s' is no size: minimum=N, maximum=N, multiple-of=N and "
                       "powers-of-two are, with commas between them",
                       what, part);
}

enum nereus_status nereus_sizes_read(const char *what, const char *text, struct nereus_sizes *sizes,
                                     struct nereus_error *err)
{
    struct nereus_sizes read = {0};
    for (const char *position = text; *position != '\0';) {
        char part[96];
        const size_t length = strcspn(position, ",");
        snprintf(part, sizeof part, "%.*s", (int)nereus_min((int64_t)length, 95), position);
        NEREUS_TRY(read_part(what, part, &read, err));
        position += length + (position[length] == ',');
    }
    NEREUS_TRY(nereus_sizes_check(&read, err));
    *sizes = read;
    return NEREUS_OK;
}

char *nereus_sizes_format(const struct nereus_sizes *sizes, char text[NEREUS_SIZES_TEXT_MAX])
{
    const size_t size = NEREUS_SIZES_TEXT_MAX;
    size_t offset = 0;
    if (sizes->maximum > 0 && sizes->maximum == get_min(sizes)) {
        offset = (size_t)snprintf(text, size, "%lld process%s", (long long)sizes->maximum,
                                  nereus_plural_es(sizes->maximum));
    } else if (sizes->maximum > 0) {
        offset = (size_t)snprintf(text, size, "%lld to %lld process%s", (long long)get_min(sizes),
                                  (long long)sizes->maximum, nereus_plural_es(sizes->maximum));
    } else if (sizes->minimum > 1) {
        offset = (size_t)snprintf(text, size, "at least %lld process%s", (long long)sizes->minimum,
                                  nereus_plural_es(sizes->minimum));
    } else {
        offset = (size_t)snprintf(text, size, "any number of processes");
    }
    if (sizes->multiple_of > 1)
        offset += (size_t)snprintf(text + offset, size - offset, ", multiples of %lld",
                                   (long long)sizes->multiple_of);
    if (sizes->powers_of_two)
        snprintf(text + offset, size - offset, ", powers of two");
    return text;
}
