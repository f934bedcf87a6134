/**
 * @file cmd_run.c
 * nereus run: starts the synthetic application under mpiexec, with the number of processes that its
 * file gives.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "child.h"
#include "predictor/cli/command.h"
#include "predictor/cli/options.h"
#include "sam.h"

struct settings {
    int64_t processes;
    double limit_s;
    const char *results, *job;
    int format;
    bool check, init;
};

static const char *const formats[] = {"text", "json", NULL};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option table[] = {
    {"processes", 'n', NEREUS_OPTION_COUNT, "N",
     "processes to start with (the Procs of the first group)", AT(processes), NULL},
    {"check", 0, NEREUS_OPTION_FLAG, NULL, "say in words what APP.ini does, and end", AT(check),
     NULL},
    {"init", 0, NEREUS_OPTION_FLAG, NULL,
     "write a commented APP.ini, which must not exist, and end", AT(init), NULL},
    {"results", 'r', NEREUS_OPTION_TEXT, "FILE",
     "write the results there, too: JSON, or with the ending .jsonl an event for each iteration, "
     "stage and step (for `nereus report`)",
     AT(results), NULL},
    {"job", 0, NEREUS_OPTION_TEXT, "NAME", "the job answers under this name (nereus status NAME)",
     AT(job), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)", AT(format), formats},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME", "end the job after this long (no limit)",
     AT(limit_s), NULL},
};

/* What nereus-sam says without a job, under this command's name. */
static void hand_on(void *user, const char *line, bool is_stderr)
{
    static const char own[] = "nereus-sam: ";
    (void)user;
    if (!is_stderr) {
        puts(line);
    } else if (strncmp(line, own, strlen(own)) == 0) {
        nereus_cli_fail("%s", line + strlen(own));
    } else {
        fprintf(stderr, "%s\n", line);
    }
}

static int ask(const char *program, const char *option, const char *file)
{
    const char *const argv[] = {program, option, "--", file, NULL};
    const struct nereus_child child = {.argv = argv, .limit_s = 30, .on_line = hand_on};
    struct nereus_child_result result;
    struct nereus_error err;
    if (nereus_child_run(&child, &result, &err) != NEREUS_OK) {
        return nereus_cli_fail("%s", err.text);
    }
    return result.exit_status;
}

static int start(const struct settings *settings, const char *mpiexec, const char *program,
                 const char *file)
{
    char count[24], outcome[96], name[80];
    const char *const environment[] = {name, NULL};
    const char *argv[16];
    int words = 0;
    snprintf(count, sizeof count, "%" PRId64, settings->processes);
    argv[words++] = mpiexec;
    argv[words++] = "-n";
    argv[words++] = count;
    argv[words++] = program;
    if (settings->results != NULL) {
        argv[words++] = "--results";
        argv[words++] = settings->results;
    }
    argv[words++] = "--format";
    argv[words++] = formats[settings->format];
    argv[words++] = "--";
    argv[words++] = file;
    argv[words] = NULL;
    snprintf(name, sizeof name, "NEREUS_JOB=%s", settings->job != NULL ? settings->job : "");
    const struct nereus_child child = {.argv = argv,
                                       .environment = settings->job != NULL ? environment : NULL,
                                       .limit_s = settings->limit_s};
    struct nereus_child_result result;
    struct nereus_error err;
    if (nereus_child_run(&child, &result, &err) != NEREUS_OK) {
        return nereus_cli_fail("%s", err.text);
    }
    if (result.timed_out || result.interrupt != 0 || result.exit_status != 0) {
        nereus_cli_fail("the job %s", nereus_child_outcome(&child, &result, outcome));
        return result.exit_status != 0 ? result.exit_status : NEREUS_EXIT_FAILED;
    }
    if (result.left_behind > 0) {
        return nereus_cli_fail(
            "the job ended well, but %d of its processes outlived it and had to be killed",
            result.left_behind);
    }
    return NEREUS_EXIT_OK;
}

static const char help[] =
    "Runs the synthetic application that APP.ini describes, which changes its number of processes "
    "while it runs. The exit status is the job's. `nereus-sam --keys` lists what the file may "
    "hold.";

static int run(int argc, char **argv)
{
    struct settings settings = {0};
    const struct nereus_option_group groups[] = {{NULL, table, NEREUS_COUNT_OF(table), &settings}};
    const struct nereus_command_line line = {.arguments_help = "APP.ini",
                                             .help = help,
                                             .groups = groups,
                                             .group_count = NEREUS_COUNT_OF(groups),
                                             .min_arguments = 1,
                                             .max_arguments = 1};
    struct nereus_arguments files;
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, &files, &exit_status)) {
        return exit_status;
    }
    char mpiexec[PATH_MAX], program[PATH_MAX];
    struct nereus_error err;
    int64_t first = 0;
    if (settings.check && settings.init) {
        return nereus_cli_fail_usage("--check and --init are two commands: give one of them");
    }
    if (settings.check || settings.init) {
        return nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-sam", program, &err) == NEREUS_OK
                   ? ask(program, settings.init ? "--init" : "--check", files.items[0])
                   : nereus_cli_fail("%s", err.text);
    }
    if (nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", mpiexec, &err) != NEREUS_OK ||
        nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-sam", program, &err) != NEREUS_OK ||
        nereus_sam_ask(program, files.items[0], &first, &err) != NEREUS_OK) {
        return nereus_cli_fail("%s", err.text);
    }
    if (settings.processes == 0) {
        settings.processes = first;
    }
    return start(&settings, mpiexec, program, files.items[0]);
}

const struct command nereus_cmd_run = {"run", "run a synthetic application that reconfigures live",
                                       run};
