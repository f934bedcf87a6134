/** @file map_print.c  Rows of a map: CSV and JSON a line per pair with the same content, for people runs of pairs with one choice. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"

/* One goal's figures of a pair. */
struct figure {
    const char *key;
    double (*of)(const struct nereus_prediction *p);
};

static double rt(const struct nereus_prediction *p)
{
    return p->rt_s.value;
}

static double rt_low(const struct nereus_prediction *p)
{
    return p->rt_s.low;
}

static double rt_high(const struct nereus_prediction *p)
{
    return p->rt_s.high;
}

static double ct(const struct nereus_prediction *p)
{
    return p->ct_s;
}

static double t_ex(const struct nereus_prediction *p)
{
    return p->t_ex_s;
}

static const struct figure figures[] = {
    {"rt_s", rt}, {"rt_low_s", rt_low}, {"rt_high_s", rt_high}, {"ct_s", ct}, {"t_ex_s", t_ex},
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

/* The goals that are printed, in their order. */
static int goals_of(const struct nereus_map *map, const char *names[2])
{
    int count = 0;
    if (map->goals != NEREUS_MAP_SYSTEM) {
        names[count++] = "application";
    }
    if (map->goals != NEREUS_MAP_APPLICATION) {
        names[count++] = "system";
    }
    return count;
}

static const struct nereus_prediction *choice_of(const struct nereus_map_choice *choice, const char *goal)
{
    return goal[0] == 'a' ? choice->application : choice->system;
}

static void add(struct nereus_map_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct nereus_map_text *text, const char *format, ...)
{
    enum { LINE_MAX_BYTES = 1024 }; /* no piece is longer */
    if (text->room - text->length < LINE_MAX_BYTES && !text->no_memory) {
        const size_t room = 2 * text->room + LINE_MAX_BYTES;
        char *longer = realloc(text->text, room);
        text->no_memory = longer == NULL;
        text->text = longer != NULL ? longer : text->text;
        text->room = longer != NULL ? room : text->room;
    }
    if (text->no_memory) {
        return;
    }
    va_list values;
    va_start(values, format);
    text->length += (size_t)vsnprintf(text->text + text->length, LINE_MAX_BYTES, format, values);
    va_end(values);
}

/* What was printed from there on, once more; room is made first, as that moves the text. */
static void repeat_from(struct nereus_map_text *text, size_t at)
{
    add(text, "%s", "");
    if (!text->no_memory) {
        add(text, "%.*s", (int)(text->length - at), text->text + at);
    }
}

static void add_csv(struct nereus_map_text *text, const struct nereus_prediction *p)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    if (p == NULL) {
        add(text, ",,,,,,,");
        return;
    }
    add(text, ",%s", nereus_method_print(&p->method, method));
    for (int i = 0; i < FIGURES; i++) {
        const double value = figures[i].of(p);
        if (isfinite(value)) {
            add(text, ",%.9g", value);
        } else {
            add(text, ",");
        }
    }
    add(text, ",%s", nereus_source_name(p->source));
}

static void add_json(struct nereus_map_text *text, const char *goal, const struct nereus_prediction *p)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    if (p == NULL) {
        add(text, ", \"%s_method\": null", goal);
    } else {
        add(text, ", \"%s_method\": \"%s\"", goal, nereus_method_print(&p->method, method));
    }
    for (int i = 0; i < FIGURES; i++) {
        const double value = p != NULL ? figures[i].of(p) : NAN;
        if (isfinite(value)) {
            add(text, ", \"%s_%s\": %.9g", goal, figures[i].key, value);
        } else {
            add(text, ", \"%s_%s\": null", goal, figures[i].key);
        }
    }
    if (p == NULL) {
        add(text, ", \"%s_source\": null", goal);
    } else {
        add(text, ", \"%s_source\": \"%s\"", goal, nereus_source_name(p->source));
    }
}

