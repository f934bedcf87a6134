/** @file test_twin.c  Iterations found in calls made by hand, and the stages that they become. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/twin/messages.h"
#include "model/twin/twin.h"
#include "model/util/arith.h"
#include "model/util/mix.h"

enum { ROOM = 4000 };

/* One letter a call: b barrier, c bcast, a allreduce, g allgather, s send, r receive, i isend to
 * both sides, w wait, m mark, o another one. Each takes 1 ms of MPI behind `before_s` of computing.
 */
static enum nereus_call_kind kind_of(char letter)
{
    switch (letter) {
    case 'b':
        return NEREUS_CALL_BARRIER;
    case 'c':
        return NEREUS_CALL_BCAST;
    case 'g':
        return NEREUS_CALL_ALLGATHER;
    case 's':
        return NEREUS_CALL_SEND;
    case 'i':
        return NEREUS_CALL_ISEND;
    case 'w':
        return NEREUS_CALL_WAIT;
    case 'm':
        return NEREUS_CALL_MARK;
    case 'o':
        return NEREUS_CALL_OTHER;
    case 'r':
        return NEREUS_CALL_RECV;
    default:
        return NEREUS_CALL_ALLREDUCE;
    }
}

static struct nereus_call items[2][ROOM];

static struct nereus_calls make(int rank, const char *start, const char *iteration, int repeats,
                                const char *end, double before_s)
{
    struct nereus_calls calls = {.items = items[rank], .processes = 2};
    char text[ROOM] = "";
    strcat(text, start);
    for (int i = 0; i < repeats; i++)
        strcat(text, iteration);
    strcat(text, end);
    double now_s = 100;
    int sent = 0;
    for (const char *letter = text; *letter != '\0'; letter++) {
        now_s += before_s;
        items[rank][calls.count] =
            (struct nereus_call){.kind = kind_of(*letter),
                                 .bytes = 100 + *letter,
                                 .peer = *letter == 'i' && sent++ % 2 == 0 ? 1 : -1,
                                 .begin_s = now_s,
                                 .end_s = now_s + 1e-3};
        now_s = items[rank][calls.count++].end_s;
    }
    return calls;
}

Test(twin, iterations)
{
    static const struct {
        const char *start, *iteration, *end;
        int repeats;
        int64_t first, period, count; /* count 0: none is found */
    } rows[] = {
        {"cbb", "ga", "b", 10, 3, 2, 10},
        {"", "gaa", "", 7, 0, 3, 7},
        {"cg", "a", "", 20, 2, 1, 20},
        {"cga", "gagb", "cc", 9, 3, 4, 9},       /* not the "ga" inside */
        {"cm", "gaam", "bbb", 5, 2, 4, 5},       /* marks say where */
        {"m", "gm", "aaaaaaaaaaaa", 6, 1, 2, 6}, /* what comes behind is longer than the loop */
        {"cbgasb", "", "", 0, 0, 0, 0},
        {"", "ga", "", 2, 0, 0, 0},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_calls calls =
            make(0, rows[i].start, rows[i].iteration, rows[i].repeats, rows[i].end, 1e-3);
        struct nereus_cycle cycle;
        struct nereus_error err = {.status = NEREUS_OK};
        const enum nereus_status status = nereus_cycle_find(&calls, 0, &cycle, &err);
        cr_expect_eq(status, rows[i].count > 0 ? NEREUS_OK : NEREUS_ERR_NO_BASIS, "row %zu: %s", i,
                     err.text);
        if (status == NEREUS_OK)
            cr_expect(cycle.period == rows[i].period && cycle.count == rows[i].count &&
                          cycle.indices[0] == rows[i].first,
                      "row %zu: %lld calls from %lld, %lld times", i, (long long)cycle.period,
                      (long long)cycle.indices[0], (long long)cycle.count);
        nereus_cycle_fini(&cycle);
    }
}

static void expect_file(const struct nereus_calls *ranks, const struct nereus_twin_job *job,
                        const char *expected)
{
    struct nereus_twin twin;
    struct nereus_error err = {.status = NEREUS_OK};
    char *text;
    size_t length;
    cr_assert_eq(nereus_twin_make(ranks, 2, 0.5, 0, &twin, &err), NEREUS_OK, "%s", err.text);
    FILE *stream = open_memstream(&text, &length);
    nereus_twin_write(&twin, job, "mpiexec app", stream);
    fclose(stream);
    cr_expect_str_eq(strchr(text, '['), expected, "%s", text);
    free(text);
    nereus_twin_fini(&twin);
}

