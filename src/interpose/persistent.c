/**
 * @file persistent.c
 * A table of the program's persistent requests, for each thread; it lives as long as the thread. As
 * watch.c, it links nothing.
 */
#include "persistent.h"

#include <stdlib.h>

static _Thread_local struct nereus_persistent *requests;
static _Thread_local int count, room;
/* Requests start in the order in which they were made: the next one is tried first. */
static _Thread_local int latest;

struct nereus_persistent *nereus_persistent_find(MPI_Request request)
{
    for (int tried = 0; tried < count; tried++) {
        latest = latest + 1 < count ? latest + 1 : 0;
        if (requests[latest].request == request)
            return &requests[latest];
    }
    return NULL;
}

void nereus_persistent_put(struct nereus_persistent request)
{
    struct nereus_persistent *same = nereus_persistent_find(request.request);
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
