/**
 * @file command.c
 * Reads the command of this process, and chooses the one that new processes start.
 */
#include "command.h"

#include <sys/stat.h>
#include <unistd.h>

#include "model/util/process.h"
#include "model/util/strings.h"

/* ---- this process ---------------------------------------------------------------------------- */

static char first_folder[PATH_MAX];

/* Runs before main: a program may change its working folder, and its name and arguments may be
 * relative paths. */
__attribute__((constructor)) static void remember_folder(void)
{
    if (getcwd(first_folder, sizeof first_folder) == NULL)
        first_folder[0] = '\0';
}

const char *nereus_command_first_folder(void)
{
    return first_folder[0] != '\0' ? first_folder : NULL;
}

char **nereus_command_read(const char *path)
{
    struct nereus_strings list = {0};
    FILE *file = fopen(path, "re");
    char *word = NULL;
    size_t capacity = 0;
    while (file != NULL && getdelim(&word, &capacity, '\0', file) > 0)
        nereus_strings_add(&list, word);
    free(word);
    if (file != NULL)
        fclose(file);
    return nereus_strings_take(&list);
}

bool nereus_command_starts_this_program(const char *name, const char *folder)
{
    char path[PATH_MAX];
    struct stat here, there;
    return nereus_program_search(name, folder, path, sizeof path) &&
           stat("/proc/self/exe", &here) == 0 && stat(path, &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static size_t count_words(char *const *list)
{
    size_t count = 0;
    while (list != NULL && list[count] != NULL)
        count++;
    return count;
}

static bool ends_with(char *const *list, char *const *words)
{
    const size_t word_count = count_words(list), count = count_words(words);
    if (count == 0 || count > word_count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[word_count - count + i], words[i]) != 0)
            return false;
    return true;
}

static bool join_words(char *const *head, size_t head_count, char *const *arguments,
                       struct nereus_command *command)
{
    const size_t count = count_words(arguments);
    command->argv = calloc(head_count + count + 1, sizeof *command->argv);
    for (size_t i = 0; command->argv != NULL && i < head_count + count; i++)
        command->argv[i] = i < head_count ? head[i] : arguments[i - head_count];
    return command->argv != NULL && head_count > 0;
}

static char *const *skip_program(char *const *argv)
{
    return argv != NULL && argv[0] != NULL ? argv + 1 : NULL;
}

/* Find, in this process' command line, the program's name and its arguments: the words of an
 * interpreter precede them. If the name is an interpreter's option (`python3 -c CODE`), find the
 * option's value. NULL: unknown, as for `python3 -m module`, or if the process has overwritten its
 * command line. */
static char *const *find_own_words(const struct nereus_command_facts *facts)
{
    const size_t count = count_words(facts->own_words);
    if (count_words(facts->given_words) == 0)
        return facts->own_words;
    const char *name = basename(facts->given_words[0]);
    for (size_t i = 0; i < count; i++)
        if (strcmp(basename(facts->own_words[i]), name) == 0)
            return facts->own_words + i + (name[0] == '-' && i + 1 < count);
    return NULL;
}

/* Did the program pass other arguments to nereus_init than it has received? */
static bool has_changed_arguments(const struct nereus_command_facts *facts)
{
    char *const *own = skip_program(find_own_words(facts)), *const *given =
                                                                skip_program(facts->given_words);
    const size_t count = count_words(given);
    return own != NULL && count_words(facts->given_words) > 0 &&
           (count_words(own) != count || (count > 0 && !ends_with(own, given)));
}

/* Choose the launcher's command with the program's arguments, if both can be separated. */
static bool choose_from_launcher(const struct nereus_command_facts *facts,
                                 struct nereus_command *command)
{
    char *const *own = find_own_words(facts), *const *arguments = skip_program(own);
    const size_t word_count = count_words(facts->launcher);
    command->source = NEREUS_COMMAND_LAUNCHER;
    command->folder = facts->launcher_folder;
    if (word_count == 0)
        return false;
    if (!has_changed_arguments(facts))
        return join_words(facts->launcher, word_count, NULL, command);
    return (ends_with(facts->launcher, arguments) || ends_with(facts->launcher, own)) &&
           join_words(facts->launcher, word_count - count_words(arguments),
                      skip_program(facts->given_words), command);
}

static bool choose_from_itself(const struct nereus_command_facts *facts,
                               struct nereus_command *command)
{
    char *const *own = find_own_words(facts), *const *given = skip_program(facts->given_words);
    char *file[] = {(char *)(size_t)facts->file}; /* exec does not write to it */
    const bool changed = has_changed_arguments(facts),
               named = facts->name_is_file && count_words(facts->own_words) > 0;
    command->source = named ? NEREUS_COMMAND_NAME : NEREUS_COMMAND_FILE;
    command->folder = facts->folder;
    if (!named)
        return facts->file != NULL &&
               join_words(file, 1, changed || own == NULL ? given : skip_program(facts->own_words),
                          command);
    return join_words(facts->own_words,
                      count_words(facts->own_words) -
                          (changed ? count_words(skip_program(own)) : 0),
                      changed ? given : NULL, command);
}

bool nereus_command_choose(const struct nereus_command_facts *facts, struct nereus_command *command)
{
    char *option[] = {(char *)(size_t)facts->option};
    *command = (struct nereus_command){.source = NEREUS_COMMAND_OPTION, .folder = facts->folder};
    if (facts->option != NULL)
        return join_words(option, 1,
                          skip_program(count_words(facts->given_words) > 0 ? facts->given_words
                                                                           : facts->own_words),
                          command);
    return choose_from_launcher(facts, command) || choose_from_itself(facts, command);
}

void nereus_command_fini(struct nereus_command *command)
{
    free(command->argv);
    *command = (struct nereus_command){0};
}

const char *nereus_command_source_name(enum nereus_command_source source)
{
    static const char *const names[] = {"options.program", "nereus-mpiexec", "argv[0]",
                                        "/proc/self/exe"};
    return names[source];
}
