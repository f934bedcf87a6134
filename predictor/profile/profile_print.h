/**
 * @file profile_print.h
 * Prints the contents of a profile, for `profile fit` and `profile show`.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/profile.h"

/** Print ", 20 cores per node, 6 nodes"; for unequal nodes each list. */
void nereus_profile_print_nodes(const struct nereus_profile *profile);

/** Print steps, unattributed time, asynchronous models and threads, a line each; then the methods.
 */
void nereus_profile_print_models(const struct nereus_profile *profile);
