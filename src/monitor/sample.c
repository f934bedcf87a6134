/**
 * @file sample.c
 * Reads counters at both ends of an interval and subtracts them: clocks, MPI calls, memory, work.
 */
#include "sample.h"

#include <unistd.h>

#include "src/interpose/uses.h"
#include "src/util/clock.h"

/* Is this a call that waits for other processes? Other calls return at once. */
static bool is_waiting_call(enum nereus_mpi_kind kind)
{
    switch (kind) {
    case NEREUS_MPI_ISEND:
    case NEREUS_MPI_IRECV:
    case NEREUS_MPI_WRITE:
    case NEREUS_MPI_READ:
    case NEREUS_MPI_TEST:
    case NEREUS_MPI_NONBLOCKING:
    case NEREUS_MPI_RMA:
        return false;
    default:
        return true;
    }
}

#define WORD(name, word) word,

const char *nereus_mpi_kind_name(enum nereus_mpi_kind kind)
{
    static const char *const words[NEREUS_MPI_KIND_COUNT] = {NEREUS_MPI_KIND_LIST(WORD)};
    return (int)kind >= 0 && kind < NEREUS_MPI_KIND_COUNT ? words[kind] : NULL;
}

bool nereus_sample_has_mpi(void)
{
    return nereus_watch_get_uses != NULL;
}

/* Resident pages: the second number of /proc/self/statm (proc(5)). */
static int64_t read_resident_bytes(void)
{
    long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %lld", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

double nereus_sample_mpi_s(void)
{
    struct nereus_mpi_use mpi[NEREUS_MPI_KIND_COUNT];
    double sum_s = 0;
    if (!nereus_sample_has_mpi())
        return NAN;
    nereus_watch_get_uses(mpi);
    for (int kind = 0; kind < NEREUS_MPI_KIND_COUNT; kind++)
        sum_s += mpi[kind].time_s;
    return sum_s + nereus_watch_library_s();
}

void nereus_sample_read_counts(const struct work_counter *work, struct counts *counts)
{
    counts->now_s = nereus_skewed_monotonic_s();
    counts->library_s = nereus_sample_has_mpi() ? nereus_watch_library_s() : NAN;
    counts->cpu_s = nereus_read_clock_s(CLOCK_PROCESS_CPUTIME_ID);
    counts->work = nereus_work_read(work, counts->cpu_s);
    memset(counts->mpi, 0, sizeof counts->mpi);
    if (nereus_sample_has_mpi())
        nereus_watch_get_uses(counts->mpi);
}

/* Compute MPI and waiting time; malleability points count as waiting. Limited to the interval: the
 * clocks are not read at exactly the same time. */
static void subtract_mpi(const struct counts *begin, const struct counts *end,
                         struct nereus_metrics *metrics)
{
    metrics->mpi_s = metrics->wait_s = end->library_s - begin->library_s; /* NAN: not counted */
    for (int kind = 0; kind < NEREUS_MPI_KIND_COUNT; kind++) {
        const struct nereus_mpi_use *old_use = &begin->mpi[kind], *new_use = &end->mpi[kind];
        struct nereus_mpi_use *use = &metrics->mpi[kind];
        use->calls = new_use->calls - old_use->calls;
        use->bytes = new_use->bytes - old_use->bytes;
        use->time_s = new_use->time_s - old_use->time_s;
        metrics->mpi_s += use->time_s;
        metrics->wait_s += is_waiting_call((enum nereus_mpi_kind)kind) ? use->time_s : 0;
    }
    if (metrics->mpi_s > metrics->real_s)
        metrics->mpi_s = metrics->real_s;
    if (metrics->wait_s > metrics->mpi_s)
        metrics->wait_s = metrics->mpi_s;
}

/* Estimate the CPU time outside MPI: ranks spin in MPI, so that time in MPI counts as CPU time. At
 * least 0, as a preempted process may have had less. */
static double compute_busy_cpu_s(const struct nereus_metrics *metrics)
{
    return isnan(metrics->mpi_s) ? metrics->cpu_s : fmax(0, metrics->cpu_s - metrics->mpi_s);
}

static void find_power(double set_power, struct nereus_metrics *metrics)
{
    const double cpu =
        metrics->work_kind == NEREUS_WORK_FLOP ? compute_busy_cpu_s(metrics) : metrics->cpu_s;
    metrics->power_set = metrics->work_kind == NEREUS_WORK_CPU_TIME && set_power > 0;
    if (metrics->work_kind == NEREUS_WORK_CPU_TIME)
        metrics->power = set_power > 0 ? set_power : NAN;
    else
        metrics->power = cpu > 0 ? metrics->work / cpu : NAN;
}

void nereus_sample_measure(const struct work_counter *work, const struct counts *begin,
                           double set_power, struct counts *end, struct nereus_metrics *metrics)
{
    nereus_sample_read_counts(work, end);
    memset(metrics, 0, sizeof *metrics); /* with its padding, as it is sent as bytes */
    metrics->size = sizeof *metrics;
    metrics->real_s = end->now_s - begin->now_s;
    metrics->cpu_s = end->cpu_s - begin->cpu_s;
    metrics->work = fmax(0, end->work - begin->work);
    metrics->work_kind = work->kind;
    metrics->memory_bytes = read_resident_bytes();
    subtract_mpi(begin, end, metrics);
    if (metrics->work_kind == NEREUS_WORK_CPU_TIME)
        metrics->work = compute_busy_cpu_s(metrics);
    find_power(set_power, metrics);
}

void nereus_sample_report_data(const nereus_job *job)
{
    int64_t bytes[2] = {0, 0}; /* constant, variable */
    if (nereus_watch_data == NULL)
        return;
    for (int64_t i = 0; i < job->registry.count; i++) {
        const struct nereus_data_entry *entry = &job->registry.data[i].entry;
        if (entry->placement == NEREUS_DISTRIBUTED)
            bytes[entry->kind == NEREUS_CONSTANT ? 0 : 1] += entry->element_bytes * entry->count;
    }
    nereus_watch_data(bytes[0], bytes[1]);
}
