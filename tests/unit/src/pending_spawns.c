/* Who has not called after a spawn (src/guard/starts.h). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "src/guard/starts.h"
#include "src/link/line.h"

static const double LIMIT_S = 1000, LATER_S = 1e9;

static void expect_late(const struct start *start, const char *words)
{
    char sentence[480];
    cr_assert(start_is_late(start, nereus_line_now_s() + LATER_S, sentence, sizeof sentence));
    cr_assert(strstr(sentence, words) != NULL, "'%s' is not in: %s", words, sentence);
}

Test(starts, names_the_hosts_that_have_not_answered)
{
    struct start *start = start_new("host0-17-1", 6, LIMIT_S, "host1:2,host2:1,host3.domain:3");
    char sentence[480];
    cr_assert_not_null(start);
    cr_assert_not(
        start_is_late(start, nereus_line_now_s(), sentence, sizeof sentence)); /* there is time */
    expect_late(start, "6 of 6 new processes");
    expect_late(start, "those on host1, host2, host3.domain");
    start_answered(start, "host2");
    start_answered(start, "host1.domain"); /* a host's own name may be longer, or shorter */
    start_answered(start, "host3");
    expect_late(start, "3 of 6 new processes");
    expect_late(start, "those on host1, host3.domain");
    start_answered(start, "host1");
    start_answered(start, "host3");
    expect_late(start, "those on host3.domain");
    start_answered(start, "host3");
    cr_assert_not(start_is_late(start, nereus_line_now_s() + LATER_S, sentence,
                                sizeof sentence)); /* all are there */
    start_free(start);
}

Test(starts, counts_without_a_list_of_hosts)
{
    struct start *start = start_new("host0-17-2", 2, LIMIT_S, "");
    char sentence[480];
    cr_assert_not_null(start);
    start_answered(start, "elsewhere");
    expect_late(start, "1 of 2 new processes");
    start_answered(start, "elsewhere");
    cr_assert_not(start_is_late(start, nereus_line_now_s() + LATER_S, sentence, sizeof sentence));
    start_free(start);
}

Test(starts, an_answer_lengthens_the_time)
{
    struct start *start = start_new("host0-17-3", 2, LIMIT_S, "host1:2");
    cr_assert_not_null(start);
    start->until_s = 1; /* long past */
    expect_late(start, "those on host1");
    start_answered(start, "host1");
    char sentence[480];
    cr_assert_not(start_is_late(start, nereus_line_now_s(), sentence, sizeof sentence));
    start_free(start);
}

Test(starts, a_long_list_fits)
{
    char hosts[4000] = "", sentence[480];
    for (int i = 0; i < 200; i++)
        snprintf(hosts + strlen(hosts), sizeof hosts - strlen(hosts), "%snode%03d:1",
                 i > 0 ? "," : "", i);
    struct start *start = start_new("host0-17-4", 200, LIMIT_S, hosts);
    cr_assert_not_null(start);
    cr_assert(start_is_late(start, nereus_line_now_s() + LATER_S, sentence, sizeof sentence));
    cr_assert_eq(strlen(sentence), sizeof sentence - 1);
    start_free(start);
}
