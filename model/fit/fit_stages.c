/* T_op of each stage that computes: the median of its rows. */
#include <stdlib.h>
#include <string.h>

#include "fit.h"

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rows of a stage. @return their number */
static size_t values_of(const struct nereus_fit_rows *rows, const char *stage, double *values_s)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->rows[i]->kind == NEREUS_SAMPLE_STAGE &&
            strcmp(rows->rows[i]->program, stage) == 0)
            values_s[n++] = rows->rows[i]->time_s;
    qsort(values_s, n, sizeof *values_s, compare_seconds);
    return n;
}

static enum nereus_status add(const struct nereus_fit_rows *rows, const char *stage,
                              double *values_s, struct nereus_profile *profile,
                              struct nereus_error *err)
{
    const size_t count = (size_t)profile->stage_count + 1;
    struct nereus_stage_time *all = realloc(profile->stages, count * sizeof *all);
    if (all == NULL)
        return nereus_fit_no_memory(rows, err);
    const size_t n = values_of(rows, stage, values_s);
    profile->stages = all;
    profile->stage_count = (int64_t)count;
    all[count - 1] = (struct nereus_stage_time){
        .t_op_s = (values_s[(n - 1) / 2] + values_s[n / 2]) / 2, .rows = (int64_t)n};
    memcpy(all[count - 1].stage, stage, strlen(stage));
    return NEREUS_OK;
}

enum nereus_status nereus_fit_stages(const struct nereus_fit_rows *rows,
                                     struct nereus_profile *profile, struct nereus_error *err)
{
    double *values_s = malloc((rows->count + 1) * sizeof *values_s);
    enum nereus_status status = values_s != NULL ? NEREUS_OK : nereus_fit_no_memory(rows, err);
    for (size_t i = 0; i < rows->count && status == NEREUS_OK; i++) {
        const char *stage = rows->rows[i]->program;
        if (rows->rows[i]->kind == NEREUS_SAMPLE_STAGE &&
            !(nereus_stage_time_s(profile, stage) > 0))
            status = add(rows, stage, values_s, profile, err);
    }
    free(values_s);
    return status;
}
