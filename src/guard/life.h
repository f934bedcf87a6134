/*
 * Lives of a job: a job that is restarted ends as a whole, and goes on as other processes, which
 * begin from a checkpoint (NEREUS_RESTART). nereus-supervise then executes itself: the job keeps
 * its process id, its output and its exit status. What it has to know of the lives before stands
 * before the job's command line, which stays that of the first life.
 */
#ifndef NEREUS_LIFE_H
#define NEREUS_LIFE_H

#include <stdbool.h>
#include <stdint.h>

/* First argument of nereus-supervise in a further life. */
#define LIFE_OPTION "--life"

struct life {
    char **mpiexec;    /* the command line of the first life; borrowed */
    bool first;        /* this process has executed no life before */
    int64_t number;    /* of restarts before, also of an earlier job (NEREUS_RESTARTS) */
    int64_t processes; /* 0: as many as the command line says */
    const char *hosts; /* "host0:2,host1:1"; "": as the command line says; borrowed */
    int64_t losses;    /* restarts after a loss */
    /* Lives before this one that were lost, in turn, while they read the same checkpoint */
    int64_t attempts;
    int64_t checkpoints; /* that lives before this one have written */
    bool fell_back; /* the checkpoint is an older one, as lives were lost that read a newer one */
};

/* @return false: a wrong command line */
bool life_read(char **argv, struct life *life);
/* Execute this program for this life, whose processes begin from the checkpoint. Returns only if
 * that fails: errno is set. */
void life_begin(const struct life *life, const char *checkpoint);

#endif
