/** @file error_handler.h  MPI's errors in calls of the application, where a loss is survived. */
#ifndef NEREUS_SRC_UTIL_ERROR_HANDLER_H
#define NEREUS_SRC_UTIL_ERROR_HANDLER_H

#include "nereus/status.h"

/** Install an error handler in MPI_COMM_WORLD, and so in the communicators that the library makes
 * for the application. An MPI error that means a lost process is recorded, revokes its
 * communicator, so that no process waits there, and returns; any other one aborts the job. A
 * handler of the program is kept. Nothing is done unless nereus_loss_survives(). */
enum nereus_status nereus_error_handler_install(struct nereus_error *err);

#endif
