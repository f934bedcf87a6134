/**
 * @file computational_model.h
 * Computes how long an iterative application takes on a set of processes: the computational
 * prediction model of Martin et al. (Flex-MPI), section 4.5. Processes run on classes of nodes that
 * differ in power and price. The model is only read.
 *
 *   T(interval) = computation + communication + change of processes + data          (equation 2)
 *
 *   computation    work / sum of the processes' powers                              (equation 3)
 *   communication  lambda x monitored calls x time of a collective; lambda = real / model
 *                                                       (equations 4, 5, with their errata)
 *   change, data   predicted from a profile, or nereus_stated_costs           (equations 6 to 8)
 */
#ifndef NEREUS_COMPUTATIONAL_MODEL_H
#define NEREUS_COMPUTATIONAL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "collective.h"
#include "layout.h"
#include "predict.h"
#include "profile.h"
#include "status.h"

NEREUS_BEGIN_C

enum { NEREUS_NODE_CLASSES_MAX = 16, NEREUS_MONITORED_CALLS_MAX = 16, NEREUS_CLASS_NAME_MAX = 32 };

struct nereus_node_class {
    char name[NEREUS_CLASS_NAME_MAX];
    int64_t max;                /**< processes, one per core of its nodes; >= 0 */
    double power;               /**< units of work per second and process; > 0 */
    double price_per_core_hour; /**< >= 0 */
};

/** Processes of each class; 0 after the last class. */
struct nereus_allocation {
    int64_t processes[NEREUS_NODE_CLASSES_MAX];
};

/** A collective that the application calls, as monitored. */
struct nereus_monitored_call {
    enum nereus_collective collective;
    /** gatherv, allgather and alltoall: of all parts together; others: of one process' part */
    double bytes;
    double per_iteration; /**< calls */
};

/** The paper's cost parameters, for a machine without a profile. */
struct nereus_stated_costs {
    double spawn_s, remove_s;    /**< cost of starting, of ending one process (equations 6, 7) */
    double latency_s;            /**< alpha of Hockney's model */
    double seconds_per_byte;     /**< beta */
    double reduction_s_per_byte; /**< gamma */
};

struct nereus_computational_model {
    int class_count;
    struct nereus_node_class classes[NEREUS_NODE_CLASSES_MAX];
    int call_count;
    struct nereus_monitored_call calls[NEREUS_MONITORED_CALLS_MAX];
    double communication_factor; /**< lambda; 1 before anything is measured */
    double bytes;                /**< data that a change redistributes */
    /** the caller's; NULL: use `stated_costs` */
    const struct nereus_profile *profile;
    const struct nereus_machine *machine; /**< used with a profile; the caller's */
    struct nereus_stated_costs stated_costs;
};

/** Sum over the classes. */
int64_t nereus_allocation_processes(const struct nereus_computational_model *model,
                                    const struct nereus_allocation *allocation);
/** Denominator of equation 3. */
double nereus_allocation_power(const struct nereus_computational_model *model,
                               const struct nereus_allocation *allocation);
/** Price of an hour: price_per_core_hour x processes, summed over the classes. */
double nereus_allocation_price(const struct nereus_computational_model *model,
                               const struct nereus_allocation *allocation);
/** Has it at least one process, and of no class more than `max`? */
bool nereus_allocation_fits(const struct nereus_computational_model *model,
                            const struct nereus_allocation *allocation);
/** Have both the same processes of each class? */
bool nereus_allocation_equal(const struct nereus_computational_model *model,
                             const struct nereus_allocation *a, const struct nereus_allocation *b);
/** Has `larger` of each class at least as many processes as `smaller`? */
bool nereus_allocation_contains(const struct nereus_computational_model *model,
                                const struct nereus_allocation *larger,
                                const struct nereus_allocation *smaller);
/**
 * Format an allocation as "C1:2,C8:4", without empty classes.
 * @param[out] text  `capacity` characters
 * @return text
 */
char *nereus_allocation_text(const struct nereus_computational_model *model,
                             const struct nereus_allocation *allocation, char *text,
                             size_t capacity);
