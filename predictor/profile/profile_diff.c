/** @file profile_diff.c  Lists the differences between two profiles: provenance, terms,
 * messages. */
#include "profile_diff.h"

#include "model/profile/profile_words.h"
#include "model/util/values.h"

#define COLUMNS(X)                                                                                 \
    X("what", "what", NULL, nereus_cell_text(what))                                                \
    X("a", "first", NULL, a)                                                                       \
    X("b", "second", NULL, b)                                                                      \
    X("ratio", "second / first", NULL, nereus_cell_real(ratio))

static void add_difference(struct nereus_table *to, const char *what, struct nereus_cell a,
                           struct nereus_cell b, double ratio)
{
    NEREUS_TABLE_ADD(to, COLUMNS);
}

static void compare_texts(struct nereus_table *to, const char *what, const char *a, const char *b)
{
    if (strcmp(a, b) != 0) {
        add_difference(to, what, nereus_cell_text(a[0] != '\0' ? a : "unknown"),
                       nereus_cell_text(b[0] != '\0' ? b : "unknown"), NAN);
    }
}

/* @param a, b  0: unknown */
static void compare_counts(struct nereus_table *to, const char *what, int64_t a, int64_t b)
{
    if (a != b) {
        add_difference(to, what, nereus_cell_if(a > 0, nereus_cell_integer(a)),
                       nereus_cell_if(b > 0, nereus_cell_integer(b)),
                       a > 0 && b > 0 ? (double)b / (double)a : NAN);
    }
}

/* @param a, b  NAN: missing */
static void compare_numbers(struct nereus_table *to, const char *what, double a, double b)
{
    char text_a[32], text_b[32];
    nereus_format_digits(a, NEREUS_TEXT_DIGITS, text_a);
    nereus_format_digits(b, NEREUS_TEXT_DIGITS, text_b);
    if (strcmp(text_a, text_b) != 0) /* else both print as the same number */
        add_difference(to, what, nereus_cell_real(a), nereus_cell_real(b), a > 0 ? b / a : NAN);
}

static double find_coefficient(const struct nereus_linear_model *model, const char *name)
{
    for (int t = 0; t < model->terms; t++)
        if (strcmp(model->names[t], name) == 0)
            return model->coefficients[t];
    return NAN;
}

static const char *get_basis(const struct nereus_linear_model *model)
{
    return model->basis == NEREUS_BASIS_PRIOR || model->basis == NEREUS_BASIS_CONTAINED
               ? model->source
               : nereus_basis_names[model->basis];
}

/* Compare the terms of both models, each term once. */
static void compare_models(struct nereus_table *to, const char *name,
                           const struct nereus_linear_model *a, const struct nereus_linear_model *b)
{
    char what[128];
    snprintf(what, sizeof what, "%s: basis", name);
    compare_texts(to, what, get_basis(a), get_basis(b));
    for (int t = 0; t < a->terms; t++) {
        snprintf(what, sizeof what, "%s: %s", name, a->names[t]);
        compare_numbers(to, what, a->coefficients[t], find_coefficient(b, a->names[t]));
    }
    for (int t = 0; t < b->terms; t++) {
        if (isnan(find_coefficient(a, b->names[t]))) {
            snprintf(what, sizeof what, "%s: %s", name, b->names[t]);
            compare_numbers(to, what, NAN, b->coefficients[t]);
        }
    }
}

static void compare_steps(struct nereus_table *to, const struct nereus_profile *a,
                          const struct nereus_profile *b)
{
    char name[64];
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++)
        compare_models(to, nereus_step_name((enum nereus_step_kind)k), &a->steps[k], &b->steps[k]);
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        snprintf(name, sizeof name, "%s, oversubscribed",
                 nereus_step_name((enum nereus_step_kind)k));
        compare_models(to, name, &a->steps_oversubscribed[k], &b->steps_oversubscribed[k]);
    }
#define COMPARE(member, key) compare_models(to, "asynchronous " key, &a->member, &b->member);
    NEREUS_ASYNC_MODEL_LIST(COMPARE)
#undef COMPARE
}

/* Compare the times of short and long messages; NAN for a class that was not measured. */
static void compare_pairs(struct nereus_table *to, const struct nereus_profile *a,
                          const struct nereus_profile *b)
{
    static const double sizes[] = {8, 1 << 20};
    char what[96], bytes[32];
    for (int pair = 0; pair < NEREUS_PAIR_CLASS_COUNT; pair++) {
        const struct nereus_hockney *of_a = &a->pairs[pair], *of_b = &b->pairs[pair];
        for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++) {
            snprintf(what, sizeof what, "message of %s, %s [s]",
                     nereus_format_bytes(sizes[i], bytes),
                     nereus_pair_class_name((enum nereus_pair_class)pair));
            compare_numbers(
                to, what,
                of_a->basis == NEREUS_BASIS_FITTED ? nereus_hockney_s(of_a, sizes[i]) : NAN,
                of_b->basis == NEREUS_BASIS_FITTED ? nereus_hockney_s(of_b, sizes[i]) : NAN);
        }
    }
}

bool nereus_profile_diff_print(const struct nereus_profile *a, const struct nereus_profile *b,
                               enum nereus_format format, FILE *stream)
{
    struct nereus_table to;
    NEREUS_TABLE_INIT(&to, COLUMNS);
    compare_texts(&to, "cluster", a->cluster, b->cluster);
    compare_texts(&to, "host", a->host, b->host);
    compare_texts(&to, "date", a->date, b->date);
    compare_texts(&to, "MPI", a->mpi, b->mpi);
    compare_texts(&to, "launcher", a->launcher, b->launcher);
    compare_counts(&to, "cores per node", a->cores_per_node, b->cores_per_node);
    compare_counts(&to, "nodes", a->nodes, b->nodes);
    compare_counts(&to, "methods", a->method_count, b->method_count);
    compare_counts(&to, "measured reconfigurations", a->measured_count, b->measured_count);
    compare_steps(&to, a, b);
    compare_pairs(&to, a, b);
    if (to.row_count > 0 || format != NEREUS_FORMAT_TEXT)
        return nereus_table_print(&to, format, stream);
    nereus_table_fini(&to);
    return fputs("they do not differ\n", stream) != EOF;
}
