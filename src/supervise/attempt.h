/**
 * @file attempt.h
 * Runs attempts of a job: each is one run of mpiexec. To restart a job, all its processes end, and
 * new ones begin from a checkpoint (NEREUS_RESTART): nereus-supervise executes itself, so that the
 * job keeps its process id, its output and its exit status. The state of earlier attempts is passed
 * as arguments before the job's command line, which stays the one of the first attempt.
 */
#pragma once

#include "model/util/base.h"

/** First argument of nereus-supervise in a further attempt. */
#define ATTEMPT_OPTION "--attempt"

struct attempt {
    char **mpiexec;    /* the command line of the first attempt; borrowed */
    bool first;        /* this process has executed no attempt before */
    int64_t number;    /* restarts before this attempt, also those of an earlier job
                        * (NEREUS_RESTARTS) */
    int64_t processes; /* 0: as many as the command line says */
    const char *hosts; /* "host0:2,host1:1"; "": as the command line says; borrowed */
    int64_t losses;    /* restarts after a loss */
    /* number of successive attempts, directly before this one, that were lost while they read the
     * same checkpoint */
    int64_t failed_reads;
    int64_t checkpoints; /* number of checkpoints that earlier attempts have written */
    /* the checkpoint is not the newest one, because attempts were lost while they read that */
    bool is_older;
};

/** @return false: invalid command line */
bool attempt_read(char **argv, struct attempt *attempt);
/** Execute this program for the attempt, whose processes begin from the checkpoint. Returns only if
 * the execution fails: errno is set. */
void attempt_begin(const struct attempt *attempt, const char *checkpoint);
