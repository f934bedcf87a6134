/* Requests of the application, as its calls share them. Private to src/. */
#ifndef NEREUS_SRC_POINT_H
#define NEREUS_SRC_POINT_H

#include "src/job/job.h"

/* The node of a name, as the host file has it; -1: none. */
int64_t nereus_find_node(const struct nereus_machine *machine, const char *name);
/* May requests name nodes? Not where initial processes are elsewhere than the host file says. */
enum nereus_status nereus_check_placed(nereus_job *job);
/* Rank 0's request, if it is valid, is carried out as soon as all have agreed on a point. */
enum nereus_status nereus_pend_request(nereus_job *job, struct resize_request *wanted,
                                       const char *method);

#endif
