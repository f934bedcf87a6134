/**
 * @file options.c
 * Parses command lines by one table of options, which argp also formats as help. A message names
 * the wrong option, its value and what is valid.
 */
#include "options.h"

#include <argp.h>
#include <ctype.h>

#include "command.h"
#include "model/util/suggest.h"

enum { OPTIONS_MAX = 64 };

/* Options that every command has. */
enum common { HELP, USAGE, VERSION, COMMON_COUNT, NO_COMMON = COMMON_COUNT };
const struct nereus_option nereus_common_options[NEREUS_COMMON_OPTIONS] = {
    [HELP] = {.name = "help", .help = "print this help"},
    [USAGE] = {.name = "usage", .help = "print a short form of it"},
    [VERSION] = {.name = "version", .help = "print version, commit, MPI and profile"},
};

/* Options and arguments found in a command line, before any is stored. */
struct given {
    struct {
        const struct nereus_option *option;
        void *storage;
        const char *value; /* NULL: a flag */
    } options[OPTIONS_MAX];
    size_t count;
    /* the first option that was given two values; a flag may be repeated */
    const struct nereus_option *repeated_option;
    struct nereus_arguments arguments;
};

/* Find an option by its index in all groups.
 * @param[out] storage  may be NULL */
static const struct nereus_option *get_option(const struct nereus_command_line *line, size_t index,
                                              void **storage)
{
    for (size_t g = 0; g < line->group_count; g++) {
        if (index < line->groups[g].count) {
            if (storage != NULL)
                *storage = line->groups[g].storage;
            return &line->groups[g].options[index];
        }
        index -= line->groups[g].count;
    }
    return NULL;
}

/* argp sorts the rows of a group by name. Without titles, each row is a group of its own, which
 * keeps the order of the table; with titles argp would print a blank line between groups. */
static bool has_titles(const struct nereus_command_line *line)
{
    for (size_t g = 0; g < line->group_count; g++)
        if (line->groups[g].title != NULL)
            return true;
    return false;
}

/* Make the table of argp, group by group with titles. A key is a letter; 0: none. */
static void fill_table(const struct nereus_command_line *line,
                       struct argp_option table[OPTIONS_MAX])
{
    bool titles = has_titles(line);
    size_t row = 0;
    int last_title = 1; /* groups without a title belong to the one before */
    for (size_t g = 0; g < line->group_count; g++) {
        const struct nereus_option_group *group = &line->groups[g];
        if (group->title != NULL) {
            last_title = (int)g + 1;
            table[row++] = (struct argp_option){.doc = group->title, .group = last_title};
        }
        for (size_t i = 0; i < group->count && row < OPTIONS_MAX - COMMON_COUNT - 1; i++, row++) {
            const struct nereus_option *option = &group->options[i];
            table[row] = (struct argp_option){.name = option->name,
                                              .key = option->letter,
                                              .arg = option->metavar,
                                              .doc = option->help,
                                              .group = titles ? last_title : (int)row + 1};
        }
    }
    for (int i = 0; i < COMMON_COUNT; i++, row++) {
        table[row] = (struct argp_option){.name = nereus_common_options[i].name,
                                          .doc = nereus_common_options[i].help,
                                          .group = -1};
    }
}

/* Find the option that `--word` names, in full or by an unambiguous prefix. */
static const struct nereus_option *find_option(const struct nereus_command_line *line,
                                               const char *word, size_t length, void **storage)
{
    const struct nereus_option *option, *found = NULL;
    void *its_storage;
    int candidates = 0;
    for (size_t i = 0; (option = get_option(line, i, &its_storage)) != NULL; i++) {
        if (strncmp(option->name, word, length) == 0) {
            *storage = its_storage;
            if (option->name[length] == '\0')
                return option;
            found = option;
            candidates++;
        }
    }
    return candidates == 1 ? found : NULL;
}

static const struct nereus_option *find_letter(const struct nereus_command_line *line, char letter,
                                               void **storage)
{
    const struct nereus_option *option;
    for (size_t i = 0; (option = get_option(line, i, storage)) != NULL; i++)
        if (option->letter == letter)
            return option;
    return NULL;
}

