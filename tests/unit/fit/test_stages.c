/** @file test_stages.c  T_op of stages: from rows to a profile, to its file and back. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/fit/fit.h"
#include "model/util/arith.h"
#include "nereus/profile.h"

static struct nereus_sample row_of(const char *stage, double time_s)
{
    struct nereus_sample row = {.kind = NEREUS_SAMPLE_STAGE, .time_s = time_s};
    snprintf(row.program, sizeof row.program, "%s", stage);
    return row;
}

Test(stages, are_medians_that_the_file_keeps)
{
    /* by hand: of 3.1, 2.3, 9 the middle one; of 7e-4 and 9e-4 the mean */
    const struct nereus_sample rows[] = {row_of("pi:100", 3.1e-6), row_of("matrix:100", 7e-4),
                                         row_of("pi:100", 2.3e-6), row_of("pi:20", 5e-7),
                                         row_of("pi:100", 9e-6),   row_of("matrix:100", 9e-4)};
    const struct nereus_sample *all[6];
    for (int i = 0; i < 6; i++)
        all[i] = &rows[i];
    const struct nereus_fit_rows fitted = {.rows = all, .count = 6};
    struct nereus_profile profile, again;
    struct nereus_error err;
    char path[64];
    cr_assert_eq(
        nereus_profile_read(NEREUS_SOURCE_DIR "/tests/cli/data/profile.json", &profile, &err),
        NEREUS_OK, "%s", err.text);
    cr_expect(isnan(nereus_stage_time_s(&profile, "pi:100")));
    cr_assert_eq(nereus_fit_stages(&fitted, &profile, &err), NEREUS_OK);
    snprintf(path, sizeof path, "stages-%d.json", (int)getpid());
    cr_assert_eq(nereus_profile_write(path, &profile, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(nereus_profile_read(path, &again, &err), NEREUS_OK, "%s", err.text);
    remove(path);
    cr_expect_eq(again.stage_count, 3);
    cr_expect_float_eq(nereus_stage_time_s(&again, "pi:100"), 3.1e-6, 1e-18);
    cr_expect_float_eq(nereus_stage_time_s(&again, "matrix:100"), 8e-4, 1e-16);
    cr_expect_float_eq(nereus_stage_time_s(&again, "pi:20"), 5e-7, 1e-18);
    cr_expect(isnan(nereus_stage_time_s(&again, "pi:10")));
    cr_expect_eq(again.stages[0].rows, 3);
    nereus_profile_fini(&profile);
    nereus_profile_fini(&again);
}

Test(stages, have_a_name_and_a_granularity)
{
    static const char *const good[] = {"pi:100", "matrix:1", "pi:10000000"};
    static const char *const bad[] = {"",
                                      "pi",
                                      "pi:",
                                      ":100",
                                      "pi:0",
                                      "pi:-1",
                                      "pi:1e3",
                                      "p i:1",
                                      "pi:1 ",
                                      "pi:100:2",
                                      "averyveryveryveryverylongnameofastage:100"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(good); i++)
        cr_expect(nereus_stage_has_granularity(good[i]), "%s", good[i]);
    for (size_t i = 0; i < NEREUS_COUNT_OF(bad); i++)
        cr_expect(!nereus_stage_has_granularity(bad[i]), "%s", bad[i]);
}
