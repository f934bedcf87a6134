/**
 * @file interval.c
 * Computes the interval between checkpoints with the least expected run time: checkpoints cost
 * time, and so does computing again what a failure destroyed. Source: Daly (2006), "A higher order
 * estimate of the optimum checkpoint interval for restart dumps": equation 37, whose first term is
 * Young's (1974), and the complete model, equation 20. Failures are assumed to be a Poisson
 * process.
 */

#include "model/util/base.h"
#include "nereus/checkpoint.h"

double nereus_checkpoint_interval_s(double cost_s, double mtbf_s)
{
    if (!(cost_s < 2 * mtbf_s))
        return mtbf_s;
    const double part = cost_s / (2 * mtbf_s);
    return sqrt(2 * cost_s * mtbf_s) * (1 + sqrt(part) / 3 + part / 9) - cost_s;
}

double nereus_checkpoint_expected_s(const struct nereus_checkpoint_times *times)
{
    const bool writes_any = times->interval_s < times->work_s;
    const double segment_s = writes_any ? times->interval_s : times->work_s,
                 with_cost_s = segment_s + (writes_any ? times->cost_s : 0);
    if (!(times->work_s > 0))
        return 0;
    return times->mtbf_s * exp(times->restart_s / times->mtbf_s) *
           expm1(with_cost_s / times->mtbf_s) * (times->work_s / segment_s);
}
