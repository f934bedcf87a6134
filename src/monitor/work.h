/* What a process' work is counted in, and how much it has done. Private to src/. */
#ifndef NEREUS_SRC_MONITOR_WORK_H
#define NEREUS_SRC_MONITOR_WORK_H

#include "nereus/nereus.h"

enum { WORK_WHY_MAX = 400 };

struct work_counter {
    enum nereus_work kind;
    int perf;               /* descriptor; -1: none */
    void *papi;             /* the library; NULL: none */
    int event_set;          /* of PAPI */
    int event_number;       /* in papi.c's list: those with a higher number are tried after it */
    char event[16];         /* that it counts; "": none */
    char why[WORK_WHY_MAX]; /* what was tried before, and failed; "": nothing */
};

/* What can be counted, in the order in which it is tried: the events of PAPI, then the kinds of
 * enum nereus_work behind floating-point operations. */
enum { WORK_PAPI_EVENTS = 3, WORK_LEVELS = WORK_PAPI_EVENTS + NEREUS_WORK_COUNT - 1 };

/* The level of a counter; of a kind, the first one. */
int nereus_work_level(const struct work_counter *counter);
int nereus_work_first_level(enum nereus_work kind);
/* The first level from `level` on that can be counted here; CPU time always can. Counts the calling
 * thread, and with instructions those that it starts later. */
void nereus_work_open(struct work_counter *counter, int level);
/* Since it was opened, in units of its kind; cpu_s: CPU time of this process, as measured now. A
 * counter that fails is at 0 from then on. */
double nereus_work_read(const struct work_counter *counter, double cpu_s);
void nereus_work_close(struct work_counter *counter);

#endif
