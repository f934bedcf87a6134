/**
 * @file data.h
 * Fills and checks the redistributed arrays: every element is a function of its global index, so
 * that each process can check its part alone. No MPI here.
 */
#pragma once

#include <stdint.h>

/** Wrong elements of a part, and the global index of the first of them (INT64_MAX: none). */
struct sam_wrong {
    int64_t count;
    int64_t first;
};

/** Constant data: the same throughout the job.
 * @param[in] first  global index of part[0] */
void sam_fill_constant(uint64_t *part, int64_t first, int64_t count);
struct sam_wrong sam_check_constant(const uint64_t *part, int64_t first, int64_t count);

/** Variable data: every version differs in every element. */
void sam_fill_variable(double *part, int64_t first, int64_t count, int64_t version);
struct sam_wrong sam_check_variable(const double *part, int64_t first, int64_t count,
                                    int64_t version);
