/** @file question_plan.c  Makes the request record and the plan of a question by one method. */
#include "question_plan.h"

#include "model/plan/placement.h"
#include "model/plan/strategies/strategy.h"

static void add_data(struct nereus_request *request, const char *name, double bytes,
                     enum nereus_data_kind kind)
{
    if (bytes <= 0)
        return;
    struct nereus_data_entry *entry = &request->data[request->data_count++];
    *entry = (struct nereus_data_entry){
        .element_bytes = 1, .count = (int64_t)bytes, .kind = kind, .placement = NEREUS_DISTRIBUTED};
    snprintf(entry->name, sizeof entry->name, "%s", name);
}

static enum nereus_status make_request(const struct nereus_question *question,
                                       const struct nereus_method *method,
                                       struct nereus_request *request, struct nereus_error *err)
{
    const struct nereus_scenario *scenario = &question->scenario;
    *request = (struct nereus_request){
        .version = NEREUS_RECORD_VERSION,
        .number = 1,
        .point = (int64_t)scenario->iterations_before,
        .ns = scenario->ns,
        .nt = scenario->nt,
        .zombies = nereus_jobstate_zombies(&question->state),
        .next_world_id = question->state.next_world_id,
        .method = nereus_method_adapt(&question->machine, method, scenario->ns, scenario->nt),
        .keep_asleep = question->machine.layout == NULL, /* as the price assumes (docs/model.md) */
    };
    request->method.data = nereus_method_data(&request->method);
    request->method.has_data = true;
    request->data = calloc(3, sizeof *request->data);
    NEREUS_TRY_MEMORY(request->data, err, "for a request");
    add_data(request, "constant", scenario->constant_bytes, NEREUS_CONSTANT);
    add_data(request, "variable", scenario->variable_bytes, NEREUS_VARIABLE);
    add_data(request, "replicated", scenario->replicated_bytes, NEREUS_VARIABLE);
    if (scenario->replicated_bytes > 0)
        request->data[request->data_count - 1].placement = NEREUS_REPLICATED;
    const enum nereus_status status =
        nereus_request_place(&question->machine, &question->state, NULL, 0, request, err);
    if (status != NEREUS_OK)
        nereus_request_fini(request);
    return status;
}

enum nereus_status nereus_question_plan(const struct nereus_question *question,
                                        const struct nereus_method *method,
                                        struct nereus_request *request, struct nereus_plan *plan,
                                        struct nereus_error *err)
{
    NEREUS_TRY(make_request(question, method, request, err));
    const enum nereus_status status = nereus_plan_make(request, plan, err);
    if (status == NEREUS_OK)
        nereus_plan_drop_thread(plan, &question->machine, true);
    else
        nereus_request_fini(request);
    return status;
}
