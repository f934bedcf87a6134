/** @file noise_floor.c  Two-way tables of log RT, by alternating means. */
#include "noise_floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { TURNS = 1000 };

static bool is_alike(const struct nereus_sample *a, const struct nereus_sample *b)
{
    char x[NEREUS_METHOD_TEXT_MAX], y[NEREUS_METHOD_TEXT_MAX];
    return strcmp(nereus_method_format(&a->method, x), nereus_method_format(&b->method, y)) == 0 &&
           (a->nt < a->ns) == (b->nt < b->ns);
}

/* Subtract from each row the mean of those with its number of sources, or of targets.
 * @return how many means there are */
static int subtract_means(const struct nereus_samples *rows, bool sources, double *logs)
{
    int count = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        const struct nereus_sample *s = rows->rows;
        const int64_t size = sources ? s[i].ns : s[i].nt;
        double sum = 0;
        int64_t n = 0, first = rows->count;
        for (int64_t j = rows->count - 1; j >= 0; j--)
            if ((sources ? s[j].ns : s[j].nt) == size) {
                sum += logs[j];
                n++;
                first = j;
            }
        for (int64_t j = first; first == i && j < rows->count; j++)
            logs[j] -= (sources ? s[j].ns : s[j].nt) == size ? sum / (double)n : 0;
        count += first == i;
    }
    return count;
}

/* Of one method and direction. */
static void add_table(const struct nereus_samples *rows, struct scores *floor,
                      struct scores *method)
{
    double *logs = malloc((size_t)rows->count * sizeof *logs);
    int64_t left = 0;
    if (logs == NULL)
        abort();
    for (int64_t i = 0; i < rows->count; i++)
        logs[i] = log(rows->rows[i].rt_s);
    for (int turn = 0; turn < TURNS; turn++) /* both share one constant */
        left =
            rows->count + 1 - subtract_means(rows, true, logs) - subtract_means(rows, false, logs);
    const double scale = sqrt((double)rows->count / (double)left);
    for (int64_t i = 0; i < rows->count && left > 0; i++) {
        scores_add(floor, fabs(expm1(logs[i] * scale)));
        scores_add(method, fabs(expm1(logs[i] * scale)));
    }
    free(logs);
}

void noise_floor_add(const struct nereus_samples *rows, struct scores *floor,
                     struct by_method *methods)
{
    bool *alike = rows_flags(rows->count), *done = rows_flags(rows->count);
    for (int64_t i = 0; i < rows->count; i++) {
        if (done[i])
            continue;
        for (int64_t j = 0; j < rows->count; j++) {
            alike[j] = is_alike(&rows->rows[i], &rows->rows[j]);
            done[j] = done[j] || alike[j];
        }
        struct nereus_samples table = rows_chosen(rows, alike);
        add_table(&table, floor, by_method_of(methods, &rows->rows[i].method));
        nereus_samples_fini(&table);
    }
    free(alike);
    free(done);
}
