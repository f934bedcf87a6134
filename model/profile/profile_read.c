/**
 * @file profile_read.c
 * Reads a profile and checks all its values and names, so that pricing with it cannot fail.
 */

#include "model/util/file.h"
#include "model/util/json_reader.h"
#include "model/util/suggest.h"
#include "profile_json.h"
#include "profile_machine.h"
#include "profile_words.h"

/* Find a name in a list.
 * @return 0, with an error: the list lacks it */
static size_t find_name(struct nereus_json_reader *r, const char *key, const char *name,
                        const char *const *known_words, size_t count, const char *advice)
{
    char sentence[300], suggestion[NEREUS_SUGGEST_TEXT];
    const size_t index = nereus_word_index(name, known_words, count);
    if (index < count)
        return index;
    snprintf(sentence, sizeof sentence, "'%.60s' is not known%s%s", name, advice,
             nereus_suggest_text(name, known_words, count, suggestion));
    nereus_json_fail(r, key, sentence);
    return 0;
}

static void read_basis(struct nereus_json_reader *r, const json_t *json, enum nereus_basis *basis)
{
    char name[16] = "";
    nereus_json_read_string(r, json, "basis", name, sizeof name);
    *basis =
        (enum nereus_basis)find_name(r, "basis", name, nereus_basis_names, NEREUS_BASIS_COUNT, "");
}

