/** @file task.c  What the tasks share: writing rows, and starting a second world. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "task.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "background.h"
#include "model/util/text.h"
#include "step_time.h"

/* A row with the columns that all kinds have. */
static struct nereus_sample make_row(const struct nereus_task_run *run,
                                     enum nereus_sample_kind kind, int64_t processes, double time_s,
                                     int64_t n)
{
    struct nereus_sample row = {.kind = kind, .time_s = time_s, .n = n};
    snprintf(row.cluster, sizeof row.cluster, "%s", run->cluster);
    row.cores_per_node = run->cores_per_node;
    row.t_iter_ns_s = row.t_iter_nt_s = row.bytes = row.rt_s = row.ct_s = row.iterations = NAN;
    row.oversubscribed = processes > run->cores_per_node * run->nodes;
    return row;
}

static void set_processes(struct nereus_sample *row, int64_t old_processes, int64_t new_processes)
{
    row->ns = row->old_processes = old_processes;
    row->nt = row->new_processes = new_processes;
}

static bool write_row(const struct nereus_task_run *run, const struct nereus_sample *row)
{
    struct nereus_error err;
    if (!run->rows || nereus_samples_write_row(run->rows, row, false, &err) == NEREUS_OK)
        return true;
    fprintf(stderr, "nereus-calibrate: %s\n", err.text);
    return false;
}

bool nereus_task_write_step(const struct nereus_task_run *run, enum nereus_step_kind step,
                            int64_t old_processes, int64_t new_processes, double time_s, int64_t n)
{
    struct nereus_sample row =
        make_row(run, NEREUS_SAMPLE_STEP, old_processes + new_processes, time_s, n);
    row.step = step;
    set_processes(&row, old_processes, new_processes);
    return write_row(run, &row);
}

bool nereus_task_write_pingpong(const struct nereus_task_run *run, double bytes, double time_s,
                                int64_t n)
{
    struct nereus_sample row = make_row(run, NEREUS_SAMPLE_PINGPONG, 2, time_s, n);
    row.pair = run->pair;
    row.bytes = bytes;
    return write_row(run, &row);
}

bool nereus_task_write_operation(const struct nereus_task_run *run, enum nereus_operation operation,
                                 int64_t pairs, double bytes, double time_s, int64_t n)
{
    struct nereus_sample row =
        make_row(run, NEREUS_SAMPLE_OPERATION, pairs > 0 ? 2 * pairs : 2, time_s, n);
    row.operation = operation;
    row.bytes = bytes;
    set_processes(&row, pairs, pairs);
    return write_row(run, &row);
}

bool nereus_task_write_collective(const struct nereus_task_run *run,
                                  enum nereus_collective collective, double bytes, double time_s,
                                  int64_t n)
{
    struct nereus_sample row = make_row(run, NEREUS_SAMPLE_COLLECTIVE, run->size, time_s, n);
    row.collective = collective;
    set_processes(&row, run->size, 0);
    row.bytes = bytes;
    return write_row(run, &row);
}

bool nereus_task_write_contention(const struct nereus_task_run *run, enum nereus_stage stage,
                                  double alone_s, double time_s, int64_t n)
{
    struct nereus_sample row = make_row(run, NEREUS_SAMPLE_CONTENTION, run->size, time_s, n);
    row.contention = (int)stage * NEREUS_BACKGROUND_COUNT + (int)run->background;
    /* Columns of a contention row: nt is the number of background threads, t_iter_ns_s the time of
     * an iteration without them (docs/formats.md). */
    set_processes(&row, run->size, run->threads);
    row.t_iter_ns_s = alone_s;
    if (run->background == NEREUS_BACKGROUND_COMMUNICATING)
        row.bytes = NEREUS_BACKGROUND_MESSAGE_BYTES;
    return write_row(run, &row);
}

bool nereus_task_write_program(const struct nereus_task_run *run, enum nereus_sample_kind kind,
                               double own_s, double time_s)
{
    struct nereus_sample row = make_row(run, kind, run->size + run->new_processes, time_s, 1);
    set_processes(&row, run->size, run->new_processes);
    snprintf(row.program, sizeof row.program, "%s", run->program);
    row.t_iter_ns_s = own_s;
    return write_row(run, &row);
}

