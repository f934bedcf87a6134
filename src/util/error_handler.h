/** @file error_handler.h  MPI's errors in calls of the application, where a loss is survived. */
#ifndef NEREUS_SRC_UTIL_ERROR_HANDLER_H
#define NEREUS_SRC_UTIL_ERROR_HANDLER_H

#include "nereus/status.h"

/** Let MPI's errors return in MPI_COMM_WORLD, and in the communicators that the library makes for
 * the application: an error that tells of a loss is noted, and revokes the communicator, so that no
 * process waits there; any other one ends the job, as before. A handler of the program's own stays.
 * No effect without nereus_loss_survives. */
enum nereus_status nereus_error_handler_set(struct nereus_error *err);

#endif
