/**
 * @file start_methods.c
 * Examines the ways to start processes: runs each a few times and measures its time.
 */
#include <unistd.h>

#include "doctor.h"
#include "model/statistics/statistics.h"
#include "model/trace/trace.h"
#include "model/util/limits.h"

static const double job_limit_s = 15.0;
enum { TIMES_MAX = 8 };

/* ---- times from a job's trace ---- */

/* Median over all expansions of a trace: RT, or the time of connections. NAN: none. */
static double compute_median_s(const struct nereus_trace *trace, bool connections)
{
    double times_s[TIMES_MAX];
    int count = 0;
    for (int64_t i = 0; i < trace->count && count < TIMES_MAX; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->nt <= event->ns)
            continue;
        if (connections
                ? event->kind == NEREUS_TRACE_STEP && event->step_kind == NEREUS_STEP_CONNECT
                : event->kind == NEREUS_TRACE_RECONFIGURATION && event->rt_s > 0)
            times_s[count++] = connections ? event->time_s : event->rt_s;
    }
    return nereus_median(times_s, count);
}

/* Time three expansions by a method, with shrinks in between.
 * @param setting  environment variable for the time of the connections alone; NULL: all of RT
 * @return seconds; NAN if it does not work, with the reason in `why` */
static double measure_expansions(struct nereus_doctor *doctor, const char *what, const char *method,
                                 int processes, const char *setting, char why[160])
{
    char path[PATH_MAX], sizes[400];
    struct nereus_probe_output output;
    struct nereus_trace trace;
    double time_s = NAN;
    if (!nereus_doctor_make_file(path)) {
        snprintf(why, 160, "no temporary file can be made");
        return NAN;
    }
    snprintf(sizes, sizeof sizes, "%d:%s,%d:merge-ts/coll,%d:%s,%d:merge-ts/coll,%d:%s",
             processes + 1, method, processes, processes + 1, method, processes, processes + 1,
             method);
    const struct nereus_probe_run run = {.processes = processes,
                                         .program = doctor->job,
                                         .arguments = {"--sizes", sizes, "--trace", path},
                                         .environment = {setting},
                                         .limit_s = job_limit_s};
    nereus_doctor_run(doctor, what, &run, &output);
    nereus_probe_format_end(&run, &output, why);
    const char *undone = nereus_probe_value(&output, "undone");
    if (nereus_probe_is_refused(&output)) {
        snprintf(why, 160, "%.159s", output.complaint);
        doctor->no_launch = true;
    } else if (undone[0] != '\0') {
        snprintf(why, 160, "%.159s", undone);
    } else if (output.result.exit_status == 0 &&
               nereus_trace_read(path, &trace, NULL) == NEREUS_OK) {
        time_s = compute_median_s(&trace, setting != NULL);
        nereus_trace_fini(&trace);
    }
    unlink(path);
    return time_s;
}

/* ---- findings ---- */

static void report_launches(struct nereus_doctor *doctor)
{
    char why[160];
    const double spawn_s =
        measure_expansions(doctor, "one process more, by spawn", "merge/coll", 1, NULL, why);
    const double launch_s = measure_expansions(doctor, "one process more, by launch",
                                               "merge-launch/coll", 1, NULL, why);
    if (isnan(launch_s)) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "launch", "launch", "does not work: %s",
                          why);
        if (doctor->no_launch)
            return;
        nereus_doctor_advise(
            doctor,
            "it needs jobs that are started with nereus-mpiexec, and a launcher that starts a "
            "second job in this one's place (NEREUS_LAUNCH_COMMAND); all other methods do without");
        return;
    }
    nereus_doctor_add(
        doctor, NEREUS_FINDING_OK, "launch", "launch",
        "works: one process more in %.0f ms; by MPI_Comm_spawn in %.0f ms (medians of 3)",
        1e3 * launch_s, 1e3 * spawn_s);
    nereus_doctor_advise(doctor,
                         "it survives more failures than spawning does: see the table of failures");
}

