/**
 * @file application.c
 * Reads the file of an application that a policy is tried on (modelled_run.c).
 */
#include "application.h"

#include "keys.h"

struct reading {
    struct nereus_application *application;
    char shape[NEREUS_POLICY_PATH_MAX];
};

#define IN_APPLICATION(member) offsetof(struct nereus_application, member)
#define IN_CALL(member)        offsetof(struct nereus_monitored_call, member)

const struct nereus_key nereus_application_keys[] = {
    {"application", "name", "text", "name in titles (application)", NEREUS_KEY_TEXT,
     IN_APPLICATION(name), 0, 0, NULL, 0},
    {"application", "iterations", "iterations", "iterations of the whole run (1000)",
     NEREUS_KEY_INTEGER, IN_APPLICATION(iterations), 1, 1e12, NULL, 0},
    {"application", "work", "work", "work of one iteration, power x seconds (1)", NEREUS_KEY_NUMBER,
     IN_APPLICATION(work), 0, 0, NULL, 0},
    {"application", "start", "time", "time before the first iteration, which has no price (0)",
     NEREUS_KEY_SECONDS, IN_APPLICATION(start_s), 0, 0, NULL, 0},
    {"application", "bytes", "bytes", "data that a change moves (0)", NEREUS_KEY_BYTES,
     IN_APPLICATION(bytes), 0, 0, NULL, 0},
    {"application", "real_computation", "factor",
     "real time of computation over that by work and powers (1)", NEREUS_KEY_NUMBER,
     IN_APPLICATION(real_computation), 1e-6, 1e6, NULL, 0},
    {"application", "real_communication", "factor",
     "real time of communication over that of the model (1)", NEREUS_KEY_NUMBER,
     IN_APPLICATION(real_communication), 1e-6, 1e6, NULL, 0},
    {"shape", "work", "numbers",
     "work of equal parts of the run, relative to each other, recorded before (1)", NEREUS_KEY_TEXT,
     0, 0, 0, NULL, 0},
    {"call NAME", "bytes", "bytes",
     "bytes of one process' part; of all processes for gatherv, allgather and alltoall (0)",
     NEREUS_KEY_BYTES, IN_CALL(bytes), 0, 0, NULL, 0},
    {"call NAME", "per_iteration", "calls", "calls in each iteration (1)", NEREUS_KEY_NUMBER,
     IN_CALL(per_iteration), 0, 0, NULL, 0},
    {NULL, NULL, NULL, NULL, NEREUS_KEY_TEXT, 0, 0, 0, NULL, 0}};

static void *begin_call(struct nereus_application *application, const char *name,
                        struct nereus_error *err)
{
    const enum nereus_collective collective = nereus_collective_from_name(name);
    if (collective == NEREUS_COLLECTIVE_NONE) {
        nereus_fail(
            err, NEREUS_ERR_PARSE,
            "'%.160s' is no collective: [call NAME] takes barrier, bcast, reduce, allreduce, "
            "gatherv, allgather or alltoall",
            name);
        return NULL;
    }
    if (application->call_count == NEREUS_MONITORED_CALLS_MAX) {
        nereus_fail(err, NEREUS_ERR_ARGUMENT, "more than %d calls", NEREUS_MONITORED_CALLS_MAX);
        return NULL;
    }
    struct nereus_monitored_call *call = &application->calls[application->call_count++];
    *call = (struct nereus_monitored_call){.collective = collective, .per_iteration = 1};
    return call;
}

static void *begin_section(void *user, const char *section, const char *name,
                           struct nereus_error *err)
{
    struct reading *r = user;
    if (strcmp(section, "call") == 0)
        return begin_call(r->application, name, err);
    return strcmp(section, "shape") == 0 ? (void *)r->shape : (void *)r->application;
}

enum nereus_status nereus_application_read(const char *path, struct nereus_application *application,
                                           struct nereus_error *err)
{
    struct nereus_application read = {.name = "application",
                                      .iterations = 1000,
                                      .work = 1,
                                      .real_computation = 1,
                                      .real_communication = 1};
    struct reading r = {.application = &read};
    char what[300];
    const struct nereus_key_file file = {"application file", nereus_application_keys,
                                         "[application], [shape] or [call NAME]", begin_section,
                                         &r};
    NEREUS_TRY(nereus_keys_read(path, &file, err));
    snprintf(what, sizeof what, "%.200s: work in [shape]", path);
    NEREUS_TRY(nereus_work_shape_parse(what, r.shape, &read.shape, err));
    *application = read;
    return NEREUS_OK;
}

double nereus_application_work(const struct nereus_application *application, int64_t first,
                               int64_t iterations)
{
    const double all = (double)application->iterations;
    return application->work * all *
           nereus_work_shape_interval_share(&application->shape, all, (double)first,
                                            (double)(first + iterations));
}
