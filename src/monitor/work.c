/**
 * @file work.c
 * Counts work: floating-point operations by PAPI, else instructions by the kernel, else CPU time.
 */
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sample.h"

/* Append why a kind of work cannot be counted. */
static void add_reason(struct work_counter *counter, const char *what, const char *why)
{
    const size_t length = strlen(counter->why);
    snprintf(counter->why + length, sizeof counter->why - length, "%s%s: %s",
             length > 0 ? "; " : "", what, why);
}

static bool open_instructions(struct work_counter *counter)
{
    struct perf_event_attr wanted = {.type = PERF_TYPE_HARDWARE,
                                     .size = sizeof wanted,
                                     .config = PERF_COUNT_HW_INSTRUCTIONS,
                                     .inherit = 1,
                                     .exclude_kernel = 1,
                                     .exclude_hv = 1};
    counter->perf = (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (counter->perf < 0)
        add_reason(counter, "perf_event_open (instructions)", strerror(errno));
    return counter->perf >= 0;
}

int nereus_work_first_level(enum nereus_work kind)
{
    return kind == NEREUS_WORK_FLOP ? 0 : WORK_PAPI_EVENTS + (int)kind - NEREUS_WORK_INSTRUCTIONS;
}

int nereus_work_level(const struct work_counter *counter)
{
    return counter->kind == NEREUS_WORK_FLOP ? counter->event_number
                                             : nereus_work_first_level(counter->kind);
}

void nereus_work_open(struct work_counter *counter, int level)
{
    const int beyond = level - WORK_PAPI_EVENTS;
    *counter = (struct work_counter){
        .kind =
            beyond < 0 ? NEREUS_WORK_FLOP : (enum nereus_work)(NEREUS_WORK_INSTRUCTIONS + beyond),
        .event_number = level,
        .perf = -1};
    if (counter->kind == NEREUS_WORK_FLOP && !nereus_papi_open(counter))
        counter->kind = NEREUS_WORK_INSTRUCTIONS;
    if (counter->kind == NEREUS_WORK_INSTRUCTIONS && !open_instructions(counter))
        counter->kind = NEREUS_WORK_CPU_TIME;
}

double nereus_work_read(const struct work_counter *counter, double cpu_s)
{
    uint64_t instructions = 0;
    double flop = 0;
    switch (counter->kind) {
    case NEREUS_WORK_FLOP:
        return nereus_papi_read(counter, &flop) ? flop : 0;
    case NEREUS_WORK_INSTRUCTIONS:
        return read(counter->perf, &instructions, sizeof instructions) == sizeof instructions
                   ? (double)instructions
                   : 0;
    default:
        return cpu_s;
    }
}

void nereus_work_close(struct work_counter *counter)
{
    nereus_papi_close(counter);
    if (counter->perf >= 0)
        close(counter->perf);
    counter->perf = -1;
}
