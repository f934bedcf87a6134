/**
 * @file cmd_run.c
 * The command nereus run: starts the synthetic application under mpiexec, with the number of
 * processes that its file gives, or a program; --policy and --balance have it decide about its
 * processes and its data.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
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

enum { WORDS_MAX = 12, VARIABLES_MAX = 5 };

/* Variables of the job, as "NAME=VALUE". */
struct variables {
    char *text[VARIABLES_MAX];
    int count;
};

static bool add_variable(struct variables *variables, const char *name, const char *value)
{
    char **text = &variables->text[variables->count];
    if (value == NULL)
        return true;
    if (asprintf(text, "%s=%s", name, value) < 0) {
        *text = NULL;
        return false;
    }
    variables->count++;
    return true;
}

static bool make_variables(const struct settings *settings, struct variables *variables)
{
    char every[24];
    snprintf(every, sizeof every, "%lld", (long long)settings->balance);
    return add_variable(variables, "NEREUS_JOB", settings->job) &&
           add_variable(variables, "NEREUS_POLICY", settings->policy) &&
           add_variable(variables, "NEREUS_BALANCE", settings->balance > 0 ? every : NULL) &&
           add_variable(variables, "NEREUS_MONITOR", settings->monitor);
}

/* Make the command line "MPIEXEC -n COUNT ARGUMENTS"; the caller frees the list, not the words. */
static const char **make_line(const char *mpiexec, const char *count, const char *const *arguments)
{
    size_t length = 0;
    while (arguments[length] != NULL)
        length++;
    const char **line = calloc(length + 4, sizeof *line);
    if (line != NULL) {
        line[0] = mpiexec;
        line[1] = "-n";
        line[2] = count;
        memcpy(line + 3, arguments, length * sizeof *arguments);
    }
    return line;
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
 * @param arguments  program and its arguments, ended by NULL */
static int start_job(const struct settings *settings, const char *mpiexec,
                     const char *const *arguments)
{
    char count[24];
    struct variables variables = {.count = 0};
    struct nereus_child_result result;
    struct nereus_error err;
    int exit_status;
    snprintf(count, sizeof count, "%lld", (long long)settings->processes);
    const char **line = make_line(mpiexec, count, arguments);
    const struct nereus_child child = {.argv = line,
                                       .environment = (const char *const *)variables.text,
                                       .limit_s = settings->limit_s};
    if (line == NULL || !make_variables(settings, &variables))
        exit_status = nereus_cli_fail("no memory to start a job");
    else if (nereus_child_run(&child, &result, &err) != NEREUS_OK)
        exit_status = nereus_cli_fail("%s", err.text);
    else
        exit_status = print_end(&child, &result);
    for (int i = 0; i < variables.count; i++)
        free(variables.text[i]);
    free(line);
    return exit_status;
}

static int start_sam(struct settings *settings, const char *mpiexec, const char *file)
{
    char program[PATH_MAX];
    const char *arguments[WORDS_MAX];
    struct nereus_error err;
    int64_t first = 0;
    int count = 0;
    if (nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-sam", program, &err) != NEREUS_OK ||
        nereus_sam_query(program, file, &first, &err) != NEREUS_OK)
        return nereus_cli_fail("%s", err.text);
    if (settings->processes == 0)
        settings->processes = first;
    arguments[count++] = program;
    if (settings->results != NULL) {
        arguments[count++] = "--results";
        arguments[count++] = settings->results;
    }
    arguments[count++] = "--format";
    arguments[count++] = formats[settings->format];
    arguments[count++] = "--";
    arguments[count++] = file;
    arguments[count] = NULL;
    return start_job(settings, mpiexec, arguments);
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
    return start_job(settings, mpiexec, (const char *const *)items);
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