static void report_connections(struct nereus_doctor *doctor)
{
    char why[160];
    /* Two old processes if the new one then has a core of its own. */
    const int processes = nereus_cores_usable() > 2 ? 2 : 1;
    const double bridge_s =
        measure_expansions(doctor, "connecting through a bridge", "merge-single/coll", processes,
                           "NEREUS_CONNECT=bridge", why);
    const double port_s =
        measure_expansions(doctor, "connecting through a port", "merge-single/coll", processes,
                           "NEREUS_CONNECT=port", why);
    if (isnan(bridge_s) || isnan(port_s)) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "connect", "connections", "%s: %s",
                          isnan(bridge_s) ? "a bridge does not work" : "a port does not work", why);
        nereus_doctor_advise(doctor, "set NEREUS_CONNECT=%s", isnan(bridge_s) ? "port" : "bridge");
        return;
    }
    nereus_doctor_add(doctor, NEREUS_FINDING_OK, "connect", "connections",
                      "through a bridge %.1f ms, through a port %.1f ms (medians of 3)",
                      1e3 * bridge_s, 1e3 * port_s);
    if (port_s < bridge_s) {
        nereus_doctor_advise(doctor,
                             "a bridge is the default; NEREUS_CONNECT=port chooses the other");
    }
}

static void report_threads(struct nereus_doctor *doctor)
{
    char why[160];
    const double rt_s =
        measure_expansions(doctor, "an asynchronous expansion", "merge-async/coll", 1, NULL, why);
    if (isnan(rt_s)) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "async", "asynchronous methods",
                          "do not work: %s", why);
        nereus_doctor_advise(
            doctor, "merge-launch starts processes without a thread while the application runs");
    } else {
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, "async", "asynchronous methods",
                          "work: one process more in %.0f ms (median of 3)", 1e3 * rt_s);
    }
}

static void probe_binding(struct nereus_doctor *doctor)
{
    struct nereus_probe_output output;
    const struct nereus_probe_run run = {.processes = 1,
                                         .program = doctor->job,
                                         .arguments = {"--sizes", "1", "--cores"},
                                         .environment = {"NEREUS_BIND=core"},
                                         .limit_s = job_limit_s};
    nereus_doctor_run(doctor, "binding", &run, &output);
    const double cores = nereus_probe_number(&output, "cores");
    const bool bound = cores >= 1 && (cores <= 2 || cores < (double)nereus_cores_usable());
    if (bound) {
        nereus_doctor_add(
            doctor, NEREUS_FINDING_OK, "binding", "binding",
            "libnereus binds a process to a core (%.0f hardware thread%s), with hwloc", cores,
            nereus_plural_s((int64_t)cores));
    } else {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "binding", "binding",
                          "a process keeps all %lld hardware thread%s",
                          (long long)nereus_cores_usable(), nereus_plural_s(nereus_cores_usable()));
        nereus_doctor_advise(doctor,
                             "times will vary more: nothing keeps two processes off one core");
    }
}

/* Examine what new processes start in a job that is started through a wrapper, by its trace. */
static void report_started_program(struct nereus_doctor *doctor)
{
    char path[PATH_MAX];
    struct nereus_probe_output output;
    struct nereus_trace trace = {0};
    const struct nereus_probe_run run = {
        .processes = 1,
        .program = "env",
        .arguments = {"NEREUS_DOCTOR=1", doctor->job, "--sizes", "2:merge/coll", "--trace", path},
        .limit_s = job_limit_s};
    const char *command = "", *from = "";
    if (!nereus_doctor_make_file(path))
        return;
    nereus_doctor_run(doctor, "what new processes start", &run, &output);
    nereus_trace_read(path, &trace, NULL);
    for (int64_t i = 0; i < trace.count; i++) {
        if (trace.events[i].kind == NEREUS_TRACE_START) {
            command = trace.events[i].sentence;
            from = trace.events[i].outcome;
        }
    }
    if (strncmp(command, "env ", 4) == 0) {
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, "program", "new processes",
                          "start what %s was given, with its wrapper (tried: env)", from);
    } else {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "program", "new processes",
                          "start without the wrapper that the first ones had (%s)",
                          command[0] != '\0' ? from : "no new process came");
        nereus_doctor_advise(doctor, "options.program names what they start");
    }
    nereus_trace_fini(&trace);
    unlink(path);
}

void nereus_doctor_check_start_methods(struct nereus_doctor *doctor)
{
    doctor->section = "ways to start processes";
    if (doctor->quick) {
        nereus_doctor_add(doctor, NEREUS_FINDING_SKIPPED, "ways", "launch, async, connections",
                          "not tried (--quick)");
        return;
    }
    report_launches(doctor);
    report_threads(doctor);
    report_connections(doctor);
    probe_binding(doctor);
    report_started_program(doctor);
}
