/** @file compare_print.c  Prints a comparison: tables, map, JSON. */
#include "compare_print.h"

#include "model/statistics/statistics.h"

const char *const nereus_compare_reports[] = {"groups", "pairs", "differences", NULL};

enum { NAMES_MAX = NEREUS_COMPARE_METHODS_MAX * (NEREUS_METHOD_TEXT_MAX + 2) };

const char *nereus_compare_value_name(enum nereus_compare_value value)
{
    static const char *const names[] = {"RT", "T_ex", "CT"};
    return names[value];
}

const char *nereus_tie_rule_text(enum nereus_tie_rule rule)
{
    static const char *const texts[] = {
        "by the method that is among the best in most of the nearest cells",
        "by the method that is among the best in most of the remaining cells",
        "by the least median"};
    return texts[rule];
}

static const char *format_method(const struct nereus_compare *compare, int method,
                                 char text[NEREUS_METHOD_TEXT_MAX])
{
    return method < 0 ? NULL : nereus_method_format(&compare->methods[method], text);
}

/* ---- groups ---- */

#define GROUP_COLUMNS(X)                                                                           \
    X("ns", "NS", NULL, nereus_cell_integer(pair->ns))                                             \
    X("nt", "NT", NULL, nereus_cell_integer(pair->nt))                                             \
    X("method", "method", NULL, nereus_cell_text(format_method(compare, group->method, method)))   \
    X("runs", "runs", NULL, nereus_cell_integer(group->runs.count))                                \
    X("median_s", "median", "s", nereus_cell_real(group->median_s))                                \
    X("median_low_s", "90 % from", "s", nereus_cell_real(group->low_s))                            \
    X("median_high_s", "to", "s", nereus_cell_real(group->high_s))                                 \
    X("mean_s", "mean", "s", nereus_cell_real(group->mean_s))                                      \
    X("sd_s", "sd", "s", nereus_cell_real(group->sd_s))                                            \
    X("shapiro_w", "W", NULL, nereus_cell_real(group->w))                                          \
    X("shapiro_p", "p normal", NULL, nereus_cell_real(group->p_normal))                            \
    X("mean_rank", "mean rank", NULL, nereus_cell_real(rank))                                      \
    X("letters", "group", NULL, nereus_cell_text(letters))                                         \
    X("best", "best", NULL,                                                                        \
      nereus_cell_if(tested, nereus_cell_bool((pair->best_set >> group->method & 1) != 0)))        \
    X("speed_up", "speed-up", NULL, nereus_cell_real(group->speed_up))

static const struct nereus_column group_columns[] = {GROUP_COLUMNS(NEREUS_COLUMN)};

static void add_groups(const struct nereus_compare *compare, const struct nereus_compare_pair *pair,
                       struct nereus_table *table)
{
    for (int g = 0; g < pair->count; g++) {
        const struct nereus_compare_group *group = &pair->groups[g];
        const bool tested = g < pair->tested_groups;
        const double rank = tested ? pair->mean_rank[g] : NAN;
        char method[NEREUS_METHOD_TEXT_MAX], text[NEREUS_LETTERS_TEXT_MAX];
        const char *letters = tested ? nereus_letters_text(group->letters, text) : NULL;
        NEREUS_TABLE_ADD(table, GROUP_COLUMNS);
    }
}

/* ---- pairs ---- */

/* Format the names of a set of methods: "merge, merge-single". NULL: it is empty */
static const char *format_methods(const struct nereus_compare *compare, uint64_t methods,
                                  char *names)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    names[0] = '\0';
    for (int m = 0; m < compare->method_count; m++) {
        if ((methods >> m & 1) != 0) {
            nereus_append(names, NAMES_MAX, "%s%s", names[0] != '\0' ? ", " : "",
                          format_method(compare, m, text));
        }
    }
    return names[0] != '\0' ? names : NULL;
}

