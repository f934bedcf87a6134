/**
 * @file papi_stub.c
 * Stands in for PAPI on machines without counters: the functions that src/monitor/papi.c calls,
 * with PAPI's numbers. Each reading finds 1000 operations more than the one before, so that an
 * interval has 1000. NEREUS_TEST_PAPI: what fails (init, event, start), or "old": a version that
 * knows PAPI_FP_OPS alone; "mixed": one that knows it, too, and in the process of rank 1 nothing
 * else.
 */
#include <stdlib.h>
#include <string.h>

int PAPI_get_opt(int option, void *value);
int PAPI_library_init(int version);
int PAPI_create_eventset(int *set);
int PAPI_add_named_event(int set, const char *name);
int PAPI_start(int set);
int PAPI_read(int set, long long *values);
int PAPI_stop(int set, long long *values);
const char *PAPI_strerror(int code);

enum {
    OK = 0,
    EINVAL_ = -1,
    ENOEVNT = -7,
    ECMP = -4,
    LIB_VERSION = 21,
    VERSION = 0x07010003,
    SET = 5
};

static int started;
static long long count;

static int is(const char *what)
{
    const char *set = getenv("NEREUS_TEST_PAPI");
    return set != NULL && strcmp(set, what) == 0;
}

int PAPI_get_opt(int option, void *value)
{
    return option == LIB_VERSION && value == NULL ? VERSION : EINVAL_;
}

/* PAPI wants major and minor number of its own version. */
int PAPI_library_init(int version)
{
    return is("init") || version != (VERSION & ~0xffff) ? ECMP : version;
}

int PAPI_create_eventset(int *set)
{
    if (*set != -1)
        return EINVAL_;
    *set = SET;
    return OK;
}

int PAPI_add_named_event(int set, const char *name)
{
    if (set != SET || is("event"))
        return ENOEVNT;
    const char *rank = getenv("PMI_RANK");
    const int both = is("mixed") && (rank == NULL || strcmp(rank, "1") != 0);
    const int old = is("old") || (is("mixed") && !both);
    return (strcmp(name, "PAPI_FP_OPS") == 0 && (old || both)) ||
                   (strcmp(name, "PAPI_DP_OPS") == 0 && !old)
               ? OK
               : ENOEVNT;
}

int PAPI_start(int set)
{
    started = set == SET && !is("start");
    return started ? OK : EINVAL_;
}

int PAPI_read(int set, long long *values)
{
    if (set != SET || !started)
        return EINVAL_;
    count += 1000;
    *values = count;
    return OK;
}

int PAPI_stop(int set, long long *values)
{
    const int code = PAPI_read(set, values);
    started = 0;
    return code;
}

const char *PAPI_strerror(int code)
{
    return code == ENOEVNT ? "Event does not exist" : "Invalid argument";
}
