/**
 * @file restart_costs.c
 * Computes rates and times of restarts from the models of their steps, for output.
 */

#include "model/util/base.h"
#include "nereus/price.h"

static const double quantile = 1.645;

/* Weight of a term in a figure. */
struct weight {
    const char *name;
    double weight;
};

/* Weighted sum of coefficients, with its 90 % interval; 0: the model is not fitted. */
static struct nereus_interval sum_coefficients(const struct nereus_linear_model *m,
                                               const struct weight *weights, size_t count)
{
    double by_term[NEREUS_TERMS_MAX] = {0}, value = 0, variance = 0;
    for (int t = 0; t < m->terms && m->basis == NEREUS_BASIS_FITTED; t++)
        for (size_t w = 0; w < count; w++)
            if (strcmp(m->names[t], weights[w].name) == 0)
                by_term[t] = weights[w].weight;
    for (int t = 0; t < m->terms; t++) {
        value += by_term[t] * m->coefficients[t];
        for (int u = 0; u < m->terms; u++)
            variance += by_term[t] * by_term[u] * m->covariance[t][u];
    }
    const double times = value > 0 ? exp(quantile * sqrt(fmax(0, variance)) / value) : 1;
    return (struct nereus_interval){value, value / times, value * times};
}

static struct nereus_interval invert_interval(struct nereus_interval of)
{
    return of.value > 0 ? (struct nereus_interval){1 / of.value, 1 / of.high, 1 / of.low} : of;
}

/* Bytes per second of all these processes on one node together. */
static struct nereus_interval compute_rate(const struct nereus_linear_model *m,
                                           const char *process_term, int64_t processes)
{
    const struct weight weights[] = {{process_term, 1 / (double)processes}, {"all_bytes", 1}};
    return invert_interval(sum_coefficients(m, weights, 2));
}

bool nereus_restart_costs_find(const struct nereus_profile *profile,
                               struct nereus_restart_costs *costs)
{
    static const struct weight always = {"const", 1}, full[] = {{"const", 1}, {"full", 1}};
    const struct nereus_linear_model *const steps = profile->steps, *const start =
                                                                        &steps[NEREUS_STEP_START];
    const int64_t cores = profile->cores_per_node > 0 ? profile->cores_per_node : 1;
    costs->processes = cores;
    costs->sync_s = sum_coefficients(&steps[NEREUS_STEP_WRITE], &always, 1);
    for (int i = 0; i < 2; i++) {
        const int64_t k = i == 0 ? 1 : cores;
        costs->write[i] = compute_rate(&steps[NEREUS_STEP_WRITE], "freed_bytes", k);
        costs->read[i] = compute_rate(&steps[NEREUS_STEP_READ], "touched_bytes", k);
        costs->start_s[i] = sum_coefficients(start, full, k < cores ? 1 : 2);
    }
    return costs->write[0].value > 0 && costs->read[0].value > 0 && costs->start_s[0].value > 0;
}

/* Format a rate: "1.2 GB/s (1.1 to 1.3)". */
static const char *format_rate(const struct nereus_interval *rate, char text[64])
{
    nereus_snprintf(text, 64, "%.3g GB/s (%.3g to %.3g)", 1e-9 * rate->value, 1e-9 * rate->low,
                    1e-9 * rate->high);
    return text;
}

static const char *format_time(const struct nereus_interval *time_s, char text[64])
{
    nereus_snprintf(text, 64, "%.3g ms (%.3g to %.3g)", 1e3 * time_s->value, 1e3 * time_s->low,
                    1e3 * time_s->high);
    return text;
}

const char *nereus_restart_costs_text(const struct nereus_restart_costs *costs, char *text)
{
    char parts[7][64], all[2][192] = {"", ""};
    if (costs->processes > 1) {
        snprintf(all[0], sizeof all[0], "; %lld of a node write %s and read %s",
                 (long long)costs->processes, format_rate(&costs->write[1], parts[0]),
                 format_rate(&costs->read[1], parts[1]));
        snprintf(all[1], sizeof all[1], ", of %lld %s", (long long)costs->processes,
                 format_time(&costs->start_s[1], parts[2]));
    }
    snprintf(text, NEREUS_RESTART_COSTS_TEXT,
             "a process writes %s and reads %s%s; fsync %s; start of one %s%s",
             format_rate(&costs->write[0], parts[3]), format_rate(&costs->read[0], parts[4]),
             all[0], format_time(&costs->sync_s, parts[5]),
             format_time(&costs->start_s[0], parts[6]), all[1]);
    return text;
}
