/** @file loops.c  Loops of known units: arithmetic, a stream of memory, MPI_Allreduce. */
#include "loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/clock.h"

enum {
    STEPS = 5000,     /* arithmetic operations per unit */
    STREAM = 4194304, /* doubles per array; three arrays exceed the caches */
    STRIDE = 8192,    /* doubles per unit, in each array */
    REDUCED = 128,    /* doubles of a reduction */
    TRIED = 40,       /* units of a trial that times one unit, */
    TRIALS = 8        /* the fastest of so many trials */
};

static volatile double sink; /* prevents that the loops are optimised away */

static void compute_unit(MPI_Comm comm)
{
    double x = 1;
    (void)comm;
    for (int i = 0; i < STEPS; i++)
        x = x * 0.999999 + 1e-7;
    sink += x;
}

static double *stream_arrays(void)
{
    static double *arrays;
    const size_t bytes = 3 * (size_t)STREAM * sizeof *arrays;
    if (arrays != NULL)
        return arrays;
    arrays = malloc(bytes);
    if (arrays == NULL) {
        fprintf(stderr, "no memory for the stream of a memory loop\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(arrays, 0, bytes); /* touched before it is timed */
    return arrays;
}

static void run_memory_unit(MPI_Comm comm)
{
    static int at;
    double *a = stream_arrays() + at, *b = a + STREAM, *c = b + STREAM;
    (void)comm;
    for (int i = 0; i < STRIDE; i++)
        a[i] = b[i] + 0.5 * c[i];
    sink += a[0];
    at = (at + STRIDE) % STREAM;
}

static void run_collective_unit(MPI_Comm comm)
{
    static double in[REDUCED], out[REDUCED];
    MPI_Allreduce(in, out, REDUCED, MPI_DOUBLE, MPI_SUM, comm);
    sink += out[0];
}

static const struct nereus_loop loops[] = {
    {"compute", compute_unit},
    {"memory", run_memory_unit},
    {"collective", run_collective_unit},
};

const struct nereus_loop *nereus_loop_find(const char *name)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(loops); i++)
        if (strcmp(name, loops[i].name) == 0)
            return &loops[i];
    return NULL;
}

void nereus_loop_iterate(const struct nereus_loop *loop, MPI_Comm comm, long units)
{
    for (long i = 0; i < units; i++)
        loop->unit(comm);
}

long nereus_loop_count_units(const struct nereus_loop *loop, MPI_Comm comm, double iteration_s)
{
    double unit_s = 1;
    nereus_loop_iterate(loop, comm, TRIED); /* warm */
    for (int trial = 0; trial < TRIALS; trial++) {
        const double start_s = nereus_monotonic_s();
        nereus_loop_iterate(loop, comm, TRIED);
        const double one_s = (nereus_monotonic_s() - start_s) / TRIED;
        unit_s = one_s < unit_s ? one_s : unit_s;
    }
    MPI_Bcast(&unit_s, 1, MPI_DOUBLE, 0, comm);
    return unit_s < iteration_s ? (long)(iteration_s / unit_s) : 1;
}
