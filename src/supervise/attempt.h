/**
 * @file attempt.h
 * Attempts of a job to come to its end: each is one run of mpiexec. A job that is restarted ends as
 * a whole, and goes on as other processes, which begin from a checkpoint (NEREUS_RESTART):
 * nereus-supervise executes itself, so that the job keeps its process id, its output and its exit
 * status. What it has to know of the attempts before stands before the job's command line, which
 * stays that of the first one.
 */
#ifndef NEREUS_SRC_SUPERVISE_ATTEMPT_H
#define NEREUS_SRC_SUPERVISE_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

/* First argument of nereus-supervise in a further attempt. */
#define ATTEMPT_OPTION "--attempt"

struct attempt {
    char **mpiexec;    /* the command line of the first attempt; borrowed */
    bool first;        /* this process has executed no attempt before */
    int64_t number;    /* restarts before this attempt, also those of an earlier job
                        * (NEREUS_RESTARTS) */
    int64_t processes; /* 0: as many as the command line says */
    const char *hosts; /* "host0:2,host1:1"; "": as the command line says; borrowed */
    int64_t losses;    /* restarts after a loss */
    /* Attempts before this one that were lost, in turn, while they read the same checkpoint */
    int64_t lost_reads;
    int64_t checkpoints; /* that attempts before this one have written */
    bool
        fell_back; /* the checkpoint is an older one, as attempts were lost that read a newer one */
};

/* @return false: a wrong command line */
bool attempt_read(char **argv, struct attempt *attempt);
/* Execute this program for the attempt, whose processes begin from the checkpoint. Returns only if
 * the execution fails: errno is set. */
void attempt_begin(const struct attempt *attempt, const char *checkpoint);

#endif
