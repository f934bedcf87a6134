#include "mpi_library.h"

#include <stddef.h>
#include <string.h>

#ifdef MPI_ABI /* without the functions for Fortran's integers */
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

struct library {
    const char *version; /* how its text begins */
    int (*end_edge)(MPI_Comm *comm);
    const char *refuses_rma; /* a clause; NULL: it does not */
    bool finalize_hangs;
};

/* MPICH gives back what a connection holds when it is disconnected. Intel MPI (2021.18) crashes in
 * the progress loop of a disconnect while the processes are connected by another communicator, too;
 * a free leaves the connection to that one, and MPI_Finalize waits for it. */
static const struct library libraries[] = {
    {"Intel(R) MPI", MPI_Comm_free,
     "Intel MPI (2021.18) loses MPI_Rget between processes that were spawned one after the other",
     true},
    {"", MPI_Comm_disconnect, NULL, false},
};

static const struct library *this_library(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    const struct library *library = libraries;
    MPI_Get_library_version(text, &length);
    while (strncmp(text, library->version, strlen(library->version)) != 0)
        library++;
    return library;
}

int nereus_mpi_end_edge(MPI_Comm *comm)
{
    return this_library()->end_edge(comm);
}

const char *nereus_mpi_refuses_rma(void)
{
    return this_library()->refuses_rma;
}

bool nereus_mpi_finalize_hangs(void)
{
    return this_library()->finalize_hangs;
}
