/**
 * @file resize.c
 * A malleable program that checks itself: every element of every registered array after every
 * iteration, the iteration counter, and that all processes agree. Each iteration changes all
 * variable arrays. Used by the lists *.cmake with different words:
 *
 *   schedule=2@3,4@6:baseline/p2p   NEREUS_SCHEDULE
 *   method=merge/coll               for all others; open: none is given, and the library chooses
 *   last=10                         iterations
 *   until=2                         and then as many more as so many reconfigurations take
 *   settle=1                        and as the latest request takes to be answered, if it is one of
 *                                   the schedule
 *   data=all|none|replicated|many|line|random|big|uneven|uneven-constant|thin   what is registered
 *   replicated=64000000             and so many bytes of which every process has a copy, checked as
 *                                   the parameters are
 *   seed=5                          of the random data: types, lengths from 0 on, constant or
 *                                   variable
 *   ask=4@3                         rank 0 asks for a size at run time, and again while that is
 *                                   pending
 *   release=localhost/a@3           rank 0 asks to give a node back
 *   iterations=100000               so many the library is told
 *   sizes=2:8:2                     the program declares minimum, maximum and multiples
 *   beside=1                        iterations must have run during each reconfiguration that
 *                                   was carried out; beside=none: during none of them
 *   busy=1                          a request must have been told that another one is under way
 *   walk=17                         rank 0 asks for random sizes and methods by this seed (walk.h),
 *                                   until=... of them
 *   present=3@2:1                   so many processes, also asleep, are there after so many
 *                                   reconfigurations, under one mpiexec
 *   program=PATH                    what to spawn
 *   policy=FILE                     the policy that decides
 *   wants=3                         what the program's own function says, where that one is user
 *   pause=0.01                      seconds that an iteration takes
 *   divided=1                       that is with one process; with n it takes 1/n of it
 *   speeds=localhost/b:3            it is of all elements on a node of speed 1: each process takes
 *                                   its share of them, on these nodes so many times as fast
 *   power=7                         that each process states for speed 1
 *   expect=4  outcome=failed        processes at the end, outcome of the latest request
 *   exit=5                          status of the last world
 *   kill=0                          this rank of the last world kills itself
 *   spare=1                         while the first change is under way, a thread of rank 0 has a
 *                                   core alone
 *   locale=,                        setlocale(LC_ALL, "") must give this decimal point (text.sh)
 *   where=host|bound|free           where processes are and to which cores they are bound (where.h)
 *   hold=30                         before this point rank 0 waits for the file "go"
 */
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "nereus/nereus.h"
#include "nereus/policy.h"
#include "walk.h"
#include "where.h"

enum { ARRAYS_MAX = 210 };

struct setting {
    int64_t last, until, settle, walk, seed, replicated, iterations, hold;
    const char *method, *data, *program, *outcome, *where, *policy, *locale;
    int wants;
    int exit_status, kill_rank, expect;
    int64_t ask_size, ask_point, release_point;
    char release[64];
    int busy, overlap, present, launchers, spare, divided;
    int64_t present_after;
    double pause_s, power;
    const char *speeds;
    struct nereus_sizes sizes;
};

struct array {
    int id;
    int64_t count;
    int element_bytes;
    bool variable;
};

struct state {
    nereus_job *job;
    struct array arrays[ARRAYS_MAX];
    int array_count;
    int64_t iteration;
    double parameters[7];
    double *copy; /* replicated values */
    int64_t copy_count;
    int64_t errors, busy, spared;
    double pause_s;         /* of this process */
    double began_s;         /* wall clock at the first point */
    uint64_t seed;          /* of the random data */
    int64_t pending_points; /* points passed while a request was pending */
    /* Of a reconfiguration that was carried out here. */
    int64_t min_pending_points, max_pending_points;
};

/* ---- words ----------------------------------------------------------------------------------- */

