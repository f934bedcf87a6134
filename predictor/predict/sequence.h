/**
 * @file sequence.h
 * Predicts several changes of size in a row: each starts from the job state that the previous one
 * left.
 *
 * "448@100,224@150:merge-ts,112@200": to 448 processes after 100 iterations of the job, to 224
 * after 150 by merge-ts, ...; the syntax of NEREUS_SCHEDULE. Iteration 0: before the first
 * one. A change without a method gets the best one for the goal.
 */
#pragma once

#include "predictor/cli/output.h"
#include "predictor/scenario/answer.h"

/** One change. */
struct nereus_change {
    int64_t nt;        /**< processes wanted */
    int64_t iteration; /**< iteration of the whole job after which the change begins */
    bool named;        /**< a method was given */
    struct nereus_method method;
};

/** The answer to a change. */
struct nereus_change_answer {
    struct nereus_answer answer; /**< predictions of all candidates; owned */
    /** the best method was taken; false: a later one, because the best could not be placed */
    bool best;
    struct nereus_scenario scenario;     /**< its state pointer is NULL */
    struct nereus_prediction prediction; /**< with nodes; T_ex from the change (of the first: from
                                            the start) to the next one */
    struct nereus_interval t_ex_s;
    double t_ex_total_s, node_total_s; /**< from the start to the next change */
    int64_t worlds, zombies;           /**< worlds and zombies after the change */
};

struct nereus_sequence {
    struct nereus_change *changes;        /**< owned */
    struct nereus_change_answer *answers; /**< one per change, once they are made; owned */
    int count;
};

/** Parse SIZE@ITERATION[:METHOD],... with ascending iterations. Free with nereus_sequence_fini. */
enum nereus_status nereus_sequence_parse(const char *text, struct nereus_sequence *sequence,
                                         struct nereus_error *err);
void nereus_sequence_fini(struct nereus_sequence *sequence);

/** Refuse settings that the sequence already gives. */
enum nereus_status nereus_sequence_check(const struct nereus_settings *settings,
                                         struct nereus_error *err);

/** Make the question of the first change, with everything that all changes share. */
enum nereus_status nereus_sequence_question(const struct nereus_sequence *sequence,
                                            const struct nereus_settings *settings,
                                            const struct nereus_profile *profile,
                                            struct nereus_question *question,
                                            struct nereus_error *err);

/**
 * Answer all changes, one after the other.
 * @param[in,out] question from nereus_sequence_question; receives scenario and state of the last
 *     change
 */
enum nereus_status nereus_sequence_answer(const struct nereus_candidates *candidates,
                                          struct nereus_question *question,
                                          struct nereus_sequence *sequence,
                                          struct nereus_error *err);

/** Print the answers.
 * @return false when memory or the stream failed */
bool nereus_sequence_print(const struct nereus_profile *profile,
                           const struct nereus_question *question,
                           const struct nereus_sequence *sequence,
                           const struct nereus_ranking *ranking, enum nereus_format format,
                           FILE *stream);
