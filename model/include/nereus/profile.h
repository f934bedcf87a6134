/**
 * @file profile.h
 * Profile of a machine: for each step kind the coefficients of its model, their covariance,
 * residual spread and measured range; the measured whole reconfigurations; provenance. JSON,
 * versioned.
 */
#ifndef NEREUS_PROFILE_H
#define NEREUS_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "plan.h"
#include "samples.h"
#include "status.h"

NEREUS_BEGIN_C

enum { NEREUS_PROFILE_VERSION = 1, NEREUS_TERMS_MAX = 8, NEREUS_STAGE_TIME_MAX = 40 };

/** Origin of a model's numbers. */
enum nereus_basis {
    NEREUS_BASIS_NONE = 0, /**< none: methods that need it are refused by name */
    NEREUS_BASIS_STAND_IN, /**< a named stand-in with a wide interval */
    NEREUS_BASIS_FITTED,
    NEREUS_BASIS_CONTAINED /**< no coefficients: its time is contained in the steps that `stand_in`
                                names */
};

/** Moments of a factor (cost_scatter.h): mean, variance and third central moment; and their local
 * power-law exponents in its width (of the mean: its excess over 1). */
struct nereus_factor_moments {
    double mean, variance, third;
    double width; /**< log(high / low) */
    double mean_power, variance_power, third_power;
};

/** Kinds of machine: virtual, and then shared with others; or its cores are one's own. */
#define NEREUS_MACHINE_VIRTUAL   "shared virtual"
#define NEREUS_MACHINE_DEDICATED "dedicated"

/** A linear model: sum of coefficient x feature. The step kind determines the features (cost.h). */
struct nereus_linear_model {
    enum nereus_basis basis;
    /** STAND_IN: its name; CONTAINED: the models that contain it ("spawn or split") */
    char stand_in[64];
    int terms;
    char names[NEREUS_TERMS_MAX][24];
    /** set by nereus_profile_prepare: 1 + the feature of the name; 0: not set */
    int8_t features[NEREUS_TERMS_MAX];
    double coefficients[NEREUS_TERMS_MAX]; /**< seconds per unit of the feature */
    double covariance[NEREUS_TERMS_MAX][NEREUS_TERMS_MAX];
    double log_sd; /**< scatter of the logarithms of measured / fitted (Huber's proposal 2) */
    /** 90 % interval of one more measurement, as factors of the value; 0 0: unknown, use
     * `spread` */
    double low_factor, high_factor;
    /** of these factors, set by nereus_profile_prepare; mean 0: not set */
    struct nereus_factor_moments moments;
    int64_t rows; /**< that it was fitted to */
    /** of log_sd, priors included; 0: rows - terms */
    int64_t degrees_of_freedom;
    int64_t min_ns, max_ns, min_nt, max_nt; /**< sizes seen; 0 0 0 0: unknown */
    double max_load;                        /**< largest load (l) seen */
    double max_move_s; /**< of overlapped data: longest `move` seen (overlap.h); 0: unknown */
    double min_bytes, max_bytes; /**< bytes redistributed in the rows; 0 0: unknown */
};

/** Hockney: t(bytes) = alpha + beta bytes, by piece between breakpoints. */
struct nereus_hockney {
    enum nereus_basis basis;
    int pieces;
    double from_bytes[NEREUS_TERMS_MAX]; /**< first byte count of the piece */
    double alpha_s[NEREUS_TERMS_MAX];
    double beta_s_per_byte[NEREUS_TERMS_MAX];
    double log_sd;
    int64_t rows;
    double max_bytes;
};

/** A collective in a world of this many processes. */
struct nereus_collective_time {
    enum nereus_collective collective;
    int64_t processes;
    struct nereus_hockney time;
};

/** A measured whole reconfiguration: predictions prefer it to the model. */
struct nereus_measured {
    int64_t ns, nt, cores_per_node;
    int64_t cores_per_process; /**< 0 or 1: one */
    int64_t machine;           /**< 0: on equal nodes; else on profile->machines[machine - 1] */
    struct nereus_method method;
    double t_iter_ns_s; /**< NAN: synchronous */
    double bytes;
    double rt_s;
    double ct_s, iterations; /**< of an asynchronous one; NAN unknown */
    double model_s;          /**< the fitted model's value for it; NAN: none */
    double log_sd;           /**< relative, of the repeats; NAN unknown */
    int64_t n;
    bool oversubscribed;
};

/** A method priced as a whole, as its steps were not measured. Terms by name, see cost.h. */
struct nereus_whole_model {
    struct nereus_method method;
    struct nereus_linear_model model;
};

/** Unattributed time: old and new processes become one group (merge) or stay separate (baseline),
 * or none is started (shrink); within and above the cores. */
