/*
 * How far a process of the initial world has come, as its guard tells nereus-supervise, and whether
 * others wait for one that has ended. Private to src/guard.
 *
 * MPI_Init, nereus_init and MPI_Finalize return when all processes of the world have called them: a
 * process that ends before such a call is missed by all that have come to it. A job of which no
 * process comes to MPI (`nereus-mpiexec -n 2 hostname`) misses nobody.
 */
#ifndef NEREUS_STAGES_H
#define NEREUS_STAGES_H

#include <stdbool.h>

enum stage {
    STAGE_START,    /* the program has not called MPI_Init through libnereus */
    STAGE_MPI,      /* it has called it */
    STAGE_JOB,      /* it has called nereus_init */
    STAGE_LEFT,     /* nereus_finalize: the job has no need of it */
    STAGE_FINALIZE, /* it has called MPI_Finalize */
    STAGE_DONE,     /* which has returned */
    STAGE_UNSEEN    /* it has closed its end of the channel to the guard: nothing is known */
};

/* Does a process that is at the stage `other` wait for ever for one that has ended at `ended`? */
bool stage_misses(enum stage other, enum stage ended);
/* Does the end at this stage lose a process of the job, whatever the others do?
 * @param status  as in a shell: 128 + N for signal N */
bool stage_is_needed(enum stage ended, int status);
/* "before it had called nereus_init", ...: for a sentence. */
const char *stage_text(enum stage ended);

#endif
