/**
 * @file collective_stated.c
 * Prices collectives by MPICH's cost functions (Thakur, Rabenseifner and Gropp (2005), section 3),
 * for p processes and n bytes:
 *
 *   barrier    lg p alpha                                            dissemination
 *   bcast      lg p (alpha + n beta)                                 binomial
 *              (lg p + p - 1) alpha + 2 (p-1)/p n beta               scatter and ring allgather
 *   reduce     lg p (alpha + n beta + n gamma)                       binomial
 *              2 lg p alpha + 2 (p-1)/p n beta + (p-1)/p n gamma     reduce-scatter and gather
 *   allreduce  lg p (alpha + n beta + n gamma)                       recursive doubling
 *              2 lg p alpha + 2 (p-1)/p n beta + (p-1)/p n gamma     Rabenseifner
 *   gatherv    (p-1) (alpha + n beta)                                linear
 *   allgather  lg p alpha + (p-1) n beta                             recursive doubling
 *   alltoall   (p-1) (alpha + n beta)                                pairwise
 *
 * lg is rounded up. MPICH chooses an algorithm by size; here the cheapest one is taken. It is too
 * low where p is no power of two: recursive doubling then takes more than lg p steps.
 */

#include "model/util/base.h"
#include "nereus/computational_model.h"

double nereus_collective_stated_s(const struct nereus_stated_costs *costs,
                                  enum nereus_collective collective, int64_t processes,
                                  double bytes)
{
    const double p = (double)processes, rounds = ceil(log2(p));
    const double alpha = costs->latency_s, move = bytes * costs->seconds_per_byte,
                 reduce = bytes * costs->reduction_s_per_byte;
    switch (collective) {
    case NEREUS_COLLECTIVE_BARRIER:
    case NEREUS_COLLECTIVE_DUP:
        return rounds * alpha;
    case NEREUS_COLLECTIVE_BCAST:
        return fmin(rounds * (alpha + move), (rounds + p - 1) * alpha + 2 * (p - 1) / p * move);
    case NEREUS_COLLECTIVE_REDUCE:
    case NEREUS_COLLECTIVE_ALLREDUCE:
        return fmin(rounds * (alpha + move + reduce),
                    2 * rounds * alpha + (p - 1) / p * (2 * move + reduce));
    case NEREUS_COLLECTIVE_ALLGATHER:
        return rounds * alpha + (p - 1) * move;
    case NEREUS_COLLECTIVE_GATHERV:
    case NEREUS_COLLECTIVE_ALLTOALL:
        return (p - 1) * (alpha + move);
    case NEREUS_COLLECTIVE_THREAD:
    case NEREUS_COLLECTIVE_NONE:
        break;
    }
    return 0;
}
