/**
 * @file monitor.c
 * nereus_metrics, while sizes change: monitor [last=N] [pause=SECONDS]
 * [schedule=NT@POINT:METHOD,...] [power=X] [work=KIND] [uncounted]. In each iteration a process
 * makes 3 calls of MPI_Allreduce with 5 doubles, one of MPI_Bcast with 7 ints, one of MPI_Sendrecv
 * with 11 bytes, and MPI_Isend, MPI_Irecv and MPI_Waitall. Every interval must have as many of them
 * as it has iterations: rank 0 looks at those of all processes, the others at their own. What is
 * wrong ends the job. uncounted: nothing counts MPI calls.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nereus/nereus.h"

enum { DOUBLES = 5, INTS = 7, LETTERS = 11 };

static struct {
    int64_t last;
    double pause_s, power;
    const char *work;
    bool uncounted;
} setting = {.last = 20};

static void read_word(char *word)
{
    char *value = strchr(word, '=');
    value = value != NULL ? value + 1 : word;
    if (strncmp(word, "last=", 5) == 0)
        setting.last = strtoll(value, NULL, 10);
    else if (strncmp(word, "pause=", 6) == 0)
        setting.pause_s = strtod(value, NULL);
    else if (strncmp(word, "power=", 6) == 0)
        setting.power = strtod(value, NULL);
    else if (strncmp(word, "work=", 5) == 0)
        setting.work = value;
    else if (strncmp(word, "schedule=", 9) == 0)
        setenv("NEREUS_SCHEDULE", value, 1);
    else
        setting.uncounted = strcmp(word, "uncounted") == 0;
}

static void report_difference(const nereus_job *job, int rank, const char *what, double value,
                              double expected)
{
    fprintf(stderr,
            "monitor: at rank %d, of rank %d, point %" PRId64 ": %s is %.9g, expected %.9g\n",
            nereus_rank(job), rank, nereus_points(job), what, value, expected);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void expect(const nereus_job *job, int rank, const char *what, double value, double expected)
{
    if (value != expected)
        report_difference(job, rank, what, value, expected);
}

static void expect_calls(const nereus_job *job, int rank, const struct nereus_metrics *metrics,
                         enum nereus_mpi_kind kind, int64_t calls, int64_t bytes)
{
    const int64_t times = setting.uncounted ? 0 : metrics->iterations;
    const char *name = nereus_mpi_kind_name(kind);
    expect(job, rank, name, (double)metrics->mpi[kind].calls, (double)(times * calls));
    expect(job, rank, name, (double)metrics->mpi[kind].bytes, (double)(times * calls * bytes));
}

static void expect_times(const nereus_job *job, int rank, const struct nereus_metrics *metrics)
{
    if (setting.uncounted != isnan(metrics->mpi_s) || setting.uncounted != isnan(metrics->wait_s))
        report_difference(job, rank, "mpi_s", metrics->mpi_s, 0);
    if (!(metrics->real_s > 0) || !(metrics->cpu_s >= 0) || metrics->memory_bytes < 4096)
        report_difference(job, rank, "real_s", metrics->real_s, 1);
    if (metrics->mpi_s > metrics->real_s || metrics->wait_s > metrics->mpi_s)
        report_difference(job, rank, "mpi_s", metrics->mpi_s, metrics->real_s);
}

/* The stub of PAPI counts 1000 for each interval. */
static void expect_work(const nereus_job *job, int rank, const struct nereus_metrics *metrics)
{
    if (setting.work != NULL && strcmp(setting.work, "flop") == 0) {
        expect(job, rank, "work_kind", metrics->work_kind, NEREUS_WORK_FLOP);
        expect(job, rank, "work", metrics->work, 1000);
    } else if (setting.work != NULL) {
        expect(job, rank, "work_kind", metrics->work_kind, NEREUS_WORK_CPU_TIME);
        expect(job, rank, "power_set", metrics->power_set, setting.power > 0);
        if (setting.power > 0)
            expect(job, rank, "power", metrics->power, setting.power * (rank + 1));
    }
}