#define UNEQUAL                                                                                    \
    "[general]\nGranularity = 20\nT_op = measured\nconstant_bytes = 0\nvariable_bytes = 80\n"      \
    "\n[stage0]\ntype = pi\ntime_s = 0.004\nimbalance = 0.5,1.5\n"                                 \
    "\n[stage1]\ntype = allgather\nbytes = 203\n"                                                  \
    "\n[stage2]\ntype = pi\ntime_s = 0.004\nimbalance = 0.5,1.5\n"                                 \
    "\n[stage3]\ntype = allreduce\nbytes = 197\n"                                                  \
    "\n[group0]\niterations = 7\nprocesses = 2\n"                                                  \
    "\n[group1]\niterations = 7\nprocesses = 4\nmethod = baseline/coll\n"

/* Processes that compute 1 and 3 ms before each call: 4 ms on one process, shares 0.5 and 1.5. */
Test(twin, stages_of_unequal_processes)
{
    const struct nereus_calls ranks[] = {make(0, "c", "ga", 9, "", 1e-3),
                                         make(1, "c", "ga", 9, "", 3e-3)};
    const struct nereus_twin_job job = {.variable_bytes = 80,
                                        .constant_bytes = 0,
                                        .nt = 4,
                                        .method = "baseline/coll",
                                        .iterations = 7};
    expect_file(ranks, &job, UNEQUAL);
}

/* The same where they had no core for 5 and 7 ms before each call: of two calls in the
 * mean 12 ms. */
Test(twin, waiting_for_a_core_is_no_computing)
{
    const double coreless_s[] = {5e-3, 7e-3};
    const struct nereus_calls ranks[] = {make(0, "c", "ga", 9, "", 1e-3 + coreless_s[0]),
                                         make(1, "c", "ga", 9, "", 3e-3 + coreless_s[1])};
    const struct nereus_twin_job job = {.variable_bytes = 80,
                                        .constant_bytes = 0,
                                        .nt = 4,
                                        .method = "baseline/coll",
                                        .iterations = 7};
    struct nereus_twin twin;
    for (int rank = 0; rank < 2; rank++)
        for (int64_t i = 0; i < ranks[rank].count; i++)
            ranks[rank].items[i].coreless_s = coreless_s[rank];
    expect_file(ranks, &job, UNEQUAL);
    cr_assert_eq(nereus_twin_make(ranks, 2, 0.5, 0, &twin, NULL), NEREUS_OK);
    cr_expect_float_eq(twin.times.runnable_wait_s, 12e-3, 1e-12);
    nereus_twin_fini(&twin);
}

#define TWO_SIZES                                                                                  \
    "[general]\nGranularity = 20\nT_op = measured\n"                                               \
    "\n[stage0]\ntype = pi\ntime_s = 0.004\nimbalance = 0.5,1.5 | %s\n"                            \
    "\n[stage1]\ntype = allgather\nbytes = 203\n"                                                  \
    "\n[stage2]\ntype = pi\ntime_s = 0.004\nimbalance = 0.5,1.5 | %s\n"                            \
    "\n[stage3]\ntype = allreduce\nbytes = 197\n%s"

/* Watched with two and four processes: a table of imbalance and a factor for each. By hand: 8 ms on
 * one process, 2.2 ms on each of four in the mean. */
Test(twin, two_sizes)
{
    const struct nereus_calls ranks[] = {make(0, "c", "ga", 9, "", 1e-3),
                                         make(1, "c", "ga", 9, "", 3e-3)};
    double total_s[4] = {1.1e-3, 1.1e-3, 2.2e-3, 4.4e-3}, of_first_s[4] = {1e-3, 1e-3, 1e-3, 1e-3},
           of_second_s[4] = {1e-3, 2e-3, 1e-3, 0};
    struct nereus_twin next_twin = {
        .processes = 4, .times = {.iteration_s = 0.005, .compute_s = 2.2e-3}, .total_s = total_s};
    const struct nereus_twin_job job = {.nt = 4, .iterations_after = 3, .next_twin = &next_twin};
    const char *groups = "\n[group0]\niterations = 9\nprocesses = 2\n"
                         "\n[group1]\niterations = 3\nprocesses = 4\nmethod = merge/coll\n"
                         "FactorS = 0.275\n";
    char text[1024];
    /* other stages there: by the sums */
    snprintf(text, sizeof text, TWO_SIZES, "0.5,0.5,1,2", "0.5,0.5,1,2", groups);
    expect_file(ranks, &job, text);
    /* the same stages: each by itself */
    next_twin.stage_count = 4;
    struct nereus_twin_stage stages[] = {
        {.type = "pi", .compute_s = 1e-3, .by_rank_s = of_first_s, .interval_iterations = 1},
        {.type = "allgather", .bytes = 203, .interval_iterations = 1},
        {.type = "pi", .compute_s = 1e-3, .by_rank_s = of_second_s, .interval_iterations = 1},
        {.type = "allreduce", .bytes = 197, .interval_iterations = 1}};
    next_twin.stages = stages;
    snprintf(text, sizeof text, TWO_SIZES, "1,1,1,1", "1,2,1,0", groups);
    expect_file(ranks, &job, text);
}

