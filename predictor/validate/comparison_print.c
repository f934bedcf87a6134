/** @file comparison_print.c  Prints predicted and measured times as tables. */

#include "print.h"

static struct nereus_cell make_inside_cell(const struct nereus_comparison_row *row)
{
    const bool known = !isnan(row->median_s) && !isnan(nereus_interval_low(&row->prediction));
    return nereus_cell_if(known, nereus_cell_bool(nereus_comparison_row_is_inside(row)));
}

#define ROW_COLUMNS(X)                                                                             \
    X("ns", NULL, NULL, nereus_cell_integer(comparison->ns))                                       \
    X("nt", NULL, NULL, nereus_cell_integer(comparison->nt))                                       \
    X("method", NULL, NULL, nereus_cell_text(nereus_method_format(&comparison->method, method)))   \
    X("number", NULL, NULL, nereus_cell_if(row->number > 0, nereus_cell_integer(row->number)))     \
    X(NULL, "#", NULL, row->number > 0 ? nereus_cell_integer(row->number) : nereus_cell_text(""))  \
    X("step", "step", NULL, nereus_cell_text(row->what))                                           \
    X("predicted_s", NULL, NULL, nereus_cell_real(row->prediction.value))                          \
    X(NULL, "predicted", "ms", nereus_cell_real(row->prediction.value * 1e3))                      \
    X("predicted_low_s", NULL, NULL, nereus_cell_real(nereus_interval_low(&row->prediction)))      \
    X("predicted_high_s", NULL, NULL, nereus_cell_real(nereus_interval_high(&row->prediction)))    \
    X(NULL, "90 % interval", "ms", nereus_cell_interval(&row->prediction, 1e3, interval))          \
    X("measured_s", NULL, NULL, nereus_cell_real(row->median_s))                                   \
    X(NULL, "measured", "ms", nereus_cell_real(row->median_s * 1e3))                               \
    X("measured_least_s", NULL, NULL, nereus_cell_real(row->count > 0 ? row->measured_s[0] : NAN)) \
    X("measured_most_s", NULL, NULL,                                                               \
      nereus_cell_real(row->count > 0 ? row->measured_s[row->count - 1] : NAN))                    \
    X("ratio", "measured/predicted", NULL, nereus_cell_real(nereus_comparison_row_ratio(row)))     \
    X("inside", "inside", NULL, make_inside_cell(row))                                             \
    X("source", "prediction from", NULL, nereus_cell_text(row->source))                            \
    X("oversubscribed", NULL, NULL, nereus_cell_bool(comparison->oversubscribed))                  \
    X("repeats", NULL, NULL, nereus_cell_integer(row->count))                                      \
    X("held_out", NULL, NULL, nereus_cell_bool(comparison->held_out))

void nereus_comparisons_fill_table(const struct nereus_comparison *comparisons, int count,
                                   struct nereus_table *table)
{
    char method[NEREUS_METHOD_TEXT_MAX], interval[48];
    NEREUS_TABLE_INIT(table, ROW_COLUMNS);
    for (int c = 0; c < count; c++) {
        const struct nereus_comparison *comparison = &comparisons[c];
        for (int i = 0; i < comparison->row_count; i++) {
            const struct nereus_comparison_row *row = &comparison->rows[i];
            NEREUS_TABLE_ADD(table, ROW_COLUMNS);
        }
    }
}

#define OVERLAP_COLUMNS(X)                                                                         \
    X("ns", "NS", NULL, nereus_cell_integer(comparison->ns))                                       \
    X("nt", "NT", NULL, nereus_cell_integer(comparison->nt))                                       \
    X("method", "method", NULL,                                                                    \
      nereus_cell_text(nereus_method_format(&comparison->method, method)))                         \
    X("t_iter_ns_s", "T_iter before", "s", nereus_cell_real(comparison->t_iter_ns_s))              \
    X("iterations_predicted", "It predicted", NULL, nereus_cell_real(comparison->iterations))      \
    X("iterations_measured", "measured (mean)", NULL,                                              \
      nereus_cell_real(nereus_comparison_row_mean(it)))                                            \
    X("omega_predicted", "omega predicted", NULL, nereus_cell_real(omega->prediction.value))       \
    X("omega_measured", "measured", NULL, nereus_cell_real(omega->median_s))                       \
    X("ct_predicted_s", "CT predicted", "s", nereus_cell_real(ct->prediction.value))               \
    X("ct_measured_s", "measured", "s", nereus_cell_real(ct->median_s))                            \
    X("oversubscribed", "oversubscribed", NULL, nereus_cell_bool(comparison->oversubscribed))      \
    X("repeats", "repeats", NULL, nereus_cell_integer(comparison->successful_jobs))

void nereus_overlaps_fill_table(const struct nereus_comparison *comparisons, int count,
                                struct nereus_table *table)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    NEREUS_TABLE_INIT(table, OVERLAP_COLUMNS);
    for (int c = 0; c < count; c++) {
        const struct nereus_comparison *comparison = &comparisons[c];
        const struct nereus_comparison_row *it = &comparison->figures[NEREUS_FIGURE_IT];
        const struct nereus_comparison_row *omega = &comparison->figures[NEREUS_FIGURE_OMEGA];
        const struct nereus_comparison_row *ct = &comparison->figures[NEREUS_FIGURE_CT];
        if (comparison->is_overlapped && comparison->successful_jobs > 0)
            NEREUS_TABLE_ADD(table, OVERLAP_COLUMNS);
    }
}

static bool print_rows(const struct nereus_comparison *comparison, FILE *stream)
{
    struct nereus_table table;
    nereus_comparisons_fill_table(comparison, 1, &table);
    return nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
}

bool nereus_comparison_print(const struct nereus_comparison *comparison, FILE *stream)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    fprintf(stream, "%s: %lld -> %lld process%s, median of %d%s\n",
            nereus_method_format(&comparison->method, method), (long long)comparison->ns,
            (long long)comparison->nt, nereus_plural_es(comparison->nt),
            comparison->successful_jobs,
            comparison->oversubscribed ? " (oversubscribed: more processes than cores)" : "");
    if (!isnan(comparison->iterations) && comparison->successful_jobs > 0) {
        const struct nereus_comparison_row *figures = comparison->figures;
        fprintf(
            stream,
            "It: %.0f overlapped iteration%s predicted, %.3g measured (mean); omega: %.3g, %.3g; "
            "CT: %.4g ms, %.4g ms\n",
            comparison->iterations, nereus_plural_s((int64_t)comparison->iterations),
            nereus_comparison_row_mean(&figures[NEREUS_FIGURE_IT]),
            figures[NEREUS_FIGURE_OMEGA].prediction.value, figures[NEREUS_FIGURE_OMEGA].median_s,
            1e3 * figures[NEREUS_FIGURE_CT].prediction.value,
            1e3 * figures[NEREUS_FIGURE_CT].median_s);
    }
    if (comparison->failure[0] != '\0')
        fprintf(stream, "failed: %s\n", comparison->failure);
    const bool printed = comparison->successful_jobs == 0 || print_rows(comparison, stream);
    fputc('\n', stream);
    return printed;
}
