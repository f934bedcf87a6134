/** @file mix_solver.h  Solves a mix (mix_with_glpk.c). Private to this component. */
#pragma once

#include "mix.h"

double nereus_mix_power(const struct nereus_mix_question *q, const struct nereus_allocation *mix);
/** Value of numbers that need not be whole: the power, or the price an hour, by the aim. */
double nereus_mix_value(const struct nereus_mix_question *q, const double *x);

/**
 * @param[in,out] mix       a mix that has the power; the best one
 * @param[in,out] solution  simplex_value, rounded, rounded_holds, is_exact
 */
enum nereus_status nereus_mix_solve(const struct nereus_mix_question *q,
                                    struct nereus_allocation *mix,
                                    struct nereus_mix_solution *solution, struct nereus_error *err);
