/**
 * @file job.c
 * nereus-calibrate-job: a minimal malleable program that is resized along a list of sizes, for its
 * trace with the time of every step.
 *
 *     nereus-mpiexec -n 2 nereus-calibrate-job --sizes 4,2:merge-ts/coll --method merge/coll
 *     --bytes 1000000 --trace FILE
 *
 * A size may have a method of its own. Between two resizes it passes POINTS_BETWEEN malleability
 * points with nearly empty iterations, or with --iterate points for OVERLAP_US, which is longer
 * than an asynchronous resize; it continues until the last resize is done. The iteration times
 * before and during a resize are an event "iterations" of the trace. Half of the bytes are constant
 * and half variable data (--constant: all constant); all local parts are touched before the first
 * resize, as an application's data would be.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <argp.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/file.h"
#include "model/util/values.h"
#include "nereus/nereus.h"

enum {
    SIZES_MAX = 64,
    POINTS_BETWEEN = 3,
    OVERLAP_US = 200000,
    SIZE_MAX_PROCESSES = 1 << 20,
    METHOD_BYTES = 96
};

struct arguments {
    struct nereus_options options;
    struct nereus_resize schedule[SIZES_MAX];
    char methods[SIZES_MAX][METHOD_BYTES];
    int64_t bytes, iterate_us;
    int exit_status;
    const char *dies; /* "init", "joined": where a new process kills itself; NULL: nowhere */
    bool cores, constant;
};

enum {
    KEY_SIZES = 256,
    KEY_METHOD,
    KEY_BYTES,
    KEY_TRACE,
    KEY_PROGRAM,
    KEY_EXIT,
    KEY_ITERATE,
    KEY_DIE,
    KEY_CORES,
    KEY_CONSTANT
};

static const struct argp_option options[] = {
    {"sizes", KEY_SIZES, "N[:METHOD],...", 0, "to resize to, one after the other", 0},
    {"method", KEY_METHOD, "METHOD", 0, "of the resizes that name none (default merge/coll)", 0},
    {"iterate", KEY_ITERATE, "US", 0, "microseconds that an iteration computes (default 0)", 0},
    {"bytes", KEY_BYTES, "N", 0, "of distributed data (default 0)", 0},
    {"constant", KEY_CONSTANT, 0, 0, "all of the data is constant (default half of it)", 0},
    {"program", KEY_PROGRAM, "PATH", 0, "to spawn instead of this one, to see what happens", 0},
    {"exit", KEY_EXIT, "N", 0, "status of the processes that end the job (default 0)", 0},
    {"die", KEY_DIE, "WHEN", 0,
     "new processes kill themselves: after MPI_Init (init) or as parts of the job (joined)", 0},
    {"cores", KEY_CORES, 0, 0, "say to how many cores rank 0 is bound", 0},
    {"trace", KEY_TRACE, "FILE", 0, "where the trace goes", 0},
    {0},
};

/* "4" or "4:merge-ts/coll" */
static bool parse_size(char *word, struct arguments *arguments)
{
    const int64_t i = arguments->options.schedule_count;
    char *method = strchr(word, ':'), *end;
    if (method != NULL) {
        *method++ = 0;
        snprintf(arguments->methods[i], METHOD_BYTES, "%s", method);
    }
    const long long size = strtoll(word, &end, 10);
    if (end == word || *end != 0 || size < 1 || size > SIZE_MAX_PROCESSES ||
        (method != NULL && *method == 0))
        return false;
    arguments->schedule[i] =
        (struct nereus_resize){.nt = size, .method = method != NULL ? arguments->methods[i] : NULL};
    arguments->options.schedule_count++;
    return true;
}

