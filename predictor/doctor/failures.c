/**
 * @file failures.c
 * Finds what happens to a job after failures: failing spawns, killed processes, exit statuses.
 */
#include <unistd.h>

#include "doctor.h"
#include "nereus_mpi_config.h"

/* Limits are short, because hangs are expected. */
static const double hang_limit_s = 2.5, guard_limit_s = 10.0, kill_limit_s = 8.0;

enum { ENVIRONMENT_MAX = 8, STATUS_TRIED = 5 };

/* ---- spawns that fail ---- */

/* A fault and how it is caused. */
struct fault {
    const char *key, *what;
    const char *probe; /* mode of nereus-probe, for a bare MPI_Comm_spawn; NULL: not tried */
    const char *titles[NEREUS_START_WAYS];
    const char *keys[NEREUS_START_WAYS];
    const char *arguments[2];              /* further arguments of nereus-calibrate-job */
    bool unknown_host, slow;               /* slow: skipped by --quick */
    const char *advice[NEREUS_START_WAYS]; /* if the job does not continue; NULL: it should */
};

static const char through_guard[] =
    "spawn through libnereus, whose guard survives this (next lines)";
static const char by_launch[] = "launch survives it: a method with -launch";
static const char from_files[] =
    "MPI does not survive it: let the job go on from files (nereus-mpiexec --checkpoint DIR,10min "
    "--on-failure restart)";

static const struct fault faults[] = {
    {.key = "missing",
     .what = "the program is missing",
     .probe = "missing-program",
     .titles = {"plain spawn of a missing program", "libnereus: a missing program",
                "launch: a missing program"},
     .keys = {"plain_missing", "guard_missing", "launch_missing"},
     .arguments = {"--program", "/nowhere/no-such-program"},
     .advice = {through_guard}},
    {.key = "dies_early",
     .what = "it ends before MPI_Init",
     .probe = "dies-early",
     .titles = {"plain spawn, dies before MPI_Init", "libnereus: dies before MPI_Init",
                "launch: dies before MPI_Init"},
     .keys = {"plain_dies_early", "guard_dies_early", "launch_dies_early"},
     .arguments = {"--program", "/bin/false"},
     .advice = {through_guard}},
    {.key = "dies_in_init",
     .what = "it dies after MPI_Init, before it has joined",
     .titles = {NULL, "libnereus: dies after MPI_Init", "launch: dies after MPI_Init"},
     .keys = {NULL, "guard_dies_in_init", "launch_dies_in_init"},
     .arguments = {"--die", "init"},
     .slow = true,
     .advice = {NULL, by_launch}},
    {.key = "unknown_host",
     .what = "its host is not known",
     .probe = "unknown-host",
     .titles = {"plain spawn on an unknown host", "libnereus: an unknown host",
                "launch: an unknown host"},
     .keys = {"plain_unknown_host", "guard_unknown_host", "launch_unknown_host"},
     .unknown_host = true,
     .slow = true,
     .advice = {"check the names in a host file (getent hosts NAME) beforehand", by_launch}},
    {.key = "dies_joined",
     .what = "it is killed when it has joined",
     .titles = {NULL, "libnereus: killed once it joined", "launch: killed once it joined"},
     .keys = {NULL, "guard_dies_joined", "launch_dies_joined"},
     .arguments = {"--die", "joined"},
     .slow = true,
     .advice = {NULL, from_files, from_files}},
};

static const char goes_on[] = "goes on", hangs[] = "hangs", ends[] = "ends",
                  not_tried[] = "not tried", refused[] = "refused";

/* Cause the fault with a bare MPI_Comm_spawn. */
static const char *try_plain_spawn(struct nereus_doctor *doctor, const struct fault *fault)
{
    struct nereus_probe_output output;
    const char *title = fault->titles[NEREUS_START_PLAIN], *key = fault->keys[NEREUS_START_PLAIN];
    const struct nereus_probe_run run = {
        .processes = 1, .arguments = {fault->probe}, .limit_s = hang_limit_s};
    char end[160];
    nereus_doctor_run(doctor, title, &run, &output);
    if (strcmp(nereus_probe_value(&output, "survived"), "yes") == 0) {
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, key, title,
                          "MPI reports %s, and the job goes on",
                          nereus_probe_value(&output, "returned"));
        return goes_on;
    }
    if (output.result.timed_out) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, key, title, "hangs (stopped after %.1f s)",
                          hang_limit_s);
    } else {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, key, title, "the whole job %s",
                          nereus_probe_format_end(&run, &output, end));
    }
    nereus_doctor_advise(doctor, "%s", fault->advice[NEREUS_START_PLAIN]);
    return output.result.timed_out ? hangs : ends;
}

