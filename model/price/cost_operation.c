/**
 * @file cost_operation.c
 * Prices a redistribution from its operations, each measured between two processes of a node
 * (calibration/tasks/task_data.c):
 *
 *   rma                messages in x get(..) (of one world, or from another) + window(bytes of a
 *                      source) x log2(processes)
 *   shared             messages in x copy(..); between nodes messages, as p2p
 *   all at least what a process copies to itself; + first touch of the new part, minus
 *                      what allocate pays for; both times processes / cores if oversubscribed
 *
 * An operation is measured alone on touched pages and idle cores. If redistributions of the method
 * were measured, the sum is multiplied by the median of measured / modelled (fit_moves.c) and has
 * their scatter.
 *
 * On other nodes, or in another world, an operation is scaled as a ping-pong is.
 */
#include "cost_operation.h"

#include "cost.h"
#include "cost_data.h"
#include "cost_restart.h"
#include "cost_sum.h"
#include "transfer.h"

/* Assumed log-sd. `related_log_sd` (a factor of 3 at 90 %) is that of priors, and of measured
 * operations, as a step is more than one operation on touched pages and idle cores;
 * `shared_cores_log_sd` is a factor of 5. */
static const double related_log_sd = 0.7, shared_cores_log_sd = 1, assumed_log_sd = 1.4;
static const double touch_s_per_byte = 5e-10; /* the value of fit_unmeasured.c for allocate */
static const double window_s = 1e-3;
/* smaller parts are sent without a window (src/move/schedule.h) */
static const double packed_below_bytes = 65536;

#define PRIOR(name, text)                                                                          \
    static const struct nereus_linear_model name = {.basis = NEREUS_BASIS_PRIOR, .source = text}
PRIOR(get_as_message, "rma: a get at ping-pong speed");
PRIOR(shared_as_message, "shared: a copy at ping-pong speed");
PRIOR(as_others, "redistribute as p2p or coll");
PRIOR(window_as_split, "rma: a window as a split");
PRIOR(window_as_tree, "rma: a window as a tree of 2 log2(processes) messages");
PRIOR(window_assumed, "rma: a window in 1 ms assumed");
PRIOR(broadcast_as_tree, "replicated values: a tree of messages at ping-pong speed");
PRIOR(broadcast_assumed, "replicated values: a tree of 10 us + 1 ns a byte assumed");
PRIOR(touch_assumed, "first touch: 0.5 ns a byte assumed");

bool nereus_cost_is_by_operation(enum nereus_data data)
{
    return data == NEREUS_RMA || data == NEREUS_SHARED;
}

/* Is the data of the busiest processes in their own world? add_moving uses the same rule. */
static bool is_in_one_world(const struct nereus_cost_context *context)
{
    return !context->respawn && context->nt <= context->ns;
}

int nereus_cost_find_move_class(const struct nereus_cost_context *context)
{
    const bool rma = context->data == NEREUS_RMA;
    if (!rma && context->data != NEREUS_SHARED)
        return -1;
    return is_in_one_world(context) ? (rma ? NEREUS_MOVES_RMA : NEREUS_MOVES_SHARED)
                                    : (rma ? NEREUS_MOVES_RMA_INTER : NEREUS_MOVES_SHARED_INTER);
}

static bool is_measured(const struct nereus_cost_context *context, enum nereus_operation operation)
{
    return context->profile->operations[operation].basis == NEREUS_BASIS_FITTED;
}

static bool is_on_one_node(const struct nereus_cost_context *context)
{
    return nereus_machine_is_one_node(context->machine, nereus_max(context->ns, context->nt));
}

/* Messages and bytes of the busiest process, which determine the price of operations. */
struct busiest {
    double messages, bytes;
};

static struct busiest find_busiest(const struct nereus_transfer *t, bool targets_act)
{
    struct busiest b = {(double)t->messages_in, (double)t->elements_in};
    if (!targets_act && t->elements_out > t->elements_in)
        b = (struct busiest){(double)t->messages_out, (double)t->elements_out};
    return b;
}

/* Seconds of a process' copy to itself, at the speed of a copy, else of messages on its node; 0:
 * neither was measured. */
