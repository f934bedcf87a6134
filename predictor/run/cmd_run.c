/**
 * @file cmd_run.c
 * The command nereus run: starts the synthetic application under mpiexec, with the number of
 * processes that its file gives, or a program; --policy and --balance have it decide about its
 * processes and its data.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "model/util/strings.h"
#include "predictor/cli/command.h"

struct settings {
    int64_t processes, balance;
    double limit_s;
    const char *results, *job, *policy, *monitor;
    int format;
    bool check, init;
};

static const char *const formats[] = {"text", "json", NULL};

static const struct nereus_option table[] = {
    {"processes", 'n', NEREUS_OPTION_COUNT, "N",
     "processes to start with (the Procs of the first group)", offsetof(struct settings, processes),
     NULL},
    {"check", 0, NEREUS_OPTION_FLAG, NULL, "describe what APP.ini does, without running it",
     offsetof(struct settings, check), NULL},
    {"init", 0, NEREUS_OPTION_FLAG, NULL,
     "write a commented APP.ini, which must not exist, without running it",
     offsetof(struct settings, init), NULL},
    {"results", 'r', NEREUS_OPTION_PLACE, "FILE",
     "also write the results to this file: JSON, or for .jsonl one event for each iteration, "
     "stage and step (for `nereus study report`)",
     offsetof(struct settings, results), NULL},
    {"job", 0, NEREUS_OPTION_TEXT, "NAME",
     "name of the job for external requests (nereus job status NAME)",
     offsetof(struct settings, job), NULL},
    {"policy", 0, NEREUS_OPTION_TEXT, "POLICY.ini",
     "the job's number of processes follows this policy (`nereus policy run --keys`), whose key "
     "log names the file for `nereus policy explain`",
     offsetof(struct settings, policy), NULL},
    {"balance", 0, NEREUS_OPTION_COUNT, "N",
     "balance the load every N malleability points, if it saves more time than it costs",
     offsetof(struct settings, balance), NULL},
    {"monitor", 0, NEREUS_OPTION_PLACE, "FILE.jsonl",
     "write work, MPI time and memory of each process to this file (for `nereus job top`)",
     offsetof(struct settings, monitor), NULL},
    {"format", 0, NEREUS_OPTION_CHOICE, "FORMAT", "text or json (text)",
     offsetof(struct settings, format), formats},
    {"limit", 0, NEREUS_OPTION_SECONDS, "TIME", "end the job after this long (no limit)",
     offsetof(struct settings, limit_s), NULL},
};

/* Print messages of nereus-sam under this command's name. */
static void print_line(void *user, const char *line, bool is_stderr)
{
    static const char own[] = "nereus-sam: ";
    (void)user;
    if (!is_stderr)
        puts(line);
    else if (nereus_text_begins_with(line, own))
        nereus_cli_fail("%s", line + strlen(own));
    else
        fprintf(stderr, "%s\n", line);
}

static int query_program(const char *program, const char *option, const char *file)
{
    const char *const argv[] = {program, option, "--", file, NULL};
    const struct nereus_child child = {.argv = argv, .limit_s = 30, .on_line = print_line};
    struct nereus_child_result result;
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_child_run(&child, &result, &err), err);
    return result.exit_status;
}

/* Begin the command line "MPIEXEC -n COUNT". */
static struct nereus_strings begin_line(const struct settings *settings, const char *mpiexec)
{
    struct nereus_strings line = {0};
    nereus_strings_add(&line, mpiexec);
    nereus_strings_add(&line, "-n");
    nereus_strings_add_format(&line, "%lld", (long long)settings->processes);
    return line;
}

/* Variables of the job, as "NAME=VALUE". */
static struct nereus_strings list_variables(const struct settings *settings)
{
    struct nereus_strings list = {0};
    if (settings->job != NULL)
        nereus_strings_add_format(&list, "NEREUS_JOB=%s", settings->job);
    if (settings->policy != NULL)
        nereus_strings_add_format(&list, "NEREUS_POLICY=%s", settings->policy);
    if (settings->balance > 0)
        nereus_strings_add_format(&list, "NEREUS_BALANCE=%lld", (long long)settings->balance);
    if (settings->monitor != NULL)
        nereus_strings_add_format(&list, "NEREUS_MONITOR=%s", settings->monitor);
    return list;
}

static int print_end(const struct nereus_child *child, const struct nereus_child_result *result)
{
    char outcome[96];
    if (result->timed_out || result->interrupt != 0 || result->exit_status != 0) {
        nereus_cli_fail("the job %s", nereus_child_format_outcome(child, result, outcome));
        return result->exit_status != 0 ? result->exit_status : NEREUS_EXIT_FAILED;
    }
    if (result->left_behind > 0) {
        return nereus_cli_fail(
            "the job ended well, but %d of its processes outlived it and had to be killed",
            result->left_behind);
    }
    return NEREUS_EXIT_OK;
}

