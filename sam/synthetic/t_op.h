/**
 * @file t_op.h
 * Reads T_op from the profile of this machine, so that each run carries out the same operations. No
 * MPI here.
 */
#pragma once

#include "config.h"

/** Entries of T_op: by enum sam_stage_type (SAM_PI, SAM_MATRIX), then its source. */
enum { SAM_T_OP_FROM_PROFILE = SAM_MATRIX + 1, SAM_T_OP_COUNT };

/**
 * Look T_op up for all stages that compute.
 * @param[out] t_op_s  SAM_T_OP_COUNT values; 0 for kinds that no stage has; the last one is 1
 * @return false: there is no profile of this machine, or it has not all of them
 */
bool sam_t_op_read_profile(const struct sam_config *config, double t_op_s[SAM_T_OP_COUNT]);
