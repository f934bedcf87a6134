/** @file schedule_text.h  Parses the schedule of NEREUS_SCHEDULE. */
#ifndef NEREUS_SRC_API_SCHEDULE_TEXT_H
#define NEREUS_SRC_API_SCHEDULE_TEXT_H

#include "src/job/job.h"

/* A schedule and its text. */
struct schedule_text {
    char *text;                    /* owned; the methods of the changes point to it */
    struct nereus_resize *changes; /* owned */
    int64_t count;
};

/* Parse "4@10,2@20:merge/p2p": SIZE@POINT[:METHOD], separated by commas.
 * @param[out] schedule  the caller calls nereus_schedule_text_fini, also after an error */
enum nereus_status nereus_schedule_text_parse(const char *text, struct schedule_text *schedule,
                                              struct nereus_error *err);
void nereus_schedule_text_fini(struct schedule_text *schedule);

#endif
