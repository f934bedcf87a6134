/**
 * @file cube.h
 * Simulates molecular dynamics: atoms of a Lennard-Jones fluid in a periodic cube of cells, as wide
 * as the cutoff. A process has planes of cells; atoms migrate. Forces are added in the order of
 * cells and of the numbers of atoms, so that the result is the same, bit for bit, on any number of
 * processes.
 */
#pragma once

#include <mpi.h>
#include <stdint.h>

struct atom {
    double x[3], v[3];
    int64_t number, cell; /* the cell in its plane, once that is sorted */
};

struct plane {
    int64_t count;
    struct atom *atoms; /* sorted by cell, in a cell by number */
    int64_t *start;     /* of each cell in `atoms`, and their number */
};

struct cube {
    MPI_Comm comm;
    int64_t cells, steps, step; /* cells in each dimension */
    int64_t first, count;       /* planes of this process */
    int below, above;           /* ranks with the planes beside them */
    struct plane *planes;       /* copies of those planes have the indices 0 and count + 1 */
};

/** Print why, and end the job. */
void cube_abort(const char *sentence);
/** Make empty planes, in place of those of before. Local. */
void cube_make_planes(struct cube *c, int64_t first, int64_t count);
/** Free the planes. Local. */
void cube_fini(struct cube *c);
/** Put atoms on a lattice, those of the planes of this process. Local. */
void cube_fill(struct cube *c);
/** Add an atom to the plane that it is in. Local. */
void cube_add_atom(struct cube *c, const struct atom *atom);
/** One time step, in the processes that have planes. Collective over them. */
void cube_step(struct cube *c);
/** A hash of all atoms. Collective over comm. */
uint64_t cube_digest(const struct cube *c);
