/**
 * @file guess.h
 * Who predicts: the model, and the simple rules that it has to beat. All are given the same rows
 * and asked for the same ones.
 */
#pragma once

#include <stdbool.h>

#include "nereus/predict.h"
#include "nereus/profile.h"
#include "nereus/samples.h"

enum guesser {
    GUESS_MODEL,
    GUESS_MERGE,   /**< no times: a plain merge is always the choice */
    GUESS_NEAREST, /**< as the nearest pair of the same method (in log NS and log NT) */
    GUESS_LOG,     /**< log RT = a + b log NS + c log NT, least squares of each method */
    GUESS_LOOKUP,  /**< what was measured, and nothing else */
    GUESS_AGAIN,   /**< noise floor: the row itself, as another campaign would measure it */
    GUESSERS
};
const char *guesser_name(enum guesser guesser);

/** What is known when a guess is asked for. */
struct known {
    const struct nereus_samples *rows;
    const struct nereus_profile *profile; /**< fitted to these rows */
    double iterations_after;              /**< of the application, after the reconfiguration */
};

/** What the model gives with an interval. */
enum guess_figure { GUESS_RT, GUESS_T_EX, GUESS_OMEGA, GUESS_IT, GUESS_FIGURES };

struct guess {
    bool any;                                      /**< false: this one cannot say */
    struct nereus_interval figures[GUESS_FIGURES]; /**< the model's alone */
    double rt_s, low_s, high_s;
    double iterations, ct_s; /**< as they will be measured; of a synchronous method 0 and 0 */
    double iterations_expected, ct_expected_s; /**< what decisions use */
    enum nereus_source source;
};

/** The guess for the pair, method and iteration times of a row (its measured times are not looked
 * at). */
struct guess guess_row(enum guesser guesser, const struct known *known,
                       const struct nereus_sample *row);