/* Write a host file of this host and an unknown one, where the second process is placed. */
static bool write_hosts(char *path, char *setting, size_t size)
{
    FILE *file = nereus_doctor_make_file(path) ? fopen(path, "we") : NULL;
    if (file == NULL)
        return false;
    fputs("localhost:1\nno-such-host.invalid:1\n", file);
    snprintf(setting, size, "NEREUS_HOSTFILE=%s", path);
    return fclose(file) == 0;
}

static void run_job(struct nereus_doctor *doctor, const struct fault *fault,
                    enum nereus_start_way way, struct nereus_probe_run *run,
                    struct nereus_probe_output *output)
{
    char hosts[PATH_MAX], setting[PATH_MAX + 32];
    *run = (struct nereus_probe_run){
        .processes = 1,
        .program = doctor->job,
        .arguments = {"--sizes", "2", "--method",
                      way == NEREUS_START_LAUNCH ? "merge-launch/coll" : "merge/coll",
                      fault->arguments[0],
                      fault->arguments[0] != NULL ? fault->arguments[1] : NULL},
        .limit_s = guard_limit_s};
    const bool written = fault->unknown_host && write_hosts(hosts, setting, sizeof setting);
    run->environment[0] = written ? setting : NULL;
    nereus_doctor_run(doctor, fault->titles[way], run, output);
    run->environment[0] = NULL; /* setting ends here */
    if (written)
        unlink(hosts);
}

/* Cause the fault in a reconfiguration of the runtime: the job should go on and report it. */
static const char *try_guarded_start(struct nereus_doctor *doctor, const struct fault *fault,
                                     enum nereus_start_way way)
{
    struct nereus_probe_output output;
    struct nereus_probe_run run;
    const char *title = fault->titles[way], *key = fault->keys[way];
    char end[160];
    run_job(doctor, fault, way, &run, &output);
    if (strncmp(nereus_probe_value(&output, "undone"), "failed", 6) == 0 &&
        !output.result.timed_out) {
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, key, title,
                          "reported within %.1f s, and the job goes on as it was",
                          output.result.wall_s);
        return goes_on;
    }
    if (nereus_probe_is_refused(&output)) {
        doctor->no_launch = true;
        return refused;
    }
    nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, key, title, "not survived: the job %s",
                      nereus_probe_format_end(&run, &output, end));
    if (fault->advice[way] != NULL) {
        nereus_doctor_advise(
            doctor, "%s",
            doctor->no_launch && fault->advice[way] == by_launch ? from_files : fault->advice[way]);
    } else {
        nereus_doctor_advise(
            doctor,
            "this should not be: report it, with what %s -n 1 %s --sizes 2 --method %s %s %s "
            "prints",
            doctor->mpiexec, doctor->job, run.arguments[3],
            fault->arguments[0] != NULL ? fault->arguments[0] : "",
            fault->arguments[0] != NULL ? fault->arguments[1] : "");
    }
    return output.result.timed_out ? hangs : ends;
}

/* Cause a fault with each way to start processes. */
static void try_fault(struct nereus_doctor *doctor, const struct fault *fault)
{
    struct nereus_survival *row = &doctor->survivals[doctor->survival_count++];
    *row = (struct nereus_survival){
        .key = fault->key, .what = fault->what, .verdicts = {not_tried, not_tried, not_tried}};
    if (fault->probe != NULL && !doctor->quick)
        row->verdicts[NEREUS_START_PLAIN] = try_plain_spawn(doctor, fault);
    for (int way = NEREUS_START_SPAWN; way < NEREUS_START_WAYS && !(fault->slow && doctor->quick);
         way++)
        row->verdicts[way] = way == NEREUS_START_LAUNCH && doctor->no_launch
                                 ? refused
                                 : try_guarded_start(doctor, fault, (enum nereus_start_way)way);
}

/* ---- processes that are killed ---- */

