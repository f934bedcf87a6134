/**
 * @file loops.h
 * Iterations of an application: three kinds of loops, made of small units, so that an iteration
 * can have any length. Errors: without memory for the stream the job is aborted.
 */
#pragma once

#include <mpi.h>

struct nereus_loop {
    const char *name;
    void (*unit)(MPI_Comm comm);
};

/**
 * Find a loop by its name. compute: arithmetic in registers; memory: a stream through more than the
 * caches hold; collective: MPI_Allreduce.
 * @return NULL: there is no such loop
 */
const struct nereus_loop *nereus_loop_find(const char *name);

/** Find the number of units that take iteration_s here, the same in all processes. Collective
 * over comm. */
long nereus_loop_count_units(const struct nereus_loop *loop, MPI_Comm comm, double iteration_s);

/** Run one iteration of so many units. Collective over comm, if the loop is. */
void nereus_loop_iterate(const struct nereus_loop *loop, MPI_Comm comm, long units);
