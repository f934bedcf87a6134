/**
 * @file bound_job.c
 * Binds communicators and errors. Also checks at compile time the numbers that nereus.f90 repeats.
 */

#include "bound.h"

_Static_assert(NEREUS_OK == 0 && NEREUS_ERR_BUSY == 8 && NEREUS_ERR_CANCELLED == 10,
               "status in nereus.f90");
_Static_assert(NEREUS_CONSTANT == 0 && NEREUS_VARIABLE == 1, "kinds in nereus.f90");
_Static_assert(NEREUS_BY_ROWS == 1 && NEREUS_BY_COLUMNS == 2 && NEREUS_BY_LENGTH == -1,
               "shapes in nereus.f90");
_Static_assert(NEREUS_CONTINUE == 0 && NEREUS_RESIZED == 1 && NEREUS_LEAVE == 2,
               "actions in nereus.f90");
_Static_assert(NEREUS_OUTCOME_NONE == 0 && NEREUS_OUTCOME_PENDING == 1 &&
                   NEREUS_OUTCOME_RESIZED == 2 && NEREUS_OUTCOME_UNCHANGED == 3 &&
                   NEREUS_OUTCOME_FAILED == 4 && NEREUS_OUTCOME_TOO_LATE == 5,
               "outcomes in nereus.f90");
_Static_assert(sizeof(MPI_Fint) == sizeof(int), "communicators are default integers in nereus.f90");
_Static_assert(sizeof(enum nereus_action) == sizeof(int),
               "actions are default integers in nereus.f90");

void *nereus_fortran_memory(void *memory)
{
    if (memory == NULL) {
        fputs("nereus: no memory for the options of nereus_init\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

MPI_Fint nereus_fortran_comm(const nereus_job *job)
{
    return MPI_Comm_c2f(nereus_comm(job));
}

void nereus_fortran_abort(const char *sentence)
{
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (sentence != NULL)
        fprintf(stderr, "nereus: %s\n", sentence);
    if (initialised && !finalised)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    exit(EXIT_FAILURE);
}
