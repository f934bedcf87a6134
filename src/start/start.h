/** @file start.h  What the files of this component offer, in the order of a start. */
#pragma once

#include <pthread.h>

#include "src/job/job.h"
#include "start_spec.h"

/* descriptors.c: Check of the launcher's file descriptors before a spawn. */

/** Number of new processes of a request on this host. */
int64_t nereus_count_new_here(const nereus_job *job, const struct nereus_request *request);

/** Root, before a spawn: refuse it if the launcher would run out of descriptors. */
enum nereus_status nereus_check_descriptors(const nereus_job *job,
                                            const struct nereus_request *record,
                                            struct nereus_error *failure);

/* probe.c: Test of hosts before a spawn. MPI_Comm_spawn ends or hangs the job if a host does not
 * answer or cannot be reached. Therefore the launcher first starts a guard there, which only checks
 * whether the program can be started, reports to nereus-supervise and ends (guard.c, word q;
 * protocol of a launched world: link/launch.h). A failure of this test does not affect the job.
 * Only hosts without a process of the job are tested: without an answer from a host that it already
 * uses the job hangs in any case. The test takes as long as one start of a launcher, as all hosts
 * are tested in parallel. */

/** Probe the hosts, at the root, before a plan that spawns. spec has the guard and its command
 * line. Without nereus-supervise nothing is tested. Errors: NEREUS_ERR_SPAWN with the host and the
 * reason, MEMORY. */
enum nereus_status nereus_probe_hosts(const nereus_job *job, const struct nereus_request *request,
                                      const struct start_spec *spec, struct nereus_error *failure);

/* hosts.c: Host and node of a process. */

/** Are the machine's nodes on several hosts? Virtual nodes ("host/a") may share one. */
bool nereus_machine_has_several_hosts(const struct nereus_machine *machine);
/** Host of a node, if the machine has several hosts; else "". */
void nereus_host_of_node(const struct nereus_machine *machine, int64_t node, char *host,
                         size_t size);
/** Node of job->machine on which the layout places an active process. */
int64_t nereus_node_of_rank(const nereus_job *job, int64_t rank);

/* own_host.c: The host of this process, by the names of a layout. Main thread only. */

/** Is this the host of a node? node_name: "host" or "host/node" */
bool nereus_is_this_host(const char *node_name);
/** Is this process on the host that the layout gives for it? */
bool nereus_is_on_node(const nereus_job *job);

/* join_payload.c: The join payload, sent to new and woken processes. */

/** Pack into spec->payload: the guard's command line, the request record with the registered data,
 * the job's state, settings and machine. */
enum nereus_status nereus_payload_pack(nereus_job *job, struct nereus_request *record,
                                       struct start_spec *spec, struct nereus_error *err);
/** Unpack spec->payload. */
enum nereus_status nereus_payload_unpack(nereus_job *job, struct nereus_request *record,
                                         struct start_spec *spec, struct nereus_error *err);
/** Unpack spec->payload without setting the registry to the record. */
enum nereus_status nereus_payload_read(nereus_job *job, struct nereus_request *record,
                                       struct start_spec *spec, struct nereus_error *err);
/** Unpack only the guard's command line. */
enum nereus_status nereus_payload_read_spec(struct start_spec *spec, struct nereus_error *err);
/** Broadcast the payload, with the number of the group that receives it. root: as for MPI_Bcast on
 * this communicator. A receiver frees spec->payload. Collective. */
enum nereus_status nereus_payload_broadcast(MPI_Comm comm, int root, bool sends,
                                            struct start_spec *spec, int64_t *group,
                                            struct nereus_error *err);
/** Broadcast rank 0's settings. Collective over control. */
enum nereus_status nereus_settings_broadcast(nereus_job *job, struct nereus_error *err);

/* spawn.c: Start of new processes by MPI_Comm_spawn. */

/** Processes of one call of MPI_Comm_spawn, which is collective over comm. */
struct spawn_group {
    MPI_Comm comm;
    int64_t count;
    const char *hosts; /* "host1:2,host2:1"; NULL: anywhere */
};

/** Why this process must not call MPI_Comm_spawn; NULL: it may, also if NEREUS_SPAWN=yes is set. */
const char *nereus_spawn_refusal_reason(void);
/** Advice for that case, in a job of nereus-mpiexec. */
extern const char nereus_without_spawn[];

/** Collective over comm: rank 0 spawns `count` guards that start the program, on `hosts` (NULL:
 * anywhere). The job is ended if hosts do not answer within answer_timeout_s, or the call does not
 * return within spawn_timeout_s and a margin. */
enum nereus_status nereus_spawn(const struct start_spec *spec, const nereus_job *job,
                                const struct spawn_group *group, MPI_Comm *inter,
                                struct nereus_error *err);

/** Copy of a guard's command line with one more word in front; the list is to be freed, its words
 * are borrowed. NULL: no memory. */
char **nereus_argv_prepend(char *word, char **argv);

/* bind_with_hwloc.c: Binding of this process to cores. Main thread only. */

/** Was Nereus built with hwloc? Without it the other functions do nothing. */
bool nereus_bind_is_supported(void);
/** Store the initial affinity, before anything changes it. before_mpi: MPI has not been started
 * yet. */
void nereus_bind_store_initial(bool before_mpi);
/** Bind this process to the cores that the layout gives it. Local, in active processes; a failure
 * only warns. */
void nereus_bind(nereus_job *job);
/** Bind an auxiliary thread to the last of this process' own cores, if it has several. */
void nereus_bind_auxiliary(pthread_t thread);
/** Restore the initial affinity. */
void nereus_bind_restore(void);
