/**
 * @file messages.h
 * Messages of a stage between processes: collected from all of them, and written as offsets of
 * ranks, or as rows of a file where processes differ.
 */
#ifndef NEREUS_MODEL_TWIN_MESSAGES_H
#define NEREUS_MODEL_TWIN_MESSAGES_H

#include "sequence.h"
#include "twin.h"

/** Longest list: lines have at most 197 characters (inih). */
enum { NEREUS_MESSAGES_TEXT = 170 };

/** Append what process r sends in the block. */
enum nereus_status nereus_messages_add(struct nereus_twin_stage *stage, int r, int processes,
                                       const struct nereus_block *block, struct nereus_error *err);

/** Sort the messages and set the bytes of the stage; if each process exchanges equal messages with
 * the ranks before and after its own, the bytes describe them, and the list becomes empty. */
void nereus_messages_simplify(struct nereus_twin_stage *stage, int processes);

/** List "offset:bytes,...", if it is the same for all processes and fits.
 * @return false: only rows can say it */
bool nereus_messages_list(const struct nereus_twin_stage *stage, int processes,
                          char text[NEREUS_MESSAGES_TEXT]);

/** Write rows "processes,stage,from,to,bytes" of the stages that need them.
 * @return their number */
int64_t nereus_messages_write(const struct nereus_twin *twin, FILE *stream);

#endif
