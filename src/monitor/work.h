/** @file work.h  Counters of work of a process. */
#ifndef NEREUS_SRC_MONITOR_WORK_H
#define NEREUS_SRC_MONITOR_WORK_H

#include "nereus/nereus.h"

enum { WORK_WHY_MAX = 400 };

/** The counter of the work of this thread. */
struct work_counter {
    enum nereus_work kind;
    int perf;               /**< descriptor; -1: none */
    void *papi;             /**< the library; NULL: none */
    int event_set;          /**< PAPI's event set */
    int event_number;       /**< index in the list of papi.c, which is tried in this order */
    char event[16];         /**< counted event; "": none */
    char why[WORK_WHY_MAX]; /**< reasons why better kinds of work cannot be counted; "": none */
};

/** Levels of counting, in the order in which they are tried: the events of PAPI, then the other
 * kinds of enum nereus_work. */
enum { WORK_PAPI_EVENTS = 3, WORK_LEVELS = WORK_PAPI_EVENTS + NEREUS_WORK_COUNT - 1 };

int nereus_work_level(const struct work_counter *counter);
/** First level of a kind. */
int nereus_work_first_level(enum nereus_work kind);
/** Open the first countable level from `level` on; CPU time is always countable. Counts the calling
 * thread, and with instructions also threads that it starts later. */
void nereus_work_open(struct work_counter *counter, int level);
/** Work since the counter was opened, in the unit of its kind; cpu_s: CPU time of this process now.
 * A counter that has failed returns 0. */
double nereus_work_read(const struct work_counter *counter, double cpu_s);
void nereus_work_close(struct work_counter *counter);

#endif
