/** @file formats.h  Reads the formats of a workload. */
#pragma once

#include "model/util/text_file.h"
#include "nereus/workload.h"

/** As nereus_workload_read, from an open file with this beginning (nereus_text_peek). */
enum nereus_status nereus_workload_read_text(struct nereus_text_file *file, const char *beginning,
                                             struct nereus_workload *workload,
                                             struct nereus_error *err);

enum nereus_status nereus_workload_read_csv(struct nereus_text_file *file,
                                            struct nereus_workload *workload,
                                            struct nereus_error *err);
enum nereus_status nereus_workload_read_swf(struct nereus_text_file *file,
                                            struct nereus_workload *workload,
                                            struct nereus_error *err);
enum nereus_status nereus_workload_read_sacct(struct nereus_text_file *file,
                                              struct nereus_workload *workload,
                                              struct nereus_error *err);
/** Does a text begin with a header line of Slurm's sacct? */
bool nereus_sacct_begins(const char *beginning);

/** Sort by submission; stable. */
void nereus_workload_sort(struct nereus_workload *workload);
