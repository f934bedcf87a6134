/**
 * @file overlap_value.c
 * Computes the features of the models of overlapped times (overlap.c), the value of a model and its
 * error.
 */

#include "cost_scatter.h"
#include "overlap.h"

/* (L-1)+ to the power 1.25: a load L slows down by more than in proportion. The power is that with
 * the least errors of It and T_ex over left-out rows (docs/model.md). */
static double compute_crowding(double load)
{
    const double excess = nereus_max_real(0, load - 1);
    return excess * sqrt(sqrt(excess));
}

/* Iterations that share their cores with the auxiliary threads and the new processes. */
static double compute_shared_s(const struct nereus_overlap_input *in)
{
    static const double later = 0.75; /* share of the phase in which all threads run */
    const double all = in->load.load_all, root = in->load.load_root;
    return in->group == NEREUS_ASYNC_PLAIN ? in->t_iter_s * compute_crowding(all)
           : in->group == NEREUS_ASYNC_SINGLE
               ? in->t_iter_s * compute_crowding(root + later * (all - root))
               : 0;
}

double nereus_overlap_feature(enum nereus_overlap_term term,
                              const struct nereus_overlap_input *input)
{
    const bool single = input->group == NEREUS_ASYNC_SINGLE,
               shrinks = input->group == NEREUS_ASYNC_SHRINK;
    const double all = nereus_max_real(0, input->load.load_all - 1);
    switch (term) {
    case NEREUS_OVERLAP_RT_SYNC:
        return input->rt_sync_s;
    case NEREUS_OVERLAP_CONST:
        return 1;
    case NEREUS_OVERLAP_LOG2_NODES:
        return input->load.old_nodes > 1 ? log2((double)input->load.old_nodes) : 0;
    case NEREUS_OVERLAP_ITER_EXCESS:
        return single ? 0 : input->t_iter_s * all;
    case NEREUS_OVERLAP_PLAIN_EXCESS:
        return single || shrinks ? 0 : all;
    case NEREUS_OVERLAP_NODES_EXCESS:
        return single || shrinks || input->load.new_nodes < 2
                   ? 0
                   : all * log2((double)input->load.new_nodes);
    case NEREUS_OVERLAP_MOVE:
        return input->move_s;
    case NEREUS_OVERLAP_POINTS:
        return input->points_s;
    case NEREUS_OVERLAP_PEERS_EXCESS:
        return input->ns > 1 ? all : 0;
    case NEREUS_OVERLAP_PEERS_MOVE:
        return input->ns > 1 ? input->move_s : 0;
    case NEREUS_OVERLAP_NOTICE:
        return input->t_iter_s * (input->ns > 1 ? 2 : 1);
    case NEREUS_OVERLAP_SYNC_GROWTH:
        return input->rt_sync_s * (sqrt(input->e_async) - sqrt(input->e_sync));
    case NEREUS_OVERLAP_SYNC_EXCESS:
        return input->rt_sync_s * all;
    case NEREUS_OVERLAP_ITER_ALL:
        return input->ns > 1 ? input->t_iter_s * fmax(1, input->load.load_all) : 0;
    case NEREUS_OVERLAP_SLICE:
        return 1;
    case NEREUS_OVERLAP_IN_POINTS:
    case NEREUS_OVERLAP_MEANWHILE:
        return input->move_s;
    case NEREUS_OVERLAP_PASSED:
        return input->passed_s;
    case NEREUS_OVERLAP_LOCKED:
        return shrinks ? input->rt_async_s / fmax(1, input->iterations) : 0;
    case NEREUS_OVERLAP_EXTRA:
        return !(single && input->ns > 1);
    case NEREUS_OVERLAP_EXTRA_SINGLE:
        return single && input->ns > 1 && !input->respawn;
    case NEREUS_OVERLAP_EXTRA_RESPAWN:
        return single && input->ns > 1 && input->respawn;
    case NEREUS_OVERLAP_ITER_SHARED:
        return compute_shared_s(input);
    default:
        return 0;
    }
}

double nereus_overlap_value(const struct nereus_linear_model *model,
                            const struct nereus_overlap_input *input, double *variance)
{
    double value = 0, sum = 0, x[NEREUS_TERMS_MAX];
    for (int i = 0; i < model->terms; i++) {
        x[i] = nereus_overlap_feature(nereus_overlap_term(model, i), input);
        value += model->coefficients[i] * x[i];
    }
    if (variance == NULL)
        return value;
    for (int i = 0; i < model->terms; i++)
        for (int j = 0; j < model->terms; j++)
            sum += x[i] * model->covariance[i][j] * x[j];
    *variance = sum;
    return value;
}

/* Student's factor, because with few rows the scatter itself is uncertain. */
static double compute_student_factor(const struct nereus_linear_model *model)
{
    const int64_t degrees_of_freedom = nereus_model_degrees_of_freedom(model);
    return nereus_student_95(degrees_of_freedom < 1000 ? degrees_of_freedom : 1000);
}

double nereus_overlap_half_width_s(const struct nereus_linear_model *model,
                                   const struct nereus_overlap_input *input, double *iteration_s)
{
    double variance_s2;
    *iteration_s = input->t_iter_s + nereus_overlap_value(model, input, &variance_s2);
    const double scatter_s = model->log_sd * *iteration_s;
    return compute_student_factor(model) * sqrt(fmax(0, variance_s2) + scatter_s * scatter_s);
}
