/**
 * @file grids.h
 * Grids of all kinds with fields: halos, periodic, block-cyclic, shared by two fields, and one whose
 * parts are large.
 */
#pragma once

#include "nereus/nereus.h"

enum { FIELDS = 5 };

struct grids {
    nereus_job *job;
    const int64_t *iteration;
    int fields[FIELDS], grids[FIELDS];
};

/* Registers all, and fills in those of a process that has not received any. */
enum nereus_status grids_register(struct grids *grids, nereus_job *job, const int64_t *iteration);
/* Variable fields as they must be in this iteration. */
void grids_change(struct grids *grids);
/* @return NULL, or what is wrong: own elements */
const char *grids_check(const struct grids *grids);
/* @return NULL, or what is wrong: halos after an exchange, neighbours, Cartesian coordinates.
 * Collective. */
const char *grids_check_halos(const struct grids *grids);
