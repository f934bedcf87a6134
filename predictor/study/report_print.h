/** @file report_print.h  Prints results as tables: all events, or the kinds of changes. */
#ifndef NEREUS_PREDICTOR_STUDY_REPORT_PRINT_H
#define NEREUS_PREDICTOR_STUDY_REPORT_PRINT_H

#include "predictor/cli/output.h"
#include "report.h"

/** Names of the tables, in the order of the enum. */
extern const char *const nereus_report_tables[];
enum nereus_report_table { NEREUS_REPORT_CHANGES, NEREUS_REPORT_EVENTS };

/** @return false when memory or standard output failed */
bool nereus_report_print(const struct nereus_report *report, enum nereus_report_table table,
                         enum nereus_format format);

#endif