#define PAIR_COLUMNS(X)                                                                            \
    X("ns", "NS", NULL, nereus_cell_integer(pair->ns))                                             \
    X("nt", "NT", NULL, nereus_cell_integer(pair->nt))                                             \
    X("methods", "methods", NULL, nereus_cell_integer(pair->tested_groups))                        \
    X("kruskal_h", "H", NULL, nereus_cell_if(tested, nereus_cell_real(pair->kruskal.h)))           \
    X("kruskal_p", "p equal", NULL, nereus_cell_if(tested, nereus_cell_real(pair->kruskal.p)))     \
    X("not_normal", "not normal", NULL, nereus_cell_if(tested, nereus_cell_integer(not_normal)))   \
    X("fastest", "least median", NULL, nereus_cell_text(format_method(compare, fastest, method)))  \
    X("chosen", "on the map", NULL,                                                                \
      nereus_cell_text(format_method(compare, pair->chosen_method, chosen)))                       \
    X("tied", "tied with the least median", NULL, nereus_cell_text(tied))                          \
    X("untested", "not tested", NULL, nereus_cell_if(!tested, nereus_cell_text(pair->why_untested)))

static const struct nereus_column pair_columns[] = {PAIR_COLUMNS(NEREUS_COLUMN)};

static int count_not_normal(const struct nereus_compare_pair *pair, double significance)
{
    int count = 0;
    for (int g = 0; g < pair->tested_groups; g++)
        count += pair->groups[g].p_normal < significance ? 1 : 0;
    return count;
}

static void add_pair(const struct nereus_compare *compare, const struct nereus_compare_pair *pair,
                     struct nereus_table *table)
{
    char method[NEREUS_METHOD_TEXT_MAX], chosen[NEREUS_METHOD_TEXT_MAX], names[NAMES_MAX];
    const bool tested = pair->tested_groups > 0;
    const int fastest = tested ? pair->groups[0].method : -1;
    const uint64_t others = tested ? pair->best_set & ~(UINT64_C(1) << fastest) : 0;
    const char *tied = format_methods(compare, others, names);
    const int not_normal = count_not_normal(pair, compare->options.significance);
    NEREUS_TABLE_ADD(table, PAIR_COLUMNS);
}

/* ---- differences ---- */

#define DIFFERENCE_COLUMNS(X)                                                                      \
    X("ns", "NS", NULL, nereus_cell_integer(pair->ns))                                             \
    X("nt", "NT", NULL, nereus_cell_integer(pair->nt))                                             \
    X("method", "method", NULL,                                                                    \
      nereus_cell_text(format_method(compare, pair->groups[i].method, method)))                    \
    X("other", "other", NULL,                                                                      \
      nereus_cell_text(format_method(compare, pair->groups[j].method, other)))                     \
    X("conover_t", "t", NULL, nereus_cell_real(difference->t))                                     \
    X("conover_p", "p", NULL, nereus_cell_real(difference->p))                                     \
    X("conover_p_adjusted", "p adjusted", NULL, nereus_cell_real(difference->p_adjusted))          \
    X("differ", "differ", NULL,                                                                    \
      nereus_cell_bool(difference->p_adjusted < compare->options.significance))

static const struct nereus_column difference_columns[] = {DIFFERENCE_COLUMNS(NEREUS_COLUMN)};

static void add_differences(const struct nereus_compare *compare,
                            const struct nereus_compare_pair *pair, struct nereus_table *table)
{
    for (int i = 0; i < pair->tested_groups && pair->differences != NULL; i++) {
        for (int j = i + 1; j < pair->tested_groups; j++) {
            const struct nereus_difference *difference =
                &pair->differences[i * pair->tested_groups + j];
            char method[NEREUS_METHOD_TEXT_MAX], other[NEREUS_METHOD_TEXT_MAX];
            NEREUS_TABLE_ADD(table, DIFFERENCE_COLUMNS);
        }
    }
}

static void fill_table(const struct nereus_compare *compare, int report, struct nereus_table *table)
{
    static const struct {
        const struct nereus_column *columns;
        size_t count;
        void (*add)(const struct nereus_compare *, const struct nereus_compare_pair *,
                    struct nereus_table *);
    } tables[NEREUS_COMPARE_REPORT_COUNT] = {
        {group_columns, NEREUS_COUNT_OF(group_columns), add_groups},
        {pair_columns, NEREUS_COUNT_OF(pair_columns), add_pair},
        {difference_columns, NEREUS_COUNT_OF(difference_columns), add_differences}};
    nereus_table_init(table, tables[report].columns, tables[report].count);
    for (int64_t i = 0; i < compare->pair_count; i++)
        tables[report].add(compare, &compare->pairs[i], table);
}

