/**
 * @file formula.h
 * Evaluates performance models as ElastiSim writes them: numbers, names, + - * / ^ and parentheses.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/status.h"

struct nereus_formula_name {
    const char *name;
    double value;
};

/** Compute the value of a formula.
 * @param[in] names  ended by one without a name
 * @return NEREUS_ERR_PARSE: not understood, a name that is not known, or no finite result */
enum nereus_status nereus_formula_value(const char *text, const struct nereus_formula_name *names,
                                        double *value, struct nereus_error *err);
