/**
 * @file data_job.c
 * What moving data costs, by one method with each overlap, beside the same bytes moved by bare
 * calls, among the same processes in the same job:
 *
 *   data-job DATA BYTES FLOOR [OVERLAP...]      under nereus-mpiexec -n 2
 *
 * An array of so many bytes, constant, goes from 2 to 4 processes and back by merge and merge-zs:
 * twice without overlap, of which the second counts, as the processes know each other by then (they
 * are woken, not started); then once with each OVERLAP. Between two changes the application
 * iterates; an iteration computes for 2 ms on 2 processes (on 4 as much in all) and ends with a
 * barrier. The floor (data_floor.h) is measured on the four processes. Printed are, by WAY (expand,
 * shrink):
 *
 *   floor_WAY_..., WAY_faults               page faults of all processes in the change without
 *                                           overlap
 *   OVERLAP_WAY_alone_s, _beside_s, _it     iteration before the change, meanwhile (both means, on
 *                                           rank 0), how many of these
 *   OVERLAP_WAY_window_s                    from the point where it is decided to the end of that
 *                                           which completes it
 *
 * The rest is in the trace (NEREUS_TRACE).
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration/tasks/loops.h"
#include "data_floor.h"
#include "model/util/clock.h"
#include "src/job/job.h"

enum {
    FEW = 2,
    MANY = 4,
    ALONE = 30,
    SETTLING = 5,
    FLOORS_AFTER = 3,
    SYNC_CHANGES = 4,
    OVERLAPS_MAX = 3
};
static const double iteration_s = 2e-3;

struct bench {
    nereus_job *job;
    const struct nereus_loop *loop;
    const char *data, *floor;
    int64_t bytes, changes; /* changes in all */
    const char **overlaps;
    int64_t units; /* of an iteration, of all processes together; replicated */
    double faults; /* of this process, in the last point */
};

/* Rank 0's view of one change. */
struct view {
    int64_t iterations;
    double alone_s, decided_s, before_s, end_s;
};

/* Of change number `change`, from 0; without overlap NULL. */
static const char *overlap_of(const struct bench *bench, int64_t change)
{
    return change < SYNC_CHANGES ? NULL : bench->overlaps[(change - SYNC_CHANGES) / 2];
}