enum nereus_unattributed {
    NEREUS_UNATTRIBUTED_MERGE,
    NEREUS_UNATTRIBUTED_BASELINE,
    NEREUS_UNATTRIBUTED_SHRINK,
    NEREUS_UNATTRIBUTED_MERGE_OVERSUBSCRIBED,
    NEREUS_UNATTRIBUTED_BASELINE_OVERSUBSCRIBED,
    NEREUS_UNATTRIBUTED_SHRINK_OVERSUBSCRIBED,
    NEREUS_UNATTRIBUTED_COUNT
};

/** Redistributions by rma and shared: from the same world or another one (apart), of the busiest
 * process; within and above the cores. */
enum nereus_moves {
    NEREUS_MOVES_RMA,
    NEREUS_MOVES_RMA_INTER,
    NEREUS_MOVES_SHARED,
    NEREUS_MOVES_SHARED_INTER,
    NEREUS_MOVES_OVERSUBSCRIBED, /**< and the same four above the cores */
    NEREUS_MOVES_COUNT = 2 * NEREUS_MOVES_OVERSUBSCRIBED
};

/** Redistributions between nodes, of each way to move data: one group whose busiest processes are
 * of the same world (a shrink) or of another one (apart), or two groups (baseline); and the same
 * while the application computes. */
enum nereus_between {
    NEREUS_BETWEEN_SAME_WORLD,
    NEREUS_BETWEEN_OTHER_WORLD,
    NEREUS_BETWEEN_TWO_GROUPS,
    NEREUS_BETWEEN_ORIGINS,
    NEREUS_BETWEEN_OVERLAPPED = NEREUS_BETWEEN_ORIGINS * NEREUS_DATA_COUNT,
    NEREUS_BETWEEN_COUNT = 2 * NEREUS_BETWEEN_OVERLAPPED
};

/** One operation of a stage of the synthetic application that computes (T_op). */
struct nereus_stage_time {
    char stage[NEREUS_STAGE_TIME_MAX]; /**< what it computes and its granularity: "pi:100" */
    double t_op_s;
    int64_t rows; /**< that this is the median of */
};

/** Start-up of a user's program, minus that of the calibration's own (used elsewhere). */
struct nereus_program {
    char command[NEREUS_PROGRAM_MAX]; /**< "": none was measured */
    struct nereus_linear_model start; /**< of one start: until the last has left MPI_Init */
    struct nereus_linear_model join;  /**< from there to nereus_init; basis NONE: no libnereus */
};

struct nereus_profile {
    char cluster[64];
    char host[128];
    char date[32]; /**< ISO 8601 */
    char mpi[256];
    char launcher[128];
    char machine_kind[24]; /**< NEREUS_MACHINE_VIRTUAL, NEREUS_MACHINE_DEDICATED; empty: unknown */
    /** how far the same question differs on another day (log-sd): reconfigurations that start
     * processes, and others; 0: unknown. See nereus_profile_set_campaign */
    double campaign_log_sd, campaign_of_shrinks_log_sd;
    int64_t cores_per_node;
    /** cores' time that a control group allowed on the host that measured; 0: all of them */
    double processors;
    int64_t nodes; /**< nodes that were measured; 0: unknown, predictions assume as many as
                        needed */
    int64_t machine_count;
    /** lists of unequal nodes that rows were measured on, without names and slots; owned */
    struct nereus_machine *machines;
    struct nereus_linear_model steps[NEREUS_STEP_KIND_COUNT];
    /** for oversubscribed sizes; basis NONE: use steps */
    struct nereus_linear_model steps_oversubscribed[NEREUS_STEP_KIND_COUNT];
    /** unattributed time; only where all steps were measured */
    struct nereus_linear_model unattributed[NEREUS_UNATTRIBUTED_COUNT];
    /** measured / priced by operations, of redistributions */
    struct nereus_linear_model moves[NEREUS_MOVES_COUNT];
    /** redistributions between nodes, by bytes: data x NEREUS_BETWEEN_ORIGINS + origin
     * (+ NEREUS_BETWEEN_OVERLAPPED); basis NONE: no such row */
    struct nereus_linear_model between[NEREUS_BETWEEN_COUNT];
    struct nereus_hockney pairs[NEREUS_PAIR_CLASS_COUNT];
    /** between two processes; bytes of one of them */
    struct nereus_hockney operations[NEREUS_OPERATION_COUNT];
    int64_t collective_count;
    struct nereus_collective_time *collectives; /**< by collective, then by processes; owned */
    int64_t stage_count;
    struct nereus_stage_time *stages; /**< owned */
    /** iterations next to threads; terms as in omega */
    struct nereus_linear_model contention[NEREUS_CONTENTION_COUNT];
    /* Asynchronous reconfigurations (docs/model.md). Terms by name, see overlap.h. */
    struct nereus_linear_model async_plain, async_single, async_shrink, omega;
    /** iterations beyond RT / (omega T_iter); no seconds; basis NONE: half a one */
    struct nereus_linear_model late;
    /** for oversubscribed sizes; basis NONE: use those without */
    struct nereus_linear_model async_plain_oversubscribed, async_single_oversubscribed,
        async_shrink_oversubscribed;
    /** constant data overlapped with the application (overlap.h) */
    struct nereus_linear_model data_at_points, data_by_thread;
    struct nereus_linear_model omega_by_thread; /**< iterations while a thread moves that data */
    struct nereus_program program;
    int64_t whole_count;
    struct nereus_whole_model *whole; /**< owned */
    int64_t measured_count;
    struct nereus_measured *measured; /**< owned */
    int64_t method_count;
    /** process parts seen in the samples, which predict ranks by default; owned */
    struct nereus_method *methods;
    /** set by nereus_profile_prepare; owned. NULL: predictions take longer */
    struct nereus_prepared *prepared;
};

