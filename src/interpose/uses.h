/**
 * @file uses.h
 * Declares functions of a library of src/interpose that libnereus calls if the library is loaded.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/nereus.h"

/** MPI calls of the calling thread since it began, by enum nereus_mpi_kind, without those inside a
 * malleability point. */
void nereus_watch_get_uses(struct nereus_mpi_use counted[NEREUS_MPI_KIND_COUNT])
    __attribute__((weak));

/** Seconds of the calling thread in nereus_init, nereus_point, nereus_balance and nereus_finalize,
 * including the present call: it may wait for other processes there, and MPI calls in it are not
 * counted. */
double nereus_watch_library_s(void) __attribute__((weak));

/** Bytes of the registered data, for the records of this process. */
void nereus_watch_data(int64_t constant_bytes, int64_t variable_bytes) __attribute__((weak));
