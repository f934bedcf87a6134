/** @file twin_check.c  Runs a program and its twin in turn, and compares them by the same means. */
#include "twin_check.h"

#include "model/statistics/statistics.h"
#include "predictor/run/child.h"
#include "predictor/run/watched.h"

static enum nereus_status run_twin(const struct nereus_twin_check *check,
                                   struct nereus_twin_figures *figures, struct nereus_error *err)
{
    char mpiexec[PATH_MAX], sam[PATH_MAX], count[24];
    struct nereus_watched watched;
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-mpiexec", mpiexec, err));
    NEREUS_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus-sam", sam, err));
    snprintf(count, sizeof count, "%d", check->twin->processes);
    const char *const command[] = {mpiexec, "-n", count, sam, check->file, NULL};
    enum nereus_status status =
        nereus_watched_run(command, check->twin->bound ? NULL : "NEREUS_BIND=none", check->limit_s,
                           true, &watched, err);
    if (status == NEREUS_OK) {
        status = nereus_twin_figures_of_marks(watched.ranks, watched.count, check->iterations,
                                              figures, err);
    }
    nereus_watched_fini(&watched);
    return status;
}

static enum nereus_status run_program(const struct nereus_twin_check *check,
                                      struct nereus_twin_figures *figures, struct nereus_error *err)
{
    struct nereus_watched watched;
    struct nereus_twin twin;
    enum nereus_status status = nereus_watched_run((const char *const *)check->command, NULL,
                                                   check->limit_s, true, &watched, err);
    if (status == NEREUS_OK) {
        status =
            nereus_twin_make_with_iterations(watched.ranks, watched.count, check->twin->quantile,
                                             check->twin->iterations, &twin, err);
        if (status == NEREUS_OK)
            *figures = nereus_twin_figures(&twin);
        nereus_twin_fini(&twin);
    }
    nereus_watched_fini(&watched);
    return status;
}

enum { PROGRAM, TWIN };

/* A number of each run of one of the two. */
static double find_median(const struct nereus_twin_figures *runs, int64_t count, size_t member,
                          double *scratch)
{
    for (int64_t i = 0; i < count; i++)
        scratch[i] = *(const double *)((const char *)&runs[i] + member);
    return nereus_median(scratch, (int)count);
}

static void print_row(const char *name, const double values[2], const char *unit)
{
    printf("  %-18s %8.4g %-2s %8.4g %-2s", name, values[PROGRAM], unit, values[TWIN], unit);
    if (*unit == '%')
        printf(" %+6.1f points\n", values[TWIN] - values[PROGRAM]);
    else
        printf(" %+6.1f %%\n", 100 * (values[TWIN] / values[PROGRAM] - 1));
}

static void print_figures(const struct nereus_twin_check *check,
                          struct nereus_twin_figures *const runs[2], double *scratch)
{
    static const struct {
        const char *name, *unit;
        size_t member;
        double scale;
    } rows[] = {
        {"iteration (median)", "ms", offsetof(struct nereus_twin_figures, iteration_s), 1e3},
        {"all iterations", "s", offsetof(struct nereus_twin_figures, total_s), 1},
        {"MPI", "%", offsetof(struct nereus_twin_figures, mpi_share), 100}};
    printf("check: %lld run%s of each%s\n  %-18s %11s %11s %s\n", (long long)check->repeats,
           nereus_plural_s(check->repeats), check->repeats > 1 ? ", medians" : "", "", "program",
           "twin", "difference");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double values[2];
        for (int which = PROGRAM; which <= TWIN; which++)
            values[which] =
                rows[i].scale * find_median(runs[which], check->repeats, rows[i].member, scratch);
        print_row(rows[i].name, values, rows[i].unit);
    }
}

enum nereus_status nereus_twin_check_run(const struct nereus_twin_check *check,
                                         struct nereus_error *err)
{
    const size_t count = (size_t)check->repeats;
    struct nereus_twin_figures *const runs[2] = {malloc(count * sizeof **runs),
                                                 malloc(count * sizeof **runs)};
    double *scratch = malloc(count * sizeof *scratch);
    enum nereus_status status = runs[PROGRAM] && runs[TWIN] && scratch
                                    ? NEREUS_OK
                                    : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld runs",
                                                  (long long)check->repeats);
    for (size_t i = 0; i < count && status == NEREUS_OK; i++) {
        if (i == 0)
            runs[PROGRAM][0] = nereus_twin_figures(check->twin);
        else
            status = run_program(check, &runs[PROGRAM][i], err);
        if (status == NEREUS_OK)
            status = run_twin(check, &runs[TWIN][i], err);
    }
    if (status == NEREUS_OK)
        print_figures(check, runs, scratch);
    free(runs[PROGRAM]);
    free(runs[TWIN]);
    free(scratch);
    return status;
}
