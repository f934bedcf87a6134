/**
 * @file monitored.h
 * Reads the lines of NEREUS_MONITOR (docs/formats.md) one by one, as a monitored job writes them,
 * and keeps its present state.
 *
 *     struct nereus_monitored job = {0};
 *     while (... an event of event_line.h ...)
 *         if (nereus_monitored_add_event(line, &job) != NEREUS_OK) ...
 *     nereus_monitored_fini(&job);
 */
#pragma once

#include "model/trace/event_line.h"

/** One process in the latest interval. Unknown real numbers are NAN, unknown integers 0. */
struct nereus_monitored_process {
    int64_t rank, pid, memory_bytes;
    char host[64];
    double real_s, cpu_s, work, power, mpi_s, wait_s;
};

/** MPI calls of one kind, of all processes together. */
struct nereus_monitored_calls {
    char kind[32];
    int64_t calls, bytes;
    double time_s;
};

/** Values of one interval. */
struct nereus_monitored_sample {
    struct nereus_monitored_process *processes; /**< owned */
    int64_t process_count, host_count;
    struct nereus_monitored_calls *calls; /**< owned */
    int64_t call_count;
};

struct nereus_monitored {
    int64_t samples;     /**< complete intervals of this job */
    int64_t event_count; /**< counts events that are shown: intervals, requests, ends */
    bool begun, ended;
    char job[24], work[24], degraded[640];
    /** The latest interval that is complete */
    struct nereus_monitored_sample sample;
    int64_t point, iterations, reconfigurations;
    double real_s, t_iter_s, imbalance;
    /** The latest request that was answered; change_point -1: none */
    int64_t change_point, change_ns, change_nt;
    char change_method[64], change_outcome[16], change_sentence[400];
    struct nereus_monitored_sample arriving;
};

/** Take the next event. "monitor" begins another job and clears the state of the one before.
 * Unknown events and keys are ignored, and intervals without all their lines.
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_MEMORY */
enum nereus_status nereus_monitored_add_event(const struct nereus_event_line *line,
                                              struct nereus_monitored *job);
void nereus_monitored_fini(struct nereus_monitored *job);
