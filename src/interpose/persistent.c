/**
 * @file persistent.c
 * Keeps a table of the program's persistent requests for each thread until the thread ends.
 * Like watch.c, it links no library.
 */
#include "persistent.h"

static _Thread_local struct nereus_persistent *persistent_requests;
static _Thread_local int count;
/* Index of the latest request found: the search begins after it, as requests are usually started in
 * the order in which they were made. */
static _Thread_local int latest;

struct nereus_persistent *nereus_persistent_find(MPI_Request request)
{
    for (int tried = 0; tried < count; tried++) {
        latest = latest + 1 < count ? latest + 1 : 0;
        if (persistent_requests[latest].request == request)
            return &persistent_requests[latest];
    }
    return NULL;
}

void nereus_persistent_store(struct nereus_persistent request)
{
    struct nereus_persistent *same = nereus_persistent_find(request.request);
    if (same != NULL) {
        *same = request;
        return;
    }
    struct nereus_persistent *grown = nereus_grow(persistent_requests, count, sizeof *grown);
    if (grown == NULL)
        return;
    persistent_requests = grown;
    persistent_requests[count++] = request;
}
