/** @file mpi_mpich.c  Describes MPICH (5.0.2), which frees the memory of a connection at its
 * disconnect. */
#include <stdlib.h>
#include <string.h>

#include "mpi_library.h"

static bool is_over_ofi(void)
{
    const char *netmod = getenv("MPIR_CVAR_CH4_NETMOD");
    return netmod != NULL && strcmp(netmod, "ofi") == 0;
}

/* Memory for communicators is allocated in blocks of 1.9 MB. Over ucx the names of ports exceed
 * MPI_MAX_PORT_NAME. */
const struct nereus_mpi_operations nereus_mpi_mpich = {
    .name = "MPICH",
    .version = "MPICH",
    .end_edge = MPI_Comm_disconnect,
    .end_merged = MPI_Comm_disconnect,
    .begin_duplicate = MPI_Comm_idup,
    .is_over_ofi = is_over_ofi,
    .communicators_at_once = 8,
    .port_size_key = "port_name_size",
    .hosts_key = "hosts",
};
