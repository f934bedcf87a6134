/**
 * @file note.h
 * Defines notes: why a prediction is less certain, as a code with values. The text is made on
 * printing, as a prediction is computed far more often than it is printed.
 */
#ifndef NEREUS_NOTE_H
#define NEREUS_NOTE_H

#include <stddef.h>

#include "status.h"

NEREUS_BEGIN_C

/** Codes, with the meaning of `text` and `values`. A prior is used in place of a
 * measurement. Its four codes are PRIOR + (1 if it is only a part of the price) + (2 if there
 * are other priors). */
enum nereus_note_code {
    NEREUS_NOTE_PRIOR,             /**< text: the prior */
    NEREUS_NOTE_PRIOR_PART,        /**< its seconds, seconds of the price */
    NEREUS_NOTE_PRIOR_OTHERS,      /**< seconds of the other priors */
    NEREUS_NOTE_PRIOR_PART_OTHERS, /**< all three values */
    NEREUS_NOTE_ASSUMED,           /**< text: the assumption */
    NEREUS_NOTE_TARGETS,           /**< outside the measured range: minimum, maximum, requested */
    NEREUS_NOTE_SOURCES,
    NEREUS_NOTE_LOAD,            /**< processes per core: largest measured, requested */
    NEREUS_NOTE_BYTES,           /**< outside the measured bytes: minimum, maximum */
    NEREUS_NOTE_OVERLAPPED_DATA, /**< more overlapped bytes than were measured */
    NEREUS_NOTE_CORES,           /**< cores of a node: measured, requested */
    NEREUS_NOTE_T_ITER,          /**< outside the measured seconds: minimum, maximum, requested */
    NEREUS_NOTE_TOO_LATE,        /**< would end after the application */
    NEREUS_NOTE_WEIGHTED,        /**< the distribution was priced as equal blocks */
    NEREUS_NOTE_KEEP,
    NEREUS_NOTE_OVERLAP, /**< text: the overlap that is carried out instead; NULL: none */
    NEREUS_NOTE_LATER    /**< the notes after this one describe the later shrink */
};

struct nereus_note {
    enum nereus_note_code code;
    const char *text; /**< name of a prior, owned by the profile; NULL: none */
    double values[3];
};

/** Room for all notes of a prediction; longer texts are cut. */
enum { NEREUS_NOTE_TEXT_MAX = 256 };

/**
 * Format notes in one line.
 * @param[out] text  `size` characters, usually NEREUS_NOTE_TEXT_MAX
 * @return text: the notes, separated by "; "
 */
char *nereus_notes_format(const struct nereus_note *notes, int count, char *text, size_t size);

NEREUS_END_C
#endif
