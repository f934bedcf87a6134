/**
 * @file error.h
 * Handles errors of the runtime: converts MPI's error codes, logs, ends the job.
 */
#pragma once

#include <mpi.h>

#include "model/util/base.h"
#include "nereus/status.h"

/** An MPI call failed: NEREUS_ERR_MPI with MPI's own text. */
enum nereus_status nereus_mpi_failed(int code, const char *call, struct nereus_error *err);

/** Return from the calling function if an MPI call fails. Never compiled out. */
#define NEREUS_MPI(call, err)                                                                      \
    do {                                                                                           \
        const int mpi_code_ = (call);                                                              \
        if (mpi_code_ != MPI_SUCCESS)                                                              \
            return nereus_mpi_failed(mpi_code_, #call, err);                                       \
    } while (0)

/** Print a message on stderr, with the prefix "nereus: ". */
void nereus_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** End the whole job and log why: this process cannot continue while others wait for it. */
void nereus_abort_job(const struct nereus_error *err);
/** End this process and its world; the reason was logged already. */
void nereus_end_world(void);
/** Set the function that logs and ends the job (nereus-supervise, once for all processes); NULL:
 * this process itself. */
void nereus_abort_job_through(void (*end_job)(const char *sentence));