/**
 * Parse what nereus_allocation_text prints.
 * @param[in]  what        begins the error message
 * @param[out] allocation  0 for classes that are not named
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_ARGUMENT
 */
enum nereus_status nereus_allocation_parse(const struct nereus_computational_model *model,
                                           const char *what, const char *text,
                                           struct nereus_allocation *allocation,
                                           struct nereus_error *err);

/**
 * Check the values of a model.
 * @return NEREUS_ERR_ARGUMENT; NEREUS_ERR_NO_BASIS: the profile lacks a collective
 */
enum nereus_status nereus_computational_model_check(const struct nereus_computational_model *model,
                                                    struct nereus_error *err);

struct nereus_interval_time {
    double computation_s;   /**< equation 3 */
    double communication_s; /**< equation 5 */
};

/**
 * Time of the iterations of an interval with this allocation.
 * @param[in]  allocation  at least one process
 * @param[out] time        in seconds
 * @return NEREUS_ERR_NO_BASIS: the profile lacks a collective
 */
enum nereus_status nereus_interval_time_compute(const struct nereus_computational_model *model,
                                                double work, double iterations,
                                                const struct nereus_allocation *allocation,
                                                struct nereus_interval_time *time,
                                                struct nereus_error *err);

/**
 * Time of a change of processes with its data; 0 if nothing changes. With a profile: RT of the best
 * synchronous method, with its 90 % interval; else equations 6 to 8.
 * @param[out] change_s  90 % interval; without a profile of no width
 * @return NEREUS_ERR_NO_BASIS, NEREUS_ERR_ILLEGAL: no method is possible
 */
enum nereus_status nereus_change_time(const struct nereus_computational_model *model,
                                      const struct nereus_allocation *from,
                                      const struct nereus_allocation *to,
                                      struct nereus_interval *change_s, struct nereus_error *err);

/**
 * Correct lambda by the last interval (equation 4).
 * @param[in,out] model    communication_factor changes
 * @param[in]     model_s  predicted communication with the present lambda; <= 0: no correction
 * @param[in]     real_s   measured communication; < 0: no correction
 */
void nereus_communication_correct(struct nereus_computational_model *model, double model_s,
                                  double real_s);

/** Work of the next interval of a regular application: linear extrapolation (least squares), at
 * least 0. */
double nereus_work_extrapolate(const double *work, int64_t count);

/** A text of n characters has at most n / 2 numbers. */
enum { NEREUS_SHAPE_TEXT_MAX = 1024, NEREUS_SHAPE_MAX = NEREUS_SHAPE_TEXT_MAX / 2 };

/** Work of an irregular application over its run, as recorded. */
struct nereus_work_shape {
    int count;                              /**< equal parts of the run; 0: equal iterations */
    double relative_work[NEREUS_SHAPE_MAX]; /**< work of each part; the mean is 1 */
};

/**
 * Parse a shape such as "1 2.5 4", separated by blanks or commas; scaled to a mean of 1.
 * @param[in]  what   begins the error message
 * @param[out] shape  at most NEREUS_SHAPE_MAX parts
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_ARGUMENT
 */
enum nereus_status nereus_work_shape_parse(const char *what, const char *text,
                                           struct nereus_work_shape *shape,
                                           struct nereus_error *err);
/** Share of the work done after a share of the run; both 0 to 1. */
double nereus_work_shape_done_share(const struct nereus_work_shape *shape, double run);
/** Share of the work between two iterations of `all`; 0 if `all` is unknown (0). */
double nereus_work_shape_interval_share(const struct nereus_work_shape *shape, double all,
                                        double from, double to);

/**
 * Time of a collective by the cost functions of MPICH with Hockney's parameters (Thakur,
 * Rabenseifner and Gropp 2005, section 3), by the fastest algorithm.
 * @param[in] bytes  of one process' part
 */
double nereus_collective_stated_s(const struct nereus_stated_costs *costs,
                                  enum nereus_collective collective, int64_t processes,
                                  double bytes);

NEREUS_END_C
#endif