static void parse_sizes(struct argp_state *state, const char *text, struct arguments *arguments)
{
    char *copy = strdup(text), *rest = copy, *word;
    while ((word = strsep(&rest, ",")) != NULL) {
        if (arguments->options.schedule_count == SIZES_MAX)
            argp_failure(state, 2, 0, "--sizes has more than %d sizes", SIZES_MAX);
        if (!parse_size(word, arguments))
            argp_failure(state, 2, 0,
                         "--sizes %s: numbers of processes, with commas between, are needed", text);
    }
    free(copy);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    char *end;
    switch (key) {
    case KEY_SIZES:
        parse_sizes(state, text, arguments);
        break;
    case KEY_METHOD:
        arguments->options.method = text;
        break;
    case KEY_BYTES:
        arguments->bytes = strtoll(text, &end, 10);
        if (*text == 0 || *end != 0 || arguments->bytes < 0)
            argp_failure(state, 2, 0, "--bytes %s: a whole number from 0 is needed", text);
        break;
    case KEY_TRACE:
        arguments->options.trace = text;
        break;
    case KEY_EXIT:
        arguments->exit_status = (int)strtol(text, &end, 10);
        if (*text == 0 || *end != 0 || arguments->exit_status < 0 || arguments->exit_status > 125)
            argp_failure(state, 2, 0, "--exit %s: a status from 0 to 125 is needed", text);
        break;
    case KEY_ITERATE:
        arguments->iterate_us = strtoll(text, &end, 10);
        if (*text == 0 || *end != 0 || arguments->iterate_us < 0 || arguments->iterate_us > 1000000)
            argp_failure(state, 2, 0, "--iterate %s: microseconds from 0 to 1000000 are needed",
                         text);
        break;
    case KEY_DIE:
        arguments->dies = text;
        if (strcmp(text, "init") != 0 && strcmp(text, "joined") != 0)
            argp_failure(state, 2, 0, "--die %s: init or joined is needed", text);
        break;
    case KEY_CORES:
        arguments->cores = true;
        break;
    case KEY_CONSTANT:
        arguments->constant = true;
        break;
    case KEY_PROGRAM:
        arguments->options.program = text;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Iteration times with the current size (without the first iteration, which waits for all
 * processes), and overlapped ones. Each includes the malleability point before it, except a
 * point at which a reconfiguration begins or ends. */
struct iteration_times {
    double usual_s, overlapped_s; /* sums */
    int64_t usual, overlapped;
    double point_s; /* of the last point; 0: not part of an iteration */
    bool passed_one;
};

struct loop {
    int64_t iteration; /* registered: the same in every process */
    double work;       /* of an iteration; registered too */
    int64_t left_out;  /* registered too: a resize was not carried out, so that the wanted number is
                          never reached */
    int64_t resizes;   /* wanted in total */
    int64_t between;   /* points between two of them */
    const char *trace;
    struct iteration_times times;
};

/* Two byte arrays, the first one constant, and the replicated state of the loop. */
static enum nereus_status register_data(nereus_job *job, int64_t constant, int64_t variable,
                                        struct loop *loop)
{
    int ids[2], unused;
    enum nereus_status status =
        nereus_register_array(job, "constant", MPI_BYTE, constant, NEREUS_CONSTANT, &ids[0]);
    if (status == NEREUS_OK)
        status =
            nereus_register_array(job, "variable", MPI_BYTE, variable, NEREUS_VARIABLE, &ids[1]);
    if (status == NEREUS_OK)
        status = nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                            &loop->iteration, &unused);
    if (status == NEREUS_OK)
        status = nereus_register_replicated(job, "work", MPI_DOUBLE, 1, NEREUS_VARIABLE,
                                            &loop->work, &unused);
    if (status == NEREUS_OK)
        status = nereus_register_replicated(job, "left_out", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                            &loop->left_out, &unused);
    for (int i = 0; i < 2 && status == NEREUS_OK && !nereus_is_joined(job); i++) {
        void *part;
        int64_t count;
        status = nereus_local(job, ids[i], &part, NULL, &count);
        if (status == NEREUS_OK && count > 0)
            memset(part, 1 + i, (size_t)count);
    }
    return status;
}

/* A fixed amount of computation. */
static void compute_work(double work)
{
    volatile double x = 1;
    for (double i = 0; i < work; i++)
        x = 0.5 * (x + 2 / x);
}

/* Amount of work that takes `us` on a free core, measured by rank 0 at the start. */
static double get_work(nereus_job *job, int64_t us)
{
    const double tried = 2e5;
    double work = 0;
    if (us == 0 || nereus_is_joined(job))
        return 0;
    const double start_s = MPI_Wtime();
    compute_work(tried);
    work = (double)us * tried / (1e6 * (MPI_Wtime() - start_s));
    MPI_Bcast(&work, 1, MPI_DOUBLE, 0, nereus_comm(job));
    return work;
}

/* Written by rank 0 of the sources at the end of an asynchronous resize, also if it leaves. */
static void write_iteration_times(const char *path, int64_t reconfiguration,
                                  const struct iteration_times *times)
{
    char line[300], usual[32], overlapped[32];
    if (path == NULL)
        return;
    const int length = snprintf(
        line, sizeof line,
        "{\"event\":\"iterations\",\"reconfiguration\":%lld,\"iterations\":%lld,\"t_iter_s\":%s,"
        "\"overlapped_s\":%s}\n",
        (long long)reconfiguration, (long long)times->overlapped,
        nereus_format_real(times->usual_s / (double)times->usual, usual),
        nereus_format_real(times->overlapped_s / (double)times->overlapped, overlapped));
    if (!nereus_file_append(path, line, (size_t)length))
        fprintf(stderr, "nereus-calibrate-job: '%s' cannot be written: %s\n", path,
                strerror(errno));
}

static void run_iteration(nereus_job *job, struct loop *loop)
{
    const bool overlapped = nereus_last_outcome(job, NULL) == NEREUS_OUTCOME_PENDING;
    const double start_s = MPI_Wtime();
    compute_work(loop->work);
    MPI_Barrier(nereus_comm(job));
    const double time_s = loop->times.point_s + MPI_Wtime() - start_s;
    if (overlapped || loop->times.passed_one) {
        *(overlapped ? &loop->times.overlapped_s : &loop->times.usual_s) += time_s;
        ++*(overlapped ? &loop->times.overlapped : &loop->times.usual);
    }
    loop->times.passed_one = true;
}

/* Measure iterations at a new size before the next point: the next resize may be due there at once,
 * if the one before took longer than expected. Collective, joined processes included. */
static void measure_new_size(nereus_job *job, struct loop *loop)
{
    loop->times = (struct iteration_times){0};
    for (int i = 0; loop->work > 0 && i <= POINTS_BETWEEN; i++)
        run_iteration(job, loop);
}

/* @param[out] action  see nereus_point */
static enum nereus_status pass_point(nereus_job *job, struct loop *loop, enum nereus_action *action)
{
    const bool overlapped = nereus_last_outcome(job, NULL) == NEREUS_OUTCOME_PENDING;
    const double start_s = MPI_Wtime();
    const enum nereus_status status = nereus_point(job, action);
    const bool goes_on = (nereus_last_outcome(job, NULL) == NEREUS_OUTCOME_PENDING) == overlapped;
    loop->times.point_s = goes_on ? MPI_Wtime() - start_s : 0;
    return status;
}

/* Continue until POINTS_BETWEEN iterations after the last resize; longer while resizes are
 * pending, unless one was not carried out. */
static bool goes_on(const nereus_job *job, const struct loop *loop)
{
    return loop->iteration < loop->resizes * loop->between + POINTS_BETWEEN ||
           (loop->left_out == 0 && nereus_reconfigurations(job) < loop->resizes);
}

static bool was_left_out(const nereus_job *job)
{
    const enum nereus_outcome outcome = nereus_last_outcome(job, NULL);
    return outcome == NEREUS_OUTCOME_FAILED || outcome == NEREUS_OUTCOME_UNCHANGED;
}

static enum nereus_status iterate_all(nereus_job *job, struct loop *loop,
                                      enum nereus_action *action)
{
    enum nereus_status status = NEREUS_OK;
    *action = NEREUS_CONTINUE;
    measure_new_size(job, loop);
    while (status == NEREUS_OK && *action != NEREUS_LEAVE && goes_on(job, loop)) {
        const bool first = nereus_rank(job) == 0;
        const int64_t number = nereus_reconfigurations(job) + 1;
        run_iteration(job, loop);
        ++loop->iteration;
        status = pass_point(job, loop, action);
        if (was_left_out(job))
            loop->left_out = 1;
        if (*action != NEREUS_CONTINUE && first && loop->times.overlapped > 0 &&
            loop->times.usual > 0)
            write_iteration_times(loop->trace, number, &loop->times);
        if (status == NEREUS_OK && *action == NEREUS_RESIZED)
            measure_new_size(job, loop);
    }
    return status;
}

/* Print why the last request was not carried out, if so. */
static bool print_not_carried_out(const nereus_job *job)
{
    const char *sentence = NULL;
    const bool undone = nereus_last_outcome(job, &sentence) == NEREUS_OUTCOME_FAILED;
    if (undone && nereus_rank(job) == 0)
        printf("undone=failed: %s\n", sentence ? sentence : "");
    return undone;
}

/* Kill this new process, for nereus doctor. */
static void die_if(const struct arguments *arguments, const char *when)
{
    if (arguments->dies == NULL || strcmp(arguments->dies, when) != 0)
        return;
    usleep(50000); /* the outcome is visible to nereus doctor */
    raise(SIGKILL);
}

static void print_cores(const nereus_job *job)
{
    cpu_set_t set;
    if (nereus_rank(job) == 0 && sched_getaffinity(0, sizeof set, &set) == 0)
        printf("cores=%d\n", CPU_COUNT(&set));
}

static int64_t count_points_between(const struct arguments *arguments)
{
    const int64_t overlapped = arguments->iterate_us > 0 ? OVERLAP_US / arguments->iterate_us : 0;
    return overlapped > POINTS_BETWEEN ? overlapped : POINTS_BETWEEN;
}

int main(int argc, char **argv)
{
    static const struct argp parser = {
        options, parse_option, "", "A tiny malleable program, for its trace.", 0, 0, 0};
    struct arguments arguments = {.options = NEREUS_OPTIONS_INIT};
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    arguments.options.schedule = arguments.schedule;
    for (int64_t i = 0; i < arguments.options.schedule_count; i++)
        arguments.schedule[i].point = (i + 1) * count_points_between(&arguments);
    nereus_job *job;
    if (nereus_will_join() && arguments.dies != NULL) {
        int level;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
        die_if(&arguments, "init");
    }
    setenv("NEREUS_KEEP_ASLEEP", "1", 0); /* the measured steps are falling asleep and waking */
    enum nereus_status status = nereus_init(&argc, &argv, &arguments.options, &job);
    if (status != NEREUS_OK)
        return status == NEREUS_ERR_CANCELLED ? EXIT_SUCCESS : EXIT_FAILURE;
    if (nereus_is_joined(job))
        die_if(&arguments, "joined");
    if (arguments.cores)
        print_cores(job);
    enum nereus_action action = NEREUS_CONTINUE;
    struct loop loop = {.resizes = arguments.options.schedule_count,
                        .between = count_points_between(&arguments),
                        .work = get_work(job, arguments.iterate_us),
                        .trace = arguments.options.trace};
    const int64_t constant = arguments.constant ? arguments.bytes : arguments.bytes / 2;
    status = register_data(job, constant, arguments.bytes - constant, &loop);
    if (status == NEREUS_OK)
        status = iterate_all(job, &loop, &action);
    if (status != NEREUS_OK)
        fprintf(stderr, "nereus-calibrate-job: %s\n", nereus_last_error(job));
    bool undone = print_not_carried_out(job);
    if (nereus_finalize(&job) != NEREUS_OK)
        status = NEREUS_ERR_MPI;
    if (status != NEREUS_OK || undone)
        return EXIT_FAILURE;
    return action == NEREUS_LEAVE ? EXIT_SUCCESS : arguments.exit_status;
}