/* So many processes that a table does not fit into a line: shares with the same deviation. */
Test(twin, many_processes)
{
    enum { MANY = 60 };
    double seconds[MANY];
    char *text;
    size_t length;
    for (int r = 0; r < MANY; r++)
        seconds[r] = r % 2 == 0 ? 0.75e-3 : 1.25e-3;
    struct nereus_twin_stage stage = {
        .type = "pi", .compute_s = 1e-3, .by_rank_s = seconds, .interval_iterations = 1};
    const struct nereus_twin twin = {.stage_count = 1,
                                     .stages = &stage,
                                     .processes = MANY,
                                     .iterations = 5,
                                     .times = {.iteration_s = 1.3e-3, .compute_s = 1e-3}};
    const struct nereus_twin_job job = {.nt = 0};
    FILE *stream = open_memstream(&text, &length);
    nereus_twin_write(&twin, &job, "mpiexec app", stream);
    fclose(stream);
    cr_expect(strstr(text, "\nimbalance = normal:0.25\n") != NULL, "%s", text);
    free(text);
}

/* Messages to both sides, and computing until the wait for them: an overlap, of 2 x 205 bytes. */
Test(twin, messages_that_overlap)
{
    const struct nereus_calls ranks[] = {make(0, "", "iiwb", 9, "", 2e-3),
                                         make(1, "", "iiwb", 9, "", 2e-3)};
    const struct nereus_twin_job job = {.iterations = 0};
    expect_file(ranks, &job,
                "[general]\nGranularity = 20\nT_op = measured\n"
                "\n[stage0]\ntype = pi\ntime_s = 0.004\n"
                "\n[stage1]\ntype = nonblocking\nbytes = 205\nneighbours = 1:205,1:205\n"
                "\n[stage2]\ntype = pi\ntime_s = 0.008\n"
                "\n[stage3]\ntype = wait\n"
                "\n[stage4]\ntype = pi\ntime_s = 0.004\n"
                "\n[stage5]\ntype = barrier\n"
                "\n[group0]\niterations = 9\nprocesses = 2\n");
}

/* Without computing between them: an exchange with the neighbours. */
Test(twin, messages_to_neighbours)
{
    const struct nereus_calls ranks[] = {make(0, "", "iiw", 9, "", 1e-9),
                                         make(1, "", "iiw", 9, "", 1e-9)};
    const struct nereus_twin_job job = {.iterations = 0};
    expect_file(ranks, &job,
                "[general]\nGranularity = 20\nT_op = measured\n"
                "\n[stage0]\ntype = neighbours\nbytes = 205\nneighbours = 1:205,1:205\n"
                "\n[group0]\niterations = 9\nprocesses = 2\n");
}

/* Messages to MPI_PROC_NULL alone: no exchange, and no wait for one; the rest is computing. */
Test(twin, messages_to_nobody)
{
    const struct nereus_calls ranks[] = {make(0, "", "iiwb", 9, "", 2e-3),
                                         make(1, "", "iiwb", 9, "", 2e-3)};
    const struct nereus_twin_job job = {.iterations = 0};
    for (int rank = 0; rank < 2; rank++)
        for (int64_t i = 0; i < ranks[rank].count; i++)
            items[rank][i].bytes = items[rank][i].peer = 0;
    expect_file(ranks, &job,
                "[general]\nGranularity = 20\nT_op = measured\n"
                "\n[stage0]\ntype = pi\ntime_s = 0.004\n"
                "\n[stage1]\ntype = pi\ntime_s = 0.012\n"
                "\n[stage2]\ntype = barrier\n"
                "\n[group0]\niterations = 9\nprocesses = 2\n");
}

/* Bytes of more than INT32_MAX, which a call of the synthetic application cannot move: a collective
 * is carried out twice with half of them, and a message is sent in two halves. */
