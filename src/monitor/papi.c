/**
 * @file papi.c
 * Loads PAPI at run time: a program with libnereus also runs without PAPI. The functions and
 * constants of its low-level interface that are used here are the same in versions 5 to 7 (papi.c),
 * and are declared in this file.
 *
 * NEREUS_PAPI gives the path of the library if the loader does not find it.
 */
#include <dlfcn.h>

#include "sample.h"

enum { PAPI_OK = 0, PAPI_NULL = -1, PAPI_LIB_VERSION = 21 };
static const unsigned major_and_minor = 0xffff0000U; /* mask as in PAPI_VER_CURRENT */

/* Double-precision operations first, if the processor counts them separately. */
static const char *const events[WORK_PAPI_EVENTS] = {"PAPI_DP_OPS", "PAPI_FP_OPS", "PAPI_SP_OPS"};

/* The unversioned name belongs to a development package; the others are sonames. */
static const char *const libraries[] = {"libpapi.so",     "libpapi.so.7.2", "libpapi.so.7.1",
                                        "libpapi.so.7.0", "libpapi.so.6.0", "libpapi.so.5.7"};

static void *load_papi(struct work_counter *counter)
{
    const char *given = getenv("NEREUS_PAPI");
    const bool named = given != NULL && given[0] != '\0';
    void *library = named ? dlopen(given, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t i = 0; !named && library == NULL && i < NEREUS_COUNT_OF(libraries); i++)
        library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL && named)
        snprintf(counter->why, sizeof counter->why, "PAPI: %.200s", dlerror());
    else if (library == NULL)
        snprintf(counter->why, sizeof counter->why, "PAPI is not installed");
    return library;
}

/* Look up a function of the library. `function` is a pointer to a function pointer. */
static bool find_function(struct work_counter *counter, const char *name, void *function)
{
    void *address = dlsym(counter->papi, name);
    memcpy(function, &address, sizeof address);
    if (address == NULL)
        snprintf(counter->why, sizeof counter->why, "PAPI: the library has no %s", name);
    return address != NULL;
}

static bool explain_failure(struct work_counter *counter, const char *call, int code)
{
    const char *(*text)(int) = NULL;
    const char *words = find_function(counter, "PAPI_strerror", &text) ? text(code) : NULL;
    snprintf(counter->why, sizeof counter->why, "PAPI: %s: %.120s", call,
             words != NULL ? words : "unknown error");
    return false;
}

static bool begin_papi(struct work_counter *counter)
{
    int (*get_opt)(int, void *), (*init)(int), (*create)(int *), code;
    if (!find_function(counter, "PAPI_get_opt", &get_opt) ||
        !find_function(counter, "PAPI_library_init", &init) ||
        !find_function(counter, "PAPI_create_eventset", &create))
        return false;
    const int version = (int)((unsigned)get_opt(PAPI_LIB_VERSION, NULL) & major_and_minor);
    code = init(version);
    if (code != version)
        return explain_failure(counter, "PAPI_library_init", code);
    code = create(&counter->event_set);
    return code == PAPI_OK || explain_failure(counter, "PAPI_create_eventset", code);
}

static bool choose_event(struct work_counter *counter)
{
    int (*add)(int, const char *), code = PAPI_OK;
    if (!find_function(counter, "PAPI_add_named_event", &add))
        return false;
    for (int i = counter->event_number; i < WORK_PAPI_EVENTS; i++) {
        code = add(counter->event_set, events[i]);
        if (code == PAPI_OK) {
            counter->event_number = i;
            snprintf(counter->event, sizeof counter->event, "%s", events[i]);
            return true;
        }
    }
    return explain_failure(counter, "no floating-point operations can be counted", code);
}

static bool start_counting(struct work_counter *counter)
{
    int (*begin_counting)(int), code;
    if (!find_function(counter, "PAPI_start", &begin_counting))
        return false;
    code = begin_counting(counter->event_set);
    return code == PAPI_OK || explain_failure(counter, "PAPI_start", code);
}

bool nereus_papi_open(struct work_counter *counter)
{
    counter->event_set = PAPI_NULL;
    counter->papi = load_papi(counter);
    if (counter->papi == NULL)
        return false;
    if (begin_papi(counter) && choose_event(counter) && start_counting(counter))
        return true;
    nereus_papi_close(counter);
    return false;
}

bool nereus_papi_read(const struct work_counter *counter, double *flop)
{
    int (*read_counters)(int, long long *);
    long long value = 0;
    void *address = dlsym(counter->papi, "PAPI_read");
    memcpy(&read_counters, &address, sizeof address);
    if (address == NULL || read_counters(counter->event_set, &value) != PAPI_OK)
        return false;
    *flop = (double)value;
    return true;
}

/* The library is loaded once and stays loaded, as its threads may be running. */
void nereus_papi_close(struct work_counter *counter)
{
    int (*stop)(int, long long *);
    long long value = 0;
    if (counter->papi != NULL && counter->event[0] != '\0' &&
        find_function(counter, "PAPI_stop", &stop))
        stop(counter->event_set, &value);
    counter->papi = NULL;
    counter->event[0] = '\0';
}
