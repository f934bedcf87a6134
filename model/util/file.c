/** @file file.c  Reads, replaces and locks files, appends lines to them, makes and removes folders
 * (file.h). */
#include "file.h"

#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "home.h"
#include "model/util/text_file.h"

enum nereus_status nereus_file_read(const char *path, const char *what, char **text, size_t *length,
                                    struct nereus_error *err)
{
    struct nereus_text_file file;
    NEREUS_TRY(nereus_text_open(path, what, &file, err));
    const enum nereus_status status = nereus_text_read_rest(&file, text, length, err);
    nereus_text_close(&file);
    return status;
}

/* The absolute path of a missing file in a folder that exists: realpath of glibc returns the path
 * up to the missing component, which must be the last. */
static bool resolve_missing(const char *path, char resolved[PATH_MAX])
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 0, path);
    resolved[0] = '\0';
    return realpath(path, resolved) == NULL && errno == ENOENT && resolved[0] != '\0' &&
           (slash == NULL || access(folder, F_OK) == 0);
}

bool nereus_file_is_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    char where_a[PATH_MAX], where_b[PATH_MAX];
    const bool is_a = stat(a, &of_a) == 0, is_b = stat(b, &of_b) == 0;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    if (is_a && is_b)
        return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    return !is_a && !is_b &&
           (strcmp(a, b) == 0 || (resolve_missing(a, where_a) && resolve_missing(b, where_b) &&
                                  strcmp(where_a, where_b) == 0));
}

bool nereus_file_is_among(const char *path, char *const *others, int count)
{
    bool is_one = false;
    for (int i = 0; i < count && !is_one; i++)
        is_one = strcmp(path, others[i]) == 0 || nereus_file_is_same(path, others[i]);
    return is_one;
}

static enum nereus_status fail_write(const char *path, struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_IO, "'%.200s' cannot be written: %s", path, strerror(errno));
}

/* Text that a stream writes to memory; this struct must not move. */
struct nereus_file_text {
    char *bytes;
    size_t count;
};

static void free_replace(struct nereus_file_replace *replace)
{
    free(replace->path);
    free(replace->temporary);
    free(replace->text != NULL ? replace->text->bytes : NULL);
    free(replace->text);
    memset(replace, 0, sizeof *replace);
}

/* Create a new file in the same folder. Not by mkstemp: permissions follow the umask. */
static int create_temporary(const char *path, char **temporary)
{
    static atomic_uint counter;
    size_t size = strlen(path) + 48;
    char *name = malloc(size);
    if (name == NULL)
        return -1;
    int descriptor = -1;
    for (int attempt = 0; attempt < 100 && descriptor < 0; attempt++) {
        snprintf(name, size, "%s.%ld-%u.new", path, (long)getpid(), atomic_fetch_add(&counter, 1));
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    if (descriptor < 0) {
        free(name);
        return -1;
    }
    *temporary = name;
    return descriptor;
}

/* @return NULL, and errno says why */
static FILE *open_temporary(struct nereus_file_replace *replace, const struct stat *old)
{
    /* a rename would succeed, but the file is write-protected */
    if (old != NULL && access(replace->path, W_OK) != 0)
        return NULL;
    const int descriptor = create_temporary(replace->path, &replace->temporary);
    if (descriptor >= 0 && old != NULL) {
        /* Keep the old file's permissions where allowed, else the umask's. */
        (void)!fchmod(descriptor, old->st_mode & 07777);
    }
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (descriptor >= 0 && stream == NULL)
        close(descriptor);
    return stream;
}

static FILE *open_memory(struct nereus_file_replace *replace)
{
    replace->text = calloc(1, sizeof *replace->text);
    return replace->text == NULL ? NULL
                                 : open_memstream(&replace->text->bytes, &replace->text->count);
}

static FILE *open_for_writing(struct nereus_file_replace *replace)
{
    struct stat old;
    const bool exists = stat(replace->path, &old) == 0;
    errno = 0;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return NULL;
    }
    return exists && !S_ISREG(old.st_mode) ? open_memory(replace)
                                           : open_temporary(replace, exists ? &old : NULL);
}

