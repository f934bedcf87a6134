/**
 * @file bound.h
 * Declares the C functions that the module nereus binds (nereus.f90, nereus_matrix_c.f90,
 * nereus_grid_c.f90), for what Fortran cannot express. Only Fortran calls them.
 */
#pragma once

#include "src/job/job.h"

/** Options are collected until nereus_fortran_init. */
void nereus_fortran_add_argument(const char *text);
void nereus_fortran_set_text(const char *option, const char *text);
void nereus_fortran_set_counts(int64_t slots, int64_t batch, int64_t test_every,
                               int64_t cores_per_process, int64_t iterations);
void nereus_fortran_set_reals(double spawn_timeout_s, double checkpoint_every_s, double node_w,
                              double idle_w, double resize_w);
void nereus_fortran_set_callbacks(void (*before)(nereus_job *, void *),
                                  void (*after)(nereus_job *, void *));
void nereus_fortran_add_resize(int64_t point, int64_t nt, const char *method);
int nereus_fortran_init(nereus_job **job);

/** Registered data. A number stands for the type of elements, as Fortran has no MPI datatypes. */
int nereus_fortran_register_array(nereus_job *job, const char *name, int element, int64_t width,
                                  int64_t count, int partition, int kind, int *id);
int nereus_fortran_register_matrix(nereus_job *job, const char *name, int element, int64_t rows,
                                   int64_t columns, int shape, int partition, int kind, int *id);
int nereus_fortran_register_sparse(nereus_job *job, const char *name, int element, bool by_columns,
                                   int64_t rows, int64_t columns, int partition,
                                   int64_t pointer_count, const int64_t *pointers,
                                   const int64_t *indices, const void *values, int kind, int *id);
/** The outputs are written on success only. */
int nereus_fortran_local_sparse(nereus_job *job, int id, int element, int64_t *first,
                                int64_t *count, int64_t *nonzeros, const int64_t **pointers,
                                int64_t **indices, void **values);
int nereus_fortran_part_of(nereus_job *job, int id, int rank, int64_t *first, int64_t *count);
int nereus_fortran_owner_of(nereus_job *job, int id, int64_t element, int *rank);
int nereus_fortran_register_replicated(nereus_job *job, const char *name, int element,
                                       int64_t count, int kind, void *values, int *id);
int nereus_fortran_local(nereus_job *job, int id, int element, int64_t width, void **part,
                         int64_t *first, int64_t *count);
int nereus_fortran_swap(nereus_job *job, int a, int b);

/** Grids (bound_grid.c): dimensions in Fortran's order, the first one is contiguous. */
struct nereus_fortran_box {
    void *address; /**< address of the first element in memory, with the halo; never NULL */
    /** extent: elements in memory with the halo; lower: index of the first one; the others as in
     * struct nereus_box */
    int64_t extent[NEREUS_GRID_DIMENSIONS], lower[NEREUS_GRID_DIMENSIONS],
        first[NEREUS_GRID_DIMENSIONS], count[NEREUS_GRID_DIMENSIONS],
        coordinates[NEREUS_GRID_DIMENSIONS], processes[NEREUS_GRID_DIMENSIONS];
};
/** @param[in] numbers  n, halo, periodic, block, fixed */
int nereus_fortran_register_grid(nereus_job *job, const char *name, int dimensions,
                                 const int64_t numbers[5][NEREUS_GRID_DIMENSIONS], int *id);
int nereus_fortran_register_field(nereus_job *job, const char *name, int element, int grid,
                                  int kind, int *id);
/** @param[out] box  without elements after an error */
int nereus_fortran_local_box(nereus_job *job, int id, int element, int dimensions,
                             struct nereus_fortran_box *box);
int nereus_fortran_grid_neighbours(nereus_job *job, int grid, int dimensions, int *lower,
                                   int *upper);
int nereus_fortran_grid_comm(nereus_job *job, int grid, MPI_Fint *cartesian);

/** Types of elements: MPI's datatype (or MPI_DATATYPE_NULL); the name in Fortran; the type of an id
 * as registered (0: unknown). Store type and width, in values, of an id. Set an error of these
 * functions. */
enum { NEREUS_FORTRAN_SPARSE = -1, NEREUS_FORTRAN_FIELD = -2 }; /* widths */
MPI_Datatype nereus_fortran_type(int element);
const char *nereus_fortran_type_name(int element);
int nereus_fortran_element_of(int id);
void nereus_fortran_store_type(int id, int element, int64_t width);
int nereus_fortran_fail(nereus_job *job, const char *sentence);

/** Convert the communicator to an integer. End the job after an error, if the caller has passed no
 * status. */
MPI_Fint nereus_fortran_comm(const nereus_job *job);
void nereus_fortran_abort(const char *sentence);

/** Return `memory`; if it is NULL the process ends with a message, as Fortran's allocate does. */
void *nereus_fortran_memory(void *memory);
