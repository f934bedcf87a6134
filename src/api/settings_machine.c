/** @file settings_machine.c  Hosts, slots and cores of a process. */
#include <errno.h>
#include <stdlib.h>

#include "model/layout/slurm.h"
#include "model/util/text.h"
#include "option_value.h"
#include "settings.h"
#include "src/util/error.h"

static enum nereus_status read_slots(const struct nereus_options *options, int64_t *slots,
                                     struct nereus_error *err)
{
    const char *text = getenv("NEREUS_SLOTS");
    *slots = options->slots;
    if (options->slots < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%lld slot%s: the number must be 1 or more",
                           (long long)options->slots, nereus_plural_s(options->slots));
    if (options->slots > 0 || text == NULL || text[0] == '\0')
        return NEREUS_OK;
    char *end;
    errno = 0;
    *slots = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || *slots < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "NEREUS_SLOTS is '%s' and must be a whole number from 1 on", text);
    return NEREUS_OK;
}

/* An option, else the environment; 0: neither. */
static enum nereus_status read_cores_per_process(const struct nereus_options *options,
                                                 int64_t *cores, struct nereus_error *err)
{
    const char *text = getenv("NEREUS_CORES_PER_PROCESS");
    char *end;
    *cores = options->cores_per_process;
    if (*cores < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "options.cores_per_process is %lld and must be 1 or more",
                           (long long)*cores);
    if (*cores > 0 || text == NULL || text[0] == '\0')
        return NEREUS_OK;
    errno = 0;
    *cores = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || *cores < 1)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "NEREUS_CORES_PER_PROCESS is '%.160s' and must be a whole number from 1 on", text);
    return NEREUS_OK;
}

/* Warn if threads would share a core, unless the user has set the number of cores. */
static void warn_of_threads(const nereus_job *job, int64_t given_cores)
{
    const char *text = getenv("OMP_NUM_THREADS");
    const long threads = text != NULL ? strtol(text, NULL, 10) : 0;
    if (threads > 1 && given_cores == 0 && job->machine.cores_per_process == 0 &&
        job->settings.bind_to_cores)
        nereus_log(
            "OMP_NUM_THREADS is %ld, and each process gets one core: NEREUS_CORES_PER_PROCESS=%ld (or "
            "options.cores_per_process) gives it a core for each thread; 1 says that one is meant",
            threads, threads);
}

enum nereus_status nereus_settings_machine(nereus_job *job, const struct nereus_options *options,
                                           struct nereus_error *err)
{
    const char *hostfile = nereus_option_given(options->hostfile, "NEREUS_HOSTFILE");
    const struct nereus_slurm slurm = nereus_slurm_environment();
    int64_t slots, cores;
    NEREUS_TRY(read_slots(options, &slots, err));
    NEREUS_TRY(read_cores_per_process(options, &cores, err));
    if (hostfile != NULL)
        NEREUS_TRY(nereus_machine_from_file(hostfile, &job->machine, err));
    else
        NEREUS_TRY(nereus_machine_around(&slurm, "localhost", job->cores_here, &job->machine, err));
    if (cores > 0)
        NEREUS_TRY(nereus_machine_set_per_process(&job->machine, cores, err));
    if (slots > 0)
        job->machine.slots = slots;
    warn_of_threads(job, cores);
    return NEREUS_OK;
}