/* Is this word an option, where a value is expected? Then the value was forgotten. */
static bool is_option(const struct nereus_command_line *line, const char *word)
{
    const struct nereus_option *option;
    for (size_t i = 0; (option = get_option(line, i, NULL)) != NULL; i++)
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, option->name) == 0)
            return true;
    return false;
}

static enum nereus_status fail_unknown_option(const struct nereus_command_line *line,
                                              const char *word, size_t length,
                                              struct nereus_error *err)
{
    const char *names[OPTIONS_MAX];
    size_t count = 0;
    const struct nereus_option *option;
    for (size_t i = 0; count < OPTIONS_MAX && (option = get_option(line, i, NULL)) != NULL; i++)
        names[count++] = option->name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char *suggestion = nereus_suggest(name, names, count);
    return nereus_fail(err, NEREUS_ERR_PARSE, "unknown option '--%s'%s%s%s", name,
                       suggestion != NULL ? "; did you mean '--" : "; see --help",
                       suggestion != NULL ? suggestion : "", suggestion != NULL ? "'?" : "");
}

static void record_given(struct given *given, const struct nereus_option *option, void *storage,
                         const char *value)
{
    for (size_t i = 0; i < given->count; i++) {
        if (given->options[i].option == option) {
            given->repeated_option = option->metavar != NULL && given->repeated_option == NULL
                                         ? option
                                         : given->repeated_option;
            return;
        }
    }
    if (given->count < OPTIONS_MAX) {
        given->options[given->count].option = option;
        given->options[given->count].storage = storage;
        given->options[given->count++].value = value;
    }
}

/*
 * Read one option.
 * @param next  the following word; NULL: none
 * @param[out] skip  `next` is its value
 */
static enum nereus_status parse_option(const struct nereus_command_line *line, const char *word,
                                       const char *next, bool *skip, struct given *given,
                                       struct nereus_error *err)
{
    const struct nereus_option *option;
    const char *value; /* in the same word */
    void *storage;
    if (word[1] == '-') {
        const size_t length = strcspn(word + 2, "=");
        option = find_option(line, word + 2, length, &storage);
        if (option == NULL)
            return fail_unknown_option(line, word + 2, length, err);
        value = word[2 + length] == '=' ? word + 3 + length : NULL;
    } else {
        option = find_letter(line, word[1], &storage);
        if (option == NULL)
            return nereus_fail(err, NEREUS_ERR_PARSE, "unknown option '%.2s'; see --help", word);
        value = word[2] != '\0' ? word + 2 : NULL;
    }
    if (option->metavar == NULL && value != NULL)
        return nereus_fail(err, NEREUS_ERR_PARSE, "option --%s takes no value", option->name);
    *skip = option->metavar != NULL && value == NULL;
    if (*skip && next == NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "option --%s needs a value (%s)", option->name,
                           option->metavar);
    }
    if (*skip && is_option(line, next)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--%s needs a value, and '%s' is an option",
                           option->name, next);
    }
    record_given(given, option, storage, *skip ? next : value);
    return NEREUS_OK;
}

static enum common find_common_option(const struct nereus_command_line *line, const char *word)
{
    if (strcmp(word, "-h") == 0 && find_letter(line, 'h', NULL) == NULL)
        return HELP;
    int i = strncmp(word, "--", 2) == 0 ? 0 : COMMON_COUNT;
    while (i < COMMON_COUNT && strcmp(word + 2, nereus_common_options[i].name) != 0)
        i++;
    return (enum common)i;
}

/* Read all words, and move positional arguments to the front of argv, with NULL after them.
 * @param[out] requested  common option that ends the reading */
