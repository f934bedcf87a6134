/**
 * @file profile_json.c
 * Lists the keys of a profile file, for reading and writing. The reader checks all values and
 * names, so that pricing with a profile cannot fail.
 */
#include "profile_json.h"

#include "model/util/suggest.h"
#include "profile_machine.h"
#include "profile_words.h"

/* ---- linear models ---- */

static void read_term(struct nereus_json_reader *r, const json_t *term,
                      struct nereus_linear_model *m, int i)
{
    static const char *const keys[] = {"name", "coefficient"};
    const size_t mark = nereus_json_enter(r, "terms");
    if (nereus_json_check(r, term, keys, NEREUS_COUNT_OF(keys), NEREUS_COUNT_OF(keys))) {
        nereus_json_read_string(r, term, "name", m->names[i], sizeof m->names[i]);
        nereus_json_read_number(r, term, "coefficient", 0, &m->coefficients[i]);
    }
    nereus_json_leave(r, mark);
}

static void read_terms(struct nereus_json_reader *r, const json_t *object,
                       const struct nereus_json_member *member, void *target)
{
    struct nereus_linear_model *m = target;
    const json_t *terms = nereus_json_read_array(r, object, member->key, NEREUS_TERMS_MAX);
    m->terms = (int)json_array_size(terms);
    for (int i = 0; i < m->terms && r->status == NEREUS_OK; i++)
        read_term(r, json_array_get(terms, (size_t)i), m, i);
}

static json_t *make_terms(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_linear_model *m = target;
    json_t *terms = json_array();
    (void)member;
    for (int i = 0; i < m->terms; i++)
        json_array_append_new(terms, nereus_json_pack("{s:s, s:f}", "name", m->names[i],
                                                      "coefficient", m->coefficients[i]));
    return terms;
}

static void read_covariance_row(struct nereus_json_reader *r, const json_t *row,
                                struct nereus_linear_model *m, int i)
{
    if (!json_is_array(row) || json_array_size(row) != (size_t)m->terms)
        nereus_json_fail(r, "covariance", "has not as many columns as there are terms");
    for (int j = 0; j < m->terms && r->status == NEREUS_OK; j++) {
        const json_t *value = json_array_get(row, (size_t)j);
        m->covariance[i][j] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(m->covariance[i][j]))
            nereus_json_fail(r, "covariance", "holds something that is not a number");
    }
}

static void read_covariance(struct nereus_json_reader *r, const json_t *object,
                            const struct nereus_json_member *member, void *target)
{
    struct nereus_linear_model *m = target;
    const json_t *rows = nereus_json_read_array(r, object, member->key, NEREUS_TERMS_MAX);
    if (json_array_size(rows) != (size_t)m->terms)
        nereus_json_fail(r, member->key, "has not as many rows as there are terms");
    for (int i = 0; i < m->terms && r->status == NEREUS_OK; i++)
        read_covariance_row(r, json_array_get(rows, (size_t)i), m, i);
}

static json_t *make_covariance(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_linear_model *m = target;
    json_t *covariance = json_array();
    (void)member;
    for (int i = 0; i < m->terms; i++) {
        json_t *row = json_array();
        for (int j = 0; j < m->terms; j++)
            json_array_append_new(row, nereus_json_real(m->covariance[i][j]));
        json_array_append_new(covariance, row);
    }
    return covariance;
}

static void read_range(struct nereus_json_reader *r, const json_t *object,
                       const struct nereus_json_member *member, void *target)
{
    int64_t *range = target;
    const json_t *json = nereus_json_read_array(r, object, member->key, 2);
    const json_t *ends[] = {json_array_get(json, 0), json_array_get(json, 1)};
    range[0] = json_integer_value(ends[0]);
    range[1] = json_integer_value(ends[1]);
    if (!json_is_integer(ends[0]) || !json_is_integer(ends[1]) || range[0] < 0 ||
        range[1] < range[0])
        nereus_json_fail(r, member->key, "is not a range [least, most]");
}

