/** @file process_phase.c  Decides which phases other processes wait for, and which statuses count
 * as a loss. */
#include "process_phase.h"

#include <signal.h>

bool phase_waits_for(enum process_phase other, enum process_phase end_phase)
{
    switch (end_phase) {
    case PHASE_START:
        return other == PHASE_MPI || other == PHASE_JOB;
    case PHASE_MPI:
        return other == PHASE_JOB || other == PHASE_FINALIZE;
    case PHASE_JOB:
        return other == PHASE_JOB || other == PHASE_FINALIZE;
    case PHASE_LEFT:
        return other == PHASE_FINALIZE;
    default:
        return false;
    }
}

bool phase_is_loss(enum process_phase end_phase, int status)
{
    return end_phase == PHASE_JOB || (end_phase == PHASE_MPI && status != 0) ||
           (end_phase == PHASE_START && status_is_signal(status));
}

const char *phase_text(enum process_phase end_phase)
{
    switch (end_phase) {
    case PHASE_START:
        return "before libnereus had seen MPI_Init";
    case PHASE_MPI:
        return "before it had called nereus_init";
    case PHASE_LEFT:
        return "before it had called MPI_Finalize";
    case PHASE_DONE:
        return "after MPI_Finalize";
    case PHASE_UNSEEN:
        return "";
    default:
        return "without having left the job";
    }
}

bool status_is_signal(int status)
{
    return status > 128 && status < 128 + NSIG;
}

bool status_is_loss(int status)
{
    const int signal_number = status - 128;
    return status_is_signal(status) && signal_number != SIGINT && signal_number != SIGTERM &&
           signal_number != SIGHUP && signal_number != SIGQUIT;
}
