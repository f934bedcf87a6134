/*
 * Molecular dynamics by planes of cells (cube.h): an ordinary MPI program. Arguments: cells in each
 * dimension, and steps.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cube.h"

static void distribute_planes(struct cube *c)
{
    int rank, size;
    MPI_Comm_rank(c->comm, &rank);
    MPI_Comm_size(c->comm, &size);
    if (c->cells < size)
        cube_abort("fewer planes of cells than processes");
    const int64_t first = rank * c->cells / size, end = (rank + 1) * c->cells / size;
    cube_make_planes(c, first, end - first);
    c->below = (rank + size - 1) % size;
    c->above = (rank + 1) % size;
}

static void print_result(const struct cube *c)
{
    const uint64_t answer = cube_digest(c);
    int rank, size;
    MPI_Comm_rank(c->comm, &rank);
    MPI_Comm_size(c->comm, &size);
    if (rank == 0)
        printf("answer %016llx, processes %d\n", (unsigned long long)answer, size);
}

int main(int argc, char **argv)
{
    struct cube c = {.cells = argc > 1 ? atoll(argv[1]) : 6,
                     .steps = argc > 2 ? atoll(argv[2]) : 40};
    MPI_Init(&argc, &argv);
    c.comm = MPI_COMM_WORLD;
    if (c.cells < 3 || c.steps < 0)
        cube_abort("the arguments are cells in each dimension, at least 3, and steps");
    distribute_planes(&c);
    cube_fill(&c);
    while (c.step < c.steps) {
        cube_step(&c);
        c.step++;
    }
    print_result(&c);
    cube_fini(&c);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
