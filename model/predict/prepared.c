/**
 * @file prepared.c
 * Computes logarithms, groups of rows and term numbers of a profile once, for many predictions.
 */
#include "prepared.h"

#include "model/price/overlap.h"
#include "model/price/price_parts.h"
#include "model/profile/profile_machine.h"
#include "model/profile/profile_words.h"

enum { CELLS_MAX = 256, CELLS_FEW = 4 };
/* Lower bound of the log-sd if fewer than CELLS_FEW cells have repeats: a factor of 1.5 at 90 %. */
static const double few_log_sd = 0.25;

struct group {
    struct nereus_method method;
    struct nereus_nodes_key nodes;
    unsigned kind;        /* hash_kind; compared first */
    int64_t first, count; /* range in `index` */
};

struct nereus_prepared {
    const struct nereus_measurement *rows; /* rows of the profile */
    int64_t row_count;
    struct nereus_measurement_logs *logs; /* row_count */
    int64_t *index;                       /* row_count, group by group */
    struct group *groups;
    int64_t group_count;
    double typical_log_sd[2];
    double t_iter_min_s, t_iter_max_s; /* min > max: none */
};

/* @return NULL: nothing is prepared, or the rows have changed since */
static const struct nereus_prepared *get_prepared(const struct nereus_profile *profile)
{
    const struct nereus_prepared *prepared = profile->prepared;
    return prepared != NULL && prepared->rows == profile->measurements &&
                   prepared->row_count == profile->measured_count
               ? prepared
               : NULL;
}

static size_t add_log_sds(const struct nereus_profile *profile, bool oversubscribed, size_t n,
                          double *log_sds)
{
    for (int64_t i = 0; i < profile->measured_count && n < CELLS_MAX; i++)
        if (profile->measurements[i].oversubscribed == oversubscribed &&
            profile->measurements[i].log_sd >= 0)
            log_sds[n++] = profile->measurements[i].log_sd;
    return n;
}

/* Typical scatter of repeats: the mean, not the median, because rows scatter by 2 % or by 100 %,
 * and a single run does not show which. */
static double compute_mean(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static bool has_single_runs(const struct nereus_profile *profile)
{
    for (int64_t i = 0; i < profile->measured_count; i++)
        if (profile->measurements[i].n == 1)
            return true;
    return false;
}

/* Log-sd of repeats; NAN: rows are medians of an unknown number of runs. */
static double compute_typical_log_sd(const struct nereus_profile *profile, bool oversubscribed)
{
    double log_sds[CELLS_MAX];
    size_t n = add_log_sds(profile, oversubscribed, 0, log_sds);
    if (n < CELLS_FEW) /* rows at the other load of this machine say more than a few rows */
        n = add_log_sds(profile, !oversubscribed, n, log_sds);
    if (n == 0)
        return has_single_runs(profile) ? few_log_sd : NAN;
    const double typical = compute_mean(log_sds, n);
    /* a few repeats may agree by chance */
    return n < CELLS_FEW ? fmax(typical, few_log_sd) : typical;
}

double nereus_prepared_typical_log_sd(const struct nereus_profile *profile, bool oversubscribed)
{
    const struct nereus_prepared *prepared = get_prepared(profile);
    return prepared != NULL ? prepared->typical_log_sd[oversubscribed]
                            : compute_typical_log_sd(profile, oversubscribed);
}

static void find_t_iter_range(const struct nereus_profile *profile, double *min_s, double *max_s)
{
    *min_s = INFINITY;
    *max_s = 0;
    for (int64_t i = 0; i < profile->measured_count; i++) {
        const struct nereus_measurement *m = &profile->measurements[i];
        if (m->method.async && m->t_iter_ns_s > 0) {
            *min_s = fmin(*min_s, m->t_iter_ns_s);
            *max_s = fmax(*max_s, m->t_iter_ns_s);
        }
    }
}

bool nereus_prepared_find_t_iter_range(const struct nereus_profile *profile, double *min_s,
                                       double *max_s)
{
    const struct nereus_prepared *prepared = get_prepared(profile);
    if (prepared == NULL) {
        find_t_iter_range(profile, min_s, max_s);
    } else {
        *min_s = prepared->t_iter_min_s;
        *max_s = prepared->t_iter_max_s;
    }
    return *min_s <= *max_s;
}

/* Set the log of measured / modelled iteration time; NAN: no model of omega for the row. */
static void set_slowdown(const struct nereus_profile *profile, const struct nereus_measurement *m,
                         struct nereus_measurement_logs *logs)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_measurement_machine(profile, m, &node);
    struct nereus_overlap_input input;
    logs->t_iter = logs->load = logs->slowed = NAN;
    if (!m->method.async || m->oversubscribed || profile->omega.basis != NEREUS_BASIS_FITTED ||
        nereus_method_overlaps(&m->method, 1) ||
        !(m->t_iter_ns_s > 0 && m->ct_s > 0 && m->iterations >= 1))
        return;
    const struct nereus_method carried_out = nereus_method_resolve(&m->method);
    nereus_overlap_input_make(&machine, m->ns, m->nt, &carried_out, m->t_iter_ns_s, &input);
    logs->t_iter = log(m->t_iter_ns_s);
    logs->load = log(input.load.load_all);
    logs->slowed = log(m->ct_s / m->iterations / nereus_overlap_omega_s(profile, &input, m->rt_s));
}

