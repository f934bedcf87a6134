/**
 * @file test_line_filter.c
 * Hydra's own lines are held back, whatever pieces they come in; an application's lines pass as
 * they come, also where they look alike (src/supervise/line_filter.h).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "src/supervise/line_filter.h"

/* As MPICH 5.0.2 prints it. */
#define RULER                                                                                      \
    "=================================================="                                           \
    "=================================\n"
#define REPORT                                                                                     \
    "\n" RULER "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n"                        \
    "=   PID 4711 RUNNING AT host\n=   EXIT CODE: 9\n=   CLEANING UP REMAINING PROCESSES\n"        \
    "=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES\n" RULER
#define LAST                                                                                       \
    "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)\n"           \
    "This typically refers to a problem with your application.\n"                                  \
    "Please see the FAQ page for debugging suggestions\n"
#define CTRL_C                                                                                     \
    "[mpiexec@host] Sending Ctrl-C to processes as requested\n"                                    \
    "[mpiexec@host] Press Ctrl-C again to force abort\n"

struct text {
    char bytes[4096];
    size_t length;
};

static void keep(void *user, const char *bytes, size_t length)
{
    struct text *text = user;
    cr_assert(text->length + length < sizeof text->bytes);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static void count(void *user, const char *bytes, size_t length)
{
    (void)bytes;
    *(size_t *)user += length;
}

/* What passes of an input that comes in pieces of this size. */
static void filter(const char *input, size_t piece, bool is_stderr, bool drops, struct text *passed)
{
    struct line_filter filter = {.sink = keep, .user = passed, .is_stderr = is_stderr};
    passed->length = 0;
    passed->bytes[0] = '\0';
    for (size_t at = 0, length = strlen(input); at < length; at += piece)
        line_filter_add(&filter, input + at, length - at < piece ? length - at : piece);
    line_filter_end(&filter, drops);
}

static const struct {
    const char *what, *input, *passes;
    bool is_stderr;
} rows[] = {
    {"a report", "before\n" REPORT "after\n", "before\nafter\n", false},
    {"two reports", REPORT REPORT "after\n", "after\n", false},
    {"the words at the end", "a\n" LAST, "a\n", false},
    {"an interrupted job", "a\n" CTRL_C REPORT LAST, "a\n", false},
    {"the program's lines that are the same",
     "Press Ctrl-C again to force abort\nSending Ctrl-C to processes as requested\n" CTRL_C
     "Press Ctrl-C again to force abort\n",
     "Press Ctrl-C again to force abort\nSending Ctrl-C to processes as requested\n"
     "Press Ctrl-C again to force abort\n",
     false},
    {"a title in a line of the application", "\n=====YOUR APPLICATION\n=====\n",
     "\n=====YOUR APPLICATION\n=====\n", false},
    {"a report after a line that has no end", "half" REPORT, "half\n" RULER, false},
    {"Hydra's troubles",
     "[mpiexec@host] control_cb (pmiserv_cb.c:280): assert (!closed) failed\n"
     "[proxy:0@host] main (proxy.c:1): demux engine error\nmine\n",
     "mine\n", true},
    {"what mpiexec -verbose prints", "[mpiexec@host] Timeout set to -1\n",
     "[mpiexec@host] Timeout set to -1\n", false},
    {"a ruler of the application", "\n" RULER "results\n" RULER, "\n" RULER "results\n" RULER,
     false},
    {"a shorter ruler", "\n======\nresults\n", "\n======\nresults\n", false},
    {"empty lines", "\n\n\nx\n\n", "\n\n\nx\n\n", false},
    {"a ruler at the end", "\n" RULER, "\n" RULER, false},
    {"no newline at the end", "the end", "the end", false},
    {"almost Hydra's", "=   BAD TASTE\nYOUR APPLICATION\n[mpi] x\n",
     "=   BAD TASTE\nYOUR APPLICATION\n[mpi] x\n", false},
};

Test(line_filter, own_lines_are_dropped_and_others_pass)
{
    static const size_t pieces[] = {1, 3, 50, 83, 4096};
    static struct text passed;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
            filter(rows[i].input, pieces[k], rows[i].is_stderr, true, &passed);
            cr_expect_str_eq(passed.bytes, rows[i].passes, "%s, in pieces of %zu: '%s'",
                             rows[i].what, pieces[k], passed.bytes);
        }
}

/* As Open MPI 5.0.11 prints it. */
#define DASHES                                                                                     \
    "-------------------------------------"                                                        \
    "-------------------------------------\n"
