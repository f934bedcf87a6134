/**
 * @file test_call_names.c
 * Names of calls in messages: whole words only, any length, cut where there is no room.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "src/util/call_names.h"

static const char *const names[] = {"nereus_local",  "x.local",    "nereus_point",
                                    "job.point",     "nereus_box", "a much longer name",
                                    "nereus_points", "job.points", NULL};

static void becomes(const char *given, size_t room, const char *expected)
{
    char text[128];
    snprintf(text, sizeof text, "%s", given);
    nereus_set_call_names(names);
    nereus_replace_call_names(text, room);
    cr_expect_str_eq(text, expected);
    nereus_set_call_names(NULL);
    nereus_replace_call_names(text, room);
    cr_expect_str_eq(text, expected);
}

Test(call_names, are_those_of_the_language)
{
    becomes("ask nereus_local again", 128, "ask x.local again");
    becomes("nereus_point, nereus_points: nereus_pointer, nereus_", 128,
            "job.point, job.points: nereus_pointer, nereus_");
    becomes("nereus_box(nereus_box)nereus_point", 128,
            "a much longer name(a much longer name)job.point");
    becomes("in nereus_box", 14, "in a much lon");
    becomes("", 1, "");
}
