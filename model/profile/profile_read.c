/*
 * Profile from JSON. Everything is checked: version, keys (a misspelt one with what was meant), types, signs,
 * the names of terms, step kinds and methods, so that a profile that was read can be priced with.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "features.h"
#include "model/util/file.h"
#include "model/util/json_reader.h"
#include "model/util/suggest.h"
#include "profile_json.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* "... is not known: did you mean '...'?" */
static void fail_name(struct nereus_json_reader *r, const char *key, const char *name,
                      const char *const *known, size_t count)
{
    char sentence[200];
    const char *near = nereus_suggest(name, known, count);
    snprintf(sentence, sizeof sentence, "'%.60s' is not known%s%s%s", name,
             near != NULL ? ": did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
    nereus_json_fail(r, key, sentence);
}

static void read_basis(struct nereus_json_reader *r, const json_t *json, enum nereus_basis *basis)
{
    char name[16] = "";
    nereus_json_string(r, json, "basis", name, sizeof name);
    for (size_t i = 0; i < COUNT(nereus_basis_names); i++)
        if (strcmp(name, nereus_basis_names[i]) == 0) {
            *basis = (enum nereus_basis)i;
            return;
        }
    if (r->status == NEREUS_OK)
        fail_name(r, "basis", name, nereus_basis_names, COUNT(nereus_basis_names));
}

/* A term's name must be one that prices: of a step, or of an asynchronous reconfiguration. */
static void check_term(struct nereus_json_reader *r, const char *name, bool overlap)
{
    const char *known[NEREUS_FEATURE_COUNT + NEREUS_OVERLAP_FEATURE_COUNT];
    size_t count = 0;
    if (overlap)
        for (int f = 0; f < NEREUS_OVERLAP_FEATURE_COUNT; f++)
            known[count++] = nereus_overlap_feature_name((enum nereus_overlap_feature)f);
    else
        for (int f = 0; f < NEREUS_FEATURE_COUNT; f++)
            known[count++] = nereus_feature_name((enum nereus_feature)f);
    for (size_t i = 0; i < count; i++)
        if (strcmp(known[i], name) == 0)
            return;
    if (r->status == NEREUS_OK)
        fail_name(r, "terms", name, known, count);
}

static void read_terms(struct nereus_json_reader *r, const json_t *json, bool overlap,
                       struct nereus_linear_model *m)
{
    static const char *const keys[] = {"name", "coefficient"};
    const json_t *terms = nereus_json_array(r, json, "terms", NEREUS_TERMS_MAX);
    const json_t *rows = nereus_json_array(r, json, "covariance", NEREUS_TERMS_MAX);
    if (terms == NULL || rows == NULL)
        return;
    m->terms = (int)json_array_size(terms);
    if (json_array_size(rows) != (size_t)m->terms)
        nereus_json_fail(r, "covariance", "has not as many rows as there are terms");
    for (int i = 0; i < m->terms && r->status == NEREUS_OK; i++) {
        const json_t *term = json_array_get(terms, (size_t)i), *row = json_array_get(rows, (size_t)i);
        const size_t mark = nereus_json_enter(r, "terms");
        if (nereus_json_check(r, term, keys, COUNT(keys), COUNT(keys))) {
            nereus_json_string(r, term, "name", m->names[i], sizeof m->names[i]);
            nereus_json_number(r, term, "coefficient", 0, &m->coefficients[i]);
        }
        nereus_json_leave(r, mark);
        check_term(r, m->names[i], overlap);
        if (!json_is_array(row) || json_array_size(row) != (size_t)m->terms)
            nereus_json_fail(r, "covariance", "has not as many columns as there are terms");
        for (int j = 0; j < m->terms && r->status == NEREUS_OK; j++) {
            m->covariance[i][j] = json_number_value(json_array_get(row, (size_t)j));
            if (!json_is_number(json_array_get(row, (size_t)j)) || !isfinite(m->covariance[i][j]))
                nereus_json_fail(r, "covariance", "holds something that is not a number");
        }
    }
}

static void read_range(struct nereus_json_reader *r, const json_t *json, const char *key, int64_t *least,
                       int64_t *most)
{
    const json_t *range = nereus_json_array(r, json, key, 2);
    if (range == NULL)
        return;
    *least = json_integer_value(json_array_get(range, 0));
    *most = json_integer_value(json_array_get(range, 1));
    if (json_array_size(range) != 2 || *least < 0 || *most < *least)
        nereus_json_fail(r, key, "is not a range [least, most]");
}

/* [low, high]: what one more measurement lies between, as factors of the value. */
static void read_factors(struct nereus_json_reader *r, const json_t *json, struct nereus_linear_model *m)
{
    if (json_object_get(json, "factors") == NULL)
        return;
    const json_t *factors = nereus_json_array(r, json, "factors", 2);
    if (factors == NULL)
        return;
    m->low_factor = json_number_value(json_array_get(factors, 0));
    m->high_factor = json_number_value(json_array_get(factors, 1));
    if (json_array_size(factors) != 2 || !(m->low_factor > 0) || !(m->low_factor <= 1) ||
        !(m->high_factor >= 1) || !isfinite(m->high_factor))
        nereus_json_fail(r, "factors", "is not [low, high] with 0 < low <= 1 <= high");
}

static void read_model(struct nereus_json_reader *r, const json_t *json, const char *name, bool overlap,
                       struct nereus_linear_model *m)
{
    static const char *const keys[] = {"basis", "terms", "covariance", "spread",  "rows",      "stand_in",
                                       "ns",    "nt",    "max_load",   "factors", "max_move_s"};
    const size_t mark = nereus_json_enter(r, name);
    if (nereus_json_check(r, json, keys, COUNT(keys), 5)) {
        read_basis(r, json, &m->basis);
        read_terms(r, json, overlap, m);
        nereus_json_number(r, json, "spread", 0, &m->spread);
        read_factors(r, json, m);
        nereus_json_integer(r, json, "rows", 0, &m->rows);
        nereus_json_string(r, json, "stand_in", m->fallback, sizeof m->fallback);
        read_range(r, json, "ns", &m->min_ns, &m->max_ns);
        read_range(r, json, "nt", &m->min_nt, &m->max_nt);
        nereus_json_number(r, json, "max_load", 0, &m->max_load);
        nereus_json_number(r, json, "max_move_s", 0, &m->max_move_s);
    }
    nereus_json_leave(r, mark);
}

static void read_steps(struct nereus_json_reader *r, const json_t *root, const char *key,
                       struct nereus_linear_model *models)
{
    const char *known[NEREUS_STEP_KIND_COUNT];
    const json_t *json = json_object_get(root, key);
    const size_t mark = nereus_json_enter(r, key);
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++)
        known[k] = nereus_step_name((enum nereus_step_kind)k);
    if (nereus_json_check(r, json, known, NEREUS_STEP_KIND_COUNT, 0))
        for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++)
            if (json_object_get(json, known[k]) != NULL)
                read_model(r, json_object_get(json, known[k]), known[k], false, &models[k]);
    nereus_json_leave(r, mark);
}

