/**
 * @file twin_check.c
 * How far a twin differs from its program: both are run in turn and compared by the same means, and
 * what the record of MPI calls does not show (facts of libnereus-watch), or the stages do not have,
 * is named.
 */
#include "twin_check.h"

#include "model/statistics/statistics.h"
#include "model/util/values.h"
#include "predictor/run/child.h"
#include "predictor/run/watched.h"

/* ---- figures of both ------------------------------------------------------------------------- */

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
        status = nereus_twin_make(watched.ranks, watched.count, check->twin->quantile,
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

/* ---- what the twin does not have ------------------------------------------------------------- */

/* Least share of the time of all iterations that is reported, and least bytes. */
static const double least_share = 0.01, least_bytes = 1e6;
/* Least difference between the computing of the program and of the stages. */
static const double least_difference = 0.01;
/* Least share of an iteration, neither computing nor waiting for a slower process, in messages that
 * wait for others. */
static const double least_relayed = 0.05;
/* Least ratio of the computing of iterations that is reported. */
static const double least_varying = 1.5;
/* Least relative difference of the bytes of a call that is reported. */
static const double least_range = 0.1;
/* Least share of the computing for which processes wait for each other in turn: other programs on
 * the machine make a few percent. */
static const double least_in_turn = 0.05;

/* Mean over the processes. */
static double find_mean(const struct nereus_watched *watched, const char *name)
{
    double sum = 0;
    for (int r = 0; r < watched->count; r++)
        for (int i = 0; i < watched->ranks[r].fact_count; i++)
            sum += strcmp(watched->ranks[r].facts[i].name, name) == 0
                       ? watched->ranks[r].facts[i].value
                       : 0;
    return sum / watched->count;
}

static void print_program(const struct nereus_watched *watched, const struct nereus_twin *twin)
{
    char text[32];
    const double least_s = least_share * twin->times.total_iterations_s,
                 threads_s = find_mean(watched, "threads-s"),
                 asleep_s = find_mean(watched, "asleep-s"),
                 file_bytes = find_mean(watched, "file-bytes"),
                 lost = find_mean(watched, "calls-lost"),
                 between = find_mean(watched, "inter-collectives");
    if (between > 0)
        printf("not in the twin: %.3g collectives of a process over inter-communicators; there "
               "they are of its own group\n",
               between);
    if (lost > 0)
        printf("not seen: the first %.0f calls of a process, of which only the latest are kept\n",
               lost);
    if (threads_s > least_s)
        printf("not seen: other threads, which computed %.3g s in a process; the twin has none\n",
               threads_s);
    if (asleep_s > least_s)
        printf("not seen: why a process slept for %.3g s between its calls of MPI (files, a GPU, "
               "sleep); the twin computes meanwhile\n",
               asleep_s);
    if (file_bytes > least_bytes)
        printf("not seen: %s that a process reads and writes, other than by MPI_File_write_at_all "
               "and _read_at_all\n",
               nereus_format_bytes(file_bytes, text));
}

/* Facts that are there if the program has any of it. */
static void print_not_in_twin(const char *name)
{
    static const struct {
        const char *name, *what;
    } rows[] = {
        {"nonblocking-collectives", "what non-blocking collectives overlap with; they are blocking "
                                    "there, at the place where they begin"},
        {"scattered-collectives", "which processes a collective on a part of them joins; there the "
                                  "parts are blocks of ranks"},
        {"changes",
         "that the number of processes or their data change while the program runs; there "
         "they are those of the start"},
        {"tests-with-work", "that work between tests goes on until something arrives; there it is "
                            "the same in each iteration, and the wait comes on top"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name, rows[i].name) == 0)
            printf("not in the twin: %s\n", rows[i].what);
}

static bool has_fact(const struct nereus_calls *calls, const char *name)
{
    for (int i = 0; i < calls->fact_count; i++)
        if (strcmp(calls->facts[i].name, name) == 0)
            return true;
    return false;
}

static void print_other(const char *name)
{
    print_not_in_twin(name);
    if (strncmp(name, "lib", 3) == 0)
        printf("not seen: what a GPU does (%s is loaded)\n", name);
}

/* Other facts, of any process, by their names. */
static void print_others(const struct nereus_watched *watched)
{
    for (int r = 0; r < watched->count; r++)
        for (int i = 0; i < watched->ranks[r].fact_count; i++) {
            const char *name = watched->ranks[r].facts[i].name;
            int first = 0;
            while (!has_fact(&watched->ranks[first], name))
                first++;
            if (first == r)
                print_other(name);
        }
}

/* Print what is not the same in all iterations. */
static void print_changes(const struct nereus_twin *twin)
{
    const struct nereus_twin_range *range = &twin->unseen.range;
    if (twin->unseen.root_changing_type != NULL)
        printf("not in the twin: that roots change from iteration to iteration (%s); there each is "
               "the first one\n",
               twin->unseen.root_changing_type);
    const struct nereus_twin_varying *varying = &twin->unseen.varying;
    if (varying->high_s > least_varying * varying->low_s ||
        varying->mean_s > least_varying * varying->median_s)
        printf(
            "not in the twin: that computing changes from iteration to iteration, by most in "
            "process %d (10 %% quantile %.3g ms, 90 %% quantile %.3g ms, longest %.3g ms); there "
            "it is the mean, or the quantile that was asked for\n",
            varying->process, 1e3 * varying->low_s, 1e3 * varying->high_s, 1e3 * varying->max_s);
    if (twin->unseen.changes_partner)
        printf("not in the twin: that the partners of messages change from iteration to iteration; "
               "there each is the first one\n");
    if (range->type != NULL && range->max - range->min > least_range * range->max)
        printf("not in the twin: that bytes change from iteration to iteration, by most in %s "
               "(%.0f to %.0f); there they are their mean\n",
               range->type, range->min, range->max);
}

/* Print bytes that all processes send in total and the stages do not, or the reverse. */
static void print_sent(const struct nereus_twin *twin)
{
    int named = 0;
    for (int kind = 0; kind < NEREUS_CALL_KINDS; kind++) {
        const struct nereus_twin_traffic *traffic = &twin->traffic_per_iteration[kind];
        if (!nereus_twin_sends_differently(twin, (enum nereus_call_kind)kind))
            continue;
        printf("%s%s %.3g times, %.4g bytes (the twin %.3g, %.4g)",
               named++ > 0 ? "; " : "not in the twin: in an iteration all processes together call ",
               nereus_call_name((enum nereus_call_kind)kind), traffic->calls, traffic->bytes,
               traffic->twin_calls, traffic->twin_bytes);
    }
    if (named > 0)
        fputc('\n', stdout);
}

/* In a sweep, or between a master and workers, messages wait for those before them: in the twin all
 * of an exchange are sent at once. */
static void print_relays(const struct nereus_twin *twin)
{
    const double waits_s =
        fmin(twin->unseen.messages_s, twin->times.iteration_s - twin->unseen.instant_s);
    if (twin->unseen.relays && waits_s > least_relayed * twin->times.iteration_s)
        printf("not in the twin: that processes receive before they send (a sweep, a pipeline, "
               "workers), for which they may wait %.3g ms in an iteration; --check compares\n",
               1e3 * waits_s);
}

/* Calls that no stage does, by their names. */
static void print_calls_left_out(const struct nereus_twin *twin)
{
    double time_s = 0, computing_s = 0;
    for (int i = 0; i < twin->unseen.left_out_count; i++) {
        printf("%s%s (%.3g)", i > 0 ? ", " : "not in the twin: calls in an iteration of ",
               twin->unseen.left_out[i].function,
               twin->unseen.left_out[i].calls / (double)(twin->iterations - 1));
        time_s += twin->unseen.left_out[i].time_s;
        computing_s += twin->unseen.left_out[i].computing_s;
    }
    if (twin->unseen.left_out_count > 0)
        printf("; the twin computes for %.3g s of the %.3g s that they take in all\n", computing_s,
               time_s);
}

/* Calls before and after the iterations that communicate. */
static void print_outside(const struct nereus_twin *twin)
{
    int named = 0;
    for (int kind = 0; kind < NEREUS_CALL_MARK; kind++) {
        if (twin->unseen.calls_outside[kind] > 0 && kind != NEREUS_CALL_WAIT)
            printf("%s%s (%lld)", named++ > 0 ? ", " : ", with calls of ",
                   nereus_call_name((enum nereus_call_kind)kind),
                   (long long)twin->unseen.calls_outside[kind]);
    }
    fputc('\n', stdout);
}

/* Print what was recorded, and is not in the twin. */
static void print_left_out(const struct nereus_twin *twin)
{
    const double least_s = least_share * twin->times.total_iterations_s,
                 difference =
                     twin->times.program_computing_s > 0
                         ? twin->times.stages_computing_s / twin->times.program_computing_s - 1
                         : 0;
    if (fabs(difference) > least_difference)
        printf("computing in all iterations: %.4g s in the twin, %.4g s in the program (%+.1f %%), "
               "as %s\n",
               twin->times.stages_computing_s, twin->times.program_computing_s, 100 * difference,
               twin->quantile >= 0 ? "iterations differ, and times are a quantile of them"
                                   : "stages of less than 0.5 us are left out");
    const double in_turn_s = twin->times.slowest_each_s - twin->times.slowest_all_s;
    if (twin->quantile < 0 && in_turn_s > fmax(least_s, least_in_turn * twin->times.slowest_all_s))
        printf("not in the twin: which process is slowest changes from iteration to iteration: "
               "for %.3g s the others wait for it in the program, in the twin for the process that "
               "is slowest in the mean\n",
               in_turn_s);
    if (twin->times.before_s > least_s || twin->times.after_s > least_s) {
        printf("not in the twin: %.3g s before the iterations, %.3g s after them",
               twin->times.before_s, twin->times.after_s);
        print_outside(twin);
    }
    if (twin->unseen.left_out_calls > 0)
        printf("not in the twin: %lld call%s between iterations, each sequence of them seen too "
               "rarely\n",
               (long long)twin->unseen.left_out_calls,
               nereus_plural_s(twin->unseen.left_out_calls));
    if (twin->unseen.merged_stages > 0)
        printf("merged: %d stage%s more than fit, with others of their kind\n",
               twin->unseen.merged_stages, nereus_plural_s(twin->unseen.merged_stages));
}

void nereus_twin_unseen_print(const struct nereus_watched *watched, const struct nereus_twin *twin)
{
    print_left_out(twin);
    print_changes(twin);
    print_sent(twin);
    print_relays(twin);
    print_calls_left_out(twin);
    print_program(watched, twin);
    print_others(watched);
}
