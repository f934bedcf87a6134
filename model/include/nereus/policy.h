/**
 * @file policy.h
 * Declares policies, which decide before each sampling interval whether a job changes its
 * processes, so that it ends by a goal: algorithm 1 of Martin et al. (Flex-MPI), section 4.6, and
 * others (docs/policies.md).
 *
 * The caller measures, and carries decisions out. nereus_policy_decide is thread-safe on different
 * decisions (GLPK keeps its memory by thread).
 */
#ifndef NEREUS_POLICY_H
#define NEREUS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "computational_model.h"
#include "status.h"

NEREUS_BEGIN_C

/** X(enumerator, word, help), in the order of the table in policy.c. */
#define NEREUS_POLICY_LIST(X)                                                                      \
    X(NEREUS_POLICY_NONE, "none", "nothing is changed")                                            \
    X(NEREUS_POLICY_FLEX_EFFICIENCY, "flex-efficiency",                                            \
      "reach the goal with the fewest processes")                                                  \
    X(NEREUS_POLICY_FLEX_COST, "flex-cost", "reach the goal at the least cost")                    \
    X(NEREUS_POLICY_FOLLOW, "follow", "do what is asked from outside")                             \
    X(NEREUS_POLICY_USER, "user", "ask the program's own function")

#define NEREUS_ENUMERATOR(e, word, help) e,
enum nereus_policy_kind { NEREUS_POLICY_LIST(NEREUS_ENUMERATOR) NEREUS_POLICY_COUNT };
#undef NEREUS_ENUMERATOR

/** Name of a policy, such as "flex-cost"; NULL out of range. */
const char *nereus_policy_kind_name(enum nereus_policy_kind kind);

struct nereus_policy_question;

/**
 * A user's own policy.
 * @param[in,out] wanted  in: the present allocation; out: the wanted one
 * @param[out]    why     for the log
 * @return false: no change
 */
typedef bool nereus_policy_function(void *user, const struct nereus_policy_question *question,
                                    struct nereus_allocation *wanted, char why[128]);

/** Input of a policy. Times are in seconds since the start of the job. */
struct nereus_policy_question {
    const struct nereus_computational_model *model;
    struct nereus_allocation allocation;
    int64_t interval; /**< index of the next interval */
    double elapsed_s;
    double goal_s; /**< INFINITY: none */
    /** processes are released only if the job would end this long before the goal */
    double tolerance_s;
    int64_t intervals_left;      /**< remaining intervals, at least 1 */
    bool endless;                /**< the number of intervals is unknown; the log has null */
    const double *work;          /**< predicted work of each remaining interval; the caller's */
    const double *iterations;    /**< iterations of each remaining interval; the caller's */
    int64_t cool_down;           /**< remaining intervals in which no change is allowed */
    int64_t cool_down_intervals; /**< intervals without a change after each change */
    const char *request;         /**< policy follow: "12" or "C1:4,C8:2"; NULL: nothing */
    nereus_policy_function *function; /**< policy user */
    void *user;
};

/** The best processes of each class, by linear and by integer programming (model/policy/mix.h). */
struct nereus_mix_solution {
    double simplex_value; /**< optimum of the linear relaxation: a lower bound */
    double value;
    bool is_exact;      /**< value is the integer optimum */
    bool rounded_holds; /**< the rounded relaxation has the needed power */
    struct nereus_allocation rounded_mix;
};

enum nereus_verdict {
    NEREUS_VERDICT_MEETS,   /**< meets the goal */
    NEREUS_VERDICT_LATE,    /**< ends after the goal */
    NEREUS_VERDICT_NO_GAIN, /**< saves less than the change costs */
    NEREUS_VERDICT_COUNT
};
/** Name of a verdict, such as "meets"; NULL out of range. */
const char *nereus_verdict_name(enum nereus_verdict verdict);

/** An allocation that would be kept to the end of the job. */
struct nereus_policy_candidate {
    struct nereus_allocation allocation;
    int64_t processes;
    double needed_power;             /**< power that meets the goal with this many processes */
    struct nereus_interval change_s; /**< time of the change, 90 % interval */
    double end_s;
    double latest_end_s; /**< end_s for the upper bound of change_s */
    double core_s;       /**< processes x seconds from now on */
    double cost;         /**< from now on, including the change */
    /** saving over no change, for the upper bound of change_s: core-seconds (flex-efficiency) or
     * cost (flex-cost) */
    double min_saving;
    enum nereus_verdict verdict;
    struct nereus_mix_solution mix;
};

