/** @file sweep.c  Parses combinations of options, and computes their statistics. */
#include "sweep.h"

#include <gsl/gsl_cdf.h>

#include "model/util/suggest.h"

enum { NAMES_MAX = 40 };

static const struct nereus_option *get_option(size_t i)
{
    const struct {
        const struct nereus_option *options;
        size_t count;
    } groups[] = {{nereus_sim_machine_options, nereus_sim_machine_option_count},
                  {nereus_sim_malleable_options, nereus_sim_malleable_option_count},
                  {nereus_sim_failure_options, nereus_sim_failure_option_count}};
    for (size_t g = 0; g < NEREUS_COUNT_OF(groups); i -= groups[g++].count)
        if (i < groups[g].count)
            return &groups[g].options[i];
    return NULL;
}

static enum nereus_status find_option(const char *name, const struct nereus_option **found,
                                      struct nereus_error *err)
{
    const char *names[NAMES_MAX];
    char meant[NEREUS_SUGGEST_TEXT];
    size_t count = 0;
    for (; get_option(count) != NULL && count < NAMES_MAX; count++) {
        names[count] = get_option(count)->name;
        if (strcmp(names[count], name) == 0) {
            *found = get_option(count);
            return NEREUS_OK;
        }
    }
    return nereus_fail(err, NEREUS_ERR_PARSE,
                       "--sweep: '%s' is no option of the workload, the cluster, malleable jobs "
                       "or failures%s",
                       name, nereus_suggest_text(name, names, count, meant));
}

static enum nereus_status add_value(struct nereus_sweep_axis *axis, const char *text,
                                    struct nereus_error *err)
{
    struct nereus_sim_options capacity = NEREUS_SIM_OPTIONS_INIT;
    char what[80];
    snprintf(what, sizeof what, "--sweep: %s", axis->option->name);
    NEREUS_TRY(nereus_option_store(what, axis->option, text, &capacity, err));
    if (axis->count == NEREUS_SWEEP_VALUES_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s has more than %d values", what,
                           NEREUS_SWEEP_VALUES_MAX);
    }
    axis->values[axis->count] = strdup(text);
    NEREUS_TRY_MEMORY(axis->values[axis->count], err, "for the values of %s", what);
    axis->count++;
    return NEREUS_OK;
}

static bool is_number(const struct nereus_option *option)
{
    return option->kind == NEREUS_OPTION_COUNT || option->kind == NEREUS_OPTION_NATURAL ||
           option->kind == NEREUS_OPTION_NUMBER;
}

/* Parse LOW:HIGH or LOW:HIGH:STEP; other texts with colons, as lognormal:1:1, are one value. */
static enum nereus_status add_values(struct nereus_sweep_axis *axis, const char *text,
                                     struct nereus_error *err)
{
    double low, high, step = 1;
    char rest;
    const int read =
        is_number(axis->option) ? sscanf(text, "%lf:%lf:%lf%c", &low, &high, &step, &rest) : 0;
    if (read != 2 && read != 3)
        return add_value(axis, text, err);
    if (read == 2 && (low != floor(low) || high != floor(high))) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "--sweep: %s=%s: LOW:HIGH is for whole numbers; give LOW:HIGH:STEP",
                           axis->option->name, text);
    }
    if (!(low <= high && step > 0 && (high - low) / step < NEREUS_SWEEP_VALUES_MAX)) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "--sweep: %s=%s must be LOW:HIGH or LOW:HIGH:STEP, with %d values at "
                           "most",
                           axis->option->name, text, NEREUS_SWEEP_VALUES_MAX);
    }
    for (int i = 0; low + i * step <= high * (1 + 1e-12); i++) {
        char value[32];
        snprintf(value, sizeof value, "%.12g", low + i * step);
        NEREUS_TRY(add_value(axis, value, err));
    }
    return NEREUS_OK;
}

