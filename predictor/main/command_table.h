/**
 * @file command_table.h
 * The rows of NEREUS_COMMANDS with the functions of the commands, and how to look one up.
 */
#ifndef NEREUS_COMMAND_TABLE_H
#define NEREUS_COMMAND_TABLE_H

#include <stddef.h>

struct command {
    const char *group;   /**< word in front of the name; "": none */
    const char *name;    /**< of a group's own row, the group's */
    const char *summary; /**< one line for `nereus help`, without a full stop */
    /**
     * NULL in a group's own row. argv[0] is "nereus GROUP NAME". Returns the exit status; main sees
     * to it that standard output could be written (model/util/standard_output.h).
     */
    int (*run)(int argc, char **argv);
};

/**
 * main.c's table, which it sets before anything else: a group's row comes before those of its
 * commands. Only main.c knows their functions, so that no room calls all others.
 */
extern const struct command *nereus_commands;
extern size_t nereus_command_count;

enum { NEREUS_COMMANDS_MAX = 64, NEREUS_COMMAND_TITLE_MAX = 48 };

/** The row of a word at that level; NULL: there is none. @param group  "" for the first word */
const struct command *nereus_command_find(const char *group, const char *name);

/** "job resize", with `between` for the blank. @return title */
char *nereus_command_title(const struct command *command, char between,
                           char title[NEREUS_COMMAND_TITLE_MAX]);

/** The words of that level, ended by NULL. @return how many */
size_t nereus_command_names(const char *group, const char *names[NEREUS_COMMANDS_MAX]);

/** Run a command. @param[in] argv  argv[0] is replaced by "nereus TITLE" @return its exit status */
int nereus_command_run(const struct command *command, int argc, char **argv);

#endif
