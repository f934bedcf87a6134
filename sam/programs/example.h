/**
 * @file example.h
 * What the malleable examples share: their changes of size, which a program that is resized from
 * outside does not have, the end at an error, and the line with the answer.
 */
#ifndef NEREUS_SAM_PROGRAMS_EXAMPLE_H
#define NEREUS_SAM_PROGRAMS_EXAMPLE_H

#include <nereus.h>

/** Options for 4 processes after a quarter of the steps, 1 after a half, 3 after three quarters.
 * The schedule is valid until the next call.
 * @param[in] method  NULL: chosen by the library */
struct nereus_options example_options(int64_t steps, const char *method);
/** Print the error, and end the job, if a call has failed. */
void example_check(const nereus_job *job, enum nereus_status status);
/** Print the answer, the number of processes, and that of the changes of size. */
void example_print(const nereus_job *job, uint64_t answer);

#endif
