/** @file pool.c  Translates a rank from one communicator to another. */
#include "src/util/error.h"
#include "steps.h"

enum nereus_status nereus_translate_rank(MPI_Comm from, int rank, MPI_Comm to, int *translated,
                                         struct nereus_error *err)
{
    MPI_Group here, there;
    NEREUS_MPI(MPI_Comm_group(from, &here), err);
    NEREUS_MPI(MPI_Comm_group(to, &there), err);
    NEREUS_MPI(MPI_Group_translate_ranks(here, 1, &rank, there, translated), err);
    MPI_Group_free(&here);
    MPI_Group_free(&there);
    return NEREUS_OK;
}
