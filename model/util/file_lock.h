/**
 * @file file_lock.h
 * Locks an open file against other processes, also on other hosts where the file system can.
 */
#pragma once

#include "model/util/base.h"

enum nereus_file_lock {
    NEREUS_FILE_LOCKED,
    NEREUS_FILE_LOCK_BUSY, /**< another process holds the lock */
    /** it cannot be locked, and errno says why: some file systems have no locks (Lustre without the
     * option flock, NFS without a lock server) */
    NEREUS_FILE_LOCK_NONE
};

/** Lock a file that is open for writing, until its descriptor and all copies of it are closed.
 * @param wait  wait until no other process holds the lock */
enum nereus_file_lock nereus_file_lock(int descriptor, bool wait);