static void read_term(struct nereus_json_reader *r, const json_t *term, bool overlap,
                      struct nereus_linear_model *m, int i)
{
    static const char *const keys[] = {"name", "coefficient"};
    const size_t mark = nereus_json_enter(r, "terms");
    if (nereus_json_check(r, term, keys, NEREUS_COUNT_OF(keys), NEREUS_COUNT_OF(keys))) {
        nereus_json_read_string(r, term, "name", m->names[i], sizeof m->names[i]);
        nereus_json_read_number(r, term, "coefficient", 0, &m->coefficients[i]);
        /* other versions have other terms */
        find_name(r, "name", m->names[i], overlap ? nereus_overlap_term_names : nereus_term_names,
                  overlap ? (size_t)NEREUS_OVERLAP_TERM_COUNT : (size_t)NEREUS_TERM_COUNT,
                  ": fit the samples again with this program's nereus profile fit");
    }
    nereus_json_leave(r, mark);
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

/* Read a model's terms.
 * @param overlap  terms of asynchronous reconfigurations, not of steps */
static void read_terms(struct nereus_json_reader *r, const json_t *json, bool overlap,
                       struct nereus_linear_model *m)
{
    const json_t *terms = nereus_json_read_array(r, json, "terms", NEREUS_TERMS_MAX);
    const json_t *rows = nereus_json_read_array(r, json, "covariance", NEREUS_TERMS_MAX);
    if (terms == NULL || rows == NULL)
        return;
    m->terms = (int)json_array_size(terms);
    if (json_array_size(rows) != (size_t)m->terms)
        nereus_json_fail(r, "covariance", "has not as many rows as there are terms");
    for (int i = 0; i < m->terms && r->status == NEREUS_OK; i++) {
        read_term(r, json_array_get(terms, (size_t)i), overlap, m, i);
        read_covariance_row(r, json_array_get(rows, (size_t)i), m, i);
    }
}

static void read_range(struct nereus_json_reader *r, const json_t *json, const char *key,
                       int64_t *min, int64_t *max)
{
    const json_t *range = nereus_json_read_array(r, json, key, 2);
    if (range == NULL)
        return;
    const json_t *ends[] = {json_array_get(range, 0), json_array_get(range, 1)};
    *min = json_integer_value(ends[0]);
    *max = json_integer_value(ends[1]);
    if (!json_is_integer(ends[0]) || !json_is_integer(ends[1]) || *min < 0 || *max < *min)
        nereus_json_fail(r, key, "is not a range [least, most]");
}

/* A pair of numbers in a file, and what holds of both. */
struct pair_kind {
    const char *key;
    bool (*is_valid)(double first, double second);
    const char *mistake;
};

static bool are_factors(double low, double high)
{
    return low > 0 && low <= 1 && high >= 1;
}

static bool are_delays(double early_s, double late_s)
{
    return early_s >= 0 && late_s >= 0;
}

static bool are_bytes(double min, double max)
{
    return min > 0 && max >= min;
}

static const char bad_factors[] = "is not [low, high] with 0 < low <= 1 <= high";
static const struct pair_kind factors = {"factors", are_factors, bad_factors},
                              long_factors = {"long_factors", are_factors, bad_factors},
                              delays = {"delays_s", are_delays,
                                        "is not [early, late] in seconds, of at least 0"},
                              bytes_range = {"bytes", are_bytes,
                                             "is not [least, most] with 0 < least <= most"};

static void read_pair(struct nereus_json_reader *r, const json_t *json,
                      const struct pair_kind *kind, double *first, double *second)
{
    const json_t *pair = nereus_json_read_array(r, json, kind->key, 2);
    if (pair == NULL)
        return;
    const json_t *ends[] = {json_array_get(pair, 0), json_array_get(pair, 1)};
    *first = json_number_value(ends[0]);
    *second = json_number_value(ends[1]);
    if (!json_is_number(ends[0]) || !json_is_number(ends[1]) || !isfinite(*first) ||
        !isfinite(*second) || !kind->is_valid(*first, *second))
        nereus_json_fail(r, kind->key, kind->mistake);
}

static void read_model(struct nereus_json_reader *r, const json_t *json, const char *name,
                       bool overlap, struct nereus_linear_model *m)
{
    static const char *const keys[] = {"basis",        "terms",
                                       "covariance",   "spread",
                                       "rows",         "source",
                                       "ns",           "nt",
                                       "max_load",     "factors",
                                       "long_factors", "delays_s",
                                       "max_move_s",   "degrees_of_freedom",
                                       "bytes"};
    const size_t mark = nereus_json_enter(r, name);
    if (nereus_json_check(r, json, keys, NEREUS_COUNT_OF(keys), 5)) {
        read_basis(r, json, &m->basis);
        read_terms(r, json, overlap, m);
        nereus_json_read_number(r, json, "spread", 0, &m->log_sd);
        read_pair(r, json, &factors, &m->low_factor, &m->high_factor);
        read_pair(r, json, &long_factors, &m->long_low_factor, &m->long_high_factor);
        read_pair(r, json, &delays, &m->early_s, &m->late_s);
        nereus_json_read_integer(r, json, "rows", 0, INT64_MAX, &m->rows);
        nereus_json_read_integer(r, json, "degrees_of_freedom", 0, INT64_MAX,
                                 &m->degrees_of_freedom);
        nereus_json_read_string(r, json, "source", m->source, sizeof m->source);
        read_range(r, json, "ns", &m->min_ns, &m->max_ns);
        read_range(r, json, "nt", &m->min_nt, &m->max_nt);
        nereus_json_read_number(r, json, "max_load", 0, &m->max_load);
        nereus_json_read_number(r, json, "max_move_s", 0, &m->max_move_s);
        read_pair(r, json, &bytes_range, &m->min_bytes, &m->max_bytes);
    }
    nereus_json_leave(r, mark);
}

/* Models by name, in the member `key`, which a profile may lack. */
struct model_list {
    const char *key;
    const char *const *names;
    size_t count;
    struct nereus_linear_model *models;
    bool overlap; /* terms of asynchronous reconfigurations */
};

static void read_models(struct nereus_json_reader *r, const json_t *root,
                        const struct model_list *list)
{
    const json_t *json = json_object_get(root, list->key);
    if (json == NULL)
        return;
    const size_t mark = nereus_json_enter(r, list->key);
    if (nereus_json_check(r, json, list->names, list->count, 0))
        for (size_t i = 0; i < list->count; i++)
            if (json_object_get(json, list->names[i]) != NULL)
                read_model(r, json_object_get(json, list->names[i]), list->names[i], list->overlap,
                           &list->models[i]);
    nereus_json_leave(r, mark);
}

static void read_program(struct nereus_json_reader *r, const json_t *root,
                         struct nereus_program *program)
{
    static const char *const keys[] = {"command", "start", "join"};
    const json_t *json = json_object_get(root, "program");
    if (json == NULL)
        return;
    const size_t mark = nereus_json_enter(r, "program");
    if (nereus_json_check(r, json, keys, NEREUS_COUNT_OF(keys), 2)) {
        nereus_json_read_string(r, json, "command", program->command, sizeof program->command);
        read_model(r, json_object_get(json, "start"), "start", false, &program->start);
        if (json_object_get(json, "join") != NULL)
            read_model(r, json_object_get(json, "join"), "join", false, &program->join);
    }
    nereus_json_leave(r, mark);
}

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

static void read_piece(struct nereus_json_reader *r, const json_t *json,
                       struct nereus_hockney *pair, int i)
{
    static const char *const keys[] = {"from_bytes", "alpha_s", "beta_s_per_byte"};
    if (!nereus_json_check(r, json, keys, NEREUS_COUNT_OF(keys), NEREUS_COUNT_OF(keys)))
        return;
    nereus_json_read_number(r, json, "from_bytes", 0, &pair->from_bytes[i]);
    nereus_json_read_number(r, json, "alpha_s", 0, &pair->alpha_s[i]);
    nereus_json_read_number(r, json, "beta_s_per_byte", 0, &pair->beta_s_per_byte[i]);
}

static void read_hockney(struct nereus_json_reader *r, const json_t *json, const char *name,
                         struct nereus_hockney *pair)
{
    static const char *const keys[] = {"basis", "pieces", "rows", "max_bytes", "spread"};
    const size_t mark = nereus_json_enter(r, name);
    if (nereus_json_check(r, json, keys, NEREUS_COUNT_OF(keys), NEREUS_COUNT_OF(keys) - 1)) {
        pair->log_sd = NAN; /* unknown if it was measured once */
        read_basis(r, json, &pair->basis);
        nereus_json_read_number(r, json, "spread", 0, &pair->log_sd);
        nereus_json_read_integer(r, json, "rows", 0, INT64_MAX, &pair->rows);
        nereus_json_read_number(r, json, "max_bytes", 0, &pair->max_bytes);
        const json_t *pieces = nereus_json_read_array(r, json, "pieces", NEREUS_TERMS_MAX);
        pair->pieces = (int)json_array_size(pieces);
        if (pair->pieces == 0)
            nereus_json_fail(r, "pieces", "is empty");
        for (int i = 0; i < pair->pieces; i++)
            read_piece(r, json_array_get(pieces, (size_t)i), pair, i);
    }
    nereus_json_leave(r, mark);
}

static void read_hockneys(struct nereus_json_reader *r, const json_t *root, const char *key,
                          const char *const *names, size_t count, struct nereus_hockney *pairs)
{
    const json_t *json = json_object_get(root, key);
    if (json == NULL)
        return;
    const size_t mark = nereus_json_enter(r, key);
    if (nereus_json_check(r, json, names, count, 0))
        for (size_t i = 0; i < count; i++)
            if (json_object_get(json, names[i]) != NULL)
                read_hockney(r, json_object_get(json, names[i]), names[i], &pairs[i]);
    nereus_json_leave(r, mark);
}

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
        read_hockney(r, value, key, &one->time);
    }
    nereus_json_leave(r, mark);
}

