/*
 * Clocks. Each host has its own; the job's is that of the host on which it began. After a reconfiguration one process of each
 * other host asks the root for the time (Cristian's method, model/timeline.h) and tells those who share its host. Who leaves has
 * asked earlier; the first process of a baseline's targets asks the sources' root before these part.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bind_place.h"
#include "job.h"
#include "timeline.h"

enum { CLOCK_TAG = 101, OFFSET_TAG = 102, ROUNDS = 8 };

/* This process' clock + offset is the job's. Main thread. */
static double offset_s;

/* For tests: NEREUS_CLOCK_SKEW=host1=5,host2=-3 turns the clocks of these hosts by so many seconds. */
static double read_skew(void)
{
    char host[256] = "";
    const char *at = getenv("NEREUS_CLOCK_SKEW");
    gethostname(host, sizeof host - 1);
    const size_t length = strlen(host);
    while (at != NULL && *at != '\0') {
        if (strncmp(at, host, length) == 0 && at[length] == '=')
            return atof(at + length + 1);
        at = strchr(at, ',');
        at = at != NULL ? at + 1 : NULL;
    }
    return 0;
}

double nereus_now_s(void)
{
    static double skew_s;
    static bool read;
    struct timespec now;
    if (!read) { /* by the main thread at nereus_init, before there are others */
        skew_s = read_skew();
        read = true;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + skew_s;
}

double nereus_clock_correction_s(void)
{
    return offset_s;
}

enum nereus_status nereus_clock_ask(MPI_Comm comm, int peer, struct nereus_error *err)
{
    double sent_s[ROUNDS], remote_s[ROUNDS], received_s[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        sent_s[i] = nereus_now_s();
        NEREUS_MPI(MPI_Send(&sent_s[i], 1, MPI_DOUBLE, peer, CLOCK_TAG, comm), err);
        NEREUS_MPI(MPI_Recv(&remote_s[i], 1, MPI_DOUBLE, peer, CLOCK_TAG, comm, MPI_STATUS_IGNORE), err);
        received_s[i] = nereus_now_s();
    }
    offset_s = nereus_clock_offset(sent_s, remote_s, received_s, ROUNDS);
    return NEREUS_OK;
}

enum nereus_status nereus_clock_answer(MPI_Comm comm, int peer, struct nereus_error *err)
{
    double time_s;
    for (int i = 0; i < ROUNDS; i++) {
        NEREUS_MPI(MPI_Recv(&time_s, 1, MPI_DOUBLE, peer, CLOCK_TAG, comm, MPI_STATUS_IGNORE), err);
        time_s = nereus_now_s() + offset_s;
        NEREUS_MPI(MPI_Send(&time_s, 1, MPI_DOUBLE, peer, CLOCK_TAG, comm), err);
    }
    return NEREUS_OK;
}

/* The first rank on the host of a rank: it asks for all there. */
static int first_on_host(const nereus_job *job, int rank)
{
    const int64_t node = nereus_node_of_rank(job, rank);
    int first = 0;
    while (first < rank && !nereus_bind_same_host(&job->machine, nereus_node_of_rank(job, first), node))
        first++;
    return first;
}

/* The root answers the first of each host, who tell the others there. */
static enum nereus_status ask_by_hosts(nereus_job *job, struct nereus_error *err)
{
    const int mine = first_on_host(job, job->rank);
    if (mine == job->rank && mine != 0)
        NEREUS_TRY(nereus_clock_ask(job->control, 0, err));
    for (int rank = job->rank + 1; mine == job->rank && rank < job->size; rank++) {
        const int first = first_on_host(job, rank);
        if (job->rank == 0 && first == rank)
            NEREUS_TRY(nereus_clock_answer(job->control, rank, err));
        if (first == job->rank)
            NEREUS_MPI(MPI_Send(&offset_s, 1, MPI_DOUBLE, rank, OFFSET_TAG, job->control), err);
    }
    if (mine != job->rank)
        NEREUS_MPI(MPI_Recv(&offset_s, 1, MPI_DOUBLE, mine, OFFSET_TAG, job->control, MPI_STATUS_IGNORE),
                   err);
    return NEREUS_OK;
}

enum nereus_status nereus_clock_align(nereus_job *job, struct nereus_error *err)
{
    return nereus_several_hosts(&job->machine) ? ask_by_hosts(job, err) : NEREUS_OK;
}
