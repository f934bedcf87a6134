/**
 * @file policy.h
 * Whether a job should change its processes now, so that it ends by a goal: algorithm 1 of Martin
 * et al. (Flex-MPI), section 4.6, and other policies of one table. docs/policy.md explains it.
 *
 * A policy is asked before each sampling interval. It only answers; what carries the answer out, and
 * what measures, is the caller's. All functions are local. nereus_policy_decide is thread-safe on
 * different decisions (GLPK keeps its memory by thread).
 */
#ifndef NEREUS_POLICY_H
#define NEREUS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "computational_model.h"
#include "status.h"

NEREUS_BEGIN_C

/* X(enumerator, word, help); the order is that of the table in policy.c. */
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
const char *nereus_policy_kind_help(enum nereus_policy_kind kind);
/** The policy of a word, or NEREUS_POLICY_COUNT. */
enum nereus_policy_kind nereus_policy_kind_from_name(const char *word);

struct nereus_policy_question;

/**
 * A user's own policy.
 * @param[in,out] wanted  the present allocation; the one that is wanted
 * @param[out]    why     one sentence for the log
 * @return false: nothing is to change
 */
typedef bool nereus_policy_function(void *user, const struct nereus_policy_question *question,
                                    struct nereus_allocation *wanted, char why[128]);

/** What is known before an interval. Times in seconds since the start. */
struct nereus_policy_question {
    const struct nereus_computational_model *model;
    struct nereus_allocation now;
    int64_t interval; /**< number of the one that comes, from 0 */
    double elapsed_s;
    double goal_s; /**< limit for the end; INFINITY: no goal */
    double
        tolerance_s; /**< processes are given back only if it would end so much before the goal */
    int64_t left;    /**< intervals that come, at least 1 */
    bool endless;    /**< how many come is unknown: `left` stands in, and the log has null */
    const double *work;          /**< of each of them, as predicted; the caller's */
    const double *iterations;    /**< likewise */
    int64_t cool_down;           /**< intervals in which nothing may change yet; 0: it may now */
    int64_t cool_down_intervals; /**< the same after a change */
    const char *asked;           /**< follow: "12" or "C1:4,C8:2"; NULL: nothing is asked */
    nereus_policy_function *function; /**< user */
    void *user;
};

/** The two answers to which mix of classes is best (model/policy/mix.h). */
struct nereus_mix_solution {
    double simplex_value; /**< power or price per hour, of real numbers: no mix is below it */
    double value;         /**< of the mix taken */
    bool is_exact;        /**< taken is the integer optimum */
    bool rounded_holds;   /**< the rounded simplex solution has the power */
    struct nereus_allocation rounded;
};

enum nereus_verdict {
    NEREUS_VERDICT_MEETS,   /**< the goal, if held to the end */
    NEREUS_VERDICT_LATE,    /**< ends behind the goal */
    NEREUS_VERDICT_NO_GAIN, /**< what it saves until the end does not pay for the change */
    NEREUS_VERDICT_COUNT
};
const char *nereus_verdict_name(enum nereus_verdict verdict);

/** One allocation, held from now to the end. */
struct nereus_policy_candidate {
    struct nereus_allocation allocation;
    int64_t processes;
    double needed_power;             /**< with this many processes, for the goal */
    struct nereus_interval change_s; /**< 90 % */
    double end_s;                    /**< since the start */
    double latest_end_s;             /**< the same with the change at the end of its interval */
    double core_s;                   /**< processes x seconds from now */
    double cost;                     /**< price x hours from now, the change included */
    double least_saving; /**< compared with staying, the change at the end of its interval: core-
                              seconds (flex-efficiency) or cost (flex-cost) */
    enum nereus_verdict verdict;
    struct nereus_mix_solution mix;
};

struct nereus_decision {
    bool changes;
    struct nereus_allocation to; /**< the present one if nothing changes */
    struct nereus_interval change_s;
    struct nereus_policy_candidate stay;
    int64_t candidate_count;
    struct nereus_policy_candidate *candidates; /**< owned */
    int64_t chosen;                             /**< index; -1: none of them */
    double fastest_end_s; /**< of the fastest sequence of changes; NAN: not searched */
    char why[256];
};

