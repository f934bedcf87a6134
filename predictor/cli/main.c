/**
 * @file main.c
 * The program `nereus`: runs the command of the table that the first words name.
 */
#include <fcntl.h>
#include <unistd.h>

#include "help.h"
#include "predictor/cli/command.h"

#define ROW_OF_COMMAND(name, summary)       {"", #name, summary, nereus_cmd_##name},
#define ROW_OF_GROUP(group, summary)        {"", #group, summary, NULL},
#define ROW_OF_MEMBER(group, name, summary) {#group, #name, summary, nereus_cmd_##group##_##name},
static const struct nereus_command commands[] = {
    NEREUS_COMMANDS(ROW_OF_COMMAND, ROW_OF_GROUP,
                    ROW_OF_MEMBER){"", "help", "print what a command takes", nereus_help}};
_Static_assert(NEREUS_COUNT_OF(commands) < NEREUS_COMMANDS_MAX, "lists of names have room");

/* Open closed standard streams read-only: otherwise the next opened file would get their
 * descriptor, and messages would be written into it. Writing still fails. */
static void open_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
            exit(NEREUS_EXIT_FAILED);
}

/* Run the command argv[1] of a group (NULL: the first level). */
static int run_command(const struct nereus_command *group, int argc, char **argv)
{
    if (argc < 2)
        return nereus_help_fail_missing(group);
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        nereus_help_print(group);
        return NEREUS_EXIT_OK;
    }
    if (strcmp(word, "--usage") == 0) {
        nereus_help_print_usage(group);
        return NEREUS_EXIT_OK;
    }
    if (strcmp(word, "--version") == 0) {
        nereus_version_print();
        return NEREUS_EXIT_OK;
    }
    const struct nereus_command *command =
        nereus_command_find(group == NULL ? "" : group->name, word);
    if (command == NULL)
        return nereus_help_fail_unknown(group, word);
    if (command->run != NULL)
        return nereus_command_run(command, argc - 1, argv + 1);
    nereus_cli_set_command(command->name);
    return run_command(command, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    open_closed_streams();
    nereus_cli_init();
    nereus_commands = commands;
    nereus_command_count = NEREUS_COUNT_OF(commands);
    return run_command(NULL, argc, argv);
}
