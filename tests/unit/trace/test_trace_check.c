/** @file test_trace_check.c  A trace against its plan: each way in which it can be wrong is found,
 * with its line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/trace/trace_check.h"
#include "model/util/arith.h"

enum { STEPS_MAX = 32, TEXT_MAX = 16384 };

/* 3 -> 7 processes by merge/p2p: constant, variable and replicated data. */
static struct nereus_data_entry data[] = {
    {"c", 8, 1009, NEREUS_CONSTANT, .placement = NEREUS_DISTRIBUTED},
    {"v", 4, 517, NEREUS_VARIABLE, .placement = NEREUS_DISTRIBUTED},
    {"r", 8, 7, NEREUS_CONSTANT, .placement = NEREUS_REPLICATED}};

static void make_plan(struct nereus_plan *plan)
{
    struct nereus_request request = {
        .version = NEREUS_RECORD_VERSION, .ns = 3, .nt = 7, .data_count = 3, .data = data};
    struct nereus_error err;
    cr_assert_eq(nereus_method_parse("merge/p2p", &request.method, &err), NEREUS_OK);
    cr_assert_eq(nereus_plan_make(&request, plan, &err), NEREUS_OK, "%s", err.text);
}

/* The lines of a right trace: steps of 1/16 s, one after the other.
 * @return how many steps */
static int write_lines(char lines[STEPS_MAX + 1][512])
{
    struct nereus_plan plan;
    make_plan(&plan);
    const int count = plan.step_count;
    cr_assert(count < STEPS_MAX);
    for (int i = 0; i < count; i++) {
        const struct nereus_step *step = &plan.steps[i];
        snprintf(
            lines[i], sizeof lines[i],
            "{\"event\":\"step\",\"reconfiguration\":1,\"step\":%d,\"kind\":\"%s\",\"level\":%d,"
            "\"repeat\":%d,\"times\":%d,\"ns\":3,\"nt\":7,\"method\":\"merge/p2p\","
            "\"old_processes\":%d,\"new_processes\":%d,\"bytes\":%d,\"start_s\":%g,"
            "\"arrived_s\":%g,\"time_s\":0.0625,\"critical_s\":0.0625,\"wait_s\":0}\n",
            i, nereus_step_name(step->kind), (int)step->level, (int)step->repeat, (int)step->times,
            (int)step->old_processes, (int)step->new_processes,
            (int)(step->constant_bytes + step->variable_bytes + step->replicated_bytes), i / 16.0,
            i / 16.0);
    }
    snprintf(lines[count], sizeof lines[count],
             "{\"event\":\"reconfiguration\",\"reconfiguration\":1,\"ns\":3,\"nt\":7,"
             "\"method\":\"merge/p2p\",\"outcome\":\"resized\",\"rt_s\":%g,\"critical_s\":%g,"
             "\"waits_s\":0,\"not_attributed_s\":0.5,\"constant_bytes\":8072,"
             "\"variable_bytes\":2068,\"replicated_bytes\":56,\"record\":{\"zombies\":0,"
             "\"bridge\":0,\"batch\":1,\"data\":3,\"groups\":[[0,4]],\"leavers\":[]}}\n",
             count / 16.0 + 0.5, count / 16.0);
    nereus_plan_fini(&plan);
    return count;
}

struct found {
    char sentences[2048];
    int64_t first_line;
};

static void note(void *user, int64_t line, const char *sentence)
{
    struct found *found = user;
    const size_t used = strlen(found->sentences);
    found->first_line = found->first_line == 0 ? line : found->first_line;
    snprintf(found->sentences + used, sizeof found->sentences - used, "%s\n", sentence);
}

/* @return how many findings there are */
static int64_t check(const char *text, struct found *found, struct nereus_trace_checked *checked)
{
    char path[64];
    struct nereus_trace trace;
    struct nereus_error err;
    memset(found, 0, sizeof *found);
    snprintf(path, sizeof path, "check-%ld.jsonl", (long)getpid());
    FILE *file = fopen(path, "w");
    cr_assert_not_null((void *)file);
    fputs(text, file);
    fclose(file);
    const enum nereus_status status = nereus_trace_read(path, &trace, &err);
    unlink(path);
    cr_assert_eq(status, NEREUS_OK, "%s", err.text);
    struct nereus_trace_findings findings = {.report = note, .user = found};
    nereus_trace_check(&trace, &findings, checked);
    nereus_trace_fini(&trace);
    return findings.count;
}

/* The lines in an order: "0 1 2 ...". `from` is replaced by `to` in line `changed`. */
static void assemble(char lines[STEPS_MAX + 1][512], const int *order, int count, int changed,
                     const char *from, const char *to, char text[TEXT_MAX])
{
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const char *line = lines[order[i]], *position = i == changed ? strstr(line, from) : NULL;
        const size_t used = strlen(text);
        cr_assert(i != changed || position != NULL, "'%s' is not in %s", from, line);
        if (position == NULL) {
            snprintf(text + used, TEXT_MAX - used, "%s", line);
        } else {
            snprintf(text + used, TEXT_MAX - used, "%.*s%s%s", (int)(position - line), line, to,
                     position + strlen(from));
        }
    }
}

