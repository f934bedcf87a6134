/**
 * @file lublin.c
 * Draws workloads by the model of Lublin and Feitelson (2003), without classes of jobs. The
 * parameters are those of the authors' program (m_lublin99.c of the Parallel Workloads Archive) for
 * jobs of one type; comments below have the program's names. The number of processors is 1, a power
 * of two, or another one whose logarithm is uniform in two stages. The run time is exp of a
 * hyper-gamma, whose first part is more probable for fewer processors. The time between arrivals is
 * exp of a gamma in rush hours, stretched by the time of day.
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "draw.h"

enum { SLOTS = 48, SLOT_S = 1800, DAY_BEGINS = 11 };

static const struct {
    /* Processors: probabilities (SERIAL_PROB, POW2_PROB); two-stage uniform log2 (ULOW, UHI - UMED,
     * UPROB) */
    double serial, power_of_two, log_low, log_middle_below, low_stage;
    /* Hyper-gamma of ln(run time) (A1 to B2); its first weight is pa processors + pb (PA, PB).
     * Larger logarithms are drawn again (TOO_MUCH_TIME) */
    double a1, b1, a2, b2, pa, pb, log_run_max;
    /* Gamma of ln(time between arrivals) in rush hours (AARR ARAR, BARR, TOO_MUCH_ARRIVE_TIME), and
     * of the daily cycle (ANUM, BNUM) */
    double a_arrival, b_arrival, log_arrival_max, a_day, b_day;
} model = {.serial = 0.244,
           .power_of_two = 0.576,
           .log_low = 0.8,
           .log_middle_below = 2.5,
           .low_stage = 0.86,
           .a1 = 4.2,
           .b1 = 0.94,
           .a2 = 312,
           .b2 = 0.03,
           .pa = -0.0054,
           .pb = 0.78,
           .log_run_max = 12,
           .a_arrival = 10.2303 * 1.0225,
           .b_arrival = 0.4871,
           .log_arrival_max = 13,
           .a_day = 8.1737,
           .b_day = 3.9631};

static int64_t draw_processors(const gsl_rng *rng, int64_t max)
{
    const double high = log2((double)max), u = gsl_rng_uniform(rng);
    if (u <= model.serial || max < 2)
        return 1;
    const double low = fmin(model.log_low, high);
    const double middle = fmax(low, high - model.log_middle_below);
    double log_size = gsl_rng_uniform(rng) <= model.low_stage
                          ? low + (middle - low) * gsl_rng_uniform(rng)
                          : middle + (high - middle) * gsl_rng_uniform(rng);
    if (u <= model.serial + model.power_of_two)
        log_size = round(log_size);
    return nereus_min(max, (int64_t)(exp2(log_size) + 0.5));
}

static double draw_run_s(const gsl_rng *rng, int64_t processors)
{
    const double p = fmax(0, fmin(1, model.pa * (double)processors + model.pb));
    double log_run;
    do {
        log_run = gsl_rng_uniform(rng) <= p ? gsl_ran_gamma(rng, model.a1, model.b1)
                                            : gsl_ran_gamma(rng, model.a2, model.b2);
    } while (log_run > model.log_run_max);
    return floor(exp(log_run));
}

static void weigh_day(double weights[SLOTS])
{
    double sum = 0;
    for (int i = DAY_BEGINS; i < SLOTS + DAY_BEGINS; i++) {
        const int slot = (i - 1) % SLOTS;
        weights[slot] = gsl_cdf_gamma_P(i + 0.5, model.a_day, model.b_day) -
                        gsl_cdf_gamma_P(i - 0.5, model.a_day, model.b_day);
        sum += weights[slot];
    }
    for (int i = 0; i < SLOTS; i++)
        weights[i] *= SLOTS / sum;
}

/* Time at which the weights since `now_s` add up to the drawn time. */
static double draw_arrival(const gsl_rng *rng, const double weights[SLOTS], double now_s)
{
    double log_gap;
    do {
        log_gap = gsl_ran_gamma(rng, model.a_arrival, model.b_arrival);
    } while (log_gap > model.log_arrival_max);
    for (double left_s = exp(log_gap);;) {
        const double slot = floor(now_s / SLOT_S), end_s = (slot + 1) * SLOT_S;
        const double weight = weights[(int64_t)slot % SLOTS];
        if (weight * (end_s - now_s) >= left_s)
            return now_s + left_s / weight;
        left_s -= weight * (end_s - now_s);
        now_s = end_s;
    }
}

static enum nereus_status add_jobs(const gsl_rng *rng, int64_t jobs, int64_t processors,
                                   struct nereus_workload *workload, struct nereus_error *err)
{
    double weights[SLOTS], now_s = 0;
    weigh_day(weights);
    for (int64_t i = 0; i < jobs; i++) {
        struct nereus_workload_line line = {.number = i + 1, .requested_s = -1};
        now_s = draw_arrival(rng, weights, now_s);
        line.submit_s = floor(now_s);
        line.processors = draw_processors(rng, processors);
        line.run_s = draw_run_s(rng, line.processors);
        NEREUS_TRY(nereus_workload_add(workload, &line, err));
    }
    return NEREUS_OK;
}

enum nereus_status nereus_draw_lublin(int64_t jobs, int64_t processors, int64_t seed,
                                      struct nereus_workload *workload, struct nereus_error *err)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    NEREUS_TRY_MEMORY(rng, err, "for random numbers");
    *workload = (struct nereus_workload){0};
    gsl_rng_set(rng, (unsigned long)seed);
    const enum nereus_status status = add_jobs(rng, jobs, processors, workload, err);
    gsl_rng_free(rng);
    if (status != NEREUS_OK)
        nereus_workload_fini(workload);
    return status;
}
