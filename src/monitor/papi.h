/** @file papi.h  PAPI, loaded at run time. */
#ifndef NEREUS_SRC_MONITOR_PAPI_H
#define NEREUS_SRC_MONITOR_PAPI_H

#include "work.h"

/** Count floating-point operations of this thread.
 * @return false: counter->why has the reason */
bool nereus_papi_open(struct work_counter *counter);
/** @return false: cannot be read */
bool nereus_papi_read(const struct work_counter *counter, double *flop);
/** Stop counting. */
void nereus_papi_close(struct work_counter *counter);

#endif
