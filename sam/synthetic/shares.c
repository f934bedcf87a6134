/** @file shares.c  Parses and evaluates shares of work. */
#include "shares.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/c_locale.h"
#include "model/util/mix.h"

static const char forms[] =
    "must be linear:X, uniform:X[:SEED] or normal:X[:SEED] with X from 0 to "
    "1, or up to 64 numbers with commas between, as 1,1,3, or up to 8 such tables, as 1,1,3 | 1,3";

static enum nereus_status fail_distribution(const char *text, struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "%s; it is '%.160s'", forms, text);
}

/*
 * Parse one table and append it.
 * @return its end, at '|' or the end of the text; NULL: not a table
 */
static const char *parse_table(const char *rest, struct sam_shares *shares)
{
    const int first = shares->begin[shares->tables];
    int count = 0;
    double sum = 0;
    for (;; rest++) {
        char *end;
        const double value = nereus_strtod(rest, &end);
        if (end == rest || !(value >= 0 && value <= 1e9) || count == SAM_SHARES_MAX ||
            first + count == SAM_SHARES_ALL)
            return NULL;
        shares->table[first + count++] = value;
        sum += value;
        rest = end + strspn(end, " \t");
        if (*rest != ',')
            break;
    }
    for (int i = first; i < first + count; i++)
        shares->table[i] *= count / sum;
    shares->begin[++shares->tables] = first + count;
    return sum > 0 ? rest : NULL;
}

static enum nereus_status parse_tables(const char *text, struct sam_shares *shares,
                                       struct nereus_error *err)
{
    const char *rest = parse_table(text, shares);
    shares->kind = SAM_TABLE;
    while (rest != NULL && *rest == '|' && shares->tables < SAM_SHARES_TABLES)
        rest = parse_table(rest + 1, shares);
    return rest != NULL && *rest == '\0' ? NEREUS_OK : fail_distribution(text, err);
}

/* Parse "X" or, where a seed is allowed, "X:SEED". */
static enum nereus_status parse_width(const char *text, const char *rest, struct sam_shares *shares,
                                      struct nereus_error *err)
{
    char *end;
    shares->width = nereus_strtod(rest, &end);
    if (end == rest || !(shares->width >= 0 && shares->width <= 1))
        return fail_distribution(text, err);
    if (*end == ':' && shares->kind != SAM_LINEAR) {
        rest = end + 1;
        shares->seed = strtoull(rest, &end, 10);
        if (end == rest || *rest == '-')
            return fail_distribution(text, err);
    }
    return *end == '\0' ? NEREUS_OK : fail_distribution(text, err);
}

enum nereus_status sam_shares_parse(const char *text, struct sam_shares *shares,
                                    struct nereus_error *err)
{
    static const struct {
        const char *prefix;
        enum sam_shares_kind kind;
    } kinds[] = {{"linear:", SAM_LINEAR}, {"uniform:", SAM_UNIFORM}, {"normal:", SAM_NORMAL}};
    struct sam_shares parsed = {.seed = 1};
    enum nereus_status status = NEREUS_OK;
    size_t i = 0;
    const size_t count = NEREUS_COUNT_OF(kinds);
    while (i < count && !nereus_text_begins_with(text, kinds[i].prefix))
        i++;
    if (i < count) {
        parsed.kind = kinds[i].kind;
        status = parse_width(text, text + strlen(kinds[i].prefix), &parsed, err);
    } else if (text[0] != '\0') {
        status = parse_tables(text, &parsed, err);
    }
    if (status == NEREUS_OK)
        *shares = parsed;
    return status;
}

/* A number in (0, 1), uniformly distributed, as a function of index and seed. */
static double draw_uniform(uint64_t seed, int64_t index)
{
    return nereus_mix_share(nereus_mix((seed << 32) + (uint64_t)index + NEREUS_MIX_INCREMENT)) +
           0x1p-54;
}

static double get_table_share(const struct sam_shares *shares, int64_t index, int64_t count)
{
    int table = 0;
    for (int i = 0; i < shares->tables; i++)
        table = shares->begin[i + 1] - shares->begin[i] == count ? i : table;
    const int length = shares->begin[table + 1] - shares->begin[table];
    return shares->table[shares->begin[table] + (int)(index % length)];
}

double sam_share(const struct sam_shares *shares, int64_t index, int64_t count)
{
    switch (shares->kind) {
    case SAM_LINEAR:
        return count > 1 ? 1 + shares->width * (2 * (double)index / (double)(count - 1) - 1) : 1;
    case SAM_TABLE:
        return get_table_share(shares, index, count);
    case SAM_UNIFORM:
        return 1 + shares->width * (2 * draw_uniform(shares->seed, index) - 1);
    case SAM_NORMAL:
        return fmax(0,
                    1 + shares->width * gsl_cdf_ugaussian_Pinv(draw_uniform(shares->seed, index)));
    default:
        return 1;
    }
}
