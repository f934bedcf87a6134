/** @file links.c  Makes the communicators of grids, and frees them at a change of size. */
#include "links.h"

/* Aborts the job without memory: the others are in the same collective call, and would wait. */
static void *allocate_or_abort(size_t bytes)
{
    struct nereus_error err;
    void *memory = calloc(1, bytes);
    if (memory == NULL) {
        nereus_fail(&err, NEREUS_ERR_MEMORY, "no memory for the communicators of grids");
        nereus_abort_job(&err);
        exit(EXIT_FAILURE); /* not reached */
    }
    return memory;
}

struct grid_links *nereus_grid_links(nereus_job *job)
{
    if (job->grid_links == NULL) {
        job->grid_links = allocate_or_abort(sizeof *job->grid_links);
        job->grid_links->halo_comm = MPI_COMM_NULL;
    }
    return job->grid_links;
}

const struct index_space *nereus_grid_space(const nereus_job *job, int grid)
{
    const struct registry *registry = &job->registry;
    return grid >= 0 && grid < registry->space_count &&
                   nereus_partition_is_grid(&registry->spaces[grid].partition)
               ? &registry->spaces[grid]
               : NULL;
}

/* Ranks of the new communicator are places, as MPI_Cart_create numbers them. */
static enum nereus_status make_communicator(const nereus_job *job, int64_t space, MPI_Comm *comm,
                                            struct nereus_error *err)
{
    const struct nereus_partition *partition = &job->registry.spaces[space].partition;
    const struct nereus_grid *grid = &partition->grid;
    int processes[NEREUS_GRID_DIMENSIONS], periodic[NEREUS_GRID_DIMENSIONS];
    MPI_Comm in_order;
    for (int d = 0; d < grid->dimensions; d++) {
        processes[d] = (int)grid->processes[d];
        periodic[d] = (int)grid->periodic[d];
    }
    NEREUS_MPI(MPI_Comm_split(job->app, 0, (int)nereus_partition_place_of(partition, job->rank),
                              &in_order),
               err);
    const int code = MPI_Cart_create(in_order, (int)grid->dimensions, processes, periodic, 0, comm);
    MPI_Comm_free(&in_order);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Cart_create", err);
}

bool nereus_grid_find_cartesian(const nereus_job *job, int64_t space, MPI_Comm *comm)
{
    const struct grid_links *links = job->grid_links;
    for (const struct cartesian *cartesian = links != NULL ? links->cartesians : NULL;
         cartesian != NULL; cartesian = cartesian->next)
        if (cartesian->space == space) {
            *comm = cartesian->comm;
            return true;
        }
    return false;
}

enum nereus_status nereus_grid_make_cartesian(nereus_job *job, int64_t space, MPI_Comm *comm,
                                              struct nereus_error *err)
{
    struct grid_links *links = nereus_grid_links(job);
    struct cartesian *cartesian = allocate_or_abort(sizeof *cartesian);
    const enum nereus_status status = make_communicator(job, space, &cartesian->comm, err);
    if (status != NEREUS_OK) {
        free(cartesian);
        return status;
    }
    cartesian->space = space;
    cartesian->next = links->cartesians;
    links->cartesians = cartesian;
    *comm = cartesian->comm;
    return NEREUS_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

void nereus_halo_free(struct halo *halo)
{
    for (int d = 0; d < NEREUS_GRID_DIMENSIONS; d++)
        for (int i = 0; i < HALO_REQUESTS; i++)
            if (halo->requests[d][i] != MPI_REQUEST_NULL)
                MPI_Request_free(&halo->requests[d][i]);
    free(halo);
}

void nereus_grid_links_drop(nereus_job *job)
{
    struct grid_links *links = job->grid_links;
    job->grid_links = NULL;
    if (links == NULL)
        return;
    for (struct halo *halo = links->halos, *next; halo != NULL; halo = next) {
        next = halo->next;
        nereus_halo_free(halo);
    }
    for (struct cartesian *cartesian = links->cartesians, *next; cartesian != NULL;
         cartesian = next) {
        next = cartesian->next;
        if (cartesian->comm != MPI_COMM_NULL)
            MPI_Comm_free(&cartesian->comm);
        free(cartesian);
    }
    if (links->halo_comm != MPI_COMM_NULL)
        MPI_Comm_free(&links->halo_comm);
    free(links);
}

void nereus_grid_links_abandon(nereus_job *job, int (*revoke)(MPI_Comm comm))
{
    struct grid_links *links = job->grid_links;
    if (links == NULL)
        return;
    for (struct cartesian *cartesian = links->cartesians; cartesian != NULL;
         cartesian = cartesian->next) {
        revoke(cartesian->comm);
        /* not freed: MPI_Comm_free is collective, and processes are lost */
        cartesian->comm = MPI_COMM_NULL;
    }
    if (links->halo_comm != MPI_COMM_NULL)
        revoke(links->halo_comm);
    links->halo_comm = MPI_COMM_NULL;
    links->halos = NULL; /* not freed: their requests never complete */
    nereus_grid_links_drop(job);
}
