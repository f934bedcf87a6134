/** @file cmd_doctor.c  The command nereus doctor: tests the abilities of this MPI and machine, and
 * gives advice. */

#include "doctor.h"
#include "nereus_mpi_config.h"
#include "predictor/cli/command.h"
#include "predictor/cli/progress.h"
#include "predictor/run/interrupt.h"

struct settings {
    bool quick;
    int format;
};

static const char *const formats[] = {"text", "json", NULL};

static const struct nereus_option table[] = {
    {"quick", 'q', NEREUS_OPTION_FLAG, NULL, "skip tests that are expected to hang",
     offsetof(struct settings, quick), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)",
     offsetof(struct settings, format), formats},
};

static const char *const state_keys[] = {"ok", "note", "failed", "skipped"};
static const char *const state_marks[] = {"ok", "note", "FAIL", "-"};
/* Approximate number of jobs, for the progress bar. */
enum { JOBS_QUICK = 10, JOBS_ALL = 28 };

struct display {
    struct nereus_progress progress;
    int jobs;
};

static void show_progress(struct nereus_doctor *doctor, const char *what)
{
    struct display *display = doctor->user;
    nereus_progress_update(&display->progress, display->jobs++, what);
}

/* ---- printing ---- */

static void print_text(const struct nereus_doctor *doctor)
{
    const char *section = "";
    for (int i = 0; i < doctor->count; i++) {
        const struct nereus_finding *finding = &doctor->findings[i];
        if (strcmp(section, finding->section) != 0) {
            section = finding->section;
            printf("%s%s\n", i > 0 ? "\n" : "", section);
        }
        printf("  %-5s %-34s %s\n", state_marks[finding->state], finding->title, finding->result);
        if (finding->advice[0] != '\0')
            printf("        %-34s -> %s\n", "", finding->advice);
    }
}

static const char *const way_titles[NEREUS_START_WAYS] = {"MPI_Comm_spawn", "libnereus, spawn",
                                                          "libnereus, launch"};
static const char *const way_keys[NEREUS_START_WAYS] = {"plain", "spawn", "launch"};

/* Print the table of failures. */
static void print_survivals(const struct nereus_doctor *doctor)
{
    if (doctor->survival_count == 0)
        return;
    printf("\nwhat becomes of a job when a new process fails\n  %-46s", "");
    for (int way = 0; way < NEREUS_START_WAYS; way++)
        printf("%s%s", way > 0 ? "  " : "", way_titles[way]);
    putchar('\n');
    for (int i = 0; i < doctor->survival_count; i++) {
        const struct nereus_survival *row = &doctor->survivals[i];
        printf("  %-46s", row->what);
        for (int way = 0; way < NEREUS_START_WAYS; way++) {
            printf("%s%-*s", way > 0 ? "  " : "",
                   way + 1 < NEREUS_START_WAYS ? (int)strlen(way_titles[way]) : 0,
                   row->verdicts[way]);
        }
        putchar('\n');
    }
}

static json_t *make_survivals_json(const struct nereus_doctor *doctor)
{
    json_t *array = json_array();
    for (int i = 0; i < doctor->survival_count; i++) {
        const struct nereus_survival *row = &doctor->survivals[i];
        json_t *object = nereus_json_pack("{s:s, s:s}", "fault", row->key, "what", row->what);
        for (int way = 0; way < NEREUS_START_WAYS; way++)
            json_object_set_new(object, way_keys[way], nereus_json_text(row->verdicts[way]));
        json_array_append_new(array, object);
    }
    return array;
}

static bool print_json(const struct nereus_doctor *doctor, bool passed)
{
    json_t *findings = json_array();
    for (int i = 0; i < doctor->count; i++) {
        const struct nereus_finding *finding = &doctor->findings[i];
        json_array_append_new(
            findings, nereus_json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "section",
                                       finding->section, "check", finding->key, "title",
                                       finding->title, "state", state_keys[finding->state],
                                       "result", finding->result, "advice", finding->advice));
    }
    return nereus_json_write(nereus_json_pack("{s:b, s:b, s:b, s:o, s:o}", "mpi", NEREUS_HAVE_MPI,
                                              "passed", passed, "quick", doctor->quick, "findings",
                                              findings, "survival", make_survivals_json(doctor)),
                             stdout);
}

