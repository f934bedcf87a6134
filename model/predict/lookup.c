/**
 * @file lookup.c
 * Replaces modelled values by measured ones, and corrects modelled values near measured ones
 * (docs/model.md).
 *
 * The correction is a kernel mean of the log residuals of one method, in log NS and log NT. The
 * bandwidth is small: in leave-one-out runs on the papers' tables, residuals of sizes that differ
 * by a factor of 1.5 are not similar, and a wider kernel makes predictions worse. The shrinkage
 * weighs as half a neighbour with residual 0. T_iter enters the distance through the model's value
 * only: between the same sizes an asynchronous method has the same error at other iteration
 * lengths.
 *
 * The same kernel in log T_iter and log L corrects the slow-down of iterations: nodes with the same
 * load slow down iterations of the same length equally, whatever the sizes.
 */
#include "lookup.h"

#include "model/price/price_parts.h"
#include "prepared.h"

enum { TYPICAL_REPEATS = 4 };

static const double repeatability = 0.04; /* log-sd of the papers' medians of ten runs */
static const double same_t_iter = 0.05, same_bytes = 0.01;
/* bandwidth of the kernel: log of a factor of 1.2 */
static const double bandwidth = 0.2;
/* Weight of "no correction" in a kernel mean: variance between days over variance within a day.
 * Shrinks without a start repeat badly, so that one campaign says little about the next. */
static const double shrinkage = 0.5, shrinkage_of_shrinks = 1.5;

struct nereus_lookup_key nereus_lookup_key_make(const struct nereus_profile *profile,
                                                const struct nereus_scenario *scenario,
                                                const struct nereus_method *method)
{
    return (struct nereus_lookup_key){
        .ns = scenario->ns,
        .nt = scenario->nt,
        .nodes = nereus_profile_nodes(profile, scenario->machine,
                                      nereus_max(scenario->ns, scenario->nt)),
        .method = method,
        .oversubscribed =
            nereus_cost_is_oversubscribed(scenario->machine, scenario->ns, scenario->nt, method),
        .t_iter_ns_s = scenario->t_iter_ns_s,
    };
}

static bool has_data(const struct nereus_measurement *m)
{
    return m->method.has_data && m->bytes > 0;
}

/* Is the row of the same method, kind of nodes and direction as the key? */
static bool is_same_kind(const struct nereus_measurement *m, const struct nereus_lookup_key *key,
                         bool shrinks)
{
    return nereus_nodes_equal(nereus_measurement_nodes(m), key->nodes) &&
           m->oversubscribed == key->oversubscribed && (m->nt < m->ns) == shrinks &&
           nereus_method_has_same_process(&m->method, key->method, shrinks);
}

static bool has_same_nodes(const struct nereus_measurement *m, const struct nereus_lookup_key *key)
{
    return m->ns == key->ns && m->nt == key->nt && is_same_kind(m, key, key->nt < key->ns) &&
           (!key->method->async ||
            nereus_nearly_equal(m->t_iter_ns_s, key->t_iter_ns_s, same_t_iter));
}

static struct nereus_measurement_span find_rows(const struct nereus_profile *profile,
                                                const struct nereus_lookup_key *key, bool shrinks)
{
    return nereus_prepared_span(profile, key->method, key->nodes, key->oversubscribed, shrinks);
}

/* Pools rows of one pair of sizes in logarithms, weighted by their runs. A row of unknown scatter
 * counts as one run. */
struct pool {
    int64_t rows, runs;
    /* sums of log RT and of its square */
    double log_s, log2_s;
    /* squared distances of runs from the median of their row */
    double within2;
    double overlapped, iterations, log_iteration_s; /* rows with iterations and CT */
};

