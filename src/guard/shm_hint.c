/**
 * @file shm_hint.c
 * Makes the hint that /dev/shm may be full. Memory of a file in /dev/shm is allocated at the first
 * write. If none is left, an MPI process is killed by SIGBUS, or by SIGSEGV if UCX continues
 * without the file. Without a hint that looks like an error of the program.
 */
#include "shm_hint.h"

#include <signal.h>
#include <sys/statvfs.h>

#include "model/util/shared_files.h"

/* Docker's default size; and the need of two processes (MPICH 5.0.2 over ucx). */
static const int64_t docker_bytes = 64 << 20, need_bytes = 11000000;

void shm_hint_text(int status, int64_t bytes, int64_t free_bytes, char *text, size_t size)
{
    static const double mb = 1e6;
    text[0] = '\0';
    if ((status != 128 + SIGBUS && status != 128 + SIGSEGV) || bytes < 0 ||
        (bytes > docker_bytes && free_bytes > need_bytes))
        return;
    snprintf(text, size,
             "; " NEREUS_SHARED_FOLDER " has %.1f MB there, of which %.1f MB are free: where it is "
             "full MPI dies so (it takes about 5.4 MB for each process; in a container: "
             "--shm-size=1g)",
             (double)bytes / mb, (double)free_bytes / mb);
}

void shm_hint(int status, char *text, size_t size)
{
    struct statvfs file_system;
    const int known = statvfs(NEREUS_SHARED_FOLDER, &file_system) == 0 && file_system.f_blocks > 0;
    shm_hint_text(status, known ? (int64_t)(file_system.f_blocks * file_system.f_frsize) : -1,
                  known ? (int64_t)(file_system.f_bavail * file_system.f_frsize) : 0, text, size);
}
