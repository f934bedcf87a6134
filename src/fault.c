/* Injected faults: see fault.h. */
#include "fault.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Main and auxiliary threads ask. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool read;
    enum nereus_step_kind step;
    int rank;
    bool spent;
} fault;

static void read_fault(void)
{
    char token[32] = "";
    const char *text = getenv("NEREUS_FAULT");
    fault.read = true;
    fault.spent = true;
    const char *colon = text != NULL ? strchr(text, ':') : NULL;
    if (colon == NULL || (size_t)(colon - text) >= sizeof token)
        return;
    memcpy(token, text, (size_t)(colon - text));
    fault.step = strcmp(token, "thread") == 0 ? NEREUS_FAULT_THREAD : nereus_step_from_name(token);
    fault.rank = atoi(colon + 1);
    fault.spent = false;
}

bool nereus_fault(enum nereus_step_kind step, int rank)
{
    pthread_mutex_lock(&lock);
    if (!fault.read)
        read_fault();
    const bool here = !fault.spent && fault.step == step && fault.rank == rank;
    fault.spent = fault.spent || here;
    pthread_mutex_unlock(&lock);
    return here;
}

void nereus_fault_report(enum nereus_step_kind step, struct nereus_error *failure)
{
    if (failure->status == NEREUS_OK)
        nereus_fail(failure, NEREUS_ERR_MEMORY, "injected failure of the step '%s'", nereus_step_name(step));
}
