/** @file translate_rank.c  Translates ranks by the communicators' groups. */
#include "translate_rank.h"

enum nereus_status nereus_translate_rank(MPI_Comm from, int rank, MPI_Comm to, int *translated,
                                         struct nereus_error *err)
{
    MPI_Group from_group, to_group = MPI_GROUP_NULL;
    NEREUS_MPI(MPI_Comm_group(from, &from_group), err);
    int code = MPI_Comm_group(to, &to_group);
    if (code == MPI_SUCCESS)
        code = MPI_Group_translate_ranks(from_group, 1, &rank, to_group, translated);
    MPI_Group_free(&from_group);
    if (to_group != MPI_GROUP_NULL)
        MPI_Group_free(&to_group);
    return code == MPI_SUCCESS ? NEREUS_OK
                               : nereus_mpi_failed(code, "MPI_Group_translate_ranks", err);
}
