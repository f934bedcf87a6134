/** @file question_plan.h  Makes the plan of a question by one method, for plan and validate. */
#pragma once

#include "nereus/plan.h"
#include "nereus/request.h"
#include "scenario.h"

/** Make the plan, and the record from which it is made. The bytes of the question, where
 * above 0, are one constant, one variable and one replicated array; a method without a data part
 * gets coll.
 * @param[out] request  to be freed with nereus_request_fini
 * @param[out] plan     to be freed with nereus_plan_fini */
enum nereus_status nereus_question_plan(const struct nereus_question *question,
                                        const struct nereus_method *method,
                                        struct nereus_request *request, struct nereus_plan *plan,
                                        struct nereus_error *err);
