/**
 * @file cmd_twin.c
 * The command nereus twin: watches an MPI program for some iterations and writes the configuration
 * of a synthetic application that does the same.
 */
#include <unistd.h>

#include "model/twin/messages.h"
#include "model/twin/twin.h"
#include "model/util/file.h"
#include "nereus/method.h"
#include "predictor/cli/command.h"
#include "predictor/run/twin_check.h"
#include "predictor/run/watched.h"

struct settings {
    const char *output, *method;
    int64_t constant_bytes, variable_bytes; /* -1: the registered bytes */
    int64_t iterations, iterations_after, nt;
    int64_t repeats; /* of the check */
    double limit_s, quantile;
    bool check;
};

enum { COMMAND_TEXT = 180 };

/* Least share of an iteration without a core that is reported. */
static const double coreless_share = 0.01;

static const struct nereus_option table[] = {
    {"output", 'o', NEREUS_OPTION_PLACE, "TWIN.ini", "where the configuration goes (twin.ini)",
     offsetof(struct settings, output), NULL},
    {"iterations", 0, NEREUS_OPTION_COUNT, "N", "iterations of the twin (as many as were seen)",
     offsetof(struct settings, iterations), NULL},
    {"bytes-constant", 0, NEREUS_OPTION_BYTES, "BYTES",
     "constant data that the application would redistribute (what it registers with libnereus)",
     offsetof(struct settings, constant_bytes), NULL},
    {"bytes-variable", 0, NEREUS_OPTION_BYTES, "BYTES", "variable data, likewise",
     offsetof(struct settings, variable_bytes), NULL},
    {"nt", 0, NEREUS_OPTION_COUNT, "NT",
     "let the twin change to this size after its iterations; the program is watched at this size, "
     "too, where COMMAND has its number of processes as -n N",
     offsetof(struct settings, nt), NULL},
    {"method", 'm', NEREUS_OPTION_TEXT, "METHOD", "by this method (merge/coll)",
     offsetof(struct settings, method), NULL},
    {"iterations-after", 0, NEREUS_OPTION_COUNT, "N", "iterations after the change (as before it)",
     offsetof(struct settings, iterations_after), NULL},
    {"quantile", 0, NEREUS_OPTION_NUMBER, "Q",
     "times are this quantile of the iterations, as 0.25 where others use the machine, too (the "
     "mean, with which the twin computes as long in all as the program)",
     offsetof(struct settings, quantile), NULL},
    {"check", 0, NEREUS_OPTION_FLAG, NULL,
     "run the twin, too, and print both: iteration, total, share of MPI",
     offsetof(struct settings, check), NULL},
    {"repeats", 0, NEREUS_OPTION_COUNT, "N",
     "with --check: runs of each, in turn, of which medians are compared (1)",
     offsetof(struct settings, repeats), NULL},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME", "end the program after this long (no limit)",
     offsetof(struct settings, limit_s), NULL},
};

/* Print the command in one line, cut to the 197 characters of a configuration line. */
static void join_words(char *const *command, char text[COMMAND_TEXT])
{
    size_t offset = 0;
    text[0] = '\0';
    for (int i = 0; command[i] != NULL && offset + 2 < COMMAND_TEXT; i++) {
        text[offset] = ' ';
        offset += i > 0 ? 1 : 0;
        nereus_text_copy(command[i], text + offset, COMMAND_TEXT - offset);
        offset += strlen(text + offset);
    }
    for (char *c = text; *c != '\0'; c++)
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
}

/* A program, and what was made of it. */
struct source {
    struct nereus_watched watched;
    struct nereus_twin twin;
};

static void source_fini(struct source *source)
{
    nereus_twin_fini(&source->twin);
    nereus_watched_fini(&source->watched);
}

/* @param iterations   number of them that is preferred; 0: none
 * @param[out] source  to be ended with source_fini in any case */
static enum nereus_status watch_source(const struct settings *settings, char *const *command,
                                       int64_t iterations, struct source *source,
                                       struct nereus_error *err)
{
    *source = (struct source){.twin = {.stage_count = 0}};
    NEREUS_TRY(nereus_watched_run((const char *const *)command, NULL, settings->limit_s, false,
                                  &source->watched, err));
    return nereus_twin_make(source->watched.ranks, source->watched.count, settings->quantile,
                            iterations, &source->twin, err);
}

/* Find the number of processes in the command.
 * @return index of N in "-n N" or "-np N"; 0: none */
static int find_processes(char *const *command, int processes)
{
    char wanted[24];
    snprintf(wanted, sizeof wanted, "%d", processes);
    for (int i = 1; command[i] != NULL && command[i + 1] != NULL; i++) {
        const bool named = strcmp(command[i], "-n") == 0 || strcmp(command[i], "-np") == 0;
        if (named && strcmp(command[i + 1], wanted) == 0)
            return i + 1;
    }
    return 0;
}

/* Run the program with the twin's second number of processes; stages that are not measured there
 * scale ideally.
 * @return false: it was not run */