/* Run a job.
 * @param line  its command line, which is freed */
static int start_job(const struct settings *settings, struct nereus_strings line)
{
    const struct nereus_strings variables = list_variables(settings);
    const struct nereus_child child = {.argv = (const char *const *)line.words,
                                       .environment = (const char *const *)variables.words,
                                       .limit_s = settings->limit_s};
    struct nereus_child_result result;
    struct nereus_error err;
    int exit_status;
    if (line.broken || variables.broken)
        exit_status = nereus_cli_fail("no memory to start a job");
    else if (nereus_child_run(&child, &result, &err) != NEREUS_OK)
        exit_status = nereus_cli_fail("%s", err.text);
    else
        exit_status = print_end(&child, &result);
    nereus_strings_free(line.words);
    nereus_strings_free(variables.words);
    return exit_status;
}

static int start_sam(struct settings *settings, const char *mpiexec, const char *file)
{
    char program[PATH_MAX];
    struct nereus_error err;
    int64_t first = 0;
    if (nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-sam", program, &err) != NEREUS_OK ||
        nereus_sam_query(program, file, &first, &err) != NEREUS_OK)
        return nereus_cli_fail("%s", err.text);
    if (settings->processes == 0)
        settings->processes = first;
    struct nereus_strings line = begin_line(settings, mpiexec);
    nereus_strings_add(&line, program);
    if (settings->results != NULL) {
        nereus_strings_add(&line, "--results");
        nereus_strings_add(&line, settings->results);
    }
    nereus_strings_add(&line, "--format");
    nereus_strings_add(&line, formats[settings->format]);
    nereus_strings_add(&line, "--");
    nereus_strings_add(&line, file);
    return start_job(settings, line);
}

/*
 * Is the word an executable path, or a program of Nereus (nereus-cg)?
 * @param[out] path  PATH_MAX characters
 */
static bool is_program(const char *word, char *path)
{
    struct nereus_error err;
    struct stat file_status;
    if (strchr(word, '/') == NULL)
        return nereus_program_find(NEREUS_PROGRAM_BIN, word, path, &err) == NEREUS_OK;
    snprintf(path, PATH_MAX, "%s", word);
    return stat(word, &file_status) == 0 && S_ISREG(file_status.st_mode) && access(word, X_OK) == 0;
}

/* Run a program.
 * @param items  the program and its arguments, ended by NULL; items[0] is the path that was found
 */
static int start_program(struct settings *settings, const char *mpiexec, char **items)
{
    if (settings->results != NULL || settings->format != 0 || settings->check || settings->init) {
        return nereus_cli_fail_usage(
            "--results, --format, --check and --init belong to an APP.ini, and %s is a program",
            items[0]);
    }
    if (settings->processes == 0)
        settings->processes = 1;
    struct nereus_strings line = begin_line(settings, mpiexec);
    nereus_strings_add_words(&line, items, SIZE_MAX);
    return start_job(settings, line);
}

static const char help[] =
    "Runs the synthetic application that APP.ini describes, which changes its number of processes "
    "while it runs, or a PROGRAM with libnereus and its arguments, as in `nereus run -n 2 -- "
    "nereus-cg --tolerance 0`. The exit status is the job's. `nereus-sam --keys` lists what "
    "APP.ini may hold.";

static const struct nereus_plain_line plain = {"APP.ini or PROGRAM...", help, table,
                                               NEREUS_COUNT_OF(table),  1,    INT_MAX};

int nereus_cmd_run(int argc, char **argv)
{
    struct settings settings = {0};
    struct nereus_arguments files;
    int exit_status;
    if (!nereus_options_parse_plain(&plain, &settings, argc, argv, &files, &exit_status))
        return exit_status;
    char mpiexec[PATH_MAX], program[PATH_MAX];
    struct nereus_error err;
    if (settings.check && settings.init)
        return nereus_cli_fail_usage("--check and --init are two commands: give one of them");
    if (strcmp(files.items[0], "-") == 0)
        return nereus_cli_fail_usage("standard input is the job's: name a file in place of -");
    const bool found = is_program(files.items[0], program);
    if (!found && files.count > 1) {
        return nereus_cli_fail_usage(
            "'%s' is no program that can be executed, so that '%s' is one argument too many",
            files.items[0], files.items[1]);
    }
    if (!found && (settings.check || settings.init)) {
        return nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-sam", program, &err) == NEREUS_OK
                   ? query_program(program, settings.init ? "--init" : "--check", files.items[0])
                   : nereus_cli_fail("%s", err.text);
    }
    NEREUS_CLI_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", mpiexec, &err), err);
    if (!found)
        return start_sam(&settings, mpiexec, files.items[0]);
    files.items[0] = program;
    return start_program(&settings, mpiexec, files.items);
}
