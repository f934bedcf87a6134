/* Requests of the application, as its calls share them. Private to src/. */
#ifndef NEREUS_SRC_POINT_H
#define NEREUS_SRC_POINT_H

#include "src/job/job.h"

/* Rank 0's request, if it is valid, is carried out as soon as all have agreed on a point. */
enum nereus_status nereus_pend_request(nereus_job *job, struct resize_request *wanted,
                                       const char *method);

/* Where NEREUS_BALANCE says so: does the load have to be balanced at this point? Collective. */
enum nereus_status nereus_point_balance(nereus_job *job, enum nereus_action *action);

/* The method of a load balance where none is named. */
extern const char *const nereus_default_balance;

#endif
