/**
 * @file question_layout.h
 * A layout as text: which nodes of the host file hold how many processes afterwards, as in
 * "host0:2,host3:1".
 */
#ifndef NEREUS_PREDICT_QUESTION_LAYOUT_H
#define NEREUS_PREDICT_QUESTION_LAYOUT_H

#include "scenario.h"

/** Is it "spread": the processes of the scenario, one on each node in turn? */
bool nereus_layout_text_is_spread(const char *text);

/** Processes in all; 0: the text is no layout. */
int64_t nereus_layout_text_sum(const char *text);

/** Set question->layout. @return NEREUS_ERR_ARGUMENT, naming the entry; NEREUS_ERR_MEMORY */
enum nereus_status nereus_question_lay_out(struct nereus_question *question, const char *text,
                                           struct nereus_error *err);

#endif
