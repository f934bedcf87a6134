/**
 * @file scaling_stages.h
 * The scaling law that adds up stages. Private to model/predict.
 */
#ifndef NEREUS_SCALING_STAGES_H
#define NEREUS_SCALING_STAGES_H

#include "nereus/scaling.h"

/** Parse "compute:0.8,allreduce:8", the text after "stages:". @return NEREUS_ERR_PARSE names the
 * word */
enum nereus_status nereus_scaling_stages_parse(const char *text, struct nereus_scaling *scaling,
                                               struct nereus_error *err);

/** T(n) in seconds. @return NEREUS_ERR_NO_BASIS if the profile has no time of a collective */
enum nereus_status nereus_scaling_stages_s(const struct nereus_scaling *scaling, int64_t n,
                                           double *t_iter_s, struct nereus_error *err);

#endif
