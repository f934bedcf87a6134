#include "stages.h"

#include <signal.h>

bool stage_waits_for(enum stage other, enum stage ended)
{
    switch (ended) {
    case STAGE_START:
        return other == STAGE_MPI || other == STAGE_JOB;
    case STAGE_MPI:
        return other == STAGE_JOB || other == STAGE_FINALIZE;
    case STAGE_JOB:
        return other == STAGE_JOB || other == STAGE_FINALIZE;
    case STAGE_LEFT:
        return other == STAGE_FINALIZE;
    default:
        return false;
    }
}

bool stage_is_loss(enum stage ended, int status)
{
    return ended == STAGE_JOB || (ended == STAGE_MPI && status != 0) ||
           (ended == STAGE_START && status > 128 && status < 128 + NSIG);
}

const char *stage_text(enum stage ended)
{
    switch (ended) {
    case STAGE_START:
        return "before it had called MPI_Init";
    case STAGE_MPI:
        return "before it had called nereus_init";
    case STAGE_LEFT:
        return "before it had called MPI_Finalize";
    case STAGE_DONE:
        return "after MPI_Finalize";
    case STAGE_UNSEEN:
        return "";
    default:
        return "without having left the job";
    }
}

bool status_is_loss(int status)
{
    const int signal_number = status - 128;
    return signal_number > 0 && signal_number < NSIG && signal_number != SIGINT &&
           signal_number != SIGTERM && signal_number != SIGHUP && signal_number != SIGQUIT;
}
