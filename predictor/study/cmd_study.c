/**
 * @file cmd_study.c
 * The command nereus study run: runs a synthetic application repeatedly with many sizes, methods
 * and data, and summarises the results.
 */
#include <unistd.h>

#include "model/trace/results.h"
#include "model/util/limits.h"
#include "predictor/cli/command.h"
#include "predictor/run/child.h"
#include "predictor/run/interrupt.h"
#include "predictor/run/sample_store.h"
#include "predictor/run/this_machine.h"
#include "study_run.h"

struct settings {
    const char *output, *profile;
    bool check;
};

static const struct nereus_option table[] = {
    {"output", 'o', NEREUS_OPTION_PLACE, "FOLDER",
     "where runs and results go; the same folder goes on with a study (STUDY, without .ini)",
     offsetof(struct settings, output), NULL},
    {"check", 0, NEREUS_OPTION_FLAG, NULL, "check the file, say what would be run, and end",
     offsetof(struct settings, check), NULL},
    {"profile", 0, NEREUS_OPTION_TEXT, "PROFILE.json",
     "predict with this profile in the report (as `nereus study report`)",
     offsetof(struct settings, profile), NULL},
};

/* ---- samples ---- */

static enum nereus_status describe_machine(const struct nereus_study *study,
                                           struct nereus_machine *machine, struct nereus_error *err)
{
    char host[64];
    nereus_this_machine_name(host, sizeof host);
    return study->hostfile[0] != '\0'
               ? nereus_machine_from_file(study->hostfile, machine, err)
               : nereus_machine_single(host, nereus_cores_usable(), machine, err);
}

static enum nereus_status append_run(const struct nereus_study_work *work,
                                     const struct nereus_study_run *run,
                                     const struct nereus_machine *machine,
                                     struct nereus_sample_store *store, struct nereus_error *err)
{
    char path[PATH_MAX];
    struct nereus_results results;
    struct nereus_samples rows;
    NEREUS_TRY(nereus_results_read(nereus_study_results_path(work, run, path), &results, err));
    nereus_cli_note_left_out(path, results.trace.left_out.lines, results.trace.left_out.first,
                             results.trace.left_out.why);
    enum nereus_status status =
        nereus_results_samples(&results, store->provenance->cluster, machine, &rows, err);
    if (status == NEREUS_OK) {
        status = nereus_sample_store_append(store, &rows, err);
        nereus_samples_fini(&rows);
    }
    nereus_results_fini(&results);
    return status;
}

/* Write the samples file from the results of all runs. */
static enum nereus_status write_samples(const struct nereus_study_work *work, const char *path,
                                        struct nereus_error *err)
{
    struct nereus_machine machine;
    struct nereus_provenance provenance;
    struct nereus_sample_store store;
    struct nereus_samples none = {.rows = NULL};
    char host[64];
    nereus_this_machine_name(host, sizeof host);
    NEREUS_TRY(describe_machine(work->study, &machine, err));
    nereus_this_machine_provenance(&machine, host, &provenance);
    enum nereus_status status = nereus_sample_store_lock(path, &store, err);
    if (status == NEREUS_OK && ftruncate(fileno(store.stream), 0) != 0) {
        status =
            nereus_fail(err, NEREUS_ERR_IO, "%.300s cannot be emptied: %s", path, strerror(errno));
    }
    if (status == NEREUS_OK) {
        status = nereus_sample_store_read(&store, host, nereus_machine_cores_per_process(&machine),
                                          &none, err);
    }
    store.provenance = &provenance;
    for (int i = 0; i < work->run_count && status == NEREUS_OK; i++)
        if (work->runs[i].done)
            status = append_run(work, &work->runs[i], &machine, &store, err);
    nereus_sample_store_close(&store);
    nereus_samples_fini(&none);
    nereus_machine_fini(&machine);
    return status;
}

/* ---- other commands of nereus ---- */

/* Output of another command of nereus, also written to a file. */
struct captured {
    FILE *file; /* NULL: nowhere */
    bool show;
};

static void store_line(void *user, const char *line, bool is_stderr)
{
    struct captured *captured = user;
    if (!is_stderr && captured->file != NULL)
        fprintf(captured->file, "%s\n", line);
    if (!is_stderr && captured->show)
        puts(line);
}

/* Run another command.
 * @return false: it failed, and a note says why */
