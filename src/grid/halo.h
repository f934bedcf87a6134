/** @file halo.h  Refills the halo of a field from the neighbours. */
#pragma once

#include "links.h"

/** nereus_grid_exchange, of a field. Collective over app. */
enum nereus_status nereus_halo_exchange(nereus_job *job, const struct datum *field,
                                        struct nereus_error *err);
