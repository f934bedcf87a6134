/** @file judgement_print.c  Coverage and errors as tables. */
#include <math.h>

#include "print.h"

static const char *load_name(enum nereus_judged_load load)
{
    static const char *const names[] = {"within", "above", "all"};
    return names[load];
}

#define COLUMNS(X)                                                                                 \
    X("load", "cores", NULL, nereus_cell_text(load_name(judged->load)))                            \
    X("quantity", "what", NULL, nereus_cell_text(judged->quantity))                                \
    X("name", "of", NULL, nereus_cell_text(judged->name))                                          \
    X("cells", "cells", NULL, nereus_cell_integer(judged->cells))                                  \
    X("observations", "observed", NULL, nereus_cell_integer(judged->observations))                 \
    X("inside", "inside", NULL,                                                                    \
      nereus_cell_if(judged->with_interval > 0, nereus_cell_integer(judged->inside)))              \
    X("coverage", "coverage", NULL, nereus_cell_real(judged->model.coverage))                      \
    X("coverage_low", "from", NULL, nereus_cell_real(judged->coverage_low))                        \
    X("coverage_high", "to", NULL, nereus_cell_real(judged->coverage_high))                        \
    X("floor_coverage", "floor", NULL, nereus_cell_real(judged->floor.coverage))                   \
    X("ratio_median", "measured/predicted", NULL, nereus_cell_real(judged->ratio))                 \
    X("error_median", "error", NULL, nereus_cell_real(judged->model.median))                       \
    X("floor_error_median", "floor", NULL, nereus_cell_real(judged->floor.median))                 \
    X("error_p90", "p90", NULL, nereus_cell_real(judged->model.p90))                               \
    X("floor_error_p90", "floor", NULL, nereus_cell_real(judged->floor.p90))

void nereus_judgement_table(const struct nereus_judgement *judgement, struct nereus_table *table)
{
    static const struct nereus_column columns[] = {COLUMNS(NEREUS_COLUMN)};
    nereus_table_init(table, columns, NEREUS_COUNT_OF(columns));
    for (int i = 0; i < judgement->count; i++) {
        const struct nereus_judged *judged = &judgement->rows[i];
        const struct nereus_cell cells[] = {COLUMNS(NEREUS_CELL)};
        nereus_table_add(table, cells);
    }
}

/* "83 %" */
static struct nereus_cell percent(double part, char text[16])
{
    snprintf(text, 16, "%.*f %%", 100 * part < 9.95 ? 1 : 0, 100 * part);
    return nereus_cell_text(isnan(part) ? NULL : text);
}

#define TEXT_COLUMNS(X)                                                                            \
    X("load", "cores", NULL, nereus_cell_text(load_name(judged->load)))                            \
    X("quantity", "what", NULL, nereus_cell_text(judged->quantity))                                \
    X("name", "of", NULL, nereus_cell_text(judged->name))                                          \
    X("cells", "cells", NULL, nereus_cell_integer(judged->cells))                                  \
    X("observations", "observed", NULL, nereus_cell_integer(judged->observations))                 \
    X("coverage", "inside 90 %", NULL, percent(judged->model.coverage, text[0]))                   \
    X("range", "by chance", "%", nereus_cell_text(judged->with_interval > 0 ? range : NULL))       \
    X("floor_coverage", "floor", NULL, percent(judged->floor.coverage, text[1]))                   \
    X("ratio", "measured/predicted", NULL, nereus_cell_real(judged->ratio))                        \
    X("error", "error", NULL, percent(judged->model.median, text[2]))                              \
    X("floor_error", "floor", NULL, percent(judged->floor.median, text[3]))                        \
    X("p90", "p90 error", NULL, percent(judged->model.p90, text[4]))                               \
    X("floor_p90", "floor", NULL, percent(judged->floor.p90, text[5]))

bool nereus_judgement_print(const struct nereus_judgement *judgement, FILE *stream)
{
    static const struct nereus_column columns[] = {TEXT_COLUMNS(NEREUS_COLUMN)};
    struct nereus_table table;
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    for (int i = 0; i < judgement->count; i++) {
        const struct nereus_judged *judged = &judgement->rows[i];
        char range[48], text[6][16];
        snprintf(range, sizeof range, "%.0f to %.0f", 100 * judged->coverage_low,
                 100 * judged->coverage_high);
        const struct nereus_cell cells[] = {TEXT_COLUMNS(NEREUS_CELL)};
        nereus_table_add(&table, cells);
    }
    fputs(
        "How good the predictions are, and (floor) one that knows the median of the other repeats\n",
        stream);
    const bool printed = nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
    fputs(
        "cores: with no more processes at a time than cores, or above. A cell is a pair by a method. "
        "Inside: how many "
        "single runs lie\nin their 90 % interval, and in which range that is by chance alone (of "
        "independent runs: "
        "those of a cell share their prediction,\nso that it is wider). Error: |predicted - measured| / "
        "measured, "
        "median and 90th percentile. The floor's intervals are the\nprediction's, shifted to the median "
        "that it "
        "knows.\n",
        stream);
    return printed;
}
