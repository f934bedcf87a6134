/** @file stage_time.c  T_op: one operation of a stage that computes. */
#include <math.h>
#include <string.h>

#include "model/util/c_locale.h"
#include "nereus/profile.h"

bool nereus_stage_time_is(const char *stage)
{
    size_t name = 0;
    while (nereus_is_letter(stage[name]))
        name++;
    const char *digits = stage + name + 1;
    return name > 0 && stage[name] == ':' && digits[0] >= '1' && digits[0] <= '9' &&
           strspn(digits, "0123456789") == strlen(digits) && strlen(stage) < NEREUS_STAGE_TIME_MAX;
}

double nereus_stage_time_s(const struct nereus_profile *profile, const char *stage)
{
    for (int64_t i = 0; i < profile->stage_count; i++)
        if (strcmp(profile->stages[i].stage, stage) == 0)
            return profile->stages[i].t_op_s;
    return NAN;
}