enum nereus_status nereus_file_replace_begin(const char *path, struct nereus_file_replace *replace,
                                             struct nereus_error *err)
{
    struct nereus_file_replace begun = {0};
    const bool to_output = strcmp(path, "-") == 0;
    if (path[0] == '\0')
        return nereus_fail(err, NEREUS_ERR_IO, "an empty path cannot be written");
    char *in_home = nereus_home_path(path);
    const char *place = in_home != NULL ? in_home : path;
    begun.path = to_output ? NULL : realpath(place, NULL); /* through links, if it exists */
    if (begun.path == NULL)
        begun.path = strdup(place);
    free(in_home);
    NEREUS_TRY_MEMORY(begun.path, err, "to write '%.200s'", path);
    begun.stream = to_output ? stdout : open_for_writing(&begun);
    if (begun.stream == NULL) {
        const enum nereus_status status = fail_write(path, err);
        nereus_file_replace_abort(&begun);
        return status;
    }
    *replace = begun;
    return NEREUS_OK;
}

void nereus_file_sync_folder(const char *folder)
{
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)!fsync(descriptor);
        close(descriptor);
    }
}

/* A rename is on disk when its folder is. */
static void sync_parent(const char *path)
{
    char *folder = strdup(path);
    if (folder == NULL)
        return;
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[1] = '\0';
    nereus_file_sync_folder(slash != NULL ? folder : ".");
    free(folder);
}

/* stdio records that a write failed, not why: another write fails for the same reason. */
static int find_write_error(FILE *stream)
{
    errno = 0;
    const bool written = !ferror(stream) || write(fileno(stream), "\n", 1) == 1;
    return written || errno == 0 ? EIO : errno;
}

enum nereus_status nereus_file_replace_commit(struct nereus_file_replace *replace,
                                              struct nereus_error *err)
{
    FILE *stream = replace->stream;
    bool to_disk = replace->temporary != NULL && !replace->transient;
    errno = 0;
    bool written = fflush(stream) == 0 && ferror(stream) == 0;
    written = written && (!to_disk || fsync(fileno(stream)) == 0);
    int reason = written ? 0 : errno != 0 ? errno : find_write_error(stream);
    replace->stream = NULL;
    if (stream != stdout && fclose(stream) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written && replace->text != NULL &&
        !nereus_file_append(replace->path, replace->text->bytes, replace->text->count)) {
        written = false;
        reason = errno;
    }
    if (written && replace->temporary != NULL && rename(replace->temporary, replace->path) != 0) {
        written = false;
        reason = errno;
    }
    if (!written) {
        errno = reason;
        enum nereus_status status = fail_write(replace->path, err);
        nereus_file_replace_abort(replace);
        return status;
    }
    if (to_disk)
        sync_parent(replace->path);
    free_replace(replace);
    return NEREUS_OK;
}

enum nereus_status nereus_file_rename_durably(const char *written, const char *path,
                                              struct nereus_error *err)
{
    const int descriptor = open(written, O_RDONLY | O_CLOEXEC);
    const bool on_disk = descriptor >= 0 && fsync(descriptor) == 0;
    const int reason = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = reason;
    if (!on_disk || rename(written, path) != 0)
        return fail_write(path, err);
    sync_parent(path);
    return NEREUS_OK;
}

/* Remove a part of a line, unless another process has appended since. */
static void undo_append(int file, size_t bytes)
{
    struct stat info;
    const off_t end = lseek(file, 0, SEEK_CUR);
    if (bytes > 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == end)
        (void)!ftruncate(file, end - (off_t)bytes);
}

/* Does the last line lack an end? Another descriptor reads, as `file` is write-only. */
static bool is_cut_off(const char *path, int file)
{
    struct stat info;
    char last = '\n';
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
        return false;
    const int reader = open(path, O_RDONLY | O_CLOEXEC);
    if (reader >= 0) {
        (void)!pread(reader, &last, 1, info.st_size - 1);
        close(reader);
    }
    return last != '\n';
}

/* Open without waiting for a reader of a named pipe; writes then wait for a slow reader. */
static int open_to_append(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0 && errno == ENXIO)
        errno = EPIPE;
    else if (file >= 0)
        fcntl(file, F_SETFL, O_APPEND);
    return file;
}

