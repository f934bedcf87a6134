/** @file help.c  `nereus help`: see help.h. */
#include "help.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "manual.h"
#include "model/util/file.h"
#include "model/util/suggest.h"
#include "model/util/try.h"
#include "options.h"

enum { COMMANDS_MAX = 64 };

struct settings {
    const char *output;
};

#define AT(member) offsetof(struct settings, member)
static const struct nereus_option table[] = {
    {"output", 'o', NEREUS_OPTION_TEXT, "FOLDER",
     "write the manual pages and the completion for bash, zsh and fish there, as below share/",
     AT(output), NULL},
};
static const char text[] =
    "Prints what a command takes, as `nereus COMMAND --help` does; without a command the list of "
    "them.";
static const struct command help_command = {"help", "print what a command takes", NULL};

void nereus_help_print(const struct command *const *commands, int count)
{
    printf(
        "Usage: nereus COMMAND [OPTION...] [ARGUMENT...]\n"
        "Makes MPI programs malleable, and says beforehand what a change of size costs.\n\nCommands:\n");
    for (int i = 0; i < count; i++) {
        printf("  %-18s%s\n", commands[i]->name, commands[i]->summary);
    }
    printf(
        "\n`nereus help COMMAND` says what a command takes. `nereus --version` prints version, commit, "
        "MPI and\nprofile.\n");
}

int nereus_help_run(const struct command *command, int argc, char **argv)
{
    char name[64];
    snprintf(name, sizeof name, "nereus %s", command->name);
    argv[0] = name;
    nereus_cli_set_command(command->name);
    return command->run(argc, argv);
}

static int help_of(const struct command *command)
{
    char name[] = "", option[] = "--help";
    return nereus_help_run(command, 2, (char *[]){name, option, NULL});
}

/* Names, ended by NULL. */
static void list_names(const struct command *const *commands, int count, const char **names)
{
    for (int i = 0; i < count; i++) {
        names[i] = commands[i]->name;
    }
    names[count] = NULL;
}

int nereus_help_unknown(const struct command *const *commands, int count, const char *name)
{
    const char *names[COMMANDS_MAX + 1];
    char meant[96];
    list_names(commands, count, names);
    nereus_did_you_mean(name, names, (size_t)count, meant, sizeof meant);
    return nereus_cli_fail_usage("unknown command '%s'%s", name,
                                 meant[0] != '\0' ? meant : "; see nereus --help");
}

/* ---- manual pages and completion ------------------------------------------------------------- */

/* Files that are being written; the scripts have a part for each command. */
struct writing {
    const char *folder;
    const struct command *command; /* whose table comes next */
    struct nereus_file_replace scripts[NEREUS_SHELLS];
    enum nereus_status status;
    struct nereus_error err;
};

/* The folders above a file. */
static enum nereus_status make_folders(char *path, struct nereus_error *err)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        if (failed) {
            nereus_fail(err, NEREUS_ERR_IO, "folder '%.200s' cannot be made: %s", path,
                        strerror(errno));
        }
        *slash = '/';
        if (failed) {
            return NEREUS_ERR_IO;
        }
    }
    return NEREUS_OK;
}

static enum nereus_status open_file(struct writing *writing, const char *name,
                                    struct nereus_file_replace *file)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", writing->folder, name) >= (int)sizeof path) {
        return nereus_fail(&writing->err, NEREUS_ERR_ARGUMENT, "--output is too long a path");
    }
    NEREUS_TRY(make_folders(path, &writing->err));
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

/* The table of writing->command. */
static void visit(void *user, const struct nereus_command_line *line)
{
    struct writing *writing = user;
    struct nereus_file_replace page;
    writing->status = open_page(writing, writing->command->name, &page);
    if (writing->status != NEREUS_OK) {
        return;
    }
    nereus_manual_command(page.stream, writing->command, line);
    writing->status = nereus_file_replace_commit(&page, &writing->err);
    for (int i = 0; i < NEREUS_SHELLS; i++) {
        nereus_completions[i]->command(writing->scripts[i].stream, writing->command, line);
    }
}

static enum nereus_status write_parts(struct writing *writing,
                                      const struct command *const *commands, int count,
                                      const struct nereus_command_line *own)
{
    struct nereus_file_replace page;
    NEREUS_TRY(open_page(writing, "", &page));
    nereus_manual_nereus(page.stream, commands, (size_t)count);
    NEREUS_TRY(nereus_file_replace_commit(&page, &writing->err));
    nereus_options_visit(visit, writing);
    for (int i = 0; i < count && writing->status == NEREUS_OK; i++) {
        writing->command = commands[i];
        if (commands[i] == &help_command) {
            visit(writing, own);
        } else {
            help_of(commands[i]);
        }
    }
    nereus_options_visit(NULL, NULL);
    return writing->status;
}

static enum nereus_status write_all(struct writing *writing, const struct command *const *commands,
                                    int count, const struct nereus_command_line *own)
{
    enum nereus_status status = NEREUS_OK;
    for (int i = 0; i < NEREUS_SHELLS && status == NEREUS_OK; i++) {
        status = open_file(writing, nereus_completions[i]->file, &writing->scripts[i]);
        if (status == NEREUS_OK) {
            nereus_completions[i]->begin(writing->scripts[i].stream, commands, (size_t)count);
        }
    }
    if (status == NEREUS_OK) {
        status = write_parts(writing, commands, count, own);
    }
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

/* ---- the command ----------------------------------------------------------------------------- */

int nereus_help(const struct command *const *commands, int count, int argc, char **argv)
{
    struct settings settings = {0};
    const struct command *all[COMMANDS_MAX];
    const char *names[COMMANDS_MAX + 1];
    const struct nereus_option_group groups[] = {{NULL, table, NEREUS_COUNT_OF(table), &settings}};
    memcpy(all, commands, (size_t)count * sizeof *commands);
    all[count] = &help_command;
    list_names(all, count + 1, names);
    const struct nereus_command_line line = {.arguments_help = "COMMAND",
                                             .argument_choices = names,
                                             .help = text,
                                             .groups = groups,
                                             .group_count = NEREUS_COUNT_OF(groups),
                                             .max_arguments = 1};
    struct nereus_arguments arguments;
    int exit_status;
    char name[] = "nereus help";
    argv[0] = name;
    nereus_cli_set_command(help_command.name);
    if (!nereus_options_parse(&line, argc, argv, &arguments, &exit_status)) {
        return exit_status;
    }
    if (settings.output != NULL) {
        struct writing writing = {.folder = settings.output};
        return write_all(&writing, all, count + 1, &line) == NEREUS_OK
                   ? NEREUS_EXIT_OK
                   : nereus_cli_fail("%s", writing.err.text);
    }
    for (int i = 0; i < count && arguments.count > 0; i++) {
        if (strcmp(commands[i]->name, arguments.items[0]) == 0) {
            return help_of(commands[i]);
        }
    }
    nereus_help_print(commands, count);
    return NEREUS_EXIT_OK;
}