static void read_word(struct setting *setting, const char *word)
{
    const char *value = strchr(word, '=');
    if (value == NULL)
        return;
    value++;
    if (strncmp(word, "schedule=", 9) == 0)
        setenv("NEREUS_SCHEDULE", value, 1);
    else if (strncmp(word, "method=", 7) == 0)
        setting->method = strcmp(value, "open") == 0 ? NULL : value;
    else if (strncmp(word, "data=", 5) == 0)
        setting->data = value;
    else if (strncmp(word, "last=", 5) == 0)
        setting->last = atoll(value);
    else if (strncmp(word, "until=", 6) == 0)
        setting->until = atoll(value);
    else if (strncmp(word, "walk=", 5) == 0)
        setting->walk = atoll(value);
    else if (strncmp(word, "seed=", 5) == 0)
        setting->seed = atoll(value);
    else if (strncmp(word, "replicated=", 11) == 0)
        setting->replicated = atoll(word + 11);
    else if (strncmp(word, "iterations=", 11) == 0)
        setting->iterations = atoll(value);
    else if (strncmp(word, "settle=", 7) == 0)
        setting->settle = atoll(value);
    else if (strncmp(word, "exit=", 5) == 0)
        setting->exit_status = atoi(value);
    else if (strncmp(word, "kill=", 5) == 0)
        setting->kill_rank = atoi(value);
    else if (strncmp(word, "expect=", 7) == 0)
        setting->expect = atoi(value);
    else if (strncmp(word, "program=", 8) == 0)
        setting->program = value;
    else if (strncmp(word, "outcome=", 8) == 0)
        setting->outcome = value;
    else if (strncmp(word, "spare=", 6) == 0)
        setting->spare = atoi(value);
    else if (strncmp(word, "where=", 6) == 0)
        setting->where = value;
    else if (strncmp(word, "pause=", 6) == 0)
        setting->pause_s = atof(value);
    else if (strncmp(word, "policy=", 7) == 0)
        setting->policy = value;
    else if (strncmp(word, "wants=", 6) == 0)
        setting->wants = atoi(value);
    else if (strncmp(word, "divided=", 8) == 0)
        setting->divided = atoi(value);
    else if (strncmp(word, "power=", 6) == 0)
        setting->power = atof(value);
    else if (strncmp(word, "speeds=", 7) == 0)
        setting->speeds = value;
    else if (strncmp(word, "sizes=", 6) == 0)
        sscanf(value, "%" SCNd64 ":%" SCNd64 ":%" SCNd64, &setting->sizes.minimum,
               &setting->sizes.maximum, &setting->sizes.multiple_of);
    else if (strncmp(word, "ask=", 4) == 0)
        sscanf(value, "%" SCNd64 "@%" SCNd64, &setting->ask_size, &setting->ask_point);
    else if (strncmp(word, "release=", 8) == 0)
        sscanf(value, "%63[^@]@%" SCNd64, setting->release, &setting->release_point);
    else if (strncmp(word, "present=", 8) == 0)
        sscanf(value, "%d@%" SCNd64 ":%d", &setting->present, &setting->present_after,
               &setting->launchers);
    else if (strncmp(word, "beside=", 7) == 0)
        setting->overlap = strcmp(value, "none") == 0 ? -1 : atoi(value);
    else if (strncmp(word, "locale=", 7) == 0)
        setting->locale = value;
    else if (strncmp(word, "busy=", 5) == 0)
        setting->busy = atoi(value);
    else if (strncmp(word, "hold=", 5) == 0)
        setting->hold = atoll(value);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* What element i of an array must be in an iteration: bytes of a mix of array, index and position;
 * variable ones grow by 1 in each. */
static unsigned char expected_byte(int array, int64_t i, int byte, int64_t iteration)
{
    uint64_t mix = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)array * 1000003u +
                   (uint64_t)byte * 131u;
    mix ^= mix >> 29;
    return (unsigned char)((mix * 167u >> 8) + (uint64_t)iteration);
}

/* What the application computes: every byte of every variable array. */
static void change_arrays(struct state *state)
{
    for (int a = 0; a < state->array_count; a++) {
        const struct array *array = &state->arrays[a];
        unsigned char *part;
        int64_t count;
        nereus_local(state->job, array->id, (void **)&part, NULL, &count);
        for (int64_t i = 0; array->variable && i < count * array->element_bytes; i++)
            part[i]++;
    }
}

static void walk_array(struct state *state, int a, int fill)
{
    struct array *array = &state->arrays[a];
    unsigned char *part;
    int64_t first, count;
    const int64_t iteration = array->variable ? state->iteration : 0;
    nereus_local(state->job, array->id, (void **)&part, &first, &count);
    const int64_t stride =
        array->count > 1000000000 ? 1009 : 1; /* of a big one per sample, or it takes minutes */
    for (int64_t i = 0; i < count; i += stride)
        for (int b = 0; b < array->element_bytes; b++) {
            unsigned char *position = &part[i * array->element_bytes + b];
            if (fill)
                *position = expected_byte(a, first + i, b, iteration);
            else if (*position != expected_byte(a, first + i, b, iteration))
                state->errors++;
        }
}

