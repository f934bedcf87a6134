/**
 * @file mpi_library.h
 * Differences between libraries of MPI: one table of operations, of which each library has a row in
 * a file of its own (mpi_mpich.c, mpi_intel.c, mpi_openmpi.c). No other code asks which library it
 * is.
 */
#ifndef NEREUS_SRC_MPI_MPI_LIBRARY_H
#define NEREUS_SRC_MPI_MPI_LIBRARY_H

#include <mpi.h>
#include <stdbool.h>

/* How the processes that are left go on after one was lost (core/recover.c). */
struct nereus_mpi_recovery {
    /* Does this code of MPI's say that a process was lost, or that a communicator is revoked? */
    bool (*is_loss)(int code);
    /* Has a process of this communicator been lost, or is it revoked? Local. */
    bool (*has_lost)(MPI_Comm comm);
    /* Make all calls over it return an error, in all processes. Local. */
    int (*revoke)(MPI_Comm comm);
    /* A communicator of those that are left, in the same order. Collective over these. */
    int (*shrink)(MPI_Comm comm, MPI_Comm *rest);
    /* In place of MPI_Finalize, which may wait for a lost process. */
    void (*leave)(void);
};

struct nereus_mpi_operations {
    const char *name;
    /* How the text of MPI_Get_library_version begins. */
    const char *version;
    /* End an inter-communicator whose processes stay connected through others, and a merged
     * communicator whose inter-communicator is disconnected next. Collective over it, after a
     * barrier; sets it to MPI_COMM_NULL. Returns MPI's code. Thread safety: as
     * MPI_Comm_disconnect. */
    int (*end_edge)(MPI_Comm *comm);
    int (*end_merged)(MPI_Comm *comm);
    /* Begin a duplicate as MPI_Comm_idup does; other collectives over the communicator may be
     * called meanwhile. */
    int (*begin_duplicate)(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request);
    /* Do its messages go through MPICH's own module of libfabric? Then the first of two processes
     * has to be ordered, and an open window of a lost process keeps MPI_Finalize from returning
     * (util/handshake.c, api/finalize.c). NULL: never; see nereus_mpi_is_over_ofi. */
    bool (*is_over_ofi)(void);
    /* Communicators that share a block of memory. */
    int communicators_at_once;
    /* The info key of MPI_Open_port with the room for a name; NULL: names fit MPI_MAX_PORT_NAME. */
    const char *port_size_key;
    /* The info key of MPI_Comm_spawn with the hosts of new processes, "A:2,B"; or it takes one
     * host, and a world on several hosts is spawned with a command for each. */
    const char *hosts_key;
    bool spawns_by_host;
    /* Why old and new processes are not connected by MPI_Intercomm_create over a communicator of
     * some of them; NULL: they can be. */
    const char *no_bridge;
    /* Why worlds of two launchers cannot be connected; NULL: they can. */
    const char *no_launch;
    /* Why no process can come in on this host; NULL, or the function is NULL: it can. */
    const char *(*cannot_start)(bool several_hosts);
    /* Why one-sided calls between worlds cannot be relied on; NULL: they can. */
    const char *no_rma;
    /* Has each world a proxy of its own on a host? Else all worlds of a launcher share one. */
    bool proxy_a_world;
    /* Can MPI_Finalize wait forever in a process that was connected to others? */
    bool finalize_hangs;
    /* NULL: no process can go on after a loss. */
    const struct nereus_mpi_recovery *recovery;
};

extern const struct nereus_mpi_recovery nereus_mpi_ulfm;

extern const struct nereus_mpi_operations nereus_mpi_mpich, nereus_mpi_intel, nereus_mpi_openmpi;

/* The library that this process runs on, whichever it was built with; MPICH's operations for an
 * unknown one. Local, also before MPI_Init. Thread-safe. */
const struct nereus_mpi_operations *nereus_mpi(void);
bool nereus_mpi_is_over_ofi(void);

/* The number that stands for a predefined type in every process of a job, and the type of that
 * number. Local. */
int nereus_mpi_number_of_type(MPI_Datatype type);
MPI_Datatype nereus_mpi_type_of_number(int number);

#endif
