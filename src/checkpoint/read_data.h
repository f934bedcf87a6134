/**
 * @file read_data.h
 * The ranges of this process, read from a checkpoint's files into a registry that has been set to
 * the checkpoint's data (state_file.h).
 */
#ifndef NEREUS_SRC_CHECKPOINT_READ_DATA_H
#define NEREUS_SRC_CHECKPOINT_READ_DATA_H

#include "checksums.h"

/* Read all data.
 * @param[out] sums     FILES_PER_DATUM of each datum, zeroed by the caller
 * @param[in,out] mine  a failure of this process, before or during the call: it still takes part in
 *                      the collectives, but reads nothing more
 * Collective over control. */
enum nereus_status nereus_read_data(nereus_job *job, const char *path, struct range_sum *sums,
                                    struct nereus_error *mine, struct nereus_error *err);

#endif
