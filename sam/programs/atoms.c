/*
 * Molecular dynamics by planes of cells (cube.h): atoms_plain.c made malleable. The planes are
 * elements of custom data, of as many bytes as they have atoms. Arguments: cells in each dimension,
 * steps and, if it is not to be chosen, a method. It continues with 4 processes after a quarter of
 * the steps, with 1 after a half and with 3 after three quarters.
 */
#include <mpi.h>
#include <nereus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cube.h"

/* ---- planes on their way to other processes: their atoms, one plane after the other ----------- */

static int64_t bytes_of(void *user, int64_t first, int64_t count)
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
        cube_put(user, (const struct atom *)buffer + j);
    return NEREUS_OK;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void must_succeed(const nereus_job *job, enum nereus_status status)
{
    if (status != NEREUS_OK)
        cube_give_up(nereus_last_error(job));
}

/* Neighbours need not be the ranks beside this one. */
static void find_neighbours(nereus_job *job, int id, struct cube *c)
{
    const int64_t below = c->first + c->cells - 1, above = c->first + c->count;
    c->comm = nereus_comm(job);
    must_succeed(job, nereus_owner_of(job, id, below % c->cells, &c->below));
    must_succeed(job, nereus_owner_of(job, id, above % c->cells, &c->above));
}

static int register_all(nereus_job *job, struct cube *c)
{
    const struct nereus_custom planes = {sizeof planes, bytes_of, pack, resize, unpack, c};
    int64_t first, count;
    int id, step_id;
    must_succeed(job, nereus_register_replicated(job, "step", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                                 &c->step, &step_id));
    must_succeed(job, nereus_register_custom(job, "planes", c->cells, NEREUS_BY_LENGTH, &planes,
                                             NEREUS_VARIABLE, &id));
    if (!nereus_is_received(job, id)) {
        must_succeed(job, nereus_part_of(job, id, nereus_rank(job), &first, &count));
        cube_make_planes(c, first, count);
        cube_fill(c);
    }
    find_neighbours(job, id, c);
    return id;
}

static void print_result(const nereus_job *job, const struct cube *c)
{
    const uint64_t answer = cube_digest(c);
    if (nereus_rank(job) == 0)
        printf("answer %016llx, processes %d, changes of size %d\n", (unsigned long long)answer,
               nereus_size(job), (int)nereus_reconfigurations(job));
}

int main(int argc, char **argv)
{
    struct cube c = {.cells = argc > 1 ? atoll(argv[1]) : 6,
                     .steps = argc > 2 ? atoll(argv[2]) : 40};
    const struct nereus_resize schedule[] = {{.point = c.steps / 4, .nt = 4},
                                             {.point = c.steps / 2, .nt = 1},
                                             {.point = 3 * c.steps / 4, .nt = 3}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    options.schedule = schedule;
    options.schedule_count = c.steps < 4 ? 0 : 3;
    options.method = argc > 3 ? argv[3] : NULL;
    nereus_job *job;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (c.cells < 3 || c.steps < 0)
        cube_give_up("the arguments are cells in each dimension, at least 3, and steps");
    const int id = register_all(job, &c);
    enum nereus_action action = NEREUS_CONTINUE;
    while (c.step < c.steps && action != NEREUS_LEAVE) {
        if (c.count > 0) /* processes may be more than planes */
            cube_step(&c);
        c.step++;
        must_succeed(job, nereus_point(job, &action));
        if (action == NEREUS_RESIZED)
            find_neighbours(job, id, &c);
    }
    if (action != NEREUS_LEAVE)
        print_result(job, &c);
    cube_fini(&c);
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