static json_t *make_range(const struct nereus_json_member *member, const void *target)
{
    const int64_t *range = target;
    (void)member;
    return range[1] > 0 ? nereus_json_pack("[I, I]", (json_int_t)range[0], (json_int_t)range[1])
                        : json_null();
}

/* Read two numbers.
 * @return false: they are no numbers, or an error was set */
static bool read_pair(struct nereus_json_reader *r, const json_t *object, const char *key,
                      double *pair)
{
    const json_t *json = nereus_json_read_array(r, object, key, 2);
    const json_t *ends[] = {json_array_get(json, 0), json_array_get(json, 1)};
    pair[0] = json_number_value(ends[0]);
    pair[1] = json_number_value(ends[1]);
    return json_is_number(ends[0]) && json_is_number(ends[1]) && isfinite(pair[0]) &&
           isfinite(pair[1]);
}

static json_t *make_pair(const struct nereus_json_member *member, const void *target)
{
    const double *pair = target;
    (void)member;
    return pair[1] > 0 ? nereus_json_pack("[f, f]", pair[0], pair[1]) : json_null();
}

static void read_factors(struct nereus_json_reader *r, const json_t *object,
                         const struct nereus_json_member *member, void *target)
{
    double *pair = target;
    if (!read_pair(r, object, member->key, pair) || pair[0] <= 0 || pair[0] > 1 || pair[1] < 1)
        nereus_json_fail(r, member->key, "is not [low, high] with 0 < low <= 1 <= high");
}

static void read_bytes_range(struct nereus_json_reader *r, const json_t *object,
                             const struct nereus_json_member *member, void *target)
{
    double *pair = target;
    if (!read_pair(r, object, member->key, pair) || pair[0] <= 0 || pair[1] < pair[0])
        nereus_json_fail(r, member->key, "is not [least, most] with 0 < least <= most");
}

static void read_delays(struct nereus_json_reader *r, const json_t *object,
                        const struct nereus_json_member *member, void *target)
{
    struct nereus_linear_model *m = target;
    double pair[2];
    if (!read_pair(r, object, member->key, pair) || pair[0] < 0 || pair[1] < 0)
        nereus_json_fail(r, member->key, "is not [early, late] in seconds, of at least 0");
    m->early_s = pair[0];
    m->late_s = pair[1];
}

static json_t *make_delays(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_linear_model *m = target;
    (void)member;
    return m->long_high_factor > 0 ? nereus_json_pack("[f, f]", m->early_s, m->late_s)
                                   : json_null();
}

static const struct nereus_json_member model_members[] = {
#define MODEL struct nereus_linear_model
    {"basis", NEREUS_JSON_NEEDED, NEREUS_JSON_WORD(MODEL, basis, nereus_basis_names)},
    {"source", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(MODEL, source)},
    {"terms", NEREUS_JSON_NEEDED, NEREUS_JSON_OWN_OF_ALL(read_terms, make_terms)},
    {"covariance", NEREUS_JSON_NEEDED, NEREUS_JSON_OWN_OF_ALL(read_covariance, make_covariance)},
    {"spread", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(MODEL, log_sd)},
    {"factors", 0, NEREUS_JSON_OWN(MODEL, low_factor, read_factors, make_pair)},
    {"long_factors", 0, NEREUS_JSON_OWN(MODEL, long_low_factor, read_factors, make_pair)},
    {"delays_s", 0, NEREUS_JSON_OWN_OF_ALL(read_delays, make_delays)},
    {"rows", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(MODEL, rows, 0, INT64_MAX)},
    {"degrees_of_freedom", NEREUS_JSON_UNLESS_0,
     NEREUS_JSON_INTEGER(MODEL, degrees_of_freedom, 0, INT64_MAX)},
    {"ns", 0, NEREUS_JSON_OWN(MODEL, min_ns, read_range, make_range)},
    {"nt", 0, NEREUS_JSON_OWN(MODEL, min_nt, read_range, make_range)},
    {"max_load", NEREUS_JSON_UNLESS_0, NEREUS_JSON_NUMBER(MODEL, max_load)},
    {"max_move_s", NEREUS_JSON_UNLESS_0, NEREUS_JSON_NUMBER(MODEL, max_move_s)},
    {"bytes", 0, NEREUS_JSON_OWN(MODEL, min_bytes, read_bytes_range, make_pair)},
#undef MODEL
};
/* Refuse unknown terms: other versions have other ones. */
static void check_terms(struct nereus_json_reader *r, const struct nereus_linear_model *m,
                        const char *const *known, size_t count)
{
    char suggestion[NEREUS_SUGGEST_TEXT];
    for (int i = 0; i < m->terms && r->status == NEREUS_OK; i++) {
        if (nereus_word_index(m->names[i], known, count) < count)
            continue;
        nereus_json_fail(
            r, "terms.name",
            "'%.60s' is not known: fit the samples again with this program's nereus profile fit%s",
            m->names[i], nereus_suggest_text(m->names[i], known, count, suggestion));
    }
}

