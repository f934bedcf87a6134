/** @file start_spec.h  Specifies the start of processes, as the root prepares it. */
#pragma once

#include "command.h"
#include "src/job/job.h"

struct start_spec {
    char *guard;            /* path */
    char *hosts;            /* info key "hosts" of one world; NULL: the launcher chooses */
    char **argv;            /* the guard's command line, NULL-terminated */
    char program_text[200]; /* root: program for the trace */
    enum nereus_command_source source; /* root: of the command */
    unsigned char *payload;            /* join payload (join_payload.c) */
    int64_t payload_bytes;             /* known to all sources from the decision */
};

/** Root: do everything that can fail locally, before the broadcast, so that a failure needs no
 * agreement. */
enum nereus_status nereus_start_spec_prepare(nereus_job *job, struct nereus_request *record,
                                             struct start_spec *spec, struct nereus_error *err);
/** Free the specification. */
void nereus_start_spec_fini(struct start_spec *spec);
