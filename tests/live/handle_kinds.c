/**
 * @file handle_kinds.c
 * The kinds of handles.h. Sums and neighbours are those of the job's communicator, so that an
 * object over another communicator gives other results.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "handles.h"

static int rank_in(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

static int size_of(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

/* Do all processes of `comm`, and only these, take part in a sum over `own`? */
static bool sums_up(MPI_Comm own, MPI_Comm comm)
{
    const int own_number = rank_in(comm) + 1, size = size_of(comm);
    int sum = 0;
    MPI_Allreduce(&own_number, &sum, 1, MPI_INT, MPI_SUM, own);
    return sum == size * (size + 1) / 2;
}

static int left_of(MPI_Comm comm)
{
    return (rank_in(comm) + size_of(comm) - 1) % size_of(comm);
}

static int right_of(MPI_Comm comm)
{
    return (rank_in(comm) + 1) % size_of(comm);
}

/* ---- communicators and groups ---------------------------------------------------------------- */

static MPI_Comm copy = MPI_COMM_NULL, half = MPI_COMM_NULL, grid = MPI_COMM_NULL,
                node = MPI_COMM_NULL, later_copy = MPI_COMM_NULL, graph = MPI_COMM_NULL;
static MPI_Group group = MPI_GROUP_NULL;

static void free_comm(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
}

static void make_dup(MPI_Comm comm)
{
    MPI_Comm_dup(comm, &copy);
}

static bool use_dup(MPI_Comm comm)
{
    return sums_up(copy, comm);
}

static void drop_dup(void)
{
    free_comm(&copy);
}

