/** @file check_request.h  Validation of a request before it is decided. */
#ifndef NEREUS_SRC_CORE_CHECK_REQUEST_H
#define NEREUS_SRC_CORE_CHECK_REQUEST_H

#include "src/job/job.h"

/** Can this request be carried out at all (size, slots, method)? Local. */
enum nereus_status nereus_check_request(const nereus_job *job, const struct resize_request *wanted,
                                        struct nereus_error *err);

/** Can this MPI carry out the method rma? */
enum nereus_status nereus_check_windows(const struct nereus_method *method,
                                        struct nereus_error *err);

/** Asynchronous methods need MPI_THREAD_MULTIPLE. */
enum nereus_status nereus_check_threads(const nereus_job *job, const struct nereus_method *method,
                                        struct nereus_error *err);

/** Refuse a size that a grid's fixed numbers of processes do not allow. */
enum nereus_status nereus_check_grids(const nereus_job *job, int64_t nt, struct nereus_error *err);

#endif
