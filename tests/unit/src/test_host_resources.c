/**
 * @file test_host_resources.c
 * Host resources for new processes (src/start/host_resources.c), and what a full /dev/shm has to
 * do with the end of one (src/guard/shm_hint.h).
 */
#include <criterion/criterion.h>
#include <string.h>

#include "src/guard/shm_hint.h"
#include "src/start/host_resources.h"

enum { DOCKERS = 67108864, EACH = 5390336 }; /* MPICH 5.0.2 over ucx: 5264 KB a process */

static const struct {
    const char *what;
    struct nereus_host_resources resources;
    int64_t processes;
    const char *says; /* NULL: they suffice */
} rows[] = {
    {"nothing is known", {-1, -1, -1, "ulimit -u", -1, EACH, 4, 8 << 20}, 1000, NULL},
    {"docker's, of 2 to 12", {DOCKERS, 56320000, -1, "ulimit -u", -1, EACH, 4, 8 << 20}, 10, NULL},
    {"docker's, of 2 to 16",
     {DOCKERS, 56320000, -1, "ulimit -u", -1, EACH, 4, 8 << 20},
     14,
     "14 new processes need 75.5 MB in /dev/shm, which has 67.1 MB, of which 56.3 MB are free"},
    {"to the last byte", {10 * EACH, 8 * EACH, -1, "ulimit -u", -1, EACH, 4, 8 << 20}, 8, NULL},
    {"MPI takes none", {DOCKERS, 0, -1, "ulimit -u", -1, 0, 4, 8 << 20}, 8, NULL},
    {"threads",
     {-1, -1, 15, "ulimit -u", -1, EACH, 4, 8 << 20},
     4,
     "4 new processes, each with its guard, need 16 processes and threads, of which 15 are left: "
     "nothing was started; raise the limit (ulimit -u)"},
    {"memory",
     {-1, -1, -1, "", 20 << 20, EACH, 4, 8 << 20},
     4,
     "4 new processes need at least 33.6 MB of memory, of which this job's control group has 21.0 "
     "MB left"},
    {"just so many", {-1, -1, 16, "ulimit -u", -1, EACH, 4, 8 << 20}, 4, NULL},
};

Test(host_resources, suffice)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct nereus_error err = {0};
        const bool suffices =
            nereus_host_resources_suffice(&rows[i].resources, rows[i].processes, &err) == NEREUS_OK;
        cr_expect_eq(suffices, rows[i].says == NULL, "%s: %s", rows[i].what, err.text);
        if (rows[i].says != NULL)
            cr_expect(strstr(err.text, rows[i].says) != NULL, "%s: %s", rows[i].what, err.text);
    }
}

static const struct {
    const char *what;
    int status;
    int64_t bytes, free_bytes;
    const char *says; /* NULL: nothing */
} hints[] = {
    {"a bus error, 16 MB", 135, 16 << 20, 0,
     "; /dev/shm has 16.8 MB there, of which 0.0 MB are free: "},
    {"a segmentation fault, docker's", 139, DOCKERS, 40000000,
     "; /dev/shm has 67.1 MB there, of which 40.0 MB"},
    {"a large one that is full", 135, (int64_t)8 << 30, 10000000, "of which 10.0 MB are free"},
    {"a large one", 139, (int64_t)8 << 30, (int64_t)7 << 30, NULL},
    {"killed", 137, DOCKERS, 0, NULL},
    {"a status", 1, DOCKERS, 0, NULL},
    {"not known", 139, -1, 0, NULL},
};

Test(host_resources, hint_of_a_full_one)
{
    char text[240];
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        shm_hint_text(hints[i].status, hints[i].bytes, hints[i].free_bytes, text, sizeof text);
        if (hints[i].says == NULL)
            cr_expect_str_eq(text, "", "%s", hints[i].what);
        else
            cr_expect(strstr(text, hints[i].says) != NULL, "%s: %s", hints[i].what, text);
    }
}
