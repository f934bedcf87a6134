/**
 * @file map_print.c
 * Prints the rows of a map: in CSV and JSON one line per pair, in text runs of pairs with the same
 * choice.
 */

#include "map.h"

/* The quantities of a pair with one goal. */
static const struct figure {
    const char *key;
    size_t offset;         /* offset of a double in a prediction */
    bool bound;            /* bound of an interval, which may have no width */
    enum nereus_goal from; /* the first goal that needs it */
} figures[] = {
    {"rt_s", offsetof(struct nereus_prediction, rt_s.value), false, NEREUS_GOAL_APPLICATION},
    {"rt_low_s", offsetof(struct nereus_prediction, rt_s.low), true, NEREUS_GOAL_APPLICATION},
    {"rt_high_s", offsetof(struct nereus_prediction, rt_s.high), true, NEREUS_GOAL_APPLICATION},
    {"ct_s", offsetof(struct nereus_prediction, ct_s), false, NEREUS_GOAL_APPLICATION},
    {"t_ex_s", offsetof(struct nereus_prediction, t_ex_s), false, NEREUS_GOAL_APPLICATION},
    {"node_s", offsetof(struct nereus_prediction, node_s), false, NEREUS_GOAL_NODE_HOURS},
    {"energy_j", offsetof(struct nereus_prediction, energy_j), false, NEREUS_GOAL_ENERGY},
    {"score", offsetof(struct nereus_prediction, score), false, NEREUS_GOAL_WEIGHTS},
};

/* @return figure of a prediction; NAN: unknown, or no prediction */
static double get_figure(const struct figure *figure, const struct nereus_prediction *p)
{
    if (p == NULL || (figure->bound && !(p->rt_s.high > p->rt_s.low)))
        return NAN;
    return *(const double *)(const void *)((const char *)p + figure->offset);
}

/* Column prefixes. */
static const char *const prefixes[] = {
    [NEREUS_GOAL_APPLICATION] = "application", [NEREUS_GOAL_SYSTEM] = "system",
    [NEREUS_GOAL_NODE_HOURS] = "node_hours",   [NEREUS_GOAL_ENERGY] = "energy",
    [NEREUS_GOAL_WEIGHTS] = "weights",
};

/* A line of CSV, or an object of JSON: a pair with its choices. */
enum {
    FIELDS_MAX = 3 + NEREUS_MAP_GOALS * (NEREUS_COUNT_OF(figures) + 5),
    METHODS_MAX = 3 * NEREUS_MAP_GOALS
};
struct row {
    struct {
        const char *prefix, *key; /* prefix NULL: the column belongs to the pair, not to a goal */
        struct nereus_cell cell;
    } fields[FIELDS_MAX];
    int count;
    char methods[METHODS_MAX][NEREUS_METHOD_TEXT_MAX]; /* texts of cells */
    int method_count;
};

static void add_cell(struct row *row, const char *prefix, const char *key, struct nereus_cell cell)
{
    row->fields[row->count].prefix = prefix;
    row->fields[row->count].key = key;
    row->fields[row->count++].cell = cell;
}

/* @param method  NULL: an empty cell */
static void add_method(struct row *row, const char *prefix, const char *key,
                       const struct nereus_method *method)
{
    char *text = row->methods[row->method_count++];
    add_cell(row, prefix, key,
             nereus_cell_text(method != NULL ? nereus_method_format(method, text) : NULL));
}

static void add_choice(struct row *row, const struct nereus_map *map,
                       const struct nereus_map_choice *choice, int g)
{
    const struct nereus_prediction *p = choice->best_predictions[g], *shrink = choice->shrink[g];
    const char *prefix = prefixes[map->goals[g]];
    add_method(row, prefix, "method", p != NULL ? &p->method : NULL);
    for (size_t i = 0; i < NEREUS_COUNT_OF(figures); i++)
        if (figures[i].from <= map->goals[g] &&
            (figures[i].from != NEREUS_GOAL_ENERGY || map->ranking.power.busy_w > 0))
            add_cell(row, prefix, figures[i].key,
                     nereus_cell_predicted(get_figure(&figures[i], p)));
    add_cell(row, prefix, "source",
             nereus_cell_text(p != NULL ? nereus_source_name(p->source) : NULL));
    if (nereus_map_has_later_shrink(map)) {
        add_method(row, prefix, "later_method", shrink != NULL ? &shrink->method : NULL);
        add_cell(row, prefix, "later_rt_s",
                 nereus_cell_predicted(shrink != NULL ? shrink->rt_s.value : NAN));
    }
}

