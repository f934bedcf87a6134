/**
 * @file checkpoint_folder.c
 * Checks the folder, and prints notes about it and the command that restarts the job.
 */
#include "checkpoint_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job_line.h"
#include "nereus/checkpoint.h"

/* Polls of the lock (2 s in all): the processes of a job that has just ended may still hold it. */
enum { LOCK_POLLS = 20, LOCK_POLL_US = 100000 };

/* Is the folder in use? Another job that has written a checkpoint there holds the lock until it
 * ends. On a file system without locks the folder counts as free. */
static bool is_locked(const char *folder)
{
    char path[PATH_MAX];
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int length = snprintf(path, sizeof path, "%s/lock", folder),
              file = length < (int)sizeof path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    const bool locked =
        file >= 0 && fcntl(file, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
    if (file >= 0)
        close(file);
    return locked;
}

bool checkpoint_folder_check(const char *folder, char *sentence, size_t size)
{
    struct stat found;
    const char *verb = "be made", *why = NULL;
    if (stat(folder, &found) == 0) {
        verb = "be written";
        if (!S_ISDIR(found.st_mode))
            why = strerror(ENOTDIR);
        else if (access(folder, W_OK | X_OK) != 0)
            why = strerror(errno);
    } else if (mkdir(folder, 0777) == 0) {
        rmdir(folder); /* a job that writes no checkpoint leaves none */
    } else if (errno != EEXIST) {
        why = strerror(errno);
    }
    if (why != NULL)
        snprintf(sentence, size, "the folder for checkpoints '%.300s' cannot %s: %s", folder, verb,
                 why);
    return why == NULL;
}

bool checkpoint_folder_await_free(const char *folder, char *sentence, size_t size)
{
    for (int polls = 0; is_locked(folder); polls++, usleep(LOCK_POLL_US))
        if (polls >= LOCK_POLLS) {
            snprintf(sentence, size,
                     "another job writes its checkpoints into '%.300s': each job needs a folder of "
                     "its own",
                     folder);
            return false;
        }
    return true;
}

/* Was the checkpoint written by a program of the name on the command line? False if there is no
 * name. */
static bool is_of_program(const char *path, char *const *mpiexec)
{
    struct nereus_checkpoint found;
    if (nereus_checkpoint_read(path, &found, NULL) != NEREUS_OK)
        return false;
    char **words = job_line_program(mpiexec);
    const bool is = words != NULL && words[0] != NULL &&
                    strcmp(basename(words[0]), basename(found.program)) == 0;
    free(words);
    nereus_checkpoint_fini(&found);
    return is;
}

void checkpoint_folder_record(const struct survival *survival, char *const *mpiexec)
{
    char path[PATH_MAX];
    if (survival->restarts && survival->folder == NULL)
        fprintf(stderr, "nereus-mpiexec: note: --on-failure restart without --checkpoint DIR: only "
                        "a program that names a folder itself goes on after a loss\n");
    if (survival->restarts && survival->is_given && !survival->is_by_time)
        fprintf(stderr,
                "nereus-mpiexec: note: --checkpoint names no time (DIR,10min): only the program "
                "itself writes checkpoints to go on from\n");
    if (survival->is_given && nereus_checkpoint_newest(survival->folder, INT64_MAX, path) > 0 &&
        is_of_program(path, mpiexec))
        fprintf(stderr,
                "nereus-mpiexec: note: this job begins anew; --restart '%s' would go on from %s of "
                "this program\n",
                survival->folder, basename(path));
}

/* Print a word, quoted for a shell. */
static void print_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./,:=+@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fprintf(stderr, " %s", word);
        return;
    }
    fputs(" '", stderr);
    for (; *word != '\0'; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, stderr);
    fputc('\'', stderr);
}

void checkpoint_folder_print_command(const struct attempt *attempt, const struct survival *survival,
                                     const char *path)
{
    struct nereus_checkpoint found;
    char folder[PATH_MAX];
    if (nereus_checkpoint_read(path, &found, NULL) != NEREUS_OK)
        return;
    nereus_checkpoint_split_path(path, folder);
    fprintf(stderr,
            "nereus-mpiexec: the job can go on from %s (points %lld): nereus-mpiexec%s --restart",
            path, (long long)found.points, survival->restarts ? " --on-failure restart" : "");
    print_word(folder);
    for (char *const *word = attempt->mpiexec + 1; *word != NULL; word++)
        print_word(*word);
    fputc('\n', stderr);
    nereus_checkpoint_fini(&found);
}