static bool same_choice(const struct nereus_prediction *a, const struct nereus_prediction *b)
{
    return a == NULL || b == NULL ? a == b : nereus_method_equal(&a->method, &b->method);
}

static void add_pair(const struct nereus_map *map, int64_t ns, int64_t nt,
                     const struct nereus_map_choice *choice, struct nereus_map_text *text)
{
    const bool json = map->format == NEREUS_FORMAT_JSON;
    const char *names[2];
    const int goals = goals_of(map, names);
    if (json) {
        const bool first = ns == map->ns.items[0] && nt == map->nt.items[0];
        add(text, "%s{\"ns\": %" PRId64 ", \"nt\": %" PRId64 ", \"methods\": %d", first ? "\n" : ",\n", ns,
            nt, choice->methods);
    } else {
        add(text, "%" PRId64 ",%" PRId64 ",%d", ns, nt, choice->methods);
    }
    const size_t first_at = text->length;
    for (int g = 0; g < goals; g++) {
        if (json) {
            add_json(text, names[g], choice_of(choice, names[g]));
        } else if (g > 0 && same_choice(choice->application, choice->system)) {
            repeat_from(text, first_at);
        } else {
            add_csv(text, choice_of(choice, names[g]));
        }
    }
    add(text, "%s", json ? "}" : "\n");
}

/* "1:4 baseline  5:20 merge": runs of neighbours with one choice. */
static void add_runs(const struct nereus_map *map, const char *goal, const struct nereus_map_choice *choices,
                     struct nereus_map_text *text)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    for (int64_t i = 0, end; i < map->nt.count; i = end) {
        const struct nereus_prediction *p = choice_of(&choices[i], goal);
        for (end = i + 1; end < map->nt.count && same_choice(p, choice_of(&choices[end], goal));) {
            end++;
        }
        if (end - i > 1) {
            add(text, "  %" PRId64 ":%" PRId64, map->nt.items[i], map->nt.items[end - 1]);
        } else {
            add(text, "  %" PRId64, map->nt.items[i]);
        }
        add(text, " %s", p != NULL ? nereus_method_print(&p->method, method) : "(none)");
    }
    add(text, "\n");
}

void nereus_map_print_row(const struct nereus_map *map, int64_t ns, const struct nereus_map_choice *choices,
                          struct nereus_map_text *text)
{
    const char *names[2];
    const int goals = goals_of(map, names);
    if (map->format != NEREUS_FORMAT_TEXT) {
        for (int64_t i = 0; i < map->nt.count; i++) {
            add_pair(map, ns, map->nt.items[i], &choices[i], text);
        }
        return;
    }
    for (int g = 0; g < goals; g++) {
        add(text, "%8" PRId64 "  %-11s", ns, names[g]);
        add_runs(map, names[g], choices, text);
    }
}

static void print_csv_head(const struct nereus_map *map, FILE *stream)
{
    const char *names[2];
    const int goals = goals_of(map, names);
    fprintf(stream, "ns,nt,methods");
    for (int g = 0; g < goals; g++) {
        fprintf(stream, ",%s_method", names[g]);
        for (int i = 0; i < FIGURES; i++) {
            fprintf(stream, ",%s_%s", names[g], figures[i].key);
        }
        fprintf(stream, ",%s_source", names[g]);
    }
    fprintf(stream, "\n");
}

void nereus_map_print_head(const struct nereus_map *map, const struct nereus_question *first, FILE *stream)
{
    switch (map->format) {
    case NEREUS_FORMAT_CSV:
        print_csv_head(map, stream);
        break;
    case NEREUS_FORMAT_JSON: {
        json_t *assumed = nereus_question_assumed_json(first);
        char *text = assumed != NULL ? json_dumps(assumed, JSON_COMPACT) : NULL;
        fprintf(stream, "{\"assumed\": %s,\n\"pairs\": [", text != NULL ? text : "[]");
        free(text);
        json_decref(assumed);
        break;
    }
    case NEREUS_FORMAT_TEXT:
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
