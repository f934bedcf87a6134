/* Which thread level MPI was initialised with. Private to src/. */
#ifndef NEREUS_SRC_THREADS_H
#define NEREUS_SRC_THREADS_H

#include "nereus/status.h"

/* MPI was initialised so that threads may call it: else refused with a sentence. */
enum nereus_status nereus_check_threads(struct nereus_error *err);

#endif
