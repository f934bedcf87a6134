/**
 * @file cmd_twin.c
 * nereus twin: watches an MPI program for some iterations and writes the configuration of a
 * synthetic application that does the same.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/file.h"
#include "model/util/try.h"
#include "nereus/method.h"
#include "predictor/cli/command.h"
#include "predictor/cli/options.h"
#include "predictor/run/child.h"
#include "twin.h"

struct settings {
    const char *output, *method;
    int64_t constant_bytes, variable_bytes, iterations, nt;
    double limit_s;
};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option table[] = {
    {"output", 'o', NEREUS_OPTION_TEXT, "TWIN.ini", "where the configuration goes (twin.ini)",
     AT(output), NULL},
    {"iterations", 0, NEREUS_OPTION_COUNT, "N", "iterations of the twin (as many as were seen)",
     AT(iterations), NULL},
    {"bytes-constant", 0, NEREUS_OPTION_BYTES, "BYTES",
     "constant data that the application would redistribute (none)", AT(constant_bytes), NULL},
    {"bytes-variable", 0, NEREUS_OPTION_BYTES, "BYTES", "variable data, likewise (none)",
     AT(variable_bytes), NULL},
    {"nt", 0, NEREUS_OPTION_COUNT, "NT", "let the twin change to this size after its iterations",
     AT(nt), NULL},
    {"method", 'm', NEREUS_OPTION_TEXT, "METHOD", "by this method (merge/coll)", AT(method), NULL},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME", "end the program after this long (no limit)",
     AT(limit_s), NULL},
};

/* "rank-N.csv" in the folder. */
static void name_file(const char *folder, int rank, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/rank-%d.csv", folder, rank);
}

static enum nereus_status read_all(const char *folder, struct nereus_calls **ranks, int *count,
                                   struct nereus_error *err)
{
    char path[PATH_MAX];
    struct nereus_calls first;
    name_file(folder, 0, path);
    if (access(path, R_OK) != 0) {
        return nereus_fail(
            err, NEREUS_ERR_NO_BASIS,
            "the program left no record: it must call MPI_Init and MPI_Finalize, and "
            "its MPI must be a shared library");
    }
    NEREUS_TRY(nereus_calls_read(path, &first, err));
    *ranks = calloc((size_t)first.processes, sizeof **ranks);
    if (*ranks == NULL) {
        nereus_calls_fini(&first);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %d processes", first.processes);
    }
    (*ranks)[0] = first;
    *count = first.processes;
    for (int r = 1; r < *count; r++) {
        name_file(folder, r, path);
        NEREUS_TRY(nereus_calls_read(path, &(*ranks)[r], err));
    }
    return NEREUS_OK;
}

static void remove_records(const char *folder, int count)
{
    char path[PATH_MAX];
    for (int r = 0; r < count; r++) {
        name_file(folder, r, path);
        unlink(path);
    }
    rmdir(folder);
}

/* Run the program with the library before its own. */
static enum nereus_status watch(const struct settings *settings, char *const *command,
                                const char *folder, struct nereus_error *err)
{
    char library[PATH_MAX], preload[2 * PATH_MAX], place[PATH_MAX + 16], outcome[96];
    const char *before = getenv("LD_PRELOAD");
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_LIBEXEC, "libnereus-watch.so", library, err));
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s%s%s", library, before != NULL ? ":" : "",
             before != NULL ? before : "");
    snprintf(place, sizeof place, "NEREUS_WATCH=%s", folder);
    const char *const environment[] = {preload, place, NULL};
    const struct nereus_child child = {.argv = (const char *const *)command,
                                       .environment = environment,
                                       .limit_s = settings->limit_s};
    struct nereus_child_result result;
    NEREUS_TRY(nereus_child_run(&child, &result, err));
    return result.exit_status == 0 ? NEREUS_OK
                                   : nereus_fail(err, NEREUS_ERR_STATE, "the program %s",
                                                 nereus_child_outcome(&child, &result, outcome));
}

static void join(char *const *command, char text[256])
{
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; command[i] != NULL && at < 250; i++) {
        at += (size_t)snprintf(text + at, 256 - at, "%s%s", i > 0 ? " " : "", command[i]);
    }
}