static bool run_nereus(const char *const *argv, const char *what, const char *kept_in, bool show)
{
    struct captured captured = {.show = show};
    struct nereus_child_result result = {0};
    struct nereus_error err = {NEREUS_OK, ""};
    captured.file = kept_in != NULL ? fopen(kept_in, "we") : NULL;
    const struct nereus_child child = {.argv = argv, .on_line = store_line, .user = &captured};
    bool good = nereus_child_run(&child, &result, &err) == NEREUS_OK && result.exit_status == 0;
    if (captured.file != NULL && fclose(captured.file) != 0 && good) {
        good = nereus_fail(&err, NEREUS_ERR_IO, "%.300s cannot be written: %s", kept_in,
                           strerror(errno)) == NEREUS_OK;
    }
    if (captured.file != NULL && !good)
        unlink(kept_in);
    if (!good && nereus_interrupted() == 0)
        nereus_cli_note("no %s: %s", what, err.text[0] != '\0' ? err.text : result.last);
    return good;
}

/* List the distinct amounts of data in the samples, as runs are compared per amount.
 * @return their number, at most `capacity` */
static int find_bytes(const char *samples, double *bytes, int capacity)
{
    struct nereus_samples rows = {0};
    int count = 0;
    if (nereus_samples_read(samples, false, &rows, NULL) != NEREUS_OK)
        return 0;
    nereus_cli_note_left_out(samples, rows.left_out, rows.first_left_out, NULL);
    for (int64_t i = 0; i < rows.count; i++) {
        bool known = rows.rows[i].kind != NEREUS_SAMPLE_RECONFIGURATION;
        for (int k = 0; k < count; k++)
            known = known || bytes[k] == rows.rows[i].bytes;
        if (!known && count < capacity)
            bytes[count++] = rows.rows[i].bytes;
    }
    nereus_samples_fini(&rows);
    return count;
}

/* Run compare and report.
 * @return false: one of them failed */
static bool run_compare(const char *nereus, const char *folder, const char *samples)
{
    double bytes[64];
    bool good = true;
    const int count = find_bytes(samples, bytes, 64);
    for (int i = 0; i < count && nereus_interrupted() == 0; i++) {
        char wanted[32], text[PATH_MAX], picture[PATH_MAX], which[48] = "";
        snprintf(wanted, sizeof wanted, "%.0f", bytes[i]);
        if (count > 1) {
            snprintf(which, sizeof which, "-%s", wanted);
            printf("data: %s bytes\n", wanted);
        }
        snprintf(text, sizeof text, "%s/comparison%s.txt", folder, which);
        snprintf(picture, sizeof picture, "%s/comparison%s.svg", folder, which);
        const char *const argv[] = {nereus, "study",    "compare", samples, "--bytes",
                                    wanted, "--output", picture,   NULL};
        good = run_nereus(argv, "comparison", text, true) && good;
    }
    return good;
}

static bool run_report(const struct nereus_study_work *work, const char *nereus,
                       const char *profile, const char *page)
{
    char runs[PATH_MAX];
    snprintf(runs, sizeof runs, "%s/runs", work->folder);
    const char *const argv[] = {
        nereus,  "study", "report", runs, "--output", page, profile != NULL ? "--profile" : NULL,
        profile, NULL};
    return run_nereus(argv, "report", NULL, false);
}

static int finish_study(const struct nereus_study_work *work, const struct settings *settings)
{
    char nereus[PATH_MAX], samples[PATH_MAX], page[PATH_MAX];
    struct nereus_error err;
    snprintf(samples, sizeof samples, "%s/samples.csv", work->folder);
    snprintf(page, sizeof page, "%s/report.html", work->folder);
    if (work->found_runs + work->made_runs == 0)
        return nereus_cli_fail("no run succeeded; %s/failures.txt says why", work->folder);
    if (nereus_program_find(NEREUS_PROGRAM_BIN, "nereus", nereus, &err) != NEREUS_OK ||
        write_samples(work, samples, &err) != NEREUS_OK)
        return nereus_cli_fail("%s", err.text);
    const bool compared = run_compare(nereus, work->folder, samples);
    const bool drawn =
        nereus_interrupted() == 0 && run_report(work, nereus, settings->profile, page);
    if (nereus_interrupted() != 0) {
        nereus_cli_note("interrupted: the same command again goes on");
        return 128 + nereus_interrupted();
    }
    printf("runs: %d of %d, %d failure%s\n", work->found_runs + work->made_runs, work->run_count,
           work->failed_runs, nereus_plural_s(work->failed_runs));
    printf("samples: %s\n", samples);
    if (drawn)
        printf("report: %s\n", page);
    if (work->given_up == 0)
        return compared && drawn ? NEREUS_EXIT_OK : NEREUS_EXIT_FAILED;
    return nereus_cli_fail(
        "%d of %d run%s failed %lld time%s and %s given up; %s/failures.txt says why",
        work->given_up, work->run_count, nereus_plural_s(work->run_count),
        (long long)work->study->attempts, nereus_plural_s(work->study->attempts),
        nereus_choose_plural(work->given_up, "was", "were"), work->folder);
}