#define NOTICE                                                                                     \
    DASHES "prterun noticed that process rank 2 with PID 4711 on node host exited on\n"            \
           "signal 9 (Killed).\n" DASHES

Test(line_filter, reports_of_another_launcher_are_dropped)
{
    static const size_t pieces[] = {1, 3, 50, 74, 4096};
    static const struct {
        const char *input, *passes;
    } texts[] = {
        {"before\n" NOTICE "after\n", "before\nafter\n"},
        {NOTICE NOTICE, ""},
        {DASHES "results\n" DASHES NOTICE, DASHES "results\n" DASHES},
        {DASHES DASHES "x\n", DASHES DASHES "x\n"},
        {REPORT, REPORT},
    };
    static struct text passed;
    setenv("NEREUS_PROCESS_MANAGER", "prrte", 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
            filter(texts[i].input, pieces[k], true, true, &passed);
            cr_expect_str_eq(passed.bytes, texts[i].passes, "row %zu, in pieces of %zu: '%s'", i,
                             pieces[k], passed.bytes);
        }
    unsetenv("NEREUS_PROCESS_MANAGER");
}

/* A program that the launcher cannot start; its lines are dropped, whatever the caller says. */
Test(line_filter, a_program_that_is_missing)
{
    static const struct {
        const char *line, *missing;
        bool is_stderr;
    } lines[] = {
        {"[proxy:0@host] HYDU_create_process (lib/launch.c:73): execvp error on file ./a (b) (No such "
         "file or directory)\n",
         "./a (b): No such file or directory", true},
        {"[proxy:0@host] HYDU_create_process: execvp error on file x (Permission denied)\n",
         "x: Permission denied", true},
        /* two processes at once, and a proxy that was killed before it ended its line */
        {"[proxy:0@host] [proxy:0@host] HYDU_create_process (lib/launch.c:73): execvp error on "
         "file ./a (No)\n"
         "HYDU_create_process (lib/launch.c:73): execvp error on file ./a (No)",
         "./a: No", true},
        {"[proxy:0@host] HYDU_create_process (x): [proxy:0@host] HYDU_create_process (x): execvp error on "
         "file a (No)\nexecvp error on file a (No)\n",
         "a: No", true},
        {"[proxy:0@host] HYDU_create_process: execvp error on file x (No such file)\n", "", false},
        {"[proxy:0@host] execvp error on file x\n", "", true},
        {"[proxy:0@host] execvp error on file (y)\n", "", true},
        {"my execvp error on file x (No such file or directory)\n", "", true},
    };
    static struct text passed;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct line_filter filter = {
            .sink = keep, .user = &passed, .is_stderr = lines[i].is_stderr};
        passed.length = 0;
        line_filter_add(&filter, lines[i].line, strlen(lines[i].line));
        line_filter_end(&filter, false);
        cr_expect_str_eq(filter.missing_program, lines[i].missing, "row %zu: '%s'", i,
                         filter.missing_program);
        cr_expect_eq(passed.length == 0, lines[i].missing[0] != '\0', "row %zu", i);
    }
}

/* Where nothing else tells of the launcher's troubles they come out; a report is none. */
Test(line_filter, troubles_are_released)
{
    static const struct {
        const char *input, *released;
        bool has_error, is_stderr;
    } inputs[] = {
        {"x\n[mpiexec@host] sock write error\n", "x\n[mpiexec@host] sock write error\n", true,
         true},
        {REPORT "x\n[proxy:0@host] no\n", "x\n" REPORT "[proxy:0@host] no\n", true, true},
        {REPORT LAST, REPORT LAST, false, true},
        {CTRL_C, CTRL_C, false, false},
    };
    static struct text passed;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct line_filter filter = {
            .sink = keep, .user = &passed, .is_stderr = inputs[i].is_stderr};
        passed.length = 0;
        line_filter_add(&filter, inputs[i].input, strlen(inputs[i].input));
        cr_expect_eq(filter.has_error, inputs[i].has_error, "row %zu", i);
        line_filter_release(&filter);
        cr_expect_str_eq(passed.bytes, inputs[i].released, "row %zu: '%s'", i, passed.bytes);
        cr_expect_not(filter.has_error, "row %zu", i);
        line_filter_end(&filter, false);
    }
}

