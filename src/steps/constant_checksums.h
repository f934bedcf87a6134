/**
 * @file constant_checksums.h
 * NEREUS_CHECK=1: detects constant data that is modified while it moves during iterations.
 */
#ifndef NEREUS_SRC_STEPS_CONSTANT_CHECKSUMS_H
#define NEREUS_SRC_STEPS_CONSTANT_CHECKSUMS_H

#include "reconfiguration.h"

/** Store a checksum of each constant datum, before it moves. */
void nereus_constant_checksums_store(struct reconfiguration *reconfig);
/** Compare before the last agreement: a difference is a failure of this process. */
void nereus_constant_checksums_compare(struct reconfiguration *reconfig);

#endif
