/**
 * @file test_process_phase.c
 * In which phase a process that ends leaves its job waiting (src/guard/process_phase.h).
 */
#include <criterion/criterion.h>

#include "src/guard/process_phase.h"

/* Calls that all processes of a world take part in: MPI_Init, nereus_init, MPI_Finalize. */
static const struct {
    const char *what;
    enum process_phase ended, other;
    bool missed;
} pairs[] = {
    {"nobody comes to MPI: hostname", PHASE_START, PHASE_START, false},
    {"the other one is in MPI_Init", PHASE_START, PHASE_MPI, true},
    {"the other one is in nereus_init, and MPI was begun by another library", PHASE_START,
     PHASE_JOB, true},
    {"the other one has left its job: this one was not seen", PHASE_START, PHASE_LEFT, false},
    {"both end behind MPI_Init, as with --help", PHASE_MPI, PHASE_MPI, false},
    {"the other one is in nereus_init", PHASE_MPI, PHASE_JOB, true},
    {"the other one, of a plain program, is in MPI_Finalize", PHASE_MPI, PHASE_FINALIZE, true},
    {"in the loop", PHASE_JOB, PHASE_JOB, true},
    {"behind nereus_finalize, the other one too", PHASE_LEFT, PHASE_LEFT, false},
    {"behind nereus_finalize, the other one is in MPI_Finalize", PHASE_LEFT, PHASE_FINALIZE, true},
    {"at the end", PHASE_DONE, PHASE_FINALIZE, false},
    {"a wrapper has closed the channel", PHASE_UNSEEN, PHASE_JOB, false},
    {"what no guard says", PHASE_START, (enum process_phase)99, false},
};

Test(process_phase, who_is_missed)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        cr_expect_eq(phase_waits_for(pairs[i].other, pairs[i].ended), pairs[i].missed, "%s",
                     pairs[i].what);
}

static const struct {
    const char *what;
    enum process_phase ended;
    int status;
    bool needed;
} ends[] = {
    {"false", PHASE_START, 1, false},          {"killed before MPI_Init", PHASE_START, 137, true},
    {"--help", PHASE_MPI, 0, false},           {"an error behind MPI_Init", PHASE_MPI, 3, true},
    {"_exit in the loop", PHASE_JOB, 0, true}, {"its own status", PHASE_LEFT, 5, false},
    {"at the end", PHASE_DONE, 139, false},    {"not seen", PHASE_UNSEEN, 1, false},
};

Test(process_phase, whoever_else_there_is)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        cr_expect_eq(phase_is_loss(ends[i].ended, ends[i].status), ends[i].needed, "%s",
                     ends[i].what);
}
