/*
 * Stage that a process of the initial world has reached, as its guard reports it to
 * nereus-supervise, and whether others wait for a process that has ended.
 *
 * MPI_Init, nereus_init and MPI_Finalize return when all processes of the world have called them:
 * if a process ends before such a call, all processes inside the call wait for it forever. A job
 * of which no process calls MPI (`nereus-mpiexec -n 2 hostname`) waits for nobody.
 */
#ifndef NEREUS_STAGES_H
#define NEREUS_STAGES_H

#include <stdbool.h>

enum stage {
    STAGE_START,    /* the program has not called MPI_Init through libnereus */
    STAGE_MPI,      /* it has called MPI_Init */
    STAGE_JOB,      /* it has called nereus_init */
    STAGE_LEFT,     /* it has called nereus_finalize */
    STAGE_FINALIZE, /* it has called MPI_Finalize */
    STAGE_DONE,     /* MPI_Finalize has returned */
    STAGE_UNSEEN    /* unknown: it has closed the channel to the guard */
};

/* Does a process at the stage `other` wait forever for one that has ended at `ended`? */
bool stage_waits_for(enum stage other, enum stage ended);
/* Is a process that ends at this stage lost to the job, whatever the others do?
 * @param status  as in a shell: 128 + N for signal N */
bool stage_is_loss(enum stage ended, int status);
/* Has a signal ended a process that nobody had asked to end? status: as in a shell */
bool status_is_loss(int status);
/* "before it had called nereus_init" and so on, as part of a message. */
const char *stage_text(enum stage ended);

#endif
