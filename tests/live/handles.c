/**
 * @file handles.c
 * MPI objects that an application made over nereus_comm: freed in options.before, made again in
 * options.after or when the point has returned NEREUS_RESIZED. Each row of the table "MPI objects
 * of your own" of docs/application.md is one kind of handle_kinds.c.
 *
 *   handles KIND WHERE GROW SHRINK [MISTAKE]
 *
 *   KIND     of handle_kinds.c, or all
 *   WHERE    after: made again in options.after; resized: after the point
 *   GROW, SHRINK   methods: 2 processes become 4, 2, and 3
 *   MISTAKE  kept: not freed before, made again all the same
 *            forgotten: made at the start only, which processes that join wait for
 */
#include "handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nereus/nereus.h"

enum { CHANGES = 3, LAST = 8 };

static const char *kind, *mistake = "";
static bool in_after; /* else after the point */
static int errors;

/* Intel MPI loses one-sided calls between processes that were spawned one after the other
 * (docs/methods.md). */
static bool loses_windows(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    return strncmp(version, "Intel", strlen("Intel")) == 0;
}

static bool is_chosen(const struct handle_kind *handle)
{
    if (strcmp(kind, "all") == 0)
        return strcmp(handle->name, "window") != 0 || !loses_windows();
    return strcmp(kind, handle->name) == 0;
}

static bool is_any_chosen(void)
{
    for (int i = 0; i < handle_kind_count; i++)
        if (is_chosen(&handle_kinds[i]))
            return true;
    return false;
}

static void make_all(MPI_Comm comm, bool local)
{
    for (int i = 0; i < handle_kind_count; i++)
        if (is_chosen(&handle_kinds[i]) && handle_kinds[i].local == local)
            handle_kinds[i].make(comm);
}

static void drop_all(bool local)
{
    for (int i = 0; i < handle_kind_count; i++)
        if (is_chosen(&handle_kinds[i]) && handle_kinds[i].local == local)
            handle_kinds[i].drop();
}

static void use_all(const nereus_job *job)
{
    for (int i = 0; i < handle_kind_count; i++)
        if (is_chosen(&handle_kinds[i]) && !handle_kinds[i].use(nereus_comm(job))) {
            fprintf(stderr, "handles: rank %d of %d, after %lld changes: %s is wrong\n",
                    nereus_rank(job), nereus_size(job), (long long)nereus_reconfigurations(job),
                    handle_kinds[i].name);
            errors++;
        }
}

static void before(nereus_job *job, void *user)
{
    (void)job;
    (void)user;
    if (*mistake == '\0')
        drop_all(false);
}

static void make_again(const nereus_job *job)
{
    if (strcmp(mistake, "forgotten") != 0)
        make_all(nereus_comm(job), false);
}

static void after(nereus_job *job, void *user)
{
    (void)user;
    if (in_after)
        make_again(job);
}

/* The attribute of each communicator that the library has freed was deleted, once. */
static void check_attributes(const nereus_job *job)
{
    if (*mistake != '\0' || (strcmp(kind, "attribute") != 0 && strcmp(kind, "all") != 0) ||
        nereus_is_joined(job) || handle_attributes_deleted == nereus_reconfigurations(job))
        return;
    fprintf(stderr, "handles: %d attributes deleted in %lld changes\n", handle_attributes_deleted,
            (long long)nereus_reconfigurations(job));
    errors++;
}

static enum nereus_action run(nereus_job *job, int64_t *iteration)
{
    enum nereus_action action = NEREUS_CONTINUE;
    while (*iteration < LAST && action != NEREUS_LEAVE) {
        use_all(job);
        ++*iteration;
        if (nereus_point(job, &action) != NEREUS_OK) {
            fprintf(stderr, "handles: %s\n", nereus_last_error(job));
            MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        }
        if (action == NEREUS_RESIZED && !in_after)
            make_again(job);
    }
    return action;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: handles KIND after|resized GROW SHRINK [kept|forgotten]\n");
        return 2;
    }
    const struct nereus_resize schedule[CHANGES] = {
        {2, 4, argv[3]}, {4, 2, argv[4]}, {6, 3, argv[3]}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    nereus_job *job;
    int64_t iteration = 0;
    int id;
    kind = argv[1];
    in_after = strcmp(argv[2], "after") == 0;
    mistake = argc > 5 ? argv[5] : "";
    if (!is_any_chosen()) {
        puts("SKIPPED: this MPI has no persistent collectives");
        return 77;
    }
    options.schedule = schedule;
    options.schedule_count = CHANGES;
    options.before = before;
    options.after = after;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                                   &id) != NEREUS_OK)
        return EXIT_FAILURE;
    make_all(nereus_comm(job), true);
    if (!nereus_is_joined(job) || !in_after || strcmp(mistake, "forgotten") == 0)
        make_all(nereus_comm(job), false);
    if (run(job, &iteration) != NEREUS_LEAVE) {
        if (nereus_reconfigurations(job) != CHANGES)
            errors++;
        check_attributes(job);
        drop_all(false);
    }
    drop_all(true);
    const enum nereus_status status = nereus_finalize(&job);
    return status == NEREUS_OK && errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
