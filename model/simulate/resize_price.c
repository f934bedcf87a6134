/**
 * @file resize_price.c
 * Predicts the time of each resize by nereus_predict. Jobs are assumed to have a world on each
 * node, as after a parallel expansion, so that a merge can give back whole nodes.
 */
#include "nereus/resize_price.h"

#include "model/util/base.h"

static enum nereus_status add_named_methods(const char *text, struct nereus_resize_prices *prices,
                                            struct nereus_error *err)
{
    struct nereus_method *method = &prices->methods[0];
    NEREUS_TRY(nereus_method_parse(text, method, err));
    NEREUS_TRY(nereus_method_check(method, err));
    if (nereus_method_is_overlapped(method)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a simulated resize stops its job: '%s' is asynchronous; name a "
                           "synchronous method, or best",
                           text);
    }
    prices->count = 1;
    return NEREUS_OK;
}

static enum nereus_status add_all_methods(struct nereus_resize_prices *prices,
                                          struct nereus_error *err)
{
    for (int64_t i = 0; i < prices->profile->method_count; i++)
        if (!nereus_method_is_overlapped(&prices->profile->methods[i]))
            prices->methods[prices->count++] = prices->profile->methods[i];
    return prices->count > 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_NO_BASIS,
                             "the profile has no synchronous method: name one with --method");
}

bool nereus_resize_names_every_method(const char *method)
{
    return strcmp(method, "best") == 0 || strcmp(method, "auto") == 0;
}

enum nereus_status nereus_resize_prices_init(const struct nereus_profile *profile,
                                             const char *method, int64_t cores_per_node,
                                             struct nereus_resize_prices *prices,
                                             struct nereus_error *err)
{
    const size_t capacity = (size_t)profile->method_count + 1;
    *prices = (struct nereus_resize_prices){.profile = profile,
                                            .scale = 1,
                                            .methods = calloc(capacity, sizeof *prices->methods),
                                            .resizes = calloc(capacity, sizeof *prices->resizes)};
    enum nereus_status status =
        prices->methods == NULL || prices->resizes == NULL
            ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %d methods", (int)capacity)
            : nereus_machine_uniform(cores_per_node, &prices->machine, err);
    if (status == NEREUS_OK) {
        status = nereus_resize_names_every_method(method) ? add_all_methods(prices, err)
                                                          : add_named_methods(method, prices, err);
    }
    if (status != NEREUS_OK)
        nereus_resize_prices_fini(prices);
    return status;
}

void nereus_resize_prices_fini(struct nereus_resize_prices *prices)
{
    free(prices->methods);
    free(prices->resizes);
    *prices = (struct nereus_resize_prices){0};
}

static enum nereus_status predict_all_methods(struct nereus_resize_prices *prices,
                                              const struct nereus_scenario *scenario,
                                              struct nereus_resize_price *price,
                                              struct nereus_error *err)
{
    price->rt_s = INFINITY;
    for (int i = 0; i < prices->count; i++) {
        struct nereus_prediction prediction;
        const struct nereus_method *method = &prices->methods[i];
        if (nereus_method_check_direction(method, scenario->ns, scenario->nt, err) == NEREUS_OK &&
            nereus_predict(prices->profile, scenario, method, &prediction, err) == NEREUS_OK &&
            prediction.rt_s.value < price->rt_s)
            *price = (struct nereus_resize_price){prediction.rt_s.value, i};
    }
    return isfinite(price->rt_s) ? NEREUS_OK : NEREUS_ERR_NO_BASIS;
}

bool nereus_resize_prices_find(struct nereus_resize_prices *prices,
                               const struct nereus_resize_question *question,
                               struct nereus_resize_price *price)
{
    struct nereus_jobstate state = {0};
    struct nereus_error err = {.status = NEREUS_OK};
    enum nereus_status status =
        nereus_jobstate_per_node(&prices->machine, question->ns, &state, &err);
    if (status == NEREUS_OK) {
        const struct nereus_scenario scenario = {.machine = &prices->machine,
                                                 .state = &state,
                                                 .ns = question->ns,
                                                 .nt = question->nt,
                                                 .variable_bytes = question->bytes,
                                                 .t_iter_ns_s = question->t_iter_ns_s,
                                                 .t_iter_nt_s = question->t_iter_nt_s,
                                                 .iterations_before = 1,
                                                 .iterations_after = 1,
                                                 .values_only = true};
        status = predict_all_methods(prices, &scenario, price, &err);
        price->rt_s *= prices->scale;
        nereus_jobstate_fini(&state);
    }
    if (status != NEREUS_OK && prices->without_price++ == 0)
        prices->refusal = err;
    return status == NEREUS_OK;
}

void nereus_resize_prices_count(struct nereus_resize_prices *prices,
                                const struct nereus_resize_price *price)
{
    prices->resizes[price->method]++;
}
