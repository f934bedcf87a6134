/* Checkpoints cost time, and so does what is computed again after a failure. Daly (2006), "A higher
 * order estimate of the optimum checkpoint interval for restart dumps", equation 37; its first term
 * is Young's (1974). */
#include <math.h>

#include "nereus/checkpoint.h"

double nereus_checkpoint_interval_s(double cost_s, double mtbf_s)
{
    if (!(cost_s < 2 * mtbf_s))
        return mtbf_s;
    const double part = cost_s / (2 * mtbf_s);
    return sqrt(2 * cost_s * mtbf_s) * (1 + sqrt(part) / 3 + part / 9) - cost_s;
}
