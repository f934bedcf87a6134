/* Ports, whose names may be longer than MPI_MAX_PORT_NAME: over ucx MPICH needs more. */
#include <stdlib.h>

#include "job.h"

enum { PORT_ROOM = 4096 };

enum nereus_status nereus_port_open(char **port, struct nereus_error *err)
{
    MPI_Info info;
    char size[16];
    *port = calloc(1, PORT_ROOM);
    if (*port == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the name of a port");
    snprintf(size, sizeof size, "%d", (int)PORT_ROOM);
    NEREUS_MPI(MPI_Info_create(&info), err);
    MPI_Info_set(info, "port_name_size", size);
    const int code = MPI_Open_port(info, *port);
    MPI_Info_free(&info);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Open_port", err);
}

void nereus_port_close(char **port)
{
    if (*port != NULL)
        MPI_Close_port(*port);
    free(*port);
    *port = NULL;
}
