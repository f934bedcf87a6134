/** @file t_op.c  Looks T_op up in a profile (nereus calibrate). */
#include "t_op.h"

#include <stdint.h>
#include <stdio.h>

#include "keys.h"
#include "nereus/profile_place.h"

static bool find_t_op(const struct sam_config *config, const struct nereus_profile *profile,
                      double t_op_s[SAM_T_OP_COUNT])
{
    t_op_s[SAM_PI] = t_op_s[SAM_MATRIX] = 0;
    t_op_s[SAM_T_OP_FROM_PROFILE] = 1;
    for (int64_t i = 0; i < config->stage_count; i++) {
        char stage[NEREUS_STAGE_TIME_MAX];
        const int64_t type = config->stages[i].type;
        if (!sam_stage_type_computes(type))
            continue;
        snprintf(stage, sizeof stage, "%s:%lld", sam_choice_name(SAM_KEY_STAGE_TYPE, type),
                 (long long)config->granularity);
        t_op_s[type] = nereus_stage_time_s(profile, stage);
        if (!(t_op_s[type] > 0))
            return false;
    }
    return true;
}

bool sam_t_op_read_profile(const struct sam_config *config, double t_op_s[SAM_T_OP_COUNT])
{
    struct nereus_profile_search search;
    struct nereus_profile_place place;
    struct nereus_profile profile;
    nereus_profile_search_init(&search);
    if (nereus_profile_read_default(&search, NULL, &place, &profile, NULL) != NEREUS_OK)
        return false;
    const bool known = find_t_op(config, &profile, t_op_s);
    nereus_profile_fini(&profile);
    return known;
}
