/** @file file_lock.c  Locks files by open file description locks, which file servers know. */
#include "file_lock.h"

#include <fcntl.h>

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
