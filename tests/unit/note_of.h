/** @file note_of.h  The notes of a prediction in words, for assertions. */
#pragma once

#include "nereus/predict.h"

/** @return a text that the next call overwrites */
static inline const char *note_of(struct nereus_prediction prediction)
{
    static char text[NEREUS_NOTE_TEXT_MAX];
    return nereus_prediction_note(&prediction, text);
}