static void read_collectives(struct nereus_json_reader *r, const json_t *root,
                             struct nereus_profile *profile)
{
    const json_t *json = json_object_get(root, "collectives");
    if (json == NULL)
        return;
    const size_t mark = nereus_json_enter(r, "collectives");
    if (nereus_json_check(r, json, nereus_collective_names, NEREUS_COLLECTIVE_COUNT, 0))
        for (int c = 0; c < NEREUS_COLLECTIVE_COUNT; c++)
            if (json_object_get(json, nereus_collective_names[c]) != NULL)
                read_collective(r, json_object_get(json, nereus_collective_names[c]),
                                (enum nereus_collective)c, profile);
    nereus_json_leave(r, mark);
}

/* Read T_op of stages, whose keys are "pi:100" and so on. */
static void read_stages(struct nereus_json_reader *r, const json_t *root,
                        struct nereus_profile *profile)
{
    static const char *const keys[] = {"t_op_s", "rows"};
    const char *key;
    json_t *value, *json = json_object_get(root, "stages");
    const size_t mark = nereus_json_enter(r, "stages");
    if (json != NULL && !json_is_object(json))
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
        if (nereus_json_check(r, value, keys, NEREUS_COUNT_OF(keys), NEREUS_COUNT_OF(keys))) {
            nereus_json_read_number(r, value, "t_op_s", 0, &one->t_op_s);
            nereus_json_read_integer(r, value, "rows", 0, INT64_MAX, &one->rows);
        }
        nereus_json_leave(r, inner);
    }
    nereus_json_leave(r, mark);
}