static void make_row(const struct nereus_map *map, int64_t ns, int64_t nt,
                     const struct nereus_map_choice *choice, struct row *row)
{
    row->count = row->method_count = 0;
    add_cell(row, NULL, "ns", nereus_cell_integer(ns));
    add_cell(row, NULL, "nt", nereus_cell_integer(nt));
    add_cell(row, NULL, "methods", nereus_cell_integer(choice->methods));
    for (int g = 0; g < map->goal_count; g++)
        add_choice(row, map, choice, g);
    /* the last columns, as columns of CSV are only appended */
    for (int g = 0; g < map->goal_count; g++) {
        add_method(row, prefixes[map->goals[g]], "tied",
                   choice->ties[g] > 0 ? &choice->tied_methods[g] : NULL);
    }
}

static void print_key(const struct row *row, int i, FILE *stream)
{
    const char *prefix = row->fields[i].prefix;
    fprintf(stream, "%s%s%s", prefix != NULL ? prefix : "", prefix != NULL ? "_" : "",
            row->fields[i].key);
}

static void print_json(const struct row *row, FILE *stream)
{
    for (int i = 0; i < row->count; i++) {
        const struct nereus_cell *cell = &row->fields[i].cell;
        const char *quote = cell->kind == NEREUS_CELL_TEXT ? "\"" : "";
        fputs(i == 0 ? "{\"" : ", \"", stream);
        print_key(row, i, stream);
        fprintf(stream, "\": %s", quote);
        if (cell->kind == NEREUS_CELL_EMPTY)
            fputs("null", stream);
        else
            nereus_csv_print_cell(stream, cell); /* names of methods need no escape */
        fputs(quote, stream);
    }
    fputc('}', stream);
}

static void print_pair(const struct nereus_map *map, int64_t ns, int64_t nt,
                       const struct nereus_map_choice *choice, FILE *stream)
{
    struct row row;
    make_row(map, ns, nt, choice, &row);
    if (map->format == NEREUS_FORMAT_JSON) {
        fputs(ns == map->ns.items[0] && nt == map->nt.items[0] ? "\n" : ",\n", stream);
        print_json(&row, stream);
        return;
    }
    for (int i = 0; i < row.count; i++) {
        fputs(i == 0 ? "" : ",", stream);
        nereus_csv_print_cell(stream, &row.fields[i].cell);
    }
    fputc('\n', stream);
}

static bool is_same_choice(const struct nereus_prediction *a, const struct nereus_prediction *b)
{
    return a == NULL || b == NULL ? a == b : nereus_method_equal(&a->method, &b->method);
}

/* Print runs of neighbours with one choice: "1:4 baseline  5:20 merge". */
static void print_runs(const struct nereus_map *map, int goal,
                       const struct nereus_map_choice *choices, FILE *stream)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    for (int64_t i = 0, end; i < map->nt.count; i = end) {
        const struct nereus_prediction *p = choices[i].best_predictions[goal];
        for (end = i + 1;
             end < map->nt.count && is_same_choice(p, choices[end].best_predictions[goal]);)
            end++;
        fprintf(stream, "  %lld", (long long)map->nt.items[i]);
        if (end - i > 1)
            fprintf(stream, ":%lld", (long long)(map->nt.items[end - 1]));
        fprintf(stream, " %s", p != NULL ? nereus_method_format(&p->method, method) : "(none)");
    }
    fputc('\n', stream);
}

void nereus_map_print_row(const struct nereus_map *map, int64_t ns,
                          const struct nereus_map_choice *choices, FILE *stream)
{
    for (int64_t i = 0; map->format != NEREUS_FORMAT_TEXT && i < map->nt.count; i++)
        print_pair(map, ns, map->nt.items[i], &choices[i], stream);
    for (int g = 0; map->format == NEREUS_FORMAT_TEXT && g < map->goal_count; g++) {
        fprintf(stream, "%8lld  %-11s", (long long)ns, nereus_goal_choices[map->goals[g]]);
        print_runs(map, g, choices, stream);
    }
}

static void print_csv_head(const struct nereus_map *map, FILE *stream)
{
    const struct nereus_map_choice none = {.methods = 0};
    struct row row;
    make_row(map, 0, 0, &none, &row);
    for (int i = 0; i < row.count; i++) {
        fputs(i == 0 ? "" : ",", stream);
        print_key(&row, i, stream);
    }
    fputc('\n', stream);
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
        if (map->as_cells || map->as_summary)
            break;
        fprintf(stream, "%8s  %-11s  %s\n", "NS", "best for", "NT and method, run by run");
        break;
    }
}

void nereus_map_print_tail(const struct nereus_map *map, FILE *stream)
{
    if (map->format == NEREUS_FORMAT_JSON)
        fprintf(stream, "\n]}\n");
}
