/**
 * @file policy.h
 * Whether a job should change its processes now, so that it ends by a goal: algorithm 1 of Martin
 * et al. (Flex-MPI), section 4.6, and other policies (docs/policy.md).
 *
 * A policy is asked before each sampling interval. It only answers; the caller measures and carries
 * out. nereus_policy_decide is thread-safe on different decisions (GLPK keeps its memory by
 * thread).
 */
#ifndef NEREUS_POLICY_H
#define NEREUS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "computational_model.h"
#include "status.h"

NEREUS_BEGIN_C

/* X(enumerator, word, help), in the order of the table in policy.c. */
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

/** "flex-cost"; NULL out of range. */
const char *nereus_policy_kind_name(enum nereus_policy_kind kind);

struct nereus_policy_question;

/**
 * A user's own policy.
 * @param[in,out] wanted  the present allocation; the wanted one.
 * @param[out] why  for the log.
 * @return false: no change
 */
typedef bool nereus_policy_function(void *user, const struct nereus_policy_question *question,
                                    struct nereus_allocation *wanted, char why[128]);

/** What is known before an interval. Times in seconds since the start. */
struct nereus_policy_question {
    const struct nereus_computational_model *model;
    struct nereus_allocation now;
    int64_t interval; /**< of the next one, from 0 */
    double elapsed_s;
    double goal_s; /**< INFINITY: none */
    double
        /** processes are given back only if the job would end so much before the goal */
        tolerance_s;
    int64_t left;                     /**< intervals, at least 1 */
    bool endless;                     /**< how many is unknown; the log has null */
    const double *work;               /**< predicted, of each of them; the caller's */
    const double *iterations;         /**< likewise */
    int64_t cool_down;                /**< intervals without a change that are left */
    int64_t cool_down_intervals;      /**< of them after a change */
    const char *asked;                /**< "12" or "C1:4,C8:2", of follow; NULL: nothing */
    nereus_policy_function *function; /**< user */
    void *user;
};

/** The best mix of classes, by two methods (model/policy/mix.h). */
struct nereus_mix_solution {
    double simplex_value; /**< of real numbers: a lower bound */
    double value;
    bool is_exact;      /**< it is the integer optimum */
    bool rounded_holds; /**< has the power */
    struct nereus_allocation rounded;
};

enum nereus_verdict {
    NEREUS_VERDICT_MEETS,   /**< meets the goal */
    NEREUS_VERDICT_LATE,    /**< ends after the goal */
    NEREUS_VERDICT_NO_GAIN, /**< saves less than the change costs */
    NEREUS_VERDICT_COUNT
};
const char *nereus_verdict_name(enum nereus_verdict verdict);

/** An allocation, held to the end. */
struct nereus_policy_candidate {
    struct nereus_allocation allocation;
    int64_t processes;
    double needed_power;             /**< for the goal, with so many processes */
    struct nereus_interval change_s; /**< 90 % */
    double end_s;                    /**< since the start */
    double latest_end_s;             /**< with the change at the end of its interval */
    double core_s;                   /**< processes x seconds from now */
    double cost;                     /**< from now, with the change */
    /** against staying, with the change at the end of its interval: core-seconds (flex-efficiency)
     * or cost (flex-cost) */
    double least_saving;
    enum nereus_verdict verdict;
    struct nereus_mix_solution mix;
};

struct nereus_decision {
    bool changes;
    struct nereus_allocation to;
    struct nereus_interval change_s;
    struct nereus_policy_candidate stay;
    int64_t candidate_count;
    struct nereus_policy_candidate *candidates; /**< owned */
    int64_t chosen;                             /**< -1: none */
    double fastest_end_s; /**< by the fastest sequence of changes; NAN: not searched */
    char why[256];
};

/** Ask a policy. An allocation that the layout does not hold is refused, with a sentence in `why`.
 * @return NEREUS_ERR_ARGUMENT; NEREUS_ERR_NO_BASIS: the model has none for the present allocation
 */
enum nereus_status nereus_policy_decide(enum nereus_policy_kind kind,
                                        const struct nereus_policy_question *question,
                                        struct nereus_decision *decision, struct nereus_error *err);
void nereus_decision_fini(struct nereus_decision *decision);

/** One line of JSON, with its newline (docs/policy.md); to be freed. NULL: no memory. */
char *nereus_decision_json(enum nereus_policy_kind kind,
                           const struct nereus_policy_question *question,
                           const struct nereus_decision *decision);

/** Time to the end with one allocation, without a change. */
enum nereus_status nereus_policy_held_s(const struct nereus_policy_question *question,
                                        const struct nereus_allocation *allocation, double *held_s,
                                        struct nereus_error *err);

enum { NEREUS_POLICY_PATH_MAX = 512 };

/** Nodes of a class in a running job. */
struct nereus_class_nodes {
    /** names as in the host file, a comma after each; owned; NULL: not given */
    char *hosts;
    int64_t cores_per_node;
};

/** Read one name. @param at  `hosts`, then what was returned. @return NULL: no name is left */
const char *nereus_class_next_host(const char *at, char name[NEREUS_NODE_NAME_MAX]);

/** A policy file (keys: docs/policy.md). */
struct nereus_policy_settings {
    enum nereus_policy_kind kind;
    double finish_s; /**< limit for the end; 0: not given */
    /** share by which it ends sooner than without changes; 0: not given */
    double sooner;
    double tolerance; /**< share of the goal */
    int64_t interval_iterations;
    int64_t cool_down_intervals;
    char follow[NEREUS_POLICY_PATH_MAX]; /**< "": none */
    char log[NEREUS_POLICY_PATH_MAX];    /**< "": none */
    struct nereus_work_shape shape;      /**< a modelled run has its own */
    bool has_costs;
    struct nereus_stated_costs costs;
    int class_count;
    struct nereus_node_class classes[NEREUS_NODE_CLASSES_MAX];
    struct nereus_class_nodes nodes[NEREUS_NODE_CLASSES_MAX]; /**< of all classes or of none */
    struct nereus_allocation start;                           /**< all 0: not given */
};

/** @return NEREUS_ERR_IO; NEREUS_ERR_PARSE or NEREUS_ERR_ARGUMENT with "FILE:LINE: ..." */
enum nereus_status nereus_policy_read(const char *path, struct nereus_policy_settings *settings,
                                      struct nereus_error *err);
void nereus_policy_settings_fini(struct nereus_policy_settings *settings);

enum { NEREUS_ASKED_MAX = 256 };

/** First line of the file of follow; "": none. @return asked */
const char *nereus_policy_asked(const struct nereus_policy_settings *settings,
                                char asked[NEREUS_ASKED_MAX]);

/** @param without_s  time without changes. @return INFINITY: none */
double nereus_policy_goal_s(const struct nereus_policy_settings *settings, double without_s);

NEREUS_END_C
#endif