static bool watch_target(const struct settings *settings, char **command,
                         const struct nereus_twin *now, struct source *after)
{
    const int processes = now->processes;
    char number[24];
    struct nereus_error err;
    const int offset = find_processes(command, processes);
    *after = (struct source){.twin = {.stage_count = 0}};
    if (offset == 0) {
        nereus_cli_note("the command has no -n %d, so that it was not watched with %lld process%s: "
                        "they are taken to be ideally faster",
                        processes, (long long)settings->nt, nereus_plural_es(settings->nt));
        return false;
    }
    char *const before = command[offset];
    snprintf(number, sizeof number, "%lld", (long long)settings->nt);
    command[offset] = number;
    const bool seen = watch_source(settings, command, now->iterations, after, &err) == NEREUS_OK;
    command[offset] = before;
    if (!seen) {
        nereus_cli_note("not watched with %lld process%s, which are taken to be ideally faster: %s",
                        (long long)settings->nt, nereus_plural_es(settings->nt), err.text);
    }
    if (seen && after->twin.iterations != now->iterations)
        nereus_cli_note("%lld iterations with %d process%s, and %lld with %d: these may be others, "
                        "and FactorS is that of these",
                        (long long)now->iterations, processes, nereus_plural_es(processes),
                        (long long)after->twin.iterations, after->twin.processes);
    return seen;
}

/* The file of messages stands beside the configuration: "twin.messages.csv" for "twin.ini". */
static void name_messages(const char *output, char path[PATH_MAX])
{
    const char *dot = strrchr(output, '.');
    const bool ini = dot != NULL && strcmp(dot, ".ini") == 0;
    snprintf(path, PATH_MAX, "%.*s.messages.csv", (int)(ini ? dot - output : (long)strlen(output)),
             output);
}

/* Write the messages of stages in which processes differ; without any there is no file. */
static enum nereus_status write_messages(const char *path, const struct nereus_twin *twin,
                                         const struct nereus_twin *next_twin,
                                         struct nereus_error *err)
{
    struct nereus_file_replace file;
    if (nereus_messages_write(twin, NULL) == 0)
        return NEREUS_OK;
    NEREUS_TRY(nereus_file_replace_begin(path, &file, err));
    fputs("processes,stage,from,to,bytes\n", file.stream);
    nereus_messages_write(twin, file.stream);
    if (next_twin != NULL && nereus_twin_has_same_stages(twin, next_twin))
        nereus_messages_write(next_twin, file.stream);
    return nereus_file_replace_commit(&file, err);
}

static enum nereus_status write_twin(const struct settings *settings, char *const *command,
                                     const struct nereus_twin *twin,
                                     const struct nereus_twin *next_twin, struct nereus_error *err)
{
    struct nereus_file_replace file;
    char text[COMMAND_TEXT], messages[PATH_MAX];
    name_messages(settings->output, messages);
    const struct nereus_twin_job job = {
        .constant_bytes =
            settings->constant_bytes >= 0 ? settings->constant_bytes : twin->constant_bytes,
        .variable_bytes =
            settings->variable_bytes >= 0 ? settings->variable_bytes : twin->variable_bytes,
        .iterations = settings->iterations,
        .iterations_after = settings->iterations_after,
        .nt = settings->nt,
        .method = settings->method,
        .next_twin = next_twin,
        .messages = messages};
    join_words(command, text);
    NEREUS_TRY(write_messages(messages, twin, next_twin, err));
    NEREUS_TRY(nereus_file_replace_begin(settings->output, &file, err));
    nereus_twin_write(twin, &job, text, file.stream);
    return nereus_file_replace_commit(&file, err);
}

static void print_iteration(const struct nereus_twin *twin)
{
    char name[40] = "mean";
    if (twin->quantile >= 0)
        snprintf(name, sizeof name, "%g quantile", twin->quantile);
    printf("iteration: %.4g ms (%s of %lld, %d process%s); %.0f %% computing, the rest in MPI\n",
           1e3 * twin->times.iteration_s, name, (long long)twin->iterations - 1, twin->processes,
           nereus_plural_es(twin->processes),
           100 * twin->times.compute_s / twin->times.iteration_s);
    if (twin->times.runnable_wait_s > coreless_share * twin->times.iteration_s) {
        printf("without a core: %.4g ms of an iteration in the mean, which are not computing; "
               "the twin waits for cores in its own way\n",
               1e3 * twin->times.runnable_wait_s);
    }
}