Test(twin, calls_above_2_gib)
{
    const struct nereus_calls ranks[] = {make(0, "", "giiwb", 9, "", 2e-3),
                                         make(1, "", "giiwb", 9, "", 2e-3)};
    const struct nereus_twin_job job = {.iterations = 0};
    for (int rank = 0; rank < 2; rank++)
        for (int64_t i = 0; i < ranks[rank].count; i++)
            items[rank][i].bytes = items[rank][i].kind == NEREUS_CALL_BARRIER ? 0 : 3000000000;
    expect_file(ranks, &job,
                "[general]\nGranularity = 20\nT_op = measured\n"
                "\n[stage0]\ntype = pi\ntime_s = 0.004\n"
                "\n[stage1]\ntype = allgather\nevery = 0.5\nbytes = 1500000000\n"
                "\n[stage2]\ntype = pi\ntime_s = 0.004\n"
                "\n[stage3]\ntype = nonblocking\nbytes = 2147483647\n"
                "neighbours = 1:1500000000,1:1500000000,1:1500000000,1:1500000000\n"
                "\n[stage4]\ntype = pi\ntime_s = 0.008\n"
                "\n[stage5]\ntype = wait\n"
                "\n[stage6]\ntype = pi\ntime_s = 0.004\n"
                "\n[stage7]\ntype = barrier\n"
                "\n[group0]\niterations = 9\nprocesses = 2\n");
}

/* A call that no stage does, and its 1 ms, count as computing, and it is named. Of 10 ms of
 * start-up before the first iteration 2 are that iteration's own; 5 follow the last one. */
Test(twin, calls_left_out)
{
    char name[][NEREUS_CALL_NAME] = {"MPI_Init", "MPI_Scan", "MPI_Finalize"};
    struct nereus_calls ranks[] = {make(0, "o", "oa", 9, "o", 2e-3),
                                   make(1, "o", "oa", 9, "o", 2e-3)};
    struct nereus_twin twin;
    for (int rank = 0; rank < 2; rank++) {
        struct nereus_call *calls = ranks[rank].items;
        ranks[rank].functions = name;
        ranks[rank].function_count = 3;
        for (int64_t i = 0; i < ranks[rank].count; i++) {
            calls[i].peer = calls[i].kind == NEREUS_CALL_OTHER;
            calls[i].bytes = 1;
            calls[i].computing_s = calls[i].kind == NEREUS_CALL_OTHER ? 1e-3 : 0;
        }
        calls[0].peer = 0;
        calls[0].begin_s = calls[0].end_s -= 8e-3;
        calls[19].peer = 2;
        calls[19].begin_s = calls[19].end_s += 2e-3;
    }
    cr_assert_eq(nereus_twin_make(ranks, 2, 0.5, 0, &twin, NULL), NEREUS_OK);
    cr_expect_float_eq(twin.times.compute_s, 5e-3, 1e-12);
    cr_expect_eq(twin.stage_count, 2);
    cr_assert_eq(twin.unseen.left_out_count, 1);
    cr_expect_str_eq(twin.unseen.left_out[0].function, "MPI_Scan");
    cr_expect_float_eq(twin.unseen.left_out[0].calls, 8, 1e-12);
    cr_expect_float_eq(twin.unseen.left_out[0].time_s, 8e-3, 1e-12);
    cr_expect_float_eq(twin.times.before_s, 8e-3, 1e-12);
    cr_expect_float_eq(twin.times.after_s, 5e-3, 1e-12);
    nereus_twin_fini(&twin);
}

/* Roots of the broadcast, and bytes of the sum, of each iteration, in an order that does not
 * repeat. */
Test(twin, roots_and_bytes)
{
    static const struct {
        const char *roots;
        int64_t bytes[9];
        const char *root_changing_type, *range;
        int root; /* and bytes of the stages */
        int64_t mean;
    } rows[] = {
        {"111111111", {40, 40, 40, 40, 40, 40, 40, 40, 40}, NULL, NULL, 1, 40},
        {"101100010", {40, 40, 40, 40, 40, 40, 40, 40, 40}, "broadcast", NULL, 0, 40},
        {"111111111", {85, 0, 70, 10, 30, 80, 20, 60, 90}, NULL, "allreduce", 1, 45},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct nereus_twin twin;
        const struct nereus_calls ranks[] = {make(0, "", "ca", 9, "", 2e-3),
                                             make(1, "", "ca", 9, "", 2e-3)};
        for (int rank = 0; rank < 2; rank++)
            for (int i = 0; i < 9; i++) {
                ranks[rank].items[2 * i].root = rows[row].roots[i] - '0';
                ranks[rank].items[2 * i + 1].bytes = rows[row].bytes[i];
            }
        cr_assert_eq(nereus_twin_make(ranks, 2, 0.5, 0, &twin, NULL), NEREUS_OK);
        cr_assert_eq(twin.stage_count, 4, "row %zu", row);
        cr_expect_eq(twin.stages[1].root, rows[row].root, "row %zu", row);
        cr_expect_eq(twin.stages[3].bytes, rows[row].mean, "row %zu", row);
        cr_expect((twin.unseen.root_changing_type == NULL) ==
                      (rows[row].root_changing_type == NULL),
                  "row %zu", row);
        cr_expect((twin.unseen.range.type == NULL) == (rows[row].range == NULL), "row %zu", row);
        if (twin.unseen.range.type != NULL)
            cr_expect(twin.unseen.range.min <= 0 && twin.unseen.range.max >= 80, "row %zu", row);
        nereus_twin_fini(&twin);
    }
}