static void check_step_model(struct nereus_json_reader *r, const json_t *object, void *model)
{
    (void)object;
    check_terms(r, model, nereus_term_names, NEREUS_TERM_COUNT);
}

static void check_overlap_model(struct nereus_json_reader *r, const json_t *object, void *model)
{
    (void)object;
    check_terms(r, model, nereus_overlap_term_names, NEREUS_OVERLAP_TERM_COUNT);
}

/* Models of steps, and of asynchronous reconfigurations; without a basis there is none. */
static const struct nereus_json_table model_table = {NEREUS_JSON_MEMBERS(model_members),
                                                     check_step_model, NULL},
                                      overlap_table = {NEREUS_JSON_MEMBERS(model_members),
                                                       check_overlap_model, NULL};

/* The models of data between nodes are times of operations times a coefficient above 0. */
static void check_moves(struct nereus_json_reader *r, const struct nereus_linear_model *moves)
{
    const size_t mark = nereus_json_enter(r, "moves");
    for (int model = 0; model < NEREUS_MOVES_COUNT; model++)
        if (moves[model].basis == NEREUS_BASIS_FITTED &&
            (moves[model].terms != 1 || !(moves[model].coefficients[0] > 0)))
            nereus_json_fail(r, nereus_moves_names[model],
                             "is fitted, and has not one term with a coefficient above 0");
    nereus_json_leave(r, mark);
}

/* ---- Hockney models ---- */

/* One piece: the struct begins where its numbers are the first of their arrays. */
static const struct nereus_json_member piece_members[] = {
    {"from_bytes", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(struct nereus_hockney, from_bytes[0])},
    {"alpha_s", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(struct nereus_hockney, alpha_s[0])},
    {"beta_s_per_byte", NEREUS_JSON_NEEDED,
     NEREUS_JSON_NUMBER(struct nereus_hockney, beta_s_per_byte[0])},
};
static const struct nereus_json_table piece_table = {NEREUS_JSON_MEMBERS(piece_members), NULL,
                                                     NULL};

static void read_pieces(struct nereus_json_reader *r, const json_t *object,
                        const struct nereus_json_member *member, void *target)
{
    struct nereus_hockney *pair = target;
    const json_t *pieces = nereus_json_read_array(r, object, member->key, NEREUS_TERMS_MAX);
    pair->pieces = (int)json_array_size(pieces);
    if (pair->pieces == 0)
        nereus_json_fail(r, member->key, "is empty");
    for (int i = 0; i < pair->pieces; i++)
        nereus_json_read_table(r, json_array_get(pieces, (size_t)i), &piece_table,
                               (double *)target + i);
}

static json_t *make_pieces(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_hockney *pair = target;
    json_t *pieces = json_array();
    (void)member;
    for (int i = 0; i < pair->pieces; i++)
        json_array_append_new(pieces,
                              nereus_json_make_table(&piece_table, (const double *)target + i));
    return pieces;
}

