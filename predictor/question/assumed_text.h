/** @file assumed_text.h  What was assumed, as one text: the note below a picture. */
#ifndef NEREUS_ASSUMED_TEXT_H
#define NEREUS_ASSUMED_TEXT_H

#include "scenario.h"

/** Append "Assumed: --t-iter-nt 0.02 s (strong scaling), ...", or nothing, as far as it fits. */
void nereus_question_assumed_text(const struct nereus_question *question, char *text, size_t bytes);

#endif