/* Models by name; a profile may have none of them. */
static void read_models(struct nereus_json_reader *r, const json_t *root, const char *key,
                        const char *const *names, size_t count, struct nereus_linear_model *models)
{
    const json_t *json = json_object_get(root, key);
    if (json == NULL)
        return;
    const size_t mark = nereus_json_enter(r, key);
    if (nereus_json_check(r, json, names, count, 0))
        for (size_t i = 0; i < count; i++)
            if (json_object_get(json, names[i]) != NULL)
                read_model(r, json_object_get(json, names[i]), names[i], false, &models[i]);
    nereus_json_leave(r, mark);
}

/* A redistribution's time is its operations' times a coefficient: without one above 0 it would be free. */
static void check_moves(struct nereus_json_reader *r, const struct nereus_linear_model *moves)
{
    const size_t mark = nereus_json_enter(r, "moves");
    for (int which = 0; which < NEREUS_MOVES_COUNT; which++)
        if (moves[which].basis == NEREUS_BASIS_FITTED &&
            (moves[which].terms != 1 || !(moves[which].coefficients[0] > 0)))
            nereus_json_fail(r, nereus_moves_names[which],
                             "is fitted, and has not one term with a coefficient above 0");
    nereus_json_leave(r, mark);
}

static void read_pair(struct nereus_json_reader *r, const json_t *json, const char *name,
                      struct nereus_hockney *pair)
{
    static const char *const keys[] = {"basis", "pieces", "spread", "rows", "max_bytes"};
    static const char *const piece_keys[] = {"from_bytes", "alpha_s", "beta_s_per_byte"};
    const size_t mark = nereus_json_enter(r, name);
    if (nereus_json_check(r, json, keys, COUNT(keys), COUNT(keys))) {
        read_basis(r, json, &pair->basis);
        nereus_json_number(r, json, "spread", 0, &pair->spread);
        nereus_json_integer(r, json, "rows", 0, &pair->rows);
        nereus_json_number(r, json, "max_bytes", 0, &pair->max_bytes);
        const json_t *pieces = nereus_json_array(r, json, "pieces", NEREUS_TERMS_MAX);
        pair->pieces = pieces != NULL ? (int)json_array_size(pieces) : 0;
        if (pieces != NULL && pair->pieces == 0)
            nereus_json_fail(r, "pieces", "is empty");
        for (int i = 0; i < pair->pieces && r->status == NEREUS_OK; i++) {
            const json_t *piece = json_array_get(pieces, (size_t)i);
            if (!nereus_json_check(r, piece, piece_keys, COUNT(piece_keys), COUNT(piece_keys)))
                break;
            nereus_json_number(r, piece, "from_bytes", 0, &pair->from_bytes[i]);
            nereus_json_number(r, piece, "alpha_s", 0, &pair->alpha_s[i]);
            nereus_json_number(r, piece, "beta_s_per_byte", 0, &pair->beta_s_per_byte[i]);
        }
    }
    nereus_json_leave(r, mark);
}

