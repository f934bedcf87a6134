/**
 * @file victim.h
 * Kills one process of a job at a moment that a word chooses, and records how far the job has come:
 * for jobs of stress-resizes.sh.
 */
#pragma once

#include <stdint.h>

#include "nereus/nereus.h"

/*
 * What the handler of the signal writes beside the death of its process. A job that lost a member
 * must not end with status 0; one that lost a process which was about to join may continue.
 */
enum victim_stage { VICTIM_JOINING, VICTIM_MEMBER, VICTIM_LEAVING };

/*
 * Words of one process of the job, the first whose turn it is:
 *
 *   3@2+15000   who has rank 3 (modulo the size) after 2 changes, so many microseconds later
 *   new+15000   a new process, so many microseconds after it began
 *   ...:0       by _exit with this status instead of SIGKILL
 *
 * @param[in] when    NULL: nobody
 * @param[in] record  file that the first one creates: stage, rank and time
 */
void victim_begin(const char *when, const char *record);
/* The process is now in this stage. */
void victim_is(enum victim_stage new_stage);
/* At each point, in each process: is it the victim, and is it time? */
void victim_look(const nereus_job *job);

/* Counts one step of any process in a file that all share. NULL: nothing is counted. */
void victim_progress(const char *file);
