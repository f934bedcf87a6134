/**
 * @file huge_pages.c
 * Decides whether a job requests huge pages. One huge page replaces 512 page faults, but the kernel
 * clears it as a whole and has to find 2 MiB in one piece, which takes longer on some hosts. A
 * calibration measures both (calibration/tasks/data_memory.c); they are compared at the largest
 * size.
 */

#include "terms.h"

int64_t nereus_profile_huge_bytes(const struct nereus_profile *profile)
{
    const struct nereus_hockney *plain = &profile->operations[NEREUS_OPERATION_TOUCH],
                                *huge = &profile->operations[NEREUS_OPERATION_TOUCH_HUGE];
    const double bytes = fmin(plain->max_bytes, huge->max_bytes);
    if (plain->basis != NEREUS_BASIS_FITTED || huge->basis != NEREUS_BASIS_FITTED)
        return 0;
    const bool pays = nereus_hockney_s(huge, bytes) <=
                      NEREUS_HUGE_PAGES_PAY_BELOW * nereus_hockney_s(plain, bytes);
    return pays ? (int64_t)bytes : 0;
}
