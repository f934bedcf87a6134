/** @file spawn.h  Start of new processes by MPI_Comm_spawn. */
#ifndef NEREUS_SRC_START_SPAWN_H
#define NEREUS_SRC_START_SPAWN_H

#include "start_spec.h"

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

#endif
