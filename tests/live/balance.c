/**
 * @file balance.c
 * nereus_balance: CASE [METHOD [PROFILE]]. Powers are stated, or times derived from them, so that
 * nothing depends on how fast the machine is. After each stage every element is looked at, and
 * after each move of data the slowest process takes at most 1.1 times the mean (Martín et al.
 * (2015), section 4.3; by the weights and powers of this program, not by what the library says).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nereus/nereus.h"

enum { ELEMENTS = 3001, STAGES_MAX = 9 };

enum kind { END, MOVES, STAYS, REFUSED, TO_SIZE };

struct stage {
    enum kind kind;
    int powers; /* which ones; TO_SIZE: processes */
    enum nereus_outcome outcome;
    const char *says;
};

struct row {
    const char *name;
    int64_t (*weigh)(void *user, int64_t first, int64_t count, int64_t *weights);
    bool by_times;
    int64_t left; /* iterations until the end */
    struct stage stages[STAGES_MAX];
};

/* Power of a rank: units of work per second. 0: not stated. */
static double power_of(int rank, int powers)
{
    static const double evened[] = {100, 106, 97};
    switch (powers) {
    case 0:
        return 0;
    case 1:
        return 250;
    case 2:
        return evened[rank % 3];
    case 6: /* as 3: a move saves 3.6 ms an iteration */
        return 1400 * power_of(rank, 3);
    default:
        return 100 * (1 + (2 * rank + powers) % 3);
    }
}

static int64_t weigh_all(void *user, int64_t first, int64_t count, int64_t *weights)
{
    (void)user;
    for (int64_t i = 0; i < count; i++)
        weights[i] = first + i < 150 ? 41 : 2;
    return 0;
}

static int64_t weigh_one(void *user, int64_t first, int64_t count, int64_t *weights)
{
    (void)user;
    for (int64_t i = 0; i < count; i++)
        weights[i] = first + i == 17 ? 1000000 : 0;
    return 0;
}

/* As weigh_all, but fails in the second process at its first call. */
static int64_t weigh_late(void *user, int64_t first, int64_t count, int64_t *weights)
{
    static int64_t call_count;
    return first > 0 && first < ELEMENTS / 2 && call_count++ == 0
               ? 1
               : weigh_all(user, first, count, weights);
}

static const char *const saved = "are saved until the end, and the move takes";

static const struct row rows[] = {
    {"powers",
     NULL,
     false,
     1000,
     {{MOVES, 3, NEREUS_OUTCOME_RESIZED, "load balanced from 3 to 3 processes by"},
      {STAYS, 3, NEREUS_OUTCOME_RESIZED, NULL},
      {MOVES, 4, NEREUS_OUTCOME_RESIZED, NULL}}},
    {"times",
     weigh_all,
     true,
     1000,
     {{MOVES, 5, NEREUS_OUTCOME_RESIZED, NULL},
      {STAYS, 5, NEREUS_OUTCOME_RESIZED, NULL},
      {MOVES, 3, NEREUS_OUTCOME_RESIZED, NULL}}},
    /* An iteration of this program takes microseconds: many are left */
    {"weights", weigh_all, false, 1000000000000, {{MOVES, 0, NEREUS_OUTCOME_RESIZED, NULL}}},
    {"even", NULL, false, 1000, {{STAYS, 1, NEREUS_OUTCOME_NONE, NULL}}},
    {"near", NULL, true, 1000, {{STAYS, 2, NEREUS_OUTCOME_NONE, NULL}}},
    {"late", NULL, false, 0, {{STAYS, 3, NEREUS_OUTCOME_UNCHANGED, saved}}},
    /* One iteration is left after this one. The profile's price is 2.4 ms, that without one 5 ms */
    {"profile", NULL, false, 2, {{MOVES, 6, NEREUS_OUTCOME_RESIZED, NULL}}},
    {"prior",
     NULL,
     false,
     2,
     {{STAYS, 6, NEREUS_OUTCOME_UNCHANGED,
       "0.00358 s are saved until the end, and the move takes "
       "0.00503 s"}}},
    {"one", weigh_one, false, 1000, {{STAYS, 1, NEREUS_OUTCOME_UNCHANGED, NULL}}},
    {"unknown",
     weigh_late,
     false,
     1000,
     {{REFUSED, 3, NEREUS_OUTCOME_NONE, "could not weigh its part of partition"},
      {MOVES, 3, NEREUS_OUTCOME_RESIZED, NULL}}},
    /* With NEREUS_FAULT: rolled back twice, then carried out */
    {"fails",
     weigh_all,
     false,
     1000,
     {{STAYS, 3, NEREUS_OUTCOME_FAILED, "injected failure"},
      {STAYS, 3, NEREUS_OUTCOME_FAILED, "injected failure"},
      {STAYS, 3, NEREUS_OUTCOME_FAILED, "injected failure"},
      {MOVES, 3, NEREUS_OUTCOME_RESIZED, NULL}}},
    /* Processes come, sleep and wake; with zombies the communicator stays that of the active
     * ones */
    {"come-and-go",
     weigh_all,
     false,
     1000,
     {{MOVES, 4, NEREUS_OUTCOME_RESIZED, NULL},
      {TO_SIZE, 4, NEREUS_OUTCOME_RESIZED, NULL},
      {MOVES, 3, NEREUS_OUTCOME_RESIZED, NULL},
      {TO_SIZE, 2, NEREUS_OUTCOME_RESIZED, NULL},
      {MOVES, 4, NEREUS_OUTCOME_RESIZED, NULL},
      {TO_SIZE, 3, NEREUS_OUTCOME_RESIZED, NULL},
      {MOVES, 3, NEREUS_OUTCOME_RESIZED, NULL}}},
};

