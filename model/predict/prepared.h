/**
 * @file prepared.h
 * Stores values derived once from a profile (nereus_profile_prepare), so that many predictions are
 * fast; without them every function computes the same values again. Private to model/.
 */
#pragma once

#include "model/profile/profile_machine.h"
#include "nereus/profile.h"

/** Logarithms of the members of a measured row. */
struct nereus_measurement_logs {
    double ns, nt;
    /** logarithms of the model's price, and of measured / model; NAN: no price */
    double model, residual;
    double t_iter, load; /**< asynchronous rows only */
    double slowed;       /**< log of measured / model iteration time; NAN: unknown */
};

/** Rows that may have one kind; callers check each row. */
struct nereus_measurement_span {
    const int64_t *index; /**< row numbers; NULL: all rows */
    int64_t count;
};

/** @return rows of the process part of a method; all rows if nothing is prepared */
struct nereus_measurement_span nereus_prepared_span(const struct nereus_profile *profile,
                                                    const struct nereus_method *method,
                                                    struct nereus_nodes_key nodes,
                                                    bool oversubscribed, bool shrinks);

static inline int64_t nereus_span_at(const struct nereus_measurement_span *span, int64_t i)
{
    return span->index != NULL ? span->index[i] : i;
}

struct nereus_measurement_logs nereus_prepared_logs(const struct nereus_profile *profile,
                                                    int64_t i);

/** @return logarithms by row; NULL: nothing is prepared */
const struct nereus_measurement_logs *
nereus_prepared_all_logs(const struct nereus_profile *profile);

/** @return mean log-sd of repeats at this load; NAN: no row was repeated */
double nereus_prepared_typical_log_sd(const struct nereus_profile *profile, bool oversubscribed);

/** Range of T_iter in measured asynchronous reconfigurations.
 * @return false: none */
bool nereus_prepared_find_t_iter_range(const struct nereus_profile *profile, double *min_s,
                                       double *max_s);
