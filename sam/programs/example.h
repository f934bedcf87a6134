/**
 * @file example.h
 * Holds what the malleable examples share: the end at an error, and the line with the answer.
 */
#pragma once

#include <nereus.h>

/** Print the error, and end the job, if a call has failed. */
void example_check(const nereus_job *job, enum nereus_status status);
/** Print the answer, the number of processes, and that of the changes of size. */
void example_print(const nereus_job *job, uint64_t answer);
