/** @file events.c  Keeps the event queue as a binary heap in which each job knows the position of
 * its event. */
#include "events.h"

enum nereus_status nereus_events_init(int32_t capacity, struct nereus_sim_job *jobs,
                                      struct nereus_events *events, struct nereus_error *err)
{
    *events = (struct nereus_events){.jobs = jobs};
    events->items = calloc((size_t)capacity + 1, sizeof *events->items);
    NEREUS_TRY_MEMORY(events->items, err, "for %d events", capacity);
    return NEREUS_OK;
}

void nereus_events_fini(struct nereus_events *events)
{
    free(events->items);
    *events = (struct nereus_events){0};
}

static bool is_before(const struct nereus_event *a, const struct nereus_event *b)
{
    return a->time_s != b->time_s ? a->time_s < b->time_s : a->job < b->job;
}

static void place_event(struct nereus_events *events, int32_t at, struct nereus_event event)
{
    events->items[at] = event;
    events->jobs[event.job].event = at;
}

static void sift_event_up_or_down(struct nereus_events *events, int32_t at,
                                  struct nereus_event event)
{
    while (at > 0 && is_before(&event, &events->items[(at - 1) / 2])) {
        place_event(events, at, events->items[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (int32_t child; (child = 2 * at + 1) < events->count; at = child) {
        if (child + 1 < events->count &&
            is_before(&events->items[child + 1], &events->items[child]))
            child++;
        if (!is_before(&events->items[child], &event))
            break;
        place_event(events, at, events->items[child]);
    }
    place_event(events, at, event);
}

void nereus_events_add(struct nereus_events *events, int32_t job, double time_s)
{
    const int32_t at = events->count++;
    sift_event_up_or_down(events, at, (struct nereus_event){time_s, job});
}

void nereus_events_move(struct nereus_events *events, int32_t job, double time_s)
{
    sift_event_up_or_down(events, events->jobs[job].event, (struct nereus_event){time_s, job});
}

int32_t nereus_events_pop(struct nereus_events *events)
{
    const int32_t job = events->items[0].job;
    const struct nereus_event last = events->items[--events->count];
    if (events->count > 0)
        sift_event_up_or_down(events, 0, last);
    return job;
}

void nereus_events_remove(struct nereus_events *events, int32_t job)
{
    nereus_events_move(events, job, -INFINITY);
    nereus_events_pop(events);
}
