/** @file help.c  `nereus help`: see help.h. */
#include "help.h"

#include <ctype.h>

#include "manual.h"
#include "model/util/file.h"
#include "model/util/suggest.h"
#include "predictor/cli/command.h"

struct settings {
    const char *output;
    bool all;
};

static const struct nereus_option table[] = {
    {"all", 'a', NEREUS_OPTION_FLAG, NULL, "list the commands of all groups",
     offsetof(struct settings, all), NULL},
    {"output", 'o', NEREUS_OPTION_PLACE, "FOLDER",
     "write the manual pages and the completion for bash, zsh and fish there, as below share/",
     offsetof(struct settings, output), NULL},
};
static const char text[] =
    "Prints what a command takes, as `nereus COMMAND --help` does; of a group the list of its "
    "commands; without a command the list of all.";

/* ---- lists ----------------------------------------------------------------------------------- */

/* Width of the column of names: two blanks follow the longest one. */
static int measure_names(const char *group)
{
    int width = 11;
    for (size_t i = 0; i < nereus_command_count; i++) {
        const int length = (int)strlen(nereus_commands[i].name);
        if (strcmp(nereus_commands[i].group, group) == 0 && length + 2 > width)
            width = length + 2;
    }
    return width;
}

static void print_row(FILE *stream, const struct nereus_command *command)
{
    const char *members[NEREUS_COMMANDS_MAX];
    const size_t count = command->run == NULL ? nereus_command_names(command->name, members) : 0;
    const int width = measure_names(command->group);
    char row[400] = "";
    nereus_append(row, sizeof row, "  %-*s%s", width, command->name, command->summary);
    for (size_t i = 0; i < count; i++)
        nereus_append(row, sizeof row, "%s%s", i == 0 ? ": " : ", ", members[i]);
    nereus_print_wrapped(stream, 2 + width, "%s", row);
}

static void print_group(FILE *stream, const struct nereus_command *group)
{
    fputs("Commands:\n", stream);
    for (size_t i = 0; i < nereus_command_count; i++)
        if (strcmp(nereus_commands[i].group, group->name) == 0)
            print_row(stream, &nereus_commands[i]);
    fprintf(stream, "\n`nereus help %s COMMAND` says what a command takes.\n", group->name);
}

static void print_first_level(void)
{
    const char *last = NULL;
    bool after_groups = false;
    for (size_t i = 0; i < nereus_command_count; i++) {
        const struct nereus_command *command = &nereus_commands[i];
        if (command->group[0] != '\0' || command->run == nereus_help)
            continue;
        const bool is_group = command->run == NULL;
        after_groups = after_groups || is_group;
        const char *title = is_group       ? "Groups of commands"
                            : after_groups ? "Further commands"
                                           : "Commands";
        if (title != last) {
            printf("%s:\n", title);
            last = title;
        }
        print_row(stdout, command);
    }
    puts("`nereus help COMMAND` says what it takes, `nereus help GROUP` lists a group.");
}

void nereus_help_print_usage(const struct nereus_command *group)
{
    printf("Usage: nereus%s%s COMMAND [OPTION...] [ARGUMENT...]\n", group == NULL ? "" : " ",
           group == NULL ? "" : group->name);
}

void nereus_help_print(const struct nereus_command *group)
{
    nereus_help_print_usage(group);
    if (group == NULL) {
        puts("Makes MPI programs malleable, and says beforehand what a resize costs.");
        print_first_level();
    } else {
        printf("%c%s.\n\n", toupper((unsigned char)group->summary[0]), group->summary + 1);
        print_group(stdout, group);
    }
}

static void print_all(void)
{
    char title[NEREUS_COMMAND_TITLE_MAX];
    for (size_t i = 0; i < nereus_command_count; i++) {
        if (nereus_commands[i].run != NULL) {
            printf("%-18s%s\n", nereus_command_title(&nereus_commands[i], ' ', title),
                   nereus_commands[i].summary);
        }
    }
}

int nereus_help_fail_missing(const struct nereus_command *group)
{
    if (group == NULL)
        return nereus_cli_fail_usage("a command is missing; see nereus --help");
    const int status = nereus_cli_fail_usage("a command is missing");
    print_group(stderr, group);
    return status;
}

/* Find a command with this name in any group; NULL: none. */
static const struct nereus_command *find_member(const char *name)
{
    for (size_t i = 0; i < nereus_command_count; i++)
        if (nereus_commands[i].group[0] != '\0' && strcmp(nereus_commands[i].name, name) == 0)
            return &nereus_commands[i];
    return NULL;
}

int nereus_help_fail_unknown(const struct nereus_command *group, const char *name)
{
    const char *names[NEREUS_COMMANDS_MAX];
    char meant[96], title[NEREUS_COMMAND_TITLE_MAX];
    const size_t count = nereus_command_names(group == NULL ? "" : group->name, names);
    const struct nereus_command *member = group == NULL ? find_member(name) : NULL;
    if (member != NULL) {
        snprintf(meant, sizeof meant, "; did you mean '%s'?",
                 nereus_command_title(member, ' ', title));
    } else if (nereus_suggest_text(name, names, count, meant)[0] == '\0') {
        snprintf(meant, sizeof meant, "; see nereus %s%s", group == NULL ? "--help" : "help ",
                 group == NULL ? "" : group->name);
    }
    return nereus_cli_fail_usage("unknown command '%s'%s", name, meant);
}

/* ---- manual pages and completion ------------------------------------------------------------- */

/* Manual pages and completion scripts that are being written. */
struct writing {
    const char *folder;
    const struct nereus_command *command; /* whose options are visited next */
    struct nereus_file_replace scripts[NEREUS_SHELLS];
    enum nereus_status status;
    struct nereus_error err;
};

