/**
 * @file json_lines.h
 * Appends to files of JSON Lines, and notes which of the job's files cannot be written.
 */
#pragma once

#include <jansson.h>

#include "model/util/base.h"

/** What was logged about the files, so that it is logged once: write errors, no lock. Sent
 * (src/start/join_payload.c). */
struct nereus_unwritten {
    bool trace, monitor, state, learn, learn_unlocked;
};
/** The files of this process. */
extern struct nereus_unwritten nereus_unwritten;

/** Append a text, by one write if it is short. A write error is logged once, and noted in
 * *reported.
 * @param what  name of the file for the message, as "trace"
 * @param text  NULL: no memory */
void nereus_lines_append(const char *path, const char *what, const char *text, bool *reported);
/** Append a line; takes ownership of it. */
void nereus_json_line_append(const char *path, const char *what, json_t *line, bool *reported);
