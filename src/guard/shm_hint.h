/** @file shm_hint.h  Gives a hint that a process may have died because /dev/shm is full. */
#pragma once

#include "model/util/base.h"

/** Hint about a process that signal N killed (status 128 + N): the end of a message, beginning with
 * "; ". Empty: no hint.
 * @param bytes  size of /dev/shm; below 0: unknown */
void shm_hint_text(int status, int64_t bytes, int64_t free_bytes, char *text, size_t size);
/** Call shm_hint_text with the present state of this host's /dev/shm. */
void shm_hint(int status, char *text, size_t size);
