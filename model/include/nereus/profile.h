/**
 * @file profile.h
 * Describes the profile of a machine: for each step kind the coefficients of its model, their
 * covariance, residual scatter and measured range; measured reconfigurations; provenance. Versioned
 * JSON.
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

enum nereus_basis {
    NEREUS_BASIS_NONE = 0, /**< none: methods that need the model have no prediction */
    NEREUS_BASIS_PRIOR,    /**< a prior with a wide interval, in place of measurements */
    NEREUS_BASIS_FITTED,
    NEREUS_BASIS_CONTAINED /**< the time is part of the steps that `source` names */
};

/** Moments of a multiplicative error (cost_scatter.h), and the local power-law exponents of (mean -
 * 1), variance and third moment as functions of the interval's width. */
struct nereus_factor_moments {
    double mean, variance, third;
    double width; /**< log(high / low) */
    double mean_power, variance_power, third_power;
};

/** Values of machine_kind: a virtual machine that may share its cores with others, or not. */
#define NEREUS_MACHINE_VIRTUAL   "shared virtual"
#define NEREUS_MACHINE_DEDICATED "dedicated"

/** Sum of coefficient x feature. The step kind determines the features (cost.h). */
struct nereus_linear_model {
    enum nereus_basis basis;
    /** PRIOR: name of the prior; FITTED: that of the last term that kept its prior, "" if none;
     * CONTAINED: names of the models that contain it */
    char source[64];
    int terms;
    char names[NEREUS_TERMS_MAX][24];
    /** 1 + enumerator of the name (terms.h), set by nereus_profile_prepare; 0: not set */
    int8_t term_numbers[NEREUS_TERMS_MAX];
    double coefficients[NEREUS_TERMS_MAX]; /**< seconds per unit of the feature */
    double covariance[NEREUS_TERMS_MAX][NEREUS_TERMS_MAX];
    double log_sd; /**< standard deviation of log(measured / fitted), by Huber's proposal 2 */
    /** 90 % prediction interval of one measurement, as factors; 0: unknown, log_sd is used */
    double low_factor, high_factor;
    /** The same for long steps, to which a late process adds at most late_s, and an early one takes
     * at most early_s from; high 0: unknown. The narrower of both intervals counts. */
    double long_low_factor, long_high_factor, early_s, late_s;
    /** moments of that interval, set by nereus_profile_prepare; mean 0: not set */
    struct nereus_factor_moments moments;
    int64_t rows;
    /** Degrees of freedom of log_sd, priors included; 0: rows - terms. */
    int64_t degrees_of_freedom;
    int64_t min_ns, max_ns, min_nt, max_nt; /**< measured sizes; 0: unknown */
    double max_load;                        /**< largest measured load (l of nereus_load) */
    double max_move_s; /**< longest measured `move` of overlapped data (overlap.h); 0: unknown */
    double min_bytes, max_bytes; /**< measured range of redistributed bytes; 0: unknown */
};

/** Piecewise Hockney model, t(bytes) = alpha + beta bytes. */
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

struct nereus_collective_time {
    enum nereus_collective collective;
    int64_t processes;
    struct nereus_hockney time;
};

/** A measured reconfiguration; predictions prefer it to the model. */
struct nereus_measurement {
    int64_t ns, nt, cores_per_node;
    int64_t cores_per_process; /**< 0 is the same as 1 */
    int64_t machine;           /**< 0: equal nodes; else profile->machines[machine - 1] */
    struct nereus_method method;
    double t_iter_ns_s; /**< NAN: synchronous */
    double bytes;
    double rt_s;
    double ct_s, iterations; /**< NAN: synchronous, or unknown */
    double model_s;          /**< value of the fitted model; NAN: none */
    double log_sd;           /**< over the repeats; NAN: unknown */
    int64_t n;
    bool oversubscribed;
};

/** Model of the whole RT of a method whose steps were not measured. */
struct nereus_whole_model {
    struct nereus_method method;
    struct nereus_linear_model model;
};

/** Models of unattributed time (price.h) of expansions by merge, of baseline, and of shrinks; each
 * also for oversubscribed sizes. */
enum nereus_unattributed {
    NEREUS_UNATTRIBUTED_MERGE,
    NEREUS_UNATTRIBUTED_BASELINE,
    NEREUS_UNATTRIBUTED_SHRINK,
    NEREUS_UNATTRIBUTED_MERGE_OVERSUBSCRIBED,
    NEREUS_UNATTRIBUTED_BASELINE_OVERSUBSCRIBED,
    NEREUS_UNATTRIBUTED_SHRINK_OVERSUBSCRIBED,
    NEREUS_UNATTRIBUTED_COUNT
};

/** Redistributions by rma and shared: the busiest process reads from its own world or from another
 * one ("apart" in files); within and above the cores. */