static void read_method(struct nereus_json_reader *r, const char *key, const char *text,
                        struct nereus_method *method)
{
    struct nereus_error why = {.text = ""};
    if (r->status == NEREUS_OK &&
        nereus_method_parse(text != NULL ? text : "", method, &why) != NEREUS_OK)
        nereus_json_fail(r, key, why.text);
}

static void read_methods(struct nereus_json_reader *r, const json_t *root,
                         struct nereus_profile *profile)
{
    const json_t *json = nereus_json_read_array(r, root, "methods", SIZE_MAX);
    profile->methods = calloc(json_array_size(json) + 1, sizeof *profile->methods);
    if (!nereus_json_check_memory(r, profile->methods))
        return;
    for (size_t i = 0; i < json_array_size(json); i++)
        read_method(r, "methods", json_string_value(json_array_get(json, i)),
                    &profile->methods[profile->method_count++]);
}

/* Read a measured reconfiguration.
 * @param machines  number of lists of unequal nodes */
static void read_one_measured(struct nereus_json_reader *r, const json_t *json, int64_t machines,
                              struct nereus_measurement *m)
{
    static const char *const keys[] = {
        "ns",         "nt",     "cores_per_node", "method",      "rt_s",
        "bytes",      "n",      "oversubscribed", "t_iter_ns_s", "ct_s",
        "iterations", "spread", "model_s",        "machine",     "cores_per_process"};
    char method[NEREUS_METHOD_TEXT_MAX] = "";
    m->t_iter_ns_s = m->ct_s = m->iterations = m->log_sd = m->model_s = NAN;
    if (!nereus_json_check(r, json, keys, NEREUS_COUNT_OF(keys), 8))
        return;
    nereus_json_read_integer(r, json, "ns", 1, INT64_MAX, &m->ns);
    nereus_json_read_integer(r, json, "nt", 1, INT64_MAX, &m->nt);
    nereus_json_read_integer(r, json, "cores_per_node", 1, INT64_MAX, &m->cores_per_node);
    nereus_json_read_integer(r, json, "cores_per_process", 1, m->cores_per_node,
                             &m->cores_per_process);
    nereus_json_read_integer(r, json, "machine", 1, machines, &m->machine);
    nereus_json_read_string(r, json, "method", method, sizeof method);
    read_method(r, "method", method, &m->method);
    nereus_json_read_number(r, json, "rt_s", 0, &m->rt_s);
    if (!(m->rt_s > 0))
        nereus_json_fail(r, "rt_s", "is not above 0: what was measured took time");
    nereus_json_read_number(r, json, "bytes", 0, &m->bytes);
    nereus_json_read_integer(r, json, "n", 1, INT64_MAX, &m->n);
    nereus_json_read_boolean(r, json, "oversubscribed", &m->oversubscribed);
    nereus_json_read_number(r, json, "t_iter_ns_s", 0, &m->t_iter_ns_s);
    nereus_json_read_number(r, json, "ct_s", 0, &m->ct_s);
    nereus_json_read_number(r, json, "iterations", 0, &m->iterations);
    nereus_json_read_number(r, json, "spread", 0, &m->log_sd);
    nereus_json_read_number(r, json, "model_s", 0, &m->model_s);
}

static void read_measured(struct nereus_json_reader *r, const json_t *root,
                          struct nereus_profile *profile)
{
    const json_t *json = nereus_json_read_array(r, root, "measured", SIZE_MAX);
    profile->measurements = calloc(json_array_size(json) + 1, sizeof *profile->measurements);
    if (!nereus_json_check_memory(r, profile->measurements))
        return;
    for (size_t i = 0; i < json_array_size(json); i++) {
        const size_t mark = nereus_json_enter_element(r, "measured", i);
        read_one_measured(r, json_array_get(json, i), profile->machine_count,
                          &profile->measurements[profile->measured_count++]);
        nereus_json_leave(r, mark);
    }
}

static void read_whole(struct nereus_json_reader *r, const json_t *root,
                       struct nereus_profile *profile)
{
    json_t *json = json_object_get(root, "whole"), *value;
    const char *key;
    if (!json_is_object(json))
        nereus_json_fail(r, "whole", "is not a JSON object");
    profile->whole_models = calloc(json_object_size(json) + 1, sizeof *profile->whole_models);
    if (!nereus_json_check_memory(r, profile->whole_models))
        return;
    json_object_foreach(json, key, value)
    {
        struct nereus_whole_model *one = &profile->whole_models[profile->whole_count++];
        read_method(r, "whole", key, &one->method);
        read_model(r, value, key, false, &one->model);
    }
}

