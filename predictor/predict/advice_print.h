/** @file advice_print.h  Prints advice as text, CSV and JSON, from the same rows. */
#pragma once

#include "advice.h"

/** One size in an answer. Not to be copied: it has pointers into itself. */
struct nereus_advice_row {
    const struct nereus_advice_size *size;
    bool is_resize; /**< false: the present size */
    bool is_best;
    const char *method, *later_method; /**< NULL: none */
    /** least number of iterations left with which it costs no more than staying; NAN: it never pays
     */
    double min_iterations;
    double last_iteration; /**< last iteration after which it pays; NAN: none */
    /** loss against staying, at the unfavourable bound of the gain's interval; NAN: no resize */
    double possible_loss;
    char texts[2][NEREUS_METHOD_TEXT_MAX]; /**< of the methods */
};

/** Make the row of a size.
 * @param index  of the size in answer->sizes, which is possible; -1: the present size */
void nereus_advice_row_make(const struct nereus_advice_result *answer, int64_t index,
                            struct nereus_advice_row *row);

/** Print an answer, which the caller still frees.
 * @return false when memory or the stream failed */
bool nereus_advice_print(const struct nereus_advice_result *answer, enum nereus_format format,
                         FILE *stream);
/** As nereus_advice_print, for programs: all sizes that are possible. */
bool nereus_advice_print_csv(const struct nereus_advice_result *answer, FILE *stream);
bool nereus_advice_print_json(const struct nereus_advice_result *answer, FILE *stream);
