/* Which thread level MPI was initialised with. Private to src/. */
#ifndef NEREUS_SRC_THREADS_H
#define NEREUS_SRC_THREADS_H

#include "src/job/job.h"

/* MPI was initialised so that auxiliary threads may call it: else refused with a sentence. */
enum nereus_status nereus_check_threads(const nereus_job *job, struct nereus_error *err);

#endif