/**
 * Ask a policy.
 * An answer that the layout does not hold is never given: a user's function or a file that asks for
 * one is refused, and `why` says so.
 * @param[out] decision  to be freed with nereus_decision_fini; written on NEREUS_OK only
 * @return NEREUS_ERR_ARGUMENT for values out of range; NEREUS_ERR_NO_BASIS where the model has no
 *     basis for the present allocation; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_policy_decide(enum nereus_policy_kind kind,
                                        const struct nereus_policy_question *question,
                                        struct nereus_decision *decision, struct nereus_error *err);
void nereus_decision_fini(struct nereus_decision *decision);

/**
 * A decision as one line of JSON, with its newline (docs/policy.md).
 * @return to be freed with free(); NULL: no memory
 */
char *nereus_decision_json(enum nereus_policy_kind kind,
                           const struct nereus_policy_question *question,
                           const struct nereus_decision *decision);

/** Time to the end with one allocation held, without a change. @return as nereus_interval_time */
enum nereus_status nereus_policy_held_s(const struct nereus_policy_question *question,
                                        const struct nereus_allocation *allocation, double *held_s,
                                        struct nereus_error *err);

enum { NEREUS_POLICY_PATH_MAX = 512 };

/** The nodes of a class, of a running job. */
struct nereus_class_nodes {
    /** names as in the job's host file, behind each a comma; owned; NULL: not given */
    char *hosts;
    int64_t cores_per_node;
};

/**
 * Read one name of a class's hosts. Thread-safe.
 * @param[in]  at    where to begin: `hosts`, also NULL, and then what was returned
 * @param[out] name  written unless there is none
 * @return where the next name is looked for; NULL: no name is left
 */
const char *nereus_class_next_host(const char *at, char name[NEREUS_NODE_NAME_MAX]);

/** A policy file: docs/policy.md has its keys. */
struct nereus_policy_settings {
    enum nereus_policy_kind kind;
    double finish_s;             /**< limit for the end, in seconds after the start; 0: not given */
    double sooner;               /**< end this share sooner than without changes; 0: not given */
    double tolerance;            /**< share of the goal */
    int64_t interval_iterations; /**< of a sampling interval */
    int64_t cool_down_intervals;
    char follow[NEREUS_POLICY_PATH_MAX]; /**< file that follow reads; "": none */
    char log[NEREUS_POLICY_PATH_MAX];    /**< of decisions; "": none */
    struct nereus_work_shape shape;      /**< of the job's work; a modelled run has its own */
    bool has_costs;                      /**< [costs] is there */
    struct nereus_stated_costs costs;
    int class_count;
    struct nereus_node_class classes[NEREUS_NODE_CLASSES_MAX];
    struct nereus_class_nodes
        nodes[NEREUS_NODE_CLASSES_MAX]; /**< hosts of all classes or of none */
    struct nereus_allocation start;     /**< all 0: not given */
};

/**
 * Read a policy file (INI). Local; thread-safe.
 * @param[out] settings  to be ended with nereus_policy_settings_fini; written on NEREUS_OK only
 * @return NEREUS_ERR_IO; NEREUS_ERR_PARSE or NEREUS_ERR_ARGUMENT with "FILE:LINE: ..."
 */
enum nereus_status nereus_policy_read(const char *path, struct nereus_policy_settings *settings,
                                      struct nereus_error *err);
/** Free the hosts of the classes; nothing where all are NULL. */
void nereus_policy_settings_fini(struct nereus_policy_settings *settings);

enum { NEREUS_ASKED_MAX = 256 };

/** What the file of the policy follow asks now: its first line; "" where there is none. @return
 * asked */
const char *nereus_policy_asked(const struct nereus_policy_settings *settings,
                                char asked[NEREUS_ASKED_MAX]);

/** The goal in seconds since the start. @param without_s time without changes @return INFINITY:
 * none */
double nereus_policy_goal_s(const struct nereus_policy_settings *settings, double without_s);

NEREUS_END_C
#endif