/* ---- examining ---- */

static bool find_programs(struct nereus_doctor *doctor)
{
    struct nereus_error err;
    if (nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", doctor->mpiexec, &err) ==
            NEREUS_OK &&
        nereus_program_find(NEREUS_PROGRAM_BIN, NEREUS_MPIEXEC_PATH, doctor->launcher, &err) ==
            NEREUS_OK &&
        nereus_program_find(NEREUS_PROGRAM_LIBEXEC, "nereus-probe", doctor->probe, &err) ==
            NEREUS_OK &&
        nereus_program_find(NEREUS_PROGRAM_LIBEXEC, "nereus-calibrate-job", doctor->job, &err) ==
            NEREUS_OK)
        return true;
    doctor->section = "MPI";
    nereus_doctor_add(doctor, NEREUS_FINDING_FAILED, "programs", "probes", "%s", err.text);
    nereus_doctor_advise(doctor, "build or install Nereus again");
    return false;
}

static void examine_mpi(struct nereus_doctor *doctor)
{
    if (!NEREUS_HAVE_MPI) {
        doctor->section = "MPI";
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "library", "library",
                          "this nereus was built without MPI");
        nereus_doctor_advise(
            doctor, "predict, plan and fit work; ./setup build installs an MPI that can spawn and "
                    "builds the rest");
        return;
    }
    if (find_programs(doctor)) {
        nereus_doctor_check_mpi_library(doctor);
        if (!doctor->broken && nereus_interrupted() == 0)
            nereus_doctor_check_spawning(doctor);
        if (!doctor->broken && nereus_interrupted() == 0)
            nereus_doctor_check_start_methods(doctor);
        if (!doctor->broken && nereus_interrupted() == 0)
            nereus_doctor_check_failures(doctor);
    }
}

static bool has_passed(const struct nereus_doctor *doctor)
{
    for (int i = 0; i < doctor->count; i++)
        if (doctor->findings[i].state == NEREUS_FINDING_FAILED)
            return false;
    return true;
}

static int print_findings(const struct nereus_doctor *doctor, int format)
{
    bool passed = has_passed(doctor);
    if (format == 1) {
        print_json(doctor, passed);
    } else {
        print_text(doctor);
        print_survivals(doctor);
        if (NEREUS_HAVE_MPI) {
            printf("\n%s\n",
                   passed ? "Programs can be resized here."
                   : doctor->restarts
                       ? "Programs can be resized here by the method restart/file alone: start "
                         "them with NEREUS_SPAWN=no nereus-mpiexec --checkpoint DIR."
                       : "Programs cannot be resized here: see the lines marked FAIL.");
        }
    }
    return passed ? NEREUS_EXIT_OK : NEREUS_EXIT_FAILED;
}

static const char help[] =
    "Tests what this MPI and machine can do, each test in a separate job with a time limit, and "
    "says how to repair what fails. The exit status is 0 if all that Nereus needs works.";

static const struct nereus_plain_line plain = {NULL, help, table, NEREUS_COUNT_OF(table), 0, 0};

int nereus_cmd_doctor(int argc, char **argv)
{
    struct settings settings = {.quick = false};
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, NULL, &exit_status))
        return exit_status;
    static struct nereus_doctor doctor; /* static, as it is large */
    struct display display = {.jobs = 0};
    doctor.quick = settings.quick;
    doctor.on_progress = show_progress;
    doctor.user = &display;
    if (nereus_interrupt_watch() != 0)
        return nereus_cli_fail("signals cannot be watched for: %s", strerror(errno));
    nereus_doctor_check_machine(&doctor);
    nereus_doctor_check_network(&doctor);
    nereus_doctor_check_libraries(&doctor);
    if (NEREUS_HAVE_MPI) {
        nereus_progress_start(&display.progress, "examining",
                              settings.quick ? JOBS_QUICK : JOBS_ALL);
        examine_mpi(&doctor);
        nereus_progress_end(&display.progress, NULL);
    } else {
        examine_mpi(&doctor);
    }
    int interrupt = nereus_interrupted();
    nereus_interrupt_end();
    return interrupt != 0 ? 128 + interrupt : print_findings(&doctor, settings.format);
}
