/**
 * @file study_file.c
 * Reads the section [study] of a study's file. All other sections belong to the synthetic
 * application, which reads them itself (sam/synthetic/config.c): it gets the same file with a blank
 * section [study], so that lines keep their numbers.
 */
#include <ctype.h>
#include <strings.h>

#include "model/util/file.h"
#include "model/util/suggest.h"
#include "model/util/values.h"
#include "study.h"

enum { LIST_MAX = 64, PROCESSES_MAX = 1000000, ITERATIONS_MAX = 10000000 };

/* Position in the file, for messages. */
struct place {
    struct nereus_study *study;
    int line;
    char what[PATH_MAX + 64]; /* "FILE:LINE: key" */
    int64_t sizes[LIST_MAX];
    int size_count;
    struct nereus_error *err;
};

static enum nereus_status fail_at_line(const struct place *place, const char *sentence)
{
    return nereus_fail(place->err, NEREUS_ERR_PARSE, "%.300s:%d: %s", place->study->file,
                       place->line, sentence);
}

static char *trim_blanks(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* ---- values ---- */

static enum nereus_status read_count(const struct place *place, const char *text, int64_t max,
                                     int64_t *value)
{
    NEREUS_TRY(nereus_value_parse_integer(place->what, text, 1, value, place->err));
    return *value <= max ? NEREUS_OK
                         : nereus_fail(place->err, NEREUS_ERR_PARSE, "%s: at most %lld",
                                       place->what, (long long)max);
}

typedef enum nereus_status take_item(struct place *place, const char *item);

/* Read items between commas. */
static enum nereus_status read_list(struct place *place, char *value, take_item *take)
{
    char *rest = value, *item;
    while ((item = strsep(&rest, ",")) != NULL) {
        item = trim_blanks(item);
        if (item[0] == '\0') {
            return nereus_fail(place->err, NEREUS_ERR_PARSE,
                               "%s: empty, or an empty entry between commas", place->what);
        }
        NEREUS_TRY(take(place, item));
    }
    return NEREUS_OK;
}

/* Make room for one more item of the array `items` with `count`. */
#define ROOM(place, items, count)                                                                  \
    do {                                                                                           \
        void *more_ = nereus_grow(items, count, sizeof *(items));                                  \
        NEREUS_TRY_MEMORY(more_, (place)->err, "for the study");                                   \
        (items) = more_;                                                                           \
    } while (0)

static enum nereus_status add_pair(struct place *place, int64_t ns, int64_t nt)
{
    struct nereus_study *study = place->study;
    for (int i = 0; i < study->pair_count; i++) {
        if (study->pairs[i].ns == ns && study->pairs[i].nt == nt) {
            return nereus_fail(place->err, NEREUS_ERR_PARSE, "%s: %lld:%lld is given twice",
                               place->what, (long long)ns, (long long)nt);
        }
    }
    ROOM(place, study->pairs, study->pair_count);
    study->pairs[study->pair_count++] = (struct nereus_study_pair){ns, nt};
    return NEREUS_OK;
}

static enum nereus_status parse_pair(struct place *place, const char *item)
{
    char ns_text[32];
    const char *colon = strchr(item, ':');
    int64_t ns, nt;
    if (colon == NULL || colon - item >= (int)sizeof ns_text) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE, "%s: '%.160s' must be NS:NT, as 2:4",
                           place->what, item);
    }
    snprintf(ns_text, sizeof ns_text, "%.*s", (int)(colon - item), item);
    NEREUS_TRY(read_count(place, ns_text, PROCESSES_MAX, &ns));
    NEREUS_TRY(read_count(place, colon + 1, PROCESSES_MAX, &nt));
    if (ns == nt) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE,
                           "%s: '%.160s' changes nothing: NS and NT must differ", place->what,
                           item);
    }
    return add_pair(place, ns, nt);
}

/* Add a pair for each two sizes. */
static enum nereus_status parse_size(struct place *place, const char *item)
{
    int64_t size;
    NEREUS_TRY(read_count(place, item, PROCESSES_MAX, &size));
    if (place->size_count == LIST_MAX) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE, "%s: at most %d sizes", place->what,
                           LIST_MAX);
    }
    for (int i = 0; i < place->size_count; i++) {
        if (place->sizes[i] == size) {
            return nereus_fail(place->err, NEREUS_ERR_PARSE, "%s: %.160s is given twice",
                               place->what, item);
        }
        NEREUS_TRY(add_pair(place, place->sizes[i], size));
        NEREUS_TRY(add_pair(place, size, place->sizes[i]));
    }
    place->sizes[place->size_count++] = size;
    return NEREUS_OK;
}

