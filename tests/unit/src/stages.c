/* Of which processes the job misses one that has ended (src/guard/stages.h). */
#include <criterion/criterion.h>

#include "src/guard/stages.h"

/* Calls that all processes of a world take part in: MPI_Init, nereus_init, MPI_Finalize. */
static const struct {
    const char *what;
    enum stage ended, other;
    bool missed;
} pairs[] = {
    {"nobody comes to MPI: hostname", STAGE_START, STAGE_START, false},
    {"the other one is in MPI_Init", STAGE_START, STAGE_MPI, true},
    {"the other one is in nereus_init, and MPI was begun by another library", STAGE_START,
     STAGE_JOB, true},
    {"the other one has left its job: this one was not seen", STAGE_START, STAGE_LEFT, false},
    {"both end behind MPI_Init, as with --help", STAGE_MPI, STAGE_MPI, false},
    {"the other one is in nereus_init", STAGE_MPI, STAGE_JOB, true},
    {"the other one, of a plain program, is in MPI_Finalize", STAGE_MPI, STAGE_FINALIZE, true},
    {"in the loop", STAGE_JOB, STAGE_JOB, true},
    {"behind nereus_finalize, the other one too", STAGE_LEFT, STAGE_LEFT, false},
    {"behind nereus_finalize, the other one is in MPI_Finalize", STAGE_LEFT, STAGE_FINALIZE, true},
    {"at the end", STAGE_DONE, STAGE_FINALIZE, false},
    {"a wrapper has closed the channel", STAGE_UNSEEN, STAGE_JOB, false},
    {"what no guard says", STAGE_START, (enum stage)99, false},
};

Test(stages, who_is_missed)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        cr_expect_eq(stage_waits_for(pairs[i].other, pairs[i].ended), pairs[i].missed, "%s",
                     pairs[i].what);
}

static const struct {
    const char *what;
    enum stage ended;
    int status;
    bool needed;
} ends[] = {
    {"false", STAGE_START, 1, false},          {"killed before MPI_Init", STAGE_START, 137, true},
    {"--help", STAGE_MPI, 0, false},           {"an error behind MPI_Init", STAGE_MPI, 3, true},
    {"_exit in the loop", STAGE_JOB, 0, true}, {"its own status", STAGE_LEFT, 5, false},
    {"at the end", STAGE_DONE, 139, false},    {"not seen", STAGE_UNSEEN, 1, false},
};

Test(stages, whoever_else_there_is)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        cr_expect_eq(stage_is_loss(ends[i].ended, ends[i].status), ends[i].needed, "%s",
                     ends[i].what);
}
