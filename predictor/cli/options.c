/**
 * @file options.c
 * One table of options for parser and help. argp splits the command line and formats --help; its
 * messages are replaced by sentences that name the option, the value and what is valid.
 */
#include "options.h"

#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "model/util/suggest.h"
#include "model/util/try.h"
#include "model/util/values.h"
#include "version.h"

/* Keys of options without a letter are above all characters. */
enum { FIRST_KEY = 0x1000, OPTIONS_MAX = 64 };

/* Options of every command; their keys are below FIRST_KEY. */
enum common { HELP, USAGE, VERSION, COMMON_COUNT, NO_COMMON = COMMON_COUNT };
const struct nereus_option nereus_common_options[NEREUS_COMMON_OPTIONS] = {
    [HELP] = {.name = "help", .help = "print this help"},
    [USAGE] = {.name = "usage", .help = "print a short form of it"},
    [VERSION] = {.name = "version", .help = "print version, commit, MPI and profile"},
};

/* State of a parse; argp passes the pointer to parse_one. */
struct parsing {
    const struct nereus_command_line *line;
    struct nereus_arguments arguments;
    struct nereus_error err;
    struct argp_option table[OPTIONS_MAX];
};

static const struct nereus_option *option_at(const struct nereus_command_line *line, size_t index,
                                             void **storage)
{
    for (size_t g = 0; g < line->group_count; g++) {
        if (index < line->groups[g].count) {
            if (storage != NULL) {
                *storage = line->groups[g].storage;
            }
            return &line->groups[g].options[index];
        }
        index -= line->groups[g].count;
    }
    return NULL;
}

static int key_of(const struct nereus_option *option, size_t index)
{
    return option->letter != 0 ? option->letter : FIRST_KEY + (int)index;
}

/* A value of its own word that is one of the options: the value was forgotten. */
static bool is_forgotten(const struct nereus_command_line *line, const char *text,
                         const struct argp_state *state)
{
    const struct nereus_option *option;
    if (text == NULL || text != state->argv[state->next - 1] || strncmp(text, "--", 2) != 0) {
        return false;
    }
    for (size_t i = 0; (option = option_at(line, i, NULL)) != NULL; i++) {
        if (strcmp(text + 2, option->name) == 0) {
            return true;
        }
    }
    return false;
}