static const struct nereus_json_member hockney_members[] = {
#define HOCKNEY struct nereus_hockney
    {"basis", NEREUS_JSON_NEEDED, NEREUS_JSON_WORD(HOCKNEY, basis, nereus_basis_names)},
    {"pieces", NEREUS_JSON_NEEDED, NEREUS_JSON_OWN_OF_ALL(read_pieces, make_pieces)},
    /* unknown if it was measured once */
    {"spread", NEREUS_JSON_ELSE_NAN, NEREUS_JSON_NUMBER(HOCKNEY, log_sd)},
    {"rows", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(HOCKNEY, rows, 0, INT64_MAX)},
    {"max_bytes", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(HOCKNEY, max_bytes)},
#undef HOCKNEY
};
/* Has the model no numbers, as there were too few rows? */
static bool is_unknown(const void *values)
{
    const struct nereus_hockney *pair = values;
    bool known = pair->basis != NEREUS_BASIS_NONE;
    for (int i = 0; i < pair->pieces; i++)
        known = known && isfinite(pair->alpha_s[i]) && isfinite(pair->beta_s_per_byte[i]);
    return !known;
}

static const struct nereus_json_table hockney_table = {NEREUS_JSON_MEMBERS(hockney_members), NULL,
                                                       is_unknown};

/* Read the sizes of a collective, whose keys are numbers of processes. */
static void read_collective(struct nereus_json_reader *r, json_t *json,
                            enum nereus_collective collective, struct nereus_profile *profile)
{
    const char *key;
    json_t *value;
    const size_t mark = nereus_json_enter(r, nereus_collective_name(collective));
    if (!json_is_object(json))
        nereus_json_fail(r, "", "is not a JSON object");
    json_object_foreach(json, key, value)
    {
        char *end;
        if (r->status != NEREUS_OK)
            break;
        struct nereus_collective_time *grown =
            nereus_grow(profile->collectives, profile->collective_count, sizeof *grown);
        if (!nereus_json_check_memory(r, grown))
            break;
        profile->collectives = grown;
        struct nereus_collective_time *one = &grown[profile->collective_count++];
        *one = (struct nereus_collective_time){.collective = collective,
                                               .processes = strtoll(key, &end, 10)};
        if (*end != '\0' || one->processes < 1)
            nereus_json_fail(r, key, "is no number of processes");
        nereus_json_read_object(r, json, key, &hockney_table, &one->time);
    }
    nereus_json_leave(r, mark);
}

static void read_collectives(struct nereus_json_reader *r, const json_t *root,
                             const struct nereus_json_member *member, void *target)
{
    const json_t *json = json_object_get(root, member->key);
    const size_t mark = nereus_json_enter(r, member->key);
    if (nereus_json_check(r, json, member->words, member->word_count, 0))
        for (size_t c = 0; c < member->word_count; c++)
            if (json_object_get(json, member->words[c]) != NULL)
                read_collective(r, json_object_get(json, member->words[c]),
                                (enum nereus_collective)c, target);
    nereus_json_leave(r, mark);
}

/* Order collectives by name, then by processes. */
static json_t *make_collectives(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_profile *profile = target;
    json_t *json = json_object();
    for (int64_t i = 0; i < profile->collective_count; i++) {
        const struct nereus_collective_time *one = &profile->collectives[i];
        const char *name = member->words[one->collective];
        char processes[24];
        if (is_unknown(&one->time))
            continue;
        snprintf(processes, sizeof processes, "%lld", (long long)one->processes);
        if (json_object_get(json, name) == NULL)
            json_object_set_new(json, name, json_object());
        json_object_set_new(json_object_get(json, name), processes,
                            nereus_json_make_table(&hockney_table, &one->time));
    }
    return json;
}

/* ---- stages, methods, measured reconfigurations ---- */