static void add_array(struct state *state, MPI_Datatype type, int64_t count,
                      enum nereus_data_kind kind)
{
    char name[32];
    struct array *array = &state->arrays[state->array_count];
    snprintf(name, sizeof name, "array %d", state->array_count);
    if (nereus_register_array(state->job, name, type, count, kind, &array->id) != NEREUS_OK) {
        fprintf(stderr, "resize: %s\n", nereus_last_error(state->job));
        exit(9);
    }
    MPI_Type_size(type, &array->element_bytes);
    array->count = count;
    array->variable = kind == NEREUS_VARIABLE;
    state->array_count++;
}

/* Lengths of special cases: empty, fewer than processes, primes, around the limit of packing. */
static void register_random(struct state *state, uint64_t seed)
{
    static const int64_t lengths[] = {0,    1,    2,    3,     5,     13,     211,
                                      1009, 8191, 8192, 16381, 65537, 100003, 262147};
    const MPI_Datatype types[] = {MPI_CHAR,  MPI_SHORT,  MPI_INT,
                                  MPI_FLOAT, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX};
    const int count = 3 + (int)(seed % 23);
    for (int i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t random = seed >> 33;
        add_array(state, types[random % 6], lengths[random / 6 % 14],
                  random / 84 % 2 ? NEREUS_CONSTANT : NEREUS_VARIABLE);
    }
}

static void register_all(struct state *state, const char *kind)
{
    int id;
    const bool replicated = strcmp(kind, "none") != 0;
    if (strcmp(kind, "all") == 0) {
        add_array(state, MPI_DOUBLE, 1009, NEREUS_CONSTANT); /* not divisible */
        add_array(state, MPI_INT, 0, NEREUS_VARIABLE);       /* empty */
        add_array(state, MPI_CHAR, 1, NEREUS_VARIABLE);      /* fewer than processes */
        add_array(state, MPI_FLOAT, 3, NEREUS_CONSTANT);
        add_array(state, MPI_INT64_T, 100003, NEREUS_VARIABLE); /* large: not packed */
        add_array(state, MPI_C_DOUBLE_COMPLEX, 517, NEREUS_CONSTANT);
        add_array(state, MPI_SHORT, 65537, NEREUS_CONSTANT);
    } else if (strcmp(kind, "many") == 0) {
        for (int i = 0; i < 200; i++)
            add_array(state,
                      i % 3 == 0   ? MPI_DOUBLE
                      : i % 3 == 1 ? MPI_INT
                                   : MPI_CHAR,
                      (i * 37) % 211, i % 2 ? NEREUS_CONSTANT : NEREUS_VARIABLE);
    } else if (strcmp(kind, "line") == 0) {
        add_array(state, MPI_DOUBLE, 10000, NEREUS_VARIABLE);
    } else if (strcmp(kind, "big") == 0) { /* more bytes than an int counts */
        add_array(state, MPI_CHAR, INT64_C(2200000007), NEREUS_VARIABLE);
    } else if (strcmp(kind, "heavy") == 0) { /* more than what a network takes in at once */
        add_array(state, MPI_DOUBLE, INT64_C(4000037), NEREUS_VARIABLE);
        add_array(state, MPI_DOUBLE, INT64_C(4000039), NEREUS_CONSTANT);
    } else if (strcmp(kind, "thin") == 0) { /* a grid for at most four processes */
        struct nereus_grid grid = {.dimensions = 1, .n = {8}, .halo = {2}};
        state->errors += nereus_register_grid(state->job, "thin", &grid, &id) != NEREUS_OK;
    } else if (strcmp(kind, "random") == 0) {
        register_random(state, state->seed);
    }
    if (replicated) {
        nereus_register_replicated(state->job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                   &state->iteration, &id);
        nereus_register_replicated(state->job, "parameters", MPI_DOUBLE, 7, NEREUS_CONSTANT,
                                   state->parameters, &id);
    }
}

static double copy_at(int64_t index)
{
    return 0.5 * (double)index + 3;
}