enum nereus_moves {
    NEREUS_MOVES_RMA,
    NEREUS_MOVES_RMA_INTER,
    NEREUS_MOVES_SHARED,
    NEREUS_MOVES_SHARED_INTER,
    NEREUS_MOVES_OVERSUBSCRIBED,
    NEREUS_MOVES_COUNT = 2 * NEREUS_MOVES_OVERSUBSCRIBED
};

/** Redistributions between nodes, for each way to move data: the busiest processes are of one world
 * (a shrink), of two worlds in one communicator ("apart" in files), or in two groups (baseline);
 * and the same while the application computes. */
enum nereus_between {
    NEREUS_BETWEEN_SAME_WORLD,
    NEREUS_BETWEEN_OTHER_WORLD,
    NEREUS_BETWEEN_TWO_GROUPS,
    NEREUS_BETWEEN_ORIGINS,
    /* file is the last way, and sends nothing */
    NEREUS_BETWEEN_OVERLAPPED = NEREUS_BETWEEN_ORIGINS * NEREUS_FILE,
    NEREUS_BETWEEN_COUNT = 2 * NEREUS_BETWEEN_OVERLAPPED
};

/** Time of one operation of a stage that computes (T_op of the synthetic application). */
struct nereus_stage_time {
    char stage[NEREUS_STAGE_TIME_MAX]; /**< "pi:100" */
    double t_op_s;
    int64_t rows;
};

/** Start-up time of a user's program, minus that of the calibration program. */
struct nereus_program {
    char command[NEREUS_PROGRAM_MAX]; /**< "": not measured */
    struct nereus_linear_model start;
    struct nereus_linear_model join; /**< from MPI_Init to nereus_init; NONE: no libnereus */
};

struct nereus_profile {
    char cluster[64];
    char host[128];
    char date[32]; /**< ISO 8601 */
    char mpi[256];
    char launcher[128];
    char machine_kind[24]; /**< NEREUS_MACHINE_VIRTUAL, NEREUS_MACHINE_DEDICATED; empty: unknown */
    /** log-sd between measurement days (nereus_profile_set_campaign): of reconfigurations that
     * start processes, and of others; 0: unknown */
    double campaign_log_sd, campaign_of_shrinks_log_sd;
    int64_t cores_per_node;
    /** cores that a control group allowed on the measuring host; 0: all */
    double processors;
    int64_t nodes; /**< measured; 0: unknown, predictions assume as many as needed */
    int64_t machine_count;
    /** unequal nodes of measured rows, without names and slots; owned */
    struct nereus_machine *machines;
    struct nereus_linear_model steps[NEREUS_STEP_KIND_COUNT];
    /** for oversubscribed sizes; basis NONE: `steps` is used */
    struct nereus_linear_model steps_oversubscribed[NEREUS_STEP_KIND_COUNT];
    /** only if all steps were measured */
    struct nereus_linear_model unattributed[NEREUS_UNATTRIBUTED_COUNT];
    /** measured time / price from `operations` */
    struct nereus_linear_model moves[NEREUS_MOVES_COUNT];
    /** index: data x NEREUS_BETWEEN_ORIGINS + origin (+ NEREUS_BETWEEN_OVERLAPPED) */
    struct nereus_linear_model between_models[NEREUS_BETWEEN_COUNT];
    struct nereus_hockney pairs[NEREUS_PAIR_CLASS_COUNT];
    /** time between two processes over the bytes of each */
    struct nereus_hockney operations[NEREUS_OPERATION_COUNT];
    int64_t collective_count;
    struct nereus_collective_time *collectives; /**< ordered by collective, then processes; owned */
    int64_t stage_count;
    struct nereus_stage_time *stages; /**< owned */
    /** slow-down of iterations that share cores; terms as in omega */
    struct nereus_linear_model contention[NEREUS_CONTENTION_COUNT];
    /* Asynchronous reconfigurations (docs/model.md). Terms by name, see overlap.h. */
    struct nereus_linear_model async_plain, async_single, async_shrink, omega;
    /** iterations until the end of the overlap is noticed, beyond RT / (omega T_iter); NONE: 0.5 */
    struct nereus_linear_model extra_iterations;
    /** for oversubscribed sizes; NONE: use those without */
    struct nereus_linear_model async_plain_oversubscribed, async_single_oversubscribed,
        async_shrink_oversubscribed;
    /** overlapped constant data (overlap.h) */
    struct nereus_linear_model data_at_points, data_by_thread;
    struct nereus_linear_model omega_by_thread; /**< omega while a thread moves that data */
    struct nereus_program program;
    int64_t whole_count;
    struct nereus_whole_model *whole_models; /**< owned */
    int64_t measured_count;
    struct nereus_measurement *measurements; /**< owned */
    int64_t method_count;
    /** process parts of the measured methods, the default candidates; owned */
    struct nereus_method *methods;
    /** by nereus_profile_prepare, owned; NULL: predictions take longer */
    struct nereus_prepared *prepared;
};

