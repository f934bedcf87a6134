/** @file profile_write.c  Writes a profile as JSON. */
#include <sys/stat.h>

#include "model/util/file.h"
#include "model/util/json_reader.h"
#include "profile_json.h"
#include "profile_words.h"

static void add_member(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void add_number(json_t *object, const char *key, double value)
{
    if (isfinite(value))
        add_member(object, key, nereus_json_real(value));
}

static void add_text(json_t *object, const char *key, const char *text)
{
    if (text[0] != '\0')
        add_member(object, key, nereus_json_text(text));
}

static json_t *make_pair(int64_t a, int64_t b)
{
    return nereus_json_pack("[I, I]", (json_int_t)a, (json_int_t)b);
}

static json_t *make_model_json(const struct nereus_linear_model *m)
{
    json_t *json = json_object(), *terms = json_array(), *covariance = json_array();
    for (int i = 0; i < m->terms; i++) {
        json_t *row = json_array();
        json_array_append_new(terms, nereus_json_pack("{s:s, s:f}", "name", m->names[i],
                                                      "coefficient", m->coefficients[i]));
        for (int j = 0; j < m->terms; j++)
            json_array_append_new(row, nereus_json_real(m->covariance[i][j]));
        json_array_append_new(covariance, row);
    }
    add_member(json, "basis", nereus_json_text(nereus_basis_names[m->basis]));
    add_text(json, "source", m->source);
    add_member(json, "terms", terms);
    add_member(json, "covariance", covariance);
    add_number(json, "spread", m->log_sd);
    if (m->high_factor > 0)
        add_member(json, "factors", nereus_json_pack("[f, f]", m->low_factor, m->high_factor));
    if (m->long_high_factor > 0) {
        add_member(json, "long_factors",
                   nereus_json_pack("[f, f]", m->long_low_factor, m->long_high_factor));
        add_member(json, "delays_s", nereus_json_pack("[f, f]", m->early_s, m->late_s));
    }
    add_member(json, "rows", json_integer(m->rows));
    if (m->degrees_of_freedom > 0)
        add_member(json, "degrees_of_freedom", json_integer(m->degrees_of_freedom));
    if (m->max_ns > 0) {
        add_member(json, "ns", make_pair(m->min_ns, m->max_ns));
        add_member(json, "nt", make_pair(m->min_nt, m->max_nt));
        add_number(json, "max_load", m->max_load);
        if (m->max_move_s > 0)
            add_number(json, "max_move_s", m->max_move_s);
        if (m->max_bytes > 0)
            add_member(json, "bytes", nereus_json_pack("[f, f]", m->min_bytes, m->max_bytes));
    }
    return json;
}

static void add_model(json_t *object, const char *key, const struct nereus_linear_model *m)
{
    if (m->basis != NEREUS_BASIS_NONE)
        add_member(object, key, make_model_json(m));
}

static json_t *make_models_json(const char *const *names, const struct nereus_linear_model *models,
                                int count)
{
    json_t *json = json_object();
    for (int i = 0; i < count; i++)
        add_model(json, names[i], &models[i]);
    return json;
}

/* Add a member unless it is empty: keys without measurements are left out. */
static void add_unless_empty(json_t *object, const char *key, json_t *json)
{
    if (json_object_size(json) > 0)
        add_member(object, key, json);
    else
        json_decref(json);
}

static json_t *make_hockney_json(const struct nereus_hockney *pair)
{
    json_t *pieces = json_array();
    for (int i = 0; i < pair->pieces; i++)
        json_array_append_new(pieces,
                              nereus_json_pack("{s:f, s:f, s:f}", "from_bytes", pair->from_bytes[i],
                                               "alpha_s", pair->alpha_s[i], "beta_s_per_byte",
                                               pair->beta_s_per_byte[i]));
    return nereus_json_pack("{s:s, s:o, s:o*, s:I, s:f}", "basis", nereus_basis_names[pair->basis],
                            "pieces", pieces, "spread",
                            isnan(pair->log_sd) ? NULL : nereus_json_real(pair->log_sd), "rows",
                            (json_int_t)pair->rows, "max_bytes", pair->max_bytes);
}

/* Does the model have numbers? It has none if there were too few rows. */
static bool is_known(const struct nereus_hockney *pair)
{
    bool known = pair->basis != NEREUS_BASIS_NONE;
    for (int i = 0; i < pair->pieces; i++)
        known = known && isfinite(pair->alpha_s[i]) && isfinite(pair->beta_s_per_byte[i]);
    return known;
}

static json_t *make_hockneys_json(const char *const *names, const struct nereus_hockney *pairs,
                                  int count)
{
    json_t *json = json_object();
    for (int i = 0; i < count; i++)
        if (is_known(&pairs[i]))
            add_member(json, names[i], make_hockney_json(&pairs[i]));
    return json;
}

/* Order collectives by name, then by processes. */
static json_t *make_collectives_json(const struct nereus_profile *profile)
{
    json_t *json = json_object();
    for (int64_t i = 0; i < profile->collective_count; i++) {
        const struct nereus_collective_time *one = &profile->collectives[i];
        const char *name = nereus_collective_name(one->collective);
        char processes[24];
        if (!is_known(&one->time))
            continue;
        snprintf(processes, sizeof processes, "%lld", (long long)one->processes);
        if (json_object_get(json, name) == NULL)
            add_member(json, name, json_object());
        add_member(json_object_get(json, name), processes, make_hockney_json(&one->time));
    }
    return json;
}

static json_t *make_stages_json(const struct nereus_profile *profile)
{
    json_t *json = json_object();
    for (int64_t i = 0; i < profile->stage_count; i++) {
        json_t *one = json_object();
        add_number(one, "t_op_s", profile->stages[i].t_op_s);
        add_member(one, "rows", json_integer((json_int_t)profile->stages[i].rows));
        add_member(json, profile->stages[i].stage, one);
    }
    return json;
}

static json_t *make_machines_json(const struct nereus_profile *profile)
{
    json_t *json = json_array();
    for (int64_t m = 0; m < profile->machine_count; m++) {
        const struct nereus_machine *machine = &profile->machines[m];
        json_t *cores = json_array();
        for (int64_t i = 0; i < machine->node_count; i++)
            json_array_append_new(cores, json_integer(machine->nodes[i].cores));
        json_array_append_new(json, cores);
    }
    return json;
}

static json_t *make_measured_json(const struct nereus_profile *profile)
{
    json_t *json = json_array();
    char method[NEREUS_METHOD_TEXT_MAX];
    for (int64_t i = 0; i < profile->measured_count; i++) {
        const struct nereus_measurement *m = &profile->measurements[i];
        json_t *one = json_object();
        add_member(one, "ns", json_integer(m->ns));
        add_member(one, "nt", json_integer(m->nt));
        add_member(one, "cores_per_node", json_integer(m->cores_per_node));
        if (m->cores_per_process > 1)
            add_member(one, "cores_per_process", json_integer(m->cores_per_process));
        if (m->machine > 0)
            add_member(one, "machine", json_integer(m->machine));
        add_member(one, "method", nereus_json_text(nereus_method_format(&m->method, method)));
        add_number(one, "rt_s", m->rt_s);
        add_number(one, "bytes", m->bytes);
        add_member(one, "n", json_integer(m->n));
        add_member(one, "oversubscribed", json_boolean(m->oversubscribed));
        add_number(one, "t_iter_ns_s", m->t_iter_ns_s);
        add_number(one, "ct_s", m->ct_s);
        add_number(one, "iterations", m->iterations);
        add_number(one, "spread", m->log_sd);
        add_number(one, "model_s", m->model_s);
        json_array_append_new(json, one);
    }
    return json;
}

static json_t *make_methods_json(const struct nereus_profile *profile)
{
    json_t *json = json_array();
    char text[NEREUS_METHOD_TEXT_MAX];
    for (int64_t i = 0; i < profile->method_count; i++)
        json_array_append_new(json,
                              nereus_json_text(nereus_method_format(&profile->methods[i], text)));
    return json;
}

static json_t *make_whole_json(const struct nereus_profile *profile)
{
    json_t *json = json_object();
    char text[NEREUS_METHOD_TEXT_MAX];
    for (int64_t i = 0; i < profile->whole_count; i++)
        add_member(json, nereus_method_format(&profile->whole_models[i].method, text),
                   make_model_json(&profile->whole_models[i].model));
    return json;
}

static json_t *make_async_json(const struct nereus_profile *profile)
{
    json_t *json = json_object();
#define PUT(member, name) add_model(json, name, &profile->member);
    NEREUS_ASYNC_MODEL_LIST(PUT)
#undef PUT
    return json;
}

static json_t *make_campaign_json(const struct nereus_profile *profile)
{
    json_t *json = json_object();
    if (profile->campaign_log_sd > 0) {
        add_member(json, "start", nereus_json_real(profile->campaign_log_sd));
        add_member(json, "shrink", nereus_json_real(profile->campaign_of_shrinks_log_sd));
    }
    return json;
}

static json_t *make_program_json(const struct nereus_program *program)
{
    json_t *json = json_object();
    add_text(json, "command", program->command);
    add_model(json, "start", &program->start);
    add_model(json, "join", &program->join);
    return json;
}

json_t *nereus_profile_json(const struct nereus_profile *profile)
{
    json_t *json = json_object();
    const char *steps[NEREUS_STEP_KIND_COUNT];
    nereus_step_list_names(steps);
    add_member(json, "version", json_integer(NEREUS_PROFILE_VERSION));
    add_member(json, "cluster", nereus_json_text(profile->cluster));
    add_text(json, "host", profile->host);
    add_text(json, "date", profile->date);
    add_text(json, "mpi", profile->mpi);
    add_text(json, "launcher", profile->launcher);
    add_text(json, "machine_kind", profile->machine_kind);
    add_unless_empty(json, "campaign", make_campaign_json(profile));
    add_member(json, "cores_per_node", json_integer(profile->cores_per_node));
    if (profile->nodes > 0)
        add_member(json, "nodes", json_integer(profile->nodes));
    if (profile->processors > 0.0)
        add_member(json, "processors", nereus_json_real(profile->processors));
    if (profile->machine_count > 0)
        add_member(json, "machines", make_machines_json(profile));
    add_member(json, "methods", make_methods_json(profile));
    add_member(json, "steps", make_models_json(steps, profile->steps, NEREUS_STEP_KIND_COUNT));
    add_member(json, "steps_oversubscribed",
               make_models_json(steps, profile->steps_oversubscribed, NEREUS_STEP_KIND_COUNT));
    add_unless_empty(json, "unattributed",
                     make_models_json(nereus_unattributed_names, profile->unattributed,
                                      NEREUS_UNATTRIBUTED_COUNT));
    add_unless_empty(json, "moves",
                     make_models_json(nereus_moves_names, profile->moves, NEREUS_MOVES_COUNT));
    add_unless_empty(
        json, "between_nodes",
        make_models_json(nereus_between_names, profile->between_models, NEREUS_BETWEEN_COUNT));
    add_member(
        json, "pairs",
        make_hockneys_json(nereus_pair_class_names, profile->pairs, NEREUS_PAIR_CLASS_COUNT));
    add_unless_empty(
        json, "operations",
        make_hockneys_json(nereus_operation_names, profile->operations, NEREUS_OPERATION_COUNT));
    add_unless_empty(json, "collectives", make_collectives_json(profile));
    add_unless_empty(json, "stages", make_stages_json(profile));
    add_unless_empty(
        json, "contention",
        make_models_json(nereus_contention_names, profile->contention, NEREUS_CONTENTION_COUNT));
    add_member(json, "asynchronous", make_async_json(profile));
    add_unless_empty(json, "program", make_program_json(&profile->program));
    add_member(json, "whole", make_whole_json(profile));
    add_member(json, "measured", make_measured_json(profile));
    return json;
}

static bool looks_like_profile(const char *path)
{
    json_t *json = NULL;
    nereus_json_read(path, "profile", &json, NULL);
    const bool profile = json_is_integer(json_object_get(json, "version")) &&
                         json_is_object(json_object_get(json, "steps"));
    json_decref(json);
    return profile;
}

enum nereus_status nereus_profile_check_path(const char *path, struct nereus_error *err)
{
    struct nereus_file_replace replace;
    struct stat there;
    if (stat(path, &there) == 0 && S_ISREG(there.st_mode) && there.st_size > 0 &&
        !looks_like_profile(path))
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "'%.200s' is there and no profile: name another file for the profile, or remove it "
            "first",
            path);
    const enum nereus_status status = nereus_file_replace_begin(path, &replace, err);
    if (status == NEREUS_OK)
        nereus_file_replace_abort(&replace);
    return status;
}

enum nereus_status nereus_profile_write(const char *path, const struct nereus_profile *profile,
                                        struct nereus_error *err)
{
    struct nereus_file_replace replace;
    json_t *json = nereus_profile_json(profile);
    char *text = nereus_json_dump(json, JSON_INDENT(1));
    json_decref(json);
    NEREUS_TRY_MEMORY(text, err, "for the text of a profile");
    enum nereus_status status = nereus_file_replace_begin(path, &replace, err);
    if (status == NEREUS_OK) {
        fprintf(replace.stream, "%s\n", text); /* the commit finds errors of the stream */
        status = nereus_file_replace_commit(&replace, err);
    }
    free(text);
    return status;
}
