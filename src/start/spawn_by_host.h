/**
 * @file spawn_by_host.h
 * Spawns one world with a command for each of its hosts, for an MPI whose info key for hosts takes
 * no number of processes for each host.
 */
#ifndef NEREUS_START_SPAWN_BY_HOST_H
#define NEREUS_START_SPAWN_BY_HOST_H

#include <mpi.h>

#include "spawn.h"

/* As MPI_Comm_spawn; command and argv are used at the root, rank 0.
 * @param hosts_key  info key with the host of a command
 * @return MPI's code; MPI_ERR_NO_MEM */
int nereus_spawn_by_host(char *command, char **argv, const struct spawn_group *group,
                         const char *hosts_key, MPI_Comm *inter);

#endif
