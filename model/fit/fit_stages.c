/** @file fit_stages.c  Sets T_op of each stage that computes to the median of its rows. */

#include "fit.h"
#include "model/statistics/statistics.h"

static bool same_stage(const struct nereus_fit_rows *rows, size_t a, size_t b, const void *context)
{
    (void)context;
    return rows->rows[b]->kind == NEREUS_SAMPLE_STAGE &&
           strcmp(rows->rows[a]->program, rows->rows[b]->program) == 0;
}

enum nereus_status nereus_fit_stages(const struct nereus_fit_rows *rows,
                                     struct nereus_profile *profile, struct nereus_error *err)
{
    double *values_s = malloc((rows->count + 1) * sizeof *values_s);
    size_t *first_of = malloc((rows->count + 1) * sizeof *first_of);
    profile->stages = malloc((rows->count + 1) * sizeof *profile->stages);
    const bool allocated = values_s != NULL && first_of != NULL && profile->stages != NULL;
    if (allocated)
        nereus_fit_group_rows(rows, same_stage, NULL, first_of);
    for (size_t i = 0; allocated && i < rows->count; i++) {
        struct nereus_stage_time *time = &profile->stages[profile->stage_count];
        if (first_of[i] != i)
            continue;
        const size_t n = nereus_fit_collect_values(
            rows, first_of, i, offsetof(struct nereus_sample, time_s), values_s);
        *time = (struct nereus_stage_time){.t_op_s = nereus_median(values_s, (int)n),
                                           .rows = (int64_t)n};
        snprintf(time->stage, sizeof time->stage, "%.*s", (int)sizeof time->stage - 1,
                 rows->rows[i]->program);
        profile->stage_count++;
    }
    free(values_s);
    free(first_of);
    return allocated ? NEREUS_OK : nereus_fit_fail_memory(rows, err);
}