static enum nereus_status parse_method(struct place *place, const char *item)
{
    struct nereus_study *study = place->study;
    struct nereus_method method;
    struct nereus_error why;
    if (nereus_method_parse(item, &method, &why) != NEREUS_OK)
        return nereus_fail(place->err, NEREUS_ERR_PARSE, "%s: %.300s", place->what, why.text);
    for (int i = 0; i < study->method_count; i++) {
        if (nereus_method_equal(&study->methods[i], &method)) {
            return nereus_fail(place->err, NEREUS_ERR_PARSE, "%s: %.160s is given twice",
                               place->what, item);
        }
    }
    ROOM(place, study->methods, study->method_count);
    study->methods[study->method_count++] = method;
    return NEREUS_OK;
}

static enum nereus_status parse_bytes(struct place *place, const char *item)
{
    struct nereus_study *study = place->study;
    int64_t bytes;
    NEREUS_TRY(nereus_value_parse_bytes(place->what, item, &bytes, place->err));
    ROOM(place, study->bytes, study->bytes_count);
    study->bytes[study->bytes_count++] = bytes;
    return NEREUS_OK;
}

/* ---- keys ---- */

static enum nereus_status read_sizes(struct place *place, char *value)
{
    NEREUS_TRY(read_list(place, value, parse_size));
    return place->size_count > 1
               ? NEREUS_OK
               : nereus_fail(place->err, NEREUS_ERR_PARSE,
                             "%s: one size alone is no change: give at least two, as 1,2",
                             place->what);
}
static enum nereus_status read_pairs(struct place *place, char *value)
{
    return read_list(place, value, parse_pair);
}
static enum nereus_status read_methods(struct place *place, char *value)
{
    return read_list(place, value, parse_method);
}
static enum nereus_status read_bytes(struct place *place, char *value)
{
    return read_list(place, value, parse_bytes);
}

/* Read the iterations before and after the change: "3,97". */
static enum nereus_status read_iterations(struct place *place, char *value)
{
    char *comma = strchr(value, ',');
    if (comma == NULL) {
        return nereus_fail(place->err, NEREUS_ERR_PARSE,
                           "%s: must be two numbers, before and after the change, as 3,97",
                           place->what);
    }
    *comma = '\0';
    NEREUS_TRY(
        read_count(place, trim_blanks(value), ITERATIONS_MAX, &place->study->iterations_before));
    return read_count(place, trim_blanks(comma + 1), ITERATIONS_MAX,
                      &place->study->iterations_after);
}

static enum nereus_status read_repeats(struct place *place, char *value)
{
    return read_count(place, value, 1000000, &place->study->repeats);
}
static enum nereus_status read_attempts(struct place *place, char *value)
{
    return read_count(place, value, 100, &place->study->attempts);
}
static enum nereus_status read_seed(struct place *place, char *value)
{
    return nereus_value_parse_integer(place->what, value, 0, &place->study->seed, place->err);
}
static enum nereus_status read_limit(struct place *place, char *value)
{
    return nereus_value_parse_seconds(place->what, value, &place->study->limit_s, place->err);
}
static enum nereus_status read_hostfile(struct place *place, char *value)
{
    snprintf(place->study->hostfile, sizeof place->study->hostfile, "%s", value);
    return NEREUS_OK;
}

static const struct {
    const char *name;
    enum nereus_status (*read)(struct place *place, char *value);
} keys[] = {{"sizes", read_sizes},      {"pairs", read_pairs},           {"methods", read_methods},
            {"bytes", read_bytes},      {"iterations", read_iterations}, {"repeats", read_repeats},
            {"seed", read_seed},        {"attempts", read_attempts},     {"limit", read_limit},
            {"hostfile", read_hostfile}};
enum { KEY_COUNT = NEREUS_COUNT_OF(keys) };

static enum nereus_status fail_unknown_key(const struct place *place, const char *name)
{
    const char *known_words[KEY_COUNT];
    char suggestion[NEREUS_SUGGEST_TEXT], sentence[256];
    for (int i = 0; i < KEY_COUNT; i++)
        known_words[i] = keys[i].name;
    snprintf(sentence, sizeof sentence,
             "unknown key '%.60s' in [study]%s (sizes, pairs, methods, bytes, iterations, repeats, "
             "seed, attempts, limit, hostfile)",
             name, nereus_suggest_text(name, known_words, KEY_COUNT, suggestion));
    return fail_at_line(place, sentence);
}

/* Read a key.
 * @param[in,out] seen  line of each key so far, 0: none */
static enum nereus_status read_key(struct place *place, char *line, int seen[KEY_COUNT])
{
    char *equals = strchr(line, '=');
    if (equals == NULL)
        return fail_at_line(place, "neither 'key = value' nor '[section]' nor a comment (# or ;)");
    *equals = '\0';
    const char *name = trim_blanks(line);
    for (int i = 0; i < KEY_COUNT; i++) {
        if (strcasecmp(keys[i].name, name) != 0)
            continue;
        char sentence[128];
        if (seen[i] != 0) {
            snprintf(sentence, sizeof sentence, "'%s' in [study] is given already in line %d", name,
                     seen[i]);
            return fail_at_line(place, sentence);
        }
        seen[i] = place->line;
        snprintf(place->what, sizeof place->what, "%.300s:%d: %s in [study]", place->study->file,
                 place->line, name);
        return keys[i].read(place, trim_blanks(equals + 1));
    }
    return fail_unknown_key(place, name);
}