static void read_pairs(struct nereus_json_reader *r, const json_t *root, struct nereus_hockney *pairs)
{
    const char *known[NEREUS_PAIR_CLASS_COUNT];
    const json_t *json = json_object_get(root, "pairs");
    const size_t mark = nereus_json_enter(r, "pairs");
    for (int p = 0; p < NEREUS_PAIR_CLASS_COUNT; p++)
        known[p] = nereus_pair_class_name((enum nereus_pair_class)p);
    if (nereus_json_check(r, json, known, NEREUS_PAIR_CLASS_COUNT, 0))
        for (int p = 0; p < NEREUS_PAIR_CLASS_COUNT; p++)
            if (json_object_get(json, known[p]) != NULL)
                read_pair(r, json_object_get(json, known[p]), known[p], &pairs[p]);
    nereus_json_leave(r, mark);
}

static void read_operations(struct nereus_json_reader *r, const json_t *root,
                            struct nereus_hockney *operations)
{
    const char *known[NEREUS_OPERATION_COUNT];
    const json_t *json = json_object_get(root, "operations");
    if (json == NULL)
        return;
    const size_t mark = nereus_json_enter(r, "operations");
    for (int o = 0; o < NEREUS_OPERATION_COUNT; o++)
        known[o] = nereus_operation_name((enum nereus_operation)o);
    if (nereus_json_check(r, json, known, NEREUS_OPERATION_COUNT, 0))
        for (int o = 0; o < NEREUS_OPERATION_COUNT; o++)
            if (json_object_get(json, known[o]) != NULL)
                read_pair(r, json_object_get(json, known[o]), known[o], &operations[o]);
    nereus_json_leave(r, mark);
}

