/*
 * Constant data that moves while the application goes on (data-redistribution 3.2): how long it takes then, and how long an
 * iteration takes meanwhile. D is what the same step takes by itself, L the load with the auxiliary threads (overlap.c).
 *
 *   thread                     RT = D max(1, L),  omega T_iter as for other threads beside the application
 *   waitsources, waittargets   RT = D + p T_iter, omega T_iter = T_iter + D / p; p = 1, rma 3, shared 2
 *
 * The thread shares cores with the computation, as the scheduler deals them out. At points the main threads do all the work
 * themselves, so that D comes out of the iterations; a message that is begun at one point is answered at the next, which
 * costs one of them. A network that moves data by itself makes both less: alpha falls below 1 (ERRATA), where nothing was
 * measured it is taken as above, and named as a stand-in. Loses to sync where iterations are long beside D.
 */
#include <math.h>

#include "overlap.h"

static const double unmeasured = 0.7; /* log spread: a factor of 3 either way at 90 % */

static const struct nereus_linear_model
    in_thread = {.basis = NEREUS_BASIS_FALLBACK,
                 .fallback = "data by a thread: shares cores with the application"},
    at_points = {.basis = NEREUS_BASIS_FALLBACK,
                 .fallback = "data at points: its own time and one iteration"};

/* The loads of a method whose threads all work at the same time. */
static struct nereus_overlap_input input_of(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                            const struct nereus_method *method, double t_iter_s)
{
    struct nereus_method threads = nereus_method_carried_out(method);
    struct nereus_overlap_input input;
    threads.strategy = NEREUS_PLAIN;
    nereus_overlap_input_make(machine, ns, nt, &threads, t_iter_s, &input);
    input.communicates = true;
    return input;
}

/* Points at which somebody is waited for: for the answer to a message; of rma for the letter that says where the data lies, for the gets
 * and for the answer that it is here; of shared for the letter and the answer (src/exchange_rma.c, src/exchange_shared.c). */
static double points_of(enum nereus_data data)
{
    return data == NEREUS_RMA ? 3 : data == NEREUS_SHARED ? 2 : 1;
}

void nereus_overlap_data_make(const struct nereus_profile *profile, const struct nereus_machine *machine,
                              int64_t ns, int64_t nt, const struct nereus_method *method, double t_iter_s,
                              const struct nereus_cost_sum *alone, struct nereus_overlap_data *data)
{
    const struct nereus_overlap_input input = input_of(machine, ns, nt, method, t_iter_s);
    const bool thread = method->overlap == NEREUS_THREAD;
    data->sum = *alone;
    if (thread) {
        nereus_cost_scale(&data->sum, fmax(1, input.load.load_all));
        data->iteration_s = nereus_overlap_iteration_s(profile, &input);
    } else {
        const double points = points_of(method->data);
        data->sum.value_s += points * t_iter_s;
        data->iteration_s = data->sum.value_s / points;
    }
    data->sum.spread_s = fmax(data->sum.spread_s, unmeasured * data->sum.value_s);
    data->sum.stand_in = thread ? &in_thread : &at_points;
}
