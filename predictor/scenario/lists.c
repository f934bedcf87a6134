/** @file lists.c  Parses lists and ranges of sizes, and lists of computing powers. */
#include "lists.h"

#include "model/util/values.h"
#include "scenario.h"

/* first:last:step; a single size has last = first. */
struct range {
    int64_t first, last, step;
};

static enum nereus_status parse_range(const char *what, char *text, struct range *range,
                                      struct nereus_error *err)
{
    int64_t *const places[] = {&range->first, &range->last, &range->step};
    char *rest = text, *word;
    int count = 0;
    *range = (struct range){.step = 1};
    while ((word = strsep(&rest, ":")) != NULL) {
        if (count == 3) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s: a range is FIRST:LAST or FIRST:LAST:STEP", what);
        }
        NEREUS_TRY(nereus_value_parse_integer(what, word, 1, places[count++], err));
    }
    range->last = count == 1 ? range->first : range->last;
    if (range->last < range->first) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s: the range %lld:%lld ends before it begins",
                           what, (long long)range->first, (long long)range->last);
    }
    if (range->last > NEREUS_PROCESSES_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be at most %lld, not %lld", what,
                           (long long)NEREUS_PROCESSES_MAX, (long long)range->last);
    }
    return NEREUS_OK;
}

static enum nereus_status append_range(const char *what, const struct range *range,
                                       struct nereus_sizes *sizes, struct nereus_error *err)
{
    const int64_t count = (range->last - range->first) / range->step + 1;
    if (count > NEREUS_RANGE_SIZES_MAX - sizes->count) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s: at most %d sizes are possible", what,
                           NEREUS_RANGE_SIZES_MAX);
    }
    int64_t *longer = realloc(sizes->items, (size_t)(sizes->count + count) * sizeof *longer);
    if (longer == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "%s: not enough memory for the sizes", what);
    sizes->items = longer;
    for (int64_t i = 0; i < count; i++)
        sizes->items[sizes->count++] = range->first + i * range->step;
    return NEREUS_OK;
}

static int compare_sizes(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void sort_and_unite(struct nereus_sizes *sizes)
{
    int64_t kept_count = 0;
    qsort(sizes->items, (size_t)sizes->count, sizeof *sizes->items, compare_sizes);
    for (int64_t i = 0; i < sizes->count; i++)
        if (kept_count == 0 || sizes->items[kept_count - 1] != sizes->items[i])
            sizes->items[kept_count++] = sizes->items[i];
    sizes->count = kept_count;
}

enum nereus_status nereus_sizes_parse(const char *what, const char *text,
                                      struct nereus_sizes *sizes, struct nereus_error *err)
{
    struct nereus_sizes all_sizes = {NULL, 0};
    char *copy = strdup(text), *rest = copy, *word;
    enum nereus_status status =
        copy == NULL ? nereus_fail(err, NEREUS_ERR_MEMORY, "%s: not enough memory", what)
                     : NEREUS_OK;
    while (status == NEREUS_OK && (word = strsep(&rest, ",")) != NULL) {
        struct range range;
        status = parse_range(what, word, &range, err);
        if (status == NEREUS_OK)
            status = append_range(what, &range, &all_sizes, err);
    }
    free(copy);
    if (status != NEREUS_OK) {
        free(all_sizes.items);
        return status;
    }
    sort_and_unite(&all_sizes);
    *sizes = all_sizes;
    return NEREUS_OK;
}

void nereus_sizes_fini(struct nereus_sizes *sizes)
{
    free(sizes->items);
    *sizes = (struct nereus_sizes){NULL, 0};
}

static enum nereus_status fail_entry(const char *entry, struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "--powers: '%.*s' is no power above 0, and no COUNT*POWER of at most %d "
                       "ranks in all: write a list as 20*1,32*1.4",
                       (int)strcspn(entry, ","), entry, NEREUS_POWERS_MAX);
}

/* Parse an entry.
 * @return its end; NULL: invalid */
static const char *parse_entry(const char *entry, long *times, double *power)
{
    char *end;
    const char *star = strchr(entry, '*'), *value = entry;
    *times = 1;
    if (star != NULL && star < entry + strcspn(entry, ",")) {
        *times = strtol(entry, &end, 10);
        if (end != star || *times < 1 || *times > NEREUS_POWERS_MAX)
            return NULL;
        value = star + 1;
    }
    if (strspn(value, "0123456789.eE+-") == 0)
        return NULL;
    *power = nereus_strtod(value, &end);
    return isfinite(*power) && *power > 0 && (*end == ',' || *end == '\0') ? end : NULL;
}

enum nereus_status nereus_powers_parse(const char *text, double **powers, int64_t *count,
                                       struct nereus_error *err)
{
    int64_t n = 0;
    double *list = malloc(NEREUS_POWERS_MAX * sizeof *list);
    if (list == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the powers");
    for (const char *position = text; position != NULL;) {
        long times;
        double power;
        const char *end = parse_entry(position, &times, &power);
        if (end == NULL || n + times > NEREUS_POWERS_MAX) {
            free(list);
            return fail_entry(position, err);
        }
        for (long i = 0; i < times; i++)
            list[n++] = power;
        position = *end == ',' ? end + 1 : NULL;
    }
    *powers = list;
    *count = n;
    return NEREUS_OK;
}

enum nereus_status nereus_grid_parse(const char *text, struct nereus_grid *grid,
                                     struct nereus_error *err)
{
    struct nereus_grid parsed = NEREUS_GRID_INIT;
    const char *position = text;
    for (char *end; parsed.dimensions < NEREUS_GRID_DIMENSIONS; position = end + 1) {
        parsed.n[parsed.dimensions++] =
            *position >= '0' && *position <= '9' ? strtoll(position, &end, 10) : 0;
        if (parsed.n[parsed.dimensions - 1] < 1 || *end != 'x') {
            position = parsed.n[parsed.dimensions - 1] < 1 ? position : end;
            break;
        }
    }
    if (*position != '\0' || nereus_grid_check(&parsed, NULL) != NEREUS_OK)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "--grid: '%.60s' is no grid: write 1 to %d sizes from 1 on, as "
                           "512x512x256",
                           text, NEREUS_GRID_DIMENSIONS);
    *grid = parsed;
    return NEREUS_OK;
}