static void register_copy(struct state *state, int64_t bytes)
{
    int id;
    state->copy_count = bytes / (int64_t)sizeof *state->copy;
    if (state->copy_count == 0)
        return;
    state->copy = calloc((size_t)state->copy_count, sizeof *state->copy);
    if (state->copy == NULL ||
        nereus_register_replicated(state->job, "copy", MPI_DOUBLE, state->copy_count,
                                   NEREUS_VARIABLE, state->copy, &id) != NEREUS_OK)
        state->errors++;
    for (int64_t i = 0;
         i < state->copy_count && state->copy != NULL && !nereus_is_joined(state->job); i++)
        state->copy[i] = copy_at(i);
}

static void check(struct state *state, const char *kind)
{
    for (int64_t i = 0; i < state->copy_count; i++)
        if (state->copy == NULL || state->copy[i] != copy_at(i))
            state->errors++;
    for (int a = 0; a < state->array_count; a++)
        walk_array(state, a, 0);
    for (int i = 0; i < 7 && strcmp(kind, "none") != 0; i++)
        if (state->parameters[i] != 1.25 * i - 3)
            state->errors++;
    /* All processes are at the same iteration, which is the number of points where nothing else is
     * registered. */
    int64_t own_iterations[2] = {state->iteration, -state->iteration}, min[2];
    MPI_Allreduce(own_iterations, min, 2, MPI_INT64_T, MPI_MIN, nereus_comm(state->job));
    if (min[0] != -min[1])
        state->errors++;
}

static void fill_or_check(struct state *state, const struct setting *setting)
{
    int id;
    const char *kind = setting->data;
    register_all(state, kind);
    register_copy(state, setting->replicated);
    if (setting->speeds != NULL)
        nereus_register_replicated(state->job, "began", MPI_DOUBLE, 1, NEREUS_VARIABLE,
                                   &state->began_s, &id);
    if (nereus_is_joined(
            state->job)) { /* the others are at the end of the same iteration, and check as well */
        if (strcmp(kind, "none") == 0)
            state->iteration = nereus_points(state->job);
        check(state, kind);
        return;
    }
    for (int a = 0; a < state->array_count; a++)
        walk_array(state, a, 1);
    for (int i = 0; i < 7; i++)
        state->parameters[i] = 1.25 * i - 3;
}

static void look_where(struct state *state, const struct setting *setting)
{
    if (setting->where != NULL)
        state->errors += where_check(state->job, setting->where);
}

/* How long an iteration of this process takes. */
static void set_pause(struct state *state, const struct setting *setting)
{
    int64_t own = 0, total = 0;
    state->pause_s =
        setting->pause_s / (setting->divided != 0 ? (double)nereus_size(state->job) : 1);
    if (setting->speeds == NULL)
        return;
    for (int a = 0; a < state->array_count; a++) {
        int64_t count;
        nereus_local(state->job, state->arrays[a].id, NULL, NULL, &count);
        own += count;
        total += state->arrays[a].count;
    }
    const double speed = where_speed(state->job, setting->speeds, own);
    state->errors += !(speed > 0 && total > 0);
    if (setting->power > 0)
        nereus_set_power(state->job, setting->power * speed, 1);
    state->pause_s = setting->pause_s * (double)own / (double)total / speed;
}

/* After each reconfiguration, in processes old and new. */
static void check_placement(struct state *state, const struct setting *setting)
{
    char label[32];
    const int64_t done = nereus_reconfigurations(state->job);
    look_where(state, setting);
    set_pause(state, setting);
    measure_sample();
    snprintf(label, sizeof label, "%" PRId64, done);
    if (setting->walk != 0 && done > 0 && walk_rests(done, setting->until) &&
        nereus_rank(state->job) == 0)
        state->errors += measure_job(label, nereus_size(state->job), 1);
    if (setting->present_after > 0 && done == setting->present_after &&
        nereus_rank(state->job) == 0)
        state->errors += measure_job(label, setting->present, setting->launchers);
}

