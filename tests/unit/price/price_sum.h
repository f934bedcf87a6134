/** @file price_sum.h  RT without a plan: the steps are priced as they are generated. */
#pragma once

#include "model/price/price_parts.h"

static inline enum nereus_status price_sum(const struct nereus_profile *profile,
                                           const struct nereus_scenario *scenario,
                                           const struct nereus_method *method, double *rt_s,
                                           struct nereus_error *err)
{
    struct nereus_price_parts parts;
    const enum nereus_status status =
        nereus_price_all_parts(profile, scenario, method, &parts, err);
    if (status == NEREUS_OK)
        *rt_s = parts.process.value_s + parts.data.value_s + parts.overlapped.value_s;
    return status;
}
