/**
 * @file digest.h
 * Computes a hash of a distributed array, independent of its partition: two runs with the same
 * number have the same answer, bit for bit.
 */
#pragma once

#include <mpi.h>
#include <stdint.h>

/** Local: the sum over one part, modulo 2^64.
 * @param first  index of values[0] in the whole array */
uint64_t digest_part(const double *values, int64_t first, int64_t count);

/** Collective over comm: the sum over all parts.
 * @param first  index of values[0] in the whole array */
uint64_t digest(const double *values, int64_t first, int64_t count, MPI_Comm comm);
