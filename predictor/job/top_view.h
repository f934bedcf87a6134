/** @file top_view.h  Ways to show what a monitored job does. */
#ifndef NEREUS_PREDICTOR_JOB_TOP_VIEW_H
#define NEREUS_PREDICTOR_JOB_TOP_VIEW_H

#include "monitored.h"
#include "predictor/cli/output.h"

/**
 * For people: the job, its latest change of size, a row for each process, MPI calls by kind.
 * @param max_rows  of processes; 0: all
 * @param colours    the imbalance is coloured where it is high
 * @return false when memory or the stream failed
 */
bool nereus_top_print(const struct nereus_monitored *job, int64_t max_rows, bool colours,
                      FILE *stream);
/** A row for each process of the latest interval; to be printed or ended by the caller. */
void nereus_top_rows(const struct nereus_monitored *job, struct nereus_table *table);
/** The whole as a document. @return a new reference; NULL: no memory */
json_t *nereus_top_json(const struct nereus_monitored *job);

#endif
