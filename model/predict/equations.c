/* alpha and omega are not clamped: both fall below 1 for some redistributions (data-redistribution
 * 4.4.2). */
#include <math.h>

#include "nereus/predict.h"

double nereus_equation_6_ct_s(double iterations, double t_iter_s, double omega)
{
    return iterations * t_iter_s * omega;
}

double nereus_equation_7_s(double before, double t_iter_ns_s, double rt_or_ct_s,
                           double rt_blocking_s, double after, double iterations,
                           double t_iter_nt_s)
{
    return before * t_iter_ns_s + rt_or_ct_s + rt_blocking_s +
           fmax(0, after - iterations) * t_iter_nt_s;
}
