/* Injected faults: see fault.h. */
#include "fault.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { FAULTS_MAX = 32, ANY_RECONFIGURATION = 0 };

struct fault {
    enum nereus_step_kind step;
    int rank;
    int64_t number; /* of the reconfiguration, or any */
    bool dies;      /* the process is killed there */
    bool spent;
};

/* Main and auxiliary threads ask. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool read;
    struct fault list[FAULTS_MAX];
    int count;
    int64_t number; /* of the reconfiguration under way */
} faults;

/* Places besides steps where a fault can be injected, in the order of fault.h. */
static enum nereus_step_kind find_place(const char *name)
{
    static const char *const places[] = {"thread",  "reserve",   "cuts",  "accept",
                                         "window",  "statement", "look",  "merging",
                                         "opening", "closing",   "moving"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(name, places[i]) == 0)
            return (enum nereus_step_kind)(NEREUS_FAULT_THREAD + i);
    return nereus_step_from_name(name);
}

/* "STEP:RANK" or "STEP:RANK@NUMBER", up to a comma. @return what follows it */
static const char *read_one(const char *text)
{
    char token[32] = "";
    const size_t length = strcspn(text, ","), name = strcspn(text, ":,");
    struct fault *fault = &faults.list[faults.count];
    if (text[name] == ':' && name < sizeof token) {
        char *end;
        memcpy(token, text, name);
        fault->dies = strncmp(token, "die-", 4) == 0;
        if (fault->dies)
            memmove(token, token + 4, sizeof token - 4);
        fault->step = find_place(token);
        fault->rank = (int)strtol(text + name + 1, &end, 10);
        fault->number = *end == '@' ? strtoll(end + 1, NULL, 10) : ANY_RECONFIGURATION;
        faults.count++;
    }
    return text[length] == ',' ? text + length + 1 : text + length;
}

static void read_faults(void)
{
    const char *text = getenv("NEREUS_FAULT");
    faults.read = true;
    while (text != NULL && *text != '\0' && faults.count < FAULTS_MAX)
        text = read_one(text);
}

void nereus_fault_number(int64_t number)
{
    pthread_mutex_lock(&lock);
    faults.number = number;
    pthread_mutex_unlock(&lock);
}

static bool look_up(enum nereus_step_kind step, int rank, bool dies)
{
    bool here = false;
    pthread_mutex_lock(&lock);
    if (!faults.read)
        read_faults();
    for (int i = 0; i < faults.count && !here; i++) {
        struct fault *fault = &faults.list[i];
        here = !fault->spent && fault->step == step && fault->rank == rank && fault->dies == dies &&
               (fault->number == ANY_RECONFIGURATION || fault->number == faults.number);
        fault->spent = fault->spent || here;
    }
    pthread_mutex_unlock(&lock);
    return here;
}

bool nereus_fault(enum nereus_step_kind step, int rank)
{
    return look_up(step, rank, false);
}

void nereus_fault_die(enum nereus_step_kind step, int rank)
{
    if (look_up(step, rank, true))
        raise(SIGKILL);
}

void nereus_fault_report(enum nereus_step_kind step, struct nereus_error *failure)
{
    if (failure->status == NEREUS_OK)
        nereus_fail(failure, NEREUS_ERR_MEMORY, "injected failure of the step '%s'",
                    nereus_step_name(step));
}
