/**
 * @file overlapped.c
 * Counts iterations up to an end between two of them; without MPI, so that a unit test can.
 */
#include "overlapped.h"

#include <math.h>

void nereus_overlapped_add_end(struct nereus_overlapped_ends *ends, double end_s)
{
    ends->previous_end_s = ends->last_s;
    ends->last_s = end_s;
    ends->count++;
}

struct nereus_overlapped_span nereus_overlapped_span_of(const struct nereus_overlapped_ends *ends,
                                                        double operation_end_s, double alone_s)
{
    /* A process that waited inside MPI during the operation learns of its end one iteration
     * later. */
    const int after = operation_end_s < ends->previous_end_s ? 1 : 0;
    const double end_s = after == 1 ? ends->previous_end_s : ends->last_s;
    const int complete = ends->count - 1 - after;
    const double part = fmax(0, 1 - fmax(0, end_s - operation_end_s) / alone_s);
    if (complete == 0)
        return (struct nereus_overlapped_span){end_s - ends->first_s, 1};
    return (struct nereus_overlapped_span){operation_end_s - ends->first_s, complete + part};
}