bool nereus_task_write_stage(const struct nereus_task_run *run, double time_s)
{
    struct nereus_sample row = make_row(run, NEREUS_SAMPLE_STAGE, run->size, time_s, 1);
    row.ns = run->size;
    snprintf(row.program, sizeof row.program, "%s", run->stage);
    return write_row(run, &row);
}

/* The n-th usable core, by the rank on this host: all processes of a host have the same usable
 * cores. */
static void bind_to_own(void)
{
    cpu_set_t all, one;
    MPI_Comm host;
    int before;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &before);
    MPI_Comm_free(&host);
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (size_t cpu = 0, skipped = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && skipped++ == (size_t)before)
            CPU_SET(cpu, &one);
    if (CPU_COUNT(&one) == 1)
        sched_setaffinity(0, sizeof one, &one);
}

void nereus_task_bind(const struct nereus_task_run *run)
{
    cpu_set_t may;
    bind_to_own();
    if (!run->verbose || sched_getaffinity(0, sizeof may, &may) != 0)
        return;
    char cores[512] = "";
    for (size_t cpu = 0, at = 0; cpu < CPU_SETSIZE && at < sizeof cores - 8; cpu++)
        if (CPU_ISSET(cpu, &may))
            at += (size_t)snprintf(cores + at, sizeof cores - at, " %zu", cpu);
    fprintf(stderr, "nereus-calibrate: process %d of %d may run on%s\n", run->rank, run->size,
            cores);
}

bool nereus_task_spawn_program(const struct nereus_task_run *run, const char *program,
                               char **arguments, MPI_Comm comm, int copies, MPI_Comm *inter)
{
    MPI_Info info = MPI_INFO_NULL;
    if (run->hosts) {
        MPI_Info_create(&info);
        /* A single name uses the standard key "host". */
        MPI_Info_set(info, strpbrk(run->hosts, ",:") ? "hosts" : "host", run->hosts);
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int status =
        MPI_Comm_spawn(program, arguments, copies, info, 0, comm, inter, MPI_ERRCODES_IGNORE);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    if (status != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        MPI_Error_string(status, text, &(int){0});
        fprintf(stderr, "nereus-calibrate: spawning %d process%s failed: %s\n", copies,
                nereus_plural_es(copies), text);
        return false;
    }
    return true;
}

bool nereus_task_spawn_copies(const struct nereus_task_run *run, MPI_Comm comm, int copies,
                              MPI_Comm *inter)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) {
        perror("nereus-calibrate: /proc/self/exe");
        return false;
    }
    program[length] = 0;
    return nereus_task_spawn_program(run, program, run->argv, comm, copies, inter);
}

bool nereus_task_check_pair(const struct nereus_task_run *run, MPI_Comm comm, int peer)
{
    const bool want_same = run->pair == NEREUS_PAIR_SAME_WORLD_SAME_NODE ||
                           run->pair == NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE;
    double own_host = nereus_hash_host(), other = 0;
    MPI_Sendrecv(&own_host, 1, MPI_DOUBLE, peer, 0, &other, 1, MPI_DOUBLE, peer, 0, comm,
                 MPI_STATUS_IGNORE);
    const int here = (own_host == other) != want_same;
    int wrong;
    MPI_Allreduce(&here, &wrong, 1, MPI_INT, MPI_MAX, comm);
    if (wrong && run->rows)
        fprintf(stderr, "nereus-calibrate: %s was asked for, but the launcher put both on %s\n",
                nereus_pair_class_name(run->pair), want_same ? "different nodes" : "the same node");
    MPI_Barrier(comm); /* before another process aborts */
    return !wrong;
}

void nereus_task_abort(const char *reason)
{
    fprintf(stderr, "nereus-calibrate: %s\n", reason);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

void *nereus_task_allocate(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (memory == NULL)
        nereus_task_abort("no memory");
    return memory;
}

void nereus_task_disconnect(MPI_Comm *inter)
{
    MPI_Barrier(*inter);
    MPI_Comm_disconnect(inter);
}
