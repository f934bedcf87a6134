/** @file profile_diff.h  Prints the differences between two profiles. */
#pragma once

#include "nereus/profile.h"
#include "predictor/cli/output.h"

/** Print a row for each value in which two profiles differ. As text, from 20 rows on: of models only
 * the coefficients of steps and of asynchronous methods, and how many values are left out.
 * @return as nereus_table_print */
bool nereus_profile_diff_print(const struct nereus_profile *a, const struct nereus_profile *b,
                               enum nereus_format format, FILE *stream);