static void begin(struct state *state, const struct setting *setting)
{
    state->seed = (uint64_t)setting->seed;
    fill_or_check(state, setting);
    check_placement(state, setting);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void say_refused(const struct state *state)
{
    fprintf(stderr, "resize: request refused: %s\n", nereus_last_error(state->job));
}

/* Counts iterations during a reconfiguration; a registration is refused then, as the data to be
 * moved are decided. */
static void count_pending_points(struct state *state, enum nereus_action action)
{
    int id;
    if (action == NEREUS_CONTINUE &&
        nereus_last_outcome(state->job, NULL) == NEREUS_OUTCOME_PENDING) {
        state->pending_points++;
        if (nereus_register_array(state->job, "too late", MPI_INT, 5, NEREUS_CONSTANT, &id) !=
            NEREUS_ERR_BUSY)
            state->errors++;
    }
    if (action == NEREUS_CONTINUE)
        return;
    if (state->pending_points < state->min_pending_points)
        state->min_pending_points = state->pending_points;
    if (state->pending_points > state->max_pending_points)
        state->max_pending_points = state->pending_points;
    state->pending_points = 0;
}

/* Also in a process that leaves: its exit status becomes the job's. */
static int count_overlap_errors(const struct state *state, const struct setting *setting)
{
    if (setting->overlap > 0 && state->min_pending_points == 0)
        fprintf(stderr, "resize: no iteration went by beside a reconfiguration\n");
    else if (setting->overlap < 0 && state->max_pending_points > 0)
        fprintf(stderr, "resize: iterations went by beside a reconfiguration\n");
    else
        return 0;
    return 1;
}

/* A request is refused as busy while another one is pending or under way. */
static void ask_while_busy(struct state *state)
{
    if (nereus_last_outcome(state->job, NULL) != NEREUS_OUTCOME_PENDING)
        return;
    state->busy++;
    if (nereus_request_size(state->job, nereus_size(state->job) + 1, NULL) != NEREUS_ERR_BUSY)
        state->errors++;
}

static void ask(struct state *state, const struct setting *setting)
{
    const int64_t point = nereus_points(state->job) + 1;
    const char *node = setting->release;
    if (nereus_rank(state->job) != 0)
        return;
    const struct walk walk = {
        .draw = walk_next, .seed = (uint64_t)setting->walk, .number = setting->until};
    if (setting->walk != 0)
        walk_ask(state->job, &walk);
    ask_while_busy(state);
    if (setting->ask_size != 0 && point == setting->ask_point &&
        nereus_request_size(state->job, setting->ask_size, setting->method) != NEREUS_OK)
        say_refused(state);
    if (node[0] != '\0' && point == setting->release_point &&
        nereus_request_release(state->job, &node, 1, setting->method) != NEREUS_OK)
        say_refused(state);
    ask_while_busy(state);
}

static void hold(const struct state *state, const struct setting *setting)
{
    if (setting->hold != state->iteration || nereus_rank(state->job) != 0)
        return;
    fprintf(stderr, "resize: holds\n");
    while (access("go", F_OK) != 0)
        usleep(10000);
}

static double wall_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The same in all processes at every point. */
static bool continues(const struct state *state, const struct setting *setting)
{
    return state->iteration < setting->last ||
           nereus_reconfigurations(state->job) < setting->until ||
           (setting->settle != 0 &&
            nereus_last_outcome(state->job, NULL) == NEREUS_OUTCOME_PENDING);
}

static enum nereus_action loop(struct state *state, const struct setting *setting)
{
    enum nereus_action action = NEREUS_CONTINUE;
    if (strcmp(setting->data, "none") == 0)
        state->iteration = nereus_points(state->job);
    while (action != NEREUS_LEAVE && continues(state, setting)) {
        state->iteration++;
        change_arrays(state);
        if (state->pause_s > 0)
            usleep((useconds_t)(state->pause_s * 1e6));
        ask(state, setting);
        hold(state, setting);
        if (nereus_point(state->job, &action) != NEREUS_OK) {
            fprintf(stderr, "resize: %s\n", nereus_last_error(state->job));
            exit(8);
        }
        if (state->iteration == 1)
            state->began_s = wall_clock_s();
        if (setting->spare != 0 && nereus_last_outcome(state->job, NULL) == NEREUS_OUTCOME_PENDING)
            state->spared += where_spare();
        if (setting->overlap != 0)
            count_pending_points(state, action);
        if (strcmp(setting->data, "none") == 0)
            state->iteration = nereus_points(state->job);
        if (state->iteration != nereus_points(state->job))
            state->errors++;
        if (action != NEREUS_LEAVE)
            check(state, setting->data);
        if (action == NEREUS_RESIZED)
            check_placement(state, setting);
    }
    return action;
}

static int verdict(struct state *state, const struct setting *setting)
{
    static const char *const names[] = {"none",      "pending", "resized",
                                        "unchanged", "failed",  "too-late"};
    int64_t errors = 0;
    const char *sentence;
    const int size = nereus_size(state->job), rank = nereus_rank(state->job);
    const char *outcome = names[nereus_last_outcome(state->job, &sentence)];
    if (setting->expect != 0 && size != setting->expect)
        state->errors++;
    if (rank == 0 && setting->outcome != NULL && strcmp(outcome, setting->outcome) != 0) {
        fprintf(stderr, "resize: outcome %s (%s), expected %s\n", outcome, sentence,
                setting->outcome);
        state->errors++;
    }
    if (rank == 0 && setting->busy != 0 && state->busy == 0) {
        fprintf(stderr, "resize: no request came while another one was under way\n");
        state->errors++;
    }
    if (rank == 0 && setting->spare != 0 && state->spared == 0) {
        fprintf(stderr, "resize: no thread had a core of its own beside the change\n");
        state->errors++;
    }
    MPI_Reduce(&state->errors, &errors, 1, MPI_INT64_T, MPI_SUM, 0, nereus_comm(state->job));
    if (rank == 0)
        printf("iteration %" PRId64 ", %d processes, %" PRId64
               " reconfigurations, outcome %s, wrong %" PRId64 "\n",
               state->iteration, size, nereus_reconfigurations(state->job), outcome, errors);
    if (rank == 0 && nereus_last_outcome(state->job, NULL) == NEREUS_OUTCOME_RESIZED)
        printf("outcome: %s\n", sentence);
    if (rank == 0 && setting->speeds != NULL)
        printf("time: %.2f s since the first point\n", wall_clock_s() - state->began_s);
    fflush(stdout);
    if (rank == setting->kill_rank)
        raise(SIGKILL);
    return rank == 0 && errors != 0;
}

/* The program's own policy. */
static bool decide(void *user, const struct nereus_policy_question *question,
                   struct nereus_allocation *wanted_allocation, char why[128])
{
    const struct setting *setting = user;
    snprintf(why, 128, "the program wants %d after %" PRId64, setting->wants, question->interval);
    wanted_allocation->processes[0] = setting->wants;
    return true;
}

int main(int argc, char **argv)
{
    static struct setting setting = {
        .last = 10, .method = "merge/coll", .data = "all", .kill_rank = -1};
    static struct state state = {.min_pending_points = INT64_MAX};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    for (int i = 1; i < argc; i++)
        read_word(&setting, argv[i]);
    if (setting.locale != NULL &&
        (setlocale(LC_ALL, "") == NULL || strcmp(localeconv()->decimal_point, setting.locale) != 0))
        return 8;
    options.method = setting.method;
    options.program = setting.program;
    options.iterations = setting.iterations;
    options.policy = setting.policy;
    options.decide = setting.wants > 0 ? decide : NULL;
    options.user = &setting;
    if (where_begin() < 2 && setting.where != NULL && strcmp(setting.where, "bound") == 0) {
        puts("SKIPPED: this process may use one processor only, so that no two can have one each");
        return 77;
    }
    if (nereus_init(&argc, &argv, &options, &state.job) != NEREUS_OK ||
        nereus_declare_sizes(state.job, &setting.sizes) != NEREUS_OK)
        return 7;
    /* A mistake of the application: only rank 0 registers. */
    const bool constant = strcmp(setting.data, "uneven-constant") == 0;
    const bool uneven = constant || strcmp(setting.data, "uneven") == 0;
    if (uneven)
        setting.data = "none";
    begin(&state, &setting);
    if (uneven && nereus_rank(state.job) == 0) {
        add_array(&state, MPI_DOUBLE, 100, constant ? NEREUS_CONSTANT : NEREUS_VARIABLE);
        walk_array(&state, 0, 1);
    }
    const enum nereus_action action = loop(&state, &setting);
    const int overlap_errors = count_overlap_errors(&state, &setting);
    const int failed = (action == NEREUS_LEAVE ? 0 : verdict(&state, &setting)) + overlap_errors;
    measure_end();
    const int status = nereus_finalize(&state.job) == NEREUS_OK ? 0 : 6;
    if (action == NEREUS_LEAVE)
        return failed ? 1 : status;
    return failed ? 1 : status != 0 ? status : setting.exit_status;
}
