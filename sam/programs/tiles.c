/*
 * Heat in a plate, explicit in time, by tiles: each process has a rectangle of the plate, which is
 * no range of elements. So the application moves its own data when the size changes
 * (options.mover): from each old tile to the new ones that overlap it. The same answer as
 * heat_plain.c. Arguments: rows, columns, steps.
 */
#include <mpi.h>
#include <nereus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "example.h"

/* Rows row .. row + rows - 1, columns column .. column + columns - 1 of the plate. */
struct rectangle {
    int row, column, rows, columns;
};

struct plate {
    nereus_job *job;
    int rows, columns;
    int64_t steps, step;
    struct rectangle tile;
    double *u, *next; /* with an edge of one element on each side; NULL: no tile */
    struct rectangle coming_tile;
    double *coming; /* while a change of size is prepared: the next tile, and messages */
    MPI_Request *requests;
};

/* Prints why and ends the job. */
static void abort_job(const char *sentence)
{
    fprintf(stderr, "tiles: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* The tile of a process among `size`: the tiles form a grid that is as square as possible. */
static struct rectangle compute_tile(const struct plate *p, int rank, int size)
{
    int grid[2] = {0, 0};
    MPI_Dims_create(size, 2, grid);
    const int64_t i = rank / grid[1], j = rank % grid[1];
    const int row = (int)(i * p->rows / grid[0]), column = (int)(j * p->columns / grid[1]);
    return (struct rectangle){row, column, (int)((i + 1) * p->rows / grid[0]) - row,
                              (int)((j + 1) * p->columns / grid[1]) - column};
}

/* Has each of `size` processes a tile? */
static bool has_tiles(const struct plate *p, int size)
{
    int grid[2] = {0, 0};
    MPI_Dims_create(size, 2, grid);
    return grid[0] <= p->rows && grid[1] <= p->columns;
}

static double *allocate_tile(struct rectangle tile)
{
    return calloc((size_t)(tile.rows + 2) * (size_t)(tile.columns + 2), sizeof(double));
}

/* Find an element of the plate in the memory of a tile. */
static double *get_element(struct rectangle tile, double *memory, int row, int column)
{
    return memory + (int64_t)(row - tile.row + 1) * (tile.columns + 2) + (column - tile.column + 1);
}

static int get_max(int a, int b)
{
    return a > b ? a : b;
}

static int get_min(int a, int b)
{
    return a < b ? a : b;
}

static struct rectangle get_intersection(struct rectangle a, struct rectangle b)
{
    const int row = get_max(a.row, b.row), column = get_max(a.column, b.column);
    return (struct rectangle){
        row, column, get_max(0, get_min(a.row + a.rows, b.row + b.rows) - row),
        get_max(0, get_min(a.column + a.columns, b.column + b.columns) - column)};
}

/* ---- options.mover moves the tiles ---------------------------------------------------------- */

static int64_t count_moved_bytes(void *user, int ns, int nt)
{
    const struct plate *p = user;
    (void)ns;
    (void)nt;
    return (int64_t)p->rows * p->columns * (int64_t)sizeof(double);
}

/* Allocate here, as a failure in `move` would let the other processes wait. */
static enum nereus_status prepare_tiles(void *user, const struct nereus_regroup *group)
{
    struct plate *p = user;
    if (!has_tiles(p, group->nt))
        return NEREUS_ERR_ARGUMENT; /* the job goes on with the tiles that it has */
    p->requests = malloc((size_t)(group->ns + group->nt) * sizeof(MPI_Request));
    if (group->target >= 0) {
        p->coming_tile = compute_tile(p, group->target, group->nt);
        p->coming = allocate_tile(p->coming_tile);
    }
    return p->requests != NULL && (p->coming != NULL || group->target < 0) ? NEREUS_OK
                                                                           : NEREUS_ERR_MEMORY;
}

struct peer {
    MPI_Comm comm;
    int rank;
    bool receives; /* from this process; else it sends */
};

/* The part of a tile that goes to, or comes from, another process: one message. */
static int post_message(struct rectangle tile, double *memory, struct rectangle part,
                        struct peer peer, MPI_Request *request)
{
    MPI_Datatype type;
    if (part.rows == 0 || part.columns == 0)
        return MPI_SUCCESS;
    double *first = get_element(tile, memory, part.row, part.column);
    MPI_Type_vector(part.rows, part.columns, tile.columns + 2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    const int status = peer.receives ? MPI_Isend(first, 1, type, peer.rank, 0, peer.comm, request)
                                     : MPI_Irecv(first, 1, type, peer.rank, 0, peer.comm, request);
    MPI_Type_free(&type);
    return status;
}

static enum nereus_status move_tiles(void *user, const struct nereus_regroup *group)
{
    struct plate *p = user;
    const int count = group->ns + group->nt;
    int failed = 0;
    for (int i = 0; i < count; i++)
        p->requests[i] = MPI_REQUEST_NULL;
    for (int i = 0; group->target >= 0 && i < group->ns; i++)
        failed |= post_message(p->coming_tile, p->coming,
                               get_intersection(p->coming_tile, compute_tile(p, i, group->ns)),
                               (struct peer){group->comm, i, false}, &p->requests[i]);
    for (int j = 0; group->source >= 0 && j < group->nt; j++)
        failed |= post_message(
            p->tile, p->u, get_intersection(p->tile, compute_tile(p, j, group->nt)),
            (struct peer){group->comm, group->target_ranks[j], true}, &p->requests[group->ns + j]);
    failed |= MPI_Waitall(count, p->requests, MPI_STATUSES_IGNORE);
    return failed == 0 ? NEREUS_OK : NEREUS_ERR_MPI;
}

/* Checkpoints: the plate, row after row; each process writes, or reads, its tile of it. */
static enum nereus_status store_plate(void *user, const struct nereus_regroup *group, MPI_File file)
{
    const struct plate *p = user;
    const bool reads = group->target >= 0;
    const struct rectangle tile = reads ? p->coming_tile : p->tile;
    const int whole[] = {p->rows, p->columns}, memory[] = {tile.rows + 2, tile.columns + 2};
    const int own[] = {tile.rows, tile.columns}, from[] = {tile.row, tile.column}, edge[] = {1, 1};
    MPI_Datatype in_file, in_memory;
    MPI_Type_create_subarray(2, whole, own, from, MPI_ORDER_C, MPI_DOUBLE, &in_file);
    MPI_Type_create_subarray(2, memory, own, edge, MPI_ORDER_C, MPI_DOUBLE, &in_memory);
    MPI_Type_commit(&in_file);
    MPI_Type_commit(&in_memory);
    int failed = MPI_File_set_view(file, 0, MPI_DOUBLE, in_file, "native", MPI_INFO_NULL);
    failed |= reads ? MPI_File_read_all(file, p->coming, 1, in_memory, MPI_STATUS_IGNORE)
                    : MPI_File_write_all(file, p->u, 1, in_memory, MPI_STATUS_IGNORE);
    MPI_Type_free(&in_file);
    MPI_Type_free(&in_memory);
    return failed == MPI_SUCCESS ? NEREUS_OK : NEREUS_ERR_IO;
}

static void finish_move(void *user, const struct nereus_regroup *group, bool committed)
{
    struct plate *p = user;
    free(p->requests);
    if (committed) {
        free(p->u);
        free(p->next);
        p->u = p->coming;
        p->next = NULL; /* allocated again where it is needed */
        p->tile = group->target >= 0 ? p->coming_tile : (struct rectangle){0};
    } else {
        free(p->coming);
    }
    p->coming = NULL;
    p->requests = NULL;
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* Cold, with a warm edge and a hot spot. */
static void fill_tile(struct plate *p)
{
    p->tile = compute_tile(p, nereus_rank(p->job), nereus_size(p->job));
    p->u = allocate_tile(p->tile);
    if (p->u == NULL)
        abort_job("no memory");
    for (int row = p->tile.row; row < p->tile.row + p->tile.rows; row++)
        for (int j = p->tile.column; j < p->tile.column + p->tile.columns; j++) {
            const bool hot = row > p->rows / 3 && row < p->rows / 2 && j > p->columns / 2;
            *get_element(p->tile, p->u, row, j) = row == 0 ? 1 + 0.01 * (double)j : hot ? 10 : 0;
        }
}

/* Find the process whose tile is `down` tiles further down and `right` tiles to the right. */
static int find_neighbour(const struct plate *p, int down, int right)
{
    int grid[2] = {0, 0};
    MPI_Dims_create(nereus_size(p->job), 2, grid);
    const int i = nereus_rank(p->job) / grid[1] + down, j = nereus_rank(p->job) % grid[1] + right;
    return i < 0 || i >= grid[0] || j < 0 || j >= grid[1] ? MPI_PROC_NULL : i * grid[1] + j;
}

/* Send the own edge that begins at (row, column) to one neighbour, and receive the edge of the
 * opposite one. */
static void exchange_halo(const struct plate *p, int row, int column, int down, int right)
{
    const struct rectangle *t = &p->tile;
    MPI_Datatype side;
    if (down != 0)
        MPI_Type_contiguous(t->columns, MPI_DOUBLE, &side);
    else
        MPI_Type_vector(t->rows, 1, t->columns + 2, MPI_DOUBLE, &side);
    MPI_Type_commit(&side);
    const int come_row = down == 0 ? row : down > 0 ? t->row - 1 : t->row + t->rows;
    const int come_column = right == 0  ? column
                            : right > 0 ? t->column - 1
                                        : t->column + t->columns;
    MPI_Sendrecv(get_element(*t, p->u, row, column), 1, side, find_neighbour(p, down, right), 0,
                 get_element(*t, p->u, come_row, come_column), 1, side,
                 find_neighbour(p, -down, -right), 0, nereus_comm(p->job), MPI_STATUS_IGNORE);
    MPI_Type_free(&side);
}

static void exchange_edges(const struct plate *p)
{
    const struct rectangle *t = &p->tile;
    exchange_halo(p, t->row + t->rows - 1, t->column, 1, 0);
    exchange_halo(p, t->row, t->column, -1, 0);
    exchange_halo(p, t->row, t->column + t->columns - 1, 0, 1);
    exchange_halo(p, t->row, t->column, 0, -1);
}

/* Edges of the plate keep their values. */
static void compute_step(struct plate *p)
{
    const struct rectangle *t = &p->tile;
    const int64_t n = t->columns + 2;
    if (p->next == NULL && (p->next = allocate_tile(*t)) == NULL)
        abort_job("no memory");
    for (int i = t->row; i < t->row + t->rows; i++)
        for (int j = t->column; j < t->column + t->columns; j++) {
            const double *u = get_element(*t, p->u, i, j);
            const bool fixed = i == 0 || i == p->rows - 1 || j == 0 || j == p->columns - 1;
            *get_element(*t, p->next, i, j) =
                fixed ? u[0] : u[0] + 0.2 * (u[-n] + u[n] + u[-1] + u[1] - 4 * u[0]);
        }
    double *u = p->u;
    p->u = p->next;
    p->next = u;
}

static void print_result(const struct plate *p)
{
    uint64_t own_digest = 0, answer;
    for (int i = p->tile.row; i < p->tile.row + p->tile.rows; i++)
        own_digest += digest_part(get_element(p->tile, p->u, i, p->tile.column),
                                  (int64_t)i * p->columns + p->tile.column, p->tile.columns);
    MPI_Allreduce(&own_digest, &answer, 1, MPI_UINT64_T, MPI_SUM, nereus_comm(p->job));
    example_print(p->job, answer);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* @return false: this process is no longer needed */
static bool iterate(struct plate *p)
{
    enum nereus_action action = NEREUS_CONTINUE;
    while (p->step < p->steps && action != NEREUS_LEAVE) {
        exchange_edges(p);
        compute_step(p);
        p->step++;
        example_check(p->job, nereus_point(p->job, &action));
    }
    return action != NEREUS_LEAVE;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        puts("Usage: nereus-tiles [ROWS [COLUMNS [STEPS]]]  (200 300 100)");
        return EXIT_SUCCESS;
    }
    struct plate p = {.rows = argc > 1 ? atoi(argv[1]) : 200,
                      .columns = argc > 2 ? atoi(argv[2]) : 300,
                      .steps = argc > 3 ? atoll(argv[3]) : 100};
    struct nereus_mover mover = NEREUS_MOVER_INIT;
    mover.bytes = count_moved_bytes;
    mover.prepare = prepare_tiles;
    mover.move = move_tiles;
    mover.end = finish_move;
    mover.file = store_plate;
    mover.user = &p;
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    options.mover = &mover;
    if (nereus_init(&argc, &argv, &options, &p.job) != NEREUS_OK)
        return EXIT_FAILURE;
    int id;
    if (p.rows < 1 || p.columns < 1 || p.steps < 0)
        abort_job("the arguments are numbers of rows, columns and steps");
    if (!has_tiles(&p, nereus_size(p.job)))
        abort_job("fewer rows or columns than tiles side by side: start fewer processes");
    example_check(p.job, nereus_register_replicated(p.job, "step", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                                    &p.step, &id));
    if (!nereus_is_received(p.job, id))
        fill_tile(&p);
    if (iterate(&p))
        print_result(&p);
    free(p.u);
    free(p.next);
    return nereus_finalize(&p.job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
