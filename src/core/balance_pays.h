/* Private to src/. */
#ifndef NEREUS_SRC_BALANCE_PAYS_H
#define NEREUS_SRC_BALANCE_PAYS_H

#include "src/steps/reconfiguration.h"

/* Rank 0, with a record that is whole: does data move between processes that stay, and does that
 * pay? Else rc->idle says why not. Nothing for a change of size. */
void nereus_balance_judge(struct reconfiguration *rc);

#endif
