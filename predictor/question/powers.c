/** @file powers.c  A list of computing powers. */
#include "powers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/c_locale.h"
#include "nereus/predict.h"

static enum nereus_status fail_entry(const char *entry, struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "--powers: '%.*s' is no power above 0, and no COUNT*POWER of at most %d "
                       "ranks in all: write a list as 20*1,32*1.4",
                       (int)strcspn(entry, ","), entry, NEREUS_POWERS_MAX);
}

/* One entry. @return behind it; NULL: it is none */
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
    for (const char *at = text; at != NULL;) {
        long times;
        double power;
        const char *end = parse_entry(at, &times, &power);
        if (end == NULL || n + times > NEREUS_POWERS_MAX) {
            free(list);
            return fail_entry(at, err);
        }
        for (long i = 0; i < times; i++)
            list[n++] = power;
        at = *end == ',' ? end + 1 : NULL;
    }
    *powers = list;
    *count = n;
    return NEREUS_OK;
}