static const struct nereus_json_member stage_members[] = {
    {"t_op_s", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(struct nereus_stage_time, t_op_s)},
    {"rows", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(struct nereus_stage_time, rows, 0, INT64_MAX)},
};
static const struct nereus_json_table stage_table = {NEREUS_JSON_MEMBERS(stage_members), NULL,
                                                     NULL};

/* Read T_op of stages, whose keys are "pi:100" and so on. */
static void read_stages(struct nereus_json_reader *r, const json_t *root,
                        const struct nereus_json_member *member, void *target)
{
    struct nereus_profile *profile = target;
    const char *key;
    json_t *value, *json = json_object_get(root, member->key);
    const size_t mark = nereus_json_enter(r, member->key);
    if (!json_is_object(json))
        nereus_json_fail(r, "", "is not a JSON object");
    json_object_foreach(json, key, value)
    {
        if (r->status != NEREUS_OK)
            break;
        struct nereus_stage_time *grown =
            nereus_grow(profile->stages, profile->stage_count, sizeof *grown);
        if (!nereus_json_check_memory(r, grown))
            break;
        profile->stages = grown;
        struct nereus_stage_time *one = &grown[profile->stage_count++];
        const size_t inner = nereus_json_enter(r, key);
        *one = (struct nereus_stage_time){.stage = ""};
        if (!nereus_stage_has_granularity(key))
            nereus_json_fail(r, "", "is no stage and granularity, as pi:100");
        else
            memcpy(one->stage, key, strlen(key));
        nereus_json_read_table(r, value, &stage_table, one);
        nereus_json_leave(r, inner);
    }
    nereus_json_leave(r, mark);
}

static json_t *make_stages(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_profile *profile = target;
    json_t *json = json_object();
    (void)member;
    for (int64_t i = 0; i < profile->stage_count; i++)
        json_object_set_new(json, profile->stages[i].stage,
                            nereus_json_make_table(&stage_table, &profile->stages[i]));
    return json;
}

static void parse_method(struct nereus_json_reader *r, const char *key, const char *text,
                         struct nereus_method *method)
{
    struct nereus_error why = {.text = ""};
    if (r->status == NEREUS_OK &&
        nereus_method_parse(text != NULL ? text : "", method, &why) != NEREUS_OK)
        nereus_json_fail(r, key, "%s", why.text);
}

static json_t *make_method(const struct nereus_json_member *member, const void *target)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    (void)member;
    return nereus_json_text(nereus_method_format(target, text));
}

static void read_method(struct nereus_json_reader *r, const json_t *object,
                        const struct nereus_json_member *member, void *target)
{
    char text[NEREUS_METHOD_TEXT_MAX] = "";
    nereus_json_read_string(r, object, member->key, text, sizeof text);
    parse_method(r, member->key, text, target);
}

static void read_methods(struct nereus_json_reader *r, const json_t *root,
                         const struct nereus_json_member *member, void *target)
{
    struct nereus_profile *profile = target;
    const json_t *json = nereus_json_read_array(r, root, member->key, SIZE_MAX);
    profile->methods = calloc(json_array_size(json) + 1, sizeof *profile->methods);
    if (!nereus_json_check_memory(r, profile->methods))
        return;
    for (size_t i = 0; i < json_array_size(json); i++)
        parse_method(r, member->key, json_string_value(json_array_get(json, i)),
                     &profile->methods[profile->method_count++]);
}

static json_t *make_methods(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_profile *profile = target;
    json_t *json = json_array();
    for (int64_t i = 0; i < profile->method_count; i++)
        json_array_append_new(json, make_method(member, &profile->methods[i]));
    return json;
}

static void check_measured(struct nereus_json_reader *r, const json_t *object, void *values)
{
    struct nereus_measurement *m = values;
    nereus_json_read_integer(r, object, "cores_per_process", 1, m->cores_per_node,
                             &m->cores_per_process);
    if (!(m->rt_s > 0))
        nereus_json_fail(r, "rt_s", "is not above 0: what was measured took time");
}

