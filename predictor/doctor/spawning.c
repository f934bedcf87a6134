/** @file spawning.c  Examines the MPI, and what must work: spawn, merge, disconnect. */
#define _XOPEN_SOURCE 700 /* for nftw */
#include <ftw.h>
#include <unistd.h>

#include "doctor.h"
#include "nereus_mpi_config.h"
#include "predictor/run/this_machine.h"

static const double probe_limit_s = 10.0, option_limit_s = 4.0;

static void report_thread_level(struct nereus_doctor *doctor, const char *level)
{
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){
            strcmp(level, "multiple") == 0, "thread_level", "thread level",
            "asynchronous methods need MPI_THREAD_MULTIPLE: they are refused here"},
        "%s", level[0] != '\0' ? level : "unknown");
}

static void report_network_module(struct nereus_doctor *doctor,
                                  const struct nereus_probe_output *output)
{
    const char *device = strstr(NEREUS_MPI_VERSION_STRING, "ch4:");
    char available[64] = "unknown";
    if (device != NULL)
        snprintf(available, sizeof available, "%.*s", (int)strcspn(device + 4, ")"), device + 4);
    nereus_doctor_add(doctor, NEREUS_FINDING_OK, "netmod", "network module",
                      "%s chosen; built in: %s",
                      output->netmod[0] != '\0' ? output->netmod : "unknown", available);
    nereus_doctor_advise(
        doctor,
        "nereus-mpiexec sets it as it was measured to be best; MPIR_CVAR_CH4_NETMOD chooses "
        "another");
}

static void report_port_names(struct nereus_doctor *doctor,
                              const struct nereus_probe_output *output)
{
    double max = nereus_probe_number(output, "port_name_max");
    double length = nereus_probe_number(output, "port_name_length");
    double requested = nereus_probe_number(output, "port_name_length_asked");
    if (!isnan(length)) {
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, "port_name", "port names",
                          "%.0f of %.0f character%s", length, max, nereus_plural_s((int64_t)max));
    } else if (!isnan(requested)) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "port_name", "port names",
                          "need %.0f character%s; MPI_MAX_PORT_NAME is %.0f", requested,
                          nereus_plural_s((int64_t)requested), max);
        nereus_doctor_advise(
            doctor,
            "MPI_Open_port works only with the info key port_name_size and a longer buffer; "
            "spawning does not need it");
    } else {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "port_name", "port names",
                          "MPI_Open_port fails: %s", nereus_probe_value(output, "port_error"));
        nereus_doctor_advise(
            doctor, "worlds started by the launcher cannot connect; spawning does not need it");
    }
}

void nereus_doctor_check_mpi_library(struct nereus_doctor *doctor)
{
    struct nereus_probe_output output;
    const struct nereus_probe_run run = {.processes = 1,
                                         .arguments = {"facts"},
                                         .environment = {"MPIR_CVAR_DEBUG_SUMMARY=1"},
                                         .limit_s = probe_limit_s};
    char end[160];
    doctor->section = "MPI";
    nereus_doctor_add(doctor, NEREUS_FINDING_OK, "library", "library", "%s",
                      NEREUS_MPI_VERSION_STRING);
    nereus_doctor_add(doctor, NEREUS_FINDING_OK, "mpiexec", "mpiexec", "%s (from %s)",
                      doctor->launcher, NEREUS_MPI_SOURCE);
    nereus_doctor_advise(
        doctor, "start jobs with %s, which sets the environment and corrects the exit status",
        doctor->mpiexec);
    nereus_doctor_run(doctor, "a job of one process", &run, &output);
    if (output.result.exit_status != 0 || !output.ran) {
        nereus_doctor_add(doctor, NEREUS_FINDING_FAILED, "job", "a job of one process", "%s: %s",
                          nereus_probe_format_end(&run, &output, end), output.complaint);
        nereus_doctor_advise(
            doctor, "nothing that needs MPI will work; is the MPI that Nereus was built with still "
                    "there? (./setup build --again looks for one)");
        doctor->broken = true;
        return;
    }
    nereus_doctor_add(doctor, NEREUS_FINDING_OK, "job", "a job of one process", "%s",
                      nereus_probe_format_end(&run, &output, end));
    report_thread_level(doctor, nereus_probe_value(&output, "thread_level"));
    report_network_module(doctor, &output);
    report_port_names(doctor, &output);
}

/* ---- spawning ---- */

static void report_required_call(struct nereus_doctor *doctor, const char *key, const char *title,
                                 const char *answer, const char *end, const char *advice)
{
    bool works = strcmp(answer, "yes") == 0;
    nereus_doctor_add(doctor, works ? NEREUS_FINDING_OK : NEREUS_FINDING_FAILED, key, title, "%s%s",
                      works ? "works" : "does not work: the job ", works ? "" : end);
    if (!works)
        nereus_doctor_advise(doctor, "%s", advice);
}