static void add_to_pool(struct pool *pool, const struct nereus_measurement *m)
{
    const bool scatters = m->log_sd >= 0 && m->n > 1;
    const double runs = scatters ? (double)m->n : 1, rt = log(m->rt_s);
    pool->rows++;
    pool->runs += scatters ? m->n : 1;
    pool->log_s += runs * rt;
    pool->log2_s += runs * rt * rt;
    pool->within2 += scatters ? (runs - 1) * m->log_sd * m->log_sd : 0;
    if (m->iterations >= 1 && m->ct_s > 0) {
        pool->overlapped += runs;
        pool->iterations += runs * m->iterations;
        pool->log_iteration_s += runs * log(m->ct_s / m->iterations);
    }
}

/* Store the pooled row.
 * @param m  the last row; a single row is unchanged */
static void store_pooled(const struct pool *pool, struct nereus_measurement *m)
{
    if (pool->rows < 2)
        return;
    const double runs = (double)pool->runs, mean = pool->log_s / runs;
    const double between2 = fmax(0, pool->log2_s - runs * mean * mean);
    m->rt_s = exp(mean);
    m->n = pool->runs;
    m->log_sd = fmax(sqrt((pool->within2 + between2) / (runs - 1)), repeatability);
    if (pool->overlapped > 0) {
        m->iterations = fmax(1, round(pool->iterations / pool->overlapped));
        m->ct_s = m->iterations * exp(pool->log_iteration_s / pool->overlapped);
    }
}

bool nereus_lookup_find_process(const struct nereus_profile *profile,
                                const struct nereus_lookup_key *key,
                                struct nereus_measurement *measurements)
{
    const struct nereus_measurement_span rows = find_rows(profile, key, key->nt < key->ns);
    struct pool pool = {.rows = 0};
    for (int64_t i = 0; i < rows.count; i++) {
        const struct nereus_measurement *m = &profile->measurements[nereus_span_at(&rows, i)];
        if (has_data(m) || !has_same_nodes(m, key))
            continue;
        add_to_pool(&pool, m);
        *measurements = *m;
    }
    store_pooled(&pool, measurements);
    return pool.rows > 0;
}

static bool has_same_data(const struct nereus_measurement *m, const struct nereus_method *method,
                          enum nereus_overlap overlap, double bytes)
{
    return has_data(m) && method->has_data && m->method.data == method->data &&
           m->method.overlap == overlap && m->method.distribution == method->distribution &&
           nereus_nearly_equal(m->bytes, bytes, same_bytes);
}

const struct nereus_measurement *nereus_lookup_find_data(const struct nereus_profile *profile,
                                                         const struct nereus_lookup_key *key,
                                                         double bytes)
{
    const struct nereus_measurement_span rows = find_rows(profile, key, key->nt < key->ns);
    for (int64_t i = 0; i < rows.count; i++) {
        const struct nereus_measurement *m = &profile->measurements[nereus_span_at(&rows, i)];
        /* callers ask only for data without overlap */
        if (has_same_data(m, key->method, NEREUS_SYNC, bytes) && has_same_nodes(m, key))
            return m;
    }
    return NULL;
}

bool nereus_lookup_find_overlapped(const struct nereus_profile *profile,
                                   const struct nereus_lookup_key *key, double bytes,
                                   struct nereus_measurement *measurements)
{
    const struct nereus_measurement_span rows = find_rows(profile, key, key->nt < key->ns);
    struct pool pool = {.rows = 0};
    for (int64_t i = 0; i < rows.count; i++) {
        const struct nereus_measurement *m = &profile->measurements[nereus_span_at(&rows, i)];
        if (!has_same_data(m, key->method, key->method->overlap, bytes) ||
            !has_same_nodes(m, key) ||
            !nereus_nearly_equal(m->t_iter_ns_s, key->t_iter_ns_s, same_t_iter) ||
            !(m->iterations >= 1 && m->ct_s > 0))
            continue;
        add_to_pool(&pool, m);
        *measurements = *m;
    }
    if (pool.rows == 0)
        return false;
    store_pooled(&pool, measurements);
    /* iterations may be medians */
    measurements->iterations = fmax(1, round(pool.iterations / pool.overlapped));
    measurements->ct_s = measurements->iterations * exp(pool.log_iteration_s / pool.overlapped);
    return true;
}

