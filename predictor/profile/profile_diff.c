/** @file profile_diff.c  Lists the differences between two profiles: times of messages, and each
 * value of their JSON, so that no part is forgotten. */
#include <inttypes.h>

#include "model/profile/profile_json.h"
#include "model/profile/terms.h"
#include "model/util/values.h"
#include "profile_print.h"

enum { NAME_MAX_BYTES = 192, VALUE_TEXT_MAX = 80 };
/* So many differences are all rows of the text; of more, it is a summary. */
enum { SUMMARY_MIN = 20 };
/* Depth of a leaf of the JSON: of members of the profile and of their members; of a coefficient. */
enum { MEMBER_DEPTH = 2, COEFFICIENT_DEPTH = 4 };

struct difference_list {
    struct nereus_table table;
    bool is_summary;       /* of leaves, only members and some coefficients are rows */
    bool has_coefficients; /* these are rows: of steps and of asynchronous methods */
    int64_t left_out;      /* different leaves that are no rows */
};

#define COLUMNS(X)                                                                                 \
    X("what", "what", NULL, nereus_cell_text(what))                                                \
    X("a", "first", NULL, a)                                                                       \
    X("b", "second", NULL, b)                                                                      \
    X("ratio", "second / first", NULL, nereus_cell_real(ratio))

static void add_difference(struct nereus_table *table, const char *what, struct nereus_cell a,
                           struct nereus_cell b, double ratio)
{
    NEREUS_TABLE_ADD(table, COLUMNS);
}

/* Do both print as the same number? */
static bool is_same_number(double a, double b)
{
    char text_a[32], text_b[32];
    nereus_format_digits(a, NEREUS_TEXT_DIGITS, text_a);
    nereus_format_digits(b, NEREUS_TEXT_DIGITS, text_b);
    return strcmp(text_a, text_b) == 0;
}

/* @param a, b  NAN: missing */
static void compare_numbers(struct nereus_table *table, const char *what, double a, double b)
{
    if (!is_same_number(a, b))
        add_difference(table, what, nereus_cell_real(a), nereus_cell_real(b), a > 0 ? b / a : NAN);
}

/* Compare the times of short and long messages; NAN for a class that was not measured. */
static void compare_pairs(struct nereus_table *table, const struct nereus_profile *a,
                          const struct nereus_profile *b)
{
    static const double sizes[] = {8, 1 << 20};
    char what[96], bytes[32];
    for (int pair = 0; pair < NEREUS_PAIR_CLASS_COUNT; pair++) {
        const struct nereus_hockney *pair_a = &a->pairs[pair], *pair_b = &b->pairs[pair];
        for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++) {
            snprintf(what, sizeof what, "message of %s, %s [s]",
                     nereus_format_bytes(sizes[i], bytes),
                     nereus_pair_class_name((enum nereus_pair_class)pair));
            compare_numbers(
                table, what,
                pair_a->basis == NEREUS_BASIS_FITTED ? nereus_hockney_s(pair_a, sizes[i]) : NAN,
                pair_b->basis == NEREUS_BASIS_FITTED ? nereus_hockney_s(pair_b, sizes[i]) : NAN);
        }
    }
}

/* ---- values of the JSON; NULL: missing ---- */

static bool is_same(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b))
        return is_same_number(json_number_value(a), json_number_value(b));
    if (!json_is_array(a) && !json_is_object(a))
        return json_equal(a, b);
    bool same = json_is_array(a) ? json_array_size(a) == json_array_size(b)
                                 : json_object_size(a) == json_object_size(b);
    for (size_t i = 0; i < json_array_size(a) && same; i++)
        same = is_same(json_array_get(a, i), json_array_get(b, i));
    for (void *at = json_object_iter((json_t *)a); at != NULL && same;
         at = json_object_iter_next((json_t *)a, at))
        same = is_same(json_object_iter_value(at), json_object_get(b, json_object_iter_key(at)));
    return same;
}

