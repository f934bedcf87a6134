/** @file doctor_failures.c  The doctor's findings about what goes wrong: failing spawns, killed processes,
 * exit statuses. */
#include "doctor.h"

#include <stdio.h>
#include <string.h>

#include "nereus_mpi_config.h"

/* A hang is what is looked for: short limits. */
static const double hang_limit_s = 3.5, guard_limit_s = 10.0, kill_limit_s = 8.0;

enum { ENVIRONMENT_MAX = 8, STATUS_TRIED = 5 };

/* ---- spawns that fail ---- */

static void failing_spawn(struct nereus_doctor *doctor, const char *mode, const char *key, const char *title,
                          const char *advice)
{
    struct nereus_answer_list answers;
    const struct nereus_probe_run run = {.processes = 1, .arguments = {mode}, .limit_s = hang_limit_s};
    char end[160];
    nereus_doctor_run(doctor, title, &run, &answers);
    if (strcmp(nereus_answer(&answers, "survived"), "yes") == 0) {
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, key, title, "MPI reports %s, and the job goes on",
                          nereus_answer(&answers, "returned"));
        return;
    }
    if (answers.result.timed_out) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, key, title, "hangs (stopped after %.1f s)",
                          hang_limit_s);
    } else {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, key, title, "the whole job %s",
                          nereus_answer_end(&run, &answers, end));
    }
    nereus_doctor_advise(doctor, "%s", advice);
}

/* The runtime asks for a program that fails: the job should go on, and say why. */
static void guarded_spawn(struct nereus_doctor *doctor, const char *program, const char *key,
                          const char *title)
{
    struct nereus_answer_list answers;
    const struct nereus_probe_run run = {.processes = 1,
                                         .program = doctor->job,
                                         .arguments = {"--sizes", "2", "--program", program},
                                         .limit_s = guard_limit_s};
    char end[160];
    nereus_doctor_run(doctor, title, &run, &answers);
    bool survives = strncmp(nereus_answer(&answers, "undone"), "failed", 6) == 0 && !answers.result.timed_out;
    if (survives) {
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, key, title,
                          "reported within %.1f s, and the job goes on as it was", answers.result.wall_s);
        return;
    }
    nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, key, title, "not survived: the job %s",
                      nereus_answer_end(&run, &answers, end));
    nereus_doctor_advise(doctor,
                         "this should not be: report it, with what %s -n 1 %s --sizes 2 --program %s prints",
                         doctor->mpiexec, doctor->job, program);
}

/* ---- processes that are killed ---- */

static void killed(struct nereus_doctor *doctor, const char *mode, int processes, const char *key,
                   const char *title)
{
    struct nereus_answer_list answers;
    const struct nereus_probe_run run = {
        .processes = processes, .arguments = {mode}, .limit_s = kill_limit_s};
    char end[160];
    nereus_doctor_run(doctor, title, &run, &answers);
    if (answers.result.timed_out || answers.killing_s <= 0) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, key, title, "the job %s; %d processes were left over",
                          nereus_answer_end(&run, &answers, end), answers.result.left_behind);
        nereus_doctor_advise(doctor, "run jobs under a time limit");
        return;
    }
    nereus_doctor_add(doctor, answers.result.left_behind > 0 ? NEREUS_FINDING_NOTE : NEREUS_FINDING_OK, key,
                      title, "ends the whole job within %.1f s, status %d, %d processes left over",
                      answers.ended_s - answers.killing_s, answers.result.exit_status,
                      answers.result.left_behind);
    nereus_doctor_advise(
        doctor, "%s",
        answers.result.left_behind > 0
            ? "look for processes of the job after a crash, and end them by hand"
            : "MPI does not survive the death of a process: keep what cannot be computed again in files");
}

/* ---- exit status ---- */

/* The environment that nereus-mpiexec sets, for the plain mpiexec. */
static void mpi_environment(const char *texts[ENVIRONMENT_MAX], char room[ENVIRONMENT_MAX][160])
{
    static const char *const pairs[] = NEREUS_MPI_ENVIRONMENT;
    int count = 0;
    for (size_t i = 0; pairs[i] != NULL && count < ENVIRONMENT_MAX - 1; i += 2) {
        snprintf(room[count], sizeof room[count], "%s=%s", pairs[i], pairs[i + 1]);
        texts[count] = room[count];
        count++;
    }
    texts[count] = NULL;
}

/* A job whose first world leaves, so that a spawned one ends it, with status 5. */
static int last_status(struct nereus_doctor *doctor, const char *launcher, const char *title)
{
    struct nereus_answer_list answers;
    char room[ENVIRONMENT_MAX][160];
    struct nereus_probe_run run = {
        .launcher = launcher,
        .processes = 1,
        .program = doctor->job,
        .arguments = {"--sizes", "1", "--method", "baseline/coll", "--exit", "5"},
        .limit_s = guard_limit_s,
    };
    if (launcher != NULL) {
        mpi_environment(run.environment, room);
    }
    nereus_doctor_run(doctor, title, &run, &answers);
    return answers.result.timed_out ? -1 : answers.result.exit_status;
}

static void one_status(struct nereus_doctor *doctor, const char *launcher, const char *key, const char *title,
                       const char *advice)
{
    int status = last_status(doctor, launcher, title);
    bool right = status == STATUS_TRIED;
    enum nereus_finding_state state = right ? NEREUS_FINDING_OK : NEREUS_FINDING_NOTE;
    if (status < 0) {
        nereus_doctor_add(doctor, state, key, title, "hangs when a spawned world ends the job");
    } else {
        nereus_doctor_add(doctor, state, key, title, "%d, when a spawned world ends the job with %d", status,
                          STATUS_TRIED);
    }
    if (!right) {
        nereus_doctor_advise(doctor, "%s", advice);
    }
}

static void exit_status(struct nereus_doctor *doctor)
{
    one_status(doctor, NEREUS_MPIEXEC_PATH, "exit_mpiexec", "exit status through mpiexec",
               "it knows the first world's status alone: start jobs with nereus-mpiexec");
    one_status(doctor, NULL, "exit_nereus_mpiexec", "exit status through nereus-mpiexec",
               "do not rely on a job's exit status here: let the program write a file at its end");
}

void nereus_doctor_failures(struct nereus_doctor *doctor)
{
    static const char *const nereus_survives =
        "spawn through libnereus, whose guard survives this (next lines)";
    doctor->section = "failures";
    if (doctor->broken) {
        return;
    }
    if (doctor->quick) {
        nereus_doctor_add(doctor, NEREUS_FINDING_SKIPPED, "plain_spawns", "plain spawns that fail",
                          "not tried, as they may hang (--quick)");
    } else {
        failing_spawn(doctor, "missing-program", "plain_missing", "plain spawn of a missing program",
                      nereus_survives);
        failing_spawn(doctor, "dies-early", "plain_dies_early", "plain spawn, dies before MPI_Init",
                      nereus_survives);
        failing_spawn(doctor, "unknown-host", "plain_unknown_host", "plain spawn on an unknown host",
                      "libnereus does not survive it either: check the names in a host file (getent hosts "
                      "NAME) beforehand");
    }
    guarded_spawn(doctor, "/nowhere/no-such-program", "guard_missing", "libnereus: a missing program");
    guarded_spawn(doctor, "/bin/false", "guard_dies_early", "libnereus: dies before MPI_Init");
    killed(doctor, "killed", 2, "killed", "SIGKILL to a rank");
    killed(doctor, "killed-spawned", 1, "killed_spawned", "SIGKILL to a spawned process");
    exit_status(doctor);
}
