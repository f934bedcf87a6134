/* Pieces that more than one plan is made of. */
#include "plan_build.h"

void nereus_plan_append_data(const struct nereus_request *request, struct nereus_plan *plan, unsigned who,
                             unsigned targets)
{
    struct nereus_request_bytes bytes;
    nereus_request_sum_bytes(request, &bytes);
    if (request->data_count > 0) {
        struct nereus_step *allocate = nereus_plan_append(plan, NEREUS_STEP_ALLOCATE, targets);
        allocate->constant_bytes = bytes.constant_bytes;
        allocate->variable_bytes = bytes.variable_bytes + bytes.replicated_bytes;
        /* Who could not allocate must be known before anybody waits for its messages. */
        nereus_plan_append(plan, NEREUS_STEP_AGREE, who);
        struct nereus_step *move = nereus_plan_append(plan, NEREUS_STEP_REDISTRIBUTE, who);
        move->constant_bytes = bytes.constant_bytes;
        move->variable_bytes = bytes.variable_bytes + bytes.replicated_bytes;
        move->new_processes = plan->nt;
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

void nereus_plan_hand_to_thread(struct nereus_plan *plan, unsigned who)
{
    if (!plan->method.async || plan->method.strategy == NEREUS_LAUNCH)
        return; /* launched processes start beside the application without a thread */
    for (int i = 1; i < plan->step_count; i++)
        plan->steps[i].thread = NEREUS_AUXILIARY_THREAD;
    struct nereus_step *wait = nereus_plan_append(plan, NEREUS_STEP_SYNCHRONISE, who);
    wait->new_processes = plan->spawned;
}
