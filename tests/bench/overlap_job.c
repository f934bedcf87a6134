/**
 * @file overlap_job.c
 * How much slower do iterations get beside a thread that waits?
 *
 *   overlap-job LOOP nap|spin         beside a thread of this program, which waits for a message
 *                                     the whole time: it looks
 *                                     for it between naps, as the runtime's threads do
 *                                     (src/util/wait.c), or blocks in MPI_Recv
 *   overlap-job LOOP METHOD NT [S]    beside a reconfiguration to NT processes by a method of
 *                                     merge; new processes sleep for
 *                                     S seconds before they join, so that those who wait for them
 *                                     can be seen waiting
 *
 * Under nereus-mpiexec -n NS, one rank a core. LOOP: see loops.h. Prints lines "quantity value":
 * alone_s and beside_s, the mean iteration of the slowest rank; omega, the largest ratio of the two
 * on a rank; share, CPU time over time of the busiest thread (nap, spin). The method's own times
 * are in the trace.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calibration/tasks/loops.h"
#include "model/util/clock.h"
#include "nereus/nereus.h"
#include "src/util/wait.h"

enum { WARM = 50, ALONE = 300, ITERATIONS_MAX = 60000, TAG = 7 };
static const double iteration_s = 1e-3;

struct setting {
    const struct nereus_loop *loop;
    const char *companion;
    struct nereus_resize resize;
    double start_s;
};

struct waiter {
    pthread_t thread;
    MPI_Comm comm;
    int other; /* rank whose message it waits for */
    bool naps;
    double time_s, cpu_s;
};

struct figures {
    double alone_s, beside_s, omega, share;
};

/* ---- a thread that waits --------------------------------------------------------------------- */

static void *wait_for_message(void *argument)
{
    struct waiter *waiter = argument;
    struct nereus_error error = {0};
    struct timespec cpu;
    MPI_Request request;
    char word;
    const double start_s = nereus_monotonic_s();
    if (waiter->naps) {
        MPI_Irecv(&word, 1, MPI_CHAR, waiter->other, TAG, waiter->comm, &request);
        nereus_wait(&request, NEREUS_WAIT_ASLEEP, &error);
    } else {
        MPI_Recv(&word, 1, MPI_CHAR, waiter->other, TAG, waiter->comm, MPI_STATUS_IGNORE);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    waiter->time_s = nereus_monotonic_s() - start_s;
    waiter->cpu_s = (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec;
    return NULL;
}

static bool is_waiter(const char *companion)
{
    return strcmp(companion, "nap") == 0 || strcmp(companion, "spin") == 0;
}

static void waiter_start(struct waiter *waiter, MPI_Comm comm, bool naps)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    *waiter = (struct waiter){.comm = comm, .other = (rank + size - 1) % size, .naps = naps};
    if (pthread_create(&waiter->thread, NULL, wait_for_message, waiter) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void waiter_end(struct waiter *waiter)
{
    const char word = 1;
    int rank, size;
    MPI_Comm_rank(waiter->comm, &rank);
    MPI_Comm_size(waiter->comm, &size);
    MPI_Send(&word, 1, MPI_CHAR, (rank + 1) % size, TAG, waiter->comm);
    pthread_join(waiter->thread, NULL);
}

/* ---- iterations ------------------------------------------------------------------------------ */

static enum nereus_action iterate(nereus_job *job, const struct setting *setting, long units,
                                  double *before_point_s)
{
    enum nereus_action action;
    nereus_loop_iterate(setting->loop, nereus_comm(job), units);
    *before_point_s = nereus_monotonic_s();
    if (nereus_point(job, &action) != NEREUS_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return action;
}

/* Mean time of so many iterations; an iteration is what lies between two points, and the first of
 * them. */
static double mean_s(nereus_job *job, const struct setting *setting, long units, int iterations)
{
    double first_s, last_s = 0;
    iterate(job, setting, units, &first_s);
    for (int i = 0; i < iterations; i++)
        iterate(job, setting, units, &last_s);
    return (last_s - first_s) / iterations;
}

/* The point of the request has come: until the job has its new size. The point that completes the
 * change is not part of any iteration. Without one (a synchronous method) 0. */
static double mean_until_resized_s(nereus_job *job, const struct setting *setting, long units)
{
    double first_s, last_s = 0;
    int iterations = 0;
    enum nereus_action action = iterate(job, setting, units, &first_s);
    while (action == NEREUS_CONTINUE && iterations < ITERATIONS_MAX) {
        action = iterate(job, setting, units, &last_s);
        iterations++;
    }
    return iterations > 0 ? (last_s - first_s) / iterations : 0;
}

static struct figures measure(nereus_job *job, const struct setting *setting, MPI_Comm own)
{
    struct figures figures = {0};
    struct waiter waiter;
    const long units = nereus_loop_count_units(setting->loop, own, iteration_s);
    mean_s(job, setting, units, WARM - 1);
    figures.alone_s = mean_s(job, setting, units, ALONE - 1); /* these are WARM + ALONE points */
    if (is_waiter(setting->companion)) {
        waiter_start(&waiter, own, strcmp(setting->companion, "nap") == 0);
        figures.beside_s = mean_s(job, setting, units, ALONE - 1);
        waiter_end(&waiter);
        figures.share = waiter.cpu_s / waiter.time_s;
    } else {
        figures.beside_s = mean_until_resized_s(job, setting, units);
    }
    figures.omega = figures.beside_s / figures.alone_s;
    return figures;
}

/* The most of all ranks. */
static void print(const struct figures *own_figures, const struct setting *setting, MPI_Comm own)
{
    double max[4] = {own_figures->alone_s, own_figures->beside_s, own_figures->omega,
                     own_figures->share};
    int rank;
    MPI_Comm_rank(own, &rank);
    MPI_Allreduce(MPI_IN_PLACE, max, 4, MPI_DOUBLE, MPI_MAX, own);
    if (rank != 0)
        return;
    printf("alone_s %.9g\n", max[0]);
    if (max[1] > 0)
        printf("beside_s %.9g\nomega %.6g\n", max[1], max[2]);
    if (is_waiter(setting->companion))
        printf("share %.6g\n", max[3]);
    fflush(stdout);
}

static bool read_words(int argc, char **argv, struct setting *setting)
{
    if (argc < 3 || (setting->loop = nereus_loop_find(argv[1])) == NULL ||
        (argc < 4 && !is_waiter(argv[2])))
        return false;
    setting->companion = argv[2];
    setting->resize =
        (struct nereus_resize){WARM + ALONE + 1, argc > 3 ? atoll(argv[3]) : 0, argv[2]};
    setting->start_s = argc > 4 ? atof(argv[4]) : 0;
    return true;
}

int main(int argc, char **argv)
{
    struct setting setting;
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    nereus_job *job;
    if (!read_words(argc, argv, &setting)) {
        fprintf(stderr, "overlap-job: compute|memory|collective nap|spin|METHOD [NT [S]]\n");
        return EXIT_FAILURE;
    }
    if (nereus_will_join() && setting.start_s > 0)
        nanosleep(
            &(struct timespec){(time_t)setting.start_s,
                               (long)((setting.start_s - (double)(time_t)setting.start_s) * 1e9)},
            NULL);
    options.schedule = &setting.resize;
    options.schedule_count = is_waiter(setting.companion) ? 0 : 1;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (!nereus_is_joined(job)) {
        MPI_Comm own; /* the results are those of the ranks that were there before */
        MPI_Comm_dup(nereus_comm(job), &own);
        const struct figures figures = measure(job, &setting, own);
        print(&figures, &setting, own);
        MPI_Comm_free(&own);
    }
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