static double compute_own_copy_s(const struct nereus_cost_context *context, double bytes)
{
    const struct nereus_hockney *pair = nereus_cost_pair(context->profile->pairs, true, true);
    if (bytes <= 0)
        return 0;
    if (is_measured(context, NEREUS_OPERATION_SHARED))
        return nereus_hockney_s(&context->profile->operations[NEREUS_OPERATION_SHARED], bytes);
    return pair != NULL ? nereus_hockney_s(pair, bytes) : 0;
}

/* Count the turns of copies and first touch, which keep one core per process busy: oversubscribed
 * processes take turns. */
static double count_turns(const struct nereus_cost_context *context)
{
    const double processes = (double)(context->respawn ? context->ns + context->nt
                                                       : nereus_max(context->ns, context->nt));
    const double cores = (double)nereus_machine_total_cores(context->machine) *
                         (double)nereus_machine_cores_per_process(context->machine);
    return context->oversubscribed ? fmax(1, processes / cores) : 1;
}

/* Add a model with one term, a feature in seconds. */
static struct nereus_linear_model *add_part(struct nereus_step_models *models,
                                            enum nereus_term term,
                                            const struct nereus_hockney *measured_link,
                                            const struct nereus_linear_model *prior, double log_sd)
{
    const int index = models->count++;
    struct nereus_linear_model *m = &models->part[index].own;
    models->part[index].kind = NEREUS_STEP_REDISTRIBUTE;
    models->part[index].prior = prior;
    m->basis = prior == NULL ? NEREUS_BASIS_FITTED : NEREUS_BASIS_PRIOR;
    m->terms = 1;
    m->coefficients[0] = 1;
    m->rows = prior == NULL ? measured_link->rows : 0;
    m->log_sd = prior == NULL ? fmax(related_log_sd, measured_link->log_sd) : log_sd;
    memcpy(m->names[0], nereus_term_name(term), strlen(nereus_term_name(term)) + 1);
    m->term_numbers[0] = (int8_t)(term + 1);
    return m;
}

/* The operation of each way to move data, and its prior. */
static enum nereus_operation choose_operation(enum nereus_data data, bool same_world,
                                              const struct nereus_linear_model **prior)
{
    *prior = data == NEREUS_RMA ? &get_as_message : &shared_as_message;
    return data != NEREUS_RMA ? NEREUS_OPERATION_SHARED
           : same_world       ? NEREUS_OPERATION_GET
                              : NEREUS_OPERATION_GET_INTER;
}

/* Price the operation.
 * @return false: neither the operation nor messages were measured */
static bool add_moving(const struct nereus_cost_context *context, const struct nereus_transfer *t,
                       double bytes, struct nereus_step_models *models)
{
    const struct nereus_linear_model *prior;
    const bool same_world = is_in_one_world(context);
    const enum nereus_operation operation = choose_operation(context->data, same_world, &prior);
    const bool messages = context->data == NEREUS_SHARED && !is_on_one_node(context);
    const struct nereus_hockney *pair =
        nereus_cost_pair(context->profile->pairs, same_world, is_on_one_node(context));
    const struct busiest b = find_busiest(t, !messages);
    const double each = b.messages > 0 ? b.bytes / b.messages : 0;
    const bool measured = !messages && is_measured(context, operation);
    if (!measured && pair == NULL)
        return false;
    const double one_s =
        measured ? nereus_cost_operation_s(context, operation, each) : nereus_hockney_s(pair, each);
    models->input.transfer_s =
        fmax(fmax(b.messages * one_s, compute_own_copy_s(context, (double)t->kept_elements)) *
                 count_turns(context),
             nereus_cost_link_s(context, bytes));
    add_part(models, NEREUS_TERM_TRANSFER,
             measured ? &context->profile->operations[operation] : pair,
             measured || messages ? NULL : prior, related_log_sd);
    return true;
}