static enum nereus_status open_file(struct writing *writing, const char *name,
                                    struct nereus_file_replace *file)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", writing->folder, name) >= (int)sizeof path)
        return nereus_fail(&writing->err, NEREUS_ERR_ARGUMENT, "--output is too long a path");
    char *slash = strrchr(path, '/');
    *slash = '\0';
    NEREUS_TRY(nereus_file_make_folder(path, &writing->err));
    *slash = '/';
    NEREUS_TRY(nereus_file_replace_begin(path, file, &writing->err));
    file->transient = true;
    return NEREUS_OK;
}

static enum nereus_status open_page(struct writing *writing, const char *name,
                                    struct nereus_file_replace *file)
{
    char path[128];
    snprintf(path, sizeof path, "man/man1/nereus%s%s.1", name[0] == '\0' ? "" : "-", name);
    return open_file(writing, path, file);
}

static enum nereus_status begin_page(struct writing *writing, const struct nereus_command *command,
                                     struct nereus_file_replace *page)
{
    char title[NEREUS_COMMAND_TITLE_MAX];
    return open_page(writing, nereus_command_title(command, '-', title), page);
}

/* Write the page of writing->command and its part of each script. */
static void write_command(void *user, const struct nereus_command_line *line)
{
    struct writing *writing = user;
    struct nereus_file_replace page;
    writing->status = begin_page(writing, writing->command, &page);
    if (writing->status != NEREUS_OK)
        return;
    nereus_manual_print_command(page.stream, writing->command, line);
    writing->status = nereus_file_replace_commit(&page, &writing->err);
    for (int i = 0; i < NEREUS_SHELLS; i++)
        nereus_completions[i]->command(writing->scripts[i].stream, writing->command, line);
}

static int print_help_for(const struct nereus_command *command)
{
    char name[] = "", option[] = "--help";
    return nereus_command_run(command, 2, (char *[]){name, option, NULL});
}

static enum nereus_status write_group(struct writing *writing, const struct nereus_command *group)
{
    struct nereus_file_replace page;
    NEREUS_TRY(begin_page(writing, group, &page));
    nereus_manual_print_group(page.stream, group);
    return nereus_file_replace_commit(&page, &writing->err);
}

static enum nereus_status write_parts(struct writing *writing)
{
    struct nereus_file_replace page;
    NEREUS_TRY(open_page(writing, "", &page));
    nereus_manual_print_nereus(page.stream);
    NEREUS_TRY(nereus_file_replace_commit(&page, &writing->err));
    nereus_options_visit(write_command, writing);
    for (size_t i = 0; i < nereus_command_count && writing->status == NEREUS_OK; i++) {
        writing->command = &nereus_commands[i];
        if (writing->command->run == NULL)
            writing->status = write_group(writing, writing->command);
        else
            print_help_for(writing->command);
    }
    nereus_options_visit(NULL, NULL);
    return writing->status;
}

static enum nereus_status write_all(struct writing *writing)
{
    enum nereus_status status = NEREUS_OK;
    for (int i = 0; i < NEREUS_SHELLS && status == NEREUS_OK; i++) {
        status = open_file(writing, nereus_completions[i]->file, &writing->scripts[i]);
        if (status == NEREUS_OK)
            nereus_completions[i]->begin(writing->scripts[i].stream);
    }
    if (status == NEREUS_OK)
        status = write_parts(writing);
    for (int i = 0; i < NEREUS_SHELLS; i++) {
        if (status == NEREUS_OK) {
            nereus_completions[i]->end(writing->scripts[i].stream);
            status = nereus_file_replace_commit(&writing->scripts[i], &writing->err);
        } else {
            nereus_file_replace_abort(&writing->scripts[i]);
        }
    }
    return status;
}

static int print_help_for_words(char **words, int count)
{
    const struct nereus_command *command = nereus_command_find("", words[0]), *group = NULL;
    if (command->run == NULL && count > 1) {
        group = command;
        command = nereus_command_find(group->name, words[1]);
    } else if (count > 1) {
        return nereus_cli_fail_usage("'%s' is one argument too many; see --help", words[1]);
    }
    if (command == NULL)
        return nereus_help_fail_unknown(group, words[1]);
    if (command->run == nereus_help || command->run == NULL) {
        nereus_help_print(command->run == NULL ? command : NULL);
        return NEREUS_EXIT_OK;
    }
    return print_help_for(command);
}

int nereus_help(int argc, char **argv)
{
    struct settings settings = {0};
    const char *names[NEREUS_COMMANDS_MAX];
    const struct nereus_option_group groups[] = {{NULL, table, NEREUS_COUNT_OF(table), &settings}};
    nereus_command_names("", names);
    const struct nereus_command_line line = {.arguments_help = "COMMAND",
                                             .argument_choices = names,
                                             .help = text,
                                             .groups = groups,
                                             .group_count = NEREUS_COUNT_OF(groups),
                                             .max_arguments = 2};
    struct nereus_arguments arguments;
    int exit_status;
    if (!nereus_options_parse(&line, argc, argv, &arguments, &exit_status))
        return exit_status;
    if (settings.output != NULL) {
        struct writing writing = {.folder = settings.output};
        return write_all(&writing) == NEREUS_OK ? NEREUS_EXIT_OK
                                                : nereus_cli_fail("%s", writing.err.text);
    }
    if (arguments.count > 0)
        return print_help_for_words(arguments.items, arguments.count);
    if (settings.all)
        print_all();
    else
        nereus_help_print(NULL);
    return NEREUS_EXIT_OK;
}
