/** @file halo.h  Refills the halo of a field from the neighbours. */
#ifndef NEREUS_SRC_GRID_HALO_H
#define NEREUS_SRC_GRID_HALO_H

#include "links.h"

/** nereus_grid_exchange, of a field. Collective over app. */
enum nereus_status nereus_halo_exchange(nereus_job *job, const struct datum *field,
                                        struct nereus_error *err);

#endif
