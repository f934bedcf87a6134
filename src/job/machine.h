/**
 * @file machine.h
 * Changes the job's machine (docs/jobs.md): it gains the nodes of a request when that is decided
 * on, so that processes can be placed there; it is restored if the request fails, and loses nodes
 * with the commit.
 */
#pragma once

#include "job.h"

/** Copy of the machine before a request, kept until the request has ended. */
struct machine_change {
    bool begun;
    int64_t gained_nodes;
    struct nereus_machine old_machine; /**< owned, if begun */
};

/** Parse "node5:20@slurm:1234", a new node with its cores, and add it to the nodes that the request
 * gains. */
enum nereus_status nereus_request_add_node(const nereus_job *job, const char *text,
                                           struct resize_request *request,
                                           struct nereus_error *err);

/** Set the layout to one process per node in turn, on the present machine; no layout if the machine
 * has no node names. */
enum nereus_status nereus_request_set_spread(const nereus_job *job, struct resize_request *request,
                                             struct nereus_error *err);

/** Copy the job's machine and add the nodes that a request gains. */
enum nereus_status nereus_machine_of_request(const nereus_job *job,
                                             const struct resize_request *request,
                                             struct nereus_machine *machine,
                                             struct nereus_error *err);

/** Is this a restart with more processes than the machine has slots (without slots: cores), in a
 * job of Slurm that nereus-supervise may restart (NEREUS_ON_FAILURE=restart)? Then the job is
 * queued again, and continues in another allocation. */
bool nereus_restart_needs_requeue(const nereus_job *job, const struct nereus_method *method,
                                  int64_t nt);

/** Add these nodes to the job's machine. No effect if there are none. */
enum nereus_status nereus_machine_begin(nereus_job *job, const struct resize_request *request,
                                        struct machine_change *change, struct nereus_error *err);
/** Remove the added nodes. */
void nereus_machine_roll_back(nereus_job *job, struct machine_change *change);
/** Keep the gained nodes, and remove the nodes that the record loses (stored in job->freed_nodes).
 * @return whether the machine has changed */
bool nereus_machine_commit(nereus_job *job, const struct nereus_request *record,
                           struct machine_change *change);
/** Free the record of a change. */
void nereus_machine_change_fini(struct machine_change *change);

/** Describe the change for an outcome: "the machine has gained node5; free now: node3"; "":
 * unchanged. */
enum { MACHINE_TEXT_MAX = 160 };
char *nereus_machine_describe_change(const nereus_job *job, const struct nereus_request *record,
                                     char text[MACHINE_TEXT_MAX]);

/** Write the job's state file, if there is one (rank 0). A failure is printed once and is not an
 * error of the job. */
void nereus_job_write_state(const nereus_job *job);
