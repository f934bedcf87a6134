/**
 * @file mpi_library.c
 * Finds the row of the loaded library by the text of MPI_Get_library_version.
 */
#include "mpi_library.h"

#include <stddef.h>
#include <string.h>

#ifdef MPI_ABI /* MPI's ABI has no MPI_Type_c2f and MPI_Type_f2c */
int nereus_mpi_number_of_type(MPI_Datatype type)
{
    return MPI_Type_toint(type);
}
MPI_Datatype nereus_mpi_type_of_number(int number)
{
    return MPI_Type_fromint(number);
}
#else
int nereus_mpi_number_of_type(MPI_Datatype type)
{
    return (int)MPI_Type_c2f(type);
}
MPI_Datatype nereus_mpi_type_of_number(int number)
{
    return MPI_Type_f2c((MPI_Fint)number);
}
#endif

static const struct nereus_mpi_operations *find_library(void)
{
    static const struct nereus_mpi_operations *const others[] = {&nereus_mpi_intel,
                                                                 &nereus_mpi_openmpi};
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(text, &length);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(text, others[i]->version, strlen(others[i]->version)) == 0)
            return others[i];
    return &nereus_mpi_mpich;
}

const struct nereus_mpi_operations *nereus_mpi(void)
{
    static const struct nereus_mpi_operations *_Atomic library; /* all threads set the same value */
    if (library == NULL)
        library = find_library();
    return library;
}

bool nereus_mpi_is_over_ofi(void)
{
    return nereus_mpi()->is_over_ofi != NULL && nereus_mpi()->is_over_ofi();
}
