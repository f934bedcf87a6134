/** @file progress.c  Writes the page of this process, and searches for the pages of other processes
 * in /proc. */
#include "progress.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "nereus-progress"

/* Layout of the file. `sequence` is a sequence lock: a record is valid only if the number is even,
 * and the same before and after reading. */
struct shared {
    uint64_t layout; /* differs between versions of the library */
    _Atomic uint32_t sequence;
    _Atomic int64_t points; /* the record's points, but stored at each point */
    struct nereus_progress record;
};

static const uint64_t this_layout = 0x4e455245 ^ sizeof(struct shared) << 32;

struct nereus_progress_page {
    int fd;
    struct shared *shared;
};

struct nereus_progress_page *nereus_progress_open(void)
{
    struct nereus_progress_page *page = malloc(sizeof *page);
    if (page == NULL)
        return NULL;
    page->fd = memfd_create(FILE_NAME, MFD_CLOEXEC);
    page->shared =
        page->fd < 0 || fchmod(page->fd, S_IRUSR | S_IWUSR) != 0 ||
                ftruncate(page->fd, (off_t)sizeof *page->shared) != 0
            ? MAP_FAILED
            : mmap(NULL, sizeof *page->shared, PROT_READ | PROT_WRITE, MAP_SHARED, page->fd, 0);
    if (page->shared == MAP_FAILED) {
        if (page->fd >= 0)
            close(page->fd);
        free(page);
        return NULL;
    }
    page->shared->layout = this_layout;
    return page;
}

void nereus_progress_close(struct nereus_progress_page *page)
{
    if (page == NULL)
        return;
    munmap(page->shared, sizeof *page->shared);
    close(page->fd);
    free(page);
}

void nereus_progress_write(struct nereus_progress_page *page, const struct nereus_progress *record)
{
    if (page == NULL)
        return;
    atomic_fetch_add(&page->shared->sequence, 1);
    memcpy(&page->shared->record, record, sizeof *record);
    atomic_fetch_add(&page->shared->sequence, 1);
}

void nereus_progress_count(struct nereus_progress_page *page, int64_t points)
{
    if (page != NULL)
        atomic_store_explicit(&page->shared->points, points, memory_order_relaxed);
}

/* Read the page of another process, which may be writing. */
static bool read_page(int fd, struct nereus_progress *record)
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        struct shared first_copy, second_copy;
        if (pread(fd, &first_copy, sizeof first_copy, 0) != (ssize_t)sizeof first_copy ||
            first_copy.layout != this_layout)
            return false;
        if (pread(fd, &second_copy, sizeof second_copy, 0) == (ssize_t)sizeof second_copy &&
            first_copy.sequence % 2 == 0 && first_copy.sequence == second_copy.sequence &&
            first_copy.sequence > 0) {
            memcpy(record, &first_copy.record, sizeof *record);
            return true;
        }
    }
    return false;
}

/* Find the page among the descriptors of a process. A forked child inherits the descriptor with
 * another number.
 * @return a descriptor; -1: there is none */
static int open_page(int proc, const char *pid, struct nereus_progress *record)
{
    static const char wanted[] = "/memfd:" FILE_NAME;
    char path[300], target[sizeof wanted];
    int page = -1;
    snprintf(path, sizeof path, "%s/fd", pid);
    const int folder = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = folder < 0 ? NULL : fdopendir(folder);
    if (list == NULL) {
        if (folder >= 0)
            close(folder);
        return -1;
    }
    for (const struct dirent *entry; page < 0 && (entry = readdir(list)) != NULL;) {
        const ssize_t length = readlinkat(folder, entry->d_name, target, sizeof target - 1);
        if (length != (ssize_t)sizeof target - 1 || memcmp(target, wanted, sizeof target - 1) != 0)
            continue;
        const int fd = openat(folder, entry->d_name, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && read_page(fd, record) && record->pid == strtoll(pid, NULL, 10))
            page = fd;
        else if (fd >= 0)
            close(fd);
    }
    closedir(list);
    return page;
}

static bool read_process(int proc, const char *pid, struct nereus_progress *record)
{
    const int fd = open_page(proc, pid, record);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

int64_t nereus_progress_read_all(struct nereus_progress **records)
{
    int64_t count = 0;
    struct stat info;
    *records = NULL;
    DIR *proc = opendir("/proc");
    for (const struct dirent *entry; proc != NULL && (entry = readdir(proc)) != NULL;) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
            strtoll(entry->d_name, NULL, 10) == getpid() ||
            fstatat(dirfd(proc), entry->d_name, &info, 0) != 0 || info.st_uid != geteuid())
            continue;
        struct nereus_progress *more = nereus_grow(*records, count, sizeof *more);
        if (more == NULL)
            break;
        *records = more;
        count += read_process(dirfd(proc), entry->d_name, &(*records)[count]);
    }
    if (proc != NULL)
        closedir(proc);
    return count;
}

/* ---- another process, which may end ---------------------------------------------------------- */

struct nereus_progress_page *nereus_progress_open_other(int64_t pid)
{
    char name[32];
    struct nereus_progress record;
    const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct nereus_progress_page *page = malloc(sizeof *page);
    snprintf(name, sizeof name, "%lld", (long long)pid);
    const int fd = proc >= 0 && page != NULL ? open_page(proc, name, &record) : -1;
    if (proc >= 0)
        close(proc);
    struct shared *shared =
        fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, fd, 0);
    if (shared == MAP_FAILED) {
        if (fd >= 0)
            close(fd);
        free(page);
        return NULL;
    }
    *page = (struct nereus_progress_page){fd, shared};
    return page;
}

int64_t nereus_progress_points(const struct nereus_progress_page *page)
{
    return page == NULL || page->shared->record.left
               ? -1
               : atomic_load_explicit(&page->shared->points, memory_order_relaxed);
}
