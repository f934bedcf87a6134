/**
 * @file help.h
 * `nereus --help`, `nereus help COMMAND`, and the manual pages and completion of all commands.
 */
#ifndef NEREUS_HELP_H
#define NEREUS_HELP_H

#include "command.h"

/** The list of commands. */
void nereus_help_print(const struct command *const *commands, int count);

/** Run a command. @param[in] argv  argv[0] is replaced by "nereus NAME" @return its exit status */
int nereus_help_run(const struct command *command, int argc, char **argv);

/** `nereus help [COMMAND]`. @param[in] argv  argv[0] is the word "help" @return the exit status */
int nereus_help(const struct command *const *commands, int count, int argc, char **argv);

/** "unknown command ..." with the nearest one. @return NEREUS_EXIT_USAGE */
int nereus_help_unknown(const struct command *const *commands, int count, const char *name);

#endif
