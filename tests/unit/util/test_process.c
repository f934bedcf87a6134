/**
 * @file test_process.c
 * Processes, programs on PATH, and lists of words (model/util/process.h, strings.h).
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "model/util/process.h"
#include "model/util/strings.h"

Test(process, is_seen_whatever_its_name)
{
    struct nereus_process_stat process;
    prctl(PR_SET_NAME, "a) Z (b c", 0, 0, 0);
    cr_assert(nereus_process_read(getpid(), &process));
    cr_assert_str_eq(process.name, "a) Z (b c");
    cr_assert_eq(process.parent, getppid());
    cr_assert_eq(process.state, 'R');
    cr_assert_not(nereus_process_read(-1, &process));
}

/* In a folder with the program `here/tool`, the folder `tool`, and `data`, which is no program. */
static const struct {
    const char *path, *name, *folder, *found; /* NULL: nothing */
    int reason;
} rows[] = {
    {"here", "tool", "F", "F/here/tool", 0},
    {"nowhere:here", "tool", "F", "F/here/tool", 0},
    {"/:F/here", "tool", NULL, "F/here/tool", 0},
    {":nowhere", "data", "F", NULL, ENOENT},
    {"here:", "link", "F", "F/link", 0}, /* an empty one is the present folder */
    {"F", "tool", NULL, NULL, ENOENT},   /* a folder is none */
    {"F", "./tool", "F", NULL, EACCES},
    {"F", "./data", "F", NULL, EACCES},
    {"F", "here/tool", "F", "F/here/tool", 0},
    {"F", "F/here/tool", "/elsewhere", "F/here/tool", 0},
    {"F", "./nothing", "F", NULL, ENOENT},
    {"here", "", "F", NULL, ENOENT},
};

/* F is the folder. */
static const char *with(const char *text, const char *folder, char *to)
{
    *to = '\0';
    for (; text != NULL && *text != '\0'; text++)
        sprintf(to + strlen(to), *text == 'F' ? "%s" : "%.1s", *text == 'F' ? folder : text);
    return text != NULL ? to : NULL;
}

Test(process, finds_programs_as_execvp_does)
{
    char folder[] = "/tmp/nereus-process-XXXXXX", texts[4][300], path[300], command[400],
         real[PATH_MAX], expected[PATH_MAX];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cd %s && mkdir here tool && touch here/tool data && chmod +x here/tool && "
             "ln -s here/tool link",
             folder);
    cr_assert_eq(system(command), 0);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        setenv("PATH", with(rows[i].path, folder, texts[0]), 1);
        errno = 0;
        const bool found =
            nereus_program_search(with(rows[i].name, folder, texts[1]),
                                  with(rows[i].folder, folder, texts[2]), path, sizeof path);
        cr_assert_eq(found, rows[i].found != NULL, "row %zu: %s", i, path);
        if (found) {

            cr_assert_not_null(realpath(with(rows[i].found, folder, texts[3]), expected));
            cr_assert_not_null(realpath(path, real));
            cr_assert_str_eq(real, expected, "row %zu: %s", i, path);
        } else {
            cr_assert_eq(errno, rows[i].reason, "row %zu: %s", i, strerror(errno));
        }
    }
    setenv("PATH", "/usr/bin:/bin", 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

Test(strings, grow)
{
    struct nereus_strings strings = {0};
    for (int i = 0; i < 20; i++)
        nereus_strings_add(&strings, i == 7 ? "seven" : "");
    nereus_strings_add_owned(&strings, strdup("last"));
    cr_assert_eq(strings.count, 21);
    cr_assert_str_eq(strings.words[7], "seven");
    cr_assert_str_eq(strings.words[20], "last");
    cr_assert_null(strings.words[21]);
    cr_assert_not(strings.broken);
    nereus_strings_add_owned(&strings, NULL);
    cr_assert(strings.broken);
    cr_assert_eq(strings.count, 21);
    nereus_strings_free(strings.words);
    nereus_strings_free(NULL);
}
