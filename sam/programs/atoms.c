/*
 * Molecular dynamics by planes of cells (cube.h): atoms_plain.c made malleable. The planes are
 * elements of custom data, of as many bytes as they have atoms. Arguments: cells in each dimension,
 * and steps.
 *
 *     NEREUS_SCHEDULE=4@10,1@20,3@30 nereus-mpiexec -n 2 nereus-atoms 6 40
 */
#include <mpi.h>
#include <nereus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cube.h"
#include "example.h"

/* ---- planes on their way to other processes: their atoms, one plane after the other -----------
 * */

static int64_t count_bytes(void *user, int64_t first, int64_t count)
{
    const struct cube *c = user;
    int64_t atoms = 0;
    for (int64_t i = first - c->first + 1; count > 0; i++, count--)
        atoms += c->planes[i].count;
    return atoms * (int64_t)sizeof(struct atom);
}

static void pack(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes)
{
    const struct cube *c = user;
    struct atom *next = buffer;
    (void)bytes;
    for (int64_t i = first - c->first + 1; count > 0; i++, count--)
        for (int64_t j = 0; j < c->planes[i].count; j++)
            *next++ = c->planes[i].atoms[j];
}

static void resize(void *user, int64_t first, int64_t count)
{
    cube_make_planes(user, first, count);
}

static enum nereus_status unpack(void *user, int64_t first, int64_t count, const void *buffer,
                                 int64_t bytes)
{
    (void)first, (void)count;
    for (int64_t j = 0; j < bytes / (int64_t)sizeof(struct atom); j++)
        cube_add_atom(user, (const struct atom *)buffer + j);
    return NEREUS_OK;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Neighbours need not be the ranks beside this one. */
static void find_neighbours(nereus_job *job, struct cube *c, int id)
{
    const int64_t below = c->first + c->cells - 1, above = c->first + c->count;
    c->comm = nereus_comm(job);
    example_check(job, nereus_owner_of(job, id, below % c->cells, &c->below));
    example_check(job, nereus_owner_of(job, id, above % c->cells, &c->above));
}

static void register_all(nereus_job *job, struct cube *c, int *id)
{
    const struct nereus_custom planes = {sizeof planes, count_bytes, pack, resize, unpack, c};
    const enum nereus_data_kind kind = NEREUS_VARIABLE;
    example_check(job, nereus_register_replicated(job, "step", MPI_INT64_T, 1, kind, &c->step, id));
    example_check(
        job, nereus_register_custom(job, "planes", c->cells, NEREUS_BY_LENGTH, &planes, kind, id));
}

/* The part that this process has at the start. */
static void make_own_planes(nereus_job *job, struct cube *c, int id)
{
    int64_t first, count;
    example_check(job, nereus_part_of(job, id, nereus_rank(job), &first, &count));
    cube_make_planes(c, first, count);
}

int main(int argc, char **argv)
{
    struct cube c = {.cells = argc > 1 ? atoll(argv[1]) : 6,
                     .steps = argc > 2 ? atoll(argv[2]) : 40};
    nereus_job *job;
    int id;
    if (nereus_init(&argc, &argv, NULL, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (c.cells < 3 || c.steps < 0)
        cube_abort("the arguments are cells in each dimension, at least 3, and steps");
    register_all(job, &c, &id);
    if (!nereus_is_received(job, id)) {
        make_own_planes(job, &c, id);
        cube_fill(&c);
    }
    find_neighbours(job, &c, id);
    enum nereus_action action = NEREUS_CONTINUE;
    while (c.step < c.steps && action != NEREUS_LEAVE) {
        if (c.count > 0) /* processes may be more than planes */
            cube_step(&c);
        c.step++;
        example_check(job, nereus_point(job, &action));
        if (action == NEREUS_RESIZED)
            find_neighbours(job, &c, id);
    }
    if (action != NEREUS_LEAVE)
        example_print(job, cube_digest(&c));
    cube_fini(&c);
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
