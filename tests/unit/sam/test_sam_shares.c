/** @file test_sam_shares.c  Shares of work, by hand; random ones: the same each time, and their
 * moments. */
#include <criterion/criterion.h>
#include <math.h>

#include "model/util/arith.h"
#include "sam/synthetic/shares.h"

static const struct {
    const char *text;
    int64_t index, count;
    double expected;
} rows[] = {
    {"", 3, 7, 1},
    {"linear:0.25", 0, 5, 0.75},
    {"linear:0.25", 4, 5, 1.25},
    {"linear:0.25", 1, 5, 0.875},
    {"linear:0.25", 0, 1, 1},
    {"1,1,3", 1, 9, 0.6},
    {"1,1,3", 5, 9, 1.8},
    {"7", 2, 3, 1},
    {"0,4", 2, 3, 0},
    /* several tables: by the number of indices, else the first, repeated */
    {"1,3 | 1,1,2,4", 1, 2, 1.5},
    {"1,3 | 1,1,2,4", 1, 4, 0.5},
    {"1,3|1,1,2,4", 3, 4, 2},
    {"1,3 | 1,1,2,4", 2, 3, 0.5},
    {"1 | 2,6", 1, 2, 1.5},
    {"1 | 2,6", 0, 1, 1},
};

Test(sam_shares, by_hand)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct sam_shares shares;
        struct nereus_error err = {NEREUS_OK, ""};
        cr_assert_eq(sam_shares_parse(rows[i].text, &shares, &err), NEREUS_OK, "row %zu: %s", i,
                     err.text);
        const double share = sam_share(&shares, rows[i].index, rows[i].count);
        cr_expect(fabs(share - rows[i].expected) < 1e-14, "row %zu: %g", i, share);
    }
}

Test(sam_shares, refused)
{
    static const char *const bad[] = {"linear:",
                                      "linear:-0.1",
                                      "linear:1.1",
                                      "linear:0.1:3",
                                      "uniform:nan",
                                      "normal:0.1:",
                                      "normal:0.1:-2",
                                      "1,,2",
                                      "1,-1",
                                      "0,0",
                                      "x",
                                      "1,2,",
                                      "1|",
                                      "|1",
                                      "1||2",
                                      "1,2|0,0",
                                      "1|1|1|1|1|1|1|1|1"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(bad); i++) {
        struct sam_shares shares = {.tables = -1};
        cr_expect_eq(sam_shares_parse(bad[i], &shares, NULL), NEREUS_ERR_PARSE, "%s", bad[i]);
        cr_expect(shares.tables == -1, "%s: something was written", bad[i]);
    }
}

/* Of 100,000 shares: mean 1; standard deviation X, and X / sqrt(3) of the uniform ones; 5 standard
 * errors. Another seed gives others. */
Test(sam_shares, random)
{
    static const struct {
        const char *text, *other;
        double sd;
    } random[] = {{"normal:0.2", "normal:0.2:7", 0.2},
                  {"uniform:0.3", "uniform:0.3:7", 0.3 / 1.7320508}};
    for (int r = 0; r < 2; r++) {
        struct sam_shares shares, other;
        cr_assert_eq(sam_shares_parse(random[r].text, &shares, NULL), NEREUS_OK);
        cr_assert_eq(sam_shares_parse(random[r].other, &other, NULL), NEREUS_OK);
        const int n = 100000;
        double sum = 0, squares = 0;
        int same = 0;
        for (int i = 0; i < n; i++) {
            const double share = sam_share(&shares, i, n);
            sum += share;
            squares += (share - 1) * (share - 1);
            same += share == sam_share(&other, i, n);
        }
        cr_expect(fabs(sum / n - 1) < 5 * random[r].sd / sqrt(n), "mean %g", sum / n);
        cr_expect(fabs(sqrt(squares / n) / random[r].sd - 1) < 5 / sqrt(2.0 * n), "sd %g",
                  sqrt(squares / n));
        cr_expect(same < 10, "%d alike", same);
    }
}
