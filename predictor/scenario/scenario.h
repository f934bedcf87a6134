/**
 * @file scenario.h
 * Makes the question that predict, plan, map and others answer: the options that describe it, the
 * assumed defaults, and the scenario made of both.
 */
#pragma once

#include <jansson.h>

#include "nereus/goal.h"
#include "nereus/scaling.h"
#include "observed.h"
#include "predictor/cli/options.h"

/** Largest number of processes, as MPI counts them in an int. */
#define NEREUS_PROCESSES_MAX INT64_C(2147483647)

/** Values of the command line or of a line of a cases file; those that were not given keep the
 * value of NEREUS_SETTINGS_INIT. */
struct nereus_settings {
    int64_t ns, nt;                              /**< 0: not given */
    double t_iter_ns_s, t_iter_nt_s;             /**< 0: not given */
    int stage;                                   /**< enum nereus_stage */
    int64_t iterations_before, iterations_after; /**< -1: not given */
    int64_t constant_bytes, variable_bytes;      /**< -1: not given */
    int64_t replicated_bytes;                    /**< 0: none */
    int64_t cores_per_node, nodes, slots;        /**< 0: not given */
    int64_t cores_per_process;                   /**< 0: not given */
    const char *hostfile, *state, *scaling;      /**< NULL: not given */
    const char *powers;                          /**< NULL: equal ones */
    const char *grid;                            /**< NULL: the data are arrays */
    const char *layout;                          /**< NULL: by the rules of the method */
    bool bounded; /**< without a number of nodes, assume the measured ones */
    /** values of a job, for options that are not given; NULL: none */
    const struct nereus_observed *observed;
    /** if not NULL, instead of hostfile, cores_per_node and nodes */
    const struct nereus_machine *machine;
};
#define NEREUS_SETTINGS_INIT                                                                       \
    {                                                                                              \
        .iterations_before = -1, .iterations_after = -1, .constant_bytes = -1,                     \
        .variable_bytes = -1                                                                       \
    }

/** Table of these options; its storage is a struct nereus_settings. */
extern const struct nereus_option nereus_scenario_options[];
/** Indices of the first options, for commands that have some of them in another form. */
enum {
    NEREUS_SCENARIO_NS,
    NEREUS_SCENARIO_NT,
    NEREUS_SCENARIO_T_ITER,
    NEREUS_SCENARIO_T_ITER_NT,
    NEREUS_SCENARIO_OTHERS
};
extern const size_t nereus_scenario_option_count;

/**
 * Check the values and their combinations. No file is read.
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_PARSE
 */
enum nereus_status nereus_settings_check(const struct nereus_settings *settings,
                                         struct nereus_error *err);

/** A value that was not given. */
struct nereus_assumption {
    const char *option; /**< without "--" */
    char value[64];
    const char *reason; /**< NULL: a plain default */
};
enum { NEREUS_ASSUMPTIONS_MAX = 16 };

/** A complete question. */
struct nereus_question {
    struct nereus_machine machine;
    struct nereus_jobstate state;
    struct nereus_scaling scaling; /**< scaling of iteration times */
    double *powers;                /**< owned; NULL: equal ones */
    struct nereus_grid grid;       /**< dimensions 0: none */
    int64_t *by_node;              /**< owned; `layout` points to it */
    /** storage of machine.layout, which is NULL without a layout */
    struct nereus_layout layout;
    struct nereus_scenario scenario;         /**< points into this struct: do not copy */
    struct nereus_later_shrink later_shrink; /**< processes 0: no later shrink */
    struct nereus_assumption assumptions[NEREUS_ASSUMPTIONS_MAX];
    int assumed_count;
    char more_nodes[240]; /**< message about more nodes than were measured; "": none */
};

/**
 * @param[out] question  to be ended with nereus_question_fini when NEREUS_OK is returned
 * @return NEREUS_ERR_ARGUMENT for sizes that are missing, too large, above the slots, or options
 *     that exclude each other
 */
enum nereus_status nereus_question_make(const struct nereus_settings *settings,
                                        const struct nereus_profile *profile,
                                        struct nereus_question *question, struct nereus_error *err);
void nereus_question_fini(struct nereus_question *question);

/**
 * Add a shrink to `processes` that follows the expansion.
 * @param[in] iterations  iterations on NT processes before the shrink; -1: half of those after the
 *     expansion
 */
enum nereus_status nereus_question_add_later(int64_t processes, int64_t iterations, bool any_nodes,
                                             struct nereus_question *question,
                                             struct nereus_error *err);

/** Append "Assumed: --t-iter-nt 0.02 s (strong scaling), ...", or nothing, as far as it fits. */
void nereus_question_assumed_text(const struct nereus_question *question, char *text, size_t bytes);
/** Print the assumptions as text; nothing when all values were given. */
void nereus_question_print_assumed(const struct nereus_question *question, FILE *stream);
/** As nereus_question_print_assumed, to standard error, each paragraph after `prefix`. */
void nereus_question_log_assumed(const struct nereus_question *question, const char *prefix);
/**
 * As nereus_question_log_assumed, as an array of {option, value, reason}, and the scenario as an
 * object. New references; NULL without memory.
 */
json_t *nereus_question_assumed_json(const struct nereus_question *question);
json_t *nereus_question_json(const struct nereus_question *question);