/* One collective: an object with numbers of processes as its keys. */
static void read_collective(struct nereus_json_reader *r, json_t *json, const char *name,
                            struct nereus_profile *profile)
{
    const char *key;
    json_t *value;
    const size_t mark = nereus_json_enter(r, name);
    if (!json_is_object(json))
        nereus_json_fail(r, "", "is not a JSON object");
    json_object_foreach(json, key, value)
    {
        char *end;
        const size_t count = (size_t)profile->collective_count + 1;
        struct nereus_collective_time *all = realloc(profile->collectives, count * sizeof *all);
        if (all == NULL) {
            r->status = nereus_fail(r->err, NEREUS_ERR_MEMORY, "%s: no memory for a profile", r->path);
            break;
        }
        profile->collectives = all;
        all[count - 1] = (struct nereus_collective_time){.collective = nereus_collective_from_name(name),
                                                         .processes = strtoll(key, &end, 10)};
        profile->collective_count = (int64_t)count;
        if (*end != '\0' || all[count - 1].processes < 1)
            nereus_json_fail(r, key, "is no number of processes");
        read_pair(r, value, key, &all[count - 1].time);
    }
    nereus_json_leave(r, mark);
}

static void read_collectives(struct nereus_json_reader *r, const json_t *root, struct nereus_profile *profile)
{
    const char *known[NEREUS_COLLECTIVE_COUNT];
    const json_t *json = json_object_get(root, "collectives");
    if (json == NULL)
        return;
    const size_t mark = nereus_json_enter(r, "collectives");
    for (int c = 0; c < NEREUS_COLLECTIVE_COUNT; c++)
        known[c] = nereus_collective_name((enum nereus_collective)c);
    if (nereus_json_check(r, json, known, NEREUS_COLLECTIVE_COUNT, 0))
        for (int c = 0; c < NEREUS_COLLECTIVE_COUNT; c++)
            if (json_object_get(json, known[c]) != NULL)
                read_collective(r, json_object_get(json, known[c]), known[c], profile);
    nereus_json_leave(r, mark);
}

static void read_contention(struct nereus_json_reader *r, const json_t *root,
                            struct nereus_linear_model *models)
{
    const char *known[NEREUS_CONTENTION_COUNT];
    const json_t *json = json_object_get(root, "contention");
    if (json == NULL)
        return;
    const size_t mark = nereus_json_enter(r, "contention");
    for (int which = 0; which < NEREUS_CONTENTION_COUNT; which++)
        known[which] = nereus_contention_name(which);
    if (nereus_json_check(r, json, known, NEREUS_CONTENTION_COUNT, 0))
        for (int which = 0; which < NEREUS_CONTENTION_COUNT; which++)
            if (json_object_get(json, known[which]) != NULL)
                read_model(r, json_object_get(json, known[which]), known[which], true, &models[which]);
    nereus_json_leave(r, mark);
}

static void read_method(struct nereus_json_reader *r, const char *key, const char *text,
                        struct nereus_method *method)
{
    struct nereus_error why = {.text = ""};
    if (r->status == NEREUS_OK && nereus_method_parse(text != NULL ? text : "", method, &why) != NEREUS_OK)
        nereus_json_fail(r, key, why.text);
}

static void read_methods(struct nereus_json_reader *r, const json_t *root, struct nereus_profile *profile)
{
    const json_t *json = nereus_json_array(r, root, "methods", SIZE_MAX);
    if (json == NULL)
        return;
    profile->methods = calloc(json_array_size(json) + 1, sizeof *profile->methods);
    if (profile->methods == NULL) {
        r->status = nereus_fail(r->err, NEREUS_ERR_MEMORY, "%s: no memory for a profile", r->path);
        return;
    }
    for (size_t i = 0; i < json_array_size(json); i++)
        read_method(r, "methods", json_string_value(json_array_get(json, i)),
                    &profile->methods[profile->method_count++]);
}

