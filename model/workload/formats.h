/** @file formats.h  The two formats of a workload: the jobs of a file that was opened are appended. */
#ifndef NEREUS_WORKLOAD_FORMATS_H
#define NEREUS_WORKLOAD_FORMATS_H

#include "model/util/text_file.h"
#include "nereus/workload.h"

enum nereus_status nereus_workload_read_csv(struct nereus_text_file *file,
                                            struct nereus_workload *workload,
                                            struct nereus_error *err);
enum nereus_status nereus_workload_read_swf(struct nereus_text_file *file,
                                            struct nereus_workload *workload,
                                            struct nereus_error *err);

#endif
