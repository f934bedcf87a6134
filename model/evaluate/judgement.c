/** @file judgement.c  Judges predictions by measured times: coverage, errors and the noise floor.
 */
#include "judgement.h"

#include "model/statistics/statistics.h"

/* Least repeats for the noise floor: with two, the median of the others would be a single value. */
enum { FLOOR_FROM = 3 };

/* ---- which cells ---- */

/* The quantity that has one observation per cell: its median. */
static const char median_quantity[] = "median RT";

/* The observations that a row of the judgement selects; name NULL: the whole quantity. */
struct selection {
    enum nereus_judgement_cores cores;
    const char *quantity, *name;
};

/*
 * Find cell i of a comparison, in the order steps, waits, RT, figures.
 * @return false: no such cell
 */
static bool find_cell(const struct nereus_comparison *comparison, int i,
                      const struct nereus_comparison_row **cell, const char **quantity)
{
    if (i < comparison->row_count) {
        *cell = &comparison->rows[i];
        *quantity = *cell == comparison->rt ? "RT" : "step";
        return true;
    }
    i -= comparison->row_count;
    *cell = &comparison->figures[i < NEREUS_FIGURE_COUNT ? i : 0];
    *quantity = i == NEREUS_FIGURE_T_EX ? "T_ex" : "overlap";
    return i < NEREUS_FIGURE_COUNT;
}

/* Does a quantity have one row per method? */
static bool is_by_method(const char *quantity)
{
    return strcmp(quantity, "RT") == 0 || strcmp(quantity, "T_ex") == 0;
}

/* Quantity whose cells a quantity of the judgement uses. */
static const char *get_source(const char *quantity)
{
    return strcmp(quantity, median_quantity) == 0 ? "RT" : quantity;
}

static bool is_selected(const struct selection *selection,
                        const struct nereus_comparison *comparison,
                        const struct nereus_comparison_row *cell, const char *quantity)
{
    const bool are_cores =
        selection->cores == NEREUS_JUDGED_ALL ||
        comparison->oversubscribed == (selection->cores == NEREUS_JUDGED_OVERSUBSCRIBED);
    if (!are_cores || strcmp(quantity, get_source(selection->quantity)) != 0 || cell->count == 0 ||
        !(cell->prediction.value > 0))
        return false;
    if (strcmp(quantity, "step") == 0 && comparison->is_overlapped)
        return false;
    if (selection->name == NULL)
        return true;
    char method[NEREUS_METHOD_TEXT_MAX];
    const char *name =
        is_by_method(quantity) ? nereus_method_format(&comparison->method, method) : cell->what;
    return strcmp(name, selection->name) == 0;
}

/* ---- observations ---- */

/* The observations of one row. */
struct gathered {
    double *errors, *floor_errors, *ratios;
    int floor_inside, floor_with_interval;
};

static void add_observation(struct nereus_judgement_row *judged, struct gathered *gathered,
                            const struct nereus_comparison_row *cell, int i)
{
    const struct nereus_interval predicted = cell->prediction;
    const double measured = cell->measured_s[i];
    const bool interval = predicted.high > predicted.low; /* a width of 0 means no interval */
    gathered->errors[judged->observations] = fabs(predicted.value - measured) / measured;
    gathered->ratios[judged->observations++] = measured / predicted.value;
    judged->with_interval += interval ? 1 : 0;
    judged->inside_count +=
        interval && measured >= predicted.low && measured <= predicted.high ? 1 : 0;
    if (cell->count < FLOOR_FROM)
        return;
    const double known = nereus_median_without(cell->measured_s, cell->count, i);
    const double shift = known / predicted.value;
    gathered->floor_errors[judged->floor_observations++] = fabs(known - measured) / measured;
    gathered->floor_with_interval += interval ? 1 : 0;
    gathered->floor_inside +=
        interval && measured >= predicted.low * shift && measured <= predicted.high * shift ? 1 : 0;
}