struct nereus_decision {
    bool changes;
    struct nereus_allocation target;
    struct nereus_interval change_s;
    struct nereus_policy_candidate stay;
    int64_t candidate_count;
    struct nereus_policy_candidate *candidates; /**< owned */
    int64_t chosen_index;                       /**< -1: none */
    double fastest_end_s; /**< end by the fastest sequence of changes; NAN: not computed */
    char reason[256];
};

/**
 * Decide by a policy. An allocation that the layout does not hold is refused, with an error message
 * in `reason`.
 * @param[out] decision  to be freed with nereus_decision_fini
 * @return NEREUS_ERR_ARGUMENT; NEREUS_ERR_NO_BASIS: the model has none for the present allocation
 */
enum nereus_status nereus_policy_decide(enum nereus_policy_kind kind,
                                        const struct nereus_policy_question *question,
                                        struct nereus_decision *decision, struct nereus_error *err);
/** Free the candidates. */
void nereus_decision_fini(struct nereus_decision *decision);

/** One line of JSON, with its newline (docs/policies.md); to be freed. NULL: no memory. */
char *nereus_decision_json(enum nereus_policy_kind kind,
                           const struct nereus_policy_question *question,
                           const struct nereus_decision *decision);

/**
 * Time until the job ends with this allocation from now on.
 * @param[out] left_s  in seconds
 * @return NEREUS_ERR_NO_BASIS, NEREUS_ERR_ILLEGAL
 */
enum nereus_status nereus_policy_unchanged_s(const struct nereus_policy_question *question,
                                             const struct nereus_allocation *allocation,
                                             double *left_s, struct nereus_error *err);

enum { NEREUS_POLICY_PATH_MAX = 512 };

/** Nodes of a class in a running job. */
struct nereus_class_nodes {
    /** names as in the host file, a comma after each; owned; NULL: not given */
    char *hosts;
    int64_t cores_per_node;
};

/**
 * Read one name.
 * @param[in]  position    `hosts`, then what was returned
 * @param[out] name  without the comma
 * @return NULL: no name is left
 */
const char *nereus_class_next_host(const char *position, char name[NEREUS_NODE_NAME_MAX]);

/** A policy file (keys: docs/keys.md). */
struct nereus_policy_settings {
    enum nereus_policy_kind kind;
    double finish_s;  /**< goal: time of the end; 0: not given */
    double time_goal; /**< goal: 1 - time / time without changes; 0: not given */
    double tolerance; /**< tolerance_s / goal_s */
    int64_t interval_iterations;
    int64_t cool_down_intervals;
    char follow[NEREUS_POLICY_PATH_MAX]; /**< "": none */
    char log[NEREUS_POLICY_PATH_MAX];    /**< "": none */
    struct nereus_work_shape shape;      /**< not used by modelled runs, which have their own */
    bool has_costs;
    struct nereus_stated_costs costs;
    int class_count;
    struct nereus_node_class classes[NEREUS_NODE_CLASSES_MAX];
    bool has_powers; /**< a class states its power, or there is one class only */
    /** either all classes name their nodes, or none does */
    struct nereus_class_nodes nodes[NEREUS_NODE_CLASSES_MAX];
    struct nereus_allocation start; /**< all 0: not given */
};

/**
 * Read and check a policy file.
 * @param[out] settings  to be freed with nereus_policy_settings_fini
 * @return NEREUS_ERR_IO; NEREUS_ERR_PARSE or NEREUS_ERR_ARGUMENT with "FILE:LINE: ..."
 */
enum nereus_status nereus_policy_read(const char *path, struct nereus_policy_settings *settings,
                                      struct nereus_error *err);
/** Free the names of hosts. */
void nereus_policy_settings_fini(struct nereus_policy_settings *settings);

enum { NEREUS_REQUESTED_MAX = 256 };

/**
 * First line of the policy follow's file; "": none.
 * @param[out] requested  the line, without its end
 * @return asked
 */
const char *nereus_policy_read_follow(const struct nereus_policy_settings *settings,
                                      char requested[NEREUS_REQUESTED_MAX]);

/**
 * Time of the goal.
 * @param[in] without_s  time without changes
 * @return INFINITY: no goal
 */
double nereus_policy_goal_s(const struct nereus_policy_settings *settings, double without_s);

NEREUS_END_C
#endif