/* Is the method an asynchronous shrink without a start? All sources take part, and the number of
 * targets has little effect: the model's error depends on the sources alone. */
static bool is_without_spawn(const struct nereus_lookup_key *key)
{
    return key->method->async && key->method->process == NEREUS_MERGE && key->nt < key->ns &&
           key->method->shrink != NEREUS_SS;
}

static bool is_row_of_kind(const struct nereus_measurement_span *rows,
                           const struct nereus_measurement *m, const struct nereus_lookup_key *key,
                           bool shrinks)
{
    return rows->index != NULL || is_same_kind(m, key, shrinks);
}

/* Kernel mean of log residuals, shrunk towards 0. */
struct kernel_mean {
    double sum, squares, weights; /* weights begins with the shrinkage */
};

static void add_to_mean(struct kernel_mean *mean, double weight, double residual)
{
    mean->sum += weight * residual;
    mean->squares += weight * residual * residual;
    mean->weights += weight;
}

static double compute_factor(const struct kernel_mean *mean)
{
    return exp(mean->sum / mean->weights);
}

/* In a respawn by several worlds all sources start groups and wait for them: the model's error
 * depends on the number of sources alone, in both directions. */
static bool depends_on_sources(const struct nereus_lookup_key *key)
{
    return nereus_method_resolve(key->method).process == NEREUS_BASELINE &&
           nereus_price_uses_one_model(key->method, key->nt < key->ns);
}

/* Are two sizes so different that the weight would be below 1e-6? */
static bool is_too_different(int64_t a, int64_t b)
{
    return a > 3 * b || b > 3 * a;
}

/* Weight of a row whose NS, NT and RT differ by factors of exp(d_ns), exp(d_nt) and exp(d_rt), by a
 * Gaussian kernel; where the error depends on the sources, the kernel is narrow in NS and wide in
 * NT. */
static double compute_weight(bool by_sources, double d_ns, double d_nt, double d_rt)
{
    static const double bandwidth_ns = 0.07, bandwidth_nt = 0.5, same_sources = 0.5;
    if (!by_sources)
        return exp(-(d_ns * d_ns + d_nt * d_nt + d_rt * d_rt) / (2 * bandwidth * bandwidth));
    return exp(-fabs(d_ns) / bandwidth_ns) *
           (same_sources + exp(-d_nt * d_nt / (2 * bandwidth_nt * bandwidth_nt)));
}

static void add_rows(const struct nereus_profile *profile, const struct nereus_lookup_key *key,
                     bool shrinks, double model_s, struct kernel_mean *mean)
{
    const struct nereus_measurement_span rows = find_rows(profile, key, shrinks);
    const struct nereus_measurement_logs *const logs = nereus_prepared_all_logs(profile);
    const double log_ns = log((double)key->ns), log_nt = log((double)key->nt);
    const bool timed = key->method->async && model_s > 0, any_nt = is_without_spawn(key),
               by_sources = depends_on_sources(key);
    const double model = timed ? log(model_s) : 0;
    for (int64_t i = 0; i < rows.count; i++) {
        const int64_t row = nereus_span_at(&rows, i);
        const struct nereus_measurement *m = &profile->measurements[row];
        if (is_too_different(m->ns, key->ns) ||
            (!any_nt && !by_sources && is_too_different(m->nt, key->nt)) || has_data(m) ||
            !(m->model_s > 0) || !is_row_of_kind(&rows, m, key, shrinks))
            continue;
        const struct nereus_measurement_logs at =
            logs != NULL ? logs[row] : nereus_prepared_logs(profile, row);
        const double d_ns = log_ns - at.ns, d_nt = any_nt ? 0 : log_nt - at.nt,
                     d_rt = timed ? model - at.model : 0;
        if (any_nt &&
            /* otherwise many rows with the same NS would outweigh the distance */
            fabs(d_ns) > bandwidth)
            continue;
        add_to_mean(mean, compute_weight(by_sources, d_ns, d_nt, d_rt), at.residual);
    }
}