/* Write as write() does, but a pipe without a reader gives EPIPE alone, and no signal. */
static ssize_t write_quietly(int file, const char *text, size_t bytes)
{
    const struct timespec now = {0};
    sigset_t pipe, old_mask, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe, &old_mask);
    const ssize_t written = write(file, text, bytes);
    const int reason = errno;
    if (!sigismember(&pending, SIGPIPE)) /* also after a partial write */
        sigtimedwait(&pipe, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &old_mask, NULL);
    errno = reason;
    return written;
}

static bool append_once(const char *path, const char *text, size_t bytes)
{
    const bool to_output = strcmp(path, "-") == 0;
    const int file = to_output ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open_to_append(path);
    if (file >= 0 && !to_output && is_cut_off(path, file))
        (void)!write(file, "\n", 1); /* if it fails, the next write says why */
    size_t done = 0;
    ssize_t written = file >= 0 ? 0 : -1;
    while (written >= 0 && done < bytes) { /* a full disk says why in the next write */
        const ssize_t more = to_output ? write(file, text + done, bytes - done)
                                       : write_quietly(file, text + done, bytes - done);
        if (more < 0 && errno == EINTR)
            continue;
        written = more > 0 ? more : -1;
        done += more > 0 ? (size_t)more : 0;
    }
    const int reason = errno;
    if (file >= 0 && written < 0)
        undo_append(file, done);
    if (file >= 0 && close(file) != 0 && written >= 0)
        return false;
    errno = reason;
    return written >= 0;
}

bool nereus_file_append(const char *path, const char *text, size_t bytes)
{
    char *in_home = nereus_home_path(path);
    const bool written = append_once(in_home != NULL ? in_home : path, text, bytes);
    const int reason = errno;
    free(in_home);
    errno = reason;
    return written;
}

void nereus_file_replace_abort(struct nereus_file_replace *replace)
{
    if (replace->stream != NULL && replace->stream != stdout)
        fclose(replace->stream);
    if (replace->temporary != NULL)
        unlink(replace->temporary);
    free_replace(replace);
}

enum nereus_status nereus_file_make_folder(const char *folder, struct nereus_error *err)
{
    char path[PATH_MAX];
    struct stat found;
    snprintf(path, sizeof path, "%s", folder);
    for (char *end = path, here = '/'; here != '\0'; *end = here) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        here = *end;
        *end = '\0';
        if (mkdir(path, 0777) == 0)
            continue;
        /* Not EEXIST alone: file servers say EACCES or EROFS of a folder that is there. */
        const int reason = errno;
        if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode))
            return nereus_fail(err, NEREUS_ERR_IO, "the folder '%.300s' cannot be made: %s", path,
                               strerror(reason));
    }
    return NEREUS_OK;
}

static int remove_entry(const char *path, const struct stat *file_status, int kind,
                        struct FTW *place)
{
    (void)file_status;
    (void)kind;
    (void)place;
    return remove(path);
}

void nereus_file_remove_tree(const char *folder)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* By open file description locks, which file servers know. */
enum nereus_file_lock nereus_file_lock(int descriptor, bool wait)
{
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int failed;
    do
        failed = fcntl(descriptor, wait ? F_OFD_SETLKW : F_OFD_SETLK, &range);
    while (failed != 0 && errno == EINTR);
    if (failed == 0)
        return NEREUS_FILE_LOCKED;
    return errno == EWOULDBLOCK ? NEREUS_FILE_LOCK_BUSY : NEREUS_FILE_LOCK_NONE;
}

static bool has_path(int descriptor, const char *path)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

enum nereus_file_lock nereus_file_open_locked(const char *path, int *descriptor, bool *created)
{
    const int flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC;
    enum nereus_file_lock lock = NEREUS_FILE_LOCK_NONE;
    *descriptor = -1;
    do {
        if (*descriptor >= 0)
            close(*descriptor);
        *descriptor = open(path, flags | O_EXCL, 0666);
        *created = *descriptor >= 0;
        if (*descriptor < 0 && errno == EEXIST)
            *descriptor = open(path, flags, 0666);
        if (*descriptor >= 0)
            lock = nereus_file_lock(*descriptor, false);
    } while (*descriptor >= 0 && lock != NEREUS_FILE_LOCK_BUSY && !has_path(*descriptor, path));
    if (lock == NEREUS_FILE_LOCK_BUSY && *descriptor >= 0) {
        close(*descriptor);
        *descriptor = -1;
    }
    return lock;
}
