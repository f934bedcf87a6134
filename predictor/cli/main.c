/**
 * @file main.c
 * The `nereus` command: the table of its commands, --help, --version. Each command is a file
 * cmd_NAME.c.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "help.h"
#include "nereus_commit.h"
#include "nereus_mpi_config.h"
#include "options.h"
#include "profile_in_use.h"

/* In the order in which a new user needs them. */
#define COMMAND_LIST(X)                                                                            \
    X(doctor)                                                                                      \
    X(calibrate)                                                                                   \
    X(fit)                                                                                         \
    X(profile)                                                                                     \
    X(predict)                                                                                     \
    X(advise)                                                                                      \
    X(map)                                                                                         \
    X(plan)                                                                                        \
    X(run)                                                                                         \
    X(top)                                                                                         \
    X(report)                                                                                      \
    X(trace)                                                                                       \
    X(jobs)                                                                                        \
    X(status)                                                                                      \
    X(resize) X(release) X(offer) X(wait) X(twin) X(validate) X(compare) X(study) X(simulate)      \
        X(convert) X(workload) X(policy) X(explain_decision) X(sbatch) X(broker)

#define DECLARE(name) extern const struct command nereus_cmd_##name;
COMMAND_LIST(DECLARE)
#undef DECLARE

#define REFER(name) &nereus_cmd_##name,
static const struct command *const commands[] = {COMMAND_LIST(REFER)};
#undef REFER
enum { COMMAND_COUNT = (int)NEREUS_COUNT_OF(commands) };

static void print_version(void)
{
    const char *source, *profile = nereus_cli_profile_in_use(&source);
    printf("nereus %s\n", NEREUS_VERSION);
    printf("commit: %s\n", NEREUS_COMMIT[0] != '\0' ? NEREUS_COMMIT : "unknown (no git checkout)");
    printf("MPI: %s\n", NEREUS_HAVE_MPI ? NEREUS_MPI_VERSION_STRING : "none (predictions only)");
    if (profile != NULL) {
        printf("profile: %s (%s)\n", profile, source);
    } else {
        puts("profile: none (`nereus calibrate` installs one)");
    }
}

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

/* A closed standard stream must not become the descriptor of the next opened file, and writing
 * to it must still fail. */
static void occupy_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd) {
            exit(NEREUS_EXIT_FAILED);
        }
    }
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        return nereus_cli_fail_usage("a command is missing; see nereus --help");
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        nereus_help_print(commands, COMMAND_COUNT);
        return NEREUS_EXIT_OK;
    }
    if (strcmp(word, "help") == 0) {
        return nereus_help(commands, COMMAND_COUNT, argc - 1, argv + 1);
    }
    if (strcmp(word, "--version") == 0) {
        print_version();
        return NEREUS_EXIT_OK;
    }
    const struct command *command = find_command(word);
    return command == NULL ? nereus_help_unknown(commands, COMMAND_COUNT, word)
                           : nereus_help_run(command, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    occupy_closed_streams();
    nereus_cli_begin();
    return dispatch(argc, argv);
}
