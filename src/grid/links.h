/**
 * @file links.h
 * Makes the communicators and requests of the grids of a job at the first use. They are valid for
 * one size: nereus_grid_links_drop frees them at a resize.
 */
#pragma once

#include "src/job/job.h"

/** Requests of one dimension: receives from below and above, sends to below and above. */
enum { HALO_REQUESTS = 4 };

/** Halo of one part. */
struct halo {
    const unsigned char *part;
    int64_t element_bytes;
    int64_t space; /**< the grid: index among the spaces */
    MPI_Request requests[NEREUS_GRID_DIMENSIONS][HALO_REQUESTS];
    struct halo *next;
};

/** Cartesian communicator of one grid. */
struct cartesian {
    int64_t space;
    MPI_Comm comm;
    struct cartesian *next;
};

struct grid_links {
    MPI_Comm halo_comm; /**< the processes of nereus_comm; MPI_COMM_NULL: not made yet */
    struct halo *halos;
    struct cartesian *cartesians;
};

/** Get the links of this size, or make them. Without memory the job is aborted. */
struct grid_links *nereus_grid_links(nereus_job *job);
/** Space of a grid's handle; NULL: not a handle. */
const struct index_space *nereus_grid_space(const nereus_job *job, int grid);
/** The Cartesian communicator of a grid, if this size has made it. Local. */
bool nereus_grid_find_cartesian(const nereus_job *job, int64_t space, MPI_Comm *comm);
/** Make it. Collective over app. */
enum nereus_status nereus_grid_make_cartesian(nereus_job *job, int64_t space, MPI_Comm *comm,
                                              struct nereus_error *err);

/** Free a halo and its requests. */
void nereus_halo_free(struct halo *halo);
/** Free all links. The communicators are freed without waiting for others. */
void nereus_grid_links_drop(nereus_job *job);
/** Processes are lost: let those that wait for a halo return with an error.
 * @param revoke  ULFM's MPIX_Comm_revoke */
void nereus_grid_links_abandon(nereus_job *job, int (*revoke)(MPI_Comm comm));
