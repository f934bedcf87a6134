/**
 * @file test_output.c
 * Which launchers' errors are printed before the job has ended (src/supervise/output.h).
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

static void write_as_launcher(const struct output *output, const char *text)
{
    cr_assert(write(output->launchers_ends[1], text, strlen(text)) == (ssize_t)strlen(text));
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
        write_as_launcher(&output, "[mpiexec@host] the first error\n");
        await("the first error");
        const double start_s = nereus_monotonic_s();
        write_as_launcher(&output, "[mpiexec@host] the second error\nmine\n");
        await("mine");
        write_as_launcher(&output, "mine, too\n");
        await("mine, too");
        took_s = nereus_monotonic_s() - start_s;
        output_close(&output, true);
        close(printed.end);
    }
    cr_expect(strstr(printed.text, "the second error") == NULL, "%s", printed.text);
}