/** Has the text the form NAME:GRANULARITY, as "pi:100"? */
bool nereus_stage_has_granularity(const char *stage);

/** Measured time of a stage; NAN: not measured. */
double nereus_stage_time_s(const struct nereus_profile *profile, const char *stage);

/**
 * Time of a collective as the profile has it.
 * @param[in]  bytes         of one process' part; 0 for one without
 * @param[out] time_s        interpolated between measured processes and bytes
 * @param[out] extrapolated  processes or bytes are outside the measured range
 * @return NEREUS_ERR_NO_BASIS, without an error message, if the collective was not measured
 */
enum nereus_status nereus_collective_s(const struct nereus_profile *profile,
                                       enum nereus_collective collective, int64_t processes,
                                       double bytes, double *time_s, bool *extrapolated);

/** Most processes with which a collective was measured; 0: not measured. */
int64_t nereus_collective_max_processes(const struct nereus_profile *profile,
                                        enum nereus_collective collective);

/** MADV_HUGEPAGE is used if it reduces the first-touch time at least to this share; smaller gains
 * may be measurement scatter. */
#define NEREUS_HUGE_PAGES_PAY_BELOW 0.9

/**
 * Largest allocation for which MADV_HUGEPAGE pays. Larger ones were not measured: if memory is
 * fragmented the kernel may take long to find huge pages.
 * @return 0: huge pages do not pay, or were not measured
 */
int64_t nereus_profile_huge_bytes(const struct nereus_profile *profile);

/**
 * Read a profile.
 * @param[in]  path     a file, or "-"
 * @param[out] profile  to be freed with nereus_profile_fini
 * @return NEREUS_ERR_IO, NEREUS_ERR_PARSE, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_profile_read(const char *path, struct nereus_profile *profile,
                                       struct nereus_error *err);
/**
 * May a profile be written there? Checked before long work: the path is a profile of any version,
 * empty, missing, or no regular file.
 * @return NEREUS_ERR_ARGUMENT: another file would be overwritten; NEREUS_ERR_IO
 */
enum nereus_status nereus_profile_check_path(const char *path, struct nereus_error *err);
/**
 * Write a profile; an existing file is replaced atomically.
 * @return NEREUS_ERR_IO, NEREUS_ERR_ARGUMENT
 */
enum nereus_status nereus_profile_write(const char *path, const struct nereus_profile *profile,
                                        struct nereus_error *err);
/**
 * The machine of a profile: its nodes, or unbounded if their number is unknown.
 * @param[out] machine  to be freed with nereus_machine_fini
 * @return NEREUS_ERR_ARGUMENT if cores or nodes are out of range, or unequal nodes were measured: a
 *         host file has to say which of them a job has
 */
enum nereus_status nereus_profile_machine(const struct nereus_profile *profile,
                                          struct nereus_machine *machine, struct nereus_error *err);

/** Free all that the profile owns. A zeroed profile is allowed. */
void nereus_profile_fini(struct nereus_profile *profile);

/**
 * Compute once what each prediction needs: groups of measured rows, their logarithms, terms by
 * number. nereus_profile_read and nereus_profile_fit call it; call it for a profile that you made
 * or changed. Predictions without it are the same, but take longer. Afterwards several threads may
 * predict from the profile while none changes it.
 * @param[in,out] profile  `prepared` is set
 * @return NEREUS_ERR_MEMORY, with the profile unchanged
 */
enum nereus_status nereus_profile_prepare(struct nereus_profile *profile, struct nereus_error *err);

/**
 * Set the log-sds between days by machine_kind (sources: model/fit/priors.c); call it again if the
 * kind becomes known after nereus_profile_fit.
 * @param[in,out] profile  with its machine_kind
 */
void nereus_profile_set_campaign(struct nereus_profile *profile);

/**
 * Fit a profile to samples: Huber loss of log(measured / fitted), a prior for each coefficient,
 * which is above 0, Gauss-Newton steps by GSL. Not thread-safe: GSL's error handler, which would
 * end the program, is switched off meanwhile.
 * @param[in]  cluster  needed if samples are of several clusters; else NULL
 * @param[out] profile  to be freed with nereus_profile_fini
 * @return NEREUS_ERR_ARGUMENT: several clusters, or none of that name; NEREUS_ERR_NO_BASIS: no
 *         rows; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_profile_fit(const struct nereus_samples *samples, const char *cluster,
                                      struct nereus_profile *profile, struct nereus_error *err);

NEREUS_END_C
#endif
