/**
 * @file halo.c
 * Exchanges the halo of a field dimension by dimension. A face has the width of the halo in its own
 * dimension; it includes the halo in the dimensions that were exchanged before, and only own
 * elements in those that follow. Edges and corners therefore arrive through the neighbours, without
 * messages to diagonal neighbours.
 *
 * The requests are persistent, and stored by the address of the part: two fields that are swapped
 * have one set each.
 */
#include "halo.h"

#include "src/util/agree.h"
#include "src/util/tags.h"

enum { BELOW, ABOVE };

/* ---- faces ----------------------------------------------------------------------------------- */

/* Shape of a part with its halo, and own elements. */
struct shape {
    const struct nereus_grid *grid;
    int dimensions;
    int whole_counts[NEREUS_GRID_DIMENSIONS], own_counts[NEREUS_GRID_DIMENSIONS];
};

static struct shape find_shape(const struct box *box)
{
    struct shape shape = {.grid = box->grid, .dimensions = (int)box->grid->dimensions};
    int64_t coordinates[NEREUS_GRID_DIMENSIONS];
    nereus_grid_coordinates(box->grid, box->place, coordinates);
    for (int d = 0; d < shape.dimensions; d++) {
        shape.own_counts[d] = (int)nereus_grid_extent(box->grid, d, coordinates[d]).count;
        shape.whole_counts[d] = shape.own_counts[d] + 2 * (int)box->grid->halo[d];
    }
    return shape;
}

/* Type of a face of dimension d that begins `start` elements into the part. */
static enum nereus_status make_face(const struct shape *shape, int d, int start,
                                    int64_t element_bytes, MPI_Datatype *type,
                                    struct nereus_error *err)
{
    int sizes[NEREUS_GRID_DIMENSIONS], starts[NEREUS_GRID_DIMENSIONS];
    MPI_Datatype element;
    for (int e = 0; e < shape->dimensions; e++) {
        const int halo = (int)shape->grid->halo[e];
        sizes[e] = e < d ? shape->whole_counts[e] : e == d ? halo : shape->own_counts[e];
        starts[e] = e < d ? 0 : e == d ? start : halo;
    }
    NEREUS_MPI(MPI_Type_contiguous((int)element_bytes, MPI_BYTE, &element), err);
    int code = MPI_Type_create_subarray(shape->dimensions, shape->whole_counts, sizes, starts,
                                        MPI_ORDER_C, element, type);
    MPI_Type_free(&element);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(type);
    return code == MPI_SUCCESS ? NEREUS_OK
                               : nereus_mpi_failed(code, "MPI_Type_create_subarray", err);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* The requests of one side of a dimension: own elements at the edge are sent, the halo beside them
 * is received. */
struct link {
    int dimension, side, rank;
};

static enum nereus_status make_request(MPI_Comm comm, struct halo *halo, const struct shape *shape,
                                       const struct link *link, bool sends,
                                       struct nereus_error *err)
{
    const int d = link->dimension, width = (int)shape->grid->halo[d],
              whole = shape->whole_counts[d];
    const int inside = link->side == BELOW ? width : whole - 2 * width,
              outside = link->side == BELOW ? 0 : whole - width;
    const int tag = (link->side == ABOVE) == sends ? HALO_UP_TAG : HALO_DOWN_TAG;
    unsigned char *part = (unsigned char *)(uintptr_t)halo->part;
    MPI_Request *request = &halo->requests[d][(sends ? 2 : 0) + link->side];
    MPI_Datatype face;
    NEREUS_TRY(make_face(shape, d, sends ? inside : outside, halo->element_bytes, &face, err));
    const int code = sends ? MPI_Send_init(part, 1, face, link->rank, tag, comm, request)
                           : MPI_Recv_init(part, 1, face, link->rank, tag, comm, request);
    MPI_Type_free(&face);
    return code == MPI_SUCCESS
               ? NEREUS_OK
               : nereus_mpi_failed(code, sends ? "MPI_Send_init" : "MPI_Recv_init", err);
}

static enum nereus_status make_requests(const nereus_job *job, const struct box *box,
                                        struct halo *halo, struct nereus_error *err)
{
    const struct nereus_partition *partition = &job->registry.spaces[halo->space].partition;
    MPI_Comm comm = job->grid_links->halo_comm;
    const struct shape shape = find_shape(box);
    for (int d = 0; d < shape.dimensions; d++)
        for (int side = BELOW; side <= ABOVE && box->grid->halo[d] > 0; side++) {
            const int64_t place =
                nereus_grid_neighbour(box->grid, box->place, d, side == BELOW ? -1 : 1);
            if (place < 0)
                continue;
            const struct link link = {d, side, (int)nereus_partition_range_rank(partition, place)};
            NEREUS_TRY(make_request(comm, halo, &shape, &link, false, err));
            NEREUS_TRY(make_request(comm, halo, &shape, &link, true, err));
        }
    return NEREUS_OK;
}

static void init_requests(struct halo *halo)
{
    for (int d = 0; d < NEREUS_GRID_DIMENSIONS; d++)
        for (int i = 0; i < HALO_REQUESTS; i++)
            halo->requests[d][i] = MPI_REQUEST_NULL;
}

/* Aborts the job without memory: the neighbours wait for this process. */
static struct halo *make_halo(const struct datum *field)
{
    struct nereus_error err;
    struct halo *halo = calloc(1, sizeof *halo);
    if (halo == NULL) {
        nereus_fail(&err, NEREUS_ERR_MEMORY, "no memory for the halo of '%s'", field->entry.name);
        nereus_abort_job(&err);
        exit(EXIT_FAILURE); /* not reached */
    }
    init_requests(halo);
    halo->part = field->part;
    halo->element_bytes = field->entry.element_bytes;
    halo->space = field->entry.partition - 1;
    return halo;
}

/* Find the halo of a part with its requests, or make them; every process makes them in the same
 * call. */
static enum nereus_status find_halo(nereus_job *job, const struct datum *field,
                                    const struct box *box, struct halo **found,
                                    struct nereus_error *err)
{
    struct grid_links *links = job->grid_links;
    for (*found = links->halos; *found != NULL; *found = (*found)->next)
        if ((*found)->part == field->part && (*found)->element_bytes == field->entry.element_bytes)
            return NEREUS_OK;
    struct halo *halo = make_halo(field);
    const enum nereus_status status = make_requests(job, box, halo, err);
    if (status != NEREUS_OK) {
        nereus_halo_free(halo);
        return status;
    }
    halo->next = links->halos;
    links->halos = *found = halo;
    return NEREUS_OK;
}

/* ---- agreement ------------------------------------------------------------------------------- */

/* Largest number of data that are compared: the first ones, with the type and the grid or partition
 * of each. */
enum { HASHES_MAX = 16 };
struct data_hashes {
    int64_t count;
    uint64_t hashes[HASHES_MAX];
};

static struct data_hashes describe_data(const struct registry *registry)
{
    struct data_hashes data = {.count = registry->count};
    for (int64_t i = 0; i < registry->count && i < HASHES_MAX; i++) {
        const struct nereus_data_entry *entry = &registry->data[i].entry;
        const struct nereus_grid *grid =
            entry->partition > 0 ? &registry->spaces[entry->partition - 1].partition.grid : NULL;
        data.hashes[i] =
            nereus_entry_hash(entry, grid != NULL ? nereus_hash(grid, sizeof *grid) >> 1 : 0);
    }
    return data;
}

/* Agree that all have registered the same data: a process with another type or halo would wait for
 * messages that no process sends. */
static enum nereus_status agree_on_data(nereus_job *job, MPI_Comm comm, struct nereus_error *err)
{
    const struct data_hashes own = describe_data(&job->registry);
    struct data_hashes roots = own;
    struct nereus_error own_error = {0};
    int64_t i = 0;
    NEREUS_MPI(MPI_Bcast(&roots, sizeof roots, MPI_BYTE, 0, comm), err);
    while (i < HASHES_MAX && own.hashes[i] == roots.hashes[i])
        i++;
    if (i < HASHES_MAX || own.count != roots.count)
        nereus_fail(&own_error, NEREUS_ERR_MISMATCH,
                    "rank %d has registered other data than rank 0 (%lld pieces, rank 0 %lld): as "
                    "number %lld '%s', with its type, kind and grid",
                    job->rank, (long long)own.count, (long long)roots.count, (long long)i + 1,
                    i < own.count ? job->registry.data[i].entry.name : "");
    return nereus_agree_or_fail(comm, &own_error, err);
}

/* ---- exchange -------------------------------------------------------------------------------- */

static enum nereus_status make_comm(nereus_job *job, struct nereus_error *err)
{
    struct grid_links *links = nereus_grid_links(job);
    if (links->halo_comm != MPI_COMM_NULL)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_dup(job->app, &links->halo_comm), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(links->halo_comm, MPI_ERRORS_RETURN), err);
    const enum nereus_status status = agree_on_data(job, links->halo_comm, err);
    if (status == NEREUS_ERR_MISMATCH) /* agreed: the next call compares again */
        MPI_Comm_free(&links->halo_comm);
    return status;
}

