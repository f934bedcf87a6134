/* Statuses and sentences of the runtime: MPI's codes become ours, and each error is said once.
 * Private to src/. */
#ifndef NEREUS_SRC_ERROR_H
#define NEREUS_SRC_ERROR_H

#include <mpi.h>

#include "model/util/try.h"
#include "nereus/status.h"

/* An MPI call failed: NEREUS_ERR_MPI with MPI's own text. */
enum nereus_status nereus_mpi_failed(int code, const char *call, struct nereus_error *err);

/* Return from the calling function if an MPI call fails. Never compiled out. */
#define NEREUS_MPI(call, err)                                                                      \
    do {                                                                                           \
        const int mpi_code_ = (call);                                                              \
        if (mpi_code_ != MPI_SUCCESS)                                                              \
            return nereus_mpi_failed(mpi_code_, #call, err);                                       \
    } while (0)

/* Print a sentence on stderr, after the program's name. */
void nereus_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* This process cannot go on while others wait for it: print why, and end the whole job. */
void nereus_give_up(const struct nereus_error *err);
/* Why has been said: end this process and its world. */
void nereus_end_world(void);
/* Who ends the job and says why (nereus-supervise, once for all processes); NULL: this process
 * itself. */
void nereus_give_up_through(void (*end_job)(const char *sentence));

#endif
