/* Pieces that more than one plan is made of. */
#include "plan_build.h"

/* Everything that needs memory: new parts, and in who only sends, too, what the transfer takes. */
static void append_allocate(const struct nereus_request_bytes *bytes, struct nereus_plan *plan, unsigned who)
{
    struct nereus_step *allocate = nereus_plan_append(plan, NEREUS_STEP_ALLOCATE, who);
    allocate->constant_bytes = bytes->constant_bytes;
    allocate->variable_bytes = bytes->variable_bytes;
    allocate->replicated_bytes = bytes->replicated_bytes;
    /* Who could not allocate must be known before anybody waits for its messages. */
    nereus_plan_append(plan, NEREUS_STEP_AGREE, who);
}

static struct nereus_step *append_redistribute(struct nereus_plan *plan, unsigned who, int64_t constant_bytes,
                                               int64_t variable_bytes)
{
    struct nereus_step *move = nereus_plan_append(plan, NEREUS_STEP_REDISTRIBUTE, who);
    move->constant_bytes = constant_bytes;
    move->variable_bytes = variable_bytes;
    move->new_processes = plan->nt;
    return move;
}

/* Does an auxiliary thread start the processes? Launched ones start beside the application without. */
static bool starts_in_thread(const struct nereus_plan *plan)
{
    return plan->method.async && plan->method.strategy != NEREUS_LAUNCH;
}

/* Old and new wait for each other at a point that the sources have agreed on: the application stands still from here on. */
static void append_meeting(struct nereus_plan *plan, unsigned who)
{
    nereus_plan_append(plan, NEREUS_STEP_SYNCHRONISE, who)->new_processes = plan->spawned;
}

/* Allocation and constant data, and then all meet. What allocates at points is short, and is done at the first of them. */
static void append_overlap(const struct nereus_request_bytes *bytes, struct nereus_plan *plan, unsigned who)
{
    const bool in_thread = plan->method.overlap == NEREUS_THREAD;
    const int first = plan->step_count;
    append_allocate(bytes, plan, who);
    append_redistribute(plan, who, bytes->constant_bytes, 0)->thread = NEREUS_AT_POINTS;
    for (int i = first; in_thread && i < plan->step_count; i++)
        plan->steps[i].thread = NEREUS_AUXILIARY_THREAD;
    append_meeting(plan, who);
}

void nereus_plan_append_beside(const struct nereus_request *request, struct nereus_plan *plan, unsigned who)
{
    struct nereus_request_bytes bytes;
    nereus_request_sum_bytes(request, &bytes);
    const struct nereus_method *method = &plan->method;
    const bool overlaps = nereus_method_overlaps(method, bytes.constant_bytes);
    const bool thread = starts_in_thread(plan);
    for (int i = 1; thread && i < plan->step_count; i++)
        plan->steps[i].thread = NEREUS_AUXILIARY_THREAD;
    if (thread && !(overlaps && method->overlap == NEREUS_THREAD)) /* or the thread goes on */
        append_meeting(plan, who);
    if (overlaps)
        append_overlap(&bytes, plan, who);
}

void nereus_plan_append_data(const struct nereus_request *request, struct nereus_plan *plan, unsigned who)
{
    struct nereus_request_bytes bytes;
    nereus_request_sum_bytes(request, &bytes);
    if (nereus_plan_overlaps(plan)) {
        if (bytes.variable_bytes + bytes.replicated_bytes > 0)
            append_redistribute(plan, who, 0, bytes.variable_bytes)->replicated_bytes =
                bytes.replicated_bytes;
    } else if (request->data_count > 0) {
        append_allocate(&bytes, plan, who);
        append_redistribute(plan, who, bytes.constant_bytes, bytes.variable_bytes)->replicated_bytes =
            bytes.replicated_bytes;
    }
}

void nereus_plan_append_commit(const struct nereus_request *request, struct nereus_plan *plan, unsigned who,
                               int64_t incoming)
{
    struct nereus_request_bytes bytes;
    nereus_request_sum_bytes(request, &bytes);
    struct nereus_step *commit = nereus_plan_append(plan, NEREUS_STEP_COMMIT, who);
    commit->new_processes = incoming;
    commit->constant_bytes = bytes.constant_bytes;
    commit->variable_bytes = bytes.variable_bytes;
}