static error_t parse_one(int key, char *text, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    if (key == ARGP_KEY_ARGS) {
        parsing->arguments.items = state->argv + state->next;
        parsing->arguments.count = state->argc - state->next;
        return 0;
    }
    void *storage = NULL;
    const struct nereus_option *option;
    for (size_t i = 0; (option = option_at(parsing->line, i, &storage)) != NULL; i++) {
        if (key == key_of(option, i)) {
            char what[80];
            snprintf(what, sizeof what, "--%s", option->name);
            if (is_forgotten(parsing->line, text, state)) {
                nereus_fail(&parsing->err, NEREUS_ERR_ARGUMENT,
                            "%s needs a value, and '%s' is an option", what, text);
                return EINVAL;
            }
            return nereus_option_store(what, option, text, storage, &parsing->err) == NEREUS_OK
                       ? 0
                       : EINVAL;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

/* argp sorts the rows of a group by name. Without titles, each row is a group of its own, which
 * keeps the order of the table; with titles argp would print a blank line between groups. */
static bool has_titles(const struct nereus_command_line *line)
{
    for (size_t g = 0; g < line->group_count; g++) {
        if (line->groups[g].title != NULL) {
            return true;
        }
    }
    return false;
}

/* The table of argp, group by group with titles. */
static void fill_table(struct parsing *parsing)
{
    const struct nereus_command_line *line = parsing->line;
    bool titles = has_titles(line);
    size_t row = 0, index = 0;
    for (size_t g = 0; g < line->group_count; g++) {
        const struct nereus_option_group *group = &line->groups[g];
        if (group->title != NULL) {
            parsing->table[row++] = (struct argp_option){.doc = group->title, .group = (int)g + 1};
        }
        for (size_t i = 0; i < group->count && row < OPTIONS_MAX - COMMON_COUNT - 1;
             i++, index++, row++) {
            const struct nereus_option *option = &group->options[i];
            parsing->table[row] = (struct argp_option){.name = option->name,
                                                       .key = key_of(option, index),
                                                       .arg = option->metavar,
                                                       .doc = option->help,
                                                       .group = titles ? (int)g + 1 : (int)row + 1};
        }
    }
    for (int i = 0; i < COMMON_COUNT; i++, row++) {
        parsing->table[row] = (struct argp_option){.name = nereus_common_options[i].name,
                                                   .key = FIRST_KEY - 1 - i,
                                                   .doc = nereus_common_options[i].help,
                                                   .group = -1};
    }
}

static struct argp make_argp(const struct parsing *parsing)
{
    return (struct argp){.options = parsing->table,
                         .parser = parse_one,
                         .args_doc = parsing->line->arguments_help,
                         .doc = parsing->line->help};
}

/* The option that `--word` names, in full or by an unambiguous prefix. */
static const struct nereus_option *find_option(const struct nereus_command_line *line,
                                               const char *word, size_t length)
{
    const struct nereus_option *option, *found = NULL;
    int candidates = 0;
    for (size_t i = 0; (option = option_at(line, i, NULL)) != NULL; i++) {
        if (strncmp(option->name, word, length) == 0) {
            if (option->name[length] == '\0') {
                return option;
            }
            found = option;
            candidates++;
        }
    }
    return candidates == 1 ? found : NULL;
}

static const struct nereus_option *find_letter(const struct nereus_command_line *line, char letter)
{
    const struct nereus_option *option;
    for (size_t i = 0; (option = option_at(line, i, NULL)) != NULL; i++) {
        if (option->letter == letter) {
            return option;
        }
    }
    return NULL;
}

static enum nereus_status unknown_option(const struct nereus_command_line *line, const char *word,
                                         size_t length, struct nereus_error *err)
{
    const char *names[OPTIONS_MAX];
    size_t count = 0;
    const struct nereus_option *option;
    for (size_t i = 0; count < OPTIONS_MAX && (option = option_at(line, i, NULL)) != NULL; i++) {
        names[count++] = option->name;
    }
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char *near = nereus_suggest(name, names, count);
    return nereus_fail(err, NEREUS_ERR_PARSE, "unknown option '--%s'%s%s%s", name,
                       near != NULL ? "; did you mean '--" : "; see --help",
                       near != NULL ? near : "", near != NULL ? "'?" : "");
}

/* The given options, and the first one whose value is given twice, which is refused. A flag may
 * be repeated. */
struct given {
    const struct nereus_option *options[OPTIONS_MAX], *twice;
    size_t count;
};

static void note_given(struct given *given, const struct nereus_option *option)
{
    for (size_t i = 0; i < given->count; i++) {
        if (given->options[i] == option && option->metavar != NULL && given->twice == NULL) {
            given->twice = option;
        }
    }
    if (given->count < OPTIONS_MAX) {
        given->options[given->count++] = option;
    }
}

/* Check one word that starts with '-'. @param[out] skip  the next word is its value */
static enum nereus_status check_option(const struct nereus_command_line *line, const char *word,
                                       bool last, bool *skip, struct given *given,
                                       struct nereus_error *err)
{
    const struct nereus_option *option;
    bool attached;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = find_option(line, word + 2, length);
        if (option == NULL) {
            return unknown_option(line, word + 2, length, err);
        }
        attached = word[2 + length] == '=';
    } else {
        option = find_letter(line, word[1]);
        if (option == NULL) {
            return nereus_fail(err, NEREUS_ERR_PARSE, "unknown option '%.2s'; see --help", word);
        }
        attached = word[2] != '\0';
    }
    if (option->metavar == NULL && attached) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "option --%s takes no value", option->name);
    }
    note_given(given, option);
    *skip = option->metavar != NULL && !attached;
    if (*skip && last) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "option --%s needs a value (%s)", option->name,
                           option->metavar);
    }
    return NEREUS_OK;
}

static enum common common_option(const struct nereus_command_line *line, const char *word)
{
    if (strcmp(word, "-h") == 0 && find_letter(line, 'h') == NULL) {
        return HELP;
    }
    int i = strncmp(word, "--", 2) == 0 ? 0 : COMMON_COUNT;
    while (i < COMMON_COUNT && strcmp(word + 2, nereus_common_options[i].name) != 0) {
        i++;
    }
    return (enum common)i;
}

