/**
 * @file note.h
 * Notes: why a prediction is less certain, as a code with values. The text is made on printing, as
 * a prediction is computed far more often than it is printed.
 */
#ifndef NEREUS_NOTE_H
#define NEREUS_NOTE_H

#include <stddef.h>

#include "status.h"

NEREUS_BEGIN_C

/** With the values that each has. The four stand-ins are in this order: add 1 if the stand-in is a
 * part of the price, 2 if there are others. */
enum nereus_note_code {
    NEREUS_NOTE_STAND_IN,             /**< what was not measured is priced as the text says */
    NEREUS_NOTE_STAND_IN_PART,        /**< seconds of it, of the whole price */
    NEREUS_NOTE_STAND_IN_OTHERS,      /**< seconds of the other stand-ins */
    NEREUS_NOTE_STAND_IN_PART_OTHERS, /**< all three */
    NEREUS_NOTE_ASSUMED,              /**< the text alone */
    NEREUS_NOTE_TARGETS,              /**< outside the measured range: least, most, asked */
    NEREUS_NOTE_SOURCES,
    NEREUS_NOTE_LOAD,            /**< processes a core: most, asked */
    NEREUS_NOTE_BYTES,           /**< values: least and most bytes that were redistributed */
    NEREUS_NOTE_OVERLAPPED_DATA, /**< more bytes than were measured */
    NEREUS_NOTE_CORES,           /**< cores of a node: measured, asked */
    NEREUS_NOTE_T_ITER,          /**< seconds: least, most, asked */
    NEREUS_NOTE_TOO_LATE,        /**< would end after the application */
    NEREUS_NOTE_WEIGHTED,        /**< the distribution was priced as equal blocks */
    NEREUS_NOTE_KEEP,
    NEREUS_NOTE_OVERLAP, /**< carried out with the overlap of the text; NULL: with none */
    NEREUS_NOTE_LATER    /**< the notes after it are of the later shrink */
};

struct nereus_note {
    enum nereus_note_code code;
    const char *text; /**< name of a stand-in, owned by the profile; NULL: none */
    double values[3];
};

/** Room for all notes of a prediction; longer texts are cut. */
enum { NEREUS_NOTE_TEXT_MAX = 256 };

/** Print notes, separated by "; ". @return text, "" if there are none */
char *nereus_notes_print(const struct nereus_note *notes, int count, char *text, size_t size);

NEREUS_END_C
#endif
