/** @file folder.c  Finds, makes and locks the folder of the sockets, and checks its permissions
 * (folder.h). */
#include "folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum nereus_status nereus_job_name_check(const char *name, struct nereus_error *err)
{
    size_t length = 0;
    while (nereus_is_letter_or_digit(name[length]) ||
           (length > 0 && name[length] != '\0' && strchr("._-", name[length]) != NULL))
        length++;
    if (length == 0 || name[length] != '\0' || length >= NEREUS_JOB_NAME_MAX) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "'%.160s' is no name of a job: up to %d letters, digits, '.', '_' or '-', "
            "of which the first is a letter or a digit",
            name, NEREUS_JOB_NAME_MAX - 1);
    }
    return NEREUS_OK;
}

/* Is it a directory, not a link, that only this user can access? Then no other user can read
 * requests, or answer. */
static bool is_own(const char *folder)
{
    struct stat found;
    return lstat(folder, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
           (found.st_mode & 0777) == 0700;
}

static bool can_be_had(const char *folder)
{
    return (mkdir(folder, 0700) == 0 || errno == EEXIST) && is_own(folder);
}

/*
 * Find the first by name of this user's folders "BASE/nereus-UID-...".
 * @param begin  "nereus-UID-"
 */
static bool find_further(const char *base, const char *begin, char *folder)
{
    char path[NEREUS_JOB_PATH_MAX];
    DIR *stream = opendir(base);
    bool is_found = false;
    for (const struct dirent *entry = stream != NULL ? readdir(stream) : NULL; entry != NULL;
         entry = readdir(stream)) {
        if (nereus_text_begins_with(entry->d_name, begin) &&
            snprintf(path, sizeof path, "%s/%s", base, entry->d_name) < (int)sizeof path &&
            is_own(path) && (!is_found || strcmp(path, folder) < 0)) {
            memcpy(folder, path, sizeof path);
            is_found = true;
        }
    }
    if (stream != NULL)
        closedir(stream);
    return is_found;
}

/* Lock `base`, so that only one process at a time looks for a further folder and makes it. Another
 * user may hold the lock forever, so the wait is short.
 * @return a descriptor, possibly without the lock; -1: none */
static int try_lock(const char *base)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    const int fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int tries = 100; fd >= 0 && tries > 0 && flock(fd, LOCK_EX | LOCK_NB) != 0; tries--)
        nanosleep(&pause, NULL);
    return fd;
}

/* Another user may create BASE/nereus-UID first, and remove it later. So there are further folders,
 * with unpredictable names; an existing one is used even when BASE/nereus-UID has become available,
 * so that a job and its clients find the same folder. */
enum nereus_status nereus_job_folder_below(const char *base, char *folder, struct nereus_error *err)
{
    char begin[32];
    snprintf(begin, sizeof begin, "nereus-%lu-", (unsigned long)geteuid());
    if (find_further(base, begin, folder))
        return NEREUS_OK;
    snprintf(folder, NEREUS_JOB_PATH_MAX, "%s/%.*s", base, (int)strlen(begin) - 1, begin);
    if (can_be_had(folder))
        return NEREUS_OK;
    const int held = try_lock(base);
    bool is_there = find_further(base, begin, folder);
    if (!is_there) {
        snprintf(folder, NEREUS_JOB_PATH_MAX, "%s/%sXXXXXX", base, begin);
        is_there = mkdtemp(folder) != NULL && /* without the lock there may be two */
                   find_further(base, begin, folder);
    }
    const int why = errno;
    if (held >= 0)
        close(held);
    return is_there ? NEREUS_OK
                    : nereus_fail(err, NEREUS_ERR_IO,
                                  "no folder in which jobs answer can be made in %s: %s (set "
                                  "XDG_RUNTIME_DIR to a folder of your own)",
                                  base, strerror(why));
}

enum nereus_status nereus_job_folder(char *folder, struct nereus_error *err)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    struct stat found;
    if (runtime != NULL && runtime[0] == '/' && stat(runtime, &found) == 0 &&
        found.st_uid == geteuid() && access(runtime, W_OK | X_OK) == 0) {
        if (snprintf(folder, NEREUS_JOB_PATH_MAX, "%s/nereus", runtime) >=
            (int)NEREUS_JOB_PATH_MAX) {
            return nereus_fail(err, NEREUS_ERR_IO,
                               "XDG_RUNTIME_DIR is too long for the address of a socket: at most "
                               "%d characters with the job's name",
                               (int)NEREUS_JOB_PATH_MAX - 1);
        }
        if (can_be_had(folder))
            return NEREUS_OK;
    }
    return nereus_job_folder_below("/tmp", folder, err);
}

enum nereus_status nereus_job_address(const char *folder, const char *name,
                                      struct sockaddr_un *address, struct nereus_error *err)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (snprintf(address->sun_path, sizeof address->sun_path, "%s/%s", folder, name) >=
        (int)sizeof address->sun_path) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%.100s/%.160s' is too long for a socket: at most %d characters",
                           folder, name, (int)sizeof address->sun_path - 1);
    }
    return NEREUS_OK;
}

int nereus_job_folder_lock(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && flock(fd, LOCK_EX) != 0) {
        if (errno != EINTR) { /* EINTR: a signal of the program */
            close(fd);
            return -1;
        }
    }
    return fd;
}

/* Create, lock and remove a lock file only with the folder locked, so that no process locks a
 * removed file. Its name begins with '.', which no name of a job does. */
enum nereus_status nereus_job_lock_acquire(const char *name, const char *busy,
                                           struct nereus_job_lock *lock, struct nereus_error *err)
{
    char folder[NEREUS_JOB_PATH_MAX];
    NEREUS_TRY(nereus_job_folder(folder, err));
    snprintf(lock->path, sizeof lock->path, "%s/.%.70s", folder, name);
    const int held = nereus_job_folder_lock(folder);
    lock->fd = held >= 0 ? open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    const bool taken = lock->fd >= 0 && flock(lock->fd, LOCK_EX | LOCK_NB) == 0;
    const int why = errno;
    if (held >= 0)
        close(held);
    if (taken)
        return NEREUS_OK;
    if (lock->fd >= 0)
        close(lock->fd);
    return why == EWOULDBLOCK ? nereus_fail(err, NEREUS_ERR_BUSY, "%s", busy)
                              : nereus_fail(err, NEREUS_ERR_IO, "the lock '%s' cannot be taken: %s",
                                            lock->path, strerror(why));
}

void nereus_job_lock_release(struct nereus_job_lock *lock)
{
    char folder[NEREUS_JOB_PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(lock->path, '/') - lock->path),
             lock->path);
    const int held = nereus_job_folder_lock(folder);
    if (held >= 0) {
        unlink(lock->path);
        close(held);
    }
    close(lock->fd);
}

void nereus_job_remove_dead_socket(const char *folder, const char *name)
{
    struct sockaddr_un address;
    const int held = nereus_job_folder_lock(folder),
              fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (held >= 0 && fd >= 0 && nereus_job_address(folder, name, &address, NULL) == NEREUS_OK &&
        connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 &&
        errno == ECONNREFUSED)
        unlink(address.sun_path);
    if (fd >= 0)
        close(fd);
    if (held >= 0)
        close(held);
}

bool nereus_job_peer_is_own(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}
