/**
 * @file overlap_error.c
 * Computes the error of an overlapped iteration time, which is that of omega and not that of
 * RT_async.
 *
 * The error follows from the covariance of the coefficients and the residual scatter of the model
 * that priced the iteration (overlap.c, contention_price.c). For a shrink that ends before its
 * first iteration does, T_iter + RT (1 - T_iter / I) changes with I by RT T_iter / I^2.
 */
#include "overlap.h"

double nereus_overlap_iteration_half_width(const struct nereus_profile *profile,
                                           const struct nereus_overlap_input *input,
                                           double rt_async_s)
{
    double iteration_s;
    struct nereus_overlap_input locked;
    const bool known = nereus_contention_is_measured(profile, input);
    if (!known && nereus_overlap_input_make_locked(profile, input, rt_async_s, &locked))
        return nereus_overlap_half_width_s(&profile->omega, &locked, &iteration_s) / iteration_s;
    const double half_width_s =
        known ? nereus_contention_half_width_s(profile, input)
              : nereus_overlap_half_width_s(&profile->omega, input, &iteration_s);
    if (known)
        iteration_s = nereus_contention_iteration_s(profile, input);
    if (!(iteration_s > 0))
        return 0;
    if (input->group != NEREUS_ASYNC_SHRINK || rt_async_s >= iteration_s)
        return half_width_s / iteration_s;
    const double shorter_s = nereus_overlap_iteration_s(profile, input, rt_async_s);
    return half_width_s * rt_async_s * input->t_iter_s / (iteration_s * iteration_s) / shorter_s;
}
