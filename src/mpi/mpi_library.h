/**
 * @file mpi_library.h
 * Describes differences between libraries of MPI: one table of operations, with a row for each
 * library in its own file (mpi_mpich.c, mpi_intel.c, mpi_openmpi.c). No other code depends on the
 * name of the library.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>

/** Operations by which the remaining processes continue after a loss (core/recover.c). */
struct nereus_mpi_recovery {
    /* Does this error code mean that a process was lost, or that a communicator is revoked? */
    bool (*is_loss)(int code);
    /* Has a process of this communicator been lost, or is it revoked? Local. */
    bool (*has_lost)(MPI_Comm comm);
    /* Revoke a communicator: all calls over it return an error in all processes. Local. */
    int (*revoke)(MPI_Comm comm);
    /* Make a communicator of the remaining processes, in the same order. Collective over them. */
    int (*shrink)(MPI_Comm comm, MPI_Comm *rest);
    /* End MPI without MPI_Finalize, which may wait for a lost process. */
    void (*leave)(void);
};

struct nereus_mpi_operations {
    const char *name;
    /* Prefix of the text of MPI_Get_library_version. */
    const char *version;
    /* end_edge: end an inter-communicator whose processes stay connected through others.
     * end_merged: end a merged communicator whose inter-communicator is disconnected next.
     * Collective over *comm, after a barrier; set it to MPI_COMM_NULL; return MPI's code. Thread
     * safety: as MPI_Comm_disconnect. */
    int (*end_edge)(MPI_Comm *comm);
    int (*end_merged)(MPI_Comm *comm);
    /* Begin a duplicate as MPI_Comm_idup does; other collectives over the communicator may be
     * called meanwhile. */
    int (*begin_duplicate)(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request);
    /* Does the library use MPICH's module of libfabric (ofi)? Then the first messages of two
     * processes must be ordered (util/handshake.c), and MPI_Finalize does not return if a window of
     * a lost process is open (api/finalize.c). NULL: never; see nereus_mpi_is_over_ofi. */
    bool (*is_over_ofi)(void);
    /* Number of communicators that share a block of memory. */
    int communicators_at_once;
    /* The info key of MPI_Open_port for the size of the name's buffer; NULL: names fit
     * MPI_MAX_PORT_NAME. */
    const char *port_size_key;
    /* The info key of MPI_Comm_spawn for the hosts of new processes, "A:2,B". spawns_by_host: the
     * key takes only one host, and a world on several hosts is spawned with one command for
     * each. */
    const char *hosts_key;
    bool spawns_by_host;
    /* Why old and new processes cannot be connected by a bridge (steps/step_connect.c); NULL: they
     * can. */
    const char *no_bridge;
    /* Why worlds of two launchers cannot be connected; NULL: they can. */
    const char *no_launch;
    /* Why no new process can start from this host; NULL, or no function: it can. */
    const char *(*start_refusal)(bool several_hosts);
    /* Why one-sided calls between worlds are unreliable; NULL: they are reliable. */
    const char *no_rma;
    /* Does each world have its own proxy on a host? Otherwise all worlds of a launcher share
     * one. */
    bool proxy_a_world;
    /* Can MPI_Finalize wait forever in a process that was connected to others? */
    bool finalize_hangs;
    /* NULL: processes cannot continue after a loss. */
    const struct nereus_mpi_recovery *recovery;
};

extern const struct nereus_mpi_recovery nereus_mpi_ulfm;

extern const struct nereus_mpi_operations nereus_mpi_mpich, nereus_mpi_intel, nereus_mpi_openmpi;

/** Operations of the library that is loaded, which may differ from that of the build; those of
 * MPICH for an unknown library. Local, also before MPI_Init. Thread-safe. */
const struct nereus_mpi_operations *nereus_mpi(void);
bool nereus_mpi_is_over_ofi(void);

/** Convert a predefined type to a number that is the same in every process of a job, and back.
 * Local. */
int nereus_mpi_number_of_type(MPI_Datatype type);
MPI_Datatype nereus_mpi_type_of_number(int number);
