/** @file summary.c  Summary of a set of comparisons. */
#include "summary.h"

#include <math.h>
#include <stdlib.h>

#include "model/statistics/statistics.h"
#include "model/util/try.h"

enum nereus_status nereus_summary_make(const struct nereus_comparison *comparisons, int count,
                                       struct nereus_summary *summary, struct nereus_error *err)
{
    *summary = (struct nereus_summary){.wanted = count};
    double *factors = calloc((size_t)count + 1, sizeof *factors);
    NEREUS_TRY_MEMORY(factors, err, "for a summary of %d reconfigurations", count);
    int known = 0;
    for (int i = 0; i < count; i++) {
        const struct nereus_compared *rt = nereus_comparison_rt(&comparisons[i]);
        double ratio = nereus_compared_ratio(rt);
        summary->measured += rt->count > 0 ? 1 : 0;
        summary->failed += rt->count == 0 && comparisons[i].failure[0] != '\0' ? 1 : 0;
        summary->oversubscribed += rt->count > 0 && comparisons[i].oversubscribed ? 1 : 0;
        if (!(ratio > 0)) {
            continue;
        }
        summary->inside += nereus_compared_inside(rt) ? 1 : 0;
        factors[known] = fmax(ratio, 1 / ratio);
        if (factors[known] > summary->worst_factor) {
            summary->worst_factor = factors[known];
            summary->worst = &comparisons[i];
        }
        known++;
    }
    nereus_sort(factors, known);
    summary->median_factor = nereus_quantile(factors, known, 0.5);
    free(factors);
    return NEREUS_OK;
}
