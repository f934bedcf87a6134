/**
 * @file test_output.c
 * Which launchers' lines are printed, and which before the job has ended (src/supervise/output.h).
 */
#include <criterion/criterion.h>
#include <unistd.h>

#include "model/util/clock.h"
#include "src/supervise/output.h"

/* What has been printed on standard error so far. */
static struct {
    int end; /* of a pipe */
    size_t length;
    char text[4096];
} printed;

/* Replace standard error by a new pipe. */
static void capture(void)
{
    int ends[2];
    memset(&printed, 0, sizeof printed);
    cr_assert(pipe(ends) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    close(ends[1]);
    printed.end = ends[0];
}

static void await(const char *words)
{
    while (strstr(printed.text, words) == NULL) {
        const ssize_t length = read(printed.end, printed.text + printed.length,
                                    sizeof printed.text - 1 - printed.length);
        cr_assert(length > 0);
        printed.length += (size_t)length;
    }
}

static void write_as_launcher(int end, const char *text)
{
    cr_assert(write(end, text, strlen(text)) == (ssize_t)strlen(text));
}

/* A launcher's second error waits for the job's own message as its first one did, which has been
 * printed. Lines of the application pass: the second of them after the thread has decided about the
 * error. On a machine that takes half of the error's time for that, it is tried again. */
Test(output, a_later_error_is_held_back_too, .timeout = 300)
{
    double took_s = INFINITY;
    while (took_s > 1.5) {
        struct output output;
        capture();
        output_open(&output);
        cr_assert(output.runs);
        write_as_launcher(output.ends[1], "[mpiexec@host] the first error\n");
        await("the first error");
        const double start_s = nereus_monotonic_s();
        write_as_launcher(output.ends[1], "[mpiexec@host] the second error\nmine\n");
        await("mine");
        write_as_launcher(output.ends[1], "mine, too\n");
        await("mine, too");
        took_s = nereus_monotonic_s() - start_s;
        output_close(&output, true);
        close(printed.end);
    }
    cr_expect(strstr(printed.text, "the second error") == NULL, "%s", printed.text);
}

/* MPICH writes its separator in two pieces, and the host's name before the rest of a line. */
#define HALF "================================================"
static const struct {
    int launcher;
    const char *text;
} turns[] = {{0, "\n" HALF "=="},
             {1, "[mpiexec@b] "},
             {0,
              "=================================\n=   BAD TERMINATION OF ONE OF YOUR APPLICATION "
              "PROCESSES\n=   EXIT CODE: 2\n"},
             {1, "Press Ctrl-C again to force abort\n"},
             {0, HALF "===================================\n[mpiexec@a] "},
             {1, "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Interrupt (signal 2)\n"},
             {0, "Press Ctrl-C again to force abort\n"}};

/* Two launchers write in turn. A third one has come and gone: what could have begun a report of it
 * passes then. */
Test(output, launchers_do_not_cut_lines_of_others, .timeout = 300)
{
    struct output output;
    int ends[2], gone[2];
    capture();
    output_open(&output);
    cr_assert(output_add(&output, ends) && output_add(&output, gone));
    write_as_launcher(gone[1], "gone\n\n[");
    close(gone[0]);
    close(gone[1]);
    await("[");
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        write_as_launcher(turns[i].launcher == 0 ? output.ends[1] : ends[1], turns[i].text);
    write_as_launcher(output.ends[1], "mine\n");
    await("mine\n");
    write_as_launcher(ends[1], "too\n");
    await("too\n");
    close(ends[0]);
    close(ends[1]);
    output_close(&output, true);
    close(printed.end);
    cr_expect_str_eq(printed.text, "gone\n\n[mine\ntoo\n", "%s", printed.text);
}
