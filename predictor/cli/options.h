/**
 * @file options.h
 * One table of options for parser, help, manual page and completion: a command declares its
 * options and where each value is stored; values are checked.
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
#ifndef NEREUS_OPTIONS_H
#define NEREUS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nereus/status.h"

#define NEREUS_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/** Kind of a value, and the type that it is stored as. */
enum nereus_option_kind {
    NEREUS_OPTION_FLAG,    /**< bool; takes no value */
    NEREUS_OPTION_COUNT,   /**< int64_t, at least 1 */
    NEREUS_OPTION_NATURAL, /**< int64_t, at least 0 */
    NEREUS_OPTION_BYTES,   /**< int64_t, at least 0, with units (values.h) */
    NEREUS_OPTION_SECONDS, /**< double above 0, with units */
    NEREUS_OPTION_NUMBER,  /**< double, at least 0 */
    NEREUS_OPTION_TEXT,    /**< const char *, not empty; points into argv */
    NEREUS_OPTION_CHOICE   /**< int: index in `choices` */
};

struct nereus_option {
    const char *name; /**< without "--" */
    char letter;      /**< short form, 0 for none */
    enum nereus_option_kind kind;
    const char *metavar; /**< "N", "FILE"; NULL for a flag */
    const char *help;
    size_t offset; /**< of the value in the group's storage */
    /** Ended by NULL. Of a CHOICE: all words. Of a TEXT: words that have a meaning of their own,
     * for manuals and completion; others are taken too. NULL: none */
    const char *const *choices;
};

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

/** Positional arguments in order; points into argv. */
struct nereus_arguments {
    char **items;
    int count;
};

/**
 * Parse a command line. Values go into the groups' storage; the value of an option that is not
 * given stays. --help is always accepted.
 * @param[out] arguments    may be NULL
 * @param[out] exit_status  written when false is returned
 * @return true: go on; false: help or a sentence was printed, leave with *exit_status
 */
bool nereus_options_parse(const struct nereus_command_line *line, int argc, char **argv,
                          struct nereus_arguments *arguments, int *exit_status);

/** A command with one argument, which must be given, and one table of options. */
struct nereus_plain_line {
    const char *argument_help, *help;
    const struct nereus_option *options;
    size_t count;
};
/** The same for it. @param[in,out] storage  of its options @param[out] argument  into argv */
bool nereus_options_parse_plain(const struct nereus_plain_line *plain, void *storage, int argc,
                                char **argv, const char **argument, int *exit_status);

/**
 * From now on --help calls this with what the command takes, and prints nothing: so that manual
 * pages and completion are made from the tables of the parser. NULL: --help prints again.
 */
typedef void nereus_line_visit(void *user, const struct nereus_command_line *line);
void nereus_options_visit(nereus_line_visit *visit, void *user);

/**
 * The ending of the files that a metavar names: ".json" of "PROFILE.json", ".csv" of "FILE.csv...",
 * "" of "FILE"; NULL: it names no file.
 * @param[out] suffix  its storage
 */
const char *nereus_metavar_suffix(const char *metavar, char suffix[16]);

/** Check and store one value, as the option's kind has it. @param what  begins a sentence about it */
enum nereus_status nereus_option_store(const char *what, const struct nereus_option *option,
                                       const char *text, void *storage, struct nereus_error *err);

/** " (did you mean 'x'?)", or "" without a near one; in the caller's buffer, which is returned. */
char *nereus_did_you_mean(const char *word, const char *const *known, size_t count, char *text,
                          size_t bytes);

#endif