static struct nereus_measurement_logs compute_logs(const struct nereus_profile *profile,
                                                   const struct nereus_measurement *m)
{
    struct nereus_measurement_logs logs = {.ns = log((double)m->ns),
                                           .nt = log((double)m->nt),
                                           .model = m->model_s > 0 ? log(m->model_s) : NAN,
                                           .residual =
                                               m->model_s > 0 ? log(m->rt_s / m->model_s) : NAN};
    set_slowdown(profile, m, &logs);
    return logs;
}

struct nereus_measurement_logs nereus_prepared_logs(const struct nereus_profile *profile, int64_t i)
{
    const struct nereus_prepared *prepared = get_prepared(profile);
    return prepared != NULL ? prepared->logs[i] : compute_logs(profile, &profile->measurements[i]);
}

const struct nereus_measurement_logs *nereus_prepared_all_logs(const struct nereus_profile *profile)
{
    const struct nereus_prepared *prepared = get_prepared(profile);
    return prepared != NULL ? prepared->logs : NULL;
}

/* Hash of most members that nereus_method_has_same_process compares. */
static unsigned hash_kind(const struct nereus_method *method, bool oversubscribed, bool shrinks)
{
    return (unsigned)method->process << 3 | (unsigned)method->async << 2 |
           (unsigned)oversubscribed << 1 | (unsigned)shrinks;
}

static struct group *find_group(const struct nereus_prepared *prepared,
                                const struct nereus_method *method, struct nereus_nodes_key nodes,
                                bool oversubscribed, bool shrinks)
{
    const unsigned kind = hash_kind(method, oversubscribed, shrinks);
    for (int64_t g = 0; g < prepared->group_count; g++) {
        struct group *group = &prepared->groups[g];
        if (group->kind == kind && nereus_nodes_equal(group->nodes, nodes) &&
            nereus_method_has_same_process(&group->method, method, shrinks))
            return group;
    }
    return NULL;
}

struct nereus_measurement_span nereus_prepared_span(const struct nereus_profile *profile,
                                                    const struct nereus_method *method,
                                                    struct nereus_nodes_key nodes,
                                                    bool oversubscribed, bool shrinks)
{
    const struct nereus_prepared *prepared = get_prepared(profile);
    if (prepared == NULL)
        return (struct nereus_measurement_span){NULL, profile->measured_count};
    const struct group *group = find_group(prepared, method, nodes, oversubscribed, shrinks);
    return group != NULL
               ? (struct nereus_measurement_span){prepared->index + group->first, group->count}
               : (struct nereus_measurement_span){NULL, 0};
}

static struct group *find_or_add_group(struct nereus_prepared *prepared,
                                       const struct nereus_measurement *m)
{
    const struct nereus_nodes_key nodes = nereus_measurement_nodes(m);
    struct group *group = find_group(prepared, &m->method, nodes, m->oversubscribed, m->nt < m->ns);
    if (group == NULL) {
        group = &prepared->groups[prepared->group_count++];
        *group = (struct group){m->method, nodes,
                                hash_kind(&m->method, m->oversubscribed, m->nt < m->ns), 0, 0};
    }
    return group;
}

