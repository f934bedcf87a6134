/**
 * @file help.h
 * `nereus --help`, `nereus help COMMAND`, and the manual pages and completion of all commands. A
 * group is the row of one, or NULL for the first level.
 */
#ifndef NEREUS_PREDICTOR_CLI_HELP_H
#define NEREUS_PREDICTOR_CLI_HELP_H

#include "command_table.h"

/** The line "Usage: ...". */
void nereus_help_usage(const struct command *group);

/** The list of commands. */
void nereus_help_print(const struct command *group);

/** `nereus help [[GROUP] COMMAND]`. @return the exit status */
int nereus_help(int argc, char **argv);

/** "a command is missing", with the list of a group. @return NEREUS_EXIT_USAGE */
int nereus_help_missing(const struct command *group);

/** "unknown command ..." with the nearest one. @return NEREUS_EXIT_USAGE */
int nereus_help_unknown(const struct command *group, const char *name);

#endif
