/* Requests from outside (core/asked.h), as plain data that moves along with rank 0. Private to
 * src/. */
#ifndef NEREUS_SRC_ASKED_RECORDS_H
#define NEREUS_SRC_ASKED_RECORDS_H

#include "nereus/job_client.h"

enum { ASKED_KEPT = 8 };

enum asked_stage {
    ASKED_QUEUED = 1, /* accepted; not seen by a malleability point yet */
    ASKED_TAKEN,      /* pending, as the program's own requests are */
    ASKED_UNDER_WAY,  /* rank 0 has begun to decide on it */
    ASKED_MEASURED,   /* carried out; the trace's RT is on its way */
    ASKED_OVER
};

struct asked_record {
    int64_t number;
    int32_t stage, end; /* enum asked_stage, enum nereus_job_end */
    int32_t rt_traced;
    int64_t ns, nt;
    double rt_s; /* below 0: unknown */
    /* The change of the machine that has freed nodes for it (struct freed_node); 0: none */
    int64_t frees_at;
};

/* Request n is kept[n % ASKED_KEPT], until another one needs its place. */
struct asked_records {
    int64_t made;
    struct asked_record kept[ASKED_KEPT];
};

#endif
