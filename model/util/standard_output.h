/**
 * @file standard_output.h
 * Standard output of a command: what cannot be written (a full disk) is said once, when it happens,
 * and makes the command fail at its end. Whoever prints looks for no error: to stdio every write
 * has worked. A reader that has gone (`| head`) is no error:
 * the command does all its work, and SIGPIPE is ignored (a child that is to end by it sets SIG_DFL).
 */
#ifndef NEREUS_UTIL_STANDARD_OUTPUT_H
#define NEREUS_UTIL_STANDARD_OUTPUT_H

#include <stdbool.h>

/**
 * At the start of main. From here on an exit status of 0 becomes 1 where something could not be
 * written.
 * @param[in] say  prints the sentence to standard error, and nothing to standard output; NULL: with
 *     the program's name
 */
void nereus_output_begin(void (*say)(const char *sentence));

/** Write what has been printed. @return false: it, or something before it, could not be written */
bool nereus_output_flush(void);

/** Is there still a reader? Who prints for as long as somebody looks on ends where there is none.
 */
bool nereus_output_is_read(void);

#endif