static bool print_table(const struct nereus_compare *compare, int report, enum nereus_format format)
{
    struct nereus_table table;
    fill_table(compare, report, &table);
    return nereus_table_print(&table, format, stdout);
}

/* ---- text ---- */

/* Print the map with rows of NS and columns of NT: the number of the chosen method, with ~ after it
 * where it ties. */
static void print_map(const struct nereus_compare *compare, const struct nereus_best_map *map)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    uint64_t shown = 0;
    printf("\nBest method, ties resolved %s (~: tied)\n  NS \\ NT",
           nereus_tie_rule_text(compare->options.ties));
    for (int64_t c = 0; c < map->columns; c++)
        printf(" %6lld", (long long)map->nt[c]);
    for (int64_t r = 0; r < map->rows; r++) {
        printf("\n%9lld", (long long)map->ns[r]);
        for (int64_t c = 0; c < map->columns; c++) {
            const struct nereus_best_cell *cell = &map->cells[r * map->columns + c];
            if (cell->chosen_method < 0) {
                printf(" %5s ", ".");
                continue;
            }
            const bool tie = (cell->best_set & (cell->best_set - 1)) != 0;
            printf(" %5d%c", cell->chosen_method + 1, tie ? '~' : ' ');
            shown |= UINT64_C(1) << cell->chosen_method;
        }
    }
    puts("");
    for (int m = 0; m < compare->method_count; m++)
        if ((shown >> m & 1) != 0)
            printf("%4d  %s\n", m + 1, format_method(compare, m, text));
}

static bool print_text(const struct nereus_compare *compare, const struct nereus_best_map *map,
                       bool is_drawn)
{
    static const char *const corrections[] = {"uncorrected", "corrected by Bonferroni",
                                              "corrected by Holm"};
    const struct nereus_compare_options *options = &compare->options;
    printf("%s of %d method%s at %lld pair%s of sizes; 90 %% intervals of the medians\n",
           nereus_compare_value_name(options->value), compare->method_count,
           nereus_plural_s(compare->method_count), (long long)compare->pair_count,
           nereus_plural_s(compare->pair_count));
    printf("methods of one pair with a letter in common do not differ at %g (Conover, %s)\n",
           options->significance, corrections[options->correction]);
    if (!print_table(compare, NEREUS_COMPARE_GROUPS, NEREUS_FORMAT_TEXT))
        return false;
    puts("\nKruskal-Wallis, and Shapiro-Wilk: methods whose runs are not normally distributed");
    if (!print_table(compare, NEREUS_COMPARE_PAIRS, NEREUS_FORMAT_TEXT))
        return false;
    if (!is_drawn)
        print_map(compare, map);
    return true;
}

/* ---- JSON ---- */

static bool print_json(const struct nereus_compare *compare)
{
    static const char *const corrections[] = {"none", "bonferroni", "holm"};
    const struct nereus_compare_options *options = &compare->options;
    char text[NEREUS_METHOD_TEXT_MAX];
    const char *reference = format_method(compare, compare->reference, text);
    json_t *document = nereus_json_pack(
        "{s:s, s:s, s:f, s:s, s:s?}", "value", nereus_compare_value_name(options->value),
        "correction", corrections[options->correction], "significance", options->significance,
        "ties", nereus_tie_rule_text(options->ties), "reference", reference);
    for (int r = 0; r < NEREUS_COMPARE_REPORT_COUNT; r++) {
        struct nereus_table table;
        fill_table(compare, r, &table);
        if (json_object_set_new(document, nereus_compare_reports[r], nereus_table_json(&table)) !=
            0) {
            json_decref(document);
            return false;
        }
    }
    return nereus_json_write(document, stdout);
}

bool nereus_compare_print(const struct nereus_compare *compare, const struct nereus_best_map *map,
                          bool is_drawn, enum nereus_format format,
                          enum nereus_compare_report report)
{
    switch (format) {
    case NEREUS_FORMAT_TEXT:
        return print_text(compare, map, is_drawn);
    case NEREUS_FORMAT_CSV:
        return print_table(compare, report, format);
    case NEREUS_FORMAT_JSON:
        return print_json(compare);
    }
    return false;
}
