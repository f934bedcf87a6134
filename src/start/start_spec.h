/* What the root prepares for starting processes. Private to src/. */
#ifndef NEREUS_SRC_START_SPEC_H
#define NEREUS_SRC_START_SPEC_H

#include <stdint.h>

#include "src/job/job.h"

struct start_spec {
    char *guard; /* path */
    /* Of the processes of one world, as the info key "hosts"; NULL: the launcher chooses */
    char *hosts;
    char **words; /* the guard's command line, NULL-terminated */
    /* Root: the guards' program as the trace prints it, and its source (command.h) */
    char shown[200];
    int source;
    unsigned char *payload; /* join payload (join_payload.h) */
    int64_t payload_bytes;  /* known to all sources after the decision */
};

/* Root: do all that can fail locally, before the broadcast: then a failure needs no agreement. */
enum nereus_status nereus_start_spec_prepare(nereus_job *job, struct nereus_request *record,
                                             struct start_spec *spec, struct nereus_error *err);
void nereus_start_spec_fini(struct start_spec *spec);

#endif