static void read_async(struct nereus_json_reader *r, const json_t *root,
                       struct nereus_profile *profile)
{
#define NAME(member, name) name,
    static const char *const known[] = {NEREUS_ASYNC_MODEL_LIST(NAME)};
#undef NAME
#define MODEL(member, name) &profile->member,
    struct nereus_linear_model *const models[] = {NEREUS_ASYNC_MODEL_LIST(MODEL)};
#undef MODEL
    const json_t *json = json_object_get(root, "asynchronous");
    const size_t mark = nereus_json_enter(r, "asynchronous");
    if (nereus_json_check(r, json, known, NEREUS_COUNT_OF(known), 0))
        for (size_t i = 0; i < NEREUS_COUNT_OF(known); i++)
            if (json_object_get(json, known[i]) != NULL)
                read_model(r, json_object_get(json, known[i]), known[i], true, models[i]);
    nereus_json_leave(r, mark);
}

/* Check the version before the keys, because another version may have more keys. */
static void check_version(struct nereus_json_reader *r, const json_t *json)
{
    char sentence[160];
    const json_t *version = json_object_get(json, "version");
    if (!json_is_integer(version) || json_integer_value(version) == NEREUS_PROFILE_VERSION)
        return;
    snprintf(
        sentence, sizeof sentence,
        "is %lld, and this program reads version %d: fit the samples again with this program's "
        "nereus profile fit",
        (long long)json_integer_value(version), NEREUS_PROFILE_VERSION);
    nereus_json_fail(r, "version", sentence);
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
                            struct nereus_profile *profile)
{
    if (json_object_get(root, "machines") == NULL)
        return;
    const json_t *json = nereus_json_read_array(r, root, "machines", SIZE_MAX);
    for (size_t i = 0; i < json_array_size(json); i++) {
        const size_t mark = nereus_json_enter_element(r, "machines", i);
        read_node_list(r, json_array_get(json, i), profile);
        nereus_json_leave(r, mark);
    }
}

static void read_machine(struct nereus_json_reader *r, const json_t *json,
                         struct nereus_profile *profile)
{
    nereus_json_read_string(r, json, "cluster", profile->cluster, sizeof profile->cluster);
    nereus_json_read_string(r, json, "host", profile->host, sizeof profile->host);
    nereus_json_read_string(r, json, "date", profile->date, sizeof profile->date);
    nereus_json_read_string(r, json, "mpi", profile->mpi, sizeof profile->mpi);
    nereus_json_read_string(r, json, "launcher", profile->launcher, sizeof profile->launcher);
    nereus_json_read_string(r, json, "machine_kind", profile->machine_kind,
                            sizeof profile->machine_kind);
    nereus_json_read_integer(r, json, "cores_per_node", 1, INT64_MAX, &profile->cores_per_node);
    nereus_json_read_integer(r, json, "nodes", 1, INT64_MAX, &profile->nodes);
    nereus_json_read_number(r, json, "processors", 0, &profile->processors);
    read_node_lists(r, json, profile);
}

static void read_campaign(struct nereus_json_reader *r, const json_t *root,
                          struct nereus_profile *profile)
{
    static const char *const keys[] = {"start", "shrink"};
    const json_t *json = json_object_get(root, "campaign");
    const size_t mark = nereus_json_enter(r, "campaign");
    if (json != NULL &&
        nereus_json_check(r, json, keys, NEREUS_COUNT_OF(keys), NEREUS_COUNT_OF(keys))) {
        nereus_json_read_number(r, json, "start", 0, &profile->campaign_log_sd);
        nereus_json_read_number(r, json, "shrink", 0, &profile->campaign_of_shrinks_log_sd);
    }
    nereus_json_leave(r, mark);
}

const char *const nereus_profile_keys[NEREUS_PROFILE_KEY_COUNT] = {
    "version",    "cluster",      "cores_per_node",
    "methods",    "steps",        "steps_oversubscribed",
    "pairs",      "asynchronous", "whole",
    "measured",   "host",         "date",
    "mpi",        "launcher",     "nodes",
    "operations", "collectives",  "contention",
    "moves",      "unattributed", "machines",
    "campaign",   "machine_kind", "program",
    "stages",     "processors",   "between_nodes"};

