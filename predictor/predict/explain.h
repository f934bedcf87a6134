/**
 * @file explain.h
 * Explains why the best method is best, by the terms in which the next one differs.
 */
#pragma once

#include <jansson.h>

#include "predictor/scenario/answer.h"

/** Print the explanation for people.
 * @return NEREUS_ERR_NO_BASIS: there is no other method */
enum nereus_status nereus_explain_print(const struct nereus_profile *profile,
                                        const struct nereus_question *question,
                                        const struct nereus_answer *answer, FILE *stream,
                                        struct nereus_error *err);

/** As nereus_explain_print, as an object. NULL without memory, or where it cannot be explained. */
json_t *nereus_explain_json(const struct nereus_profile *profile,
                            const struct nereus_question *question,
                            const struct nereus_answer *answer);
