/** @file note.c  Turns the notes of a prediction into text. */
#include "nereus/note.h"

#include "model/util/base.h"

/* @param v  minimum, maximum, requested; 0: unknown */
static int format_range(const double v[3], const char *how, int digits, const char *unit,
                        char *text, size_t size)
{
    char min[32] = "", requested[32] = "";
    if (v[0] < v[1])
        nereus_snprintf(min, sizeof min, "%.*g to ", digits, v[0]);
    if (v[2] > 0)
        nereus_snprintf(requested, sizeof requested, ", not %.*g", digits, v[2]);
    return nereus_snprintf(text, size, "measured %s %s%.*g %s%s", how, min, digits, v[1], unit,
                           requested);
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
        return format_range(v, "with", 15, "targets", text, size);
    case NEREUS_NOTE_SOURCES:
        return format_range(v, "with", 15, "sources", text, size);
    case NEREUS_NOTE_LOAD:
        return nereus_snprintf(text, size, "measured with up to %.3g processes a core, not %.3g",
                               v[0], v[1]);
    case NEREUS_NOTE_BYTES:
        return format_range(v, "with", 3, "bytes", text, size);
    case NEREUS_NOTE_OVERLAPPED_DATA:
        return snprintf(text, size, "measured with less data during iterations");
    case NEREUS_NOTE_CORES:
        return nereus_snprintf(text, size, "measured on nodes of %.0f core%s, not %.0f", v[0],
                               nereus_plural_s((int64_t)v[0]), v[1]);
    case NEREUS_NOTE_T_ITER:
        return format_range(v, "during iterations of", 3, "s", text, size);
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
