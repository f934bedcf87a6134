/** @file summary_print.c  A summary as a table and a few sentences. */
#include <inttypes.h>
#include <math.h>

#include "print.h"

/* Comparisons without a measurement: not reached within the budget, or failed. */
static void print_unmeasured(const struct nereus_summary *summary,
                             const struct nereus_comparison *comparisons, int count, FILE *stream)
{
    const int not_reached = summary->wanted - summary->measured - summary->failed;
    char method[NEREUS_METHOD_TEXT_MAX];
    if (not_reached > 0) {
        fprintf(stream, "%d not reached within the budget.\n", not_reached);
    }
    if (summary->failed > 0) {
        fprintf(stream, "%d could not be measured:\n", summary->failed);
    }
    for (int i = 0; i < count; i++) {
        if (nereus_comparison_rt(&comparisons[i])->count == 0 &&
            comparisons[i].failure[0] != '\0') {
            fprintf(stream, "  %" PRId64 " -> %" PRId64 " by %s: %s\n", comparisons[i].ns,
                    comparisons[i].nt, nereus_method_print(&comparisons[i].method, method),
                    comparisons[i].failure);
        }
    }
}

static void print_sentences(const struct nereus_summary *summary, FILE *stream)
{
    fprintf(
        stream,
        "\nmeasured/predicted 1 is a perfect prediction, 2 a reconfiguration that took twice as long as "
        "said.\n"
        "An RT whose prediction is from \"measured\" was measured as a whole before, and need not be the sum "
        "of its "
        "steps'\npredictions; the medians of steps do not add up exactly either.\n");
    fprintf(stream, "%d of %d measured RTs lie inside their predicted 90 %% interval",
            summary->inside, summary->measured);
    if (summary->worst != NULL) {
        char method[NEREUS_METHOD_TEXT_MAX];
        fprintf(stream,
                "; predictions are off by a factor of %.3g (median) and %.3g at most (%s, %" PRId64
                " -> %" PRId64 ")",
                summary->median_factor, summary->worst_factor,
                nereus_method_print(&summary->worst->method, method), summary->worst->ns,
                summary->worst->nt);
    }
    fputs(".\n", stream);
    if (summary->oversubscribed > 0) {
        fprintf(
            stream,
            "%d of them ran more processes than there are cores (oversubscribed): their times vary with the "
            "scheduler and say little about a machine with enough cores.\n",
            summary->oversubscribed);
    }
}

#define COLUMNS(X)                                                                                 \
    X("pair", "reconfiguration", NULL, nereus_cell_text(pair))                                     \
    X("method", "method", NULL,                                                                    \
      nereus_cell_text(nereus_method_print(&comparison->method, method)))                          \
    X("predicted_ms", "predicted RT", "ms", nereus_cell_real(1e3 * rt->predicted.value))           \
    X("interval", "90 % interval", "ms", nereus_cell_interval(&rt->predicted, 1e3, interval))      \
    X("measured_ms", "measured RT", "ms", nereus_cell_real(1e3 * rt->median_s))                    \
    X("ratio", "measured/predicted", NULL, nereus_cell_real(nereus_compared_ratio(rt)))            \
    X("source", "prediction", NULL, nereus_cell_text(rt->source))                                  \
    X("note", "", NULL, nereus_cell_text(note))

/* @return false when writing failed */
static bool print_table(const struct nereus_comparison *comparisons, int count, FILE *stream)
{
    static const struct nereus_column columns[] = {COLUMNS(NEREUS_COLUMN)};
    struct nereus_table table;
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    for (int i = 0; i < count; i++) {
        const struct nereus_comparison *comparison = &comparisons[i];
        const struct nereus_compared *rt = nereus_comparison_rt(comparison);
        char pair[64], method[NEREUS_METHOD_TEXT_MAX], interval[48];
        const char *note = comparison->failure[0] != '\0' ? "failed"
                           : rt->count == 0               ? "not reached"
                           : comparison->oversubscribed   ? "oversubscribed"
                                                          : "";
        snprintf(pair, sizeof pair, "%" PRId64 " -> %" PRId64, comparison->ns, comparison->nt);
        const struct nereus_cell cells[] = {COLUMNS(NEREUS_CELL)};
        nereus_table_add(&table, cells);
    }
    return nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
}

bool nereus_summary_print(const struct nereus_summary *summary,
                          const struct nereus_comparison *comparisons, int count, FILE *stream)
{
    bool printed = true;
    if (summary->measured > 0) {
        printed = print_table(comparisons, count, stream);
        print_sentences(summary, stream);
    } else {
        fputs("Nothing was measured.\n", stream);
    }
    print_unmeasured(summary, comparisons, count, stream);
    return printed;
}

json_t *nereus_summary_json(const struct nereus_summary *summary)
{
    return nereus_json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "reconfigurations", summary->wanted, "measured",
        summary->measured, "not_reached", summary->wanted - summary->measured - summary->failed,
        "failed", summary->failed, "inside", summary->inside, "oversubscribed",
        summary->oversubscribed, "median_factor", nereus_json_real(summary->median_factor),
        "worst_factor", nereus_json_real(summary->worst != NULL ? summary->worst_factor : NAN));
}
