/* The method of a request that names none. Private to src/. */
#ifndef NEREUS_SRC_CHOOSE_H
#define NEREUS_SRC_CHOOSE_H

#include "src/job/job.h"

/* Root: nothing where a method was named. */
void nereus_choose(const nereus_job *job, int64_t zombies, struct resize_request *wanted);

#endif
