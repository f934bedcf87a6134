/** @file profile_diff.h  Two profiles side by side: what differs. */
#ifndef NEREUS_PREDICTOR_PROFILE_PROFILE_DIFF_H
#define NEREUS_PREDICTOR_PROFILE_PROFILE_DIFF_H

#include "nereus/profile.h"
#include "predictor/cli/output.h"

/** Add a row for each value in which two profiles differ. @return how many */
int nereus_profile_diff(const struct nereus_profile *a, const struct nereus_profile *b,
                        struct nereus_table *table);

extern const struct nereus_column nereus_profile_diff_columns[];
extern const size_t nereus_profile_diff_column_count;

#endif
