/** @file note.c  Turns the notes of a prediction into text. */
#include "nereus/note.h"

#include "model/util/base.h"

static int format_sizes(const double v[3], const char *what, char *text, size_t size)
{
    return v[0] < v[1]
               ? nereus_snprintf(text, size, "measured with %.0f to %.0f %s, not %.0f", v[0], v[1],
                                 what, v[2])
               : nereus_snprintf(text, size, "measured with %.0f %s, not %.0f", v[1], what, v[2]);
}

static int format_note(const struct nereus_note *note, char *text, size_t size)
{
    const double *v = note->values;
    switch (note->code) {
    case NEREUS_NOTE_PRIOR:
        return snprintf(text, size, "prior: %s", note->text);
    case NEREUS_NOTE_PRIOR_PART:
        return nereus_snprintf(text, size, "prior: %s (%.3g of %.3g s)", note->text, v[0], v[1]);
    case NEREUS_NOTE_PRIOR_OTHERS:
        return nereus_snprintf(text, size, "prior: %s and others (%.3g s)", note->text, v[2]);
    case NEREUS_NOTE_PRIOR_PART_OTHERS:
        return nereus_snprintf(text, size, "prior: %s (%.3g of %.3g s) and others (%.3g s)",
                               note->text, v[0], v[1], v[2]);
    case NEREUS_NOTE_ASSUMED:
        return snprintf(text, size, "%s", note->text);
    case NEREUS_NOTE_TARGETS:
        return format_sizes(v, "targets", text, size);
    case NEREUS_NOTE_SOURCES:
        return format_sizes(v, "sources", text, size);
    case NEREUS_NOTE_LOAD:
        return nereus_snprintf(text, size, "measured with up to %.3g processes a core, not %.3g",
                               v[0], v[1]);
    case NEREUS_NOTE_BYTES:
        return v[0] < v[1]
                   ? nereus_snprintf(text, size, "measured with %.3g to %.3g bytes", v[0], v[1])
                   : nereus_snprintf(text, size, "measured with %.3g bytes", v[1]);
    case NEREUS_NOTE_OVERLAPPED_DATA:
        return snprintf(text, size, "measured with less data during iterations");
    case NEREUS_NOTE_CORES:
        return nereus_snprintf(text, size, "measured on nodes of %.0f core%s, not %.0f", v[0],
                               nereus_plural_s((int64_t)v[0]), v[1]);
    case NEREUS_NOTE_T_ITER:
        return nereus_snprintf(text, size,
                               "measured during iterations of %.3g to %.3g s, not %.3g s", v[0],
                               v[1], v[2]);
    case NEREUS_NOTE_TOO_LATE:
        return snprintf(text, size,
                        "would end after the last iteration, so that the job would not be resized");
    case NEREUS_NOTE_WEIGHTED:
        return snprintf(text, size, "weighted priced as equal blocks");
    case NEREUS_NOTE_KEEP:
        return snprintf(text, size, "keep priced as equal blocks: an upper bound");
    case NEREUS_NOTE_OVERLAP:
        return snprintf(text, size, "carried out %s%s, as there are more sources than cores",
                        note->text != NULL ? "with the overlap " : "without an overlap",
                        note->text != NULL ? note->text : "");
    case NEREUS_NOTE_LATER:
        return snprintf(text, size, "later shrink: ");
    }
    return 0;
}

char *nereus_notes_format(const struct nereus_note *notes, int count, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < count && length < size; i++) {
        if (i > 0 && notes[i - 1].code != NEREUS_NOTE_LATER)
            length += (size_t)snprintf(text + length, size - length, "; ");
        if (length < size)
            length += (size_t)format_note(&notes[i], text + length, size - length);
    }
    return text;
}
