/**
 * @file test_recovery.c
 * Losses and recoveries in any order of their reports (src/supervise/recovery.h).
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "src/supervise/recovery.h"
#include "src/supervise/supervisor.h"

static const double limit_s = 1000;

/* Steps: L: a loss is reported, and the job may go on; X: it may not; 0, 1, 2: the job has
 * recovered from the loss of so many processes. */
static const struct {
    const char *steps;
    bool waits; /* at the end: is a recovery under way? */
} rows[] = {
    {"L", true},          {"L1", false},  {"L1L1", false},
    {"1L", false},        {"1LL", true}, /* the report comes after the recovery */
    {"L2L", false},       {"L2LL", true}, {"2LL", false},
    {"2LLL1", false},     /* two are lost at once */
    {"LX", true},         /* the second one before the recovery: the caller ends the job */
    {"0L", true},         /* nothing was lost */
    {"L1L1L1L1X", false}, /* too many recoveries */
};

static void take(struct supervisor *supervisor, const char *steps, char step)
{
    char line[] = "0 recovered";
    if (step == 'L' || step == 'X') {
        cr_expect_eq(recovery_begin(supervisor, 128 + 9, "a process was lost"), step == 'L', "%s",
                     steps);
        return;
    }
    line[0] = step;
    recovery_succeed(supervisor, line);
}

Test(recovery, waits_for_losses_that_the_job_has_not_recovered_from)
{
    char path[] = "checkpoint";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct supervisor supervisor = {.checkpoint = path,
                                        .recovery = {.limit_s = limit_s, .max_recoveries = 4}};
        for (const char *step = rows[i].steps; *step != '\0'; step++)
            take(&supervisor, rows[i].steps, *step);
        cr_expect_eq(supervisor.recovery.deadline_s > 0, rows[i].waits, "%s", rows[i].steps);
    }
}
