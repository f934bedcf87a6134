/**
 * @file twin.h
 * Makes a configuration of the synthetic application that computes as long in an iteration as a
 * watched program, process by process, and calls MPI with as many bytes (a twin).
 */
#pragma once

#include "calls.h"

/** What nereus-sam reads: stages (SAM_STAGES_MAX), and shares in a table (SAM_SHARES_MAX), one for
 * each process: of more processes the configuration has the distribution of their times. */
enum { NEREUS_TWIN_STAGES_MAX = 64, NEREUS_TWIN_RANKS_MAX = 64 };

struct nereus_twin_message {
    int from, to; /**< ranks */
    int64_t bytes;
};

struct nereus_twin_stage {
    const char *type; /**< "pi", "allreduce", ... */
    int64_t bytes;    /**< communication */
    int processes;    /**< of the communicator of a collective; 0: all */
    int root;         /**< of a collective that has one */
    double compute_s;
    double *by_rank_s;                    /**< indexed by process; owned */
    double interval_iterations;           /**< runs every n-th iteration; below 1: several times */
    struct nereus_twin_message *messages; /**< owned; sorted by sender */
    int message_count;                    /**< 0: the bytes describe them */
    int part;                             /**< of the loop; 0: runs in each iteration */
    /** if stages were merged in this one: interval_iterations of each, their number; else 0 */
    double merged_interval_iterations;
    int merged_stages;
};

/** Bytes of a call that are not the same in all occurrences. */
struct nereus_twin_range {
    const char *type; /**< of the stage; "message"; NULL: none */
    double min, max;
};

/** Calls of an MPI function that the twin leaves out, in the iterations. */
struct nereus_twin_left_out {
    const char *function; /**< owned by the calls from which the twin was made */
    double calls, time_s; /**< mean over the processes */
    double computing_s;   /**< of the twin, in their place; mean over the processes */
};

/** Computing of the iterations of one process. */
struct nereus_twin_varying {
    int process;
    double low_s, median_s, high_s; /**< 10 %, 50 % and 90 % quantile */
    double mean_s, max_s;
};

/** What all processes send in an iteration, in the program and in the stages. */
struct nereus_twin_traffic {
    double calls, bytes, twin_calls, twin_bytes;
};

/** Times of the program. */
struct nereus_twin_times {
    double iteration_s;        /**< period between the starts of iterations, on rank 0 */
    double median_s;           /**< median of these, whatever the quantile */
    double total_iterations_s; /**< all iterations, with what is between them */
    double before_s, after_s;  /**< before the first and after the last iteration */
    /* Means over the processes. */
    double compute_s;       /**< computing outside MPI, in an iteration */
    double runnable_wait_s; /**< ready to run without a core, in an iteration; never in computing */
    /** computing in all iterations but the first: in the program, and in the stages */
    double program_computing_s, stages_computing_s;
    /* Computing in all iterations but the first. */
    double slowest_each_s; /**< of the slowest process of each */
    double slowest_all_s;  /**< of the process that is slowest in all */
};

/** What the program does and the twin does not, or not so. */
struct nereus_twin_unseen {
    int differing_processes; /**< those whose calls differ from rank 0's: when they compute is
                                unknown */
    int64_t left_out_calls;  /**< calls between iterations that no stage has */
    struct nereus_twin_left_out *left_out; /**< owned */
    int left_out_count;
    int merged_stages; /**< stages that were too many, and became part of others */
    /** calls of rank 0 before and after the iterations, by kind */
    int64_t calls_outside[NEREUS_CALL_KINDS];
    double messages_s; /**< in calls that send, receive or wait for messages, in an iteration; mean
                          over the processes */
    double instant_s;  /**< an iteration of the twin if communication took no time */
    bool relays;       /**< a process sends what it has received before (waits.c) */
    struct nereus_twin_range range;     /**< of the call whose bytes differ most */
    const char *root_changing_type;     /**< of a stage whose root differs; NULL: none */
    bool changes_partner;               /**< a message does not always go to the same process */
    struct nereus_twin_varying varying; /**< of the process whose computing differs most */
};

struct nereus_twin {
    struct nereus_twin_stage *stages; /**< owned */
    int stage_count;
    int processes;
    int64_t iterations, iteration_calls;
    double quantile; /**< quantile of the iterations that all times are; below 0: mean */
    struct nereus_twin_times times;
    double *total_s;                        /**< times.compute_s of each process; owned */
    int64_t constant_bytes, variable_bytes; /**< registered with libnereus */
    struct nereus_twin_unseen unseen;
    /** by kind; all messages as NEREUS_CALL_SEND */
    struct nereus_twin_traffic traffic_per_iteration[NEREUS_CALL_KINDS];
    bool lacks_thread_multiple; /**< MPI was started below MPI_THREAD_MULTIPLE */
    bool bound;                 /**< each process to a core */
};

/**
 * @param ranks       rank 0 first
 * @param quantile    quantile of the iterations: 0.5 for medians; below 0: means, so that stages
 *                    take as long in all as the program computes
 * @param iterations  number that is preferred: as many as in another run; 0: none
 * @return NEREUS_ERR_NO_BASIS: no iteration repeats. End with nereus_twin_fini in any case
 */
enum nereus_status nereus_twin_make(const struct nereus_calls *ranks, int count, double quantile,
                                    int64_t iterations, struct nereus_twin *twin,
                                    struct nereus_error *err);
void nereus_twin_fini(struct nereus_twin *twin);

/** Do all processes make another number of calls of this kind, or with other bytes, than the
 * stages? */
bool nereus_twin_sends_differently(const struct nereus_twin *twin, enum nereus_call_kind kind);

/** A run in three numbers, for a program and its twin alike. */
struct nereus_twin_figures {
    double iteration_s; /**< median of the iterations on rank 0 */
    double total_s;     /**< all iterations, with what is between them */
    double mpi_share;   /**< of that time, mean over the processes; without a core counts as MPI */
};

/** Of the program: its iterations as they were found. */
struct nereus_twin_figures nereus_twin_figures(const struct nereus_twin *twin);

/** Of the synthetic application: its iterations end at marks (malleability points).
 * @param iterations  of the application, of which marks do not show the beginning of the first
 * @return NEREUS_ERR_NO_BASIS: fewer than three marks */
enum nereus_status nereus_twin_figures_of_marks(const struct nereus_calls *ranks, int count,
                                                int64_t iterations,
                                                struct nereus_twin_figures *figures,
                                                struct nereus_error *err);

/** Have both the same types of stages? */
bool nereus_twin_has_same_stages(const struct nereus_twin *a, const struct nereus_twin *b);

/** Redistributed data and a reconfiguration of the twin; 0: none. */
struct nereus_twin_job {
    int64_t constant_bytes, variable_bytes;
    /** iterations before the change; 0: as many as in the watched program */
    int64_t iterations;
    int64_t iterations_after; /**< 0: as many as before */
    int64_t nt;
    const char *method;
    /** the program watched with nt processes, for FactorS and imbalance; NULL: ideal */
    const struct nereus_twin *next_twin;
    const char *messages; /**< file of the messages, where processes differ */
};

/** Write the configuration.
 * @param command  watched command, for the first line */
void nereus_twin_write(const struct nereus_twin *twin, const struct nereus_twin_job *job,
                       const char *command, FILE *stream);
