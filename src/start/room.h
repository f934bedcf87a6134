/* What new processes take of this host, and whether it is there. Private to src/. */
#ifndef NEREUS_SRC_ROOM_H
#define NEREUS_SRC_ROOM_H

#include <stdint.h>

#include "nereus/status.h"

/* What is left on a host, or in a limit, and what one new process takes. Below 0: not known. */
struct nereus_room {
    int64_t shm_bytes, shm_free_bytes; /* /dev/shm */
    int64_t tasks_free;                /* processes and threads */
    const char *tasks_by;              /* which limit that is */
    int64_t memory_free_bytes;         /* of the host, or of a control group */
    int64_t shm_bytes_each, tasks_each, memory_bytes_each;
};

/* Is there room for so many new processes? The sentence says what they need, and what there is. */
enum nereus_status nereus_room_suffices(const struct nereus_room *room, int64_t processes,
                                        struct nereus_error *failure);

/* Root, before anything is started: refused where the host, or a limit, has no room for the new
 * processes that are to run here. Of other hosts nothing is known here. */
enum nereus_status nereus_check_room(int64_t processes_here, struct nereus_error *failure);

#endif
