/**
 * @file transfer.h
 * Moves data in the steps of a plan: its redistributions as transfers (transfer.c), data that the
 * application moves itself (options.mover; mover.c); with NEREUS_CHECK=1 detects constant data that
 * is modified meanwhile (constant_checksums.c).
 */
#pragma once

#include "reconfiguration.h"
#include "src/move/exchange.h"

/** Reserve memory for the plan's redistributions. New parts must exist. */
enum nereus_status nereus_transfers_reserve(struct reconfiguration *reconfig,
                                            struct nereus_error *err);
/** Must the size of this data be queried again? This is true of custom data if the application has
 * run between the decision and the step that moves it. */
bool nereus_must_query_size_again(const struct nereus_plan *plan,
                                  const struct nereus_data_entry *entry);
/** Must that of any data of the record? All processes find the same answer, sources and new ones,
 * also one that has registered other data than the root. */
bool nereus_must_query_any_size_again(const struct reconfiguration *reconfig);
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

/** Let the application allocate, in the step allocate. A failure is this process' own, and agreed
 * on before anything moves. */
enum nereus_status nereus_mover_prepare(struct reconfiguration *reconfig, struct nereus_error *err);
/** Let the application move its data, in the last redistribution; a failure is left in
 * reconfig->failure. Collective over sources and targets. */
enum nereus_status nereus_mover_move(struct reconfiguration *reconfig);
/** End the move, at the commit or at the roll-back. No effect if prepare was not called. */
void nereus_mover_end(struct reconfiguration *reconfig, bool committed);

/** Store a checksum of each constant datum, before it moves. */
void nereus_constant_checksums_store(struct reconfiguration *reconfig);
/** Compare before the last agreement: a difference is a failure of this process. */
void nereus_constant_checksums_compare(struct reconfiguration *reconfig);