static void try_killed_process(struct nereus_doctor *doctor, const char *mode, int processes,
                               const char *key, const char *title)
{
    struct nereus_probe_output output;
    const struct nereus_probe_run run = {
        .processes = processes, .arguments = {mode}, .limit_s = kill_limit_s};
    char end[160];
    nereus_doctor_run(doctor, title, &run, &output);
    if (output.result.timed_out || output.killing_s <= 0) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, key, title,
                          "the job %s; %d process%s %s left over",
                          nereus_probe_format_end(&run, &output, end), output.result.left_behind,
                          nereus_plural_es(output.result.left_behind),
                          nereus_choose_plural(output.result.left_behind, "was", "were"));
        nereus_doctor_advise(doctor, "run jobs under a time limit");
        return;
    }
    nereus_doctor_add(doctor,
                      output.result.left_behind > 0 ? NEREUS_FINDING_NOTE : NEREUS_FINDING_OK, key,
                      title, "ends the whole job within %.1f s, status %d, %d process%s left over",
                      output.ended_s - output.killing_s, output.result.exit_status,
                      output.result.left_behind, nereus_plural_es(output.result.left_behind));
    nereus_doctor_advise(
        doctor, "%s",
        output.result.left_behind > 0
            ? "look for processes of the job after a crash, and end them by hand"
            : "MPI does not survive the death of a process: let the job go on from files "
              "(nereus-mpiexec --checkpoint DIR,10min --on-failure restart)");
}

/* ---- exit status ---- */

/* Set the environment for the plain mpiexec that nereus-mpiexec would set. */
static void make_mpi_environment(const char *texts[ENVIRONMENT_MAX],
                                 char scratch[ENVIRONMENT_MAX][160])
{
    static const char *const pairs[] = NEREUS_MPI_ENVIRONMENT;
    int count = 0;
    for (size_t i = 0; pairs[i] != NULL && count < ENVIRONMENT_MAX - 1; i += 2) {
        snprintf(scratch[count], sizeof scratch[count], "%s=%s", pairs[i], pairs[i + 1]);
        texts[count] = scratch[count];
        count++;
    }
    texts[count] = NULL;
}

/* Try a job whose first world leaves, so that a spawned world ends it, with status 5. */
static int run_to_status(struct nereus_doctor *doctor, const char *launcher, const char *title)
{
    struct nereus_probe_output output;
    char scratch[ENVIRONMENT_MAX][160];
    struct nereus_probe_run run = {
        .launcher = launcher,
        .processes = 1,
        .program = doctor->job,
        .arguments = {"--sizes", "1", "--method", "baseline/coll", "--exit", "5"},
        .limit_s = guard_limit_s,
    };
    if (launcher != NULL)
        make_mpi_environment(run.environment, scratch);
    nereus_doctor_run(doctor, title, &run, &output);
    return output.result.timed_out ? -1 : output.result.exit_status;
}

static void check_status(struct nereus_doctor *doctor, const char *launcher, const char *key,
                         const char *title, const char *advice)
{
    int status = run_to_status(doctor, launcher, title);
    bool right = status == STATUS_TRIED;
    enum nereus_finding_state state = right ? NEREUS_FINDING_OK : NEREUS_FINDING_NOTE;
    if (status < 0) {
        nereus_doctor_add(doctor, state, key, title, "hangs when a spawned world ends the job");
    } else {
        nereus_doctor_add(doctor, state, key, title,
                          "%d, when a spawned world ends the job with %d", status, STATUS_TRIED);
    }
    if (!right)
        nereus_doctor_advise(doctor, "%s", advice);
}

static void check_exit_status(struct nereus_doctor *doctor)
{
    check_status(doctor, doctor->launcher, "exit_mpiexec", "exit status through mpiexec",
                 "it knows the first world's status alone: start jobs with nereus-mpiexec");
    check_status(
        doctor, NULL, "exit_nereus_mpiexec", "exit status through nereus-mpiexec",
        "do not rely on a job's exit status here: let the program write a file at its end");
}

void nereus_doctor_check_failures(struct nereus_doctor *doctor)
{
    doctor->section = "failures";
    if (doctor->broken)
        return;
    if (doctor->quick) {
        nereus_doctor_add(doctor, NEREUS_FINDING_SKIPPED, "plain_spawns", "plain spawns that fail",
                          "not tried, as they may hang (--quick)");
    }
    for (size_t i = 0; i < NEREUS_COUNT_OF(faults); i++)
        try_fault(doctor, &faults[i]);
    try_killed_process(doctor, "killed", 2, "killed", "SIGKILL to a rank");
    try_killed_process(doctor, "killed-spawned", 1, "killed_spawned",
                       "SIGKILL to a spawned process");
    check_exit_status(doctor);
}
