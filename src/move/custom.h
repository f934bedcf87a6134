/* Custom data on its way. Private to src/; no MPI. */
#ifndef NEREUS_CUSTOM_H
#define NEREUS_CUSTOM_H

#include "registry.h"
#include "schedule.h"

/* Source `rank` (-1: none) has the application pack its selected custom data. */
void nereus_custom_pack(const struct registry *registry, int64_t rank,
                        enum data_selection selection);

#endif
