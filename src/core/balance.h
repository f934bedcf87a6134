/**
 * @file balance.h
 * Balances the load at one size: compares the processes' loads (balance.c), and moves data if that
 * pays (balance_pays.c).
 */
#pragma once

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

/** Rank 0, with a complete record: does data move between processes that stay, and
 * does that pay? If not, reconfig->unchanged_reason has the reason. No effect for a change of
 * size. */
void nereus_balance_check_gain(struct reconfiguration *reconfig);