/* Parse "malleable=0,0.5"; the text is modified. */
static enum nereus_status parse_axis(char *word, struct nereus_sweep *sweep,
                                     struct nereus_error *err)
{
    char *values = strchr(word, '='), *at;
    const struct nereus_option *option = NULL;
    if (values == NULL || values[1] == '\0') {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "--sweep: '%s' must be OPTION=VALUE,..., as in malleable=0,0.5", word);
    }
    *values++ = '\0';
    NEREUS_TRY(find_option(word, &option, err));
    struct nereus_sweep_axis *axis =
        strcmp(word, "seed") == 0 ? &sweep->seed : &sweep->axes[sweep->axis_count];
    for (int i = 0; i < sweep->axis_count; i++)
        if (sweep->axes[i].option == option)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--sweep: %s is given twice", word);
    if (axis != &sweep->seed && ++sweep->axis_count == NEREUS_SWEEP_AXES_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--sweep: at most %d options can be varied",
                           NEREUS_SWEEP_AXES_MAX - 1);
    }
    axis->option = option;
    axis->values =
        axis->values != NULL ? axis->values : calloc(NEREUS_SWEEP_VALUES_MAX, sizeof *axis->values);
    NEREUS_TRY_MEMORY(axis->values, err, "for the values of %s", word);
    for (char *value = strtok_r(values, ",", &at); value != NULL; value = strtok_r(NULL, ",", &at))
        NEREUS_TRY(add_values(axis, value, err));
    return axis->count > 0 ? NEREUS_OK
                           : nereus_fail(err, NEREUS_ERR_PARSE, "--sweep: %s has no value", word);
}

enum nereus_status nereus_sweep_parse(const char *text, struct nereus_sweep *sweep,
                                      struct nereus_error *err)
{
    char *copy = strdup(strcmp(text, "malleability") == 0 ? NEREUS_SWEEP_MALLEABILITY : text), *at;
    enum nereus_status status = NEREUS_OK;
    *sweep = (struct nereus_sweep){0};
    NEREUS_TRY_MEMORY(copy, err, "for --sweep");
    for (char *word = strtok_r(copy, " \t\n;", &at); word != NULL && status == NEREUS_OK;
         word = strtok_r(NULL, " \t\n;", &at))
        status = parse_axis(word, sweep, err);
    free(copy);
    if (status == NEREUS_OK && sweep->axis_count == 0) {
        status = nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "--sweep names no option to vary, as in malleable=0,0.5");
    }
    if (status == NEREUS_OK && nereus_sweep_rows(sweep) > NEREUS_SWEEP_ROWS_MAX) {
        status = nereus_fail(err, NEREUS_ERR_ARGUMENT, "--sweep has more than %d combinations",
                             NEREUS_SWEEP_ROWS_MAX);
    }
    if (status != NEREUS_OK)
        nereus_sweep_fini(sweep);
    return status;
}

static void free_axis(struct nereus_sweep_axis *axis)
{
    for (int i = 0; i < axis->count; i++)
        free(axis->values[i]);
    free(axis->values);
}

void nereus_sweep_fini(struct nereus_sweep *sweep)
{
    for (int i = 0; i < NEREUS_SWEEP_AXES_MAX; i++)
        free_axis(&sweep->axes[i]);
    free_axis(&sweep->seed);
    *sweep = (struct nereus_sweep){0};
}

/* --- combinations --- */

int nereus_sweep_rows(const struct nereus_sweep *sweep)
{
    int64_t rows = 1;
    for (int i = 0; i < sweep->axis_count && rows <= NEREUS_SWEEP_ROWS_MAX; i++)
        rows *= sweep->axes[i].count;
    return (int)rows;
}

int nereus_sweep_seeds(const struct nereus_sweep *sweep)
{
    return sweep->seed.count > 0 ? sweep->seed.count : 1;
}

const char *nereus_sweep_value(const struct nereus_sweep *sweep, int row, int axis)
{
    for (int i = sweep->axis_count - 1; i > axis; i--)
        row /= sweep->axes[i].count;
    return sweep->axes[axis].values[row % sweep->axes[axis].count];
}

enum nereus_status nereus_sweep_set(const struct nereus_sweep *sweep, int row, int seed,
                                    struct nereus_sim_options *options, struct nereus_error *err)
{
    for (int i = 0; i < sweep->axis_count; i++) {
        NEREUS_TRY(nereus_option_store(sweep->axes[i].option->name, sweep->axes[i].option,
                                       nereus_sweep_value(sweep, row, i), options, err));
    }
    return sweep->seed.count > 0 ? nereus_option_store("seed", sweep->seed.option,
                                                       sweep->seed.values[seed], options, err)
                                 : NEREUS_OK;
}

/* --- statistics --- */

