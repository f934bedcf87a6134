/**
 * @file job_hosts.h
 * Lists the hosts of a job that nereus-supervise knows: those on mpiexec's command line, in
 * NEREUS_HOSTFILE and in a Slurm allocation. A host file given only in nereus_options.hostfile is
 * not known here.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"

struct job_host {
    char name[NEREUS_NODE_NAME_MAX];
    int64_t slots;        /* processes that the host may have; 0: not known */
    int64_t listed_slots; /* slots that the command line gives */
    bool here;
    bool answers; /* true until sweep_each_host has found that the host does not answer */
};

struct job_hosts {
    struct job_host *list; /* owned */
    size_t count;
    bool listed; /* the command line names hosts */
};

/** @param mpiexec  the command that the job was started with */
void job_hosts_find(struct job_hosts *hosts, char *const *mpiexec);
/** Write a host file for the next attempt without the hosts that do not answer (FOLDER/hosts, for
 * NEREUS_HOSTFILE): the attempt would otherwise start processes there and be lost. Without a host
 * file nothing is done. */
void job_hosts_leave_out(const struct job_hosts *hosts, const char *folder);
/** Free the list. */
void job_hosts_fini(struct job_hosts *hosts);