/* Name the folder: "studies/a.ini" becomes "studies/a". */
static enum nereus_status choose_folder(const char *file, const char *given, char folder[PATH_MAX],
                                        struct nereus_error *err)
{
    const size_t length = strlen(file);
    if (given != NULL) {
        snprintf(folder, PATH_MAX, "%s", given);
        return NEREUS_OK;
    }
    if (!nereus_text_has_ending(file, ".ini")) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%.200s does not end with .ini: name the folder of the study with "
                           "--output",
                           file);
    }
    snprintf(folder, PATH_MAX, "%.*s", (int)(length - 4), file);
    return NEREUS_OK;
}

static void print_check(const struct nereus_study *study, const struct nereus_study_work *work)
{
    printf("%s: good. %d run%s: %d x %d x %d x %lld (pairs of sizes, methods, sizes of data, "
           "repeats), %lld + %lld iteration%s each\n",
           study->file, work->run_count, nereus_plural_s(work->run_count), study->pair_count,
           study->method_count, study->bytes_count, (long long)study->repeats,
           (long long)study->iterations_before, (long long)study->iterations_after,
           nereus_plural_s(study->iterations_after));
}

static int run_study(const struct settings *settings, struct nereus_study *study,
                     struct nereus_study_work *work)
{
    char folder[PATH_MAX];
    struct nereus_error err;
    if (choose_folder(study->file, settings->output, folder, &err) != NEREUS_OK ||
        nereus_study_open(work, folder, &err) != NEREUS_OK)
        return nereus_cli_fail("%s", err.text);
    if (work->found_runs > 0) {
        nereus_cli_note("going on: %d of %d run%s %s in %s", work->found_runs, work->run_count,
                        nereus_plural_s(work->run_count),
                        nereus_choose_plural(work->found_runs, "is", "are"), work->folder);
    }
    NEREUS_CLI_TRY(nereus_study_run_missing(work, &err), err);
    if (work->interrupt != 0) {
        nereus_cli_note("interrupted after %d of %d run%s; the same command again goes on",
                        work->found_runs + work->made_runs, work->run_count,
                        nereus_plural_s(work->run_count));
        return 128 + work->interrupt;
    }
    return finish_study(work, settings);
}

static const char help[] =
    "Runs a synthetic application between all pairs of sizes, by all methods, with all data, "
    "several times and in random order, as the section [study] of STUDY.ini says; its other "
    "sections are those of `nereus run`. Failed runs are repeated. It ends with samples for "
    "`nereus profile fit`, a comparison (`nereus study compare`) and a report (`nereus study "
    "report`). After an interrupt the same command goes on.";

static const struct nereus_plain_line plain = {"STUDY.ini", help, table, NEREUS_COUNT_OF(table),
                                               1,           1};

int nereus_cmd_study_run(int argc, char **argv)
{
    struct settings settings = {0};
    struct nereus_arguments files;
    struct nereus_study study = {.file = NULL};
    struct nereus_study_work work = {.lock = -1};
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &files, &exit_status))
        return exit_status;
    if (nereus_interrupt_watch() != 0)
        return nereus_cli_fail("signals cannot be watched for: %s", strerror(errno));
    if (nereus_study_read(files.items[0], &study, &err) != NEREUS_OK ||
        nereus_study_work_init(&study, &work, &err) != NEREUS_OK) {
        exit_status = nereus_cli_fail("%s", err.text);
    } else if (settings.check) {
        print_check(&study, &work);
        exit_status = NEREUS_EXIT_OK;
    } else {
        exit_status = run_study(&settings, &study, &work);
    }
    nereus_study_work_fini(&work);
    nereus_study_fini(&study);
    nereus_interrupt_end();
    return exit_status;
}