static void add_window(const struct nereus_cost_context *context, double bytes,
                       struct nereus_step_models *models)
{
    if (bytes / (double)nereus_min(context->ns, context->nt) < packed_below_bytes)
        return;
    const double rounds =
        fmax(1, log2((double)(context->respawn ? context->ns + context->nt
                                               : nereus_max(context->ns, context->nt))));
    const struct nereus_linear_model *split_model =
        nereus_context_model(context, NEREUS_STEP_SPLIT);
    const struct nereus_hockney *pair =
        nereus_cost_pair(context->profile->pairs, true, is_on_one_node(context));
    const double split_s = nereus_cost_value(split_model, &models->input, NULL);
    if (is_measured(context, NEREUS_OPERATION_WINDOW)) {
        models->input.window_s = rounds * nereus_cost_operation_s(context, NEREUS_OPERATION_WINDOW,
                                                                  bytes / (double)context->ns);
        add_part(models, NEREUS_TERM_WINDOW, &context->profile->operations[NEREUS_OPERATION_WINDOW],
                 NULL, 0);
        return;
    }
    models->input.window_s = split_s > 0    ? split_s
                             : pair != NULL ? 2 * rounds * nereus_hockney_s(pair, 8)
                                            : window_s;
    add_part(models, NEREUS_TERM_WINDOW, NULL,
             split_s > 0    ? &window_as_split
             : pair != NULL ? &window_as_tree
                            : &window_assumed,
             assumed_log_sd);
}

/* Seconds of first touch in the price of the step allocate; all of it if that price is a prior. */
static double allocate_touch_s(const struct nereus_linear_model *allocate, double touched)
{
    double touch_s = allocate->basis == NEREUS_BASIS_FITTED ? 0 : INFINITY;
    for (int i = 0; i < allocate->terms; i++)
        if (nereus_cost_term(allocate, i) == NEREUS_TERM_TOUCHED_BYTES)
            touch_s += allocate->coefficients[i] * touched;
    return touch_s;
}

/* Find the model of first touch, with huge pages where the runtime has them (src/core/decide.c). */
static const struct nereus_hockney *find_touch_model(const struct nereus_profile *profile,
                                                     double touched)
{
    const bool huge = touched <= (double)nereus_profile_huge_bytes(profile);
    return &profile->operations[huge ? NEREUS_OPERATION_TOUCH_HUGE : NEREUS_OPERATION_TOUCH];
}

/* Seconds of first touch that the price of allocate does not contain; <= 0: none. */
static double compute_remaining_touch_s(const struct nereus_cost_context *context, double touched)
{
    const double all_s =
        is_measured(context, NEREUS_OPERATION_TOUCH)
            ? nereus_hockney_s(find_touch_model(context->profile, touched), touched)
            : touch_s_per_byte * touched;
    return all_s * count_turns(context) -
           allocate_touch_s(nereus_context_model(context, NEREUS_STEP_ALLOCATE), touched);
}

static void add_touch(const struct nereus_cost_context *context, double touched,
                      struct nereus_step_models *models)
{
    const bool measured = is_measured(context, NEREUS_OPERATION_TOUCH);
    const double rest_s = compute_remaining_touch_s(context, touched);
    if (touched <= 0 || rest_s <= 0)
        return;
    models->input.touch_s = rest_s;
    add_part(models, NEREUS_TERM_TOUCH, find_touch_model(context->profile, touched),
             measured ? NULL : &touch_assumed, assumed_log_sd);
}

static void add_kind(const struct nereus_cost_context *context, enum nereus_step_kind kind,
                     struct nereus_step_models *models)
{
    models->part[models->count].kind = kind;
    models->part[models->count].prior = NULL;
    models->part[models->count++].model = nereus_context_model(context, kind);
}

/* Add the model of a kind; a step of a restart that was not measured has a prior. */
static void add_kind_or_prior(const struct nereus_cost_context *context, enum nereus_step_kind kind,
                              struct nereus_step_models *models)
{
    const int index = models->count;
    const struct nereus_linear_model *measured_model, *named;
    add_kind(context, kind, models);
    if (models->part[index].model->basis != NEREUS_BASIS_NONE ||
        !nereus_restart_find_prior(context, kind, &models->part[index].own, &measured_model,
                                   &named))
        return;
    models->part[index].model = NULL;
    models->part[index].measured = measured_model;
    models->part[index].prior = named;
}