static void request(const struct bench *bench, int64_t change)
{
    char method[64];
    const bool grows = change % 2 == 0;
    const char *overlap = overlap_of(bench, change);
    snprintf(method, sizeof method, "%s/%s%s%s", grows ? "merge" : "merge-zs", bench->data,
             overlap == NULL ? "" : "-", overlap == NULL ? "" : overlap);
    if (nereus_request_size(bench->job, grows ? MANY : FEW, method) != NEREUS_OK) {
        fprintf(stderr, "data-job: %s\n", nereus_last_error(bench->job));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* All go on together, as in an application whose iterations exchange something: else those with
 * less data to move run ahead, and the others have to catch up before they can agree on a point.
 * Yields, as they may be more than there are cores. */
static void couple(MPI_Comm comm)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(comm, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        sched_yield();
    }
}

static void iterate(const struct bench *bench)
{
    const int64_t units = bench->units / nereus_size(bench->job);
    nereus_loop_iterate(bench->loop, nereus_comm(bench->job), (long)(units > 0 ? units : 1));
    couple(nereus_comm(bench->job));
}

static enum nereus_action pass_point(struct bench *bench)
{
    enum nereus_action action;
    const double faults_before = data_faults();
    if (nereus_point(bench->job, &action) != NEREUS_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    bench->faults = data_faults() - faults_before;
    return action;
}

static void print_view(const struct bench *bench, const struct view *view, int64_t change)
{
    const char *way = change % 2 == 0 ? "expand" : "shrink", *overlap = overlap_of(bench, change);
    if (change < SYNC_CHANGES - 2)
        return;
    if (overlap == NULL)
        overlap = "sync";
    printf("%s_%s_alone_s %.9f\n%s_%s_it %lld\n%s_%s_window_s %.9f\n", overlap, way, view->alone_s,
           overlap, way, (long long)view->iterations, overlap, way, view->end_s - view->decided_s);
    if (view->iterations > 0)
        printf("%s_%s_beside_s %.9f\n", overlap, way, view->before_s / (double)view->iterations);
    fflush(stdout);
}

/* All who have their new size together: what is measured between two changes. */
static void after_change(struct bench *bench)
{
    const MPI_Comm comm = nereus_comm(bench->job);
    const int64_t change =
        nereus_reconfigurations(bench->job) - 1; /* a woken process slept through some */
    double faults = 0;
    MPI_Reduce(&bench->faults, &faults, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    if (nereus_rank(bench->job) == 0 && (change == SYNC_CHANGES - 2 || change == SYNC_CHANGES - 1))
        printf("%s_faults %.0f\n", change % 2 == 0 ? "expand" : "shrink", faults);
    if (change + 1 != FLOORS_AFTER)
        return;
    data_floor(comm, bench->floor, bench->bytes, FEW, MANY, "floor_expand");
    data_floor(comm, bench->floor, bench->bytes, MANY, FEW, "floor_shrink");
}

/* Iterations until the size has changed. Rank 0 asks for it when the time has come, and times. */
static enum nereus_action change_once(struct bench *bench)
{
    const int64_t change = nereus_reconfigurations(bench->job);
    struct view view = {0};
    enum nereus_action action = NEREUS_CONTINUE;
    double first_s = 0, begun_s = 0;
    for (int i = 0; nereus_reconfigurations(bench->job) == change && action != NEREUS_LEAVE; i++) {
        const bool was_under_way = bench->job->under_way != NULL;
        if (i == SETTLING)
            first_s = nereus_monotonic_s();
        if (i == SETTLING + ALONE && nereus_rank(bench->job) == 0) {
            view.alone_s = (nereus_monotonic_s() - first_s) / ALONE;
            request(bench, change);
        }
        iterate(bench);
        const double point_s = nereus_monotonic_s();
        action = pass_point(bench);
        view.end_s = nereus_monotonic_s();
        if (was_under_way) {
            view.iterations++;
            view.before_s = point_s - begun_s;
        } else {
            view.decided_s = point_s;
            begun_s = view.end_s;
        }
    }
    if (action == NEREUS_LEAVE)
        return action;
    if (nereus_rank(bench->job) == 0)
        print_view(bench, &view, change);
    after_change(bench);
    return action;
}

static void fill(const nereus_job *job, int id)
{
    int64_t count;
    void *part;
    nereus_local(job, id, &part, NULL, &count);
    if (count > 0)
        memset(part, 1, (size_t)count);
}

static bool read_words(int argc, char **argv, const char **overlaps, struct bench *bench)
{
    if (argc < 4 || argc > 4 + OVERLAPS_MAX)
        return false;
    for (int i = 4; i < argc; i++)
        overlaps[i - 4] = argv[i];
    *bench = (struct bench){.loop = nereus_loop_find("compute"),
                            .data = argv[1],
                            .bytes = atoll(argv[2]),
                            .floor = argv[3],
                            .overlaps = overlaps,
                            .changes = SYNC_CHANGES + 2 * (argc - 4)};
    return true;
}

int main(int argc, char **argv)
{
    const char *overlaps[OVERLAPS_MAX];
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    enum nereus_action action = NEREUS_CONTINUE;
    struct bench bench;
    int id, units_id;
    if (!read_words(argc, argv, overlaps, &bench)) {
        fprintf(stderr, "data-job: DATA BYTES FLOOR [OVERLAP...], %d at most\n", (int)OVERLAPS_MAX);
        return EXIT_FAILURE;
    }
    setenv("NEREUS_KEEP_ASLEEP", "1", 0); /* the second growth wakes processes, and starts none */
    if (nereus_init(&argc, &argv, &options, &bench.job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (nereus_register_array(bench.job, "x", MPI_BYTE, bench.bytes, NEREUS_CONSTANT, &id) !=
            NEREUS_OK ||
        nereus_register_replicated(bench.job, "units", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                   &bench.units, &units_id) != NEREUS_OK)
        return EXIT_FAILURE;
    if (nereus_is_joined(bench.job)) {
        after_change(&bench);
    } else {
        fill(bench.job, id);
        bench.units =
            FEW * nereus_loop_count_units(bench.loop, nereus_comm(bench.job), iteration_s);
    }
    while (action != NEREUS_LEAVE && nereus_reconfigurations(bench.job) < bench.changes)
        action = change_once(&bench);
    return nereus_finalize(&bench.job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