/* Requests without a neighbour are null, which MPI_Startall refuses. */
static enum nereus_status exchange_dimension(MPI_Request *requests, struct nereus_error *err)
{
    for (int i = 0; i < HALO_REQUESTS; i++)
        if (requests[i] != MPI_REQUEST_NULL)
            NEREUS_MPI(MPI_Start(&requests[i]), err);
    NEREUS_MPI(MPI_Waitall(HALO_REQUESTS, requests, MPI_STATUSES_IGNORE), err);
    return NEREUS_OK;
}

/* Check the largest part, so that all processes get the same result. */
static enum nereus_status check_shape(const nereus_job *job, const struct nereus_grid *grid,
                                      const struct datum *field, struct nereus_error *err)
{
    const char *name = field->entry.name;
    if (nereus_grid_is_thin(grid))
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "'%s': parts are thinner than the halo on %d processes", name,
                           job->size);
    for (int d = 0; d < grid->dimensions; d++)
        if (nereus_grid_extent(grid, d, 0).count > INT_MAX - 2 * grid->halo[d] ||
            field->entry.element_bytes > INT_MAX)
            return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                               "'%s': a part of more than %d elements in one dimension has no halo",
                               name, INT_MAX);
    return NEREUS_OK;
}

enum nereus_status nereus_halo_exchange(nereus_job *job, const struct datum *field,
                                        struct nereus_error *err)
{
    const struct box box = nereus_datum_box(&job->registry, field, false);
    struct halo *halo;
    NEREUS_TRY(make_comm(job, err));
    NEREUS_TRY(check_shape(job, box.grid, field, err));
    /* without a part: the neighbours have none either */
    if (!nereus_grid_has_halo(box.grid) || field->part == NULL)
        return NEREUS_OK;
    NEREUS_TRY(find_halo(job, field, &box, &halo, err));
    for (int d = 0; d < box.grid->dimensions; d++)
        NEREUS_TRY(exchange_dimension(halo->requests[d], err));
    return NEREUS_OK;
}
