/**
 * @file scaling.c
 * Computes iteration times by number of processes, from a serial fraction (Amdahl (1967)) or a
 * table.
 */
#include "nereus/scaling.h"

#include <unistd.h>

#include "model/util/csv_table.h"
#include "model/util/file.h"
#include "model/util/suggest.h"
#include "nereus/layout.h"
#include "scaling_stages.h"

static enum nereus_status parse_serial(const char *text, struct nereus_scaling *scaling,
                                       struct nereus_error *err)
{
    char *end;
    const double serial = nereus_strtod(text, &end);
    if (end == text || *end != '\0' || !(serial >= 0 && serial <= 1))
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "amdahl:%s: a serial share of 0 to 1 is needed, as in amdahl:0.05",
                           text);
    scaling->law = NEREUS_SCALING_AMDAHL;
    scaling->serial = serial;
    return NEREUS_OK;
}

static double compute_amdahl_share(double serial, int64_t n)
{
    return serial + (1 - serial) / (double)n;
}

static const struct nereus_option columns[] = {
    {"n", 0, NEREUS_OPTION_COUNT, NULL, NULL, offsetof(struct nereus_scaling_point, n), NULL},
    {"t_iter_s", 0, NEREUS_OPTION_SECONDS, NULL, NULL,
     offsetof(struct nereus_scaling_point, t_iter_s), NULL},
};
NEREUS_CSV_CHECK_TABLE(struct nereus_scaling_point, NEREUS_COUNT_OF(columns));

struct reading {
    const char *path;
    struct nereus_scaling *scaling;
};

static enum nereus_status add_point(void *user, const void *row, uint64_t given, int64_t line,
                                    struct nereus_error *err)
{
    const struct reading *reading = user;
    const struct nereus_scaling_point *point = row;
    struct nereus_scaling *scaling = reading->scaling;
    (void)given;
    NEREUS_TRY_GROW(scaling->points, scaling->count, err, "for the table %s", reading->path);
    int64_t index = scaling->count++;
    for (; index > 0 && scaling->points[index - 1].n >= point->n; index--) {
        if (scaling->points[index - 1].n == point->n) {
            scaling->count--;
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s:%lld: there are two times for n = %lld",
                               reading->path, (long long)line, (long long)point->n);
        }
        scaling->points[index] = scaling->points[index - 1];
    }
    scaling->points[index] = *point;
    return NEREUS_OK;
}

/* Is the argument probably a mistyped law: without "." or "/", and not the name of a file? */
static bool looks_like_word(const char *path)
{
    return strcmp(path, "-") != 0 && strpbrk(path, "./") == NULL && access(path, F_OK) != 0;
}

static enum nereus_status refuse_word(const char *word, struct nereus_error *err)
{
    static const char *const laws[] = {"strong", "ideal", "weak", "amdahl:", "stages:"};
    char suggestion[NEREUS_SUGGEST_TEXT];
    return nereus_fail(err, NEREUS_ERR_PARSE,
                       "'%s' is neither a law (strong, ideal, weak, amdahl:F, stages:...) nor a "
                       "table of iteration times%s",
                       word, nereus_suggest_text(word, laws, NEREUS_COUNT_OF(laws), suggestion));
}

