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
 * recovered from the loss of so many processes; S: a spawn begins; E: it ends. */
static const struct {
    const char *steps;
    bool waits; /* at the end: is a recovery under way? */
} rows[] = {
    {"L", true},
    {"L1", false},
    {"L1L1", false},
    /* the report comes after the recovery */
    {"1L", false},
    {"1LL", true},
    {"L2L", false},
    {"L2LL", true},
    {"2LL", false},
    /* two are lost at once */
    {"2LLL1", false},
    /* the second one before the recovery: the caller ends the job */
    {"LX", true},
    /* nothing was lost: such a recovery does not end the wait for another */
    {"0L", true},
    {"L0", true},
    {"L01", false},
    /* no recovery during a spawn, but a report of a loss that the job has recovered from */
    {"SX", false},
    {"1SL", false},
    {"1SLEL", true},
    {"2LSL", false},
    {"L2SLX", false},
    /* too many recoveries, before or after their reports */
    {"L1L1L1L1X", false},
    {"1L1L1L1LX", false},
    {"1L1L1L1L1X", false},
};

static void take(struct supervisor *supervisor, const char *steps, char step)
{
    char line[] = "0 recovered";
    if (step == 'S' || step == 'E') {
        supervisor->peers->connection.fd = step == 'S' ? 0 : -1;
        return;
    }
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
        struct peer peer = {.kind = PEER_SPAWNS, .connection.fd = -1};
        struct supervisor supervisor = {.checkpoint = path,
                                        .peers = &peer,
                                        .peer_count = 1,
                                        .recovery = {.limit_s = limit_s, .max_recoveries = 4}};
        for (const char *step = rows[i].steps; *step != '\0'; step++)
            take(&supervisor, rows[i].steps, *step);
        cr_expect_eq(supervisor.recovery.deadline_s > 0, rows[i].waits, "%s", rows[i].steps);
    }
}
