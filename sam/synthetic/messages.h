/**
 * @file messages.h
 * Reads the messages of a stage by process: a list of offsets, or a file with a row for each
 * message. No MPI here.
 */
#pragma once

#include <stdbool.h>

#include "nereus/status.h"

/** A message that a process sends or receives. */
struct sam_message {
    int peer;
    int bytes;
    bool sends;
};

/** The process, and the stage, whose messages are read. */
struct sam_messages_of {
    int stage, rank, processes;
};

/**
 * Read the messages of a process in a stage.
 * @param[in]  text      "offset:bytes,...", offsets of ranks in a ring; or FILE.csv with columns
 *                       processes,stage,from,to,bytes
 * @param[out] messages  to be freed with free(); in the order in which all processes know them
 * @param[out] count     -1: the file has no row for so many processes
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_IO, NEREUS_ERR_MEMORY
 */
enum nereus_status sam_messages_read(const char *text, struct sam_messages_of of,
                                     struct sam_message **messages, int *count,
                                     struct nereus_error *err);
