/* A change of size: as it was asked for, and as it will be carried out. Private to src/. */
#ifndef NEREUS_SRC_REQUEST_H
#define NEREUS_SRC_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/layout.h"
#include "nereus/method.h"
#include "nereus/price.h"
#include "nereus/request.h"

enum { RELEASE_MAX = 64, LAYOUT_MAX = 64, GAINS_MAX = 16 };

/* Why data is to move at the same size, as rank 0 has found it (core/balance.h). Plain data. */
struct balance_request {
    bool asked;     /* false: the move is not judged by what it gains */
    bool too_early; /* monitoring goes on, and powers stay as they were */
    /* Computing time of an iteration: of the slowest process, and were all balanced */
    double slowest_s, mean_s;
};

/* Plain data: it travels to other processes as it is. */
struct resize_request {
    int64_t point; /* of a schedule: the malleability point at which it is due */
    int64_t nt;
    struct nereus_method method;
    /* No method was named: rank 0 chooses one when the request is carried out (core/choose.c) */
    bool open;
    bool by_model;                /* it was chosen by the cost model (core/by_model.c) */
    int64_t release[RELEASE_MAX]; /* nodes to be given back, as indices in the machine */
    int64_t release_count;
    bool loses; /* the machine loses these nodes */
    /* Nodes that the machine gains; their cores are single ones */
    struct nereus_node gains[GAINS_MAX];
    int64_t gain_count;
    /* Node indices refer to the machine after this many changes (job.h) */
    int64_t machine_changes;
    /* Processes by node afterwards, none on any other; layout_count 0: as the rules say */
    struct nereus_group layout[LAYOUT_MAX];
    int64_t layout_count;
    bool spread; /* the layout is one process a node in turn, of the machine as it is then */
    struct balance_request balance;
    int64_t asked; /* its number among those from outside (asked_records.h); 0: the program's own */
    double deadline_s; /* Unix time; not begun by then: given up; 0: none */
};

/* Why a method was chosen, for the trace and the outcome's sentence. Plain data. */
struct method_choice {
    bool by_model; /* else by the rule of choose.c, for `reason` */
    char reason
        [160]; /* the profile, and how it was found; or why there was no choice by the model */
    struct nereus_interval rt_s;     /* predicted */
    double t_ex_s;                   /* predicted, from the decision on */
    double t_iter_ns_s, t_iter_nt_s; /* measured; and as `scaling` says */
    const char *scaling;             /* "measured", "power law", or the law's name */
    int candidates;                  /* that could be predicted */
    double decided_s;                /* what the choice took */
};

#endif
