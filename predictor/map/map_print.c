/**
 * @file map_print.c
 * Rows of a map: in CSV and JSON one line per pair, in text runs of pairs with the same choice.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"
#include "model/util/values.h"

/* One goal's figures of a pair. */
static const struct figure {
    const char *key;
    size_t offset;         /* of a double in a prediction */
    bool bound;            /* of an interval, which may have no width */
    enum nereus_goal from; /* the first goal that needs it */
} figures[] = {
#define AT(member) offsetof(struct nereus_prediction, member)
    {"rt_s", AT(rt_s.value), false, NEREUS_GOAL_APPLICATION},
    {"rt_low_s", AT(rt_s.low), true, NEREUS_GOAL_APPLICATION},
    {"rt_high_s", AT(rt_s.high), true, NEREUS_GOAL_APPLICATION},
    {"ct_s", AT(ct_s), false, NEREUS_GOAL_APPLICATION},
    {"t_ex_s", AT(t_ex_s), false, NEREUS_GOAL_APPLICATION},
    {"node_s", AT(node_s), false, NEREUS_GOAL_NODE_HOURS},
    {"score", AT(score), false, NEREUS_GOAL_WEIGHTS},
#undef AT
};

/* NAN: not known, or there is no prediction. */
static double figure_of(const struct figure *figure, const struct nereus_prediction *p)
{
    if (p == NULL || (figure->bound && !(p->rt_s.high > p->rt_s.low))) {
        return NAN;
    }
    return *(const double *)(const void *)((const char *)p + figure->offset);
}

/* Number of figures of a goal. */
static int figures_of(enum nereus_goal goal)
{
    int count = 0;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        count += figures[i].from <= goal ? 1 : 0;
    }
    return count;
}

/* Column prefixes, by enum nereus_goal. */
static const char *const prefixes[] = {"application", "system", "node_hours", "weights"};

/* Make room for `count` more characters. @return false and set no_memory if there is none */
static bool make_room(struct nereus_map_text *text, size_t count)
{
    if (text->room - text->length < count && !text->no_memory) {
        const size_t room = 2 * text->room + count + 1024;
        char *longer = realloc(text->text, room);
        text->no_memory = longer == NULL;
        text->text = longer != NULL ? longer : text->text;
        text->room = longer != NULL ? room : text->room;
    }
    return !text->no_memory;
}

static void add(struct nereus_map_text *text, const char *piece)
{
    const size_t count = strlen(piece);
    if (make_room(text, count)) {
        memcpy(text->text + text->length, piece, count);
        text->length += count;
    }
}

static void add_integer(struct nereus_map_text *text, int64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    add(text, digits);
}

/* @param none  where it is no number */
static void add_real(struct nereus_map_text *text, double value, const char *none)
{
    char digits[32];
    add(text, isfinite(value) ? nereus_format_real(value, digits) : none);
}

/* Append a copy of the text from `at` on. */
static void repeat_from(struct nereus_map_text *text, size_t at)
{
    const size_t count = text->length - at;
    if (make_room(text, count)) {
        memcpy(text->text + text->length, text->text + at, count);
        text->length += count;
    }
}

/* @param shrink  the later shrink; NULL: not asked for, or none */
static void add_csv(struct nereus_map_text *text, enum nereus_goal goal, bool later,
                    const struct nereus_prediction *p, const struct nereus_prediction *shrink)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    add(text, ",");
    add(text, p != NULL ? nereus_method_print(&p->method, method) : "");
    for (int i = 0; i < figures_of(goal); i++) {
        add(text, ",");
        add_real(text, figure_of(&figures[i], p), "");
    }
    add(text, ",");
    add(text, p != NULL ? nereus_source_name(p->source) : "");
    if (later) {
        add(text, ",");
        add(text, shrink != NULL ? nereus_method_print(&shrink->method, method) : "");
        add(text, ",");
        add_real(text, shrink != NULL ? shrink->rt_s.value : NAN, "");
    }
}

static void add_key(struct nereus_map_text *text, const char *goal, const char *key)
{
    add(text, ", \"");
    add(text, goal);
    add(text, "_");
    add(text, key);
    add(text, "\": ");
}

/* @param word  NULL: null */
static void add_word(struct nereus_map_text *text, const char *word)
{
    const char *quote = word != NULL ? "\"" : "";
    add(text, quote);
    add(text, word != NULL ? word : "null");
    add(text, quote);
}

static void add_json(struct nereus_map_text *text, enum nereus_goal goal, bool later,
                     const struct nereus_prediction *p, const struct nereus_prediction *shrink)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    const char *prefix = prefixes[goal];
    add_key(text, prefix, "method");
    add_word(text, p != NULL ? nereus_method_print(&p->method, method) : NULL);
    for (int i = 0; i < figures_of(goal); i++) {
        add_key(text, prefix, figures[i].key);
        add_real(text, figure_of(&figures[i], p), "null");
    }
    add_key(text, prefix, "source");
    add_word(text, p != NULL ? nereus_source_name(p->source) : NULL);
    if (later) {
        add_key(text, prefix, "later_method");
        add_word(text, shrink != NULL ? nereus_method_print(&shrink->method, method) : NULL);
        add_key(text, prefix, "later_rt_s");
        add_real(text, shrink != NULL ? shrink->rt_s.value : NAN, "null");
    }
}

