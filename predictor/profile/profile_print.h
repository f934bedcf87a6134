/**
 * @file profile_print.h
 * Prints the contents of a profile, and the differences between two.
 */
#pragma once

#include "nereus/profile.h"
#include "predictor/cli/output.h"

/** Print ", 20 cores per node, 6 nodes"; for unequal nodes each list. */
void nereus_profile_print_nodes(const struct nereus_profile *profile);

/** Print steps, unattributed time, asynchronous models and threads, a line each; then the methods.
 */
void nereus_profile_print_models(const struct nereus_profile *profile);

/** Print a row for each value in which two profiles differ. As text, from 20 rows on: of models
 * only the coefficients of steps and of asynchronous methods, and how many values are left out.
 * @return as nereus_table_print */
bool nereus_profile_diff_print(const struct nereus_profile *a, const struct nereus_profile *b,
                               enum nereus_format format, FILE *stream);
