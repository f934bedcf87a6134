/**
 * @file application.c
 * Reads the file of an application that a policy is tried on (modelled_run.c).
 */
#include "application.h"

#include "keys.h"

struct reading {
    struct nereus_application *application;
    char shape[NEREUS_POLICY_PATH_MAX];
    int lines[NEREUS_INI_KEYS_MAX];
    int call_lines[NEREUS_MONITORED_CALLS_MAX][NEREUS_INI_KEYS_MAX];
};

enum { APPLICATION, SHAPE, CALL };

static const struct nereus_ini_section sections[] = {
    [APPLICATION] = {"application", NULL, 0},
    [SHAPE] = {"shape", NULL, 0},
    [CALL] = {"call", NULL, NEREUS_INI_NAMED},
};

#define IN_APPLICATION(member) APPLICATION, offsetof(struct nereus_application, member)
#define IN_CALL(member)        CALL, offsetof(struct nereus_monitored_call, member)
#define IN_SHAPE               SHAPE, 0
#define TEXT                   NEREUS_INI_TEXT(0, NEREUS_POLICY_PATH_MAX)

static const struct nereus_ini_key keys[] = {
    NEREUS_INI_KEY(IN_APPLICATION(name), TEXT, "application", NULL, "name in titles", "name"),
    NEREUS_INI_KEY(IN_APPLICATION(iterations), NEREUS_INI_INTEGER(1, 1e12), "1000", NULL,
                   "iterations of the whole run", "iterations"),
    NEREUS_INI_KEY(IN_APPLICATION(work), NEREUS_INI_NUMBER(0, INFINITY), "1", NULL,
                   "work of one iteration, power x seconds", "work"),
    NEREUS_INI_KEY(IN_APPLICATION(start_s), NEREUS_INI_SECONDS, NULL, "0",
                   "time before the first iteration, which has no price", "start"),
    NEREUS_INI_KEY(IN_APPLICATION(bytes), NEREUS_INI_REAL_BYTES(0, 1e18), NULL, "0",
                   "data that a change moves", "bytes"),
    NEREUS_INI_KEY(IN_APPLICATION(real_computation), NEREUS_INI_NUMBER(1e-6, 1e6), "1", NULL,
                   "real time of computation over that by work and powers", "real_computation"),
    NEREUS_INI_KEY(IN_APPLICATION(real_communication), NEREUS_INI_NUMBER(1e-6, 1e6), "1", NULL,
                   "real time of communication over that of the model", "real_communication"),
    NEREUS_INI_KEY(
        IN_SHAPE, TEXT, NULL, "1",
        "work of equal parts of the run, numbers relative to each other, recorded before", "work"),
    NEREUS_INI_KEY(
        IN_CALL(bytes), NEREUS_INI_REAL_BYTES(0, 1e18), NULL, "0",
        "bytes of one process' part; of all processes for gatherv, allgather and alltoall",
        "bytes"),
    NEREUS_INI_KEY(IN_CALL(per_iteration), NEREUS_INI_NUMBER(0, INFINITY), "1", NULL,
                   "calls in each iteration", "per_iteration"),
};

NEREUS_INI_CHECK_LIMITS(NEREUS_COUNT_OF(sections), NEREUS_COUNT_OF(keys));
const struct nereus_ini_table nereus_application_keys = {sections, NEREUS_COUNT_OF(sections), keys,
                                                         NEREUS_COUNT_OF(keys)};

static enum nereus_status begin_call(struct reading *r, const char *name,
                                     struct nereus_ini_storage *storage, struct nereus_error *err)
{
    struct nereus_application *application = r->application;
    const enum nereus_collective collective = nereus_collective_from_name(name);
    if (collective == NEREUS_COLLECTIVE_NONE)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "'%.160s' is no collective: [call NAME] takes barrier, bcast, reduce, allreduce, "
            "gatherv, allgather or alltoall",
            name);
    if (application->call_count == NEREUS_MONITORED_CALLS_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "more than %d calls",
                           NEREUS_MONITORED_CALLS_MAX);
    const int i = application->call_count++;
    application->calls[i] = (struct nereus_monitored_call){.collective = collective};
    nereus_ini_keys_set_defaults(&nereus_application_keys, CALL, &application->calls[i]);
    *storage = (struct nereus_ini_storage){&application->calls[i], r->call_lines[i]};
    return NEREUS_OK;
}

static enum nereus_status begin_section(void *user, const struct nereus_ini_header *header,
                                        struct nereus_ini_storage *storage,
                                        struct nereus_error *err)
{
    struct reading *r = user;
    if (header->section == CALL)
        return begin_call(r, header->name, storage, err);
    void *values = header->section == SHAPE ? (void *)r->shape : (void *)r->application;
    *storage = (struct nereus_ini_storage){values, r->lines};
    return NEREUS_OK;
}

enum nereus_status nereus_application_read(const char *path, struct nereus_application *application,
                                           struct nereus_error *err)
{
    struct nereus_application read = {0};
    struct reading r = {.application = &read};
    char what[300];
    nereus_ini_keys_set_defaults(&nereus_application_keys, APPLICATION, &read);
    NEREUS_TRY(nereus_ini_keys_read_file(path, "application file", &nereus_application_keys,
                                         begin_section, &r, err));
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
