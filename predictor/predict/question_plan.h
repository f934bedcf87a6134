/**
 * @file question_plan.h
 * The plan of a question by one method.
 */
#ifndef NEREUS_QUESTION_PLAN_H
#define NEREUS_QUESTION_PLAN_H

#include "nereus/request.h"
#include "scenario.h"

/**
 * The record that the plan is made from. The bytes of the question are one constant, one variable
 * and one replicated array; a method without a data part gets coll.
 * @param[out] request  to be freed with nereus_request_fini
 */
enum nereus_status nereus_question_request(const struct nereus_question *question,
                                           const struct nereus_method *method,
                                           struct nereus_request *request,
                                           struct nereus_error *err);

#endif
