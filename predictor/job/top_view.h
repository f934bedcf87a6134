/** @file top_view.h  Prints the state of a monitored job as text, CSV and JSON. */
#pragma once

#include "monitored.h"
#include "predictor/cli/output.h"

/** Print for people: the job, its latest change of size, a row for each process, MPI calls by kind.
 * @param max_rows  largest number of processes; 0: all
 * @param colours    colour a high imbalance
 * @return false when memory or the stream failed */
bool nereus_top_print(const struct nereus_monitored *job, int64_t max_rows, bool colours,
                      FILE *stream);
/** Print a row for each process of the latest interval. @return as nereus_top_print */
bool nereus_top_print_csv(const struct nereus_monitored *job, FILE *stream);
/** @return the whole state as a document, a new reference; NULL: no memory */
json_t *nereus_top_json(const struct nereus_monitored *job);
