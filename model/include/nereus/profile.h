/**
 * @file profile.h
 * A machine's profile: for each step kind its coefficients, their covariance, residual spread and the range it was measured
 * in; the whole reconfigurations that were measured; where, when and with which MPI. JSON, versioned.
 */
#ifndef NEREUS_PROFILE_H
#define NEREUS_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan.h"
#include "samples.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NEREUS_PROFILE_VERSION = 1, NEREUS_TERMS_MAX = 8 };

/** Where a model's numbers come from. */
enum nereus_basis {
    NEREUS_BASIS_NONE = 0, /**< nothing known: methods that need it are refused by name */
    NEREUS_BASIS_FALLBACK, /**< a named stand-in with a wide interval */
    NEREUS_BASIS_FITTED,
    NEREUS_BASIS_CONTAINED /**< no coefficients of its own: its cost is in those of the steps that `fallback` names */
};

/** How a factor scatters (cost_scatter.h): mean, variance and third central moment; and as which powers these grow with its width
 * (of the mean, what it is above 1). */
struct nereus_factor_moments {
    double mean, variance, third;
    double width; /**< log(high / low) */
    double mean_power, variance_power, third_power;
};

/** A linear model: sum of coefficient x feature. Which features there are is the step kind's matter (cost.h). */
struct nereus_linear_model {
    enum nereus_basis basis;
    char fallback
        [64]; /**< FALLBACK: name of the stand-in; CONTAINED: whose coefficients hold it ("spawn or split") */
    int terms;
    char names[NEREUS_TERMS_MAX][24];
    int8_t
        features[NEREUS_TERMS_MAX]; /**< by nereus_profile_prepare: the names as numbers; 0: go by the name */
    double coefficients[NEREUS_TERMS_MAX]; /**< seconds per unit of the feature */
    double covariance[NEREUS_TERMS_MAX][NEREUS_TERMS_MAX];
    double spread; /**< relative residual spread, robust (1.4826 median |r|) */
    double low_factor,
        high_factor; /**< one more measurement lies between these times the value with 90 %; 0 0: as `spread` says */
    struct nereus_factor_moments
        moments;  /**< of these factors, by nereus_profile_prepare; mean 0: not worked out */
    int64_t rows; /**< that it was fitted to */
    int64_t min_ns, max_ns, min_nt, max_nt; /**< sizes seen; 0 0 0 0: unknown */
    double max_load;                        /**< largest load (l) seen */
    double max_move_s; /**< of data beside the application: longest `move` seen (overlap.h); 0: unknown */
};

/** Hockney: t(bytes) = alpha + beta bytes, by piece between breakpoints. */
struct nereus_hockney {
    enum nereus_basis basis;
    int pieces;
    double from_bytes[NEREUS_TERMS_MAX]; /**< first byte count of the piece */
    double alpha_s[NEREUS_TERMS_MAX];
    double beta_s_per_byte[NEREUS_TERMS_MAX];
    double spread;
    int64_t rows;
    double max_bytes;
};

/** A collective of a world of so many processes. */
struct nereus_collective_time {
    enum nereus_collective collective;
    int64_t processes;
    struct nereus_hockney time;
};

/** A whole reconfiguration that was measured: a look-up wins over the model. */
struct nereus_measured {
    int64_t ns, nt, cores_per_node;
    struct nereus_method method;
    double t_iter_ns_s; /**< NAN: does not matter (synchronous) */
    double bytes;
    double rt_s;
    double ct_s, iterations; /**< of an asynchronous one; NAN unknown */
    double model_s; /**< what the fitted model says for the same reconfiguration; NAN: it cannot price it */
    double spread;  /**< relative, of the repeats; NAN unknown */
    int64_t n;
    bool oversubscribed;
};

/** A method priced as a whole, because no plan of it is built yet. Terms by name, see cost.h. */
struct nereus_whole_model {
    struct nereus_method method;
    struct nereus_linear_model model;
};

/** What lies beyond the steps, by whether old and new processes become one group (merge) or stay apart (baseline), or nobody is started (shrink), and by load. */
enum nereus_beyond_steps {
    NEREUS_BEYOND_STEPS_MERGE,
    NEREUS_BEYOND_STEPS_BASELINE,
    NEREUS_BEYOND_STEPS_SHRINK,
    NEREUS_BEYOND_STEPS_MERGE_OVERSUBSCRIBED,
    NEREUS_BEYOND_STEPS_BASELINE_OVERSUBSCRIBED,
    NEREUS_BEYOND_STEPS_SHRINK_OVERSUBSCRIBED,
    NEREUS_BEYOND_STEPS_COUNT
};

/** Data that operations of their own move, by where the processes with most to do get it from, and by load. */
enum nereus_moves {
    NEREUS_MOVES_RMA,
    NEREUS_MOVES_RMA_APART,
    NEREUS_MOVES_SHARED,
    NEREUS_MOVES_SHARED_APART,
    NEREUS_MOVES_OVERSUBSCRIBED, /**< and the same four on shared cores */
    NEREUS_MOVES_COUNT = 2 * NEREUS_MOVES_OVERSUBSCRIBED
};

