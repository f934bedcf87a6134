/* A change of size: as it was asked for, and as it will be carried out. Private to src/. */
#ifndef NEREUS_SRC_REQUEST_H
#define NEREUS_SRC_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/method.h"

enum { RELEASE_MAX = 64 };

/* Plain data: it travels to other processes as it is. */
struct resize_request {
    int64_t point; /* of a schedule: the malleability point at which it is due */
    int64_t nt;
    struct nereus_method method;
    /* No method was named: rank 0 chooses one when the request is carried out (core/choose.c) */
    bool open;
    int64_t release[RELEASE_MAX]; /* nodes to be given back, as indices in the machine */
    int64_t release_count;
};

#endif
