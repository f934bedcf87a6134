/*
 * The job's machine gains and loses nodes with a request (docs/jobs.md): gained when the
 * request is decided on, so that processes can be placed there; put back where it fails; lost with
 * the commit. Private to src/.
 */
#ifndef NEREUS_SRC_MACHINE_H
#define NEREUS_SRC_MACHINE_H

#include "job.h"

/* The machine as it was before a request, until the request has ended. */
struct machine_change {
    bool begun;
    int64_t gained;
    struct nereus_machine before; /* owned, if begun */
};

/* "node5:20@slurm:1234": a node that the machine does not have, with its cores. It is added to what
 * the request gains. */
enum nereus_status nereus_want_node(const nereus_job *job, const char *text,
                                    struct resize_request *wanted, struct nereus_error *err);

/* Its layout becomes one process on each node in turn, of the machine as it is now; none where the
 * machine names no nodes. */
enum nereus_status nereus_want_spread(const nereus_job *job, struct resize_request *wanted,
                                      struct nereus_error *err);

/* A copy of the job's machine with what a request gains. */
enum nereus_status nereus_machine_wanted(const nereus_job *job, const struct resize_request *wanted,
                                         struct nereus_machine *machine, struct nereus_error *err);

/* The job's own machine gains it. Nothing where a request gains no node. */
enum nereus_status nereus_machine_begin(nereus_job *job, const struct resize_request *wanted,
                                        struct machine_change *change, struct nereus_error *err);
void nereus_machine_roll_back(nereus_job *job, struct machine_change *change);
/* What it has gained stays, and it loses the nodes of the record, which job->freed keeps.
 * @return whether it has changed */
bool nereus_machine_commit(nereus_job *job, const struct nereus_request *record,
                           struct machine_change *change);
void nereus_machine_change_fini(struct machine_change *change);

/* After a commit: "the machine has gained node5; free now: node3 (2 nodes)"; "" where the record
 * does not change it. */
enum { MACHINE_TEXT_MAX = 160 };
char *nereus_machine_say(const nereus_job *job, const struct nereus_request *record,
                         char text[MACHINE_TEXT_MAX]);

#endif