/* What the program does that the twin does not, or not so: iterations of both processes; bytes of
 * calls of the second one, a partner and a time that change. */
Test(twin, what_all_processes_send)
{
    static const struct {
        const char *first, *second;
        int64_t bytes; /* of the second process; 0: as the first */
        bool changes_partner, changes_computing;
        enum nereus_call_kind differs; /* OTHER: nothing */
        int stages;
        int64_t stage_bytes; /* of the first stage that communicates, or its message */
    } rows[] = {
        {"ra", "sa", 0, false, false, NEREUS_CALL_OTHER, 4, 215}, /* rank 0 only receives */
        {"sa", "ra", 0, false, false, NEREUS_CALL_OTHER, 4, 215},
        {"sa", "ra", 0, true, false, NEREUS_CALL_OTHER, 4, 215},
        {"b", "gb", 0, false, false, NEREUS_CALL_ALLGATHER, 2, 198}, /* on a part without rank 0 */
        {"gb", "gb", 603, false, false, NEREUS_CALL_OTHER, 4, 403},  /* counts that differ */
        {"gb", "gb", 0, false, true, NEREUS_CALL_OTHER, 4, 203},
        {"ma", "mssa", 0, false, false, NEREUS_CALL_SEND, 3, 197}, /* no exchange of rank 0 */
    };
    for (size_t row = 0; row < NEREUS_COUNT_OF(rows); row++) {
        struct nereus_twin twin;
        const struct nereus_calls ranks[] = {make(0, "", rows[row].first, 9, "", 2e-3),
                                             make(1, "", rows[row].second, 9, "", 2e-3)};
        for (int64_t i = 0; i < ranks[0].count; i++) {
            struct nereus_call *call = &items[0][i];
            call->peer = nereus_call_sends(call->kind) ? 1 : -1;
            if (rows[row].changes_partner && i % 4 == 0)
                call->peer = 3;
            call->coreless_s = rows[row].changes_computing && i < 8 ? 1.5e-3 : 0;
        }
        for (int64_t i = 0; i < ranks[1].count && rows[row].bytes > 0; i++)
            items[1][i].bytes = rows[row].bytes;
        cr_assert_eq(nereus_twin_make(ranks, 2, -1, 0, &twin, NULL), NEREUS_OK, "row %zu", row);
        cr_assert_eq(twin.stage_count, rows[row].stages, "row %zu: %d", row, twin.stage_count);
        const struct nereus_twin_stage *stage = &twin.stages[1];
        cr_expect_eq(stage->message_count > 0 ? stage->messages[0].bytes : stage->bytes,
                     rows[row].stage_bytes, "row %zu: %lld", row, (long long)stage->bytes);
        for (int kind = 0; kind < NEREUS_CALL_KINDS; kind++)
            cr_expect_eq(nereus_twin_sends_differently(&twin, (enum nereus_call_kind)kind),
                         kind == (int)rows[row].differs && kind != NEREUS_CALL_OTHER,
                         "row %zu: kind %d", row, kind);
        cr_expect_eq(twin.unseen.changes_partner, rows[row].changes_partner, "row %zu", row);
        cr_expect_eq(twin.unseen.varying.high_s > 1.5 * twin.unseen.varying.low_s,
                     rows[row].changes_computing, "row %zu: %g to %g s", row,
                     twin.unseen.varying.low_s, twin.unseen.varying.high_s);
        nereus_twin_fini(&twin);
    }
}

Test(twin, processes_that_relay)
{
    static const struct {
        const char *calls;
        bool relays;
    } rows[] = {{"aiiwaiiw", false}, {"asrsra", false}, {"arsa", true},    {"asarsa", true},
                {"rsrs", true},      {"ras", false},    {"aiiwsra", false}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        const struct nereus_calls calls = make(0, rows[row].calls, "", 0, "", 1e-3);
        cr_expect_eq(nereus_calls_relay(&calls), rows[row].relays, "row %zu", row);
    }
}

