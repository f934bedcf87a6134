/**
 * @file prepared.h
 * Values derived from a profile once, for many predictions: nereus_profile_prepare. Private to
 * model/.
 *
 * Results do not depend on it: for a profile that was not prepared every function computes the
 * same, more slowly.
 */
#ifndef NEREUS_PREPARED_H
#define NEREUS_PREPARED_H

#include "model/profile/profile_machine.h"
#include "nereus/profile.h"

/** Logarithms of a measured row, for distances and corrections. */
struct nereus_measured_logs {
    double ns, nt;
    /** of the model's value, and of measured / model; NAN: the model cannot price the row */
    double model, residual;
    double t_iter, load; /**< of asynchronous rows */
    double slowed;       /**< log of measured / model iteration time; NAN: unknown */
};

/** Rows of a profile that may be of one kind; callers still check each row. */
struct nereus_measured_span {
    const int64_t *index; /**< row numbers; NULL: all rows, from 0 on */
    int64_t count;
};

/** The rows measured with the process part of a method, on such nodes, in this direction, in the
 * profile's order; if nothing is prepared, all rows. */
struct nereus_measured_span nereus_prepared_span(const struct nereus_profile *profile,
                                                 const struct nereus_method *method,
                                                 struct nereus_nodes_key nodes, bool oversubscribed,
                                                 bool shrinks);

/** Number of the i-th row of a span in profile->measured. */
static inline int64_t nereus_span_at(const struct nereus_measured_span *span, int64_t i)
{
    return span->index != NULL ? span->index[i] : i;
}

struct nereus_measured_logs nereus_prepared_logs(const struct nereus_profile *profile, int64_t i);

/** Logarithms of all rows by number; NULL if nothing is prepared. */
const struct nereus_measured_logs *nereus_prepared_all_logs(const struct nereus_profile *profile);

/** Mean relative scatter of repeated measurements at this kind of load; NAN: none was repeated. */
double nereus_prepared_typical_log_sd(const struct nereus_profile *profile, bool oversubscribed);

/**
 * Least and largest iteration time during measured asynchronous reconfigurations, in seconds.
 * @return false if none was measured
 */
bool nereus_prepared_t_iter(const struct nereus_profile *profile, double *least_s, double *most_s);

#endif
