/** @file schedulers.c  Lists the schedulers. A new one: file schedule_NAME.c, entry here. */
#include "simulation.h"

#define SCHEDULER_LIST(X) X(fcfs, "fcfs") X(easy, "easy") X(conservative, "conservative")

#define DECLARE(symbol, name) extern const struct nereus_sim_scheduler nereus_sim_schedule_##symbol;
SCHEDULER_LIST(DECLARE)
#undef DECLARE

#define REFER(symbol, name) &nereus_sim_schedule_##symbol,
const struct nereus_sim_scheduler *const nereus_sim_schedulers[] = {SCHEDULER_LIST(REFER) NULL};

#define NAME(symbol, name) name,
const char *const nereus_sim_scheduler_names[] = {SCHEDULER_LIST(NAME) NULL};
