/**
 * @file swap.c
 * nereus_swap in each iteration, also during reconfigurations: METHOD [alone|late]. One pair of
 * arrays is large and moves from its own memory; the other is small and is packed. Before each swap
 * one array of a pair gets the number of the iteration in each element, so that the expected values
 * are known after any number of swaps. Ends when all reconfigurations have been carried out; if the
 * method is asynchronous, some swaps must have come during one. alone: rank 1 swaps once more than
 * rank 0 before the first reconfiguration, which must fail; late: it does so during that one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nereus/nereus.h"

enum { LARGE = 100003, SMALL = 41, PAIRS = 2, SIZES = 3 };

static const int64_t lengths[PAIRS] = {LARGE, SMALL}, sizes[SIZES] = {4, 1, 3};

struct state {
    nereus_job *job;
    int ids[PAIRS][2], fixed_id;
    int64_t iteration, overlapped; /* swaps during a reconfiguration */
    int64_t errors;
};

static void expect(struct state *s, bool holds, const char *what)
{
    if (holds)
        return;
    if (s->errors++ < 5)
        fprintf(stderr, "swap: rank %d, iteration %" PRId64 ": %s\n", nereus_rank(s->job),
                s->iteration, what);
}

static void need(struct state *s, enum nereus_status status)
{
    if (status == NEREUS_OK)
        return;
    fprintf(stderr, "swap: %s\n", nereus_last_error(s->job));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static int64_t *part_of(struct state *s, int id, int64_t *first, int64_t *count)
{
    void *part;
    need(s, nereus_local(s->job, id, &part, first, count));
    return part;
}

/* Array 0 of each pair holds the number of this iteration, array 1 that of the last one. */
static void register_all(struct state *s)
{
    int64_t first, count;
    int id;
    for (int pair = 0; pair < PAIRS; pair++)
        for (int i = 0; i < 2; i++) {
            const char name[] = {(char)('a' + pair), (char)('0' + i), '\0'};
            need(s, nereus_register_array(s->job, name, MPI_INT64_T, lengths[pair], NEREUS_VARIABLE,
                                          &s->ids[pair][i]));
        }
    need(s,
         nereus_register_array(s->job, "fixed", MPI_INT64_T, LARGE, NEREUS_CONSTANT, &s->fixed_id));
    need(s, nereus_register_replicated(s->job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                       &s->iteration, &id));
    need(s, nereus_register_replicated(s->job, "overlapped", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                       &s->overlapped, &id));
    if (nereus_is_received(s->job, s->fixed_id))
        return;
    int64_t *fixed = part_of(s, s->fixed_id, &first, &count);
    for (int64_t i = 0; i < count; i++)
        fixed[i] = first + i;
}

static void check_one(struct state *s, int id, int64_t expected)
{
    int64_t first, count;
    const int64_t *part = part_of(s, id, &first, &count);
    for (int64_t i = 0; i < count; i++)
        if (part[i] != (expected > 0 ? 1000 * (first + i) + expected : 0)) {
            expect(s, false, "an array holds what another should");
            return;
        }
}

static void check(struct state *s)
{
    int64_t first, count;
    for (int pair = 0; pair < PAIRS; pair++) {
        check_one(s, s->ids[pair][0], s->iteration);
        check_one(s, s->ids[pair][1], s->iteration - 1);
    }
    const int64_t *fixed = part_of(s, s->fixed_id, &first, &count);
    for (int64_t i = 0; i < count; i++)
        if (fixed[i] != first + i) {
            expect(s, false, "constant data is not as it was");
            return;
        }
}

/* Array 1 gets the number of the next iteration and becomes array 0. */
static void iterate(struct state *s)
{
    s->iteration++;
    for (int pair = 0; pair < PAIRS; pair++) {
        int64_t first, count;
        int64_t *part = part_of(s, s->ids[pair][1], &first, &count);
        for (int64_t i = 0; i < count; i++)
            part[i] = 1000 * (first + i) + s->iteration;
        need(s, nereus_swap(s->job, s->ids[pair][0], s->ids[pair][1]));
        expect(s, part_of(s, s->ids[pair][0], &first, &count) == part,
               "the pointers are not swapped");
    }
    /* Not rank 0: there a request is pending already before it has been decided on. */
    const int is_pending =
        nereus_rank(s->job) > 0 && nereus_last_outcome(s->job, NULL) == NEREUS_OUTCOME_PENDING;
    int any;
    MPI_Allreduce(&is_pending, &any, 1, MPI_INT, MPI_MAX, nereus_comm(s->job));
    s->overlapped += any;
}

/* Pairs that cannot be swapped, and the message for each; nothing is changed. */
static void check_refusals(struct state *s)
{
    int odd, real;
    need(s, nereus_register_array(s->job, "odd", MPI_INT64_T, LARGE + 1, NEREUS_VARIABLE, &odd));
    need(s, nereus_register_array(s->job, "real", MPI_DOUBLE, LARGE, NEREUS_VARIABLE, &real));
    const int large = s->ids[0][0];
    const struct {
        int a, b;
        enum nereus_status status;
        const char *says;
    } rows[] = {
        {large, s->fixed_id, NEREUS_ERR_ARGUMENT, "'fixed' is constant and cannot be swapped"},
        {s->fixed_id, s->fixed_id, NEREUS_ERR_ARGUMENT, "'fixed' is constant"},
        {large, 999, NEREUS_ERR_ARGUMENT, "999 is not the id of an array"},
        {-1, large, NEREUS_ERR_ARGUMENT, "-1 is not the id of an array"},
        {large, odd, NEREUS_ERR_MISMATCH, "'a0' and 'odd' cannot be swapped"},
        {large, s->ids[1][0], NEREUS_ERR_MISMATCH, "of 41 elements"},
        {large, real, NEREUS_ERR_MISMATCH, "with elements of two types"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect(s, nereus_swap(s->job, rows[i].a, rows[i].b) == rows[i].status, rows[i].says);
        expect(s, strstr(nereus_last_error(s->job), rows[i].says) != NULL,
               nereus_last_error(s->job));
    }
}

/* One reconfiguration after the other: at each fourth iteration, if the last one is complete. */
static void request(struct state *s, const char *method)
{
    if (nereus_rank(s->job) == 0 && s->iteration % 4 == 0 &&
        nereus_last_outcome(s->job, NULL) != NEREUS_OUTCOME_PENDING &&
        nereus_reconfigurations(s->job) < SIZES)
        need(s, nereus_request_size(s->job, sizes[nereus_reconfigurations(s->job)], method));
}

/* @return false: this process is no longer needed */
static bool loop(struct state *s, const char *method)
{
    enum nereus_action action = NEREUS_CONTINUE;
    while (nereus_reconfigurations(s->job) < SIZES) {
        iterate(s);
        request(s, method);
        need(s, nereus_point(s->job, &action));
        if (action == NEREUS_LEAVE)
            return false;
        check(s);
        const enum nereus_outcome outcome = nereus_last_outcome(s->job, NULL);
        if (outcome == NEREUS_OUTCOME_FAILED || s->errors > 0)
            return true;
        usleep(500);
    }
    return true;
}

static int end(struct state *s, bool stays, bool asynchronous)
{
    int64_t total_errors = 0;
    if (stays) {
        expect(s, nereus_reconfigurations(s->job) == SIZES,
               "not all reconfigurations were carried out");
        expect(s, !asynchronous || s->overlapped > 0, "no swap came during a reconfiguration");
        MPI_Allreduce(&s->errors, &total_errors, 1, MPI_INT64_T, MPI_SUM, nereus_comm(s->job));
        if (nereus_rank(s->job) == 0)
            printf("%d processes, %" PRId64 " swaps during reconfigurations, wrong %" PRId64 "\n",
                   nereus_size(s->job), s->overlapped, total_errors);
    }
    return nereus_finalize(&s->job) == NEREUS_OK && total_errors == 0 && s->errors == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}

/* Rank 1 swaps once more than the others. */
static int swap_alone(struct state *s, const char *method, bool late)
{
    enum nereus_action action;
    const char *message;
    bool swap_is_due = nereus_rank(s->job) == 1;
    need(s, nereus_swap(s->job, s->ids[0][0], s->ids[0][1]));
    need(s, nereus_swap(s->job, s->ids[0][0], s->ids[0][1]));
    if (nereus_rank(s->job) == 0)
        need(s, nereus_request_size(s->job, 3, method));
    do {
        if (swap_is_due && (!late || nereus_last_outcome(s->job, NULL) == NEREUS_OUTCOME_PENDING)) {
            need(s, nereus_swap(s->job, s->ids[0][0], s->ids[0][1]));
            swap_is_due = false;
        }
        need(s, nereus_point(s->job, &action));
    } while (nereus_last_outcome(s->job, &message) == NEREUS_OUTCOME_PENDING ||
             nereus_last_outcome(s->job, NULL) == NEREUS_OUTCOME_NONE);
    expect(s, nereus_last_outcome(s->job, NULL) == NEREUS_OUTCOME_FAILED, "it should have failed");
    if (nereus_rank(s->job) == 0)
        printf("%s\n", message);
    return nereus_finalize(&s->job) == NEREUS_OK && s->errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct state s = {0};
    if (argc < 2 || nereus_init(&argc, &argv, NULL, &s.job) != NEREUS_OK)
        return EXIT_FAILURE;
    register_all(&s);
    if (argc > 2)
        return swap_alone(&s, argv[1], strcmp(argv[2], "late") == 0);
    const char *method = argv[1];
    const bool asynchronous =
        strstr(method, "async") || strstr(method, "thread") || strstr(method, "wait");
    const bool stays = loop(&s, method);
    if (stays && !nereus_is_joined(s.job) && strcmp(method, "merge/coll") == 0)
        check_refusals(&s);
    return end(&s, stays, asynchronous);
}