/* Told to end twice, mpiexec may end with 0. */
Test(line_filter, a_job_that_is_aborted)
{
    static const struct {
        const char *line;
        bool aborted;
    } lines[] = {{"Ctrl-C caught... cleaning up processes\n", true},
                 {"[mpiexec@host] Ctrl-C caught... cleaning up processes\n", true},
                 {CTRL_C, false},
                 {"it said: Ctrl-C caught... cleaning up processes\n", false}};
    static struct text passed;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct line_filter filter = {.sink = keep, .user = &passed};
        passed.length = 0;
        line_filter_add(&filter, lines[i].line, strlen(lines[i].line));
        line_filter_end(&filter, true);
        cr_expect_eq(filter.aborted, lines[i].aborted, "row %zu", i);
    }
}

/* Nothing is lost, and the report is at the end. */
Test(line_filter, where_nobody_says_more_they_follow)
{
    static struct text passed;
    filter("before\n" REPORT "after\n" LAST, 7, false, false, &passed);
    cr_expect_str_eq(passed.bytes, "before\nafter\n" REPORT LAST, "'%s'", passed.bytes);
}

/* As Open MPI repeats a line without end after a loss. */
Test(line_filter, more_than_the_limit_passes)
{
    static const char line[] = "[proxy:0@host] no\n";
    const size_t length = sizeof line - 1, most = LINE_FILTER_HELD_MAX / length;
    static struct text passed;
    struct line_filter filter = {.sink = keep, .user = &passed, .is_stderr = true};
    passed.length = 0;
    for (size_t i = 0; i < most; i++)
        line_filter_add(&filter, line, length);
    cr_expect_eq(passed.length, 0);
    line_filter_add(&filter, line, length);
    cr_expect_eq(passed.length, length);
    cr_expect_leq(filter.reports.length, LINE_FILTER_HELD_MAX);
    line_filter_end(&filter, true);
    cr_expect_eq(passed.length, length);
}

/* A line that is held back as long as its end is not known: not for ever. */
Test(line_filter, a_line_without_end_passes)
{
    static size_t passed;
    struct line_filter filter = {.sink = count, .user = &passed, .is_stderr = true};
    line_filter_add(&filter, "[mpiexec@", 9);
    for (size_t i = 0; i <= LINE_FILTER_HELD_MAX; i += 8)
        line_filter_add(&filter, "12345678", 8);
    cr_expect_gt(passed, LINE_FILTER_HELD_MAX);
    line_filter_end(&filter, true);
}

/* A prompt, a progress bar: before their newline comes. */
Test(line_filter, what_cannot_be_hydras_passes_at_once)
{
    static const char *const begins[] = {"Continue? ", "==>",    "[1/7]", "mpiexec",
                                         "=====",      "Press ", "YOU"};
    static struct text passed;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        struct line_filter filter = {.sink = keep, .user = &passed};
        passed.length = 0;
        passed.bytes[0] = '\0';
        line_filter_add(&filter, begins[i], strlen(begins[i]));
        /* Of "YOU" it is not known yet */
        cr_expect_str_eq(passed.bytes, begins[i][0] == 'Y' ? "" : begins[i], "'%s'", begins[i]);
        line_filter_end(&filter, true);
        cr_expect_str_eq(passed.bytes, begins[i]);
    }
}

/* Which mpiexec prints when it cannot write a file of -outfile-pattern. */
Test(line_filter, files_that_cannot_be_written)
{
    static const struct {
        const char *lines, *unwritten;
    } texts[] = {
        {"[mpiexec@vm] HYDU_sock_write (lib/utils/sock.c:250): write error (No space left on device)\n"
         "[mpiexec@vm] stdoe_cb (mpiexec/uiu.c:293): unable to write data to stdout/stderr\n",
         "No space left on device"},
        {"[mpiexec@vm] stdoe_cb (mpiexec/uiu.c:277): assert (tmp->fd >= 0) failed\n",
         "a file cannot be opened"},
        {"[mpiexec@vm] HYDU_sock_write (lib/utils/sock.c:250): write error (Broken pipe)\n", ""},
        {"write error (mine)\nstdoe_cb (mine)\n", ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text passed = {.length = 0};
        struct line_filter filter = {.sink = keep, .user = &passed, .is_stderr = true};
        line_filter_add(&filter, texts[i].lines, strlen(texts[i].lines));
        line_filter_end(&filter, false);
        cr_expect_str_eq(filter.write_error, texts[i].unwritten, "row %zu", i);
        cr_expect_eq(passed.length == 0, texts[i].unwritten[0] != '\0', "row %zu", i);
    }
}
