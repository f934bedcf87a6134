/**
 * @file where.h
 * Where the processes of a job really are, and on which cores: gathered, printed and compared with
 * the layout.
 */
#pragma once

#include "nereus/nereus.h"

/* Before nereus_init: what this process may use.
 * @return hardware threads */
int where_begin(void);

/*
 * Collective. Prints a line per process and compares with the machine that the job was given
 * ($NEREUS_HOSTFILE) and with where its state file ($NEREUS_STATE; without one, compact placement)
 * says that its processes are:
 *
 *   "host"   each process is on the host of its node
 *   "bound"  also: on a core that no other process may use where its node has a core for each;
 *            else, on all of the node's cores if the host file declared them, and where nothing was
 *            declared, as it was started
 *   "free"   the first, and each process may use what it was started with
 *
 * @return how many processes are not as they should be (rank 0; elsewhere 0)
 */
int where_check(const nereus_job *job, const char *expected);

/*
 * Collective: after a change of size, how fast this process' node is.
 *
 * @param speeds    "NODE:SPEED,..."; other nodes have 1
 * @param elements  own ones; rank 0 prints the share of each process
 * @return the speed; 0: the node is not known
 */
double where_speed(const nereus_job *job, const char *speeds, int64_t elements);

/* Local: does a thread of this process have one core alone, of several that the process has? */
int where_spare(void);
