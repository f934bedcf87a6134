/**
 * @file spawn.h
 * Starts new processes by MPI_Comm_spawn (spawn.c), after tests of what would end or hang it: the
 * launcher's file descriptors (descriptors.c), hosts that do not answer (probe.c).
 */
#pragma once

#include "src/job/job.h"
#include "start_spec.h"

/** Number of new processes of a request on this host. */
int64_t nereus_count_new_here(const nereus_job *job, const struct nereus_request *request);

/** Root, before a spawn: refuse it if the launcher would run out of descriptors. */
enum nereus_status nereus_check_descriptors(const nereus_job *job,
                                            const struct nereus_request *record,
                                            struct nereus_error *failure);

/** Probe the hosts, at the root, before a plan that spawns. spec has the guard and its command
 * line. Without nereus-supervise nothing is tested. Errors: NEREUS_ERR_SPAWN with the host and the
 * reason, MEMORY. */
enum nereus_status nereus_probe_hosts(const nereus_job *job, const struct nereus_request *request,
                                      const struct start_spec *spec, struct nereus_error *failure);

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