/* Compute mean and interval of logarithms, because ratios are multiplicative. */
static struct nereus_interval compute_ratio(const struct nereus_sim_summary *summaries,
                                            const struct nereus_sim_summary *first, int seeds)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < seeds; i++) {
        const double log_ratio = log(summaries[i].mean_turnaround_s / first[i].mean_turnaround_s);
        sum += log_ratio;
        squares += log_ratio * log_ratio;
    }
    const double mean = sum / seeds;
    if (seeds < 2)
        return (struct nereus_interval){exp(mean), exp(mean), exp(mean)};
    const double variance = fmax(0, (squares - seeds * mean * mean) / (seeds - 1));
    const double half = gsl_cdf_tdist_Pinv(0.95, seeds - 1) * sqrt(variance / seeds);
    return (struct nereus_interval){exp(mean), exp(mean - half), exp(mean + half)};
}

/* Members of a summary whose means a row has. */
#define MEMBER(member) offsetof(struct nereus_sim_summary, member)
static const size_t mean_members[] = {
    MEMBER(makespan_s),          MEMBER(mean_wait_s),           MEMBER(mean_turnaround_s),
    MEMBER(utilisation),         MEMBER(mean_bounded_slowdown), MEMBER(reconfiguration_node_hours),
    MEMBER(energy_kwh),          MEMBER(losses.all_h),          MEMBER(losses.useful_h),
    MEMBER(losses.redone_h),     MEMBER(losses.checkpoint_h),   MEMBER(losses.restart_h),
    MEMBER(losses.unfinished_h), MEMBER(losses.down_h),
};

static double get_mean_member(const struct nereus_sim_summary *summary, size_t i)
{
    return *(const double *)((const char *)summary + mean_members[i]);
}

static bool is_equal(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool is_same(const struct nereus_sweep_row *a, const struct nereus_sweep_row *b)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(mean_members); i++)
        if (!is_equal(get_mean_member(&a->mean, i), get_mean_member(&b->mean, i)))
            return false;
    return is_equal(a->ratio.value, b->ratio.value) && is_equal(a->ratio.low, b->ratio.low) &&
           is_equal(a->ratio.high, b->ratio.high) && a->resizes == b->resizes &&
           a->failures == b->failures && a->losses == b->losses && a->unfinished == b->unfinished &&
           a->seeds == b->seeds;
}

struct nereus_sweep_block nereus_sweep_find_block(const struct nereus_sweep *sweep,
                                                  const struct nereus_sweep_row *rows, int count,
                                                  int first)
{
    struct nereus_sweep_block block = {first, 1, sweep->axis_count};
    int same = first + 1, size = 1;
    while (same < count && is_same(&rows[first], &rows[same]))
        same++;
    for (int a = sweep->axis_count - 1; a >= 0; a--) {
        size *= sweep->axes[a].count;
        if (first % size != 0 || first + size > same)
            break;
        block.count = size;
        block.axis_count = a;
    }
    return block;
}

bool nereus_sweep_has_failures(const struct nereus_sweep_row *rows, int count)
{
    for (int r = 0; r < count; r++)
        if (rows[r].failures > 0)
            return true;
    return false;
}

void nereus_sweep_summarise(const struct nereus_sim_summary *summaries,
                            const struct nereus_sim_summary *first, int seeds,
                            struct nereus_sweep_row *row)
{
    struct nereus_sim_summary *mean = &row->mean;
    *row =
        (struct nereus_sweep_row){.seeds = seeds, .ratio = compute_ratio(summaries, first, seeds)};
    for (int i = 0; i < seeds; i++) {
        const struct nereus_sim_summary *s = &summaries[i];
        mean->jobs += s->jobs;
        mean->malleable += s->malleable;
        row->resizes += (double)s->resizes / seeds;
        row->failures += (double)s->losses.failures / seeds;
        row->losses += (double)s->losses.losses / seeds;
        row->unfinished += (double)s->losses.unfinished / seeds;
        for (size_t f = 0; f < NEREUS_COUNT_OF(mean_members); f++)
            *(double *)((char *)mean + mean_members[f]) += get_mean_member(s, f) / seeds;
    }
    mean->losses.useful_share =
        mean->losses.all_h > 0 ? mean->losses.useful_h / mean->losses.all_h : 0;
    mean->jobs /= seeds;
    mean->malleable /= seeds;
}
