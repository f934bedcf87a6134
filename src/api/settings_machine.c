/** @file settings_machine.c  Sets hosts, slots and cores of a process. */

#include "model/layout/slurm.h"
#include "settings.h"
#include "src/util/option_value.h"

/* Warn if threads would share a core, unless the user has set the number of cores. */
static void warn_of_threads(const nereus_job *job, int64_t given_cores)
{
    const char *text = getenv("OMP_NUM_THREADS");
    /* OpenMP allows a list: its first number is for the outermost level */
    const long threads = text != NULL ? strtol(text, NULL, 10) : 0;
    if (threads > 1 && given_cores == 0 && job->machine.cores_per_process == 0 &&
        job->settings.bind_to_cores)
        nereus_log(
            "OMP_NUM_THREADS is %ld, and each process gets one core: NEREUS_CORES_PER_PROCESS=%ld (or "
            "options.cores_per_process) gives it a core for each thread; 1 says that one is meant",
            threads, threads);
}

enum nereus_status nereus_settings_read_machine(nereus_job *job,
                                                const struct nereus_options *options,
                                                struct nereus_error *err)
{
    const char *hostfile = nereus_option_find(options->hostfile, "NEREUS_HOSTFILE");
    const struct nereus_slurm slurm = nereus_slurm_environment();
    int64_t slots, cores;
    NEREUS_TRY(nereus_option_read_count(options->slots, "NEREUS_SLOTS", 0, &slots, err));
    NEREUS_TRY(nereus_option_read_count(options->cores_per_process, "NEREUS_CORES_PER_PROCESS", 0,
                                        &cores, err));
    if (hostfile != NULL)
        NEREUS_TRY(nereus_machine_from_file(hostfile, &job->machine, err));
    else
        NEREUS_TRY(nereus_machine_from_environment(&slurm, "localhost", job->cores_here,
                                                   &job->machine, err));
    if (cores > 0)
        NEREUS_TRY(nereus_machine_set_per_process(&job->machine, cores, err));
    if (slots > 0)
        job->machine.slots = slots;
    warn_of_threads(job, cores);
    return NEREUS_OK;
}