/* ---- lines ---- */

/* Refuse sections and keys that a study sets itself, or that redirect its results. */
static enum nereus_status check_others(const struct place *place, const char *line)
{
    if (strncasecmp(line, "[group", 6) == 0 || strncasecmp(line, "[resize", 7) == 0) {
        return fail_at_line(place, "a study has no groups of its own: sizes or pairs, methods and "
                                   "iterations in [study] make them");
    }
    const size_t word = strcspn(line, " \t=");
    if ((word == 5 && strncasecmp(line, "trace", 5) == 0) ||
        (word == 7 && strncasecmp(line, "results", 7) == 0))
        return fail_at_line(place, "trace and results are the study's own: leave the key out");
    return NEREUS_OK;
}

/* Copy a line without its comment. */
static void copy_line(const char *from, size_t length, char *line, size_t capacity)
{
    snprintf(line, capacity, "%.*s", (int)(length < capacity ? length : capacity - 1), from);
    for (char *c = line; *c != '\0'; c++) {
        const bool comment =
            (*c == '#' || *c == ';') && (c == line || isspace((unsigned char)c[-1]));
        if (comment) {
            *c = '\0';
            return;
        }
    }
}

/* Refuse a second [study]; note where [general] ends. */
static enum nereus_status read_header(struct place *place, const char *line, size_t position,
                                      int *study_line, bool *in_general)
{
    struct nereus_study *study = place->study;
    const bool is_study = strncasecmp(line, "[study]", 7) == 0;
    if (is_study && *study_line != 0) {
        char sentence[64];
        snprintf(sentence, sizeof sentence, "[study] is given already in line %d", *study_line);
        return fail_at_line(place, sentence);
    }
    *study_line = is_study ? place->line : *study_line;
    if (*in_general) {
        study->general_end = position;
        study->general_end_line = place->line - 1;
    }
    *in_general = !study->has_general && strncasecmp(line, "[general]", 9) == 0;
    study->has_general = study->has_general || *in_general;
    return NEREUS_OK;
}

static enum nereus_status read_lines(struct place *place)
{
    int seen[KEY_COUNT] = {0}, study_line = 0;
    bool is_study = false, in_general = false;
    char buffer[8192];
    for (char *position = place->study->text; *position != '\0';) {
        const size_t length = strcspn(position, "\n");
        place->line++;
        copy_line(position, length, buffer, sizeof buffer);
        char *line = trim_blanks(buffer);
        const bool header = line[0] == '[';
        if (header)
            NEREUS_TRY(read_header(place, line, (size_t)(position - place->study->text),
                                   &study_line, &in_general));
        is_study = study_line != 0 && (header ? study_line == place->line : is_study);
        if (is_study && !header && line[0] != '\0')
            NEREUS_TRY(read_key(place, line, seen));
        else if (!is_study)
            NEREUS_TRY(check_others(place, line));
        if (is_study)
            memset(position, ' ', length);
        position += length + (position[length] == '\n');
    }
    if (in_general || !place->study->has_general) {
        place->study->general_end = strlen(place->study->text);
        place->study->general_end_line = place->line;
    }
    if (study_line == 0) {
        return nereus_fail(
            place->err, NEREUS_ERR_PARSE,
            "%.300s: the section [study] is missing, with sizes (or pairs) and methods",
            place->study->file);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_study_read(const char *file, struct nereus_study *study,
                                     struct nereus_error *err)
{
    *study = (struct nereus_study){.file = file,
                                   .iterations_before = 3,
                                   .iterations_after = 10,
                                   .repeats = 5,
                                   .seed = 1,
                                   .attempts = 3,
                                   .limit_s = 60};
    struct place place = {.study = study, .err = err};
    NEREUS_TRY(nereus_file_read(file, "study", &study->text, NULL, err));
    NEREUS_TRY(read_lines(&place));
    if (study->pair_count == 0 || study->method_count == 0) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%.300s: key %s is missing in [study]", file,
                           study->pair_count == 0 ? "sizes (or pairs)" : "methods");
    }
    if (study->bytes_count == 0) {
        ROOM(&place, study->bytes, 0);
        study->bytes[study->bytes_count++] = -1;
    }
    return NEREUS_OK;
}

void nereus_study_fini(struct nereus_study *study)
{
    free(study->text);
    free(study->pairs);
    free(study->methods);
    free(study->bytes);
    *study = (struct nereus_study){.file = NULL};
}