/* Add the model of p2p and coll as a prior. */
static void add_message_prior(const struct nereus_cost_context *context,
                              struct nereus_step_models *models)
{
    const struct nereus_linear_model *other_model =
        nereus_context_model(context, NEREUS_STEP_REDISTRIBUTE);
    add_kind(context, NEREUS_STEP_REDISTRIBUTE, models);
    if (other_model->basis != NEREUS_BASIS_FITTED)
        return;
    models->part[0].model = NULL;
    models->part[0].own = *other_model;
    models->part[0].own.basis = NEREUS_BASIS_PRIOR;
    models->part[0].own.log_sd = fmax(related_log_sd, other_model->log_sd);
    models->part[0].own.low_factor = models->part[0].own.high_factor = 0;
    models->part[0].prior = &as_others;
}

/* Find the factor measured / priced of redistributions by this method; NULL: none was measured. */
static const struct nereus_linear_model *
find_measured_factor(const struct nereus_cost_context *context)
{
    const int move_class = nereus_cost_find_move_class(context);
    const struct nereus_linear_model *within =
        move_class < 0 ? NULL : &context->profile->moves[move_class];
    if (within == NULL)
        return NULL;
    if (context->oversubscribed && within[NEREUS_MOVES_OVERSUBSCRIBED].basis == NEREUS_BASIS_FITTED)
        return &within[NEREUS_MOVES_OVERSUBSCRIBED];
    return within->basis == NEREUS_BASIS_FITTED ? within : NULL;
}

static void multiply_by_measured(struct nereus_step_models *models,
                                 const struct nereus_linear_model *factor)
{
    for (int i = 0; i < models->count; i++) {
        struct nereus_linear_model *m = &models->part[i].own;
        if (models->part[i].model != NULL)
            continue;
        m->coefficients[0] *= factor->coefficients[0];
        m->basis = NEREUS_BASIS_FITTED;
        m->rows = INT32_MAX; /* the factors contain Student's factor of few rows already */
        m->log_sd = factor->log_sd;
        m->low_factor = factor->low_factor;
        m->high_factor = factor->high_factor;
        m->long_high_factor = 0;
        m->min_ns = factor->min_ns;
        m->max_ns = factor->max_ns;
        m->min_nt = factor->min_nt;
        m->max_nt = factor->max_nt;
        m->max_load = factor->max_load;
        models->part[i].prior = NULL;
        models->part[i].measured = factor;
    }
}

/* Find elements and messages of the redistribution; known ranges are shares of all elements. */
static void find_transfer(const struct nereus_cost_context *context, double bytes,
                          struct nereus_transfer *t)
{
    nereus_transfer_blocks((int64_t)bytes, context->ns, context->nt, context->respawn, t);
    if (context->range_elements == 0)
        return;
    const double factor = bytes / (double)context->range_elements;
    t->messages_out = context->ranges.messages_out;
    t->messages_in = context->ranges.messages_in;
    t->elements_out = (int64_t)((double)context->ranges.elements_out * factor);
    t->elements_in = (int64_t)((double)context->ranges.elements_in * factor);
    t->kept_elements = (int64_t)((double)context->ranges.kept_elements * factor);
    t->touched_elements = (int64_t)((double)context->ranges.touched_elements * factor);
}

static void add_operations(const struct nereus_cost_context *context, double bytes,
                           struct nereus_step_models *models)
{
    struct nereus_transfer t;
    find_transfer(context, bytes, &t);
    const bool known = add_moving(context, &t, bytes, models);
    if (!known)
        add_message_prior(context, models);
    if (context->data == NEREUS_RMA)
        add_window(context, bytes, models);
    if (known)
        add_touch(context, (double)t.touched_elements, models);
}

/* Widen prices of oversubscribed machines, where no operation was measured. */
static void widen_errors(struct nereus_step_models *models)
{
    for (int i = 0; i < models->count; i++) {
        models->part[i].own.log_sd = fmax(models->part[i].own.log_sd, shared_cores_log_sd);
        models->part[i].own.low_factor = models->part[i].own.high_factor = 0;
    }
}

