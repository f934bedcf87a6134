/**
 * @file process_phase.h
 * Names the phase that a process of the initial world has reached, which its guard reports to
 * nereus-supervise. From it follows whether others wait for a process that has ended.
 *
 * MPI_Init, nereus_init and MPI_Finalize return when all processes of the world have called them:
 * if a process ends before such a call, all processes inside the call wait for it forever. In a job
 * that never calls MPI (`nereus-mpiexec -n 2 hostname`) no process waits for another.
 */
#pragma once

#include "model/util/base.h"

enum process_phase {
    PHASE_START,    /* the program has not called MPI_Init through libnereus */
    PHASE_MPI,      /* the process has called MPI_Init */
    PHASE_JOB,      /* the process has called nereus_init */
    PHASE_LEFT,     /* the process has called nereus_finalize */
    PHASE_FINALIZE, /* the process has called MPI_Finalize */
    PHASE_DONE,     /* MPI_Finalize has returned */
    PHASE_UNSEEN    /* unknown: it has closed the channel to the guard */
};

/** Added to a status above 128 that the program itself has set (as when MPI exits with an error
 * code), to distinguish it from 128 + N for signal N. */
enum { OWN_STATUS = 256 };
bool status_is_signal(int status);

/** Does a process in the phase `other` wait forever for one that has ended in the phase
 * `end_phase`? */
bool phase_waits_for(enum process_phase other, enum process_phase end_phase);
/** Is the end of a process in this phase always a loss for the job?
 * @param status  as in a shell: 128 + N for signal N */
bool phase_is_loss(enum process_phase end_phase, int status);
/** Was the process ended by a signal, other than those by which users and launchers end processes
 * (SIGINT, SIGTERM, SIGHUP, SIGQUIT)? status: as in a shell */
bool status_is_loss(int status);
/** "before it had called nereus_init" and so on, as part of a message. */
const char *phase_text(enum process_phase end_phase);
