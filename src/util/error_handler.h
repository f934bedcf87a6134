/** @file error_handler.h  Handles MPI's errors in calls of the application, in jobs that recover
 * from a loss. */
#pragma once

#include "model/util/base.h"
#include "nereus/status.h"

/** Install an error handler in MPI_COMM_WORLD, and so in the communicators that the library makes
 * for the application. For an MPI error that means a lost process the handler notes the loss,
 * revokes the communicator, so that no process waits in it, and returns. Any other error aborts the
 * job. A handler of the program is kept. No effect unless nereus_job_survives_loss(). */
enum nereus_status nereus_error_handler_install(struct nereus_error *err);
