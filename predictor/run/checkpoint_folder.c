#include "checkpoint_folder.h"

#include <sys/stat.h>
#include <unistd.h>

enum nereus_status nereus_checkpoint_folder_open(const char *given,
                                                 struct nereus_checkpoint_folder *folder,
                                                 struct nereus_error *err)
{
    const char *set = getenv("NEREUS_CHECKPOINT");
    struct stat file_status;
    if (given == NULL)
        given = set != NULL && *set != '\0' ? set : ".";
    folder->was_made = mkdir(given, 0777) == 0;
    if (realpath(given, folder->path) != NULL && stat(given, &file_status) == 0 &&
        access(given, W_OK) == 0) {
        if (S_ISDIR(file_status.st_mode))
            return NEREUS_OK;
        errno = ENOTDIR;
    }
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "no checkpoint can be written into '%.300s' (--checkpoint, "
                       "NEREUS_CHECKPOINT): %s",
                       given, strerror(errno));
}

void nereus_checkpoint_folder_close(struct nereus_checkpoint_folder *folder)
{
    if (folder->was_made)
        rmdir(folder->path);
    folder->was_made = false;
}