static const struct nereus_json_member measured_members[] = {
#define ROW struct nereus_measurement
    {"ns", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(ROW, ns, 1, INT64_MAX)},
    {"nt", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(ROW, nt, 1, INT64_MAX)},
    {"cores_per_node", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(ROW, cores_per_node, 1, INT64_MAX)},
    {"cores_per_process", NEREUS_JSON_UNLESS_1,
     NEREUS_JSON_INTEGER(ROW, cores_per_process, 1, INT64_MAX)},
    {"machine", NEREUS_JSON_UNLESS_0, NEREUS_JSON_INTEGER(ROW, machine, 1, INT64_MAX)},
    {"method", NEREUS_JSON_NEEDED, NEREUS_JSON_OWN(ROW, method, read_method, make_method)},
    {"rt_s", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(ROW, rt_s)},
    {"bytes", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(ROW, bytes)},
    {"n", NEREUS_JSON_NEEDED, NEREUS_JSON_INTEGER(ROW, n, 1, INT64_MAX)},
    {"oversubscribed", NEREUS_JSON_NEEDED, NEREUS_JSON_BOOLEAN(ROW, oversubscribed)},
    {"t_iter_ns_s", NEREUS_JSON_ELSE_NAN, NEREUS_JSON_NUMBER(ROW, t_iter_ns_s)},
    {"ct_s", NEREUS_JSON_ELSE_NAN, NEREUS_JSON_NUMBER(ROW, ct_s)},
    {"iterations", NEREUS_JSON_ELSE_NAN, NEREUS_JSON_NUMBER(ROW, iterations)},
    {"spread", NEREUS_JSON_ELSE_NAN, NEREUS_JSON_NUMBER(ROW, log_sd)},
    {"model_s", NEREUS_JSON_ELSE_NAN, NEREUS_JSON_NUMBER(ROW, model_s)},
#undef ROW
};
static const struct nereus_json_table measured_table = {NEREUS_JSON_MEMBERS(measured_members),
                                                        check_measured, NULL};

static void read_whole(struct nereus_json_reader *r, const json_t *root,
                       const struct nereus_json_member *member, void *target)
{
    struct nereus_profile *profile = target;
    json_t *json = json_object_get(root, member->key), *value;
    const char *key;
    if (!json_is_object(json))
        nereus_json_fail(r, member->key, "is not a JSON object");
    profile->whole_models = calloc(json_object_size(json) + 1, sizeof *profile->whole_models);
    if (!nereus_json_check_memory(r, profile->whole_models))
        return;
    json_object_foreach(json, key, value)
    {
        struct nereus_whole_model *one = &profile->whole_models[profile->whole_count++];
        parse_method(r, member->key, key, &one->method);
        nereus_json_read_object(r, json, key, &model_table, &one->model);
    }
}

static json_t *make_whole(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_profile *profile = target;
    json_t *json = json_object();
    char text[NEREUS_METHOD_TEXT_MAX];
    (void)member;
    for (int64_t i = 0; i < profile->whole_count; i++)
        json_object_set_new(json, nereus_method_format(&profile->whole_models[i].method, text),
                            nereus_json_make_table(&model_table, &profile->whole_models[i].model));
    return json;
}

/* ---- the machine, and all members ---- */

/* Check the version before the keys, because another version may have more keys. */
static void check_version(struct nereus_json_reader *r, const json_t *json)
{
    int64_t version = NEREUS_PROFILE_VERSION;
    nereus_json_read_integer(r, json, "version", 0, INT64_MAX, &version);
    if (version != NEREUS_PROFILE_VERSION)
        nereus_json_fail(r, "version",
                         "is %lld, and this program reads version %d: fit the samples again with "
                         "this program's nereus profile fit",
                         (long long)version, NEREUS_PROFILE_VERSION);
}

