/**
 * @file custom_sizes.h
 * Bytes of each element of custom data, which is packed element by element, so that any number of
 * processes can read it.
 */
#ifndef NEREUS_SRC_CHECKPOINT_CUSTOM_SIZES_H
#define NEREUS_SRC_CHECKPOINT_CUSTOM_SIZES_H

#include "src/job/job.h"

/* Sizes of the elements of one datum in this process. */
struct custom_sizes {
    struct nereus_range elements; /* range of this process */
    int64_t *sizes;               /* bytes of each element of the range; owned */
    int64_t total, largest;
    int64_t before; /* bytes of all elements before this range */
};

/* Measure a datum's own elements: query the application, or count the pieces of data that it has
 * not registered yet. */
enum nereus_status nereus_custom_measure(const nereus_job *job, const struct datum *datum,
                                         struct custom_sizes *sizes, struct nereus_error *err);
/* Find `before`. A process that has failed takes part with 0 bytes. Collective over control. */
enum nereus_status nereus_custom_find_offset(const nereus_job *job, const struct datum *datum,
                                             struct custom_sizes *sizes, struct nereus_error *err);
/* Free the sizes. */
void nereus_custom_sizes_fini(struct custom_sizes *sizes);

#endif
