/**
 * @file data_floor.h
 * The floor of moving data: the same bytes moved by bare calls among the same processes.
 */
#pragma once

#include <mpi.h>
#include <stdint.h>

/* A block-distributed array of so many bytes from ns to nt of the processes of comm; kind: p2p
 * (isend and irecv), coll (alltoallv), copy (memcpy of as many bytes as each target gets, in all of
 * them at the same time). Once into pages that were never used and once into touched ones; rank 0
 * prints NAME_fresh_s and NAME_touched_s, each the median of three (of much data: one), of the
 * slowest process, and NAME_fresh_faults, NAME_touched_faults, the page faults of all processes.
 * Collective. */
void data_floor(MPI_Comm comm, const char *kind, int64_t bytes, int64_t ns, int64_t nt,
                const char *name);

/* Minor page faults of this process so far. */
double data_faults(void);
