/**
 * @file launch_hosts.h
 * A host file for the launcher (mpiexec -f), which knows hosts, but no virtual nodes.
 */
#ifndef NEREUS_LAUNCH_HOSTS_H
#define NEREUS_LAUNCH_HOSTS_H

#include "nereus/layout.h"

/**
 * Write a line "HOST:CORES" for each host, with the cores of all its virtual nodes, in the order of
 * the nodes. @return NEREUS_ERR_IO
 */
enum nereus_status nereus_launch_hosts_write(const struct nereus_machine *machine, const char *path,
                                             struct nereus_error *err);

#endif
