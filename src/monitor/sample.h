/**
 * @file sample.h
 * One sampling interval: the counters of a process' work (work.c; of PAPI: papi.c), its metrics
 * (sample.c), the lines that rank 0 writes of it (stream.c; docs/formats.md).
 */
#pragma once

#include "src/job/job.h"

enum { WORK_WHY_MAX = 400 };

/** The counter of the work of this thread. */
struct work_counter {
    enum nereus_work kind;
    int perf;               /**< descriptor; -1: none */
    void *papi;             /**< the library; NULL: none */
    int event_set;          /**< PAPI's event set */
    int event_number;       /**< index in the list of papi.c, which is tried in this order */
    char event[16];         /**< counted event; "": none */
    char why[WORK_WHY_MAX]; /**< reasons why better kinds of work cannot be counted; "": none */
};

/** Levels of counting, in the order in which they are tried: the events of PAPI, then the other
 * kinds of enum nereus_work. */
enum { WORK_PAPI_EVENTS = 3, WORK_LEVELS = WORK_PAPI_EVENTS + NEREUS_WORK_COUNT - 1 };

int nereus_work_level(const struct work_counter *counter);
/** First level of a kind. */
int nereus_work_first_level(enum nereus_work kind);
/** Open the first countable level from `level` on; CPU time is always countable. Counts the calling
 * thread, and with instructions also threads that it starts later. */
void nereus_work_open(struct work_counter *counter, int level);
/** Work since the counter was opened, in the unit of its kind; cpu_s: CPU time of this process now.
 * A counter that has failed returns 0. */
double nereus_work_read(const struct work_counter *counter, double cpu_s);
void nereus_work_close(struct work_counter *counter);

/** Count floating-point operations of this thread.
 * @return false: counter->why has the reason */
bool nereus_papi_open(struct work_counter *counter);
/** @return false: cannot be read */
bool nereus_papi_read(const struct work_counter *counter, double *flop);
/** Stop counting. */
void nereus_papi_close(struct work_counter *counter);

/** Counts since the process began; an interval is the difference of two. */
struct counts {
    double now_s, cpu_s, work;
    double library_s; /**< time in malleability points; NAN: not counted */
    struct nereus_mpi_use mpi[NEREUS_MPI_KIND_COUNT];
};

/** Are MPI calls counted (src/interpose is loaded)? */
bool nereus_sample_has_mpi(void);
/** Seconds of the calling thread in MPI calls and malleability points since it began; NAN: not
 * counted. */
double nereus_sample_mpi_s(void);
/** Counts of this process since it began. */
void nereus_sample_read_counts(const struct work_counter *work, struct counts *counts);
/** Metrics of the interval from `begin` until now.
 * @param set_power  power set by nereus_set_power; 0: none
 * @param[out] end  the counts now
 * @param[out] metrics  all but point and iterations */
void nereus_sample_measure(const struct work_counter *work, const struct counts *begin,
                           double set_power, struct counts *end, struct nereus_metrics *metrics);

/** Report registered bytes to src/interpose, if it is loaded, so that a synthetic twin of this
 * program moves the same bytes. */
void nereus_sample_report_data(const nereus_job *job);

/** Host of a process, and whether it counts MPI calls. */
struct process_host {
    char host[64];
    int64_t pid;
    int counts_mpi;
};

/** Write the header of the file.
 * @param work      what counts as work
 * @param event     the counted event of PAPI; "": none
 * @param degraded  why counting is incomplete; "": it is complete */
void nereus_stream_write_header(const nereus_job *job, enum nereus_work work, const char *event,
                                const char *degraded);
/** Write the lines of one interval of all processes. */
void nereus_stream_write_interval(const nereus_job *job, const struct process_host *process_hosts,
                                  const struct nereus_metrics *metrics);
/** Write the line of a reconfiguration. */
void nereus_stream_write_reconfiguration(const nereus_job *job, int64_t ns, int64_t nt,
                                         const struct nereus_method *method, const char *outcome);
/** Write the last line, and close the stream. */
void nereus_stream_write_end(const nereus_job *job);
