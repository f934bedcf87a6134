/**
 * @file ini.h
 * INI files (inih): sections and keys one by one, every error with file and line.
 */
#ifndef NEREUS_INI_H
#define NEREUS_INI_H

#include "nereus/status.h"

/** What takes the lines. Sentences of its errors have no place: the reader puts FILE:LINE before
 * them, and reads no further. */
struct nereus_ini_taker {
    const char *sections; /**< how a header reads, for sentences: "[general] or [stage0]" */
    enum nereus_status (*section)(void *user, const char *name, int line, struct nereus_error *err);
    /** of the last section; without blanks around it, and without a comment */
    enum nereus_status (*value)(void *user, const char *key, const char *value, int line,
                                struct nereus_error *err);
};

/**
 * Read the text of an INI file. Comments begin with # or ; at the start of a line, and with " #"
 * behind a value. Indented lines are keys.
 * @param[in] file  its name, for sentences
 * @return NEREUS_ERR_PARSE with "FILE:LINE: ..." for the first line that is not understood; what
 *     the taker returned; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_ini_read(const char *file, const char *text,
                                   const struct nereus_ini_taker *taker, void *user,
                                   struct nereus_error *err);

#endif
