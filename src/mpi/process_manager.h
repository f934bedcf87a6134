/**
 * @file process_manager.h
 * Differences between process managers, as data: Hydra (of MPICH and Intel MPI) and PRRTE (of Open
 * MPI), a file each. No MPI, and nothing allocated: also for nereus-supervise and the guards.
 */
#ifndef NEREUS_SRC_MPI_PROCESS_MANAGER_H
#define NEREUS_SRC_MPI_PROCESS_MANAGER_H

#include <stdbool.h>

/* Treatment of an option of its launcher when processes are launched later. */
enum job_option_use {
    JOB_OPTION_FIRST,      /* first processes only, or passed on in another way */
    JOB_OPTION_ALLOCATION, /* repeated in the job's own allocation */
    JOB_OPTION_ALL,        /* repeated everywhere */
    JOB_OPTION_FILES, /* file pattern: renamed, as another launcher would overwrite the files */
    JOB_OPTION_PATH,  /* as FIRST; programs are looked for in its folders */
    JOB_OPTION_PARTS, /* refused: names a file with parts of the command line */
    JOB_OPTION_BINDS, /* refused: this MPI ends a job with it at the first new process */
    JOB_OPTION_HELP   /* the help of nereus-mpiexec */
};

/* Names of options are without dashes. */
struct nereus_manager_option {
    const char *name; /* NULL ends a list */
    int values;
    enum job_option_use use;
};

/* Options that pass no variables to processes, those of a list, or all; NULL: it has none such. */
struct nereus_manager_passing {
    const char *none, *list, *all;
};

/* Descriptors that the launcher or its proxy keeps open, for each process and each proxy; that the
 * next process and the next proxy inherit for each earlier one; and what a proxy opens. */
struct nereus_manager_descriptors {
    int process, proxy, inherited_of_process, inherited_of_proxy, of_a_proxy;
};

/* The launcher's report about the end of a job, which nereus-mpiexec replaces by one sentence. */
struct nereus_manager_report {
    /* A report is a frame: a line of so many of this character, behind an empty line or not; a line
     * that begins as one of these; lines that begin with the character, or any; and such a line. */
    char frame;
    int length;
    bool after_empty, framed_lines;
    const char *const *begins;
    /* How other lines begin: printed when a second signal ends the job; all, with that one; and
     * those that explain an end, so that they report no error of the launcher. Those with '[' are
     * only on standard error, but for lines with one of the last texts. */
    const char *aborted;
    const char *const *lines, *const *explain, *const *on_output;
    /* Where two launchers write at the same time: the first pieces of their lines, and how a rest
     * begins. Only behind a first piece is such a line the launcher's. */
    const char *const *pieces, *const *rests;
    /* Before "NAME (REASON)" of a program that cannot be started; before "REASON)" of a failed
     * write; and in the next line if that was the output of processes. NULL: it says no such. */
    const char *missing, *unwritten, *of_output;
};

/* Name of UCX's setting for its hooks: "bistro" (default), "reloc" or "none". */
#define NEREUS_UCX_HOOKS "UCX_MEM_MMAP_HOOK_MODE"

/* Lists end with NULL. */
struct nereus_process_manager {
    const char *name;
    /* Variables of each of its processes: the rank in its world, the number of processes of the
     * world, and of those on this host (NULL: none has it). */
    const char *rank, *processes, *processes_here;
    /* Variable: the descriptor of the connection to it, which a process inherits; NULL: none. What
     * is said there for a process that has ended MPI without MPI_Finalize; NULL: nothing. Variable
     * in place of the first where a process opens the connection; NULL: none. */
    const char *connection, *end_request, *address;
    /* How "NAME=VALUE" begins: set by it for a process; settings of its MPI, for each process. */
    const char *const *variables, *const *settings;
    /* Setting of its MPI, and the value without hooks on mmap, munmap and the like. */
    const char *hooks, *no_hooks;
    /* The kernel's name of its launcher's process. */
    const char *launcher;
    /* The process that starts others, lives as long as they, and has one thread; NULL: none
     * such. */
    const char *proxy;
    /* Limits of a message to it, beyond which it ends the job: words, and bytes. */
    int words_max, message_bytes_max;
    /* Descriptors that it keeps open. */
    struct nereus_manager_descriptors descriptors;
    struct nereus_manager_report report;
    /* Options of its launcher. An unlisted one has one value, and is JOB_OPTION_FIRST. */
    const struct nereus_manager_option *options;
    /* For all parts of its command line, and for one part. */
    struct nereus_manager_passing pass, pass_here;
    /* Its options with the path of a program that it executes. */
    const char *const *programs;
    /* The launcher's option before a list of hosts, and all options that this one replaces. */
    const char *hosts_option;
    const char *const *places;
    /* Its option before "NAME=VALUE"; NULL: it has -hosts, -f and -genv of nereus-mpiexec itself. */
    const char *variable_option;
    /* The launcher's options by which Slurm starts its proxies; prefixes of the settings that
     * choose otherwise. */
    const char *const *by_slurm, *const *choices;
    /* The launcher's options with which the other processes stay after the loss of one; NULL: none,
     * and why not. */
    const char *const *recovery;
    const char *no_recovery;
};

extern const struct nereus_process_manager nereus_manager_hydra, nereus_manager_prrte;
/* All of them; NULL ends the list. */
extern const struct nereus_process_manager *const nereus_process_managers[];

/* Environment: the name of the process manager in small letters; src/mpi/find-mpi sets it. */
#define NEREUS_PROCESS_MANAGER_NAME "NEREUS_PROCESS_MANAGER"

/* The one of this job, from NEREUS_PROCESS_MANAGER, else from what it has given to this process;
 * Hydra where neither tells. */
const struct nereus_process_manager *nereus_process_manager(void);

#endif
