/**
 * @file process_manager.h
 * Describes differences between process managers, as data: Hydra (of MPICH and Intel MPI) and PRRTE
 * (of Open MPI), a file each. No MPI, and nothing allocated: also for nereus-supervise and the
 * guards.
 */
#pragma once

#include <stdbool.h>

/** What to do with an option of the launcher when processes are launched later. */
enum job_option_use {
    JOB_OPTION_FIRST,      /* first processes only, or passed on in another way */
    JOB_OPTION_ALLOCATION, /* repeated in the job's own allocation */
    JOB_OPTION_ALL,        /* repeated everywhere */
    JOB_OPTION_FILES, /* file pattern: renamed, as another launcher would overwrite the files */
    JOB_OPTION_PATH,  /* as FIRST; programs are looked for in its folders */
    JOB_OPTION_PARTS, /* refused: names a file with parts of the command line */
    JOB_OPTION_BINDS, /* refused: with it this MPI ends a job at the first new process */
    JOB_OPTION_HELP   /* the help of nereus-mpiexec */
};

/** Names of options are without dashes. */
struct nereus_manager_option {
    const char *name; /* NULL ends a list */
    int values;
    enum job_option_use use;
};

/** Options that pass to the processes no variables, those of a list, or all; NULL: no such
 * option. */
struct nereus_manager_passing {
    const char *none, *list, *all;
};

/** Numbers of descriptors: those that the launcher or its proxy keeps open for each process and for
 * each proxy; those that a new process and a new proxy inherit for each earlier one; those that a
 * proxy opens. */
struct nereus_manager_descriptors {
    int process, proxy, inherited_of_process, inherited_of_proxy, of_a_proxy;
};

/** The launcher's report about the end of a job, which nereus-mpiexec replaces by one sentence. */
struct nereus_manager_report {
    /* A report begins and ends with a separator line: `length` times the character `frame`
     * (has_empty_line: after an empty line). Its first line has one of the prefixes `begins`; its
     * other lines begin with `frame` if has_framed_lines. */
    char frame;
    int length;
    bool has_empty_line, has_framed_lines;
    const char *const *begins;
    /* Prefixes of other lines. aborted: printed when a second signal ends the job. lines: all of
     * them, including `aborted`. explain: those that explain an end and are not an error of the
     * launcher. Lines that begin with '[' are only on standard error, except lines with a text of
     * `on_output`. */
    const char *aborted;
    const char *const *lines, *const *explain, *const *on_output;
    /* For two processes that one proxy cannot start: the first pieces of their lines, and the
     * prefixes of the rests. A line with such a prefix is the proxy's only after a first piece. */
    const char *const *pieces, *const *rests;
    /* Text before "NAME (REASON)" of a program that cannot be started; text before "REASON)" of a
     * failed write; text in the line after it if the write was of processes' output. NULL: the
     * launcher prints no such line. */
    const char *missing_program, *failed_write, *output_error;
};

/** Name of UCX's setting for its hooks: "bistro" (default), "reloc" or "none". */
#define NEREUS_UCX_HOOKS "UCX_MEM_MMAP_HOOK_MODE"

/** Lists end with NULL. */
struct nereus_process_manager {
    const char *name;
    /* Variables of each process: the rank in its world, the number of processes of the world, and
     * the number on this host (NULL: no such variable). */
    const char *rank, *processes, *processes_here;
    /* connection: variable with the descriptor of the connection to the process manager, which a
     * process inherits. end_request: message for a process that has ended MPI without MPI_Finalize.
     * address: variable used instead of `connection` if the process opens the connection itself.
     * NULL: none. */
    const char *connection, *end_request, *address;
    /* Prefixes of "NAME=VALUE": variables that the process manager sets for a process; settings of
     * its MPI, which are passed to each process. */
    const char *const *variables, *const *settings;
    /* Setting of its MPI for hooks on mmap, munmap and similar functions, and its value without
     * hooks. */
    const char *hooks, *no_hooks;
    /* Process name of the launcher in the kernel. */
    const char *launcher;
    /* Process name of the proxy, which starts the processes of a host, lives as long as they do,
     * and has one thread; NULL: no such process. */
    const char *proxy;
    /* Largest message to the process manager, in words and in bytes: a longer one ends the job. */
    int words_max, message_bytes_max;
    /* Descriptors that the process manager keeps open. */
    struct nereus_manager_descriptors descriptors;
    struct nereus_manager_report report;
    /* Options of its launcher. An option that is not listed has one value, and is
     * JOB_OPTION_FIRST. */
    const struct nereus_manager_option *options;
    /* Options for all parts of the command line, and for one part. */
    struct nereus_manager_passing pass, pass_here;
    /* Options whose value is the path of a program that the launcher executes. */
    const char *const *programs;
    /* The launcher's option for a list of hosts, and all options that it replaces. */
    const char *hosts_option;
    const char *const *host_options;
    /* The launcher's option for "NAME=VALUE"; NULL: the launcher itself has the options -hosts, -f
     * and -genv of nereus-mpiexec. */
    const char *variable_option;
    /* The launcher's options that let Slurm start its proxies; prefixes of the settings that choose
     * another way. */
    const char *const *slurm_options, *const *launcher_variables;
    /* recovery: the launcher's options with which the other processes continue after a loss. NULL:
     * not possible, and no_recovery says why. */
    const char *const *recovery;
    const char *no_recovery;
};

extern const struct nereus_process_manager nereus_manager_hydra, nereus_manager_prrte;
/** All process managers; NULL ends the list. */
extern const struct nereus_process_manager *const nereus_process_managers[];

/** Environment: the name of the process manager in small letters; src/mpi/find-mpi sets it. */
#define NEREUS_PROCESS_MANAGER_NAME "NEREUS_PROCESS_MANAGER"

/** The process manager of this job: from NEREUS_PROCESS_MANAGER, else from the variables that it
 * has set for this process, else Hydra. */
const struct nereus_process_manager *nereus_process_manager(void);
