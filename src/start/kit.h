/* The start kit: what starting processes needs, prepared by the root and passed on to other
 * processes that start some. Private to src/. */
#ifndef NEREUS_SRC_KIT_H
#define NEREUS_SRC_KIT_H

#include <stdint.h>

#include "src/job/job.h"

struct start_kit {
    char *guard; /* path */
    /* Where the processes of one world go; NULL: wherever the launcher puts them */
    char *hosts;
    char **words; /* the guard's command line, NULL-terminated */
    /* Root: what the guards start, as the trace says it, and where that comes from (command.h) */
    char shown[200];
    int source;
    unsigned char *payload; /* what new and woken processes are told (join_payload.h) */
    int64_t payload_bytes;  /* known to all sources once it is decided */
};

/* Root: all that has to be done before other processes take part, and can fail for reasons of its
 * own. It is done before the decision is broadcast, so that a failure costs no agreement. */
enum nereus_status nereus_kit_prepare(nereus_job *job, struct nereus_request *record,
                                      struct start_kit *kit, struct nereus_error *err);
void nereus_kit_fini(struct start_kit *kit);

#endif