static void read_one_measured(struct nereus_json_reader *r, const json_t *json, struct nereus_measured *m)
{
    static const char *const keys[] = {"ns",         "nt",     "cores_per_node", "method",      "rt_s",
                                       "bytes",      "n",      "oversubscribed", "t_iter_ns_s", "ct_s",
                                       "iterations", "spread", "model_s"};
    char method[NEREUS_METHOD_TEXT_MAX] = "";
    m->t_iter_ns_s = m->ct_s = m->iterations = m->spread = m->model_s = NAN;
    if (!nereus_json_check(r, json, keys, COUNT(keys), 8))
        return;
    nereus_json_integer(r, json, "ns", 1, &m->ns);
    nereus_json_integer(r, json, "nt", 1, &m->nt);
    nereus_json_integer(r, json, "cores_per_node", 1, &m->cores_per_node);
    nereus_json_string(r, json, "method", method, sizeof method);
    read_method(r, "method", method, &m->method);
    nereus_json_number(r, json, "rt_s", 0, &m->rt_s);
    if (!(m->rt_s > 0))
        nereus_json_fail(r, "rt_s", "is not above 0: what was measured took time");
    nereus_json_number(r, json, "bytes", 0, &m->bytes);
    nereus_json_integer(r, json, "n", 1, &m->n);
    nereus_json_boolean(r, json, "oversubscribed", &m->oversubscribed);
    nereus_json_number(r, json, "t_iter_ns_s", 0, &m->t_iter_ns_s);
    nereus_json_number(r, json, "ct_s", 0, &m->ct_s);
    nereus_json_number(r, json, "iterations", 0, &m->iterations);
    nereus_json_number(r, json, "spread", 0, &m->spread);
    nereus_json_number(r, json, "model_s", 0, &m->model_s);
}

static void read_measured(struct nereus_json_reader *r, const json_t *root, struct nereus_profile *profile)
{
    const json_t *json = nereus_json_array(r, root, "measured", SIZE_MAX);
    if (json == NULL)
        return;
    profile->measured = calloc(json_array_size(json) + 1, sizeof *profile->measured);
    if (profile->measured == NULL) {
        r->status = nereus_fail(r->err, NEREUS_ERR_MEMORY, "%s: no memory for a profile", r->path);
        return;
    }
    for (size_t i = 0; i < json_array_size(json); i++) {
        char name[40];
        snprintf(name, sizeof name, "measured[%zu]", i);
        const size_t mark = nereus_json_enter(r, name);
        read_one_measured(r, json_array_get(json, i), &profile->measured[profile->measured_count++]);
        nereus_json_leave(r, mark);
    }
}

static void read_whole(struct nereus_json_reader *r, const json_t *root, struct nereus_profile *profile)
{
    json_t *json = json_object_get(root, "whole"), *value;
    const char *key;
    if (r->status != NEREUS_OK)
        return;
    if (!json_is_object(json)) {
        nereus_json_fail(r, "whole", "is not a JSON object");
        return;
    }
    profile->whole = calloc(json_object_size(json) + 1, sizeof *profile->whole);
    if (profile->whole == NULL) {
        r->status = nereus_fail(r->err, NEREUS_ERR_MEMORY, "%s: no memory for a profile", r->path);
        return;
    }
    json_object_foreach(json, key, value)
    {
        struct nereus_whole_model *one = &profile->whole[profile->whole_count++];
        read_method(r, "whole", key, &one->method);
        read_model(r, value, key, false, &one->model);
    }
}

static void read_async(struct nereus_json_reader *r, const json_t *root, struct nereus_profile *profile)
{
#define NAME(member, name) name,
    static const char *const known[] = {NEREUS_ASYNC_MODEL_LIST(NAME)};
#undef NAME
    const json_t *json = json_object_get(root, "asynchronous");
    const size_t mark = nereus_json_enter(r, "asynchronous");
    if (nereus_json_check(r, json, known, COUNT(known), 0)) {
#define READ(member, name)                                                                                   \
    if (json_object_get(json, name) != NULL)                                                                 \
        read_model(r, json_object_get(json, name), name, true, &profile->member);
        NEREUS_ASYNC_MODEL_LIST(READ)
#undef READ
    }
    nereus_json_leave(r, mark);
}