static enum nereus_status read_table(const char *path, struct nereus_scaling *scaling,
                                     struct nereus_error *err)
{
    static const struct nereus_csv_table table = {.what = "a table of iteration times has",
                                                  .columns = columns,
                                                  .count = NEREUS_COUNT_OF(columns),
                                                  .needed = NEREUS_COUNT_OF(columns),
                                                  .allows_others = true,
                                                  .row_bytes = sizeof(struct nereus_scaling_point),
                                                  .take = add_point};
    static const struct nereus_scaling_point unknown;
    struct reading reading = {path, scaling};
    char *text;
    enum nereus_status status =
        nereus_file_read(path, "table of iteration times", &text, NULL, err);
    if (status != NEREUS_OK)
        return looks_like_word(path) ? refuse_word(path, err) : status;
    scaling->law = NEREUS_SCALING_TABLE;
    status = nereus_csv_table_read(path, text, &table, &unknown, &reading, err);
    free(text);
    if (status == NEREUS_OK && scaling->count == 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s has no line with n and t_iter_s", path);
    return status;
}

enum nereus_status nereus_scaling_parse(const char *text, struct nereus_scaling *scaling,
                                        struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    *scaling = (struct nereus_scaling){.law = NEREUS_SCALING_STRONG};
    snprintf(scaling->source, sizeof scaling->source, "%s", text);
    if (strcmp(text, "weak") == 0)
        scaling->law = NEREUS_SCALING_WEAK;
    else if (strncmp(text, "amdahl:", 7) == 0)
        status = parse_serial(text + 7, scaling, err);
    else if (strncmp(text, "stages:", 7) == 0) {
        scaling->law = NEREUS_SCALING_STAGES;
        status = nereus_scaling_stages_parse(text + 7, scaling, err);
    } else if (strcmp(text, "strong") != 0 && strcmp(text, "ideal") != 0)
        status = read_table(text, scaling, err);
    if (status != NEREUS_OK)
        nereus_scaling_fini(scaling);
    return status;
}

void nereus_scaling_fini(struct nereus_scaling *scaling)
{
    free(scaling->points);
    *scaling = (struct nereus_scaling){.law = NEREUS_SCALING_STRONG};
}

/* Load: processes per core, at least 1. */
static double compute_load(const struct nereus_scaling *scaling, int64_t n)
{
    const int64_t cores = /* 0: unlimited */
        scaling->machine != NULL ? nereus_machine_total_cores(scaling->machine) : 0;
    return cores > 0 && n > cores ? (double)n / (double)cores : 1;
}

static int64_t find_point_below(const struct nereus_scaling *scaling, int64_t n)
{
    int64_t low = 0, high = scaling->count - 1;
    while (low < high) {
        const int64_t middle = (low + high + 1) / 2;
        if (scaling->points[middle].n <= n)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

enum nereus_status nereus_scaling_lookup(const struct nereus_scaling *scaling, int64_t n,
                                         double *t_iter_s, struct nereus_error *err)
{
    if (scaling->law == NEREUS_SCALING_STAGES) {
        NEREUS_TRY(nereus_scaling_stages_s(scaling, n, t_iter_s, err));
        *t_iter_s *= compute_load(scaling, n);
        return NEREUS_OK;
    }
    if (scaling->law != NEREUS_SCALING_TABLE)
        return nereus_fail(err, NEREUS_ERR_NO_BASIS, "a law of scaling has no times of its own");
    const struct nereus_scaling_point *first = &scaling->points[0],
                                      *last = &scaling->points[scaling->count - 1];
    if (n < first->n || n > last->n)
        return nereus_fail(
            err, NEREUS_ERR_NO_BASIS,
            "%s has iteration times for %lld to %lld process%s, and none for %lld: add a line "
            "for it",
            scaling->source, (long long)first->n, (long long)last->n, nereus_plural_es(last->n),
            (long long)n);
    const struct nereus_scaling_point *below = &scaling->points[find_point_below(scaling, n)];
    if (below->n == n) {
        *t_iter_s = below->t_iter_s;
        return NEREUS_OK;
    }
    const double part =
        log((double)n / (double)below->n) / log((double)below[1].n / (double)below->n);
    *t_iter_s = below->t_iter_s * pow(below[1].t_iter_s / below->t_iter_s, part);
    return NEREUS_OK;
}

/* The nearest other size on a logarithmic scale; NULL: none. */
static const struct nereus_scaling_point *find_nearest_other(const struct nereus_scaling *scaling,
                                                             int64_t known, int64_t n)
{
    const struct nereus_scaling_point *best = NULL;
    double min = INFINITY;
    for (int64_t i = 0; i < scaling->count; i++) {
        const double distance = fabs(log((double)scaling->points[i].n / (double)n));
        if (scaling->points[i].n != known && distance < min) {
            min = distance;
            best = &scaling->points[i];
        }
    }
    return best;
}

/* Exponent of the power law of processes with a core each, limited to values between ideal scaling
 * and none. */
static enum nereus_status scale_by_measured(const struct nereus_scaling *scaling, int64_t known,
                                            double known_s, int64_t n, double *t_iter_s,
                                            struct nereus_error *err)
{
    const struct nereus_scaling_point *other = find_nearest_other(scaling, known, n);
    if (n == known) {
        *t_iter_s = known_s;
        return NEREUS_OK;
    }
    if (other == NULL)
        return nereus_fail(err, NEREUS_ERR_NO_BASIS,
                           "the iteration time of one size does not say how it scales");
    if (other->n == n) {
        *t_iter_s = other->t_iter_s;
        return NEREUS_OK;
    }
    const double alone_s = known_s / compute_load(scaling, known),
                 other_s = other->t_iter_s / compute_load(scaling, other->n);
    const double power = log(other_s / alone_s) / log((double)other->n / (double)known);
    *t_iter_s = alone_s * compute_load(scaling, n) *
                pow((double)n / (double)known, fmin(1, fmax(-1, power)));
    return NEREUS_OK;
}

/* Ratio T(n) / T(known); tables and stages include the load. */
static enum nereus_status scale_by_law(const struct nereus_scaling *scaling, int64_t known,
                                       int64_t n, double *ratio, struct nereus_error *err)
{
    double there_s = compute_load(scaling, n), here_s = compute_load(scaling, known);
    switch (scaling->law) {
    case NEREUS_SCALING_STRONG:
        there_s *= (double)known / (double)n;
        break;
    case NEREUS_SCALING_AMDAHL:
        there_s *= compute_amdahl_share(scaling->serial, n);
        here_s *= compute_amdahl_share(scaling->serial, known);
        break;
    case NEREUS_SCALING_STAGES:
    case NEREUS_SCALING_TABLE:
        NEREUS_TRY(nereus_scaling_lookup(scaling, known, &here_s, err));
        NEREUS_TRY(nereus_scaling_lookup(scaling, n, &there_s, err));
        break;
    case NEREUS_SCALING_WEAK:
    case NEREUS_SCALING_MEASURED:
        break;
    }
    *ratio = there_s / here_s;
    return NEREUS_OK;
}

enum nereus_status nereus_scaling_apply(const struct nereus_scaling *scaling, int64_t known,
                                        double known_s, int64_t n, double *t_iter_s,
                                        struct nereus_error *err)
{
    double ratio;
    if (scaling->law == NEREUS_SCALING_MEASURED)
        return scale_by_measured(scaling, known, known_s, n, t_iter_s, err);
    NEREUS_TRY(scale_by_law(scaling, known, n, &ratio, err));
    *t_iter_s = known_s * ratio;
    return NEREUS_OK;
}