static void read_node_list(struct nereus_json_reader *r, const json_t *json,
                           struct nereus_profile *profile)
{
    const size_t count = json_array_size(json);
    int64_t *cores = calloc(count + 1, sizeof *cores);
    if (!nereus_json_check_memory(r, cores))
        return;
    for (size_t i = 0; i < count; i++) {
        cores[i] = json_integer_value(json_array_get(json, i));
        if (cores[i] < 1 || cores[i] > INT_MAX)
            nereus_json_fail(r, "", "has a node whose cores are no whole number from 1 on");
    }
    if (count == 0)
        nereus_json_fail(r, "", "is no list of the cores of one node and more");
    if (r->status == NEREUS_OK)
        r->status = nereus_profile_add_machine(profile, cores, (int64_t)count, r->err);
    free(cores);
}

static void read_node_lists(struct nereus_json_reader *r, const json_t *root,
                            const struct nereus_json_member *member, void *target)
{
    const json_t *json = nereus_json_read_array(r, root, member->key, SIZE_MAX);
    for (size_t i = 0; i < json_array_size(json); i++) {
        const size_t mark = nereus_json_enter_element(r, member->key, i);
        read_node_list(r, json_array_get(json, i), target);
        nereus_json_leave(r, mark);
    }
}

static json_t *make_node_lists(const struct nereus_json_member *member, const void *target)
{
    const struct nereus_profile *profile = target;
    json_t *json = profile->machine_count > 0 ? json_array() : json_null();
    (void)member;
    for (int64_t m = 0; m < profile->machine_count; m++) {
        const struct nereus_machine *machine = &profile->machines[m];
        json_t *cores = json_array();
        for (int64_t i = 0; i < machine->node_count; i++)
            json_array_append_new(cores, json_integer(machine->nodes[i].cores));
        json_array_append_new(json, cores);
    }
    return json;
}

static void check_profile(struct nereus_json_reader *r, const json_t *root, void *values)
{
    struct nereus_profile *profile = values;
    const json_t *measured = json_object_get(root, "measured");
    check_moves(r, profile->moves);
    for (int64_t i = 0; i < profile->measured_count; i++) {
        const size_t mark = nereus_json_enter_element(r, "measured", (size_t)i);
        nereus_json_read_integer(r, json_array_get(measured, (size_t)i), "machine", 1,
                                 profile->machine_count, &profile->measurements[i].machine);
        nereus_json_leave(r, mark);
    }
}

#define PROFILE struct nereus_profile
static const struct nereus_json_member campaign_members[] = {
    {"start", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(PROFILE, campaign_log_sd)},
    {"shrink", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER(PROFILE, campaign_of_shrinks_log_sd)},
};
static const struct nereus_json_member program_members[] = {
    {"command", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(PROFILE, program.command)},
    {"start", NEREUS_JSON_NEEDED, NEREUS_JSON_OBJECT(PROFILE, program.start, &model_table)},
    {"join", NEREUS_JSON_UNLESS_0, NEREUS_JSON_OBJECT(PROFILE, program.join, &model_table)},
};
static const struct nereus_json_member async_members[] = {
#define MEMBER(member, name)                                                                       \
    {name, NEREUS_JSON_UNLESS_0, NEREUS_JSON_OBJECT(PROFILE, member, &overlap_table)},
    NEREUS_ASYNC_MODEL_LIST(MEMBER)
#undef MEMBER
};
static const struct nereus_json_table campaign_table = {NEREUS_JSON_MEMBERS(campaign_members), NULL,
                                                        NULL},
                                      program_table = {NEREUS_JSON_MEMBERS(program_members), NULL,
                                                       NULL},
                                      async_table = {NEREUS_JSON_MEMBERS(async_members), NULL,
                                                     NULL};