static struct kernel_mean compute_mean(const struct nereus_profile *profile,
                                       const struct nereus_lookup_key *key, double model_s)
{
    const bool shrinks = key->nt < key->ns;
    struct kernel_mean mean = {.weights = is_without_spawn(key) ? shrinkage_of_shrinks : shrinkage};
    add_rows(profile, key, shrinks, model_s, &mean);
    if (depends_on_sources(key))
        add_rows(profile, key, !shrinks, model_s, &mean);
    return mean;
}

double nereus_lookup_correction(const struct nereus_profile *profile,
                                const struct nereus_lookup_key *key, double model_s)
{
    const struct kernel_mean mean = compute_mean(profile, key, model_s);
    return compute_factor(&mean);
}

/* Reduce the scatter where rows with the same number of sources exist: the model's scatter includes
 * offsets between numbers of sources. */
static void narrow_by_same_sources(const struct nereus_profile *profile,
                                   const struct nereus_lookup_key *key, struct nereus_cost_sum *sum)
{
    const struct nereus_linear_model *model = nereus_price_whole_model(profile, key->method);
    if (model == NULL || !depends_on_sources(key))
        return;
    const struct kernel_mean mean = compute_mean(profile, key, 0);
    const double log_factor = mean.sum / mean.weights, model2 = model->log_sd * model->log_sd;
    const double local2 =
        (mean.squares + shrinkage * model2) / mean.weights - log_factor * log_factor;
    const double relative = sum->common_scatter_s / sum->value_s,
                 beyond2 = fmax(0, relative * relative - model2);
    sum->common_scatter_s = sum->value_s * sqrt(local2 + beyond2);
}

double nereus_lookup_slowdown(const struct nereus_profile *profile,
                              const struct nereus_lookup_key *key, double load_all)
{
    const struct nereus_measurement_span rows = find_rows(profile, key, key->nt < key->ns);
    const struct nereus_measurement_logs *const logs = nereus_prepared_all_logs(profile);
    const double t_iter = log(key->t_iter_ns_s), load = log(load_all);
    struct kernel_mean mean = {.weights = shrinkage};
    for (int64_t i = 0; i < rows.count; i++) {
        const int64_t row = nereus_span_at(&rows, i);
        const struct nereus_measurement_logs at =
            logs != NULL ? logs[row] : nereus_prepared_logs(profile, row);
        const double d_t_iter = t_iter - at.t_iter, d_load = load - at.load;
        /* at four bandwidths the weight is below 4e-4; NAN: no slow-down is known */
        if (!(d_t_iter * d_t_iter + d_load * d_load < 16 * bandwidth * bandwidth) ||
            isnan(at.slowed))
            continue;
        if (!has_data(&profile->measurements[row]) &&
            is_row_of_kind(&rows, &profile->measurements[row], key, key->nt < key->ns))
            add_to_mean(&mean, compute_weight(false, d_t_iter, d_load, 0), at.slowed);
    }
    return compute_factor(&mean);
}

bool nereus_lookup_is_possible(const struct nereus_scenario *scenario)
{
    return scenario->nt <= scenario->ns || nereus_jobstate_zombies(scenario->state) == 0;
}

bool nereus_lookup_starts_no_process(const struct nereus_scenario *scenario,
                                     const struct nereus_method *method)
{
    return scenario->nt - scenario->ns <= nereus_jobstate_zombies(scenario->state) &&
           nereus_method_resolve(method).process == NEREUS_MERGE;
}

/* Log-sd of a reconfiguration between days; the default is the value of published tables
 * (model/fit/priors.c). */
