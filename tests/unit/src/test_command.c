/** @file test_command.c  What new processes start (src/start/command.h). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/start/command.h"

enum { WORDS_MAX = 12 };

/* Words separated by blanks; NULL: none. */
static char **split(const char *text, char *copy, char **words)
{
    size_t count = 0;
    if (text == NULL)
        return NULL;
    strcpy(copy, text);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    return words;
}

static void print(const struct nereus_command *command, char *text)
{
    *text = '\0';
    for (const char **word = command->argv; *word != NULL; word++)
        sprintf(text + strlen(text), "%s%s", word == command->argv ? "" : " ", *word);
}

/* nereus-mpiexec was given; the process has; nereus_init was given. */
static const struct {
    const char *launcher, *own, *given;
    bool named; /* own[0] leads to the process's file */
    const char *option, *expected;
    enum nereus_command_source source;
} rows[] = {
    {"./job a b", "./job a b", "./job a b", true, NULL, "./job a b", NEREUS_COMMAND_LAUNCHER},
    /* Wrappers, one after the other; the kernel's words for a script; what valgrind and gdb
     * show. */
    {"env A=1 ./job a", "./job a", "./job a", true, NULL, "env A=1 ./job a",
     NEREUS_COMMAND_LAUNCHER},
    {"./wrap a", "./job a", "./job a", true, NULL, "./wrap a", NEREUS_COMMAND_LAUNCHER},
    {"gdb --args ./job a", "/w/job a", "/w/job a", true, NULL, "gdb --args ./job a",
     NEREUS_COMMAND_LAUNCHER},
    {"./app.py x", "/v/bin/python ./app.py x", "./app.py x", true, NULL, "./app.py x",
     NEREUS_COMMAND_LAUNCHER},
    /* Interpreters: main's words are not the process's. */
    {"v/python app.py x", "v/python app.py x", "app.py x", true, NULL, "v/python app.py x",
     NEREUS_COMMAND_LAUNCHER},
    {"v/python -m mod x", "v/python -m mod x", "/v/mod.py x", true, NULL, "v/python -m mod x",
     NEREUS_COMMAND_LAUNCHER},
    {"v/python -c CODE x", "v/python -c CODE x", "-c x", true, NULL, "v/python -c CODE x",
     NEREUS_COMMAND_LAUNCHER},
    {"v/python -c CODE", "v/python -c CODE", "-c", true, NULL, "v/python -c CODE",
     NEREUS_COMMAND_LAUNCHER},
    {"env A=1 perl -w -e CODE x", "perl -w -e CODE x", "-e y", true, NULL,
     "env A=1 perl -w -e CODE y", NEREUS_COMMAND_LAUNCHER},
    {"v/python -Bc CODE x", "v/python -Bc CODE x", "-c x", true, NULL, "v/python -Bc CODE x",
     NEREUS_COMMAND_LAUNCHER},
    {"v/python -m mod x", "v/python -m mod x", "/v/mod.py y", true, NULL, "v/python -m mod x",
     NEREUS_COMMAND_LAUNCHER},
    {NULL, "v/python -c CODE x", "-c x", true, NULL, "v/python -c CODE x", NEREUS_COMMAND_NAME},
    {NULL, "v/python -c CODE x", "-c x", false, NULL, "/w/job -c CODE x", NEREUS_COMMAND_FILE},
    {"v/python app.py x", "v/python app.py x", NULL, true, NULL, "v/python app.py x",
     NEREUS_COMMAND_LAUNCHER},
    {NULL, "v/python app.py x", "app.py x", true, NULL, "v/python app.py x", NEREUS_COMMAND_NAME},
    {NULL, "v/python app.py x", "app.py y z", true, NULL, "v/python app.py y z",
     NEREUS_COMMAND_NAME},
    /* The program has changed its arguments: new processes get those. */
    {"./job a b", "./job a b", "./job b", true, NULL, "./job b", NEREUS_COMMAND_LAUNCHER},
    {"valgrind -q ./job a", "./job a", "./job c d", true, NULL, "valgrind -q ./job c d",
     NEREUS_COMMAND_LAUNCHER},
    {"valgrind -q ./job", "./job", "./job c", true, NULL, "valgrind -q ./job c",
     NEREUS_COMMAND_LAUNCHER},
    {"v/python app.py x", "v/python app.py x", "app.py y", true, NULL, "v/python app.py y",
     NEREUS_COMMAND_LAUNCHER},
    /* They are not seen behind this wrapper, and the environment comes in any case. */
    {"./wrap", "./job --all a", "./job b", true, NULL, "./job b", NEREUS_COMMAND_NAME},
    /* The process has overwritten its words; it was called by another name. */
    {"./job a", "job: busy", "./job a", false, NULL, "./job a", NEREUS_COMMAND_LAUNCHER},
    {NULL, "job: busy", "./job a", false, NULL, "/w/job a", NEREUS_COMMAND_FILE},
    {NULL, "link a", "link a", true, NULL, "link a", NEREUS_COMMAND_NAME},
    {NULL, "renamed a", NULL, false, NULL, "/w/job a", NEREUS_COMMAND_FILE},
    {NULL, NULL, NULL, false, NULL, "/w/job", NEREUS_COMMAND_FILE},
    /* The program says itself. */
    {"./wrap a", "./job a", "./job a", true, "other", "other a", NEREUS_COMMAND_OPTION},
    {"./wrap a", "./job a", NULL, true, "other", "other a", NEREUS_COMMAND_OPTION},
    {"", "./job a", "./job a", true, NULL, "./job a", NEREUS_COMMAND_NAME},
};

