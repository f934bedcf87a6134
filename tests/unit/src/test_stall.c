/**
 * @file test_stall.c
 * Which process waits for which, from the records of a host's processes; the message, or none.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "src/util/stall.h"

enum { JOB = 77, OTHER_JOB = 78, OTHERS_MAX = 5 };

static const double test_now_s = 1000, test_patience_s = 10;

/* Records: of a process that computes since `ago_s`, or waits. */
#define COMPUTES(number, point, ago)                                                               \
    {                                                                                              \
        .job = JOB, .pid = 100 + (number), .rank = (number), .size = 3, .points = (point),         \
        .joined_at = -1, .activity = NEREUS_COMPUTES, .since_s = 1000 - (ago)                      \
    }
#define JOINED(number, point, ago)                                                                 \
    {                                                                                              \
        .job = JOB, .pid = 100 + (number), .rank = (number), .size = 3, .points = (point),         \
        .joined_at = (point), .activity = NEREUS_COMPUTES, .since_s = 1000 - (ago)                 \
    }
#define WAITS(number, point, ago, name)                                                            \
    {                                                                                              \
        .job = JOB, .pid = 100 + (number), .rank = (number), .size = 3, .points = (point),         \
        .joined_at = -1, .activity = NEREUS_WAITS, .call = name, .since_s = 1000 - (ago)           \
    }

struct row {
    struct nereus_progress own;
    struct nereus_progress others[OTHERS_MAX];
    int count;
    const char *says; /* NULL: nothing; part of the sentence */
};

static const struct row rows[] = {
    {WAITS(1, 30, 10.2, "nereus_point"),
     {COMPUTES(0, 22, 11.3), WAITS(2, 30, 9, "nereus_point")},
     2,
     "rank 1 has waited 10 s at point 30 for rank 0, which is at point 22, in the program for 11 s: do "
     "all ranks pass the same points?"},
    /* The lowest of those that wait speaks */
    {WAITS(2, 30, 12, "nereus_point"),
     {COMPUTES(0, 22, 11), WAITS(1, 30, 9, "nereus_point")},
     2,
     NULL},
    /* Both wait, each for the other */
    {WAITS(0, 7, 12, "nereus_finalize"),
     {WAITS(1, 30, 9.25, "nereus_point")},
     1,
     "rank 0 has waited 12 s in nereus_finalize for rank 1, which has waited 9.2 s at point 30: do all "
     "ranks leave their loop after the same iteration?"},
    {WAITS(0, 30, 12, "nereus_point"),
     {WAITS(1, 31, 9, "nereus_point")},
     1,
     "for rank 1, which has waited 9.0 s at point 31: do all ranks pass the same points?"},
    /* By rank, and no more than three */
    {WAITS(0, 4, 12, "nereus_point"),
     {COMPUTES(5, 3, 1), COMPUTES(2, 3, 2), COMPUTES(1, 2, 3), COMPUTES(4, 3, 4)},
     4,
     "for rank 1, which is at point 2, in the program for 3.0 s; for rank 2, which is at point 3, in "
     "the program for 2.0 s; for rank 4, which is at point 3, in the program for 4.0 s; and for 1 "
     "more: do"},
    /* A joined process that has come to no point */
    {WAITS(0, 9, 12, "nereus_point"),
     {COMPUTES(1, 9, 0), JOINED(2, 4, 60)},
     2,
     "for rank 1, which is at point 9, in the program for 0.0 s; for rank 2, which joined at point 4 "
     "and has not come to a point since, for 60 s: "},
    {WAITS(0, 9, 12, "nereus_point"),
     {WAITS(1, 9, 1, "nereus_point"), JOINED(2, 4, 60)},
     2,
     "for 60 s: what a joined process calls between nereus_init and its loop"},
    /* Nobody is missing, or nobody that can be seen here */
    {WAITS(0, 9, 12, "nereus_point"),
     {WAITS(1, 9, 1, "nereus_point"), WAITS(2, 9, 1, "nereus_point")},
     2,
     "rank 0 has waited 12 s at point 9: all ranks have come there"},
    {WAITS(0, 9, 12, "nereus_point"),
     {WAITS(1, 9, 1, "nereus_point")},
     1,
     "the 2 of 3 ranks that can be seen on this host have come there"},
    {WAITS(0, 9, 12, "nereus_register_csr"),
     {COMPUTES(1, 9, 1)},
     1,
     "in nereus_register_csr for rank 1, which is at point 9, in the program for 1.0 s: do all ranks "
     "make the same calls, in the same order?"},
    /* Nobody waits: only a joined process that stands still with all others is spoken of */
    {COMPUTES(0, 9, 100), {COMPUTES(1, 9, 100)}, 1, NULL},
    {JOINED(2, 9, 100),
     {COMPUTES(0, 9, 99), COMPUTES(1, 9, 98)},
     2,
     "rank 2 joined at point 9 and has not come to a point for 100 s, and no rank on this host has: "},
    {JOINED(2, 9, 100), {COMPUTES(0, 12, 1), COMPUTES(1, 12, 98)}, 2, NULL},
    {JOINED(3, 9, 100), {COMPUTES(0, 9, 100), JOINED(2, 9, 100)}, 2, NULL},
    {JOINED(2, 9, 100), {WAITS(0, 9, 50, "nereus_finalize")}, 1, NULL},
    {JOINED(2, 9, 5), {COMPUTES(0, 9, 5)}, 1, NULL},
};