static void add_cell(struct nereus_judgement_row *judged, struct gathered *gathered,
                     const struct nereus_comparison_row *cell)
{
    double median = cell->median_s;
    const struct nereus_comparison_row one = {
        .prediction = cell->prediction, .measured_s = &median, .count = 1};
    const struct nereus_comparison_row *taken =
        strcmp(judged->quantity, median_quantity) == 0 ? &one : cell;
    judged->cells++;
    for (int i = 0; i < taken->count; i++)
        if (taken->measured_s[i] > 0)
            add_observation(judged, gathered, taken, i);
}

static double divide_or_nan(int part, int total)
{
    return total > 0 ? (double)part / total : NAN;
}

static void summarise_gathered(struct nereus_judgement_row *judged, struct gathered *gathered)
{
    nereus_sort(gathered->errors, judged->observations);
    nereus_sort(gathered->ratios, judged->observations);
    nereus_sort(gathered->floor_errors, judged->floor_observations);
    judged->ratio = nereus_quantile(gathered->ratios, judged->observations, 0.5);
    judged->model = (struct nereus_error_statistics){
        .median = nereus_quantile(gathered->errors, judged->observations, 0.5),
        .p90 = nereus_quantile(gathered->errors, judged->observations, 0.9),
        .coverage = divide_or_nan(judged->inside_count, judged->with_interval)};
    judged->floor = (struct nereus_error_statistics){
        .median = nereus_quantile(gathered->floor_errors, judged->floor_observations, 0.5),
        .p90 = nereus_quantile(gathered->floor_errors, judged->floor_observations, 0.9),
        .coverage = divide_or_nan(gathered->floor_inside, gathered->floor_with_interval)};
    judged->coverage_low = judged->coverage_high = NAN;
    if (judged->with_interval > 0) {
        nereus_binomial_interval(judged->inside_count, judged->with_interval, &judged->coverage_low,
                                 &judged->coverage_high);
    }
}

static void judge_selected(const struct nereus_comparison *comparisons, int count,
                           const struct selection *selection, struct gathered *gathered,
                           struct nereus_judgement_row *judged)
{
    *judged =
        (struct nereus_judgement_row){.cores = selection->cores, .quantity = selection->quantity};
    snprintf(judged->name, sizeof judged->name, "%s",
             selection->name != NULL ? selection->name : "all");
    gathered->floor_inside = gathered->floor_with_interval = 0;
    for (int c = 0; c < count; c++) {
        const struct nereus_comparison_row *cell;
        const char *quantity;
        for (int i = 0; find_cell(&comparisons[c], i, &cell, &quantity); i++)
            if (is_selected(selection, &comparisons[c], cell, quantity))
                add_cell(judged, gathered, cell);
    }
    summarise_gathered(judged, gathered);
}

/* ---- all rows ---- */

/* Names within a quantity, in order of appearance: methods, step kinds, figures of overlaps. */
struct names {
    char (*items)[NEREUS_METHOD_TEXT_MAX];
    int count;
};

static void add_name(struct names *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return;
    snprintf(names->items[names->count++], NEREUS_METHOD_TEXT_MAX, "%s", name);
}

static void find_names(const struct nereus_comparison *comparisons, int count, const char *quantity,
                       struct names *names)
{
    names->count = 0;
    for (int c = 0; c < count; c++) {
        const struct nereus_comparison_row *cell;
        const char *cell_quantity;
        char method[NEREUS_METHOD_TEXT_MAX];
        nereus_method_format(&comparisons[c].method, method);
        for (int i = 0; find_cell(&comparisons[c], i, &cell, &cell_quantity); i++)
            if (strcmp(cell_quantity, quantity) == 0 &&
                cell->count > 0) /* medians have only the row "all" */
                add_name(names, is_by_method(cell_quantity) ? method : cell->what);
    }
}

static void add_row(struct nereus_judgement *judgement, const struct nereus_comparison *comparisons,
                    int count, const struct selection *selection, struct gathered *gathered)
{
    struct nereus_judgement_row *judged = &judgement->rows[judgement->count];
    judge_selected(comparisons, count, selection, gathered, judged);
    judgement->count += judged->observations > 0 ? 1 : 0;
}

