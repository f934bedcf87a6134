/**
 * @file file.h
 * Whole text files: read with a sentence for everything that may be wrong, replaced as a whole or
 * not at all.
 */
#ifndef NEREUS_FILE_H
#define NEREUS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "nereus/status.h"

/**
 * Read a whole text file, as text_file.h reads it.
 * @param[in]  what    the kind of file, for sentences ("profile", "host file")
 * @param[out] text    zero-terminated; to be freed with free()
 * @param[out] length  without the terminator; may be NULL
 * @return NEREUS_ERR_IO: missing, unreadable, a folder; NEREUS_ERR_PARSE: empty, not a text, or
 *    longer than NEREUS_FILE_BYTES_MAX; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_file_read(const char *path, const char *what, char **text, size_t *length,
                                    struct nereus_error *err);

/**
 * Do two paths name one file, however they are spelt (links too)? Also when it is not there yet:
 * what is written to one would be found at the other. Devices, pipes and "-" are nobody's: false.
 */
bool nereus_file_same(const char *a, const char *b);

/** Is a path, however it is spelt, one of others? "-" may be one, too. */
bool nereus_file_among(const char *path, char *const *others, int count);

/**
 * A temporary file in the folder of the file that it will replace. Whoever
 * reads the path sees the old file until the commit and the whole new one afterwards. Links are
 * followed. What is no regular file (/dev/stdout, a pipe) cannot be replaced and is written to
 * directly, and "-" is standard output.
 *
 *     struct nereus_file_replace replace;
 *     status = nereus_file_replace_begin(path, &replace, err);
 *     if (status == NEREUS_OK) {
 *         fprintf(replace.stream, ...);
 *         status = nereus_file_replace_commit(&replace, err);   // or
 *                                                               nereus_file_replace_abort(&replace)
 *     }
 */
struct nereus_file_replace {
    FILE *stream;    /**< write here; errors may be left to the commit */
    char *path;      /**< what will be replaced */
    char *temporary; /**< what is being written; NULL: the path itself */
    /** set it where the file need not survive a power failure: the commit then does not wait for
     * the disk */
    bool transient;
};

/** @param[out] replace  on NEREUS_OK to be ended with commit or abort. @return NEREUS_ERR_IO,
 * NEREUS_ERR_MEMORY */
enum nereus_status nereus_file_replace_begin(const char *path, struct nereus_file_replace *replace,
                                             struct nereus_error *err);

/** Write everything to the disk and rename. On an error (also an earlier one of the stream) the
 * temporary file is removed. */
enum nereus_status nereus_file_replace_commit(struct nereus_file_replace *replace,
                                              struct nereus_error *err);

/**
 * Give a file that somebody else has written its name, on the disk too: after a power failure there
 * is the whole file under this name, or none. @return NEREUS_ERR_IO
 */
enum nereus_status nereus_file_keep(const char *written, const char *path,
                                    struct nereus_error *err);

/**
 * Append lines to a file ("-": standard output), by one write where the system allows it: several
 * processes may append to the same file. Where its last line has no end, as after a kill, they begin
 * on a new one.
 * @return false, and errno says why: nothing was written, or, where another process has appended
 * meanwhile, a part
 */
bool nereus_file_append(const char *path, const char *text, size_t bytes);

/** Remove what was written; the old file stays as it was. Nothing to do after a commit or for a
 * zeroed struct. */
void nereus_file_replace_abort(struct nereus_file_replace *replace);

#endif
