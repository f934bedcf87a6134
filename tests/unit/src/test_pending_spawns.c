/**
 * @file test_pending_spawns.c
 * New processes that have not connected after a spawn (src/supervise/pending_spawns.h).
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/util/clock.h"
#include "src/link/connection.h"
#include "src/supervise/pending_spawns.h"

static const double answer_limit_s = 1000, later_s = 1e9;

static void expect_late(const struct pending_spawn *spawn, const char *words)
{
    char sentence[480];
    cr_assert(pending_spawn_has_expired(spawn, nereus_monotonic_s() + later_s, sentence,
                                        sizeof sentence));
    cr_assert(strstr(sentence, words) != NULL, "'%s' is not in: %s", words, sentence);
}

Test(starts, names_the_hosts_that_have_not_answered)
{
    struct pending_spawn *spawn =
        pending_spawn_new("host0-17-1", 6, answer_limit_s, "host1:2,host2:1,host3.domain:3");
    char sentence[480];
    cr_assert_not_null(spawn);
    cr_assert_not(pending_spawn_has_expired(spawn, nereus_monotonic_s(), sentence,
                                            sizeof sentence)); /* there is time */
    expect_late(spawn, "6 of 6 new processes");
    expect_late(spawn, "those on host1, host2, host3.domain");
    pending_spawn_count_guard(spawn, "host2");
    pending_spawn_count_guard(spawn,
                              "host1.domain"); /* a host's own name may be longer, or shorter */
    pending_spawn_count_guard(spawn, "host3");
    expect_late(spawn, "3 of 6 new processes");
    expect_late(spawn, "those on host1, host3.domain");
    pending_spawn_count_guard(spawn, "host1");
    pending_spawn_count_guard(spawn, "host3");
    expect_late(spawn, "those on host3.domain");
    pending_spawn_count_guard(spawn, "host3");
    cr_assert_not(pending_spawn_has_expired(spawn, nereus_monotonic_s() + later_s, sentence,
                                            sizeof sentence)); /* all are there */
    pending_spawn_free(spawn);
}

Test(starts, counts_without_a_list_of_hosts)
{
    struct pending_spawn *spawn = pending_spawn_new("host0-17-2", 2, answer_limit_s, "");
    char sentence[480];
    cr_assert_not_null(spawn);
    pending_spawn_count_guard(spawn, "elsewhere");
    expect_late(spawn, "1 of 2 new processes");
    pending_spawn_count_guard(spawn, "elsewhere");
    cr_assert_not(pending_spawn_has_expired(spawn, nereus_monotonic_s() + later_s, sentence,
                                            sizeof sentence));
    pending_spawn_free(spawn);
}

Test(starts, an_answer_lengthens_the_time)
{
    struct pending_spawn *spawn = pending_spawn_new("host0-17-3", 2, answer_limit_s, "host1:2");
    cr_assert_not_null(spawn);
    spawn->deadline_s = 1; /* long past */
    expect_late(spawn, "those on host1");
    pending_spawn_count_guard(spawn, "host1");
    char sentence[480];
    cr_assert_not(
        pending_spawn_has_expired(spawn, nereus_monotonic_s(), sentence, sizeof sentence));
    pending_spawn_free(spawn);
}

Test(starts, a_long_list_fits)
{
    char hosts[4000] = "", sentence[480];
    for (int i = 0; i < 200; i++)
        snprintf(hosts + strlen(hosts), sizeof hosts - strlen(hosts), "%snode%03d:1",
                 i > 0 ? "," : "", i);
    struct pending_spawn *spawn = pending_spawn_new("host0-17-4", 200, answer_limit_s, hosts);
    cr_assert_not_null(spawn);
    cr_assert(pending_spawn_has_expired(spawn, nereus_monotonic_s() + later_s, sentence,
                                        sizeof sentence));
    cr_assert_eq(strlen(sentence), sizeof sentence - 1);
    pending_spawn_free(spawn);
}