static void read_root(struct nereus_json_reader *r, const json_t *json,
                      struct nereus_profile *profile)
{
    const char *steps[NEREUS_STEP_KIND_COUNT];
    int64_t version = 0;
    check_version(r, json);
    if (!nereus_json_check(r, json, nereus_profile_keys, NEREUS_PROFILE_KEY_COUNT,
                           NEREUS_PROFILE_NEEDED_KEY_COUNT))
        return;
    nereus_json_read_integer(r, json, "version", NEREUS_PROFILE_VERSION, NEREUS_PROFILE_VERSION,
                             &version);
    read_machine(r, json, profile);
    read_campaign(r, json, profile);
    read_methods(r, json, profile);
    nereus_step_list_names(steps);
    const struct model_list lists[] = {
        {"steps", steps, NEREUS_COUNT_OF(steps), profile->steps, false},
        {"steps_oversubscribed", steps, NEREUS_COUNT_OF(steps), profile->steps_oversubscribed,
         false},
        {"unattributed", nereus_unattributed_names, NEREUS_UNATTRIBUTED_COUNT,
         profile->unattributed, false},
        {"moves", nereus_moves_names, NEREUS_MOVES_COUNT, profile->moves, false},
        {"between_nodes", nereus_between_names, NEREUS_BETWEEN_COUNT, profile->between_models,
         false},
        {"contention", nereus_contention_names, NEREUS_CONTENTION_COUNT, profile->contention, true},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(lists); i++)
        read_models(r, json, &lists[i]);
    check_moves(r, profile->moves);
    read_hockneys(r, json, "pairs", nereus_pair_class_names, NEREUS_PAIR_CLASS_COUNT,
                  profile->pairs);
    read_hockneys(r, json, "operations", nereus_operation_names, NEREUS_OPERATION_COUNT,
                  profile->operations);
    read_collectives(r, json, profile);
    read_stages(r, json, profile);
    read_async(r, json, profile);
    read_program(r, json, &profile->program);
    read_whole(r, json, profile);
    read_measured(r, json, profile);
}

/* Is the text probably the header line of samples? */
static bool looks_like_csv(const char *text)
{
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += strspn(text, "\n");
    }
    const size_t length = strcspn(text, "\n");
    return text[0] != '{' && text[0] != '[' && memchr(text, ',', length) != NULL;
}

static bool may_be_cut(enum json_error_code why)
{
    return why == json_error_premature_end_of_input || why == json_error_invalid_syntax;
}

enum nereus_status nereus_profile_read(const char *path, struct nereus_profile *profile,
                                       struct nereus_error *err)
{
    char *text;
    size_t length;
    json_error_t where;
    NEREUS_TRY(nereus_file_read(path, "profile", &text, &length, err));
    json_t *json = nereus_json_parse(text, length, JSON_REJECT_DUPLICATES, &where);
    const bool csv = json == NULL && looks_like_csv(text);
    const bool text_follows =
        json == NULL && json_error_code(&where) == json_error_end_of_input_expected;
    const bool cut = json == NULL && may_be_cut(json_error_code(&where));
    free(text);
    if (csv)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%s: not a profile, as it is no JSON but looks like CSV: `nereus profile fit %s "
            "--output PROFILE.json` makes a profile of a file of samples",
            path, path);
    if (json == NULL && text_follows)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s:%d:%d: not a profile, as more follows behind its first JSON object: "
                           "it looks like the results or the trace of a job",
                           path, where.line, where.column);
    if (json == NULL)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s:%d:%d: not a profile, as it is no JSON%s: %.160s", path, where.line,
                           where.column, cut ? " (cut off?)" : "", where.text);
    struct nereus_profile *p = calloc(1, sizeof *p);
    struct nereus_json_reader reader = {.path = path, .err = err, .status = NEREUS_OK};
    if (p == NULL)
        reader.status = nereus_fail(err, NEREUS_ERR_MEMORY, "%s: no memory for a profile", path);
    else
        read_root(&reader, json, p);
    if (reader.status == NEREUS_OK)
        reader.status = nereus_profile_prepare(p, err);
    if (reader.status == NEREUS_OK)
        *profile = *p;
    else if (p != NULL)
        nereus_profile_fini(p);
    free(p);
    json_decref(json);
    return reader.status;
}
