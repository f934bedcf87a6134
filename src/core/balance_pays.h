/** @file balance_pays.h  Whether a redistribution at the same size pays (Martín et al. (2015),
 * section 4.3). */
#ifndef NEREUS_SRC_CORE_BALANCE_PAYS_H
#define NEREUS_SRC_CORE_BALANCE_PAYS_H

#include "src/steps/reconfiguration.h"

/** Rank 0, with a complete record: does data move between processes that stay, and does that pay?
 * If not, reconfig->unchanged_reason has the reason. No effect for a change of size. */
void nereus_balance_judge(struct reconfiguration *reconfig);

#endif
