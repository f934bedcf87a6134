/* The redistributions of a plan, as transfers (src/move/exchange.h). Private to src/. */
#ifndef NEREUS_SRC_TRANSFER_H
#define NEREUS_SRC_TRANSFER_H

#include "reconfiguration.h"
#include "src/move/exchange.h"

/* Memory for all that the plan's redistributions need. New parts must be there. */
enum nereus_status nereus_transfers_reserve(struct reconfiguration *rc, struct nereus_error *err);
/* Custom data that moves when the application has run since the decision, and stands still again:
 * its bytes are asked anew then. */
bool nereus_is_measured_again(const struct nereus_plan *plan,
                              const struct nereus_data_entry *entry);
/* With an overlap: memory for variable data was reserved before the application went on, and here is
 * what of it has another size now, or is asked for now. */
bool nereus_transfer_is_late(const struct reconfiguration *rc, const struct nereus_step *step);
enum nereus_status nereus_transfer_renew(struct reconfiguration *rc, const struct nereus_step *step,
                                         struct nereus_error *err);
/* Everything that moved data or would have; nothing if there is none. */
void nereus_transfers_free(struct reconfiguration *rc);
/* Who exchanges with whom, once they are reserved. */
const struct exchange *nereus_transfers_exchange(const struct reconfiguration *rc);
/* Have they made windows that are not freed yet? */
bool nereus_transfers_hold_windows(const struct reconfiguration *rc);

/* The transfer of a step, once allocate has succeeded here: its beginning, itself, and its end,
 * which frees its memory. */
enum nereus_status nereus_transfer_begin(struct reconfiguration *rc,
                                         const struct nereus_step *step);
struct transfer *nereus_transfer_of_step(const struct reconfiguration *rc,
                                         const struct nereus_step *step);
void nereus_transfer_end(struct reconfiguration *rc, const struct nereus_step *step);

#endif
