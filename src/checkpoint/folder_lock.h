/** @file folder_lock.h  Locks the folder of checkpoints, into which one job writes. */
#pragma once

#include "src/job/job.h"

/** Rank 0, before it writes: make the folder if it is missing, and lock it until the job ends or
 * another process becomes rank 0. */
enum nereus_status nereus_folder_lock(nereus_job *job, struct nereus_error *err);
/** Unlock the folder. No effect in a process that holds no lock. */
void nereus_folder_unlock(nereus_job *job);
