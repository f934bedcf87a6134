/** @file summary.h  Summary of a set of comparisons. */
#ifndef NEREUS_SUMMARY_H
#define NEREUS_SUMMARY_H

#include "comparison.h"

struct nereus_summary {
    int wanted, measured; /**< reconfigurations (a pair by a method) */
    int failed; /**< failed jobs; those neither measured nor failed were not reached within the
                   budget */
    int inside; /**< median RT lies in the predicted interval */
    int oversubscribed;
    double median_factor; /**< of max(ratio, 1 / ratio) over the RTs; NAN without any */
    double worst_factor;
    const struct nereus_comparison *worst; /**< NULL without any */
};

/** @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_summary_make(const struct nereus_comparison *comparisons, int count,
                                       struct nereus_summary *summary, struct nereus_error *err);
#endif
