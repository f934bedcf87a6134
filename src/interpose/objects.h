/**
 * @file objects.h
 * NEREUS_CHECK=1: MPI objects of the program over the job's communicator. Interface between
 * libnereus and objects.c, if that is loaded, and between files of that library.
 */
#pragma once

#include <mpi.h>

#include "model/util/base.h"

/** Set the job's communicator: objects made from it are recorded.
 * @param check  called with the name of a collective on MPI_COMM_WORLD */
void nereus_objects_set_job(MPI_Comm comm, void (*check)(const char *call)) __attribute__((weak));

/** List the calls that have made objects from this communicator of the job which are still open;
 * each name once. The communicator may be freed already. These objects are not reported again.
 * @return are there any */
bool nereus_objects_list_open(MPI_Comm comm, char *calls, size_t bytes) __attribute__((weak));

/** Report a collective that the program calls on MPI_COMM_WORLD, or on a duplicate of it, after a
 * change of size. */
void nereus_report_collective(const char *call, MPI_Comm comm)
    __attribute__((visibility("hidden")));
