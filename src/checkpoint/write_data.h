/* The registered data of a process, written to its ranges of a checkpoint's files. */
#ifndef NEREUS_SRC_WRITE_DATA_H
#define NEREUS_SRC_WRITE_DATA_H

#include "checksums.h"

/* Write all data.
 * @param[out] sums     FILES_PER_DATUM of each datum, zeroed by the caller
 * @param[in,out] mine  a failure of this process, before or here: it goes on to take part in the
 *                      collectives, but writes nothing any more
 * Collective over control. */
enum nereus_status nereus_write_data(const nereus_job *job, const char *path,
                                     struct range_sum *sums, struct nereus_error *mine,
                                     struct nereus_error *err);

#endif
