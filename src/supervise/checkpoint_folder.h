/**
 * @file checkpoint_folder.h
 * The folder of a job's checkpoints: whether it can be used, and what a user is told of it before
 * the job starts and after it has ended.
 */
#ifndef NEREUS_SRC_SUPERVISE_CHECKPOINT_FOLDER_H
#define NEREUS_SRC_SUPERVISE_CHECKPOINT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "attempt.h"
#include "survival.h"

/* Can checkpoints be written there? It need not exist: the first one makes it.
 * @return false: no, with one sentence */
bool checkpoint_folder_check(const char *folder, char *sentence, size_t size);
/* Does no other job write its checkpoints there?
 * @return false: one does, with one sentence */
bool checkpoint_folder_is_free(const char *folder, char *sentence, size_t size);
/* Tell the user of a job that begins anew that the job could go on after a loss, but will have no
 * checkpoint to go on from. */
void checkpoint_folder_note(const struct survival *survival, char *const *mpiexec);
/* Tell the user of a job that has ended badly the command by which the job goes on from `path`, its
 * newest checkpoint. */
void checkpoint_folder_say_command(const struct attempt *attempt, const struct survival *survival,
                                   const char *path);

#endif
