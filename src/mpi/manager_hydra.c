/** @file manager_hydra.c  Describes Hydra of MPICH 5.0.2, from which the one of Intel MPI is
 * derived. */
#include <stddef.h>

#include "process_manager.h"

static const char *const variables[] = {"PMI_",
                                        "HYDI_",
                                        "HYDRA_CONTROL_FD=",
                                        "MPI_LOCAL",
                                        "MPICH_INTERFACE_HOSTNAME",
                                        "GFORTRAN_UNBUFFERED_PRECONNECTED=",
                                        NULL};
static const char *const settings[] = {"MPIR_CVAR_", "UCX_", "FI_", "I_MPI_", NULL};
static const char *const host_options[] = {"hosts", "host",    "f",   "hostfile", "machinefile",
                                           "ppn",   "perhost", "grr", NULL};

static const char aborted[] = "Ctrl-C caught... cleaning up processes";
static const char *const reports[] = {"=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
                                      NULL};
/* Hydra writes a line in two pieces, "[proxy:0@host] " and the rest. If two children of a proxy write
 * at the same time, a rest may be at the begin of a line, or follow the first piece of another
 * line. */
static const char sending[] = "Sending Ctrl-C to processes as requested";
static const char press[] = "Press Ctrl-C again to force abort";
static const char missing[] = "execvp error on file ";
#define EXPLANATIONS                                                                               \
    "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: ",                                          \
        "This typically refers to a problem with your application.",                               \
        "Please see the FAQ page for debugging suggestions"
static const char *const explain[] = {EXPLANATIONS, press, NULL};
#define PIECES "[mpiexec@", "[proxy:"
static const char *const lines[] = {aborted, EXPLANATIONS, PIECES, NULL};
static const char *const pieces[] = {PIECES, NULL};
static const char *const rests[] = {"HYDU_create_process (", missing, NULL};
static const char *const on_output[] = {sending, press, aborted, NULL};

static const char *const slurm_options[] = {"-launcher", "slurm", NULL};
static const char *const programs[] = {"launcher-exec", "bootstrap-exec", NULL};
static const char *const launcher_variables[] = {"HYDRA_LAUNCHER", "HYDRA_BOOTSTRAP",
                                                 "HYDRA_RMK=", NULL};

static const struct nereus_manager_option options[] = {
    {"genv", 2, JOB_OPTION_FIRST},
    {"env", 2, JOB_OPTION_FIRST},
    {"configfile", 1, JOB_OPTION_PARTS},
    {"path", 1, JOB_OPTION_PATH},
    {"gpath", 1, JOB_OPTION_PATH},
    {"genvall", 0, JOB_OPTION_FIRST},
    {"genvnone", 0, JOB_OPTION_FIRST},
    {"envall", 0, JOB_OPTION_FIRST},
    {"envnone", 0, JOB_OPTION_FIRST},
    {"skip-launch-node", 0, JOB_OPTION_FIRST},
    /* diagnostics */
    {"info", 0, JOB_OPTION_FIRST},
    {"version", 0, JOB_OPTION_FIRST},
    {"verbose", 0, JOB_OPTION_FIRST},
    {"v", 0, JOB_OPTION_FIRST},
    {"print-all-exitcodes", 0, JOB_OPTION_FIRST},
    {"profile", 0, JOB_OPTION_FIRST},
    /* access to hosts */
    {"launcher", 1, JOB_OPTION_ALLOCATION},
    {"launcher-exec", 1, JOB_OPTION_ALLOCATION},
    {"bootstrap", 1, JOB_OPTION_ALLOCATION},
    {"bootstrap-exec", 1, JOB_OPTION_ALLOCATION},
    {"rmk", 1, JOB_OPTION_ALLOCATION},
    {"enable-x", 0, JOB_OPTION_ALL},
    {"disable-x", 0, JOB_OPTION_ALL},
    {"iface", 1, JOB_OPTION_ALL},
    {"localhost", 1, JOB_OPTION_ALL},
    {"hybrid-hosts", 0, JOB_OPTION_ALL},
    {"disable-hostname-propagation", 0, JOB_OPTION_ALL},
    {"nameserver", 1, JOB_OPTION_ALL},
    {"pmi-port", 0, JOB_OPTION_ALL},
    {"demux", 1, JOB_OPTION_ALL},
    /* resources and output of processes */
    {"usize", 1, JOB_OPTION_ALL},
    {"memory-alloc-kinds", 1, JOB_OPTION_ALL},
    {"topolib", 1, JOB_OPTION_ALL},
    {"gpus-per-proc", 1, JOB_OPTION_ALL},
    {"gpu-subdevs-per-proc", 1, JOB_OPTION_ALL},
    {"disable-auto-cleanup", 0, JOB_OPTION_ALL},
    {"prepend-rank", 0, JOB_OPTION_ALL},
    {"l", 0, JOB_OPTION_ALL},
    {"prepend-pattern", 1, JOB_OPTION_ALL},
    {"outfile-pattern", 1, JOB_OPTION_FILES},
    {"errfile-pattern", 1, JOB_OPTION_FILES},
    {"bind-to", 1, JOB_OPTION_BINDS},
    {"binding", 1, JOB_OPTION_BINDS},
    {"map-by", 1, JOB_OPTION_BINDS},
    {"membind", 1, JOB_OPTION_BINDS},
    /* options of nereus-mpiexec */
    {"h", 0, JOB_OPTION_HELP},
    {"help", 0, JOB_OPTION_HELP},
    {NULL, 0, JOB_OPTION_FIRST},
};

/* end_request is of PMI 1, also for Slurm's plug-in. */
const struct nereus_process_manager nereus_manager_hydra = {
    .name = "Hydra",
    .rank = "PMI_RANK",
    .processes = "PMI_SIZE",
    .processes_here = "MPI_LOCALNRANKS",
    .connection = "PMI_FD",
    .end_request = "cmd=finalize\n",
    .address = "PMI_PORT",
    .variables = variables,
    .settings = settings,
    .hooks = NEREUS_UCX_HOOKS,
    .no_hooks = "none",
    .launcher = "mpiexec",
    .proxy = "hydra_pmi_proxy",
    .words_max = 900,
    .message_bytes_max = 60000, /* the limit is 64 KiB */
    .descriptors = {.process = 4,
                    .proxy = 4, /* if several hosts are named */
                    .inherited_of_process = 2,
                    .inherited_of_proxy = 3,
                    .of_a_proxy = 6},
    .report = {.frame = '=',
               .length = 83,
               .has_empty_line = true,
               .has_framed_lines = true,
               .begins = reports,
               .aborted = aborted,
               .lines = lines,
               .explain = explain,
               .on_output = on_output,
               .pieces = pieces,
               .rests = rests,
               .missing_program = missing,
               .failed_write = "write error (",
               .output_error = "stdoe_cb ("},
    .options = options,
    .pass = {.none = "genvnone", .list = "genvlist", .all = "genvall"},
    .pass_here = {.none = "envnone", .list = "envlist", .all = "envall"},
    .programs = programs,
    .hosts_option = "-hosts",
    .host_options = host_options,
    .slurm_options = slurm_options,
    .launcher_variables = launcher_variables,
    .no_recovery = "MPICH and Intel MPI cannot take a lost process out of a communicator",
};