static bool same_choice(const struct nereus_prediction *a, const struct nereus_prediction *b)
{
    return a == NULL || b == NULL ? a == b : nereus_method_equal(&a->method, &b->method);
}

static void add_tie(const struct nereus_map *map, const struct nereus_map_choice *choice, int g,
                    struct nereus_map_text *text)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    const bool tied = choice->ties[g] > 0;
    if (tied) {
        nereus_method_print(&choice->tied[g], method);
    }
    if (map->format == NEREUS_FORMAT_JSON) {
        add_key(text, prefixes[map->goals[g]], "tied");
        add_word(text, tied ? method : NULL);
    } else {
        add(text, ",");
        add(text, tied ? method : "");
    }
}

static void add_pair(const struct nereus_map *map, int64_t ns, int64_t nt,
                     const struct nereus_map_choice *choice, struct nereus_map_text *text)
{
    const bool json = map->format == NEREUS_FORMAT_JSON;
    const bool later = nereus_map_looks_later(map);
    if (json) {
        const bool first = ns == map->ns.items[0] && nt == map->nt.items[0];
        add(text, first ? "\n{\"ns\": " : ",\n{\"ns\": ");
    }
    add_integer(text, ns);
    add(text, json ? ", \"nt\": " : ",");
    add_integer(text, nt);
    add(text, json ? ", \"methods\": " : ",");
    add_integer(text, choice->methods);
    const size_t first_at = text->length;
    for (int g = 0; g < map->goal_count; g++) {
        if (json) {
            add_json(text, map->goals[g], later, choice->of[g], choice->shrink[g]);
        } else if (g > 0 && !later && same_choice(choice->of[0], choice->of[g])) {
            repeat_from(text, first_at);
        } else {
            add_csv(text, map->goals[g], later, choice->of[g], choice->shrink[g]);
        }
    }
    for (int g = 0; g < map->goal_count; g++) { /* after all others: CSV is only appended to */
        add_tie(map, choice, g, text);
    }
    add(text, json ? "}" : "\n");
}

/* "1:4 baseline  5:20 merge": runs of neighbours with one choice. */
static void add_runs(const struct nereus_map *map, int goal,
                     const struct nereus_map_choice *choices, struct nereus_map_text *text)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    for (int64_t i = 0, end; i < map->nt.count; i = end) {
        const struct nereus_prediction *p = choices[i].of[goal];
        for (end = i + 1; end < map->nt.count && same_choice(p, choices[end].of[goal]);) {
            end++;
        }
        add(text, "  ");
        add_integer(text, map->nt.items[i]);
        if (end - i > 1) {
            add(text, ":");
            add_integer(text, map->nt.items[end - 1]);
        }
        add(text, " ");
        add(text, p != NULL ? nereus_method_print(&p->method, method) : "(none)");
    }
    add(text, "\n");
}

void nereus_map_print_row(const struct nereus_map *map, int64_t ns,
                          const struct nereus_map_choice *choices, struct nereus_map_text *text)
{
    if (map->format != NEREUS_FORMAT_TEXT) {
        for (int64_t i = 0; i < map->nt.count; i++) {
            add_pair(map, ns, map->nt.items[i], &choices[i], text);
        }
        return;
    }
    for (int g = 0; g < map->goal_count; g++) {
        char head[64];
        snprintf(head, sizeof head, "%8" PRId64 "  %-11s", ns, nereus_goal_choices[map->goals[g]]);
        add(text, head);
        add_runs(map, g, choices, text);
    }
}

static void print_csv_head(const struct nereus_map *map, FILE *stream)
{
    fprintf(stream, "ns,nt,methods");
    for (int g = 0; g < map->goal_count; g++) {
        const char *prefix = prefixes[map->goals[g]];
        fprintf(stream, ",%s_method", prefix);
        for (int i = 0; i < figures_of(map->goals[g]); i++) {
            fprintf(stream, ",%s_%s", prefix, figures[i].key);
        }
        fprintf(stream, ",%s_source", prefix);
        if (nereus_map_looks_later(map)) {
            fprintf(stream, ",%s_later_method,%s_later_rt_s", prefix, prefix);
        }
    }
    for (int g = 0; g < map->goal_count; g++) {
        fprintf(stream, ",%s_tied", prefixes[map->goals[g]]);
    }
    fprintf(stream, "\n");
}

void nereus_map_print_head(const struct nereus_map *map, const struct nereus_question *first,
                           FILE *stream)
{
    switch (map->format) {
    case NEREUS_FORMAT_CSV:
        print_csv_head(map, stream);
        break;
    case NEREUS_FORMAT_JSON: {
        json_t *assumed = nereus_question_assumed_json(first);
        char *text = nereus_json_dump(assumed, JSON_COMPACT);
        fprintf(stream, "{\"assumed\": %s,\n\"pairs\": [", text != NULL ? text : "[]");
        free(text);
        json_decref(assumed);
        break;
    }
    case NEREUS_FORMAT_TEXT:
        if (map->as_cells || map->as_summary) {
            break;
        }
        fprintf(stream, "%8s  %-11s  %s\n", "NS", "best for", "NT and method, run by run");
        break;
    }
}

void nereus_map_print_tail(const struct nereus_map *map, FILE *stream)
{
    if (map->format == NEREUS_FORMAT_JSON) {
        fprintf(stream, "\n]}\n");
    }
}