/* Find misspelt options and missing values before argp, which cannot suggest a name. */
static enum nereus_status check_words(const struct nereus_command_line *line, int argc, char **argv,
                                      enum common *asked, struct nereus_error *err)
{
    struct given given = {.count = 0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            break;
        }
        *asked = common_option(line, argv[i]);
        if (*asked != NO_COMMON) {
            return NEREUS_OK;
        }
        if (argv[i][0] != '-' || argv[i][1] == '\0') {
            continue;
        }
        bool skip = false;
        NEREUS_TRY(check_option(line, argv[i], i + 1 == argc, &skip, &given, err));
        i += skip ? 1 : 0;
    }
    return given.twice == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "--%s is given twice: give it once",
                             given.twice->name);
}

static enum nereus_status check_arguments(const struct parsing *parsing, struct nereus_error *err)
{
    const struct nereus_command_line *line = parsing->line;
    int count = parsing->arguments.count;
    if (count > line->max_arguments) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "'%s' is one argument too many; see --help",
                           parsing->arguments.items[line->max_arguments]);
    }
    if (count < line->min_arguments) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s is missing; see --help",
                           line->arguments_help);
    }
    int chosen;
    return line->argument_choices == NULL || count == 0
               ? NEREUS_OK
               : nereus_choice_store(line->arguments_help, line->argument_choices,
                                     parsing->arguments.items[0], &chosen, err);
}

static enum nereus_status parse(struct parsing *parsing, int argc, char **argv, enum common *asked)
{
    enum nereus_status status = check_words(parsing->line, argc, argv, asked, &parsing->err);
    if (status != NEREUS_OK || *asked != NO_COMMON) {
        return status;
    }
    struct argp argp = make_argp(parsing);
    if (argp_parse(&argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, parsing) !=
        0) {
        return parsing->err.status != NEREUS_OK
                   ? parsing->err.status
                   : nereus_fail(&parsing->err, NEREUS_ERR_PARSE,
                                 "the command line is not understood; see --help");
    }
    return check_arguments(parsing, &parsing->err);
}

/* Set while manual pages and completion are made; by one thread. */
static struct {
    nereus_line_visit *visit;
    void *user;
} visitor;

void nereus_options_visit(nereus_line_visit *visit, void *user)
{
    visitor.visit = visit;
    visitor.user = user;
}

const char *nereus_metavar_suffix(const char *metavar, char suffix[16])
{
    suffix[0] = '\0';
    for (const char *dot = metavar; (dot = strchr(dot, '.')) != NULL; dot++) {
        size_t length = 1;
        while (islower((unsigned char)dot[length])) {
            length++;
        }
        if (length > 1) {
            snprintf(suffix, 16, "%.*s", (int)length, dot);
            return suffix;
        }
    }
    return strstr(metavar, "FILE") != NULL ? suffix : NULL;
}

static void print_common(struct parsing *parsing, enum common asked, char *name)
{
    if (asked == VERSION) {
        nereus_version_print();
        return;
    }
    struct argp argp = make_argp(parsing);
    /* Omit argp's remark about short options. */
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    argp_help(&argp, stdout,
              asked == USAGE ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK,
              name);
}

bool nereus_options_parse(const struct nereus_command_line *line, int argc, char **argv,
                          struct nereus_arguments *arguments, int *exit_status)
{
    struct parsing parsing = {.line = line, .err = {.status = NEREUS_OK}};
    enum common asked = NO_COMMON;
    fill_table(&parsing);
    enum nereus_status status = parse(&parsing, argc, argv, &asked);
    if (asked != NO_COMMON) {
        if (visitor.visit != NULL) {
            visitor.visit(visitor.user, line);
        } else {
            print_common(&parsing, asked, argv[0]);
        }
        *exit_status = NEREUS_EXIT_OK;
        return false;
    }
    if (status != NEREUS_OK) {
        *exit_status = nereus_cli_fail_usage("%s", parsing.err.text);
        return false;
    }
    if (arguments != NULL) {
        *arguments = parsing.arguments;
    }
    return true;
}

bool nereus_options_parse_plain(const struct nereus_plain_line *plain, void *storage, int argc,
                                char **argv, struct nereus_arguments *arguments, int *exit_status)
{
    const struct nereus_option_group group = {NULL, plain->options, plain->count, storage};
    const struct nereus_command_line line = {.arguments_help = plain->arguments_help,
                                             .help = plain->help,
                                             .groups = &group,
                                             .group_count = 1,
                                             .min_arguments = plain->min_arguments,
                                             .max_arguments = plain->max_arguments};
    return nereus_options_parse(&line, argc, argv, arguments, exit_status);
}
