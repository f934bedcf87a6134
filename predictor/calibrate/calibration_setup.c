/** @file calibration_setup.c  Sets up a calibration: hosts, machine, samples, profile, grid. */
#include <unistd.h>

#include "calibration.h"
#include "model/calibrate/rows.h"
#include "model/layout/slurm.h"
#include "model/util/file.h"
#include "model/util/limits.h"
#include "predictor/cli/command.h"
#include "predictor/run/this_machine.h"

enum { LOAD_MAX = 3 };

/* Write a host file beside the samples, in a folder that the nodes share. Its name is unique: a
 * file of the user stays, and that of another calibration. */
static enum nereus_status write_host_file(struct nereus_calibration *calibration, const char *text,
                                          struct nereus_error *err)
{
    char *path = calibration->hostfile;
    if (snprintf(path, PATH_MAX, "%s.hosts.XXXXXX", calibration->samples_path) >= PATH_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path %s is too long",
                           calibration->samples_path);
    }
    const int file = mkstemp(path);
    calibration->hostfile_is_temporary = file >= 0;
    const ssize_t length = (ssize_t)strlen(text);
    const ssize_t written = file >= 0 ? write(file, text, (size_t)length) : -1;
    const int reason = written < 0 ? errno : ENOSPC;
    if (file >= 0)
        close(file);
    return written == length
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO, "the host file %s cannot be written: %s", path,
                             strerror(reason));
}

/* Take the nodes of the allocation as hosts. */
static enum nereus_status use_allocation(struct nereus_calibration *calibration,
                                         const struct nereus_slurm *slurm, struct nereus_error *err)
{
    char *text;
    NEREUS_TRY(nereus_slurm_hosts(slurm, calibration->settings->cores, &text, err));
    const enum nereus_status status = write_host_file(calibration, text, err);
    free(text);
    NEREUS_TRY(status);
    const bool tasks = slurm->tasks_per_node != NULL && calibration->settings->cores <= 0;
    nereus_cli_note("the nodes are those of the Slurm allocation: %.200s%s%.160s", slurm->nodes,
                    tasks ? ", with a core for each task that was asked for: " : "",
                    tasks ? slurm->tasks_per_node : "");
    return NEREUS_OK;
}

/* Find the hosts to measure on: those of --hostfile, else of the allocation, else this host. */
static enum nereus_status choose_hosts(struct nereus_calibration *calibration,
                                       struct nereus_error *err)
{
    const struct nereus_slurm slurm = nereus_slurm_environment();
    const char *given = calibration->settings->hostfile;
    if (given == NULL)
        return slurm.nodes != NULL ? use_allocation(calibration, &slurm, err) : NEREUS_OK;
    return snprintf(calibration->hostfile, PATH_MAX, "%s", given) < PATH_MAX
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path %s is too long", given);
}

static enum nereus_status describe_machine(struct nereus_calibration *calibration,
                                           struct nereus_error *err)
{
    const struct nereus_calibration_settings *settings = calibration->settings;
    char host[64];
    nereus_this_machine_name(host, sizeof host);
    /* The cluster's name does not depend on the node that the command runs on. */
    const char *slurm = calibration->hostfile_is_temporary ? getenv("SLURM_CLUSTER_NAME") : NULL;
    snprintf(calibration->cluster, sizeof calibration->cluster, "%s",
             settings->cluster != NULL ? settings->cluster
             : slurm != NULL           ? slurm
                                       : host);
    if (calibration->hostfile[0] != '\0') {
        NEREUS_TRY(nereus_machine_from_file(calibration->hostfile, &calibration->machine, err));
        if (!calibration->hostfile_is_temporary) {
            NEREUS_TRY(
                nereus_this_machine_check_hosts(&calibration->machine, calibration->hostfile, err));
        }
    } else {
        int64_t cores = settings->cores > 0 ? settings->cores : nereus_cores_usable();
        NEREUS_TRY(nereus_machine_single(host, cores, &calibration->machine, err));
    }
    if (settings->cores_per_process > 0) {
        NEREUS_TRY(nereus_machine_set_per_process(&calibration->machine,
                                                  settings->cores_per_process, err));
    }
    if (settings->slots > 0) {
        calibration->machine.slots = settings->slots;
    } else if (calibration->hostfile_is_temporary) {
        /* The cores of an allocation are this job's: oversubscribed nodes can be measured too. */
        calibration->machine.slots = LOAD_MAX * nereus_machine_total_cores(&calibration->machine);
    }
    return NEREUS_OK;
}

/* Describe the installed profile that will be replaced, if there is one. */
static void describe_replaced_profile(struct nereus_calibration *calibration)
{
    struct nereus_profile old;
    if (calibration->installed[0] == '\0' || access(calibration->installed, F_OK) != 0)
        return;
    if (nereus_profile_read(calibration->installed, &old, NULL) != NEREUS_OK) {
        snprintf(calibration->replaced_profile, sizeof calibration->replaced_profile,
                 "one that cannot be read");
        return;
    }
    snprintf(calibration->replaced_profile, sizeof calibration->replaced_profile,
             "that of %.60s, measured %.30s with %.40s", old.cluster,
             old.date[0] != '\0' ? old.date : "at an unknown date",
             old.mpi[0] != '\0' ? old.mpi : "an unknown MPI");
    nereus_profile_fini(&old);
}

/* Find the place of the profile. If the profile cannot be installed, print only a note: the
 * measurements are still useful. */
