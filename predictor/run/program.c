/**
 * @file program.c
 * Finds the programs that belong to this `nereus`: their relative places are the same in a build
 * tree and an installed one.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "model/util/process.h"
#include "nereus_mpi_config.h"

enum nereus_status nereus_program_find(enum nereus_program_place place, const char *name,
                                       char *path, struct nereus_error *err)
{
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) {
        return nereus_fail(err, NEREUS_ERR_IO, "this program's own folder is not known: %s",
                           strerror(errno));
    }
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    *(slash != NULL ? slash : own) = '\0';
    const char *between = place == NEREUS_PROGRAM_BIN ? "" : "/../libexec/nereus";
    const int written = name[0] == '/' ? snprintf(path, PATH_MAX, "%s", name)
                                       : snprintf(path, PATH_MAX, "%s%s/%s", own, between, name);
    if (written >= PATH_MAX)
        return nereus_fail(err, NEREUS_ERR_IO, "the path of %s is too long", name);
    struct stat file_status;
    if (stat(path, &file_status) == 0 && S_ISREG(file_status.st_mode) && access(path, X_OK) == 0)
        return NEREUS_OK;
    if (!NEREUS_HAVE_MPI) {
        return nereus_fail(
            err, NEREUS_ERR_UNSUPPORTED,
            "this nereus was built without MPI and cannot run MPI programs (%s); build it where an "
            "MPI is installed",
            name);
    }
    return nereus_fail(err, NEREUS_ERR_IO,
                       "%s is missing or cannot be executed; build or install Nereus again", path);
}

bool nereus_program_is_on_path(const char *name)
{
    char file[PATH_MAX];
    return nereus_program_search(name, NULL, file, sizeof file);
}
