/**
 * @file folder.c
 * Finds, numbers and removes the checkpoints of a folder. A folder is removed only if it is named
 * as a checkpoint and has only files of a checkpoint: other programs use such names, too.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "manifest.h"

enum { DIGITS_MAX = 18 };
static const char prefix[] = "checkpoint-";

/* Number in the name of a checkpoint; 0: another name. */
static int64_t parse_number(const char *name)
{
    const size_t length = sizeof prefix - 1;
    if (strncmp(name, prefix, length) != 0 || name[length] < '1' || name[length] > '9' ||
        strlen(name + length) > DIGITS_MAX)
        return 0;
    char *end;
    const long long number = strtoll(name + length, &end, 10);
    return *end == '\0' ? number : 0;
}

/* Drop the slash at the end, which a shell's completion adds. */
static void copy_without_slash(const char *path, char copy[PATH_MAX])
{
    size_t length = strnlen(path, PATH_MAX - 1);
    while (length > 1 && path[length - 1] == '/')
        length--;
    snprintf(copy, PATH_MAX, "%.*s", (int)length, path);
}

int64_t nereus_checkpoint_split_path(const char *path, char *folder)
{
    char copy[PATH_MAX];
    copy_without_slash(path, copy);
    const char *slash = strrchr(copy, '/'), *name = slash != NULL ? slash + 1 : copy;
    const int64_t number = parse_number(name);
    if (number == 0)
        snprintf(folder, PATH_MAX, "%s", path);
    else if (slash == NULL)
        snprintf(folder, PATH_MAX, ".");
    else /* the root keeps its slash */
        snprintf(folder, PATH_MAX, "%.*s", (int)(slash - copy) + (slash == copy), copy);
    return number;
}

static bool make_checkpoint_path(const char *folder, int64_t number, char *path)
{
    const int length = snprintf(path, PATH_MAX, "%s/%s%lld", folder, prefix, (long long)number);
    return length > 0 && length < PATH_MAX;
}

static bool has_manifest(const char *folder, int64_t number)
{
    char path[PATH_MAX], file[PATH_MAX];
    return make_checkpoint_path(folder, number, path) &&
           nereus_manifest_make_path(path, NEREUS_MANIFEST_NAME, file) && access(file, F_OK) == 0;
}

/* Largest number below `limit`.
 * @param complete_only  among checkpoints with a manifest */
static int64_t find_largest(const char *folder, int64_t limit, bool complete_only)
{
    int64_t max = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        const int64_t number = parse_number(entry->d_name);
        if (number > max && number < limit && (!complete_only || has_manifest(folder, number)))
            max = number;
    }
    if (entries != NULL)
        closedir(entries);
    return max;
}

int64_t nereus_checkpoint_newest(const char *folder, int64_t limit, char *path)
{
    const int64_t number = find_largest(folder, limit, true);
    return number > 0 && make_checkpoint_path(folder, number, path) ? number : 0;
}

/* Is this a file of a checkpoint: data, the manifest, or its temporary file? */
static bool is_own_file(const char *name)
{
    const char *suffix = strrchr(name, '.');
    return strncmp(name, NEREUS_MANIFEST_NAME, sizeof NEREUS_MANIFEST_NAME - 1) == 0 ||
           (suffix != NULL && (strcmp(suffix, ".bin") == 0 || strcmp(suffix, ".index") == 0));
}

/* Are all entries files of a checkpoint? */
static bool has_own_only(DIR *entries)
{
    bool is_own = true;
    errno = 0;
    for (struct dirent *entry; is_own && (entry = readdir(entries)) != NULL;)
        is_own = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                 is_own_file(entry->d_name);
    return is_own && errno == 0;
}

/* Remove the manifest first: the rest does not count as a checkpoint after an interruption. */
static void remove_files(DIR *entries)
{
    const int descriptor = dirfd(entries);
    unlinkat(descriptor, NEREUS_MANIFEST_NAME, 0);
    rewinddir(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (is_own_file(entry->d_name))
            unlinkat(descriptor, entry->d_name, 0);
}

static void remove_checkpoint(const char *folder, int64_t number)
{
    char path[PATH_MAX];
    if (!make_checkpoint_path(folder, number, path))
        return;
    const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (entries == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return;
    }
    if (has_own_only(entries))
        remove_files(entries);
    closedir(entries);
    rmdir(path);
}

/* Was the checkpoint written by this job? An unreadable checkpoint counts as another job's. */
static bool was_written_by_job(const char *folder, int64_t number, uint64_t job)
{
    struct nereus_checkpoint found;
    char path[PATH_MAX];
    if (!make_checkpoint_path(folder, number, path) ||
        nereus_checkpoint_read(path, &found, NULL) != NEREUS_OK)
        return false;
    const bool is = found.job == job;
    nereus_checkpoint_fini(&found);
    return is;
}

/* Is there certainly no manifest? Errors of the file system do not count as its absence. */
static bool lacks_manifest(const char *folder, int64_t number)
{
    char path[PATH_MAX], file[PATH_MAX];
    struct stat found;
    return make_checkpoint_path(folder, number, path) &&
           nereus_manifest_make_path(path, NEREUS_MANIFEST_NAME, file) &&
           lstat(file, &found) != 0 && errno == ENOENT;
}

static void remove_incomplete(const char *folder)
{
    for (int64_t number = INT64_MAX; (number = find_largest(folder, number, false)) > 0;)
        if (lacks_manifest(folder, number))
            remove_checkpoint(folder, number);
}

void nereus_checkpoint_prune(const char *folder, uint64_t job)
{
    int kept_count = 0;
    remove_incomplete(folder);
    for (int64_t number = INT64_MAX; (number = find_largest(folder, number, true)) > 0;)
        if (was_written_by_job(folder, number, job) && ++kept_count > NEREUS_CHECKPOINT_KEPT)
            remove_checkpoint(folder, number);
}

enum nereus_status nereus_checkpoint_begin(const char *folder, int64_t *number, char *path,
                                           struct nereus_error *err)
{
    if (strlen(folder) + sizeof prefix + 20 >= PATH_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of the folder is too long: '%s'",
                           folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return nereus_fail(err, NEREUS_ERR_IO, "the folder '%s' for checkpoints cannot be made: %s",
                           folder, strerror(errno));
    remove_incomplete(folder);
    *number = find_largest(folder, INT64_MAX, false) + 1;
    make_checkpoint_path(folder, *number, path);
    if (parse_number(strrchr(path, '/') + 1) != *number)
        return nereus_fail(err, NEREUS_ERR_IO,
                           "there is no number for another checkpoint after '%s/%s%lld'", folder,
                           prefix, (long long)(*number - 1));
    if (mkdir(path, 0777) != 0)
        return nereus_fail(err, NEREUS_ERR_IO, "the checkpoint '%s' cannot be made: %s", path,
                           strerror(errno));
    return NEREUS_OK;
}
