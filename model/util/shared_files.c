/**
 * @file shared_files.c
 * Removes files that MPICH, UCX or Open MPI left in shared memory. Their names do not tell which
 * job a file belongs to, and other jobs may run on this host. So a file is removed only if it is
 * new, belongs to this user, and no process uses it, which the kernel knows: it grants a write
 * lease only on a file that no process has open or mapped, also for processes of other containers,
 * which /proc may not show.
 */
/* F_SETLEASE, F_SETSIG */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "shared_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum nereus_shared_file nereus_shared_file_kind(const char *name)
{
    static const struct {
        const char *begins;
        enum nereus_shared_file file;
    } files[] = {{"mpich_", NEREUS_SHARED_OF_WORLD},           /* MPICH */
                 {"ucx_shm_posix_", NEREUS_SHARED_OF_PROCESS}, /* UCX */
                 {"sm_segment.", NEREUS_SHARED_OF_PROCESS}};   /* Open MPI */
    for (size_t i = 0; i < NEREUS_COUNT_OF(files); i++)
        if (nereus_text_begins_with(name, files[i].begins))
            return files[i].file;
    return NEREUS_SHARED_OF_NONE;
}

static bool is_of_mpi(const struct dirent *entry)
{
    return nereus_shared_file_kind(entry->d_name) != NEREUS_SHARED_OF_NONE;
}

static void free_names(struct nereus_shared_files *earlier_files)
{
    for (int i = 0; i < earlier_files->count; i++)
        free(earlier_files->names[i]);
    free(earlier_files->names);
    *earlier_files = (struct nereus_shared_files){.folder = earlier_files->folder, .count = -1};
}

static bool add_name(struct nereus_shared_files *earlier_files, const char *name)
{
    char **names = nereus_grow(earlier_files->names, earlier_files->count, sizeof *names);
    if (names == NULL)
        return false;
    earlier_files->names = names;
    names[earlier_files->count] = strdup(name);
    return names[earlier_files->count] != NULL && ++earlier_files->count > 0;
}

void nereus_shared_files_record(const char *folder, struct nereus_shared_files *earlier_files)
{
    *earlier_files = (struct nereus_shared_files){.folder = folder, .count = -1};
    DIR *stream = opendir(folder);
    if (stream == NULL)
        return;
    bool complete = true;
    earlier_files->count = 0;
    for (const struct dirent *entry; complete && (entry = readdir(stream)) != NULL;)
        complete = !is_of_mpi(entry) || add_name(earlier_files, entry->d_name);
    closedir(stream);
    if (!complete)
        free_names(earlier_files);
}

static bool existed_before(const struct nereus_shared_files *earlier_files, const char *name)
{
    for (int i = 0; i < earlier_files->count; i++)
        if (strcmp(earlier_files->names[i], name) == 0)
            return true;
    return false;
}

/* Is the file a regular one of this user, created or renamed within `seconds` (0: at any time)? */
static bool belongs_to_user(int file, double seconds)
{
    struct stat file_status;
    struct timespec now;
    return file >= 0 && fstat(file, &file_status) == 0 && S_ISREG(file_status.st_mode) &&
           file_status.st_uid == geteuid() && clock_gettime(CLOCK_REALTIME, &now) == 0 &&
           (seconds <= 0 || (double)(now.tv_sec - file_status.st_ctim.tv_sec) <= seconds);
}

/* While the lease is held, an open by another process blocks, and the kernel signals this
 * process: SIGURG, which is ignored by default. */
static bool remove_if_unused(int in, const char *name, double seconds, bool *is_of_user)
{
    const int file = openat(in, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *is_of_user = belongs_to_user(file, seconds);
    const bool removed = *is_of_user && fcntl(file, F_SETSIG, SIGURG) == 0 &&
                         fcntl(file, F_SETLEASE, F_WRLCK) == 0 && unlinkat(in, name, 0) == 0;
    if (file >= 0)
        close(file);
    return removed;
}

int nereus_shared_files_remove(struct nereus_shared_files *earlier_files)
{
    int removed = 0;
    bool is_of_user;
    DIR *stream = earlier_files->count >= 0 ? opendir(earlier_files->folder) : NULL;
    for (const struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;)
        if (is_of_mpi(entry) && !existed_before(earlier_files, entry->d_name))
            removed += remove_if_unused(dirfd(stream), entry->d_name, 0, &is_of_user);
    if (stream != NULL)
        closedir(stream);
    free_names(earlier_files);
    return removed;
}

int nereus_shared_files_remove_young(const char *folder, double seconds)
{
    int left = 0;
    DIR *stream = opendir(folder);
    for (const struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        bool is_of_user = false;
        const bool removed = is_of_mpi(entry) &&
                             remove_if_unused(dirfd(stream), entry->d_name, seconds, &is_of_user);
        left += is_of_user && !removed;
    }
    if (stream != NULL)
        closedir(stream);
    return left;
}
