/**
 * @file options.h
 * Parses command lines by a table of options, which help, manual page and completion use, too: a
 * command declares its options and where each value is stored; values are checked.
 *
 *     struct settings { int64_t ns; double t_iter_s; const char *profile; };
 *     static const struct nereus_option table[] = {
 *         {"ns", 0, NEREUS_OPTION_COUNT, "N", "processes now", offsetof(struct settings, ns),
 *         NULL},
 *         ...
 *     };
 *     struct settings settings = {.ns = 0};                       // defaults first
 *     const struct nereus_option_group groups[] = {{"Sizes", table, NEREUS_COUNT_OF(table),
 *     &settings}};
 *     const struct nereus_command_line line = {.arguments_help = "SAMPLES.csv...",
 *                                              .help = "Fits a profile.",
 *                                              .groups = groups,
 *                                              .group_count = 1,
 *                                              .min_arguments = 1,
 *                                              .max_arguments = INT_MAX};
 *     struct nereus_arguments arguments;
 *     int status;
 *     if (!nereus_options_parse(&line, argc, argv, &arguments, &status)) return status;
 *
 * An invalid value, a missing one and a misspelt option (with the nearest name) each give one
 * sentence.
 */
#pragma once

#include "model/util/option.h"

/** Options that belong together in --help and are stored in one struct. */
struct nereus_option_group {
    const char *title; /**< NULL: none */
    const struct nereus_option *options;
    size_t count;
    void *storage;
};

struct nereus_command_line {
    const char *arguments_help; /**< "SAMPLES.csv..."; NULL: takes none */
    /** words of which the first positional argument is one, ended by NULL; NULL: any */
    const char *const *argument_choices;
    const char *help; /**< a few sentences for --help */
    const struct nereus_option_group *groups;
    size_t group_count;
    int min_arguments, max_arguments; /**< positional arguments */
};

/** Make the command line of an array of groups. */
#define NEREUS_COMMAND_LINE(arguments, text, table, min, max)                                      \
    {                                                                                              \
        .arguments_help = arguments, .help = text, .groups = table,                                \
        .group_count = NEREUS_COUNT_OF(table), .min_arguments = min, .max_arguments = max          \
    }

/** Options that every command takes besides its own. */
enum { NEREUS_COMMON_OPTIONS = 3 };
extern const struct nereus_option nereus_common_options[NEREUS_COMMON_OPTIONS];

/** Positional arguments in order, with NULL after them; points into argv. */
struct nereus_arguments {
    char **items;
    int count;
};

/**
 * Parse a command line. Values go into the groups' storage; the value of an option that is not
 * given is unchanged. --help, --usage and --version are always accepted.
 * @param[out] arguments    may be NULL
 * @param[out] exit_status  written when false is returned
 * @return true: continue; false: help or a message was printed, exit with *exit_status
 */
bool nereus_options_parse(const struct nereus_command_line *line, int argc, char **argv,
                          struct nereus_arguments *arguments, int *exit_status);

/** A command with one table of options; the other members are as above. */
struct nereus_plain_line {
    const char *arguments_help, *help;
    const struct nereus_option *options;
    size_t count;
    int min_arguments, max_arguments;
};
/**
 * As nereus_options_parse, for such a line.
 * @param[in,out] storage  struct that takes the values
 */
bool nereus_options_parse_plain(const struct nereus_plain_line *plain, void *storage, int argc,
                                char **argv, struct nereus_arguments *arguments, int *exit_status);

/**
 * Make --help call `visit` with the command line instead of printing it: manual pages and
 * completion are written from the tables of the parser. NULL: --help prints again.
 */
typedef void nereus_line_visit(void *user, const struct nereus_command_line *line);
void nereus_options_visit(nereus_line_visit *visit, void *user);

/** Find the ending of the files that a metavar names: ".json" of "PROFILE.json", ".csv" of
 * "FILE.csv...", "" of "FILE"; NULL: it names no file.
 * @param[out] suffix  storage of the ending */
const char *nereus_metavar_suffix(const char *metavar, char suffix[16]);