Test(stall, who_waits_for_whom)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[900];
        const bool says = nereus_stall_describe(
            &(struct stall_view){&rows[i].own, rows[i].others, rows[i].count, test_now_s},
            test_patience_s, text, sizeof text);
        cr_expect(says == (rows[i].says != NULL), "row %zu says: %s", i, text);
        cr_expect(rows[i].says == NULL || strstr(text, rows[i].says) != NULL, "row %zu says: %s", i,
                  text);
    }
}

static bool speaks(const struct nereus_progress *own_record,
                   const struct nereus_progress *other_record, double patience_s)
{
    char text[900];
    return nereus_stall_describe(&(struct stall_view){own_record, other_record, 1, test_now_s},
                                 patience_s, text, sizeof text) &&
           strstr(text, " for rank ") != NULL;
}

Test(stall, other_jobs_sleepers_and_who_has_left_are_not_waited_for)
{
    const struct nereus_progress own_record = WAITS(1, 30, 12, "nereus_point");
    struct nereus_progress other_record = COMPUTES(0, 22, 11);
    cr_expect(speaks(&own_record, &other_record, test_patience_s));
    other_record.job = OTHER_JOB;
    cr_expect_not(speaks(&own_record, &other_record, test_patience_s));
    other_record.job = JOB;
    other_record.activity = NEREUS_SLEEPS;
    cr_expect_not(speaks(&own_record, &other_record, test_patience_s));
    other_record.activity = NEREUS_COMPUTES;
    other_record.left = true;
    cr_expect_not(speaks(&own_record, &other_record, test_patience_s));
    other_record.left = false;
    other_record.changes = 1; /* its ranks are those after a change */
    cr_expect_not(speaks(&own_record, &other_record, test_patience_s));
}

Test(stall, who_has_failed_speaks_beside_others_but_only_if_somebody_is_missing)
{
    const struct nereus_progress own_record = WAITS(1, 30, 0, "nereus_point");
    const struct nereus_progress ends = WAITS(0, 22, 1, "nereus_finalize"),
                                 there = WAITS(0, 30, 1, "nereus_point");
    cr_expect_not(speaks(&own_record, &ends, test_patience_s));
    cr_expect(speaks(&own_record, &ends, -1));
    cr_expect_not(speaks(&own_record, &there, -1));
}

Test(stall, an_iteration_may_be_long)
{
    const struct nereus_progress own_record = JOINED(2, 9, 100);
    const struct nereus_progress waits = WAITS(2, 10, 60, "nereus_point");
    struct nereus_progress other_record = COMPUTES(0, 9, 100);
    char text[900];
    other_record.longest_s = 51;
    cr_expect_not(speaks(&waits, &other_record, test_patience_s));
    cr_expect(speaks(&waits, &other_record, -1));
    other_record.longest_s = 49;
    cr_expect(speaks(&waits, &other_record, test_patience_s));
    other_record.longest_s = 24;
    cr_expect(nereus_stall_describe(&(struct stall_view){&own_record, &other_record, 1, test_now_s},
                                    test_patience_s, text, sizeof text));
    other_record.longest_s = 26;
    cr_expect_not(
        nereus_stall_describe(&(struct stall_view){&own_record, &other_record, 1, test_now_s},
                              test_patience_s, text, sizeof text));
}

Test(stall, before_the_job_is_known_processes_of_one_launcher_belong_together)
{
    struct nereus_progress own_record = WAITS(0, 0, 12, "nereus_init");
    struct nereus_progress other_record = WAITS(1, 0, 5, "nereus_init");
    char text[900];
    own_record.job = other_record.job = 0;
    cr_assert(nereus_stall_describe(&(struct stall_view){&own_record, &other_record, 1, test_now_s},
                                    test_patience_s, text, sizeof text));
    cr_expect(strstr(text, "rank 0 has waited 12 s in nereus_init for others") != NULL, "%s", text);
    cr_expect_not(
        nereus_stall_describe(&(struct stall_view){&other_record, &own_record, 1, test_now_s},
                              test_patience_s, text, sizeof text));
    own_record.rank = -1; /* new, and not told yet: its sources speak */
    cr_expect_not(nereus_stall_describe(&(struct stall_view){&own_record, NULL, 0, test_now_s},
                                        test_patience_s, text, sizeof text));
}

Test(stall, a_long_sentence_is_cut)
{
    const struct nereus_progress own_record = WAITS(0, 4, 12, "nereus_point"),
                                 other_record = COMPUTES(1, 2, 3);
    char text[30];
    memset(text, 'x', sizeof text);
    cr_assert(nereus_stall_describe(&(struct stall_view){&own_record, &other_record, 1, test_now_s},
                                    test_patience_s, text, sizeof text));
    cr_expect(strlen(text) == sizeof text - 1, "%s", text);
}
