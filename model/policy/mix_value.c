/** @file mix_value.c  Computes power and value of a mix of classes. */
#include "mix_solver.h"

double nereus_mix_power(const struct nereus_mix_question *q, const struct nereus_allocation *mix)
{
    double sum = 0;
    for (int k = 0; k < q->class_count; k++)
        sum += (double)mix->processes[k] * q->classes[k].power;
    return sum;
}

double nereus_mix_value(const struct nereus_mix_question *q, const double *x)
{
    double sum = 0;
    for (int k = 0; k < q->class_count; k++)
        sum += x[k] * (q->aim == NEREUS_MIX_MIN_POWER ? q->classes[k].power
                                                      : q->classes[k].price_per_core_hour);
    return sum;
}
