/** @file workload_notes.h  What was wrong with a workload, as notes. */
#ifndef NEREUS_WORKLOAD_NOTES_H
#define NEREUS_WORKLOAD_NOTES_H

#include "nereus/workload.h"

/** Notes on stderr: what was wrong with a workload. @param name  of its file */
void nereus_workload_note_troubles(const char *name, const struct nereus_workload *workload);

#endif