static enum nereus_status choose_output(struct nereus_calibration *calibration,
                                        struct nereus_error *err)
{
    const struct nereus_calibration_settings *settings = calibration->settings;
    struct nereus_profile_search search;
    struct nereus_error why;
    nereus_profile_search_init(&search);
    if (!settings->no_install &&
        (nereus_profile_install_path(&search, settings->cluster, calibration->installed, &why) !=
             NEREUS_OK ||
         nereus_profile_check_path(calibration->installed, &why) != NEREUS_OK)) {
        nereus_cli_note("the profile will not be installed: %s", why.text);
        calibration->installed[0] = '\0';
    }
    describe_replaced_profile(calibration);
    const char *output = settings->output != NULL            ? settings->output
                         : calibration->installed[0] != '\0' ? calibration->installed
                                                             : "profile.json";
    return snprintf(calibration->output, PATH_MAX, "%s", output) < PATH_MAX
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path %s is too long", output);
}

/* Note a limit of processor time: processes that wait for their next share of it take longer than
 * on whole cores. */
static void note_quota(double processors)
{
    struct nereus_limits limits;
    char cores[32];
    if (processors > 0.0) {
        nereus_limits_read(NULL, &limits);
        nereus_cores_text(processors, cores);
        nereus_cli_note(
            "a control group allows this host the time of %s (%s): the profile is one of "
            "%s; calibrate under the limit that jobs will have",
            cores, limits.processors.place, cores);
    }
}

static void describe_provenance(struct nereus_calibration *calibration)
{
    struct nereus_provenance *provenance = &calibration->provenance;
    nereus_this_machine_provenance(&calibration->machine, calibration->cluster, provenance);
    note_quota(provenance->processors);
    /* an allocation is not named after the node of this command */
    if (calibration->hostfile_is_temporary)
        snprintf(provenance->host, sizeof provenance->host, "%s", nereus_slurm_environment().nodes);
}

/* Choose the paths of the profile and of the samples, and check before measuring that the profile
 * can be written. */
static enum nereus_status choose_files(struct nereus_calibration *calibration,
                                       struct nereus_error *err)
{
    NEREUS_TRY(choose_output(calibration, err));
    NEREUS_TRY(nereus_sample_store_path(calibration->output, calibration->settings->samples,
                                        calibration->samples_path, err));
    NEREUS_TRY(nereus_profile_check_path(calibration->output, err));
    if (nereus_file_is_same(calibration->output, calibration->samples_path)) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "--output %.200s and --samples %.200s are one file: the profile would replace the "
            "samples; name two",
            calibration->output, calibration->samples_path);
    }
    return NEREUS_OK;
}

static enum nereus_status make_grid(struct nereus_calibration *calibration,
                                    struct nereus_error *err)
{
    NEREUS_TRY(nereus_calibration_grid_make(&calibration->machine, &calibration->grid, err));
    if (calibration->settings->program != NULL)
        nereus_calibration_grid_add_program(calibration->settings->program, &calibration->grid);
    return NEREUS_OK;
}

static enum nereus_status prepare_runner(struct nereus_calibration *calibration,
                                         struct nereus_error *err)
{
    struct nereus_calibration_runner *runner = &calibration->runner;
    NEREUS_TRY(nereus_calibration_runner_init(runner, calibration->samples_path, err));
    runner->machine = &calibration->machine;
    runner->hostfile = calibration->hostfile[0] != '\0' ? calibration->hostfile : NULL;
    runner->checkpoints = calibration->checkpoints.path;
    runner->cluster = calibration->cluster;
    return NEREUS_OK;
}

/* Read the rows that the samples have already. */
static enum nereus_status read_samples(struct nereus_calibration *calibration,
                                       struct nereus_error *err)
{
    NEREUS_TRY(nereus_sample_store_read(&calibration->store, calibration->cluster,
                                        nereus_machine_cores_per_process(&calibration->machine),
                                        &calibration->stored_samples, err));
    return nereus_calibration_check_cores(calibration->samples_path, &calibration->machine,
                                          &calibration->stored_samples, err);
}

enum nereus_status nereus_calibration_set_up(struct nereus_calibration *calibration,
                                             struct nereus_error *err)
{
    NEREUS_TRY(choose_files(calibration, err));
    /* Lock before any file is written: a second calibration must change nothing. */
    NEREUS_TRY(nereus_sample_store_lock(calibration->samples_path, &calibration->store, err));
    NEREUS_TRY(nereus_checkpoint_folder_open(calibration->settings->checkpoint,
                                             &calibration->checkpoints, err));
    NEREUS_TRY(choose_hosts(calibration, err));
    NEREUS_TRY(describe_machine(calibration, err));
    NEREUS_TRY(make_grid(calibration, err));
    NEREUS_TRY(prepare_runner(calibration, err));
    NEREUS_TRY(read_samples(calibration, err));
    describe_provenance(calibration);
    calibration->store.provenance = &calibration->provenance;
    nereus_calibration_grid_update(&calibration->grid, &calibration->stored_samples);
    return NEREUS_OK;
}

void nereus_calibration_tear_down(struct nereus_calibration *calibration)
{
    nereus_sample_store_close(&calibration->store);
    nereus_samples_fini(&calibration->stored_samples);
    nereus_calibration_grid_fini(&calibration->grid);
    nereus_machine_fini(&calibration->machine);
    if (calibration->hostfile_is_temporary)
        unlink(calibration->hostfile);
    nereus_checkpoint_folder_close(&calibration->checkpoints);
}
