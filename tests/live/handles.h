/**
 * @file handles.h
 * MPI objects of an application (docs/application.md, "MPI objects of your own"): each kind is
 * made, used with a result that is checked, and freed.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/** Collective over the communicator, but for those that are local in MPI. */
struct handle_kind {
    const char *name;
    bool local; /**< made once in each process, also in one that joins; lives through a resize */
    void (*make)(MPI_Comm comm);
    bool (*use)(MPI_Comm comm); /**< @return whether the result is that of all of comm */
    void (*drop)(void);         /**< frees it; no effect if there is none */
};

extern const struct handle_kind handle_kinds[];
extern const int handle_kind_count;

/* Calls of the callback that deletes an attribute. */
extern int handle_attributes_deleted;