struct nereus_profile {
    char cluster[64];
    char host[128];
    char date[32]; /**< ISO 8601 */
    char mpi[256];
    char launcher[128];
    int64_t cores_per_node;
    int64_t nodes; /**< that it was measured on; 0: unknown, predictions are for as many as are needed */
    struct nereus_linear_model steps[NEREUS_STEP_KIND_COUNT];
    struct nereus_linear_model
        steps_oversubscribed[NEREUS_STEP_KIND_COUNT]; /**< used only above the cores; basis NONE: use steps */
    struct nereus_linear_model beyond_steps
        [NEREUS_BEYOND_STEPS_COUNT]; /**< what RT is beyond its steps; only where all steps were measured */
    struct nereus_linear_model
        moves[NEREUS_MOVES_COUNT]; /**< how many times as long as its operations say a redistribution takes */
    struct nereus_hockney pairs[NEREUS_PAIR_CLASS_COUNT];
    struct nereus_hockney
        operations[NEREUS_OPERATION_COUNT]; /**< between two processes; bytes of one of them */
    int64_t collective_count;
    struct nereus_collective_time *collectives; /**< by collective, then by processes; owned */
    struct nereus_linear_model
        contention[NEREUS_CONTENTION_COUNT]; /**< iterations beside threads; terms as those of omega */
    /* MODEL.md: asynchronous reconfigurations. Terms by name, see cost.h. */
    struct nereus_linear_model async_plain, async_single, async_shrink, omega;
    struct nereus_linear_model async_plain_oversubscribed, async_single_oversubscribed,
        async_shrink_oversubscribed; /**< used only above the cores; basis NONE: use those without */
    struct nereus_linear_model data_at_points,
        data_by_thread;                         /**< constant data beside the application (overlap.h) */
    struct nereus_linear_model omega_by_thread; /**< slower iterations while a thread moves that data */
    int64_t whole_count;
    struct nereus_whole_model *whole; /**< owned */
    int64_t measured_count;
    struct nereus_measured *measured; /**< owned */
    int64_t method_count;
    struct nereus_method
        *methods; /**< process parts seen in the samples: what predict ranks by default; owned */
    struct nereus_prepared *prepared; /**< by nereus_profile_prepare; owned. NULL: predictions take longer */
};

/**
 * What a collective takes. Thread-safe.
 * @param bytes  of one process' part; 0 for one without
 * @param[out] extrapolated  processes or bytes lie outside what was measured
 * @return NEREUS_ERR_NO_BASIS where it was not measured at all (without a sentence)
 */
enum nereus_status nereus_collective_s(const struct nereus_profile *profile,
                                       enum nereus_collective collective, int64_t processes, double bytes,
                                       double *time_s, bool *extrapolated);

/** The most processes that a collective was measured with; 0: with none. */
int64_t nereus_collective_most(const struct nereus_profile *profile, enum nereus_collective collective);

enum nereus_status nereus_profile_read(const char *path, struct nereus_profile *profile,
                                       struct nereus_error *err);
/**
 * May a profile be written there? To be asked before anything takes long: what is there must be a profile, of any version, or empty, or
 * no file at all (a pipe).
 * @return NEREUS_ERR_ARGUMENT where another file would be lost; NEREUS_ERR_IO where nothing can be written; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_profile_check_place(const char *path, struct nereus_error *err);
/** Written aside, then renamed. */
enum nereus_status nereus_profile_write(const char *path, const struct nereus_profile *profile,
                                        struct nereus_error *err);
/**
 * The machine that a profile is of: nodes with its cores_per_node, as many as it was measured on (`nodes`), and where that is not known as
 * many as are needed. It is what the command `nereus` predicts for, unless it is told of another one. On so many nodes processes above the
 * cores are oversubscribed, on an unbounded machine none ever is. Thread-safe.
 * @param[in]  profile  only read; it may be freed before the machine
 * @param[out] machine  to be freed with nereus_machine_fini; written on success only
 * @return NEREUS_ERR_ARGUMENT where the profile's cores or nodes make no machine; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_profile_machine(const struct nereus_profile *profile,
                                          struct nereus_machine *machine, struct nereus_error *err);

/** Frees what a profile owns and empties it. A zeroed profile is fine. */
void nereus_profile_fini(struct nereus_profile *profile);

/**
 * Work out once what each prediction needs: which measured rows belong together, their logarithms, the terms by number. Done already to
 * what nereus_profile_read and nereus_profile_fit return; to be called (again) for a profile that was made or changed by hand. The
 * predictions are the same without, but take longer.
 * Afterwards any number of threads may predict from the profile at the same time, as long as nobody changes it.
 * @return NEREUS_ERR_MEMORY; the profile is then as it was
 */
enum nereus_status nereus_profile_prepare(struct nereus_profile *profile, struct nereus_error *err);

/**
 * Fit a profile to samples (GSL: weighted linear least squares on rows scaled by 1 / time, Huber loss, coefficients >= 0).
 * Not thread-safe: GSL's error handler, which would end the program, is switched off meanwhile.
 * @param cluster  which one where the samples hold several; NULL: there must be only one, else NEREUS_ERR_ARGUMENT
 */
enum nereus_status nereus_profile_fit(const struct nereus_samples *samples, const char *cluster,
                                      struct nereus_profile *profile, struct nereus_error *err);

#ifdef __cplusplus
}
#endif
#endif