/* Two processes compute 1 and 3 s, communicate, compute 3 and 1 s, and communicate again. */
Test(twin, iteration_of_instant_messages)
{
    struct nereus_twin_message there = {.from = 0, .to = 1}, back = {.from = 1, .to = 0};
    double first_s[] = {1, 3}, second_s[] = {3, 1};
    static const struct {
        const char *type;
        bool there, back; /* messages; none: with neighbours, or all */
        double every, expected_s;
    } rows[] = {{"barrier", false, false, 1, 6},    {"neighbours", false, false, 1, 6},
                {"neighbours", true, false, 1, 4},  {"neighbours", false, true, 1, 4},
                {"nonblocking", true, false, 2, 2}, {"wait", false, false, 1, 4}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct nereus_twin_stage communicates = {.type = rows[row].type,
                                                 .interval_iterations = 1,
                                                 .messages = rows[row].there ? &there : &back,
                                                 .message_count =
                                                     rows[row].there || rows[row].back};
        struct nereus_twin_stage stages[] = {
            {.type = "pi", .by_rank_s = first_s, .interval_iterations = rows[row].every},
            communicates,
            {.type = "pi", .by_rank_s = second_s, .interval_iterations = rows[row].every},
            communicates};
        const struct nereus_twin twin = {.stages = stages, .stage_count = 4, .processes = 2};
        double iteration_s = 0;
        cr_assert_eq(nereus_twin_simulate_ideal_network(&twin, &iteration_s, NULL), NEREUS_OK);
        cr_expect_float_eq(iteration_s, rows[row].expected_s, 1e-12, "row %zu: %g", row,
                           iteration_s);
    }
}

/* ---- recordings made by rules ---------------------------------------------------------------- */

static struct nereus_call recorded[ROOM];

/* Letters as above; in front of a call, digits are the ms of computing before it. */
static struct nereus_calls record(const char *text)
{
    struct nereus_calls calls = {.items = recorded, .processes = 1};
    double now_s = 5;
    for (const char *c = text; *c != '\0'; c++) {
        char *end;
        now_s += 1e-3 * (double)strtol(c, &end, 10);
        c = end;
        recorded[calls.count] = (struct nereus_call){.kind = kind_of(*c),
                                                     .bytes = *c == 'w' ? 0 : 64,
                                                     .peer = *c == 'i' ? 1 : -1,
                                                     .begin_s = now_s,
                                                     .end_s = now_s + 1e-4};
        now_s = recorded[calls.count++].end_s;
    }
    return calls;
}

/* "pi 2, allreduce, pi 7 every 10" */
static void list_stages(const struct nereus_twin *twin, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < twin->stage_count && at < size; i++) {
        const struct nereus_twin_stage *stage = &twin->stages[i];
        at += (size_t)snprintf(text + at, size - at, "%s%s", i > 0 ? ", " : "", stage->type);
        if (stage->by_rank_s != NULL)
            at += (size_t)snprintf(text + at, size - at, " %.4g", 1e3 * stage->compute_s);
        if (fabs(stage->interval_iterations - 1) > 1e-9)
            at += (size_t)snprintf(text + at, size - at, " every %.4g", stage->interval_iterations);
    }
}

/* Loops in loops, and steps that vary: what is recorded is `start`, then in turn the bodies of a
 * set and what is between sets. Computing in all is that of the recording behind its first
 * iteration. */
