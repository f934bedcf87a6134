/**
 * @file help.h
 * Prints `nereus --help` and `nereus help COMMAND`, and writes the manual pages and completion of
 * all commands. `group` is the row of a group, or NULL for the first level.
 */
#pragma once

#include "command_table.h"

/** Print the line "Usage: ...". */
void nereus_help_print_usage(const struct nereus_command *group);

/** Print the list of commands. */
void nereus_help_print(const struct nereus_command *group);

/** The command `nereus help [[GROUP] COMMAND]`.
 * @return the exit status */
int nereus_help(int argc, char **argv);

/** Print "a command is missing", with the list of a group.
 * @return NEREUS_EXIT_USAGE */
int nereus_help_fail_missing(const struct nereus_command *group);

/** Print "unknown command ...", with the nearest one.
 * @return NEREUS_EXIT_USAGE */
int nereus_help_fail_unknown(const struct nereus_command *group, const char *name);
