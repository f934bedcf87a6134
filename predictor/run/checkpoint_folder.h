/** @file checkpoint_folder.h  Finds or makes the folder in which a command measures restarts, and
 * removes it. */
#pragma once

#include "model/util/base.h"

struct nereus_checkpoint_folder {
    char path[PATH_MAX]; /**< absolute; "": none */
    bool was_made;       /**< by the command */
};

/** Make the folder, as a job does, if it is not there.
 * @param given  value of --checkpoint; NULL: $NEREUS_CHECKPOINT, else the current folder */
enum nereus_status nereus_checkpoint_folder_open(const char *given,
                                                 struct nereus_checkpoint_folder *folder,
                                                 struct nereus_error *err);
/** Remove the folder if it was made. */
void nereus_checkpoint_folder_close(struct nereus_checkpoint_folder *folder);
