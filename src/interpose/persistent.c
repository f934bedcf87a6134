/** @file persistent.c  A table of the program's persistent requests; as watch.c, it links nothing. */
#include "persistent.h"

#include <stdlib.h>

/* Per thread; it lives as long as the process. */
static _Thread_local struct nereus_persistent *requests;
static _Thread_local int count, room;
static _Thread_local int
    latest; /* requests start in the order in which they were made: the next one is tried first */

static struct nereus_persistent *find(MPI_Request request)
{
    for (int tried = 0; tried < count; tried++) {
        latest = latest + 1 < count ? latest + 1 : 0;
        if (requests[latest].request == request)
            return &requests[latest];
    }
    return NULL;
}

const struct nereus_persistent *nereus_persistent_find(MPI_Request request)
{
    return find(request);
}

void nereus_persistent_put(struct nereus_persistent request)
{
    struct nereus_persistent *same = find(request.request);
    if (same != NULL) {
        *same = request;
        return;
    }
    if (count == room) {
        struct nereus_persistent *grown =
            realloc(requests, (size_t)(2 * room + 64) * sizeof *requests);
        if (grown == NULL)
            return;
        requests = grown;
        room = 2 * room + 64;
    }
    requests[count++] = request;
}
