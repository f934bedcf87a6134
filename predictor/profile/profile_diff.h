/** @file profile_diff.h  Lists the differences between two profiles. */
#ifndef NEREUS_PREDICTOR_PROFILE_PROFILE_DIFF_H
#define NEREUS_PREDICTOR_PROFILE_PROFILE_DIFF_H

#include "nereus/profile.h"
#include "predictor/cli/output.h"

/** Add a row for each value in which two profiles differ. @return number of rows */
int nereus_profile_diff(const struct nereus_profile *a, const struct nereus_profile *b,
                        struct nereus_table *table);

extern const struct nereus_column nereus_profile_diff_columns[];
extern const size_t nereus_profile_diff_column_count;

#endif