static void report_segments(struct nereus_doctor *doctor, int64_t segments_before,
                            double segments_during, int64_t segments_after)
{
    bool kept = segments_after > segments_before;
    bool used = segments_during > (double)segments_before;
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){
            !kept && !used, "segments", "System V segments",
            "a killed job leaves them behind (ipcs -m, ipcrm): keep UCX_TLS=^sysv, "
            "which nereus-mpiexec sets"},
        "%lld before a spawn, %.0f during, %lld after", (long long)segments_before,
        isnan(segments_during) ? 0.0 : segments_during, (long long)segments_after);
}

/* Try one spawn, which gives most findings.
 * @return false: spawning does not work */
static bool try_spawn(struct nereus_doctor *doctor)
{
    struct nereus_probe_output output;
    const struct nereus_probe_run run = {
        .processes = 1, .arguments = {"spawn"}, .limit_s = probe_limit_s};
    char end[160];
    int64_t segments_before = nereus_this_machine_segments();
    nereus_doctor_run(doctor, "spawn, merge, disconnect", &run, &output);
    nereus_probe_format_end(&run, &output, end);
    double spawn_s = nereus_probe_number(&output, "spawn_s");
    if (isnan(spawn_s)) {
        nereus_doctor_add(doctor, NEREUS_FINDING_FAILED, "spawn", "spawn of 2 processes",
                          "does not work: the job %s%s%s", end,
                          output.complaint[0] != '\0' ? ": " : "", output.complaint);
        nereus_doctor_advise(
            doctor,
            "this MPI cannot spawn here: unset MPI_HOME and CC and run ./setup build --again, "
            "which installs one that can (MPICH 5.0.2)");
        return false;
    }
    nereus_doctor_add(doctor, NEREUS_FINDING_OK, "spawn", "spawn of 2 processes",
                      "works, in %.0f ms", 1e3 * spawn_s);
    report_required_call(doctor, "merge", "merge of the two worlds",
                         nereus_probe_value(&output, "merge"), end,
                         "the method merge cannot be used with this MPI");
    report_required_call(doctor, "disconnect", "disconnect",
                         nereus_probe_value(&output, "disconnect"), end,
                         "the method baseline cannot be used with this MPI");
    bool leaves = strcmp(nereus_probe_value(&output, "leave"), "yes") == 0;
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){leaves, "leave", "groups that leave",
                              "a shrink gives no cores back before the job ends"},
        "%s",
        leaves ? "end at once, and the job goes on" : "their processes stay until the job ends");
    report_segments(doctor, segments_before, nereus_probe_number(&output, "segments"),
                    nereus_this_machine_segments());
    return true;
}

static int remove_entry(const char *path, const struct stat *found, int type, struct FTW *place)
{
    (void)found;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

/* Try a restart without spawns: two processes continue from the checkpoint of one. */
static void try_restart(struct nereus_doctor *doctor)
{
    char folder[PATH_MAX], setting[PATH_MAX + 32], end[160];
    struct nereus_probe_output output;
    const struct nereus_probe_run run = {.processes = 1,
                                         .program = doctor->job,
                                         .arguments = {"--sizes", "2:restart/file"},
                                         .environment = {setting},
                                         .limit_s = probe_limit_s};
    if (!nereus_doctor_make_file(folder))
        return;
    unlink(folder); /* the job makes a folder of this name */
    snprintf(setting, sizeof setting, "NEREUS_CHECKPOINT=%s", folder);
    nereus_doctor_run(doctor, "restart from files", &run, &output);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    doctor->restarts = output.ran && output.result.exit_status == 0;
    nereus_probe_format_end(&run, &output, end);
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){doctor->restarts, "restart", "restart from files",
                              "no program can change its size here"},
        "%s%s", doctor->restarts ? "works, and is the only method here" : "does not work: the job ",
        doctor->restarts ? "" : end);
}