Test(command, chooses)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char copies[3][200], *words[3][WORDS_MAX], text[200];
        const struct nereus_command_facts facts = {
            .option = rows[i].option,
            .launcher = split(rows[i].launcher, copies[0], words[0]),
            .launcher_folder = "/started",
            .own_words = split(rows[i].own, copies[1], words[1]),
            .given_words = split(rows[i].given, copies[2], words[2]),
            .file = "/w/job",
            .name_is_file = rows[i].named,
            .folder = "/here"};
        struct nereus_command command;
        cr_assert(nereus_command_choose(&facts, &command), "row %zu", i);
        print(&command, text);
        cr_assert_str_eq(text, rows[i].expected, "row %zu: '%s'", i, text);
        cr_assert_eq(command.source, rows[i].source, "row %zu: %s", i,
                     nereus_command_source_name(command.source));
        cr_assert_str_eq(command.folder,
                         rows[i].source == NEREUS_COMMAND_LAUNCHER ? "/started" : "/here");
        nereus_command_fini(&command);
    }
}

Test(command, knows_nothing)
{
    const struct nereus_command_facts facts = {.folder = "/here"};
    struct nereus_command command;
    cr_assert_not(nereus_command_choose(&facts, &command));
    nereus_command_fini(&command);
}

Test(command, reads_lists_of_proc)
{
    static const char text[] = "one\0\0with\nline\0last";
    char path[] = "/tmp/nereus-command-XXXXXX";
    const int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, text, sizeof text) == (ssize_t)sizeof text);
    close(fd);
    char **list = nereus_command_read(path);
    cr_assert_not_null(list);
    static const char *const expected[] = {"one", "", "with\nline", "last"};
    for (size_t i = 0; i < 4; i++) {
        cr_assert_str_eq(list[i], expected[i]);
        free(list[i]);
    }
    cr_assert_null(list[4]);
    free(list);
    unlink(path);
    cr_assert_null(nereus_command_read("/nowhere"));
}

Test(command, follows_links_and_path)
{
    char folder[] = "/tmp/nereus-command-XXXXXX", path[100];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/linked", folder);
    cr_assert_eq(symlink("/proc/self/exe", path), 0);
    cr_assert(nereus_command_starts_this_program("./linked", folder));
    cr_assert(nereus_command_starts_this_program(path, "/elsewhere"));
    cr_assert_not(nereus_command_starts_this_program("/bin/sh", folder));
    cr_assert_not(nereus_command_starts_this_program("linked", folder));
    setenv("PATH", folder, 1);
    cr_assert(nereus_command_starts_this_program("linked", "/elsewhere"));
    cr_assert_not_null(nereus_command_first_folder());
    unlink(path);
    rmdir(folder);
}