static enum nereus_status store_words(const struct nereus_command_line *line, int argc, char **argv,
                                      enum common *requested, struct given *given,
                                      struct nereus_error *err)
{
    bool options_end = false;
    *given = (struct given){.arguments.items = argv + 1};
    for (int i = 1; i < argc; i++) {
        if (options_end || argv[i][0] != '-' || argv[i][1] == '\0') {
            given->arguments.items[given->arguments.count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            options_end = true;
        } else {
            bool skip = false;
            *requested = find_common_option(line, argv[i]);
            if (*requested != NO_COMMON)
                return NEREUS_OK;
            const char *next = i + 1 < argc ? argv[i + 1] : NULL;
            NEREUS_TRY(parse_option(line, argv[i], next, &skip, given, err));
            i += skip ? 1 : 0;
        }
    }
    given->arguments.items[given->arguments.count] = NULL;
    return given->repeated_option == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "--%s is given twice: give it once",
                             given->repeated_option->name);
}

/* @return the words for the arguments that are missing; without a word for each: for all */
static const char *find_missing(const struct nereus_command_line *line, int count)
{
    int words = 1;
    for (const char *c = line->arguments_help; *c != '\0'; c++)
        words += *c == ' ';
    const char *missing = line->arguments_help;
    for (int i = 0; i < count && words == line->min_arguments; i++)
        missing += strcspn(missing, " ") + 1;
    return missing;
}

static enum nereus_status check_arguments(const struct nereus_command_line *line,
                                          const struct nereus_arguments *arguments,
                                          struct nereus_error *err)
{
    if (arguments->count > line->max_arguments) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "'%s' is one argument too many; see --help",
                           arguments->items[line->max_arguments]);
    }
    if (arguments->count < line->min_arguments) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s is missing; see --help",
                           find_missing(line, arguments->count));
    }
    int chosen;
    return line->argument_choices == NULL || arguments->count == 0
               ? NEREUS_OK
               : nereus_choice_store(line->arguments_help, line->argument_choices,
                                     arguments->items[0], &chosen, err);
}

/* Store the values after all words are read, because --help may be the last one. */
static enum nereus_status parse_words(const struct nereus_command_line *line, int argc, char **argv,
                                      enum common *requested, struct nereus_arguments *arguments,
                                      struct nereus_error *err)
{
    struct given given;
    NEREUS_TRY(store_words(line, argc, argv, requested, &given, err));
    *arguments = given.arguments;
    for (size_t i = 0; i < given.count && *requested == NO_COMMON; i++) {
        char what[80];
        snprintf(what, sizeof what, "--%s", given.options[i].option->name);
        NEREUS_TRY(nereus_option_store(what, given.options[i].option, given.options[i].value,
                                       given.options[i].storage, err));
    }
    return *requested == NO_COMMON ? check_arguments(line, arguments, err) : NEREUS_OK;
}

/* Set while manual pages and completion are written. Not thread-safe. */
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
        while (islower((unsigned char)dot[length]))
            length++;
        if (length > 1) {
            snprintf(suffix, 16, "%.*s", (int)length, dot);
            return suffix;
        }
    }
    return strstr(metavar, "FILE") != NULL ? suffix : NULL;
}

static void print_common(const struct nereus_command_line *line, enum common requested, char *name)
{
    if (requested == VERSION) {
        nereus_version_print();
        return;
    }
    struct argp_option table[OPTIONS_MAX] = {{0}};
    const struct argp argp = {
        .options = table, .args_doc = line->arguments_help, .doc = line->help};
    fill_table(line, table);
    /* Omit argp's note about short options. */
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    argp_help(&argp, stdout,
              requested == USAGE ? ARGP_HELP_USAGE
                                 : ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK,
              name);
}

bool nereus_options_parse(const struct nereus_command_line *line, int argc, char **argv,
                          struct nereus_arguments *arguments, int *exit_status)
{
    struct nereus_arguments found;
    struct nereus_error err;
    enum common requested = NO_COMMON;
    if (parse_words(line, argc, argv, &requested, &found, &err) != NEREUS_OK) {
        *exit_status = nereus_cli_fail_usage("%s", err.text);
        return false;
    }
    if (requested != NO_COMMON) {
        if (visitor.visit != NULL)
            visitor.visit(visitor.user, line);
        else
            print_common(line, requested, argv[0]);
        *exit_status = NEREUS_EXIT_OK;
        return false;
    }
    if (arguments != NULL)
        *arguments = found;
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
