/*
 * Waiting without using a core. A process or thread that waits in MPI spins; beside an application that computes on the
 * same cores it has to sleep outside MPI, look now and then, and enter a blocking call only when all others have
 * come, too.
 */
#include <sched.h>
#include <time.h>

#include "job.h"

static const double FIRST_NAP_S = 20e-6, LONGEST_NAP_S = 1e-3;

void nereus_nap(double *nap_s)
{
    if (*nap_s <= 0)
        *nap_s = FIRST_NAP_S;
    const struct timespec length = {0, (long)(*nap_s * 1e9)};
    nanosleep(&length, NULL);
    *nap_s = *nap_s * 1.5 < LONGEST_NAP_S ? *nap_s * 1.5 : LONGEST_NAP_S;
}

enum nereus_status nereus_wait(MPI_Request *request, bool naps, struct nereus_error *err)
{
    double nap_s = 0;
    int done = 0;
    if (!naps && !nereus_lookout_is_on()) {
        NEREUS_MPI(MPI_Wait(request, MPI_STATUS_IGNORE), err);
        return NEREUS_OK;
    }
    for (;;) {
        NEREUS_MPI(MPI_Test(request, &done, MPI_STATUS_IGNORE), err);
        if (done)
            return NEREUS_OK;
        NEREUS_TRY(nereus_lookout_check(err));
        if (naps)
            nereus_nap(&nap_s);
        else
            sched_yield(); /* what it waits for may need this core */
    }
}

enum nereus_status nereus_meet(MPI_Comm comm, bool naps, struct nereus_error *err)
{
    return naps ? nereus_come_together(comm, true, err)
                : NEREUS_OK; /* the blocking call that follows waits by itself */
}

enum nereus_status nereus_come_together(MPI_Comm comm, bool naps, struct nereus_error *err)
{
    MPI_Request all_here;
    NEREUS_MPI(MPI_Ibarrier(comm, &all_here), err);
    return nereus_wait(&all_here, naps, err);
}

enum nereus_status nereus_await_message(MPI_Comm comm, int source, int tag, bool naps, double limit_s,
                                        MPI_Message *message, MPI_Status *status, struct nereus_error *err)
{
    const double until_s = nereus_now_s() + limit_s;
    double nap_s = 0;
    int here = 0;
    for (;;) {
        NEREUS_MPI(MPI_Improbe(source, tag, comm, &here, message, status), err);
        if (here)
            return NEREUS_OK;
        if (nereus_now_s() > until_s)
            return nereus_fail(err, NEREUS_ERR_SPAWN, "new processes gave no sign of life for %.0f s",
                               limit_s);
        if (naps)
            nereus_nap(&nap_s);
        else
            sched_yield(); /* what it waits for may need this core */
    }
}