struct loops {
    const char *start, *body, *between[5];
    int sets, bodies[3]; /* bodies of the sets, in turn */
    int64_t period, count;
    const char *stages;
};
static const struct loops loops[] = {
    /* a solver that is called again and again, with 30, 31, 32 iterations */
    {"5c",
     "1iw3a2b",
     {"7c4g"},
     6,
     {30, 31, 32},
     4,
     186,
     "pi 1, neighbours, pi 3, allreduce, pi 2, barrier, pi 7 every 31, broadcast every 31, "
     "pi 4 every 31, allgather every 31"},
    /* every 10th of 100, of which the last one is behind the last iteration; once between two sets
     */
    {"5c", "9a", {"3b"}, 10, {10}, 1, 100, "pi 9, allreduce, pi 3 every 10, barrier every 10"},
    {"5c", "9a", {"3b"}, 2, {80}, 1, 160, "pi 9, allreduce, pi 3 every 80, barrier every 80"},
    /* three sums an iteration: a sum alone explains most, as two of them follow equal computing */
    {"5c",
     "1aiw3a1a",
     {"9c"},
     6,
     {30, 31, 32},
     5,
     186,
     "pi 1, allreduce, neighbours, pi 3, allreduce, pi 1, allreduce, pi 9 every 31, "
     "broadcast every 31"},
    /* two equal exchanges a step */
    {"5c", "8iw1iw", {""}, 1, {40}, 4, 40, "pi 8, neighbours, pi 1, neighbours"},
    /* 20 ms more every fourth time, which is too much for a mean; and 1 ms more */
    {"5c",
     "1iw",
     {"21iw"},
     10,
     {3},
     8,
     10,
     "pi 1, neighbours, pi 1, neighbours, pi 1, neighbours, pi 21, neighbours"},
    {"5c", "10iw", {"11iw"}, 10, {3}, 2, 40, "pi 10.26, neighbours"},
    /* two iterations that the machine delayed: no others */
    {"5c", "1iw", {"500iw"}, 2, {20, 19}, 2, 41, "pi 25.95, neighbours"},
    /* the inner loop is too short a part of the time: the outer one */
    {"5g",
     "1a",
     {"9b9c"},
     20,
     {3},
     5,
     20,
     "pi 1, allreduce, pi 1, allreduce, pi 1, allreduce, "
     "pi 9, barrier, pi 9, broadcast"},
    /* other calls after each set: three kinds are stages, the others only compute */
    {"5c",
     "4a2b",
     {"6c", "5g", "3cc", "8gg", "7cg"},
     11,
     {20},
     2,
     220,
     "pi 4, allreduce, pi 2, barrier, pi 6 every 100, broadcast every 100, "
     "pi 5 every 100, allgather every 100, pi 3 every 100, broadcast every 100, "
     "broadcast every 100, pi 7.5 every 55"},
};

/* What is recorded: `text` has room for it. */
static void write_loops(const struct loops *row, char *text)
{
    int betweens = 0;
    strcat(text, row->start);
    while (betweens < 5 && row->between[betweens] != NULL)
        betweens++;
    for (int set = 0; set < row->sets; set++) {
        const int turn = set % 3,
                  bodies = row->bodies[turn] > 0 ? row->bodies[turn] : row->bodies[0];
        for (int k = 0; k < bodies; k++)
            strcat(text, row->body);
        strcat(text, row->between[set % betweens]);
    }
}

Test(twin, loops)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(loops); i++) {
        char text[2 * ROOM] = "", stages[1024];
        write_loops(&loops[i], text);
        const struct nereus_calls calls = record(text);
        struct nereus_twin twin;
        struct nereus_error err = {.status = NEREUS_OK};
        cr_assert_eq(nereus_twin_make(&calls, 1, -1, 0, &twin, &err), NEREUS_OK, "%s", err.text);
        list_stages(&twin, stages, sizeof stages);
        cr_expect_str_eq(stages, loops[i].stages, "row %zu: %s", i, stages);
        cr_expect(twin.iteration_calls == loops[i].period && twin.iterations == loops[i].count,
                  "row %zu: %lld iterations of %lld calls", i, (long long)twin.iterations,
                  (long long)twin.iteration_calls);
        cr_expect_float_eq(twin.times.stages_computing_s, twin.times.program_computing_s, 1e-9,
                           "row %zu: %g s of %g s", i, twin.times.stages_computing_s,
                           twin.times.program_computing_s);
        nereus_twin_fini(&twin);
    }
}

/* 41 calls in an order without repetition are 82 stages: one of each kind, that run more often. */
Test(twin, more_stages_than_a_configuration_has)
{
    static const char body[] =
        "1a1b1c1g1b1a1c1g1g1a1b1b1c1a1a1g1c1c1b1g1a1g1b1c1a1c1b1a1g1g1b1c1c1a1b1"
        "g1a1a1c1b1g";
    char text[2 * ROOM] = "5c", stages[256];
    for (int k = 0; k < 10; k++)
        strcat(text, body);
    const struct nereus_calls calls = record(text);
    struct nereus_twin twin;
    cr_assert_eq(nereus_twin_make(&calls, 1, -1, 0, &twin, NULL), NEREUS_OK);
    list_stages(&twin, stages, sizeof stages);
    cr_expect_str_eq(stages,
                     "pi 1 every 0.02439, allreduce every 0.09091, barrier every 0.1, "
                     "broadcast every 0.1, allgather every 0.1",
                     "%s", stages);
    cr_expect_float_eq(twin.times.stages_computing_s, twin.times.program_computing_s, 1e-9);
    cr_expect_eq(twin.unseen.merged_stages, 77);
    nereus_twin_fini(&twin);
}