static double get_campaign_log_sd(const struct nereus_profile *profile,
                                  const struct nereus_method *method, bool shrinks)
{
    const bool known = profile->campaign_log_sd > 0;
    if (nereus_method_resolve(method).process != NEREUS_MERGE || !shrinks ||
        method->shrink == NEREUS_SS)
        return known ? profile->campaign_log_sd : 0.045;
    return known ? profile->campaign_of_shrinks_log_sd : 0.15;
}

struct nereus_cost_sum nereus_lookup_make_sum(const struct nereus_profile *profile,
                                              const struct nereus_measurement *measurements)
{
    struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
    const double typical = nereus_prepared_typical_log_sd(profile, measurements->oversubscribed);
    const double own_repeats = measurements->log_sd >= 0 ? (double)(measurements->n - 1) : 0;
    double log_sd = measurements->log_sd >= 0 ? measurements->log_sd : repeatability;
    if (!isnan(typical))
        log_sd = sqrt(
            (own_repeats *
                 (measurements->log_sd >= 0 ? measurements->log_sd * measurements->log_sd : 0) +
             TYPICAL_REPEATS * typical * typical) /
            (own_repeats + TYPICAL_REPEATS));
    const double n = measurements->n > 1 ? (double)measurements->n : 1;
    sum.value_s = measurements->rt_s;
    /* scatter of the next measurement: repeats, error of the median, difference between days */
    sum.common_scatter_s =
        measurements->rt_s *
        hypot(log_sd * sqrt(1 + 1 / n), get_campaign_log_sd(profile, &measurements->method,
                                                            measurements->nt <= measurements->ns));
    sum.degrees_of_freedom =
        measurements->n > 2 && measurements->log_sd >= 0 ? (double)(measurements->n - 1) : INFINITY;
    if (!isnan(typical))
        sum.degrees_of_freedom = own_repeats + TYPICAL_REPEATS;
    return sum;
}

/* Refuse a start priced at 0 s: a start takes time, so the profile has no basis for its price. */
static enum nereus_status check_start_price(const struct nereus_scenario *s,
                                            const struct nereus_method *method,
                                            const struct nereus_cost_sum *sum,
                                            struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX];
    if (sum->value_s > 0 || nereus_lookup_starts_no_process(s, method))
        return NEREUS_OK;
    return nereus_fail(
        err, NEREUS_ERR_NO_BASIS,
        "'%s' from %lld to %lld process%s would be free by this profile: a calibration "
        "has to measure starts of such sizes",
        nereus_method_format(method, text), (long long)s->ns, (long long)s->nt,
        nereus_plural_es(s->nt));
}

/* RT_sync as the input of the asynchronous models. A measured value contains the scatter of its
 * repeats, which the asynchronous run does not share: the model's value, corrected by neighbours,
 * is better, except for merge shrinks, whose model is too coarse. */
static double compute_expected_s(const struct nereus_profile *profile,
                                 const struct nereus_lookup_key *key,
                                 const struct nereus_measurement *m)
{
    const bool keeps_sources = nereus_method_resolve(key->method).process == NEREUS_MERGE &&
                               key->nt <= key->ns && key->method->shrink != NEREUS_SS;
    if (keeps_sources || !(m->model_s > 0))
        return m->rt_s;
    return m->model_s * nereus_lookup_correction(profile, key, 0);
}

/* Add the scatter between days to that of a calibration's steps, all of one day; residuals of whole
 * reconfigurations contain it already. */
static void add_campaign_scatter(const struct nereus_profile *profile,
                                 const struct nereus_lookup_key *key, struct nereus_cost_sum *sum)
{
    if (nereus_profile_has_steps(profile) && profile->machine_kind[0] != '\0')
        sum->variance_s2 +=
            pow(get_campaign_log_sd(profile, key->method, key->nt <= key->ns) * sum->value_s, 2);
}

