/**
 * @file measured.c
 * NEREUS_BALANCE: load balance by what monitoring measures, in a program that calls nereus_point
 * alone. CASE:
 *
 *   slow       rank 0 needs four times as long for an element, without computing: it sleeps, so
 *              that CPU time does not show it, and nothing depends on how fast the machine is
 *   graded     three ranks: rank 1 needs twice and rank 0 four times as long as rank 2. One
 *              redistribution gives the fastest most, though it is measured for a shorter time
 *   late       as slow, and no iteration is left: nothing is gained, nothing moves
 *   point      rank 1 is the slow one, and the others wait for it only in nereus_point
 *   neighbour  all compute alike, each on its own core, and rank 0 shares its core with a busy loop
 *
 * The program continues until data has moved once (graded), or else until the slow rank has at most
 * 0.8 of the elements of the other: a state, not a time.
 */
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nereus/nereus.h"

enum { ELEMENTS = 1200, POINTS_MAX = 2000, LATE_POINTS = 20, FEW_POINTS = 100 };

/* Of an element, by rank: so long that it matters little how soon a process that slept continues,
 * also beside other work. */
static const double slow_s[] = {120e-6, 30e-6}, graded_s[] = {600e-6, 300e-6, 150e-6};

static void fail(const char *sentence)
{
    fprintf(stderr, "measured: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void need(const nereus_job *job, enum nereus_status status)
{
    if (status != NEREUS_OK)
        fail(nereus_last_error(job));
}

/* ---- a busy neighbour ------------------------------------------------------------------------ */

/* On the core with this number among those that may be used. */
static void go_to_core(int number)
{
    cpu_set_t may, one;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof may, &may);
    const int count = CPU_COUNT(&may);
    int seen = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &may) && seen++ == number % count)
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void compute(int64_t elements)
{
    static volatile double sum;
    for (int64_t i = 0; i < 4000 * elements; i++)
        sum = sum * 0.5 + 1;
}

/* Before MPI is there, which does not like forks.
 * @return its process id */
static pid_t start_neighbour(void)
{
    const pid_t parent = getpid(), neighbour = fork();
    if (neighbour != 0)
        return neighbour;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    go_to_core(0);
    for (int descriptor = 0; descriptor < 64; descriptor++)
        close(descriptor);
    while (getppid() == parent)
        compute(1000);
    _exit(0);
}

/* ---- iterations ------------------------------------------------------------------------------ */

struct state {
    nereus_job *job;
    bool sleeps, barrier, graded;
    int slow; /* rank */
    int x_id;
    int64_t moves;
};

static void work(const struct state *s)
{
    int64_t count;
    need(s->job, nereus_local(s->job, s->x_id, NULL, NULL, &count));
    if (!s->sleeps) {
        compute(count);
    } else {
        const int rank = nereus_rank(s->job);
        const double seconds =
            (double)count * (s->graded ? graded_s[rank] : slow_s[rank != s->slow]);
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
    }
    if (s->barrier)
        MPI_Barrier(nereus_comm(s->job));
}

static int64_t part_of(const struct state *s, int rank)
{
    int64_t first, count;
    need(s->job, nereus_part_of(s->job, s->x_id, rank, &first, &count));
    return count;
}

static void check_data(const struct state *s)
{
    int64_t first, count, *x;
    need(s->job, nereus_local(s->job, s->x_id, (void **)&x, &first, &count));
    for (int64_t i = 0; i < count; i++)
        if (x[i] != 3 * (first + i) + 1)
            fail("an element has another value than before");
}

static void fill(struct state *s)
{
    int64_t first, count, *x;
    need(s->job,
         nereus_register_array(s->job, "x", MPI_INT64_T, ELEMENTS, NEREUS_VARIABLE, &s->x_id));
    need(s->job, nereus_local(s->job, s->x_id, (void **)&x, &first, &count));
    for (int64_t i = 0; i < count; i++)
        x[i] = 3 * (first + i) + 1;
}

static bool is_balanced(const struct state *s)
{
    if (s->graded)
        return s->moves == 1 && part_of(s, 0) < part_of(s, 1) && part_of(s, 1) < part_of(s, 2);
    return 10 * part_of(s, s->slow) <= 8 * part_of(s, 1 - s->slow);
}

static bool is_done(const struct state *s)
{
    return s->graded ? s->moves > 0 : is_balanced(s);
}

static void run(struct state *s, bool late)
{
    const int64_t max = late ? LATE_POINTS : s->barrier ? POINTS_MAX : FEW_POINTS;
    while (nereus_points(s->job) < max && (late || !is_done(s))) {
        enum nereus_action action;
        work(s);
        if (late)
            nereus_set_iterations_left(s->job, 0);
        need(s->job, nereus_point(s->job, &action));
        s->moves += action == NEREUS_RESIZED;
        check_data(s);
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "slow", *rank = getenv("PMI_RANK"), *why = NULL;
    const bool late = strcmp(name, "late") == 0, neighbour = strcmp(name, "neighbour") == 0,
               point = strcmp(name, "point") == 0;
    struct state s = {.sleeps = !neighbour,
                      .barrier = !point,
                      .graded = strcmp(name, "graded") == 0,
                      .slow = point};
    pid_t busy = -1;
    if (neighbour && rank != NULL && strcmp(rank, "0") == 0)
        busy = start_neighbour();
    if (nereus_init(&argc, &argv, NULL, &s.job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (neighbour)
        go_to_core(nereus_rank(s.job));
    fill(&s);
    run(&s, late);
    nereus_last_outcome(s.job, &why);
    if (nereus_rank(s.job) == 0)
        printf("%" PRId64 " points, %" PRId64 " moves, rank 0 has %" PRId64 " and rank 1 %" PRId64
               " of %d elements; %s\n",
               nereus_points(s.job), s.moves, part_of(&s, 0), part_of(&s, 1), ELEMENTS, why);
    const bool passed = late ? s.moves == 0 && strstr(why, "are saved until the end") != NULL
                             : s.moves > 0 && is_balanced(&s);
    if (busy > 0) {
        kill(busy, SIGKILL);
        waitpid(busy, NULL, 0);
    }
    const bool ended = nereus_finalize(&s.job) == NEREUS_OK;
    return passed && ended ? EXIT_SUCCESS : EXIT_FAILURE;
}
