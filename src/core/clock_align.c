/**
 * @file clock_align.c
 * Aligns clocks: after a reconfiguration one process of each other host queries the root for the
 * job's time and passes it on within its host. A leaving process does so earlier; in a baseline the
 * first target queries the sources' root before the two groups disconnect.
 */

#include "src/start/hosts.h"
#include "src/util/clock.h"
#include "src/util/tags.h"
#include "trace.h"

struct host_ranks {
    const char *host;
    int length, first, count; /* length of the host's part of "host/virtual" */
};

static int compare_hosts(const struct host_ranks *a, const struct host_ranks *b)
{
    const int shorter = a->length < b->length ? a->length : b->length;
    const int order = strncmp(a->host, b->host, (size_t)shorter);
    return order != 0 ? order : a->length - b->length;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct host_ranks *one = a, *other = b;
    const int order = compare_hosts(one, other);
    return order != 0 ? order : one->first - other->first;
}

static struct host_ranks *list_ranges(const nereus_job *job)
{
    const struct nereus_jobstate *state = &job->state;
    struct host_ranks *ranges = malloc(((size_t)state->segment_count + 1) * sizeof *ranges);
    int first = 0;
    for (int64_t i = 0; ranges != NULL && i < state->segment_count; i++) {
        const char *host = job->machine.nodes[state->segments[i].node].name;
        const int count = (int)state->segments[i].count;
        ranges[i] = (struct host_ranks){host, (int)strcspn(host, "/"), first, count};
        first += count;
    }
    if (ranges != NULL)
        qsort(ranges, (size_t)state->segment_count, sizeof *ranges, compare_ranges);
    return ranges;
}

/* The first process of the ranges [begin, end) of one host queries the root on behalf of all of
 * them. */
static enum nereus_status align_host(nereus_job *job, const struct host_ranks *ranges,
                                     int64_t begin, int64_t end, struct nereus_error *err)
{
    const int leader = ranges[begin].first, me = job->rank;
    if (leader != 0 && me == 0)
        NEREUS_TRY(nereus_clock_answer(job->control, leader, err));
    if (leader != 0 && me == leader)
        NEREUS_TRY(nereus_clock_request(job->control, 0, err));
    double correction_s = nereus_clock_correction_s();
    for (int64_t i = begin; i < end; i++) {
        const int first = ranges[i].first, past = first + ranges[i].count;
        for (int rank = first; me == leader && rank < past; rank++)
            if (rank != leader)
                NEREUS_MPI(MPI_Send(&correction_s, 1, MPI_DOUBLE, rank, OFFSET_TAG, job->control),
                           err);
        if (me != leader && me >= first && me < past)
            NEREUS_MPI(MPI_Recv(&correction_s, 1, MPI_DOUBLE, leader, OFFSET_TAG, job->control,
                                MPI_STATUS_IGNORE),
                       err);
    }
    nereus_clock_set_correction(correction_s);
    return NEREUS_OK;
}

static enum nereus_status align_hosts(nereus_job *job, struct nereus_error *err)
{
    const int64_t count = job->state.segment_count;
    struct host_ranks *ranges = list_ranges(job);
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY_MEMORY(ranges, err, "to compare the clocks of hosts");
    for (int64_t begin = 0, end; begin < count && status == NEREUS_OK; begin = end) {
        for (end = begin + 1; end < count && compare_hosts(&ranges[begin], &ranges[end]) == 0;
             end++)
            ;
        status = align_host(job, ranges, begin, end, err);
    }
    free(ranges);
    return status;
}

enum nereus_status nereus_clock_align(nereus_job *job, struct nereus_error *err)
{
    return nereus_machine_has_several_hosts(&job->machine) ? align_hosts(job, err) : NEREUS_OK;
}