/* Format a list: both ends of a range, else its length and how many values of `other` differ. */
static const char *format_list(const json_t *list, const json_t *other, char text[VALUE_TEXT_MAX])
{
    const size_t count = json_array_size(list);
    const json_t *first = json_array_get(list, 0), *second = json_array_get(list, 1);
    char low[32], high[32];
    size_t different = 0;
    if (count == 2 && json_is_number(first) && json_is_number(second)) {
        snprintf(text, VALUE_TEXT_MAX, "%s to %s",
                 nereus_format_digits(json_number_value(first), NEREUS_TEXT_DIGITS, low),
                 nereus_format_digits(json_number_value(second), NEREUS_TEXT_DIGITS, high));
        return text;
    }
    for (size_t i = 0; i < count; i++)
        different += !is_same(json_array_get(list, i), json_array_get(other, i));
    snprintf(text, VALUE_TEXT_MAX, "%zu value%s, %zu different", count,
             nereus_plural_s((int64_t)count), different);
    return text;
}

static struct nereus_cell make_cell(const json_t *value, const json_t *other,
                                    char text[VALUE_TEXT_MAX])
{
    if (json_is_integer(value))
        return nereus_cell_integer(json_integer_value(value));
    if (json_is_real(value))
        return nereus_cell_real(json_real_value(value));
    if (json_is_boolean(value))
        return nereus_cell_bool(json_is_true(value));
    if (json_is_array(value))
        return nereus_cell_text(format_list(value, other, text));
    return nereus_cell_text(value == NULL && json_is_string(other) ? "unknown"
                                                                   : json_string_value(value));
}

static bool is_row(const struct difference_list *list, int depth)
{
    return !list->is_summary || depth <= MEMBER_DEPTH ||
           (list->has_coefficients && depth == COEFFICIENT_DEPTH);
}

static void compare_leaves(struct difference_list *list, const char *what, int depth,
                           const json_t *a, const json_t *b)
{
    char text_a[VALUE_TEXT_MAX], text_b[VALUE_TEXT_MAX];
    const double number_a = json_number_value(a), number_b = json_number_value(b);
    if (is_same(a, b))
        return;
    if (is_row(list, depth))
        add_difference(&list->table, what, make_cell(a, b, text_a), make_cell(b, a, text_b),
                       number_a > 0 && json_is_number(b) ? number_b / number_a : NAN);
    else
        list->left_out++;
}

/* Name an item of a list that has no other of this name: "merge 5 -> 9", else its number. */
static const char *name_item(const json_t *object, const json_t *item, size_t number,
                             char name[NAME_MAX_BYTES])
{
    const char *method = json_string_value(json_object_get(item, "method"));
    if (method != NULL)
        snprintf(name, NAME_MAX_BYTES, "%.100s %lld -> %lld", method,
                 (long long)json_integer_value(json_object_get(item, "ns")),
                 (long long)json_integer_value(json_object_get(item, "nt")));
    if (method == NULL || json_object_get(object, name) != NULL)
        snprintf(name, NAME_MAX_BYTES, "%zu", number);
    return name;
}

/* A list of objects as an object of them. A term is its coefficient, by its name: both profiles may
 * have other terms. */
static json_t *make_object(json_t *list)
{
    json_t *object = json_object(), *item;
    size_t i;
    json_array_foreach(list, i, item)
    {
        char text[NAME_MAX_BYTES];
        const char *name = json_string_value(json_object_get(item, "name"));
        if (name != NULL)
            json_object_set(object, name, json_object_get(item, "coefficient"));
        else
            json_object_set(object, name_item(object, item, i + 1, text), item);
    }
    return object;
}

/* Is it a list of a few objects? Longer ones, as measured reconfigurations, are not listed. */
static bool is_short_list(const json_t *value)
{
    return json_is_object(json_array_get(value, 0)) && json_array_size(value) <= NEREUS_TERMS_MAX;
}

/* Name the member of a value, from the words of the file: "MPI", "spawn: full", "moves rma: rows".
 * @param depth  of the value: 0 for the profile itself */
static void name_member(const char *what, int depth, const char *key, char name[NAME_MAX_BYTES])
{
    static const char *const shown[][2] = {{"mpi", "MPI"},
                                           {"cores_per_node", "cores per node"},
                                           {"measured", "measured reconfigurations"}};
    if (depth == 0) {
        for (size_t i = 0; i < NEREUS_COUNT_OF(shown); i++)
            key = strcmp(key, shown[i][0]) == 0 ? shown[i][1] : key;
        snprintf(name, NAME_MAX_BYTES, "%s", key);
    } else if (depth == 1 && strcmp(what, "steps") == 0) {
        snprintf(name, NAME_MAX_BYTES, "%s", key);
    } else if (depth == 1 && strcmp(what, "steps_oversubscribed") == 0) {
        snprintf(name, NAME_MAX_BYTES, "%s, oversubscribed", key);
    } else if (strcmp(key, "terms") == 0) {
        snprintf(name, NAME_MAX_BYTES, "%s", what);
    } else {
        snprintf(name, NAME_MAX_BYTES, "%s%s %s", what,
                 depth > 1 && strstr(what, ": ") == NULL ? ":" : "", key);
    }
}

