/**
 * @file manual.h
 * Writes manual pages in man(7) and completion for bash, zsh and fish, from the tables that the
 * parser uses.
 */
#pragma once

#include "command_table.h"
#include "predictor/cli/options.h"

/** Begin a page: title line and NAME. */
void nereus_manual_begin(FILE *page, const char *name, const char *summary);

/** Write the page of a command. */
void nereus_manual_print_command(FILE *page, const struct nereus_command *command,
                                 const struct nereus_command_line *line);

/** Write the page of a group. */
void nereus_manual_print_group(FILE *page, const struct nereus_command *group);

/** Write the page of `nereus` itself. */
void nereus_manual_print_nereus(FILE *page);

/** A completion script: its beginning, a part for each command, its end. */
struct nereus_completion {
    const char *file; /**< below share/, as the shell looks for it */
    void (*begin)(FILE *script);
    void (*command)(FILE *script, const struct nereus_command *command,
                    const struct nereus_command_line *line);
    void (*end)(FILE *script);
};
enum { NEREUS_SHELLS = 3 };
extern const struct nereus_completion *const nereus_completions[NEREUS_SHELLS];

/** Print an option of a command. */
typedef void nereus_option_visit(FILE *stream, const struct nereus_option *option);
/** Visit each option of a command in the order of --help, and those that all commands have. */
void nereus_manual_print_options(FILE *stream, const struct nereus_command_line *line,
                                 nereus_option_visit *visit);
