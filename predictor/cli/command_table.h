/**
 * @file command_table.h
 * Declares the table of commands: rows of NEREUS_COMMANDS with their functions, for dispatch, help,
 * manual pages and completion.
 */
#pragma once

#include "model/util/base.h"

struct nereus_command {
    const char *group;   /**< word in front of the name; "": none */
    const char *name;    /**< name of the command; in a group's own row, of the group */
    const char *summary; /**< one line for `nereus help`, without a full stop */
    /**
     * NULL in a group's own row. argv[0] is "nereus GROUP NAME". Returns the exit status; a
     * failure to write standard output is reported at exit (model/util/standard_output.h).
     */
    int (*run)(int argc, char **argv);
};

/**
 * The table of main.c, set before any other call; a group's row precedes those of its commands. It
 * is set at run time so that this library does not depend on the functions of all commands.
 */
extern const struct nereus_command *nereus_commands;
extern size_t nereus_command_count;

enum { NEREUS_COMMANDS_MAX = 64, NEREUS_COMMAND_TITLE_MAX = 48 };

/** Find the row of a command or group; NULL: none.
 * @param group  "" for the first level */
const struct nereus_command *nereus_command_find(const char *group, const char *name);

/** Print the title, "job resize", with `between` instead of the blank.
 * @return title */
char *nereus_command_title(const struct nereus_command *command, char between,
                           char title[NEREUS_COMMAND_TITLE_MAX]);

/** List the names in a group ("": of the first level), ended by NULL.
 * @return their number */
size_t nereus_command_names(const char *group, const char *names[NEREUS_COMMANDS_MAX]);

/** Run a command.
 * @param[in] argv  argv[0] is replaced by "nereus TITLE"
 * @return its exit status */
int nereus_command_run(const struct nereus_command *command, int argc, char **argv);
