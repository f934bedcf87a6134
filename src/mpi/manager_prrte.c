/**
 * @file manager_prrte.c
 * Describes PRRTE of Open MPI 5.0.11. The launcher starts the processes of its own host itself,
 * without a proxy. It has several threads, and ends the job when a process is lost.
 */
#include <stddef.h>

#include "process_manager.h"

static const char *const variables[] = {"PMIX_",
                                        "PRTE_LAUNCHED=",
                                        "OMPI_APP_CTX_",
                                        "OMPI_ARGV=",
                                        "OMPI_COMMAND=",
                                        "OMPI_COMM_WORLD_",
                                        "OMPI_FILE_LOCATION=",
                                        "OMPI_FIRST_RANKS=",
                                        "OMPI_MCA_initial_wdir=",
                                        "OMPI_MCA_num_procs=",
                                        "OMPI_NUM_APP_CTX=",
                                        "OMPI_PARENT_PORT=",
                                        "OMPI_TOOL_NAME=",
                                        "OMPI_UNIVERSE_SIZE=",
                                        "OMPI_WORLD_",
                                        NULL};
static const char *const settings[] = {"OMPI_MCA_", "PRTE_MCA_", "UCX_", NULL};
static const char *const host_options[] = {"host",   "H",        "hostfile", "machinefile",
                                           "map-by", "npernode", "N",        NULL};

static const char aborted[] = "Abort is in progress...hit ctrl-c again to forcibly terminate";
static const char *const reports[] = {"prterun noticed that process rank ",
                                      "prterun detected that one or more processes exited",
                                      "prterun has exited due to process rank ", NULL};
/* Printed repeatedly by a non-blocking collective after a loss. */
static const char progress[] = "NBC_Progress: an error ";
/* Printed without a newline when PRRTE tries to end a process that is already lost. */
static const char not_found[] = "LAUNCHER JOB OBJECT NOT FOUND";
static const char *const lines[] = {aborted, progress, not_found, NULL};
static const char *const explain[] = {progress, not_found, NULL};
static const char *const none[] = {NULL};

static const char *const slurm_options[] = {"--prtemca", "plm", "slurm", NULL};
static const char *const launcher_variables[] = {"PRTE_MCA_plm=", "PRTE_MCA_ras=", NULL};

static const char *const recovery[] = {"--with-ft", "ulfm", NULL};

static const struct nereus_manager_option options[] = {
    {"app", 1, JOB_OPTION_PARTS},
    {"path", 1, JOB_OPTION_PATH},
    {"x", 1, JOB_OPTION_FIRST},
    {"genv", 2, JOB_OPTION_FIRST}, /* an option of nereus-mpiexec, like -hosts and -f */
    {"version", 0, JOB_OPTION_FIRST},
    {"V", 0, JOB_OPTION_FIRST},
    {"v", 0, JOB_OPTION_FIRST},
    {"verbose", 0, JOB_OPTION_FIRST},
    {"q", 0, JOB_OPTION_FIRST},
    {"quiet", 0, JOB_OPTION_FIRST},
    {"display-map", 0, JOB_OPTION_FIRST},
    {"display-allocation", 0, JOB_OPTION_FIRST},
    {"report-bindings", 0, JOB_OPTION_FIRST},
    {"bynode", 0, JOB_OPTION_FIRST},
    {"byslot", 0, JOB_OPTION_FIRST},
    {"oversubscribe", 0, JOB_OPTION_ALL},
    {"nooversubscribe", 0, JOB_OPTION_ALL},
    {"use-hwthread-cpus", 0, JOB_OPTION_ALL},
    {"allow-run-as-root", 0, JOB_OPTION_ALL},
    {"tag-output", 0, JOB_OPTION_ALL},
    {"timestamp-output", 0, JOB_OPTION_ALL},
    {"merge-stderr-to-stdout", 0, JOB_OPTION_ALL},
    {"pernode", 0, JOB_OPTION_ALL},
    {"nolocal", 0, JOB_OPTION_ALL},
    {"noprefix", 0, JOB_OPTION_ALL},
    {"no-app-prefix", 0, JOB_OPTION_ALL},
    {"debug-daemons", 0, JOB_OPTION_ALL},
    {"debug-daemons-file", 0, JOB_OPTION_ALL},
    {"leave-session-attached", 0, JOB_OPTION_ALL},
    {"show-progress", 0, JOB_OPTION_ALL},
    {"display-topo", 0, JOB_OPTION_ALL},
    {"do-not-resolve", 0, JOB_OPTION_ALL},
    {"do-not-launch", 0, JOB_OPTION_ALL},
    {"bind-to-core", 0, JOB_OPTION_ALL},
    {"bind-to-socket", 0, JOB_OPTION_ALL},
    {"bycore", 0, JOB_OPTION_ALL},
    {"get-stack-traces", 0, JOB_OPTION_ALL},
    {"hetero-nodes", 0, JOB_OPTION_ALL},
    {"no-ready-msg", 0, JOB_OPTION_ALL},
    {"report-child-jobs-separately", 0, JOB_OPTION_ALL},
    {"report-state-on-timeout", 0, JOB_OPTION_ALL},
    {"set-sid", 0, JOB_OPTION_ALL},
    {"stop-in-app", 0, JOB_OPTION_ALL},
    {"stop-in-init", 0, JOB_OPTION_ALL},
    {"stop-on-exec", 0, JOB_OPTION_ALL},
    {"system-server", 0, JOB_OPTION_ALL},
    {"xml", 0, JOB_OPTION_ALL},
    {"mca", 2, JOB_OPTION_ALL},
    {"gmca", 2, JOB_OPTION_ALL},
    {"prtemca", 2, JOB_OPTION_ALL},
    {"pmixmca", 2, JOB_OPTION_ALL},
    {"prefix", 1, JOB_OPTION_ALL},
    {"tune", 1, JOB_OPTION_ALL},
    {"with-ft", 1, JOB_OPTION_ALL},
    {"output-filename", 1, JOB_OPTION_FILES},
    {"h", 0, JOB_OPTION_HELP},
    {"help", 0, JOB_OPTION_HELP},
    {NULL, 0, JOB_OPTION_FIRST},
};

const struct nereus_process_manager nereus_manager_prrte = {
    .name = "PRRTE",
    .rank = "PMIX_RANK",
    .processes = "OMPI_COMM_WORLD_SIZE",
    .processes_here = "OMPI_COMM_WORLD_LOCAL_SIZE",
    .variables = variables,
    .settings = settings,
    .launcher = "prterun",
    .hooks = NEREUS_UCX_HOOKS,
    .no_hooks = "none",
    .words_max = 900, /* no limit is known: the values of Hydra */
    .message_bytes_max = 60000,
    .report = {.frame = '-',
               .length = 74,
               .begins = reports,
               .aborted = aborted,
               .lines = lines,
               .explain = explain,
               .on_output = none,
               .pieces = none,
               .rests = none},
    .options = options,
    .programs = none,
    .hosts_option = "--host",
    .host_options = host_options,
    .variable_option = "-x",
    .slurm_options = slurm_options,
    .launcher_variables = launcher_variables,
    .recovery = recovery,
};
