/**
 * @file file.h
 * Reads text files, replaces them as a whole, appends lines to them, and locks them.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/status.h"

/** Read a whole text file, as text_file.h does.
 * @param[in]  what    the kind of file, for sentences: "host file"
 * @param[out] text    zero-terminated; to be freed
 * @param[out] length  without the terminator; may be NULL
 * @return NEREUS_ERR_IO; NEREUS_ERR_PARSE: empty, not a text, or longer than NEREUS_FILE_BYTES_MAX
 */
enum nereus_status nereus_file_read(const char *path, const char *what, char **text, size_t *length,
                                    struct nereus_error *err);

/** Do two paths name the same regular file, through links or before it exists? Not "-". */
bool nereus_file_is_same(const char *a, const char *b);

/** Is a path among others? "-" may be among them. */
bool nereus_file_is_among(const char *path, char *const *others, int count);

/**
 * A temporary file that replaces a file: readers of the path see the old file until the commit, and
 * then the new one. Links are followed. To a path that is no regular file (a device, a pipe) the
 * commit appends; "-" is standard output.
 *
 *     NEREUS_TRY(nereus_file_replace_begin(path, &replace, err));
 *     fprintf(replace.stream, ...);
 *     status = nereus_file_replace_commit(&replace, err);   // or nereus_file_replace_abort
 */
struct nereus_file_text;
struct nereus_file_replace {
    FILE *stream; /**< the commit finds errors of the stream */
    char *path;
    char *temporary;               /**< its path; NULL: `text` is used */
    struct nereus_file_text *text; /**< text in memory, which the commit appends */
    /** set it if the file need not survive a power failure: the commit then does not wait for the
     * disk */
    bool transient;
};

/** Begin to replace a file; end with commit or abort.
 * @return NEREUS_ERR_IO */
enum nereus_status nereus_file_replace_begin(const char *path, struct nereus_file_replace *replace,
                                             struct nereus_error *err);

/** Write to disk and rename; on an error, also an earlier error of the stream, the temporary file
 * is removed. */
enum nereus_status nereus_file_replace_commit(struct nereus_file_replace *replace,
                                              struct nereus_error *err);

/** Write the entries of a folder to disk. A file system that cannot do this is no failure. */
void nereus_file_sync_folder(const char *folder);

/** Rename a written file, with its data on disk before: after a power failure the path has the
 * whole file or none. */
enum nereus_status nereus_file_rename_durably(const char *written, const char *path,
                                              struct nereus_error *err);

/** Append lines to a file ("-": standard output) by one write if possible, as several processes may
 * append to it. If the last line has no end, as after a kill, they begin on a new line.
 * @return false, with errno: no line was written; or a part, if another process has appended
 * meanwhile */
bool nereus_file_append(const char *path, const char *text, size_t bytes);

/** Make a folder and its parents, unless they are there.
 * @return NEREUS_ERR_IO */
enum nereus_status nereus_file_make_folder(const char *folder, struct nereus_error *err);

/** Remove a folder with all that is in it; links are not followed, failures ignored. */
void nereus_file_remove_tree(const char *folder);

/** Drop the new file: the old one stays. No effect after a commit, or for a zeroed struct. */
void nereus_file_replace_abort(struct nereus_file_replace *replace);

/** The lock of a file against other processes, also on other hosts where the file system can. */
enum nereus_file_lock {
    NEREUS_FILE_LOCKED,
    NEREUS_FILE_LOCK_BUSY, /**< another process holds the lock */
    /** it cannot be locked, and errno says why: some file systems have no locks (Lustre without the
     * option flock, NFS without a lock server) */
    NEREUS_FILE_LOCK_NONE
};

/** Lock a file that is open for writing, until its descriptor and all copies of it are closed.
 * @param wait  wait until no other process holds the lock */
enum nereus_file_lock nereus_file_lock(int descriptor, bool wait);

/** Open a file to read and to append, and lock it, without waiting. If the path names another file
 * by then, as one was renamed to it or it was removed, that one is opened instead: two processes
 * never hold the lock of one path if only its holder replaces the file.
 * @param[out] descriptor  -1: another process holds the lock, or errno says why it is not open
 * @param[out] created     this call made the file */
enum nereus_file_lock nereus_file_open_locked(const char *path, int *descriptor, bool *created);
