/** @file test_progress.c  Lines about how far a command is: when, and what they say. The clock is
 * the test's. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "model/util/clock.h"
#include "predictor/cli/progress.h"
#include "predictor/run/child.h"

static double now_s;

double nereus_monotonic_s(void)
{
    return now_s;
}

/* From here on standard error is a file, which is no terminal. */
static FILE *catch_lines(void)
{
    FILE *file = tmpfile();
    cr_assert(file != NULL && dup2(fileno(file), STDERR_FILENO) == STDERR_FILENO);
    now_s = 100;
    return file;
}

/* What was written from there on. Descriptor and stream share one offset. */
static const char *written(FILE *file, long *from)
{
    static char text[2048];
    fflush(stderr);
    fseek(file, *from, SEEK_SET);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    *from += (long)length;
    fseek(file, *from, SEEK_SET);
    return text;
}

Test(progress, says_how_much_time_is_left)
{
    static const struct {
        double left_s;
        const char *line;
    } rows[] = {
        {0, "working: 25 %, 0 s left\n"},    {89, "working: 25 %, 89 s left\n"},
        {90, "working: 25 %, 2 min left\n"}, {7100, "working: 25 %, 118 min left\n"},
        {7200, "working: 25 %, 2 h left\n"}, {61000, "working: 25 %, 17 h left\n"},
    };
    FILE *file = catch_lines();
    long from = 0;
    struct nereus_progress progress;
    nereus_progress_start(&progress, "working", 8);
    cr_expect_str_eq(written(file, &from), "working: 0 %\n");
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        now_s += 10;
        nereus_progress_set_left(&progress, rows[i].left_s);
        nereus_progress_update(&progress, 2, NULL);
        const char *text = written(file, &from);
        cr_expect_str_eq(text, rows[i].line, "%zu: %s", i, text);
    }
    /* By proportion: a quarter in 20 s. */
    now_s = 120;
    progress.drawn_s = 0;
    nereus_progress_set_left(&progress, -1);
    nereus_progress_update(&progress, 2, "a note");
    cr_expect_str_eq(written(file, &from), "working: 25 %, 60 s left: a note\n");
    now_s = 180;
    nereus_progress_end(&progress, "8 pieces");
    cr_expect_str_eq(written(file, &from), "working: 8 pieces in 80.0 s\n");
    fclose(file);
}

Test(progress, what_is_over_soon_says_nothing)
{
    FILE *file = catch_lines();
    long from = 0;
    struct nereus_progress progress;
    nereus_progress_start_quietly(&progress, "working", 8, 2);
    now_s += 1.9;
    nereus_progress_update(&progress, 7, NULL);
    nereus_progress_end(&progress, "8 pieces");
    cr_expect_str_eq(written(file, &from), "");
    nereus_progress_start_quietly(&progress, "working", 8, 2);
    now_s += 2.1;
    nereus_progress_update(&progress, 6, NULL);
    cr_expect_str_eq(written(file, &from), "working: 75 %, 1 s left\n");
    now_s += 9;
    nereus_progress_update(&progress, 7, NULL);
    cr_expect_str_eq(written(file, &from), "", "a log wants few lines");
    nereus_progress_end(&progress, "8 pieces");
    cr_expect_str_eq(written(file, &from), "working: 8 pieces in 11.1 s\n");
    fclose(file);
}