static enum nereus_status write_twin(const struct settings *settings, char *const *command,
                                     const struct nereus_twin *twin, struct nereus_error *err)
{
    struct nereus_file_replace file;
    char text[256];
    const struct nereus_twin_job job = {settings->constant_bytes, settings->variable_bytes,
                                        settings->iterations, settings->nt, settings->method};
    join(command, text);
    NEREUS_TRY(nereus_file_replace_begin(settings->output, &file, err));
    nereus_twin_write(twin, &job, text, file.stream);
    return nereus_file_replace_commit(&file, err);
}

static void print(const struct settings *settings, const struct nereus_twin *twin)
{
    printf(
        "iteration: %.4g ms (median of %lld, %d processes); %.0f %% computing, the rest in MPI\n",
        1e3 * twin->iteration_s, (long long)twin->iterations - 1, twin->processes,
        100 * twin->compute_s / twin->iteration_s);
    for (int i = 0; i < twin->stage_count; i++) {
        const struct nereus_twin_stage *stage = &twin->stages[i];
        if (stage->by_rank_s != NULL) {
            printf("  %-15s %.4g ms\n", "compute", 1e3 * stage->compute_s);
        } else {
            printf("  %-15s %lld bytes\n", stage->type, (long long)stage->bytes);
        }
    }
    printf("twin: %s\n", settings->output);
}

static enum nereus_status make(const struct settings *settings, char *const *command,
                               const char *folder, struct nereus_error *err)
{
    struct nereus_calls *ranks = NULL;
    int count = 0;
    struct nereus_twin twin = {.stage_count = 0};
    enum nereus_status status = watch(settings, command, folder, err);
    if (status == NEREUS_OK) {
        status = read_all(folder, &ranks, &count, err);
    }
    if (status == NEREUS_OK) {
        status = nereus_twin_make(ranks, count, &twin, err);
    }
    if (status == NEREUS_OK) {
        status = write_twin(settings, command, &twin, err);
    }
    if (status == NEREUS_OK) {
        print(settings, &twin);
    }
    if (status == NEREUS_OK && twin.unlike > 0) {
        nereus_cli_note("%d processes make other calls than rank 0: the twin has those of rank 0",
                        twin.unlike);
    }
    nereus_twin_fini(&twin);
    for (int r = 0; r < count; r++) {
        nereus_calls_fini(&ranks[r]);
    }
    free(ranks);
    remove_records(folder, count > 0 ? count : 1);
    return status;
}

static enum nereus_status check(const struct settings *settings, struct nereus_error *err)
{
    struct nereus_method method;
    if (settings->method == NULL) {
        return NEREUS_OK;
    }
    if (settings->nt == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--method is how to get to another size: give --nt, too");
    }
    return nereus_method_parse(settings->method, &method, err);
}

static const char help[] =
    "Runs the COMMAND, an MPI program under its launcher, watches its MPI calls (nothing has to be "
    "compiled anew), finds the iteration that repeats, and writes a configuration of nereus-sam with "
    "the same computing, process by process, and the same calls. `nereus run TWIN.ini` runs the "
    "twin. Iterations are found by themselves, between malleability points, or between calls of "
    "MPI_Pcontrol(1).";

static int run(int argc, char **argv)
{
    struct settings settings = {.output = "twin.ini"};
    const struct nereus_option_group groups[] = {{NULL, table, NEREUS_COUNT_OF(table), &settings}};
    const struct nereus_command_line line = {.arguments_help = "-- COMMAND...",
                                             .help = help,
                                             .groups = groups,
                                             .group_count = NEREUS_COUNT_OF(groups),
                                             .min_arguments = 1,
                                             .max_arguments = INT_MAX};
    struct nereus_arguments command;
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, &command, &exit_status)) {
        return exit_status;
    }
    if (check(&settings, &err) != NEREUS_OK) {
        return nereus_cli_fail_usage("%s", err.text);
    }
    const char *tmp = getenv("TMPDIR");
    char folder[PATH_MAX - 32];
    snprintf(folder, sizeof folder, "%s/nereus-twin-XXXXXX",
             tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp");
    if (mkdtemp(folder) == NULL) {
        return nereus_cli_fail("'%s' cannot be made: %s", folder, strerror(errno));
    }
    return make(&settings, command.items, folder, &err) == NEREUS_OK
               ? NEREUS_EXIT_OK
               : nereus_cli_fail("%s", err.text);
}

const struct command nereus_cmd_twin = {"twin", "make a synthetic twin of a real MPI program", run};