/* move: line `at` is left out (0), doubled (1), or comes after the next one (2). */
static const struct {
    const char *what;
    int at, move;
    const char *from, *to; /* in line `at`; NULL: nothing is replaced */
    int64_t findings, line;
    const char *says;
} rows[] = {
    {"a step is missing", 2, 0, NULL, NULL, 3, 9, "step 2 (join) of the plan is missing"},
    {"a step is doubled", 2, 1, NULL, NULL, 3, 4, "step 2 (join) is there twice"},
    {"two steps are exchanged", 2, 2, NULL, NULL, 1, 4, "step 2 (join) comes after step 3 (merge)"},
    {"another kind", 1, 3, "\"spawn\"", "\"launch\"", 1, 2,
     "step 1 is launch, the plan says spawn"},
    {"other processes", 1, 3, "\"new_processes\":4", "\"new_processes\":5", 1, 2,
     "new_processes of step 1 (spawn) is 5, the plan says 4"},
    {"another level", 1, 3, "\"level\":0", "\"level\":7", 1, 2,
     "level of step 1 (spawn) is 7, the plan says 0"},
    {"other bytes", 4, 3, "\"bytes\":10196", "\"bytes\":10195", 1, 5,
     "bytes of step 4 (allocate) is 10195, the plan says 10196"},
    {"a step beyond the plan", 3, 3, "\"step\":3", "\"step\":77", 2, 4,
     "there is a step 77 (merge), the plan has steps 0 to"},
    {"more on the critical path than it takes", 3, 3, "\"critical_s\":0.0625",
     "\"critical_s\":0.125", 3, 4, "0.125 s of it lie on the critical path"},
    {"times that do not add up", -1, 3, "\"rt_s\":", "\"rt_s\":9", 1, 0, "is said to be 9"},
    {"another target", -1, 3, "\"nt\":7", "\"nt\":8", 6, 0, "the plan says"},
};

Test(trace_check, a_right_trace_is_right)
{
    static char lines[STEPS_MAX + 1][512], text[TEXT_MAX];
    int order[STEPS_MAX + 1];
    struct found found;
    struct nereus_trace_checked checked;
    const int steps = write_lines(lines);
    for (int i = 0; i <= steps; i++)
        order[i] = i;
    assemble(lines, order, steps + 1, -1, NULL, NULL, text);
    cr_expect_eq(check(text, &found, &checked), 0, "%s", found.sentences);
    cr_expect(checked.changes == 1 && checked.compared_count == 1 && checked.unplanned == 0);
    /* The same job once more: another job in the same file. */
    const size_t length = strlen(text);
    memcpy(text + length, text, length + 1 < TEXT_MAX - length ? length : 0);
    text[2 * length] = '\0';
    cr_expect_eq(check(text, &found, &checked), 0, "%s", found.sentences);
    cr_expect(checked.changes == 2 && checked.compared_count == 2);
}

Test(trace_check, what_is_wrong_is_found)
{
    static char lines[STEPS_MAX + 1][512], text[TEXT_MAX];
    const int steps = write_lines(lines);
    for (size_t r = 0; r < NEREUS_COUNT_OF(rows); r++) {
        int order[STEPS_MAX + 2], count = 0;
        const int index = rows[r].at < 0 ? steps : rows[r].at;
        for (int i = 0; i <= steps; i++) {
            if (i != index || rows[r].move != 0)
                order[count++] = i;
            if (i == index && rows[r].move == 1)
                order[count++] = i;
        }
        if (rows[r].move == 2) {
            order[index] = index + 1;
            order[index + 1] = index;
        }
        struct found found;
        struct nereus_trace_checked checked;
        assemble(lines, order, count, rows[r].move == 3 ? index : -1, rows[r].from, rows[r].to,
                 text);
        const int64_t findings = check(text, &found, &checked);
        cr_expect_eq(findings, rows[r].findings, "%s: %d findings: %s", rows[r].what, (int)findings,
                     found.sentences);
        cr_expect_not_null(strstr(found.sentences, rows[r].says), "%s: %s", rows[r].what,
                           found.sentences);
        cr_expect(rows[r].line == 0 || found.first_line == rows[r].line, "%s: line %d",
                  rows[r].what, (int)found.first_line);
    }
}

Test(trace_check, a_trace_that_breaks_off_and_answers)
{
    static char lines[STEPS_MAX + 1][512], text[TEXT_MAX];
    int order[STEPS_MAX + 1];
    struct found found;
    struct nereus_trace_checked checked;
    const int steps = write_lines(lines);
    for (int i = 0; i <= steps; i++)
        order[i] = i;
    assemble(lines, order, steps, -1, NULL, NULL, text);
    cr_expect_eq(check(text, &found, &checked), 1);
    cr_expect_not_null(strstr(found.sentences, "not followed by a line of its own"));
    cr_expect_eq(found.first_line, steps);
    cr_expect_eq(check("{\"event\":\"reconfiguration\",\"reconfiguration\":1,\"ns\":3,\"nt\":7,"
                       "\"method\":\"merge/p2p\",\"outcome\":\"failed\",\"sentence\":\"no room\"}\n"
                       "{\"event\":\"reconfiguration\",\"reconfiguration\":2,\"ns\":3,\"nt\":7,"
                       "\"method\":\"merge/p2p\",\"outcome\":\"failed\",\"sentence\":\"\"}\n",
                       &found, &checked),
                 1);
    cr_expect_not_null(strstr(found.sentences, "no sentence says why its outcome is failed"));
    cr_expect_eq(checked.changes, 2);
}
