/**
 * @file balance.h
 * Load balance at the same size (Martín et al. (2015), section 4.3). Relative computing power and
 * work of each process are gathered at rank 0 (equation 1). If the slowest process takes too much
 * longer than the mean, a reconfiguration begins; once the new bounds are known it continues only
 * if the time saved until the end of the job exceeds its own cost.
 */
#ifndef NEREUS_SRC_CORE_BALANCE_H
#define NEREUS_SRC_CORE_BALANCE_H

#include "src/steps/reconfiguration.h"

/** Arguments of a process at a malleability point. */
struct balance_settings {
    double threshold; /**< least value of slowest / mean - 1 at which data moves */
    /** Compute seconds per iteration of this process; 0: derived from the power that the
     * application has stated */
    double compute_s;
    struct nereus_method method; /**< merge to the present size */
};

/** Compare loads, and move data if that pays. Collective over control.
 * @return an error in all processes if one cannot determine its weights */
enum nereus_status nereus_balance_load(nereus_job *job, const struct balance_settings *settings,
                                       enum nereus_action *action, struct nereus_error *err);

/** balance_pays.c. Rank 0, with a complete record: does data move between processes that stay, and
 * does that pay? If not, reconfig->unchanged_reason has the reason. No effect for a change of
 * size. */
void nereus_balance_check_gain(struct reconfiguration *reconfig);

#endif
