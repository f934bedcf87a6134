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

/* Registers all fields, and fills those that this process has not received. */
enum nereus_status grids_register(struct grids *grids, nereus_job *job, const int64_t *iteration);
/* Sets variable fields to their values of this iteration. */
void grids_change(struct grids *grids);
/*
 * Checks the own elements.
 * @return NULL, or what differs
 */
const char *grids_check(const struct grids *grids);
/*
 * Checks halos after an exchange, neighbours and Cartesian coordinates. Collective.
 * @return NULL, or what differs
 */
const char *grids_check_halos(const struct grids *grids);
