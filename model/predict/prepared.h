/**
 * @file prepared.h
 * What a profile is asked for again and again, worked out once: nereus_profile_prepare. Private to model/.
 *
 * Nothing here decides anything: without it (profiles made by hand) every function gives the same answers, only later.
 */
#ifndef NEREUS_PREPARED_H
#define NEREUS_PREPARED_H

#include "nereus/profile.h"

/** Logarithms of a measured row: what distances and corrections are made of. */
struct nereus_measured_logs {
    double ns, nt;
    double model,
        residual; /**< of what the model says, and of measured / model; NAN where it cannot price the row */
    double t_iter, load; /**< of asynchronous rows */
    double slowed;       /**< of an iteration meanwhile, measured / model; NAN where nothing is known of it */
};

/** Rows of a profile that may be of one kind; whoever walks over them still looks at each. */
struct nereus_measured_span {
    const int64_t *index; /**< of the rows; NULL: all rows, from 0 on */
    int64_t count;
};

/** The rows measured with the process part of a method, on such nodes, in this direction; a superset of them where nothing is
 * prepared. In the profile's order. */
struct nereus_measured_span nereus_prepared_span(const struct nereus_profile *profile,
                                                 const struct nereus_method *method, int64_t cores_per_node,
                                                 bool oversubscribed, bool shrinks);

/** The number of a row in profile->measured. */
static inline int64_t nereus_span_at(const struct nereus_measured_span *span, int64_t i)
{
    return span->index != NULL ? span->index[i] : i;
}

/** Logarithms of row i of profile->measured. */
struct nereus_measured_logs nereus_prepared_logs(const struct nereus_profile *profile, int64_t i);

/** The same of all rows, by their numbers; NULL where nothing is prepared. */
const struct nereus_measured_logs *nereus_prepared_all_logs(const struct nereus_profile *profile);

/** How measurements at this sort of machine load repeat: the median of their relative spreads; NAN where none was repeated. */
double nereus_prepared_usual_spread(const struct nereus_profile *profile, bool oversubscribed);

/**
 * Seconds of the iterations that measured asynchronous changes ran beside.
 * @return false where none was measured
 */
bool nereus_prepared_t_iter(const struct nereus_profile *profile, double *least_s, double *most_s);

#endif
