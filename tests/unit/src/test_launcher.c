/**
 * @file test_launcher.c
 * The command line of further launchers (src/supervise/launcher.c): echo is the launcher.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/mpi/process_manager.h"
#include "src/supervise/launcher.h"

/* In the child: the launcher writes into the test's pipe. */
void output_redirect(const int ends[2])
{
    dup2(ends[0], STDOUT_FILENO);
}

static void launch(char **mpiexec, char *text, size_t size)
{
    char sentence[200] = "", *program[] = {"./job", NULL};
    int ends[2];
    const struct launcher_order order = {
        .host = "", .command = "", .processes = 2, .argv = program};
    cr_assert_eq(pipe(ends), 0);
    const pid_t child =
        launcher_start(&order, mpiexec, (const int[]){ends[1], -1}, sentence, sizeof sentence);
    close(ends[1]);
    cr_assert(child > 0, "%s", sentence);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    const ssize_t length = read(ends[0], text, size - 1);
    cr_assert(length > 0);
    text[length - 1] = '\0'; /* the end of the line */
    close(ends[0]);
}

/* Both files of a launch have its number. */
Test(launcher, files_of_each_launch)
{
    char *mpiexec[] = {
        "echo", "-outfile-pattern", "o.%r", "-l", "-errfile-pattern", "e.%r", "-n", "1", "./job",
        NULL};
    static const char *const expected[] = {
        "-outfile-pattern o.%r.launch1 -l -errfile-pattern e.%r.launch1 -n 2 ./job",
        "-outfile-pattern o.%r.launch2 -l -errfile-pattern e.%r.launch2 -n 2 ./job"};
    setenv(NEREUS_PROCESS_MANAGER_NAME, "hydra", 1);
    unsetenv("NEREUS_LAUNCH_COMMAND");
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char text[200];
        launch(mpiexec, text, sizeof text);
        cr_expect_str_eq(text, expected[i], "launch %zu: %s", i + 1, text);
    }
}