/* Profiles of before called it by what is the least of it. */
static void read_beyond_steps(struct nereus_json_reader *r, const json_t *root,
                              struct nereus_linear_model *models)
{
    const bool old = json_object_get(root, "waits") != NULL;
    if (old && json_object_get(root, "beyond_steps") != NULL)
        nereus_json_fail(r, "waits", "is what 'beyond_steps' was called before; a profile has one of them");
    read_models(r, root, old ? "waits" : "beyond_steps", nereus_beyond_steps_names, NEREUS_BEYOND_STEPS_COUNT,
                models);
}

static void check_version(struct nereus_json_reader *r, const json_t *json)
{
    char sentence[160];
    const json_t *version = json_object_get(json, "version");
    if (!json_is_integer(version) || json_integer_value(version) == NEREUS_PROFILE_VERSION)
        return; /* the list of keys says the rest */
    snprintf(
        sentence, sizeof sentence,
        "is %lld, and this program reads version %d: fit the samples again with this program's nereus fit",
        (long long)json_integer_value(version), NEREUS_PROFILE_VERSION);
    nereus_json_fail(r, "version", sentence);
}

static void read_root(struct nereus_json_reader *r, const json_t *json, struct nereus_profile *profile)
{
    static const char *const keys[] = {
        "version",    "cluster",      "cores_per_node", "methods",  "steps",      "steps_oversubscribed",
        "pairs",      "asynchronous", "whole",          "measured", "host",       "date",
        "mpi",        "launcher",     "nodes",          "waits",    "operations", "collectives",
        "contention", "moves",        "beyond_steps"};
    int64_t version = 0;
    check_version(r, json);
    if (!nereus_json_check(r, json, keys, COUNT(keys), 10))
        return;
    nereus_json_integer(r, json, "version", NEREUS_PROFILE_VERSION, &version);
    nereus_json_string(r, json, "cluster", profile->cluster, sizeof profile->cluster);
    nereus_json_string(r, json, "host", profile->host, sizeof profile->host);
    nereus_json_string(r, json, "date", profile->date, sizeof profile->date);
    nereus_json_string(r, json, "mpi", profile->mpi, sizeof profile->mpi);
    nereus_json_string(r, json, "launcher", profile->launcher, sizeof profile->launcher);
    nereus_json_integer(r, json, "cores_per_node", 1, &profile->cores_per_node);
    nereus_json_integer(r, json, "nodes", 1, &profile->nodes);
    read_methods(r, json, profile);
    read_steps(r, json, "steps", profile->steps);
    read_steps(r, json, "steps_oversubscribed", profile->steps_oversubscribed);
    read_beyond_steps(r, json, profile->beyond_steps);
    read_models(r, json, "moves", nereus_moves_names, NEREUS_MOVES_COUNT, profile->moves);
    check_moves(r, profile->moves);
    read_pairs(r, json, profile->pairs);
    read_operations(r, json, profile->operations);
    read_collectives(r, json, profile);
    read_contention(r, json, profile->contention);
    read_async(r, json, profile);
    read_whole(r, json, profile);
    read_measured(r, json, profile);
}

/* A line with commas that opens no JSON: the header line of samples, probably. Comments may stand above it. */
static bool looks_like_csv(const char *text)
{
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += strspn(text, "\n");
    }
    const size_t length = strcspn(text, "\n");
    return text[0] != '{' && text[0] != '[' && memchr(text, ',', length) != NULL;
}

enum nereus_status nereus_profile_read(const char *path, struct nereus_profile *profile,
                                       struct nereus_error *err)
{
    char *text;
    size_t length;
    json_error_t where;
    enum nereus_status status = nereus_file_read(path, "profile", &text, &length, err);
    if (status != NEREUS_OK)
        return status;
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    const bool csv = json == NULL && looks_like_csv(text);
    free(text);
    if (csv)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s: not a profile, as it is no JSON but looks like CSV: `nereus fit %s --output "
                           "PROFILE.json` makes a profile of a file of samples",
                           path, path);
    if (json == NULL)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s:%d:%d: not a profile, as it is no JSON (cut off?): %.160s", path, where.line,
                           where.column, where.text);
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