enum nereus_status nereus_lookup_estimate(const struct nereus_profile *profile,
                                          const struct nereus_scenario *scenario,
                                          const struct nereus_method *method,
                                          struct nereus_process_estimate *estimate,
                                          struct nereus_error *err)
{
    struct nereus_method synchronous = nereus_priced_method(profile, scenario, method);
    synchronous.async = false;
    const struct nereus_lookup_key key = nereus_lookup_key_make(profile, scenario, &synchronous);
    const bool awake = nereus_lookup_is_possible(scenario);
    struct nereus_measurement m;
    if (awake && nereus_lookup_find_process(profile, &key, &m)) {
        *estimate = (struct nereus_process_estimate){nereus_lookup_make_sum(profile, &m), true,
                                                     compute_expected_s(profile, &key, &m)};
        return NEREUS_OK;
    }
    struct nereus_cost_sum *sum = &estimate->sum;
    NEREUS_TRY(nereus_price_process(profile, scenario, &synchronous, sum, err));
    /* no row measures load balance */
    const bool alike = awake && !nereus_method_rebalances(method, scenario->ns, scenario->nt);
    nereus_cost_scale(sum, alike ? nereus_lookup_correction(profile, &key, 0) : 1);
    if (!scenario->values_only) {
        narrow_by_same_sources(profile, &key, sum);
        add_campaign_scatter(profile, &key, sum);
    }
    estimate->measured = false;
    estimate->expected_s = sum->value_s;
    return check_start_price(scenario, &synchronous, sum, err);
}

static struct nereus_method get_process_part(const struct nereus_profile *profile,
                                             const struct nereus_scenario *scenario,
                                             const struct nereus_method *method)
{
    struct nereus_method part = nereus_priced_method(profile, scenario, method);
    part.async = false;
    /* a shrink that keeps the sources starts no process, whatever the strategy */
    if (part.process == NEREUS_MERGE && part.shrink != NEREUS_SS && scenario->nt < scenario->ns)
        part.strategy = NEREUS_PLAIN;
    return part;
}

static bool has_same_data_part(const struct nereus_method *a, const struct nereus_method *b)
{
    return a->process == b->process && a->strategy == b->strategy && a->shrink == b->shrink;
}

void nereus_estimates_init(struct nereus_estimates *estimates)
{
    estimates->count = estimates->next = 0;
}

enum nereus_status nereus_lookup_estimate_once(const struct nereus_profile *profile,
                                               const struct nereus_scenario *scenario,
                                               const struct nereus_method *method,
                                               struct nereus_estimates *estimates,
                                               struct nereus_process_estimate *estimate,
                                               struct nereus_error *err)
{
    if (estimates == NULL)
        return nereus_lookup_estimate(profile, scenario, method, estimate, err);
    const struct nereus_method part = get_process_part(profile, scenario, method);
    for (int i = 0; i < estimates->count; i++)
        if (has_same_data_part(&estimates->items[i].method, &part)) {
            *estimate = estimates->items[i].estimate;
            return NEREUS_OK;
        }
    NEREUS_TRY(nereus_lookup_estimate(profile, scenario, method, estimate, err));
    const int index =
        estimates->count < NEREUS_ESTIMATES_MAX ? estimates->count++ : estimates->next;
    estimates->next = (index + 1) % NEREUS_ESTIMATES_MAX;
    estimates->items[index].method = part;
    estimates->items[index].estimate = *estimate;
    return NEREUS_OK;
}

double nereus_lookup_synchronous_s(const struct nereus_profile *profile,
                                   const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                   const struct nereus_method *method)
{
    const struct nereus_scenario scenario = {.machine = machine, .ns = ns, .nt = nt};
    struct nereus_process_estimate estimate;
    return nereus_lookup_estimate(profile, &scenario, method, &estimate, NULL) == NEREUS_OK
               ? estimate.expected_s
               : NAN;
}
