/**
 * @file checkpoint_folder.h
 * Checks the folder of a job's checkpoints, and prints messages about it before the job starts and
 * after it has ended.
 */
#pragma once

#include "attempt.h"
#include "survival.h"

/** Can checkpoints be written in the folder? It need not exist: the first checkpoint makes it.
 * @return false: no, with one sentence */
bool checkpoint_folder_check(const char *folder, char *sentence, size_t size);
/** Wait shortly until no other job writes its checkpoints in the folder.
 * @return false: another job does, with one sentence */
bool checkpoint_folder_await_free(const char *folder, char *sentence, size_t size);
/** Print a note if the settings restart the job after a loss, but no checkpoint will be written
 * from which it could continue. */
void checkpoint_folder_record(const struct survival *survival, char *const *mpiexec);
/** Print the command that continues a failed job from `path`, its newest checkpoint. */
void checkpoint_folder_print_command(const struct attempt *attempt, const struct survival *survival,
                                     const char *path);
