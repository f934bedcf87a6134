/**
 * @file sequence.h
 * Several changes of size in a row: each is answered with the state that the one before it has left.
 *
 * "448@100,224@150:merge-ts,112@200": to 448 processes after 100 iterations of the job, to 224 after 150, by merge-ts, ...; as the changes of
 * nereus-cg. After 0 iterations: before the first one. A change without a method gets the one that is best for the goal.
 */
#ifndef NEREUS_SEQUENCE_H
#define NEREUS_SEQUENCE_H

#include "answer.h"
#include "predictor/cli/output.h"

/** One change. */
struct nereus_change {
    int64_t nt;        /**< processes wanted */
    int64_t iteration; /**< of the whole job, after which it begins */
    bool named;        /**< by this method: */
    struct nereus_method method;
};

/** What became of a change. */
struct nereus_change_answer {
    struct nereus_answer answer; /**< by all candidates; owned */
    bool best;                   /**< the best of them was taken, and not one behind it that can be placed */
    struct nereus_scenario scenario; /**< its state is not kept */
    struct nereus_prediction
        prediction; /**< with nodes; T_ex from the change (of the first: from the start) to the next one */
    struct nereus_interval t_ex_s;
    double t_ex_total_s, node_total_s; /**< from the start to the next change */
    int64_t worlds, zombies;           /**< that it leaves */
};

struct nereus_sequence {
    struct nereus_change *changes;        /**< owned */
    struct nereus_change_answer *answers; /**< as many, once they are made; owned */
    int count;
};

/** Refuses what is no SIZE@ITERATION[:METHOD], and iterations that do not ascend. Free with nereus_sequence_fini. */
enum nereus_status nereus_sequence_parse(const char *text, struct nereus_sequence *sequence,
                                         struct nereus_error *err);
void nereus_sequence_fini(struct nereus_sequence *sequence);

/** Refuses settings that say what the sequence says. */
enum nereus_status nereus_sequence_check(const struct nereus_settings *settings, struct nereus_error *err);

/** Settings for the first change; its question has what all have in common. */
enum nereus_status nereus_sequence_question(const struct nereus_sequence *sequence,
                                            const struct nereus_settings *settings,
                                            const struct nereus_profile *profile,
                                            struct nereus_question *question, struct nereus_error *err);

/**
 * Answer all changes, one after the other.
 * @param[in,out] question  of nereus_sequence_question; its scenario and state end as those of the last change
 */
enum nereus_status nereus_sequence_answer(const struct nereus_profile *profile,
                                          const struct nereus_methods *methods,
                                          const struct nereus_ranking *ranking,
                                          struct nereus_question *question, struct nereus_sequence *sequence,
                                          struct nereus_error *err);

/** Print it in a format. @return false when memory or the stream failed */
bool nereus_sequence_print(const struct nereus_profile *profile, const struct nereus_question *question,
                           const struct nereus_sequence *sequence, const struct nereus_ranking *ranking,
                           enum nereus_format format, FILE *stream);

#endif