static void add_all_rows(struct nereus_judgement *judgement,
                         const struct nereus_comparison *comparisons, int count,
                         struct names *names, struct gathered *gathered)
{
    static const char *const quantities[] = {"RT", median_quantity, "T_ex", "step", "overlap"};
    for (int cores = NEREUS_JUDGED_WITHIN; cores <= NEREUS_JUDGED_ALL; cores++) {
        for (size_t q = 0; q < NEREUS_COUNT_OF(quantities); q++) {
            struct selection selection = {(enum nereus_judgement_cores)cores, quantities[q], NULL};
            /* It, omega and CT have no common row, and rows with a name are not of all cores. */
            if (strcmp(quantities[q], "overlap") != 0)
                add_row(judgement, comparisons, count, &selection, gathered);
            find_names(comparisons, count, quantities[q], names);
            for (int n = 0; cores != NEREUS_JUDGED_ALL && n < names->count; n++) {
                selection.name = names->items[n];
                add_row(judgement, comparisons, count, &selection, gathered);
            }
        }
    }
}

/* Count upper bounds of the names and of the observations. */
static void count_capacity(const struct nereus_comparison *comparisons, int count, size_t *names,
                           size_t *observations)
{
    *names = *observations = 1;
    for (int c = 0; c < count; c++) {
        const size_t cells = (size_t)comparisons[c].row_count + NEREUS_FIGURE_COUNT;
        *names += cells + 1;
        for (int r = 0; r < comparisons[c].row_count; r++)
            *observations += (size_t)comparisons[c].rows[r].count;
        *observations += NEREUS_FIGURE_COUNT * (size_t)comparisons[c].successful_jobs;
    }
}

enum nereus_status nereus_judgement_make(const struct nereus_comparison *comparisons, int count,
                                         struct nereus_judgement *judgement,
                                         struct nereus_error *err)
{
    size_t name_capacity, capacity;
    count_capacity(comparisons, count, &name_capacity, &capacity);
    struct names names = {.items = calloc(name_capacity, sizeof *names.items)};
    struct gathered gathered = {.errors = calloc(capacity, sizeof(double)),
                                .floor_errors = calloc(capacity, sizeof(double)),
                                .ratios = calloc(capacity, sizeof(double))};
    *judgement =
        (struct nereus_judgement){.rows = calloc(3 * (name_capacity + 5), sizeof *judgement->rows)};
    const bool complete = names.items != NULL && gathered.errors != NULL &&
                          gathered.floor_errors != NULL && gathered.ratios != NULL &&
                          judgement->rows != NULL;
    if (complete)
        add_all_rows(judgement, comparisons, count, &names, &gathered);
    else
        nereus_judgement_fini(judgement);
    free(names.items);
    free(gathered.errors);
    free(gathered.floor_errors);
    free(gathered.ratios);
    return complete ? NEREUS_OK
                    : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to judge %d reconfigurations",
                                  count);
}

void nereus_judgement_fini(struct nereus_judgement *judgement)
{
    free(judgement->rows);
    *judgement = (struct nereus_judgement){NULL, 0};
}

enum nereus_status nereus_summary_make(const struct nereus_comparison *comparisons, int count,
                                       struct nereus_summary *summary, struct nereus_error *err)
{
    *summary = (struct nereus_summary){.wanted_count = count};
    double *factors = calloc((size_t)count + 1, sizeof *factors);
    NEREUS_TRY_MEMORY(factors, err, "for a summary of %d reconfigurations", count);
    int known = 0;
    for (int i = 0; i < count; i++) {
        const struct nereus_comparison_row *rt = comparisons[i].rt;
        double ratio = nereus_comparison_row_ratio(rt);
        summary->measured_count += rt->count > 0 ? 1 : 0;
        summary->failed_count += rt->count == 0 && comparisons[i].failure[0] != '\0' ? 1 : 0;
        summary->oversubscribed += rt->count > 0 && comparisons[i].oversubscribed ? 1 : 0;
        if (!(ratio > 0))
            continue;
        summary->inside_count += nereus_comparison_row_is_inside(rt) ? 1 : 0;
        factors[known] = fmax(ratio, 1 / ratio);
        if (factors[known] > summary->worst_factor) {
            summary->worst_factor = factors[known];
            summary->worst_comparison = &comparisons[i];
        }
        known++;
    }
    summary->median_factor = nereus_median(factors, known);
    free(factors);
    return NEREUS_OK;
}
