/**
 * @file scaling_stages.h
 * The law of scaling that adds up stages. Private to model/; scaling.h is for all others.
 */
#ifndef NEREUS_SCALING_STAGES_H
#define NEREUS_SCALING_STAGES_H

#include "nereus/scaling.h"

/** "compute:0.8,allreduce:8" behind "stages:". @return NEREUS_ERR_PARSE names the word */
enum nereus_status nereus_scaling_stages_parse(const char *text, struct nereus_scaling *scaling,
                                               struct nereus_error *err);

/** T(n). @return NEREUS_ERR_NO_BASIS where the profile has not measured a collective */
enum nereus_status nereus_scaling_stages_s(const struct nereus_scaling *scaling, int64_t n, double *t_iter_s,
                                           struct nereus_error *err);

#endif
