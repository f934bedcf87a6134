/**
 * @file round_robin.h
 * Data that the application moves itself: number k of all is in process k mod size, so that no
 * process has a range.
 */
#pragma once

#include "nereus/nereus.h"

struct round_robin {
    int numbers;                             /* of all processes */
    nereus_job *job;                         /* NULL before nereus_init */
    int64_t *own_numbers, *received_numbers; /* numbers rank, rank + size, ... of all */
    int64_t prepared, ended, changes; /* calls in this process; changes that were committed */
    const char *fails;                /* "prepare:1", as mover.c has it, or "" */
    int failing;                      /* the first reconfiguration is not complete */
    int64_t errors;
};

/* The functions that move it. */
struct nereus_mover round_robin_mover(struct round_robin *data);
/* The values at the beginning of the job. */
void round_robin_fill(struct round_robin *data);
/* One iteration. */
void round_robin_iterate(struct round_robin *data);
/* Checks the values after that many iterations; adds to `errors`. */
void round_robin_check(struct round_robin *data, int64_t iteration);
