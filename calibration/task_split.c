/*
 * split: the processes split into the --to first ones and the rest, as when a merge shrink leaves zombies;
 * and rank 0 gathers a few numbers from all, as it does to learn where they will sleep.
 *
 * Both are short, so that a row holds the median of INNER rounds.
 */
#include "task.h"
#include "window.h"

enum { INNER = 20, GATHERED = 4 };

static double split_time_s(const struct nereus_task_run *run)
{
    MPI_Comm part;
    MPI_Barrier(MPI_COMM_WORLD);
    struct nereus_window window = {.arrival_s = nereus_window_now()};
    MPI_Comm_split(MPI_COMM_WORLD, run->rank < run->to, run->rank, &part);
    window.departure_s = nereus_window_now();
    MPI_Comm_free(&part);
    return nereus_window_time_s(window, MPI_COMM_WORLD);
}

static double gather_time_s(const struct nereus_task_run *run, int64_t *all)
{
    int64_t mine[GATHERED] = {run->rank, run->size, run->to, 0};
    MPI_Barrier(MPI_COMM_WORLD);
    struct nereus_window window = {.arrival_s = nereus_window_now()};
    MPI_Gather(mine, GATHERED, MPI_INT64_T, all, GATHERED, MPI_INT64_T, 0, MPI_COMM_WORLD);
    window.departure_s = nereus_window_now();
    return nereus_window_time_s(window, MPI_COMM_WORLD);
}

static int run_task(struct nereus_task_run *run)
{
    double split_s[INNER], gather_s[INNER];
    int64_t all[GATHERED * NEREUS_TASK_PROCESSES_MAX];
    if (run->to < 1 || run->to >= run->size || run->size > NEREUS_TASK_PROCESSES_MAX) {
        fprintf(stderr, "nereus-calibrate: split: --to is %d; from %d processes it must be 1 to %d\n",
                run->to, run->size, run->size - 1);
        return 1;
    }
    for (int repeat = 0; repeat < run->repeats; repeat++) {
        for (int i = 0; i < INNER; i++) {
            split_s[i] = split_time_s(run);
            gather_s[i] = gather_time_s(run, all);
        }
        if (nereus_task_write_step(run, NEREUS_STEP_SPLIT, run->size, 0, nereus_window_median(split_s, INNER),
                                   INNER) ||
            nereus_task_write_step(run, NEREUS_STEP_GATHER, run->size, 0,
                                   nereus_window_median(gather_s, INNER), INNER))
            return 1;
    }
    return 0;
}

const struct nereus_task nereus_task_split = {
    .name = "split",
    .help = "split --to processes off, and gather at rank 0",
    .run = run_task,
};
