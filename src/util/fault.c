/** @file fault.c  Parses the list of faults once, at the first step; each fault fires once. */
#include "fault.h"

#include <pthread.h>
#include <signal.h>

enum { FAULTS_MAX = 32, ANY_RECONFIGURATION = 0 };

struct fault {
    enum nereus_step_kind step;
    int rank;
    int64_t number; /* number of the reconfiguration; or any */
    bool dies;      /* kill the process instead */
    bool spent;
};

/* called by main and auxiliary threads */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool read;
    struct fault list[FAULTS_MAX];
    int count;
    int64_t number; /* number of the present reconfiguration */
} faults;

/* Names of injection points that are not steps, in the order of fault.h.
 * @return -1: none */
static int find_injection_point(const char *name)
{
    static const char *const places[] = {"thread",  "reserve",   "cuts",  "accept",
                                         "window",  "statement", "look",  "merging",
                                         "opening", "closing",   "moving"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(places); i++)
        if (strcmp(name, places[i]) == 0)
            return (int)(NEREUS_FAULT_THREAD + i);
    const enum nereus_step_kind step = nereus_step_from_name(name);
    return step == NEREUS_STEP_KIND_COUNT ? -1 : (int)step;
}

/* Parse "STEP:RANK" or "STEP:RANK@NUMBER", up to a comma.
 * @return the rest; NULL: invalid */
static const char *parse_fault(const char *text)
{
    char token[32] = "", *end;
    const size_t name = strcspn(text, ":,");
    struct fault *fault = &faults.list[faults.count];
    if (text[name] != ':' || name >= sizeof token || faults.count == FAULTS_MAX)
        return NULL;
    memcpy(token, text, name);
    fault->dies = strncmp(token, "die-", 4) == 0;
    const int place = find_injection_point(fault->dies ? token + 4 : token);
    const char *rank = text + name + 1, *number = NULL;
    fault->step = (enum nereus_step_kind)place;
    fault->rank = (int)strtol(rank, &end, 10);
    fault->number = ANY_RECONFIGURATION;
    if (end > rank && *end == '@') {
        number = end + 1;
        fault->number = strtoll(number, &end, 10);
    }
    if (place < 0 || end == rank || end == number || (*end != ',' && *end != '\0'))
        return NULL;
    faults.count++;
    return *end == ',' ? end + 1 : end;
}

/* @return false: invalid list */
static bool parse_faults(void)
{
    const char *text = getenv("NEREUS_FAULT");
    faults.read = true;
    faults.count = 0;
    while (text != NULL && *text != '\0')
        text = parse_fault(text);
    return text != NULL || getenv("NEREUS_FAULT") == NULL;
}

enum nereus_status nereus_fault_check(struct nereus_error *err)
{
    pthread_mutex_lock(&lock);
    const bool good = faults.read || parse_faults();
    pthread_mutex_unlock(&lock);
    return good ? NEREUS_OK
                : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                              "NEREUS_FAULT is '%.160s' and must be STEP:RANK or STEP:RANK@NUMBER, "
                              "or several with commas between (tests/README.md)",
                              getenv("NEREUS_FAULT"));
}

void nereus_fault_set_number(int64_t number)
{
    pthread_mutex_lock(&lock);
    faults.number = number;
    pthread_mutex_unlock(&lock);
}

/* Spend the first fault that is due.
 * @return false: none is */
static bool take_fault(enum nereus_step_kind step, int rank, bool dies)
{
    bool fires = false;
    pthread_mutex_lock(&lock);
    if (!faults.read)
        parse_faults();
    for (int i = 0; i < faults.count && !fires; i++) {
        struct fault *fault = &faults.list[i];
        fires = !fault->spent && fault->step == step && fault->rank == rank &&
                fault->dies == dies &&
                (fault->number == ANY_RECONFIGURATION || fault->number == faults.number);
        fault->spent = fault->spent || fires;
    }
    pthread_mutex_unlock(&lock);
    return fires;
}

bool nereus_fault_applies(enum nereus_step_kind step, int rank)
{
    return take_fault(step, rank, false);
}

void nereus_fault_die(enum nereus_step_kind step, int rank)
{
    if (take_fault(step, rank, true))
        raise(SIGKILL);
}

void nereus_fault_report(enum nereus_step_kind step, struct nereus_error *failure)
{
    if (failure->status == NEREUS_OK)
        nereus_fail(failure, NEREUS_ERR_MEMORY, "injected failure of the step '%s'",
                    nereus_step_name(step));
}
