/** @file transfer.h  The redistributions of a plan as transfers (src/move/exchange.h). */
#ifndef NEREUS_SRC_STEPS_TRANSFER_H
#define NEREUS_SRC_STEPS_TRANSFER_H

#include "reconfiguration.h"
#include "src/move/exchange.h"

/** Reserve memory for the plan's redistributions. New parts must exist. */
enum nereus_status nereus_transfers_reserve(struct reconfiguration *reconfig,
                                            struct nereus_error *err);
/** Must the size of this data be queried again? This is true of custom data if the application has
 * run between the decision and the step that moves it. */
bool nereus_is_measured_again(const struct nereus_plan *plan,
                              const struct nereus_data_entry *entry);
/** Is data of an overlap allocated in this step? Variable data is, as its size may have changed
 * since the decision. */
bool nereus_transfer_is_deferred(const struct reconfiguration *reconfig,
                                 const struct nereus_step *step);
/** Allocate the data that is deferred to this step (nereus_transfer_is_deferred). */
enum nereus_status nereus_transfer_renew(struct reconfiguration *reconfig,
                                         const struct nereus_step *step, struct nereus_error *err);
/** Free all transfers, if any. */
void nereus_transfers_free(struct reconfiguration *reconfig);
/** Participants of the reserved transfers. */
const struct exchange *nereus_transfers_exchange(const struct reconfiguration *reconfig);
/** Are windows open? */
bool nereus_transfers_hold_windows(const struct reconfiguration *reconfig);

/** Start the transfer of a step, after a successful allocate. */
enum nereus_status nereus_transfer_begin(struct reconfiguration *reconfig,
                                         const struct nereus_step *step);
/** The started transfer of a step. */
struct transfer *nereus_transfer_of_step(const struct reconfiguration *reconfig,
                                         const struct nereus_step *step);
/** End the transfer of a step, and free its memory. */
void nereus_transfer_end(struct reconfiguration *reconfig, const struct nereus_step *step);

#endif
