/**
 * @file standard_output.h
 * Watches the standard output of a command: a failed write (a full disk) is reported once, when it
 * happens, and makes the command fail at its end. Callers check nothing: for stdio every write
 * succeeds, and ferror(stdout) is never set. A reader that is gone (`| head`) is no error; SIGPIPE
 * is ignored.
 */
#pragma once

#include "model/util/base.h"

/** Call at the start of main: an exit status of 0 becomes 1 if a write has failed.
 * @param say  prints the message to standard error; NULL: with the program's name */
void nereus_output_begin(void (*say)(const char *sentence));

/** @return false: a write has failed */
bool nereus_output_flush(void);

/** Does standard output have a reader? For commands that print until it has none. */
bool nereus_output_has_reader(void);

/** For such a command, before a line: after a failed write try again, on a new line.
 * @return had a write failed since the last call? */
bool nereus_output_resume(void);