/* Add the broadcast of replicated values, which the other models do not contain. */
static void add_broadcast(const struct nereus_cost_context *context, double bytes,
                          struct nereus_step_models *models)
{
    static const struct nereus_linear_model *const priors[] = {NULL, &broadcast_as_tree,
                                                               &broadcast_assumed};
    /* a measured broadcast has less scatter than `related_log_sd` */
    const struct nereus_hockney measured_link = {.rows = INT32_MAX};
    enum nereus_broadcast_basis basis;
    if (bytes <= 0 || !nereus_cost_lacks_replicated(context))
        return;
    memset(&models->part[models->count], 0, sizeof models->part[0]);
    models->input.broadcast_s = nereus_cost_broadcast_s(context, bytes, &basis) +
                                fmax(0, compute_remaining_touch_s(context, bytes));
    struct nereus_linear_model *m =
        add_part(models, NEREUS_TERM_BROADCAST, &measured_link, priors[basis],
                 basis == NEREUS_BROADCAST_ASSUMED ? assumed_log_sd : related_log_sd);
    if (context->oversubscribed)
        m->log_sd = fmax(m->log_sd, shared_cores_log_sd);
}

/* Price a redistribution between nodes by measured ones.
 * @return false: none was measured */
static bool add_between(const struct nereus_cost_context *context, double bytes,
                        struct nereus_step_models *models)
{
    memset(models->part, 0, sizeof models->part[0]);
    const struct nereus_linear_model *model =
        nereus_between_model(context, &models->part[0].own, &models->part[0].prior);
    if (model == NULL)
        return false;
    models->part[0].kind = NEREUS_STEP_REDISTRIBUTE;
    models->part[0].model = model != &models->part[0].own ? model : NULL;
    models->count = 1;
    models->input.between_bytes = nereus_between_bytes_of(context, bytes);
    return true;
}

static void make_without_replicated(const struct nereus_cost_context *context,
                                    const struct nereus_step *step,
                                    struct nereus_step_models *models)
{
    const double bytes = (double)step->constant_bytes + (double)step->variable_bytes;
    enum nereus_step_kind kinds[2];
    models->count = 0;
    nereus_cost_input_make(context, step, &models->input);
    if (step->kind == NEREUS_STEP_REDISTRIBUTE && bytes > 0 && add_between(context, bytes, models))
        return;
    if (step->kind == NEREUS_STEP_REDISTRIBUTE && bytes > 0 &&
        nereus_cost_is_by_operation(context->data)) {
        const struct nereus_linear_model *factor = find_measured_factor(context);
        memset(models->part, 0, sizeof models->part);
        add_operations(context, bytes, models);
        if (factor != NULL)
            multiply_by_measured(models, factor);
        if (context->oversubscribed &&
            (factor == NULL || factor < &context->profile->moves[NEREUS_MOVES_OVERSUBSCRIBED]))
            widen_errors(models);
        return;
    }
    const int count = nereus_cost_priced_as(context->profile, step, context->oversubscribed, kinds);
    for (int i = 0; i < count; i++)
        add_kind_or_prior(context, kinds[i], models);
}

void nereus_step_models_make(const struct nereus_cost_context *context,
                             const struct nereus_step *step, struct nereus_step_models *models)
{
    make_without_replicated(context, step, models);
    if (step->kind == NEREUS_STEP_REDISTRIBUTE)
        add_broadcast(context, (double)step->replicated_bytes, models);
}

const struct nereus_linear_model *nereus_step_model(const struct nereus_step_models *models, int i)
{
    return models->part[i].model != NULL ? models->part[i].model : &models->part[i].own;
}

static enum nereus_status fail_no_basis(enum nereus_step_kind kind, struct nereus_error *err)
{
    return nereus_fail(
        err, NEREUS_ERR_NO_BASIS,
        "the profile has no basis for the step '%s' (%s): measure it with nereus calibrate, or "
        "fit samples of whole reconfigurations that contain it",
        nereus_step_name(kind), nereus_step_help(kind));
}

enum nereus_status nereus_step_models_add(const struct nereus_step_models *models,
                                          const struct nereus_cost_context *context,
                                          struct nereus_cost_sum *sum, struct nereus_error *err)
{
    for (int i = 0; i < models->count; i++) {
        const struct nereus_linear_model *model = nereus_step_model(models, i);
        if (model->basis == NEREUS_BASIS_NONE)
            return fail_no_basis(models->part[i].kind, err);
        nereus_cost_add(sum, model, context, &models->input);
        if (sum->prior == &models->part[i].own) /* this pointer outlives the models of the step */
            sum->prior = models->part[i].prior;
        if (sum->extrapolated_model == &models->part[i].own)
            sum->extrapolated_model = models->part[i].measured;
    }
    return NEREUS_OK;
}