/* Facts stand before the columns; other lines of three fields are refused. */
Test(twin, facts_of_a_record)
{
    static const struct {
        const char *text;
        int facts; /* -1: refused */
    } rows[] = {
        {"processes,2,0,0\nfact,threads-s,1.5\nfact,libcuda.so,1\ncall,b,p,b,e,c,r\n", 2},
        {"processes,2,0,0\ncall,b,p,b,e,c,r\nsend,8,1,1.0,2.0,0,0\n", 0},
        {"processes,2,0,0\ncall,b,p,b,e,c,r\nMPI_Scan,1,-1,1.0,2.0,0,0\n", 0},
        {"processes,2,0,0\ncall,b,p,b,e,c,r\nScan,1,-1,1.0,2.0,0,0\n", -1},
        {"processes,2,0,0\nfact,threads-s,much\ncall,b,p,b,e,c,r\n", -1},
        {"processes,2,0,0\nother,threads-s,1\ncall,b,p,b,e,c,r\n", -1},
        {"processes,2,0,0\nfact,threads-s,1\n", -1},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        char path[] = "/tmp/nereus-test-calls-XXXXXX";
        struct nereus_calls calls;
        struct nereus_error err = {.status = NEREUS_OK};
        FILE *stream = fdopen(mkstemp(path), "w");
        fputs(rows[i].text, stream);
        fclose(stream);
        const enum nereus_status status = nereus_calls_read(path, &calls, &err);
        unlink(path);
        cr_expect_eq(status == NEREUS_OK, rows[i].facts >= 0, "row %zu: %s", i, err.text);
        if (status != NEREUS_OK)
            continue;
        cr_expect_eq(calls.fact_count, rows[i].facts, "row %zu", i);
        if (rows[i].facts > 0)
            cr_expect(strcmp(calls.facts[0].name, "threads-s") == 0 &&
                      fabs(calls.facts[0].value - 1.5) < 1e-12);
        nereus_calls_fini(&calls);
    }
}

/* Of calls without a stage twice the 0.1 quantile of a function counts as computing; of files all,
 * but one is opened and closed by the stages write and read. */
Test(twin, computing_of_other_calls)
{
    static const struct {
        const char *call;
        double took_s, computing_s;
        int peer; /* function; the order of the first calls */
    } rows[] = {{"MPI_Scan", 1, 1, 0},        {"MPI_Scan", 9, 2, 0},
                {"MPI_File_open", 2, 2, 1},   {"MPI_Scan", 1, 1, 0},
                {"MPI_File_open", 2, 0, -1},  {"write", 1, 0, 2},
                {"MPI_File_close", 5, 0, -1}, {"MPI_File_close", 5, 5, 2}};
    char path[] = "/tmp/nereus-test-calls-XXXXXX";
    struct nereus_calls calls;
    FILE *stream = fdopen(mkstemp(path), "w");
    fputs("processes,2,0,0\ncall,b,p,b,e,c,r\n", stream);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        fprintf(stream, "%s,1,2,10,%g,0,0\n", rows[i].call, 10 + rows[i].took_s);
    fclose(stream);
    cr_assert_eq(nereus_calls_read(path, &calls, NULL), NEREUS_OK);
    unlink(path);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        cr_expect_float_eq(calls.items[i].computing_s, rows[i].computing_s, 1e-12, "row %zu", i);
        cr_expect_eq(calls.items[i].peer, rows[i].peer, "row %zu", i);
    }
    nereus_calls_fini(&calls);
}

/* Computing before the calls of 30 iterations varies by chance, from 0 to 2 ms: none of 200 such
 * recordings has an iteration that is a multiple of the two calls. */
Test(twin, chance_makes_no_iteration)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        const struct nereus_calls calls = make(0, "c", "ga", 30, "b", 1e-3);
        struct nereus_cycle cycle;
        double now_s = 1;
        for (int64_t i = 0; i < calls.count; i++) {
            const uint64_t index = 1000 * seed + (uint64_t)i;
            now_s += 2e-3 * nereus_mix_share(nereus_mix(index * NEREUS_MIX_INCREMENT));
            items[0][i].begin_s = now_s;
            items[0][i].end_s = now_s + 1e-5;
            now_s = items[0][i].end_s;
        }
        cr_assert_eq(nereus_cycle_find(&calls, 0, &cycle, NULL), NEREUS_OK);
        cr_expect(cycle.period == 2 && cycle.count == 30, "seed %d: %lld iterations of %lld calls",
                  (int)seed, (long long)cycle.count, (long long)cycle.period);
        nereus_cycle_fini(&cycle);
    }
}
