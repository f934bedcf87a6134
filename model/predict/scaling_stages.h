/**
 * @file scaling_stages.h
 * Computes the scaling law "stages" (scaling.h). Private to model/predict.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/scaling.h"

/** Parse a list of stages such as "compute:0.8,allreduce:8". */
enum nereus_status nereus_scaling_stages_parse(const char *text, struct nereus_scaling *scaling,
                                               struct nereus_error *err);

/** Compute T(n).
 * @return NEREUS_ERR_NO_BASIS: the profile lacks a collective */
enum nereus_status nereus_scaling_stages_s(const struct nereus_scaling *scaling, int64_t n,
                                           double *t_iter_s, struct nereus_error *err);