/* Number of spawned processes that the launcher's descriptors allow in one job on one host. */
static void probe_descriptors(struct nereus_doctor *doctor)
{
    struct nereus_probe_output output;
    const struct nereus_probe_run run = {
        .processes = 1, .arguments = {"descriptors"}, .limit_s = probe_limit_s};
    nereus_doctor_run(doctor, "what a spawn keeps open", &run, &output);
    double proxy = nereus_probe_number(&output, "proxy_kept"),
           mpiexec = nereus_probe_number(&output, "mpiexec_kept");
    double proxy_left = nereus_probe_number(&output, "proxy_limit") -
                        nereus_probe_number(&output, "proxy_descriptors");
    double mpiexec_left = nereus_probe_number(&output, "mpiexec_limit") -
                          nereus_probe_number(&output, "mpiexec_descriptors");
    if (isnan(proxy_left) || isnan(proxy)) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "spawns", "spawns that a host survives",
                          "unknown: the probe did not finish");
        return;
    }
    if (!(proxy > 0) && !(mpiexec > 0)) {
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, "spawns", "spawns that a host survives",
                          "no limit seen: nothing stays open after a spawned process has gone");
        return;
    }
    double by_proxy = proxy > 0 ? proxy_left / proxy : INFINITY;
    double by_mpiexec = mpiexec > 0 ? mpiexec_left / mpiexec : INFINITY;
    nereus_doctor_add(
        doctor, fmin(by_proxy, by_mpiexec) < 1000 ? NEREUS_FINDING_NOTE : NEREUS_FINDING_OK,
        "spawns", "spawns that a host survives",
        "about %.0f process%s in one job: each keeps %.3g descriptor%s of the launcher open after "
        "its end",
        fmin(by_proxy, by_mpiexec), nereus_plural_es((int64_t)(fmin(by_proxy, by_mpiexec))),
        fmax(proxy, mpiexec), fmax(proxy, mpiexec) == 1 ? "" : "s");
    nereus_doctor_advise(
        doctor, "for jobs that resize very often: raise the limit of open files (ulimit -n) before "
                "mpiexec, or shrink with merge, whose zombies are used again");
}

static void report_mpiexec_option(struct nereus_doctor *doctor, const char *key, const char *title,
                                  const char *option, const char *value)
{
    struct nereus_probe_output output;
    const struct nereus_probe_run run = {.option = option,
                                         .value = value,
                                         .processes = 1,
                                         .arguments = {"spawn"},
                                         .environment = {"NEREUS_MPIEXEC_UNCHECKED=1"},
                                         .limit_s = option_limit_s};
    char end[160];
    nereus_doctor_run(doctor, title, &run, &output);
    bool survives = output.result.exit_status == 0 &&
                    strcmp(nereus_probe_value(&output, "disconnect"), "yes") == 0;
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){survives, key, title,
                              "leave it out of jobs that spawn; bind in the program instead"},
        "%s%s", survives ? "a later spawn works" : "a later spawn fails: the job ",
        survives ? "" : nereus_probe_format_end(&run, &output, end));
}

/* In an allocation of several nodes, expand to one process per node, and back. */
static void try_across_nodes(struct nereus_doctor *doctor)
{
    struct nereus_probe_output output;
    char sizes[48], end[160];
    const struct nereus_probe_run run = {
        .option = "-hosts",
        .value = doctor->node_list,
        .processes = 1,
        .program = doctor->job,
        .arguments = {"--sizes", sizes},
        .environment = {"SLURM_NTASKS_PER_NODE=1", "SLURM_TASKS_PER_NODE=1"},
        .limit_s = probe_limit_s};
    snprintf(sizes, sizeof sizes, "%lld:merge/coll,1:merge/coll", (long long)doctor->nodes);
    nereus_doctor_run(doctor, "spawn on several nodes", &run, &output);
    const char *undone = nereus_probe_value(&output, "undone");
    nereus_probe_format_end(&run, &output, end);
    const bool works = output.ran && output.result.exit_status == 0 && undone[0] == '\0';
    nereus_doctor_add(doctor, works ? NEREUS_FINDING_OK : NEREUS_FINDING_FAILED, "spawn_nodes",
                      "spawn on several nodes", "%lld node%s: %s%s", (long long)doctor->nodes,
                      nereus_plural_s(doctor->nodes),
                      works               ? "works, there and back"
                      : undone[0] != '\0' ? "does not work: "
                                          : "does not work: the job ",
                      works               ? ""
                      : undone[0] != '\0' ? undone
                                          : end);
    if (!works) {
        nereus_doctor_advise(
            doctor, "processes are started there by srun: try srun --overlap -N %lld hostname",
            (long long)doctor->nodes);
    }
}

void nereus_doctor_check_spawning(struct nereus_doctor *doctor)
{
    doctor->section = "spawning";
    if (!try_spawn(doctor)) {
        try_restart(doctor);
        doctor->broken = true;
        return;
    }
    if (doctor->nodes > 0)
        try_across_nodes(doctor);
    probe_descriptors(doctor);
    if (doctor->quick) {
        nereus_doctor_add(doctor, NEREUS_FINDING_SKIPPED, "mpiexec_options",
                          "mpiexec -bind-to, -map-by", "not tried (--quick)");
        return;
    }
    report_mpiexec_option(doctor, "bind_to", "mpiexec -bind-to core", "--bind-to", "core");
    report_mpiexec_option(doctor, "map_by", "mpiexec -map-by core", "--map-by", "core");
}
