/** @file command_table.c  Looks up the table of commands: see command_table.h. */
#include "command_table.h"

#include "predictor/cli/command.h"

const struct nereus_command *nereus_commands;
size_t nereus_command_count;

const struct nereus_command *nereus_command_find(const char *group, const char *name)
{
    for (size_t i = 0; i < nereus_command_count; i++)
        if (strcmp(nereus_commands[i].group, group) == 0 &&
            strcmp(nereus_commands[i].name, name) == 0)
            return &nereus_commands[i];
    return NULL;
}

char *nereus_command_title(const struct nereus_command *command, char between,
                           char title[NEREUS_COMMAND_TITLE_MAX])
{
    const bool is_member = command->group[0] != '\0';
    snprintf(title, NEREUS_COMMAND_TITLE_MAX, "%s%.*s%s", command->group, is_member ? 1 : 0,
             &between, command->name);
    return title;
}

size_t nereus_command_names(const char *group, const char *names[NEREUS_COMMANDS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < nereus_command_count; i++)
        if (strcmp(nereus_commands[i].group, group) == 0)
            names[count++] = nereus_commands[i].name;
    names[count] = NULL;
    return count;
}

int nereus_command_run(const struct nereus_command *command, int argc, char **argv)
{
    static char title[NEREUS_COMMAND_TITLE_MAX]; /* for messages, to the end of the process */
    char name[NEREUS_COMMAND_TITLE_MAX + sizeof "nereus "];
    nereus_command_title(command, ' ', title);
    snprintf(name, sizeof name, "nereus %s", title);
    argv[0] = name;
    nereus_cli_set_command(title);
    return command->run(argc, argv);
}