struct state {
    const struct row *row;
    const char *method;
    nereus_job *job;
    int x_id, c_id;
    int64_t stage, errors;
};

static void expect(struct state *s, bool holds, const char *what)
{
    if (!holds && s->errors++ < 5)
        fprintf(stderr, "balance: rank %d, stage %" PRId64 ": %s\n", nereus_rank(s->job), s->stage,
                what);
}

static void need(struct state *s, enum nereus_status status)
{
    if (status == NEREUS_OK)
        return;
    fprintf(stderr, "balance: %s\n", nereus_last_error(s->job));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* ---- data ------------------------------------------------------------------------------------ */

static int64_t value_of(int64_t element)
{
    return 7 * element + 3;
}

static void register_all(struct state *s)
{
    int partition, id;
    int64_t first, count, *x;
    double *c;
    need(s, nereus_register_array(s->job, "x", MPI_INT64_T, ELEMENTS, NEREUS_VARIABLE, &s->x_id));
    need(s, nereus_register_array(s->job, "c", MPI_DOUBLE, ELEMENTS, NEREUS_CONSTANT, &s->c_id));
    need(s, nereus_register_replicated(s->job, "stage", MPI_INT64_T, 1, NEREUS_VARIABLE, &s->stage,
                                       &id));
    need(s, nereus_partition_of(s->job, s->x_id, &partition));
    need(s, nereus_set_weights(s->job, partition, s->row->weigh, NULL));
    if (nereus_is_received(s->job, s->x_id))
        return;
    need(s, nereus_local(s->job, s->x_id, (void **)&x, &first, &count));
    need(s, nereus_local(s->job, s->c_id, (void **)&c, NULL, NULL));
    for (int64_t i = 0; i < count; i++) {
        x[i] = value_of(first + i);
        c[i] = -(double)(first + i);
    }
}

static void check_data(struct state *s)
{
    int64_t first, count, total, *x;
    double *c;
    need(s, nereus_local(s->job, s->x_id, (void **)&x, &first, &count));
    need(s, nereus_local(s->job, s->c_id, (void **)&c, NULL, NULL));
    for (int64_t i = 0; i < count; i++)
        if (x[i] != value_of(first + i) || fabs(c[i] + (double)(first + i)) > 0) {
            expect(s, false, "an element has another value than before");
            break;
        }
    MPI_Allreduce(&count, &total, 1, MPI_INT64_T, MPI_SUM, nereus_comm(s->job));
    expect(s, total == ELEMENTS, "elements are missing");
}

static double work_of(struct state *s, int rank)
{
    static int64_t weights[ELEMENTS];
    int64_t first, count;
    double work = 0;
    need(s, nereus_part_of(s->job, s->x_id, rank, &first, &count));
    if (s->row->weigh == NULL)
        return (double)count;
    weigh_all(NULL, first, count, weights);
    for (int64_t i = 0; i < count; i++)
        work += (double)weights[i];
    return work;
}

static void check_balance(struct state *s, int powers)
{
    double slowest = 0, work = 0, power = 0;
    for (int rank = 0; rank < nereus_size(s->job); rank++) {
        const double own = powers > 0 ? power_of(rank, powers) : 1;
        slowest = fmax(slowest, work_of(s, rank) / own);
        work += work_of(s, rank);
        power += own;
    }
    expect(s, slowest <= 1.1 * work / power, "the slowest process takes more than 1.1 of the mean");
}

/* ---- stages ---------------------------------------------------------------------------------- */

static void check_outcome(struct state *s, const struct stage *stage)
{
    const char *sentence;
    const enum nereus_outcome outcome = nereus_last_outcome(s->job, &sentence);
    expect(s, outcome == stage->outcome, sentence);
    expect(s, stage->says == NULL || strstr(sentence, stage->says) != NULL, sentence);
}

static void balance(struct state *s, const struct stage *stage)
{
    const int rank = nereus_rank(s->job), size = nereus_size(s->job);
    struct nereus_balance_options options = NEREUS_BALANCE_OPTIONS_INIT;
    const MPI_Comm comm = nereus_comm(s->job);
    enum nereus_action action;
    options.method = s->method;
    need(s, nereus_set_power(s->job, power_of(rank, stage->powers), 1));
    if (s->row->by_times) {
        need(s, nereus_set_power(s->job, 0, 0));
        options.compute_s = work_of(s, rank) / power_of(rank, stage->powers);
    }
    nereus_set_iterations_left(s->job, s->row->left);
    const enum nereus_status status = nereus_balance(s->job, &options, &action);
    if (stage->kind == REFUSED) {
        expect(s, status == NEREUS_ERR_ARGUMENT, "it was not refused");
        expect(s, strstr(nereus_last_error(s->job), stage->says) != NULL,
               nereus_last_error(s->job));
        return;
    }
    need(s, status);
    expect(s, action == (stage->kind == MOVES ? NEREUS_RESIZED : NEREUS_CONTINUE),
           action == NEREUS_RESIZED ? "data has moved" : "no data has moved");
    check_outcome(s, stage);
    expect(s,
           nereus_comm(s->job) == comm && nereus_rank(s->job) == rank &&
               nereus_size(s->job) == size,
           "communicator, rank or size is another one");
    if (stage->kind == MOVES)
        check_balance(s, stage->powers);
}

/* @return false: this process leaves */
static bool resize(struct state *s, const struct stage *stage)
{
    enum nereus_action action = NEREUS_CONTINUE;
    if (nereus_rank(s->job) == 0)
        need(s, nereus_request_size(s->job, stage->powers,
                                    stage->powers < nereus_size(s->job) ? "merge-zs/p2p-weighted"
                                                                        : "merge/coll-keep"));
    while (action == NEREUS_CONTINUE)
        need(s, nereus_point(s->job, &action));
    stage = &s->row->stages[s->stage - 1]; /* a woken process is in a later stage */
    if (action == NEREUS_RESIZED)
        expect(s, nereus_size(s->job) == stage->powers, "the size is another one");
    return action == NEREUS_RESIZED;
}

/* Refused options: no point is passed. */
static void check_refusals(struct state *s)
{
    static const struct {
        const char *method;
        double threshold, compute_s;
        enum nereus_status status;
        const char *says;
    } refused[] = {
        {"merge/coll", 0, 0, NEREUS_ERR_ILLEGAL, "load is not balanced by 'merge/coll'"},
        {"merge-ss/coll-weighted", 0, 0, NEREUS_ERR_ILLEGAL, "load is not balanced by"},
        {"merge/coll-weigthed", 0, 0, NEREUS_ERR_PARSE, "'weigthed'"},
        {NULL, -0.5, 0, NEREUS_ERR_ARGUMENT, "a threshold of -0.5 and 0 s"},
        {NULL, 0, NAN, NEREUS_ERR_ARGUMENT, "numbers of 0 or more"},
    };
    const int64_t points = nereus_points(s->job);
    enum nereus_action action;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const struct nereus_balance_options options = {sizeof options, refused[i].threshold,
                                                       refused[i].compute_s, refused[i].method};
        expect(s, nereus_balance(s->job, &options, &action) == refused[i].status, refused[i].says);
        expect(s, strstr(nereus_last_error(s->job), refused[i].says) != NULL,
               nereus_last_error(s->job));
    }
    expect(s, nereus_points(s->job) == points, "a point was passed");
}

static bool run(struct state *s)
{
    for (const struct stage *stage; stage = &s->row->stages[s->stage], stage->kind != END;) {
        s->stage++; /* new processes begin with the next one */
        if (stage->kind != TO_SIZE)
            balance(s, stage);
        else if (!resize(s, stage))
            return false;
        check_data(s);
    }
    return true;
}

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    fprintf(stderr, "balance: no case is called '%s'\n", name);
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct state s = {.row = find_row(argc > 1 ? argv[1] : "powers")};
    s.method = argc > 2 ? argv[2] : NULL;
    options.profile = argc > 3 ? argv[3] : NULL;
    if (nereus_init(&argc, &argv, &options, &s.job) != NEREUS_OK)
        return EXIT_FAILURE;
    register_all(&s);
    if (nereus_is_joined(s.job)) /* as the others do after each stage */
        check_data(&s);
    else if (s.row == rows)
        check_refusals(&s);
    if (run(&s))
        MPI_Allreduce(MPI_IN_PLACE, &s.errors, 1, MPI_INT64_T, MPI_SUM, nereus_comm(s.job));
    if (nereus_finalize(&s.job) != NEREUS_OK)
        return EXIT_FAILURE;
    return s.errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