static void print_stage(const struct nereus_twin_stage *stage)
{
    if (stage->by_rank_s != NULL) {
        printf("  %-15s %.4g ms", "compute", 1e3 * stage->compute_s);
    } else if (stage->message_count > 0) {
        int64_t bytes = 0;
        for (int k = 0; k < stage->message_count; k++)
            bytes += stage->messages[k].bytes;
        printf("  %-15s %d message%s, %lld bytes in all", stage->type, stage->message_count,
               nereus_plural_s(stage->message_count), (long long)bytes);
    } else if (strcmp(stage->type, "wait") == 0 || strcmp(stage->type, "barrier") == 0) {
        printf("  %s", stage->type);
    } else {
        printf("  %-15s %lld byte%s", stage->type, (long long)stage->bytes,
               nereus_plural_s(stage->bytes));
    }
    if (stage->processes > 1)
        printf(", in parts of %d processes", stage->processes);
    if (stage->root > 0)
        printf(", root %d", stage->root);
    if (fabs(stage->interval_iterations - 1) > 1e-9)
        printf(", every %.4g iterations", stage->interval_iterations);
    fputc('\n', stdout);
}

static void print_twin(const struct settings *settings, const struct source *now,
                       const struct nereus_twin *next_twin)
{
    const struct nereus_twin *twin = &now->twin;
    print_iteration(twin);
    for (int i = 0; i < twin->stage_count; i++)
        print_stage(&twin->stages[i]);
    if (next_twin != NULL)
        print_iteration(next_twin);
    if (twin->constant_bytes + twin->variable_bytes > 0) {
        printf("registered: %lld + %lld bytes (constant + variable)\n",
               (long long)twin->constant_bytes, (long long)twin->variable_bytes);
    }
    nereus_twin_unseen_print(&now->watched, twin);
    printf("twin: %s\n", settings->output);
}

static enum nereus_status check_twin(const struct settings *settings, char *const *command,
                                     const struct nereus_twin *twin, struct nereus_error *err)
{
    const struct nereus_twin_check check = {.command = command,
                                            .file = settings->output,
                                            .twin = twin,
                                            .iterations = twin->iterations,
                                            .repeats =
                                                settings->repeats > 0 ? settings->repeats : 1,
                                            .limit_s = settings->limit_s};
    return nereus_twin_check_run(&check, err);
}

static enum nereus_status make_twin(const struct settings *settings, char **command,
                                    struct nereus_error *err)
{
    struct source now, after = {.twin = {.stage_count = 0}};
    enum nereus_status status = watch_source(settings, command, 0, &now, err);
    if (status == NEREUS_OK) {
        const bool seen = settings->nt > 0 && settings->nt != now.twin.processes &&
                          watch_target(settings, command, &now.twin, &after);
        const struct nereus_twin *then = seen ? &after.twin : NULL;
        status = write_twin(settings, command, &now.twin, then, err);
        if (status == NEREUS_OK)
            print_twin(settings, &now, then);
        if (status == NEREUS_OK && now.twin.unseen.differing_processes > 0) {
            nereus_cli_note(
                "%d process%s %s other calls than rank 0: the twin has those of rank 0",
                now.twin.unseen.differing_processes,
                nereus_plural_es(now.twin.unseen.differing_processes),
                nereus_choose_plural(now.twin.unseen.differing_processes, "makes", "make"));
        }
        if (status == NEREUS_OK && settings->check)
            status = check_twin(settings, command, &now.twin, err);
    }
    source_fini(&now);
    source_fini(&after);
    return status;
}

static enum nereus_status check_settings(const struct settings *settings, struct nereus_error *err)
{
    struct nereus_method method;
    if (settings->quantile > 1) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--quantile must be 0 to 1, not %g",
                           settings->quantile);
    }
    if (settings->nt == 0 && (settings->method != NULL || settings->iterations_after > 0)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--%s is %s another size: give --nt, too",
                           settings->method != NULL ? "method" : "iterations-after",
                           settings->method != NULL ? "how to get to" : "with");
    }
    if (settings->repeats > 0 && !settings->check)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--repeats is for --check: give that, too");
    if (settings->check && settings->nt > 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--check compares without a change of size: leave --nt out");
    }
    if (settings->method == NULL)
        return NEREUS_OK;
    return nereus_method_parse(settings->method, &method, err);
}

static const char help[] =
    "Runs the COMMAND, an MPI program under its launcher, watches its MPI calls (nothing has to be "
    "compiled anew), finds the iteration that repeats, and writes a configuration of nereus-sam "
    "with the same computing, process by process, and the same calls. `nereus run TWIN.ini` runs "
    "the twin. Iterations are found by themselves, between malleability points, or between calls "
    "of MPI_Pcontrol(1).";

static const struct nereus_plain_line plain = {"-- COMMAND...",        help, table,
                                               NEREUS_COUNT_OF(table), 1,    INT_MAX};

int nereus_cmd_twin(int argc, char **argv)
{
    struct settings settings = {
        .output = "twin.ini", .constant_bytes = -1, .variable_bytes = -1, .quantile = -1};
    struct nereus_arguments command;
    struct nereus_error err;
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &command, &exit_status))
        return exit_status;
    if (check_settings(&settings, &err) != NEREUS_OK)
        return nereus_cli_fail_usage("%s", err.text);
    return make_twin(&settings, command.items, &err) == NEREUS_OK ? NEREUS_EXIT_OK
                                                                  : nereus_cli_fail("%s", err.text);
}