static void compare_values(struct difference_list *list, const char *what, int depth, json_t *a,
                           json_t *b);

static void compare_member(struct difference_list *list, const char *what, int depth,
                           const char *key, json_t *a, json_t *b)
{
    char name[NAME_MAX_BYTES];
    if (depth == 0)
        list->has_coefficients = strncmp(key, "steps", 5) == 0 || strcmp(key, "asynchronous") == 0;
    name_member(what, depth, key, name);
    compare_values(list, name, depth + 1, a, b);
}

static void compare_members(struct difference_list *list, const char *what, int depth, json_t *a,
                            json_t *b)
{
    const char *key;
    json_t *value;
    json_object_foreach(a, key, value)
    {
        compare_member(list, what, depth, key, value, json_object_get(b, key));
    }
    json_object_foreach(b, key, value)
    {
        if (json_object_get(a, key) == NULL)
            compare_member(list, what, depth, key, NULL, value);
    }
}

static void compare_values(struct difference_list *list, const char *what, int depth, json_t *a,
                           json_t *b)
{
    const bool lists = (a == NULL || is_short_list(a)) && (b == NULL || is_short_list(b));
    if (lists) {
        json_t *object_a = make_object(a), *object_b = make_object(b);
        compare_members(list, what, depth, object_a, object_b);
        json_decref(object_a);
        json_decref(object_b);
    } else if (json_is_object(a) || json_is_object(b)) {
        compare_members(list, what, depth, a, b);
    } else {
        compare_leaves(list, what, depth, a, b);
    }
}

/* Print what no row says.
 * @param left_out  different leaves that are no rows */
static bool print_rest(int64_t left_out, bool has_rows, bool equal, FILE *stream)
{
    if (left_out > 0)
        return fprintf(stream, "%s%" PRId64 " value%s differ%s, which --format csv lists\n",
                       has_rows ? "and " : "", left_out, nereus_plural_s(left_out),
                       left_out == 1 ? "s" : "") > 0;
    if (has_rows)
        return true;
    return equal ? fputs("they do not differ\n", stream) != EOF
                 : fprintf(stream, "they differ only after the first %d digits of numbers\n",
                           NEREUS_TEXT_DIGITS) > 0;
}

static void list_differences(struct difference_list *list, bool is_summary,
                             const struct nereus_profile *a, const struct nereus_profile *b,
                             json_t *json_a, json_t *json_b)
{
    *list = (struct difference_list){.is_summary = is_summary};
    NEREUS_TABLE_INIT(&list->table, COLUMNS);
    compare_pairs(&list->table, a, b);
    compare_members(list, "", 0, json_a, json_b);
}

bool nereus_profile_diff_print(const struct nereus_profile *a, const struct nereus_profile *b,
                               enum nereus_format format, FILE *stream)
{
    struct difference_list list;
    json_t *json_a = nereus_profile_json(a), *json_b = nereus_profile_json(b);
    const bool equal = json_equal(json_a, json_b);
    list_differences(&list, false, a, b, json_a, json_b);
    if (format == NEREUS_FORMAT_TEXT && list.table.row_count >= SUMMARY_MIN) {
        nereus_table_fini(&list.table);
        list_differences(&list, true, a, b, json_a, json_b);
    }
    list.table.no_memory = list.table.no_memory || json_a == NULL || json_b == NULL;
    json_decref(json_a);
    json_decref(json_b);
    const bool has_rows = list.table.row_count > 0;
    if (format != NEREUS_FORMAT_TEXT || list.table.no_memory)
        return nereus_table_print(&list.table, format, stream);
    if (!has_rows)
        nereus_table_fini(&list.table);
    return (!has_rows || nereus_table_print(&list.table, format, stream)) &&
           print_rest(list.left_out, has_rows, equal, stream);
}
