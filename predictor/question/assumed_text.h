/** @file assumed_text.h  What was assumed, as one text: below a picture, and for people. */
#ifndef NEREUS_ASSUMED_TEXT_H
#define NEREUS_ASSUMED_TEXT_H

#include "scenario.h"

/** Append "--t-iter-nt 0.02 s (strong scaling)", as far as it fits. */
void nereus_assumption_text(const struct nereus_assumption *assumption, char *text, size_t bytes);

/** Append "Assumed: --t-iter-nt 0.02 s (strong scaling), ...", or nothing, as far as it fits. */
void nereus_question_assumed_text(const struct nereus_question *question, char *text, size_t bytes);

#endif
