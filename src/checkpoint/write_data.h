/**
 * @file write_data.h
 * The registered data of a process, written to its ranges of a checkpoint's files.
 */
#ifndef NEREUS_SRC_CHECKPOINT_WRITE_DATA_H
#define NEREUS_SRC_CHECKPOINT_WRITE_DATA_H

#include "write_behind.h"

/** Destination of the data of a checkpoint. */
struct data_write {
    const nereus_job *job;
    const char *path;
    struct write_behind *behind; /* NULL: all is written at once */
    struct range_sum *sums;      /* FILES_PER_DATUM of each datum, zeroed by the caller */
};

/** Write all data, now or later.
 * @param[in,out] mine  a failure of this process, before or during the call: it still takes part in
 *                      the collectives, but writes nothing more
 * Collective over control. */
enum nereus_status nereus_write_data(const struct data_write *all, struct nereus_error *mine,
                                     struct nereus_error *err);

#endif