/** Is it a name of letters and a granularity of 1 or more, as "pi:100"? Thread-safe. */
bool nereus_stage_time_is(const char *stage);

/** T_op of a stage, as "pi:100". Thread-safe. @return NAN where it was not measured */
double nereus_stage_time_s(const struct nereus_profile *profile, const char *stage);

/**
 * Time of a collective. Thread-safe.
 * @param bytes  of one process' part; 0 for one without
 * @param[out] extrapolated  processes or bytes lie outside what was measured
 * @return NEREUS_ERR_NO_BASIS where it was not measured at all (without a sentence)
 */
enum nereus_status nereus_collective_s(const struct nereus_profile *profile,
                                       enum nereus_collective collective, int64_t processes,
                                       double bytes, double *time_s, bool *extrapolated);

/** Largest number of processes that a collective was measured with; 0: not measured. */
int64_t nereus_collective_most(const struct nereus_profile *profile,
                               enum nereus_collective collective);

/** The advice to use huge pages pays where first touch takes at most this part of the time without
 * it: less could be scatter. */
#define NEREUS_HUGE_PAGES_PAY_BELOW 0.9

/**
 * Up to how many bytes of one allocation the advice to use huge pages (MADV_HUGEPAGE) pays. Larger
 * ones were not measured: where memory is fragmented the kernel may take long to find huge pages.
 * Thread-safe.
 * @return 0: it does not pay, or was not measured
 */
int64_t nereus_profile_huge_bytes(const struct nereus_profile *profile);

enum nereus_status nereus_profile_read(const char *path, struct nereus_profile *profile,
                                       struct nereus_error *err);
/**
 * May a profile be written there? A check before long work: the path must be a profile (of any
 * version), empty, missing or no regular file (a pipe).
 * @return NEREUS_ERR_ARGUMENT if another file would be overwritten; NEREUS_ERR_IO if it cannot be
 *    written; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_profile_check_place(const char *path, struct nereus_error *err);
/** Replaces the file whole or not at all. */
enum nereus_status nereus_profile_write(const char *path, const struct nereus_profile *profile,
                                        struct nereus_error *err);
/**
 * The machine of a profile: `nodes` nodes with its cores_per_node; unbounded if `nodes` is 0. The
 * command `nereus` predicts for it by default. Thread-safe.
 * @param[in]  profile  only read; it may be freed before the machine
 * @param[out] machine  to be freed with nereus_machine_fini; written on success only
 * @return NEREUS_ERR_ARGUMENT if cores or nodes are out of range, or unequal nodes were measured: a
 *    host file has to say which of them a job has; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_profile_machine(const struct nereus_profile *profile,
                                          struct nereus_machine *machine, struct nereus_error *err);

/** Frees what a profile owns and empties it. A zeroed profile is fine. */
void nereus_profile_fini(struct nereus_profile *profile);

/**
 * Compute once what each prediction needs: groups of measured rows, their logarithms, terms by
 * number. nereus_profile_read and nereus_profile_fit call it; call it (again) for a profile that
 * you made or changed. Predictions without it are the same, but take longer. Afterwards any number
 * of threads may predict from the profile at the same time, as long as none changes it.
 * @return NEREUS_ERR_MEMORY; the profile is then unchanged
 */
enum nereus_status nereus_profile_prepare(struct nereus_profile *profile, struct nereus_error *err);

/* ---- in libnereus-fit ---- */

/** Set the campaign's log-sds by machine_kind (in model/fit/priors.c, with sources); unknown: those
 * of published tables. nereus_profile_fit calls it; call it again if the kind becomes known later.
 * Thread-safe. */
void nereus_profile_set_campaign(struct nereus_profile *profile);

/**
 * Fit a profile to samples (Huber loss of log(measured / fitted), a prior for each coefficient,
 * which is above 0; Gauss-Newton steps by GSL). Not thread-safe: GSL's error handler, which would
 * end the program, is switched off meanwhile.
 * @param cluster  which one, if the samples are of several; NULL: they must be of one, else
 *    NEREUS_ERR_ARGUMENT
 */
enum nereus_status nereus_profile_fit(const struct nereus_samples *samples, const char *cluster,
                                      struct nereus_profile *profile, struct nereus_error *err);

NEREUS_END_C
#endif