static void check(nereus_job *job, int rank)
{
    struct nereus_metrics metrics = NEREUS_METRICS_INIT;
    const enum nereus_status status = nereus_metrics(job, rank, &metrics);
    if (status == NEREUS_ERR_NO_BASIS)
        return;
    expect(job, rank, "status", status, NEREUS_OK);
    expect_calls(job, rank, &metrics, NEREUS_MPI_ALLREDUCE, 3, DOUBLES * sizeof(double));
    expect_calls(job, rank, &metrics, NEREUS_MPI_BCAST, 1, INTS * sizeof(int));
    expect_calls(job, rank, &metrics, NEREUS_MPI_SENDRECV, 1, LETTERS);
    expect_calls(job, rank, &metrics, NEREUS_MPI_ISEND, 1, LETTERS);
    expect_calls(job, rank, &metrics, NEREUS_MPI_IRECV, 1, LETTERS);
    expect_calls(job, rank, &metrics, NEREUS_MPI_WAIT, 1, 0);
    /* What the library calls inside a point is not the program's. */
    for (int kind = 0; kind < NEREUS_MPI_KIND_COUNT; kind++)
        if (kind != NEREUS_MPI_ALLREDUCE && kind != NEREUS_MPI_BCAST &&
            kind != NEREUS_MPI_SENDRECV && kind != NEREUS_MPI_ISEND && kind != NEREUS_MPI_IRECV &&
            kind != NEREUS_MPI_WAIT)
            expect_calls(job, rank, &metrics, (enum nereus_mpi_kind)kind, 0, 0);
    expect_times(job, rank, &metrics);
    expect_work(job, rank, &metrics);
}

static void check_all(nereus_job *job)
{
    struct nereus_metrics metrics = NEREUS_METRICS_INIT;
    const int rank = nereus_rank(job), size = nereus_size(job);
    for (int other = 0; other < size; other++)
        if (other == rank || rank == 0)
            check(job, other);
        else
            expect(job, other, "status", nereus_metrics(job, other, &metrics), NEREUS_ERR_ARGUMENT);
    expect(job, size, "status", nereus_metrics(job, size, &metrics), NEREUS_ERR_ARGUMENT);
}

static void compute(nereus_job *job)
{
    MPI_Comm comm = nereus_comm(job);
    MPI_Request requests[2];
    const int rank = nereus_rank(job), size = nereus_size(job), next = (rank + 1) % size,
              before = (rank + size - 1) % size;
    double own_values[DOUBLES] = {rank}, sums[DOUBLES];
    int numbers[INTS] = {rank};
    char sent[LETTERS] = "", received[LETTERS];
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(own_values, sums, DOUBLES, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Bcast(numbers, INTS, MPI_INT, 0, comm);
    MPI_Sendrecv(sent, LETTERS, MPI_CHAR, next, 1, received, LETTERS, MPI_CHAR, before, 1, comm,
                 MPI_STATUS_IGNORE);
    MPI_Isend(sent, LETTERS, MPI_CHAR, next, 2, comm, &requests[0]);
    MPI_Irecv(received, LETTERS, MPI_CHAR, before, 2, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (setting.pause_s > 0)
        usleep((useconds_t)(1e6 * setting.pause_s));
}

int main(int argc, char **argv)
{
    enum nereus_action action = NEREUS_CONTINUE;
    nereus_job *job;
    for (int i = 1; i < argc; i++)
        read_word(argv[i]);
    if (nereus_init(&argc, &argv, NULL, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    for (int64_t i = nereus_points(job); i < setting.last && action != NEREUS_LEAVE; i++) {
        if (setting.power > 0)
            nereus_set_power(job, 2 * setting.power * (nereus_rank(job) + 1), 2);
        compute(job);
        if (nereus_point(job, &action) != NEREUS_OK)
            return EXIT_FAILURE;
        if (action != NEREUS_LEAVE)
            check_all(job);
        if (action == NEREUS_RESIZED)
            i = nereus_points(job) - 1;
    }
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
