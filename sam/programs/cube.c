/** @file cube.c  See cube.h. */
#include "cube.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"

static const double width = 2.5;      /* of a cell, and the cutoff */
static const double time_step = 0.01; /* both in reduced units */

void cube_abort(const char *sentence)
{
    fprintf(stderr, "atoms: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void *reallocate(void *old, int64_t count, size_t bytes)
{
    void *new = realloc(old, (size_t)count * bytes + 1);
    if (new == NULL)
        cube_abort("no memory");
    return new;
}

/* ---- planes ---------------------------------------------------------------------------------- */

void cube_fini(struct cube *c)
{
    for (int64_t i = 0; c->planes != NULL && i < c->count + 2; i++) {
        free(c->planes[i].atoms);
        free(c->planes[i].start);
    }
    free(c->planes);
    c->planes = NULL;
}

void cube_make_planes(struct cube *c, int64_t first, int64_t count)
{
    cube_fini(c);
    c->first = first;
    c->count = count;
    c->planes = reallocate(NULL, count + 2, sizeof *c->planes);
    for (int64_t i = 0; i < count + 2; i++) {
        c->planes[i] = (struct plane){.atoms = reallocate(NULL, 0, sizeof(struct atom))};
        c->planes[i].start = reallocate(NULL, c->cells * c->cells + 1, sizeof(int64_t));
    }
}

static struct atom *reserve_atoms(struct plane *plane, int64_t more)
{
    plane->atoms = reallocate(plane->atoms, plane->count + more, sizeof *plane->atoms);
    return plane->atoms + plane->count;
}

static int64_t find_cell(const struct cube *c, double x)
{
    const int64_t cell = (int64_t)(x / width);
    return cell < c->cells ? cell : c->cells - 1;
}

/* Index of the plane that an atom is in, which is one of this process or beside them. */
static int64_t find_plane(const struct cube *c, const struct atom *atom)
{
    const int64_t i = find_cell(c, atom->x[0]) - c->first + 1;
    return i < 0 ? i + c->cells : i > c->count + 1 ? i - c->cells : i;
}

void cube_add_atom(struct cube *c, const struct atom *atom)
{
    struct plane *plane = &c->planes[find_plane(c, atom)];
    *reserve_atoms(plane, 1) = *atom;
    plane->count++;
}

static int compare_atoms(const void *a, const void *b)
{
    const struct atom *one = a, *other = b;
    return one->cell != other->cell ? (one->cell > other->cell) - (one->cell < other->cell)
                                    : (one->number > other->number) - (one->number < other->number);
}

static void sort_plane(const struct cube *c, struct plane *plane)
{
    int64_t j = 0;
    for (int64_t i = 0; i < plane->count; i++)
        plane->atoms[i].cell =
            find_cell(c, plane->atoms[i].x[1]) * c->cells + find_cell(c, plane->atoms[i].x[2]);
    qsort(plane->atoms, (size_t)plane->count, sizeof *plane->atoms, compare_atoms);
    for (int64_t cell = 0; cell <= c->cells * c->cells; cell++) {
        while (j < plane->count && plane->atoms[j].cell < cell)
            j++;
        plane->start[cell] = j;
    }
}

/* ---- communication --------------------------------------------------------------------------- */

/* Send the atoms of one plane, and add those that arrive to another one. */
static void exchange_plane(struct cube *c, int64_t from, int to_rank, int64_t to, int from_rank)
{
    struct plane *out = &c->planes[from], *in = &c->planes[to];
    int64_t more;
    MPI_Sendrecv(&out->count, 1, MPI_INT64_T, to_rank, 0, &more, 1, MPI_INT64_T, from_rank, 0,
                 c->comm, MPI_STATUS_IGNORE);
    struct atom *place = reserve_atoms(in, more);
    MPI_Sendrecv(out->atoms, (int)(out->count * (int64_t)sizeof *place), MPI_BYTE, to_rank, 1,
                 place, (int)(more * (int64_t)sizeof *place), MPI_BYTE, from_rank, 1, c->comm,
                 MPI_STATUS_IGNORE);
    in->count += more;
}

static void copy_neighbours(struct cube *c)
{
    c->planes[0].count = c->planes[c->count + 1].count = 0;
    exchange_plane(c, 1, c->below, c->count + 1, c->above);
    exchange_plane(c, c->count, c->above, 0, c->below);
    for (int64_t i = 0; i < c->count + 2; i++)
        sort_plane(c, &c->planes[i]);
}

/* Atoms that have left their plane go to the one beside it. */
static void migrate(struct cube *c)
{
    c->planes[0].count = c->planes[c->count + 1].count = 0;
    for (int64_t i = 1; i <= c->count; i++) {
        struct plane *plane = &c->planes[i];
        for (int64_t j = 0; j < plane->count;)
            if (find_plane(c, &plane->atoms[j]) == i) {
                j++;
            } else {
                cube_add_atom(c, &plane->atoms[j]);
                plane->atoms[j] = plane->atoms[--plane->count];
            }
    }
    exchange_plane(c, 0, c->below, c->count, c->above);
    exchange_plane(c, c->count + 1, c->above, 1, c->below);
}

/* ---- the computation ------------------------------------------------------------------------- */

void cube_fill(struct cube *c)
{
    const int64_t n = 2 * c->cells, plane = 2 * n * n; /* atoms in each dimension, and in a plane */
    for (int64_t i = c->first * plane; i < (c->first + c->count) * plane; i++) {
        const int64_t coordinates[3] = {i / n / n, i / n % n, i % n};
        struct atom atom = {.number = i};
        for (int d = 0; d < 3; d++) {
            atom.x[d] = ((double)coordinates[d] + 0.5) * width / 2;
            atom.v[d] = sin(1.7 * (double)(3 * i + d));
        }
        cube_add_atom(c, &atom);
    }
}

/* Add the change of velocity by the atoms of a cell. */
static void add_forces(const struct cube *c, struct atom *atom, const struct plane *plane,
                       int64_t cell)
{
    const double length = (double)c->cells * width;
    for (int64_t j = plane->start[cell]; j < plane->start[cell + 1]; j++) {
        double way[3], square = 0;
        for (int d = 0; d < 3; d++) {
            way[d] = atom->x[d] - plane->atoms[j].x[d];
            way[d] -= length * round(way[d] / length);
            square += way[d] * way[d];
        }
        if (square >= width * width || plane->atoms[j].number == atom->number)
            continue;
        const double s = 1 / square, cube = s * s * s;
        for (int d = 0; d < 3; d++)
            atom->v[d] += time_step * 48 * cube * (cube - 0.5) * s * way[d];
    }
}

static void add_all_forces(const struct cube *c)
{
    const int64_t n = c->cells;
    for (int64_t i = 1; i <= c->count; i++)
        for (int64_t j = 0; j < c->planes[i].count; j++) {
            struct atom *atom = &c->planes[i].atoms[j];
            const int64_t y = atom->cell / n + n, z = atom->cell % n + n;
            for (int near = 0; near < 27; near++)
                add_forces(c, atom, &c->planes[i + near / 9 - 1],
                           (y + near / 3 % 3 - 1) % n * n + (z + near % 3 - 1) % n);
        }
}

static void move_all(const struct cube *c)
{
    const double length = (double)c->cells * width;
    for (int64_t i = 1; i <= c->count; i++)
        for (int64_t j = 0; j < c->planes[i].count; j++)
            for (int d = 0; d < 3; d++) {
                double *x = &c->planes[i].atoms[j].x[d];
                *x += time_step * c->planes[i].atoms[j].v[d];
                *x -= length * floor(*x / length);
            }
}

void cube_step(struct cube *c)
{
    copy_neighbours(c);
    add_all_forces(c);
    move_all(c);
    migrate(c);
}

uint64_t cube_digest(const struct cube *c)
{
    uint64_t own_digest = 0, total_digest;
    for (int64_t i = 1; i <= c->count; i++)
        for (int64_t j = 0; j < c->planes[i].count; j++) {
            const struct atom *atom = &c->planes[i].atoms[j];
            own_digest += digest_part(atom->x, 6 * atom->number, 3) +
                          digest_part(atom->v, 6 * atom->number + 3, 3);
        }
    MPI_Allreduce(&own_digest, &total_digest, 1, MPI_UINT64_T, MPI_SUM, c->comm);
    return total_digest;
}
