/** @file summary.h  What a set of comparisons says in all, for a newcomer and for a program. */
#ifndef NEREUS_SUMMARY_H
#define NEREUS_SUMMARY_H

#include "comparison.h"

struct nereus_summary {
    int wanted, measured; /**< reconfigurations (a pair by a method) */
    int failed; /**< not measured, for a reason; what is neither was not reached within the budget */
    int inside; /**< whose median RT lies in the predicted interval */
    int oversubscribed;
    double median_factor; /**< of max(ratio, 1 / ratio) over the RTs; NAN without any */
    double worst_factor;
    const struct nereus_comparison *worst; /**< NULL without any */
};

/** @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_summary_make(const struct nereus_comparison *comparisons, int count,
                                       struct nereus_summary *summary, struct nereus_error *err);
/** A table of the RTs, if there are any, and a few sentences. */
bool nereus_summary_print(const struct nereus_summary *summary, const struct nereus_comparison *comparisons,
                          int count, FILE *stream);
json_t *nereus_summary_json(const struct nereus_summary *summary);

#endif