/* Fill the index by a counting sort. */
static void group_rows(struct nereus_prepared *prepared)
{
    for (int64_t i = 0; i < prepared->row_count; i++)
        find_or_add_group(prepared, &prepared->rows[i])->count++;
    for (int64_t g = 0, first = 0; g < prepared->group_count; g++) {
        prepared->groups[g].first = first;
        first += prepared->groups[g].count;
        prepared->groups[g].count = 0;
    }
    for (int64_t i = 0; i < prepared->row_count; i++) {
        struct group *group = find_or_add_group(prepared, &prepared->rows[i]);
        prepared->index[group->first + group->count++] = i;
    }
}

static void free_prepared(struct nereus_prepared *prepared)
{
    if (prepared != NULL) {
        free(prepared->logs);
        free(prepared->index);
        free(prepared->groups);
    }
    free(prepared);
}

static struct nereus_prepared *make_prepared(const struct nereus_profile *profile)
{
    const size_t rows = (size_t)profile->measured_count + 1;
    struct nereus_prepared *prepared = calloc(1, sizeof *prepared);
    if (prepared == NULL)
        return NULL;
    prepared->rows = profile->measurements;
    prepared->row_count = profile->measured_count;
    prepared->logs = calloc(rows, sizeof *prepared->logs);
    prepared->index = calloc(rows, sizeof *prepared->index);
    prepared->groups = calloc(rows, sizeof *prepared->groups);
    if (prepared->logs == NULL || prepared->index == NULL || prepared->groups == NULL) {
        free_prepared(prepared);
        return NULL;
    }
    for (int64_t i = 0; i < prepared->row_count; i++)
        prepared->logs[i] = compute_logs(profile, &prepared->rows[i]);
    group_rows(prepared);
    for (int oversubscribed = 0; oversubscribed < 2; oversubscribed++)
        prepared->typical_log_sd[oversubscribed] =
            compute_typical_log_sd(profile, oversubscribed == 1);
    find_t_iter_range(profile, &prepared->t_iter_min_s, &prepared->t_iter_max_s);
    return prepared;
}

/* Set the term numbers of a model; an unknown name stays 0 and is looked up later. */
static void prepare_model(struct nereus_linear_model *m, bool overlap)
{
    for (int i = 0; i < m->terms; i++) {
        const int term = overlap ? (int)nereus_overlap_term_from_name(m->names[i])
                                 : (int)nereus_term_from_name(m->names[i]);
        const int count = overlap ? (int)NEREUS_OVERLAP_TERM_COUNT : (int)NEREUS_TERM_COUNT;
        m->term_numbers[i] = (int8_t)(term < count ? term + 1 : 0);
    }
    if (m->high_factor > 0)
        m->moments = nereus_scatter_moments(m->low_factor, m->high_factor);
}

static void prepare_models(struct nereus_profile *profile)
{
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        prepare_model(&profile->steps[k], false);
        prepare_model(&profile->steps_oversubscribed[k], false);
    }
    for (int w = 0; w < NEREUS_UNATTRIBUTED_COUNT; w++)
        prepare_model(&profile->unattributed[w], false);
    prepare_model(&profile->program.start, false);
    prepare_model(&profile->program.join, false);
    for (int64_t i = 0; i < profile->whole_count; i++)
        prepare_model(&profile->whole_models[i].model, false);
#define PREPARE(member, name) prepare_model(&profile->member, true);
    NEREUS_ASYNC_MODEL_LIST(PREPARE)
#undef PREPARE
    for (int model = 0; model < NEREUS_CONTENTION_COUNT; model++)
        prepare_model(&profile->contention[model], true);
}

enum nereus_status nereus_profile_prepare(struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_prepared *prepared = make_prepared(profile);
    NEREUS_TRY_MEMORY(prepared, err, "to prepare a profile of %lld measured rows",
                      (long long)profile->measured_count);
    prepare_models(profile);
    free_prepared(profile->prepared);
    profile->prepared = prepared;
    return NEREUS_OK;
}

void nereus_profile_fini(struct nereus_profile *profile)
{
    free_prepared(profile->prepared);
    free(profile->measurements);
    free(profile->methods);
    free(profile->whole_models);
    free(profile->collectives);
    free(profile->stages);
    nereus_profile_free_machines(profile);
    *profile = (struct nereus_profile){.whole_count = 0};
}
