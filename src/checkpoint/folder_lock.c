/**
 * @file folder_lock.c
 * Locks the folder by a file in it: two jobs that write into the same folder would remove each
 * other's checkpoints.
 */
#include "folder_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/util/file.h"
#include "src/util/clock.h"
#include "src/util/wait.h"

/* Time limit for the lock: the former rank 0 may hold it until it leaves. After a failed checkpoint
 * the next one does not wait again, so that the application is not delayed each time. */
static const double lock_limit_s = 2;

/* Refuse a folder that another job has locked. The lock file names that job. */
static enum nereus_status refuse_folder(int descriptor, const char *folder,
                                        struct nereus_error *err)
{
    char holder[160] = "";
    const ssize_t length = pread(descriptor, holder, sizeof holder - 1, 0);
    holder[length > 0 ? length : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
    return nereus_fail(err, NEREUS_ERR_BUSY,
                       "another job writes its checkpoints into '%.250s'%s%s%s: each job needs a "
                       "folder of its own",
                       folder, holder[0] != '\0' ? " (" : "", holder, holder[0] != '\0' ? ")" : "");
}

static void write_holder_name(int descriptor)
{
    char host[64] = "", text[160];
    gethostname(host, sizeof host - 1);
    const int length =
        snprintf(text, sizeof text, "process %lld of host %s\n", (long long)getpid(), host);
    /* the text is only for error messages: the lock does not depend on it */
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text, (size_t)length, 0) != length)
        return;
}

enum nereus_status nereus_folder_lock(nereus_job *job, struct nereus_error *err)
{
    const char *folder = job->settings.checkpoint_folder;
    char path[PATH_MAX];
    const double deadline_s =
        nereus_skewed_monotonic_s() + (job->warned.checkpoint ? 0 : lock_limit_s);
    double pause_s = 0;
    if (job->checkpoint_lock >= 0)
        return NEREUS_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return nereus_fail(err, NEREUS_ERR_IO, "the folder '%.300s' cannot be made: %s", folder,
                           strerror(errno));
    if (snprintf(path, sizeof path, "%s/lock", folder) >= (int)sizeof path)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of the checkpoints is too long");
    const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return nereus_fail(err, NEREUS_ERR_IO, "'%.300s' cannot be written: %s", path,
                           strerror(errno));
    enum nereus_file_lock lock;
    while ((lock = nereus_file_lock(descriptor, false)) == NEREUS_FILE_LOCK_BUSY) {
        if (nereus_skewed_monotonic_s() > deadline_s) {
            refuse_folder(descriptor, folder, err);
            close(descriptor);
            return err->status;
        }
        nereus_back_off(&pause_s);
    }
    if (lock == NEREUS_FILE_LOCK_NONE) {
        nereus_log("'%s' cannot be locked (%s): checkpoints are written, but another job with this "
                   "folder would remove them",
                   path, strerror(errno));
    }
    write_holder_name(descriptor);
    job->checkpoint_lock = descriptor;
    return NEREUS_OK;
}

void nereus_folder_unlock(nereus_job *job)
{
    if (job->checkpoint_lock >= 0)
        close(job->checkpoint_lock);
    job->checkpoint_lock = -1;
}