static void make_idup(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Comm_idup(comm, &later_copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static bool use_idup(MPI_Comm comm)
{
    return sums_up(later_copy, comm);
}

static void drop_idup(void)
{
    free_comm(&later_copy);
}

/* A ring. */
static void make_graph(MPI_Comm comm)
{
    enum { RANKS = 64 };
    int ends[RANKS], edges[RANKS];
    const int size = size_of(comm);
    for (int i = 0; i < size && i < RANKS; i++) {
        ends[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    MPI_Graph_create(comm, size, ends, edges, 0, &graph);
}

static bool use_graph(MPI_Comm comm)
{
    int next = -1;
    MPI_Graph_neighbors(graph, rank_in(graph), 1, &next);
    return next == right_of(comm) && sums_up(graph, comm);
}

static void drop_graph(void)
{
    free_comm(&graph);
}

static void make_split(MPI_Comm comm)
{
    MPI_Comm_split(comm, rank_in(comm) % 2, 0, &half);
}

static bool use_split(MPI_Comm comm)
{
    const int one = 1, odd = rank_in(comm) % 2;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half);
    return sum == (size_of(comm) + 1 - odd) / 2;
}

static void drop_split(void)
{
    free_comm(&half);
}

static void make_cart(MPI_Comm comm)
{
    int sides[2] = {0, 0};
    const int periods[2] = {1, 1};
    MPI_Dims_create(size_of(comm), 2, sides);
    MPI_Cart_create(comm, 2, sides, periods, 0, &grid);
}

static bool use_cart(MPI_Comm comm)
{
    int before, behind, own_number = rank_in(comm), got = -1;
    MPI_Cart_shift(grid, 0, 1, &before, &behind);
    MPI_Sendrecv(&own_number, 1, MPI_INT, behind, 0, &got, 1, MPI_INT, before, 0, grid,
                 MPI_STATUS_IGNORE);
    return got == before && sums_up(grid, comm);
}

static void drop_cart(void)
{
    free_comm(&grid);
}

static void make_node(MPI_Comm comm)
{
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
}

static bool use_node(MPI_Comm comm)
{
    const int own_number[2] = {rank_in(node) == 0 ? size_of(node) : 0, 1};
    int sums[2];
    MPI_Allreduce(own_number, sums, 2, MPI_INT, MPI_SUM, comm);
    return sums[0] == sums[1];
}

static void drop_node(void)
{
    free_comm(&node);
}

static void make_group(MPI_Comm comm)
{
    MPI_Comm_group(comm, &group);
}

static bool use_group(MPI_Comm comm)
{
    MPI_Group comm_group;
    int same;
    MPI_Comm_group(comm, &comm_group);
    MPI_Group_compare(group, comm_group, &same);
    MPI_Group_free(&comm_group);
    return same == MPI_IDENT;
}

static void drop_group(void)
{
    if (group != MPI_GROUP_NULL)
        MPI_Group_free(&group);
}

/* ---- windows and files ----------------------------------------------------------------------- */

static MPI_Win window = MPI_WIN_NULL, shared = MPI_WIN_NULL;
static int *window_memory, *shared_memory;
static MPI_Comm shared_comm = MPI_COMM_NULL;
static MPI_File file = MPI_FILE_NULL;

static void free_window(MPI_Win *win)
{
    if (*win != MPI_WIN_NULL)
        MPI_Win_free(win);
}

static void make_window(MPI_Comm comm)
{
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &window_memory, &window);
}

static bool use_window(MPI_Comm comm)
{
    const int own_number = rank_in(comm) + 100;
    MPI_Win_fence(0, window);
    MPI_Put(&own_number, 1, MPI_INT, right_of(comm), 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    return *window_memory == left_of(comm) + 100;
}

static void drop_window(void)
{
    free_window(&window);
}

/* Lowest rank in `comm` of a process of this MPI_COMM_WORLD. */
static int first_of_world(MPI_Comm comm)
{
    MPI_Group all_group, world, both;
    const int first = 0;
    int rank;
    MPI_Comm_group(comm, &all_group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_intersection(all_group, world, &both);
    MPI_Group_translate_ranks(both, 1, &first, all_group, &rank);
    MPI_Group_free(&both);
    MPI_Group_free(&world);
    MPI_Group_free(&all_group);
    return rank;
}

/* MPICH 5.0 has shared windows within one MPI_COMM_WORLD only, although MPI_COMM_TYPE_SHARED joins
 * processes of several. */
static void make_shared(MPI_Comm comm)
{
    MPI_Comm world;
    MPI_Comm_split(comm, first_of_world(comm), 0, &world);
    MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared_comm);
    MPI_Comm_free(&world);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, shared_comm, &shared_memory,
                            &shared);
}

static bool use_shared(MPI_Comm comm)
{
    MPI_Aint bytes;
    int unit, *other, value;
    (void)comm;
    MPI_Win_shared_query(shared, left_of(shared_comm), &bytes, &unit, &other);
    MPI_Win_fence(0, shared);
    *shared_memory = rank_in(shared_comm) + 200;
    MPI_Win_fence(0, shared);
    value = *other;
    MPI_Win_fence(0, shared);
    return value == left_of(shared_comm) + 200;
}

static void drop_shared(void)
{
    free_window(&shared);
    free_comm(&shared_comm);
}

static void make_file(MPI_Comm comm)
{
    char path[64] = "";
    if (rank_in(comm) == 0)
        snprintf(path, sizeof path, "handles-%ld.bin", (long)getpid());
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, comm);
    if (MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static bool use_file(MPI_Comm comm)
{
    const int own_number = rank_in(comm) + 300;
    int got = -1;
    MPI_File_write_at_all(file, rank_in(comm) * (MPI_Offset)sizeof own_number, &own_number, 1,
                          MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(comm);
    MPI_File_sync(file);
    MPI_File_read_at_all(file, left_of(comm) * (MPI_Offset)sizeof got, &got, 1, MPI_INT,
                         MPI_STATUS_IGNORE);
    return got == left_of(comm) + 300;
}

static void drop_file(void)
{
    if (file != MPI_FILE_NULL)
        MPI_File_close(&file);
}

/* ---- persistent requests --------------------------------------------------------------------- */

static MPI_Request ring[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
static int ring_sent, ring_got;

static void free_request(MPI_Request *request)
{
    if (*request != MPI_REQUEST_NULL)
        MPI_Request_free(request);
}

static void make_ring(MPI_Comm comm)
{
    MPI_Send_init(&ring_sent, 1, MPI_INT, right_of(comm), 7, comm, &ring[0]);
    MPI_Recv_init(&ring_got, 1, MPI_INT, left_of(comm), 7, comm, &ring[1]);
}

static bool use_ring(MPI_Comm comm)
{
    ring_sent = rank_in(comm) + 400;
    MPI_Startall(2, ring);
    MPI_Waitall(2, ring, MPI_STATUSES_IGNORE);
    return ring_got == left_of(comm) + 400;
}

static void drop_ring(void)
{
    free_request(&ring[0]);
    free_request(&ring[1]);
}

#if MPI_VERSION >= 4
enum { PARTS_MAX = 64 };

static MPI_Request sum_request = MPI_REQUEST_NULL,
                   gathers[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
static int own_part, sum_all, parts[2][PARTS_MAX], counts[PARTS_MAX], offsets[PARTS_MAX];

static void make_sum(MPI_Comm comm)
{
    MPI_Allreduce_init(&own_part, &sum_all, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &sum_request);
}

static bool use_sum(MPI_Comm comm)
{
    own_part = rank_in(comm) + 1;
    MPI_Start(&sum_request);
    MPI_Wait(&sum_request, MPI_STATUS_IGNORE);
    return sum_all == size_of(comm) * (size_of(comm) + 1) / 2;
}

static void drop_sum(void)
{
    free_request(&sum_request);
}

static void make_gathers(MPI_Comm comm)
{
    for (int i = 0; i < size_of(comm) && i < PARTS_MAX; i++) {
        counts[i] = 1;
        offsets[i] = i;
    }
    MPI_Gather_init(&own_part, 1, MPI_INT, parts[0], 1, MPI_INT, 0, comm, MPI_INFO_NULL,
                    &gathers[0]);
    MPI_Allgatherv_init(&own_part, 1, MPI_INT, parts[1], counts, offsets, MPI_INT, comm,
                        MPI_INFO_NULL, &gathers[1]);
}

static bool use_gathers(MPI_Comm comm)
{
    bool good = true;
    own_part = rank_in(comm) + 600;
    MPI_Startall(2, gathers);
    MPI_Waitall(2, gathers, MPI_STATUSES_IGNORE);
    for (int i = 0; i < size_of(comm); i++)
        good = good && parts[1][i] == i + 600 && (rank_in(comm) > 0 || parts[0][i] == i + 600);
    return good;
}

static void drop_gathers(void)
{
    free_request(&gathers[0]);
    free_request(&gathers[1]);
}
#endif

/* ---- what belongs to the communicator of the job --------------------------------------------- */

static int keyval = MPI_KEYVAL_INVALID, attribute = 500;
static MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
static int errors_handled;
int handle_attributes_deleted;

static int delete_attribute(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)extra;
    handle_attributes_deleted += value == &attribute;
    return MPI_SUCCESS;
}

/* The key belongs to the process; a value belongs to one communicator. */
static void make_attribute(MPI_Comm comm)
{
    if (keyval == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_attribute, &keyval, NULL);
    MPI_Comm_set_attr(comm, keyval, &attribute);
}

static bool use_attribute(MPI_Comm comm)
{
    int *value = NULL, found = 0;
    MPI_Comm_get_attr(comm, keyval, &value, &found);
    return found && *value == 500;
}

static void drop_attribute(void)
{
}

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    errors_handled++;
}

static void make_handler(MPI_Comm comm)
{
    if (handler == MPI_ERRHANDLER_NULL)
        MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
}

static bool use_handler(MPI_Comm comm)
{
    const int before = errors_handled;
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    return errors_handled == before + 1;
}

static void drop_handler(void)
{
}

/* ---- what belongs to the process ------------------------------------------------------------- */

static MPI_Datatype column = MPI_DATATYPE_NULL;
static MPI_Op larger = MPI_OP_NULL;

static void make_type(MPI_Comm comm)
{
    (void)comm;
    MPI_Type_vector(3, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
}

static bool use_type(MPI_Comm comm)
{
    const int sent[6] = {rank_in(comm), 0, rank_in(comm) + 1, 0, rank_in(comm) + 2, 0};
    int got[3] = {0};
    MPI_Sendrecv(sent, 1, column, right_of(comm), 8, got, 3, MPI_INT, left_of(comm), 8, comm,
                 MPI_STATUS_IGNORE);
    return got[0] == left_of(comm) && got[2] == left_of(comm) + 2;
}

static void drop_type(void)
{
    if (column != MPI_DATATYPE_NULL)
        MPI_Type_free(&column);
}

static void keep_larger(void *from, void *to, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        if (((int *)from)[i] > ((int *)to)[i])
            ((int *)to)[i] = ((int *)from)[i];
}

static void make_op(MPI_Comm comm)
{
    (void)comm;
    MPI_Op_create(keep_larger, 1, &larger);
}

static bool use_op(MPI_Comm comm)
{
    const int own_number = rank_in(comm);
    int max = -1;
    MPI_Allreduce(&own_number, &max, 1, MPI_INT, larger, comm);
    return max == size_of(comm) - 1;
}

static void drop_op(void)
{
    if (larger != MPI_OP_NULL)
        MPI_Op_free(&larger);
}

const struct handle_kind handle_kinds[] = {
    {"dup", false, make_dup, use_dup, drop_dup},
    {"idup", false, make_idup, use_idup, drop_idup},
    {"graph", false, make_graph, use_graph, drop_graph},
    {"split", false, make_split, use_split, drop_split},
    {"cart", false, make_cart, use_cart, drop_cart},
    {"node", false, make_node, use_node, drop_node},
    {"group", false, make_group, use_group, drop_group},
    {"window", false, make_window, use_window, drop_window},
    {"shared", false, make_shared, use_shared, drop_shared},
    {"file", false, make_file, use_file, drop_file},
    {"ring", false, make_ring, use_ring, drop_ring},
#if MPI_VERSION >= 4
    {"sum", false, make_sum, use_sum, drop_sum},
    {"gathers", false, make_gathers, use_gathers, drop_gathers},
#endif
    {"attribute", false, make_attribute, use_attribute, drop_attribute},
    {"handler", false, make_handler, use_handler, drop_handler},
    {"type", true, make_type, use_type, drop_type},
    {"op", true, make_op, use_op, drop_op},
};
const int handle_kind_count = (int)(sizeof handle_kinds / sizeof *handle_kinds);
