/** @file requests.h  What the calls that make requests share. */
#pragma once

#include "src/job/job.h"

/** Check rank 0's request and make it pending: all carry it out at an agreed point. */
enum nereus_status nereus_make_pending(nereus_job *job, struct resize_request *wanted,
                                       const char *method);

/** Default method of load balance. */
#define NEREUS_DEFAULT_BALANCE "merge/coll-weighted"