static const struct nereus_json_member profile_members[] = {
#define NAMES(list)            .words = (list), .word_count = NEREUS_COUNT_OF(list)
#define MODELS(member, list)   NEREUS_JSON_NAMED(PROFILE, member, list, &model_table)
#define HOCKNEYS(member, list) NEREUS_JSON_NAMED(PROFILE, member, list, &hockney_table)
    {"version", NEREUS_JSON_NEEDED, NEREUS_JSON_NUMBER_ALWAYS(NEREUS_PROFILE_VERSION)},
    {"cluster", NEREUS_JSON_NEEDED, NEREUS_JSON_TEXT(PROFILE, cluster)},
    {"host", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROFILE, host)},
    {"date", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROFILE, date)},
    {"mpi", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROFILE, mpi)},
    {"launcher", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROFILE, launcher)},
    {"machine_kind", NEREUS_JSON_UNLESS_0, NEREUS_JSON_TEXT(PROFILE, machine_kind)},
    {"campaign", NEREUS_JSON_UNLESS_0, NEREUS_JSON_OBJECT_OF_ALL(&campaign_table)},
    {"cores_per_node", NEREUS_JSON_NEEDED,
     NEREUS_JSON_INTEGER(PROFILE, cores_per_node, 1, INT64_MAX)},
    {"nodes", NEREUS_JSON_UNLESS_0, NEREUS_JSON_INTEGER(PROFILE, nodes, 1, INT64_MAX)},
    {"processors", NEREUS_JSON_UNLESS_0, NEREUS_JSON_NUMBER(PROFILE, processors)},
    {"machines", 0, NEREUS_JSON_OWN_OF_ALL(read_node_lists, make_node_lists)},
    {"methods", NEREUS_JSON_NEEDED, NEREUS_JSON_OWN_OF_ALL(read_methods, make_methods)},
    {"steps", NEREUS_JSON_NEEDED, MODELS(steps, nereus_step_names)},
    {"steps_oversubscribed", NEREUS_JSON_NEEDED, MODELS(steps_oversubscribed, nereus_step_names)},
    {"unattributed", NEREUS_JSON_UNLESS_0, MODELS(unattributed, nereus_unattributed_names)},
    {"moves", NEREUS_JSON_UNLESS_0, MODELS(moves, nereus_moves_names)},
    {"between_nodes", NEREUS_JSON_UNLESS_0, MODELS(between_models, nereus_between_names)},
    {"pairs", NEREUS_JSON_NEEDED, HOCKNEYS(pairs, nereus_pair_class_names)},
    {"operations", NEREUS_JSON_UNLESS_0, HOCKNEYS(operations, nereus_operation_names)},
    {"collectives", NEREUS_JSON_UNLESS_0,
     NEREUS_JSON_OWN_OF_ALL(read_collectives, make_collectives), NAMES(nereus_collective_names)},
    {"stages", NEREUS_JSON_UNLESS_0, NEREUS_JSON_OWN_OF_ALL(read_stages, make_stages)},
    {"contention", NEREUS_JSON_UNLESS_0,
     NEREUS_JSON_NAMED(PROFILE, contention, nereus_contention_names, &overlap_table)},
    {"asynchronous", NEREUS_JSON_NEEDED, NEREUS_JSON_OBJECT_OF_ALL(&async_table)},
    {"program", NEREUS_JSON_UNLESS_0, NEREUS_JSON_OBJECT_OF_ALL(&program_table)},
    {"whole", NEREUS_JSON_NEEDED, NEREUS_JSON_OWN_OF_ALL(read_whole, make_whole)},
    {"measured", NEREUS_JSON_NEEDED,
     NEREUS_JSON_LIST(PROFILE, measurements, measured_count, &measured_table)},
#undef MODELS
#undef HOCKNEYS
#undef NAMES
};
#undef PROFILE
const struct nereus_json_table nereus_profile_table = {NEREUS_JSON_MEMBERS(profile_members),
                                                       check_profile, NULL};

void nereus_profile_read_json(struct nereus_json_reader *r, const json_t *root,
                              struct nereus_profile *profile)
{
    check_version(r, root);
    nereus_json_read_table(r, root, &nereus_profile_table, profile);
}

json_t *nereus_profile_json(const struct nereus_profile *profile)
{
    return nereus_json_make_table(&nereus_profile_table, profile);
}
