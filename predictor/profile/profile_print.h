/**
 * @file profile_print.h
 * What a profile was fitted to, on standard output: of `fit` and of `profile show`.
 */
#ifndef NEREUS_PREDICTOR_PROFILE_PROFILE_PRINT_H
#define NEREUS_PREDICTOR_PROFILE_PROFILE_PRINT_H

#include "nereus/profile.h"

/** ", 20 cores per node, 6 nodes"; of unequal nodes each list. */
void nereus_profile_print_nodes(const struct nereus_profile *profile);

/** Steps, unattributed time, asynchronous models, threads: a line each; then the methods. */
void nereus_profile_print_models(const struct nereus_profile *profile);

#endif
