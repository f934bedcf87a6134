/**
 * @file sources_effect.h
 * What reconfigurations of one method from as many sources have in common beside their model.
 * Private to model/.
 */
#ifndef NEREUS_SOURCES_EFFECT_H
#define NEREUS_SOURCES_EFFECT_H

#include "nereus/profile.h"

/** Most different numbers of sources; with more of them there is no effect. */
enum { NEREUS_SOURCES_LEVELS = 24 };

/** levels 0: the rows tell no numbers of sources apart. */
struct nereus_sources_effect {
    int levels;
    double log_ns[NEREUS_SOURCES_LEVELS];
    double weights[NEREUS_SOURCES_LEVELS]; /**< of the covariances with each level: the mean */
    double inverse[NEREUS_SOURCES_LEVELS][NEREUS_SOURCES_LEVELS]; /**< of the levels' covariance */
    double between, within; /**< variances of log(measured / model): of levels, of their rows */
};

/** The effect of a method's measured rows; levels 0 for methods that have none. */
void nereus_sources_effect_make(const struct nereus_profile *profile,
                                const struct nereus_method *method,
                                struct nereus_sources_effect *effect);

/** Mean and variance of log(measured / model) of one more row from ns sources. levels > 0 */
void nereus_sources_effect_at(const struct nereus_sources_effect *effect, int64_t ns, double *mean,
                              double *variance);

#endif
