/**
 * @file callbacks.c
 * Calls of the library inside its callbacks: calls that wait for other processes, or change what is
 * being moved, are refused with a message that names the callback; queries and setters work. The
 * job still grows and shrinks, and its data are checked.
 *
 *   callbacks METHOD       from 2 processes to 3, and to 1
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nereus/nereus.h"

enum { LENGTH = 1001, LAST = 9 };

static nereus_job *job; /* NULL within nereus_init, also in the callbacks of a joined process */
static int x = -1, next = -1, grid = -1, field = -1;
static int64_t errors, call_counts[5]; /* of before, after, pack, unpack, resize */
static const char *callback;           /* name of the current one */

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    if (errors++ < 10)
        fprintf(stderr, "callbacks: inside %s: %s\n", callback, what);
}

static void expect_refused(nereus_job *j, enum nereus_status status, const char *call)
{
    const char *sentence = nereus_last_error(j);
    expect(status == NEREUS_ERR_STATE, call);
    expect(strstr(sentence, callback) != NULL &&
               strstr(sentence, "is not possible inside ") != NULL,
           sentence);
}

static void check_refused_registrations(nereus_job *j)
{
    static int64_t values[4];
    const int64_t pointers[LENGTH + 1] = {0};
    struct nereus_custom calls = NEREUS_CUSTOM_INIT;
    int id = -1;
    calls.bytes = (int64_t(*)(void *, int64_t, int64_t))abort;
    calls.pack = (void (*)(void *, int64_t, int64_t, void *, int64_t))abort;
    calls.unpack = (enum nereus_status(*)(void *, int64_t, int64_t, const void *, int64_t))abort;
    expect_refused(j, nereus_register_array(j, "y", MPI_INT, 7, NEREUS_VARIABLE, &id), "array");
    expect_refused(j,
                   nereus_register_matrix(j, "y", MPI_INT, 7, 3, NEREUS_BY_ROWS, NEREUS_BY_LENGTH,
                                          NEREUS_VARIABLE, &id),
                   "matrix");
    expect_refused(j,
                   nereus_register_csr(j, "y", MPI_INT, LENGTH, 5, NEREUS_BY_LENGTH, pointers, NULL,
                                       NULL, NEREUS_CONSTANT, &id),
                   "csr");
    expect_refused(j,
                   nereus_register_csc(j, "y", MPI_INT, 5, LENGTH, NEREUS_BY_LENGTH, pointers, NULL,
                                       NULL, NEREUS_CONSTANT, &id),
                   "csc");
    expect_refused(j,
                   nereus_register_replicated(j, "y", MPI_INT64_T, 4, NEREUS_VARIABLE, values, &id),
                   "replicated");
    expect_refused(
        j, nereus_register_custom(j, "y", 7, NEREUS_BY_LENGTH, &calls, NEREUS_VARIABLE, &id),
        "custom");
    expect_refused(j, nereus_register_partition(j, "y", 7, &id), "partition");
    expect(id == -1, "a refused registration wrote its id");
}

static void check_refused_calls(nereus_job *j)
{
    const char *const nodes[] = {"localhost"};
    const int64_t processes[] = {1};
    enum nereus_action action = NEREUS_LEAVE;
    nereus_job *handle = j, *other = NULL;
    MPI_Comm comm;
    expect_refused(j, nereus_point(j, &action), "point");
    expect(action == NEREUS_CONTINUE, "a refused point says something");
    expect_refused(j, nereus_balance(j, NULL, &action), "balance");
    expect_refused(j, nereus_swap(j, x, next), "swap");
    expect_refused(j, nereus_request_size(j, 2, "merge/coll"), "request");
    expect(nereus_request_release(j, nodes, 1, NULL) != NEREUS_OK, "release");
    expect(nereus_request_layout(j, nodes, processes, 1, NULL) != NEREUS_OK, "layout");
    expect_refused(j, nereus_schedule_spread(j, 0), "spread");
    if (grid >= 0)
        expect_refused(j, nereus_grid_comm(j, grid, &comm), "grid_comm");
    if (grid >= 0)
        expect_refused(j, nereus_grid_exchange(j, field), "grid_exchange");
    expect_refused(j, nereus_finalize(&handle), "finalize");
    expect(handle == j, "a refused finalize took the job");
    expect_refused(NULL, nereus_init(NULL, NULL, NULL, &other), "init");
}

/* Queries and setters; queries of data only where the data are registered. */
static void check_allowed_calls(nereus_job *j)
{
    int64_t first, count;
    int rank, sum = 0, one = 1;
    MPI_Comm_rank(nereus_comm(j), &rank);
    expect(rank == nereus_rank(j), "rank");
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, nereus_comm(j));
    expect(sum == nereus_size(j), "size");
    expect(nereus_points(j) > 0, "points");
    expect(nereus_set_power(j, 5, 5) == NEREUS_OK, "power");
    nereus_set_iterations_left(j, 100);
    expect(nereus_declare_sizes(j, &(struct nereus_sizes){0}) == NEREUS_OK, "sizes");
    if (x >= 0)
        expect(nereus_local(j, x, NULL, &first, &count) == NEREUS_OK, "local");
}

static void check_calls(nereus_job *j, const char *where, int64_t *count)
{
    callback = where;
    ++*count;
    check_refused_registrations(j);
    check_refused_calls(j);
}

static void before(nereus_job *j, void *user)
{
    (void)user;
    check_calls(j, "options.before", &call_counts[0]);
    check_allowed_calls(j);
}

static void after(nereus_job *j, void *user)
{
    (void)user;
    check_calls(j, "options.after", &call_counts[1]);
    check_allowed_calls(j);
}

static int64_t bytes_of(void *user, int64_t first, int64_t count)
{
    (void)user;
    (void)first;
    return count;
}

/* A thread may pack while the program computes; variable data are packed at a point. */
static void pack(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes)
{
    (void)user;
    memset(buffer, (int)(first % 7), (size_t)bytes);
    expect(bytes == count, "bytes");
    check_calls(job, "nereus_custom.pack", &call_counts[2]);
}

static enum nereus_status unpack(void *user, int64_t first, int64_t count, const void *buffer,
                                 int64_t bytes)
{
    (void)user;
    expect(bytes == count && *(const char *)buffer == (char)(first % 7), "what was packed");
    check_calls(job, "nereus_custom.unpack", &call_counts[3]);
    return NEREUS_OK;
}

static void resize(void *user, int64_t first, int64_t count)
{
    (void)user;
    (void)first;
    expect(count > 0, "elements");
    check_calls(job, "nereus_custom.resize", &call_counts[4]);
}

static void register_all(int64_t *iteration)
{
    struct nereus_custom calls = NEREUS_CUSTOM_INIT;
    struct nereus_grid space = NEREUS_GRID_INIT;
    int id;
    space.dimensions = 1;
    space.n[0] = LENGTH;
    calls.bytes = bytes_of;
    calls.pack = pack;
    calls.unpack = unpack;
    calls.resize = resize;
    if (nereus_register_array(job, "x", MPI_DOUBLE_INT, LENGTH, NEREUS_VARIABLE, &x) != NEREUS_OK ||
        nereus_register_array(job, "next", MPI_DOUBLE_INT, LENGTH, NEREUS_VARIABLE, &next) !=
            NEREUS_OK ||
        nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, iteration,
                                   &id) != NEREUS_OK ||
        nereus_register_grid(job, "space", &space, &grid) != NEREUS_OK ||
        nereus_register_field(job, "u", MPI_FLOAT, grid, NEREUS_VARIABLE, &field) != NEREUS_OK ||
        nereus_register_custom(job, "custom", LENGTH, NEREUS_BY_LENGTH, &calls, NEREUS_VARIABLE,
                               &id) != NEREUS_OK) {
        fprintf(stderr, "callbacks: %s\n", nereus_last_error(job));
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

/* Pairs as MPI_DOUBLE_INT has them, with a gap. */
struct pair {
    double value;
    int number;
};

static void fill_or_check(bool fill)
{
    void *part;
    int64_t first, count;
    nereus_local(job, x, &part, &first, &count);
    struct pair *pairs = part;
    for (int64_t i = 0; i < count; i++)
        if (fill)
            pairs[i] = (struct pair){(double)(first + i) / 3, (int)(first + i)};
        else
            expect(pairs[i].number == (int)(first + i) &&
                       pairs[i].value * 3 - (double)(first + i) < 1e-9 &&
                       pairs[i].value * 3 - (double)(first + i) > -1e-9,
                   "a pair");
}

int main(int argc, char **argv)
{
    const char *method = argc > 1 ? argv[1] : "merge/coll";
    const struct nereus_resize schedule[] = {{2, 3, method}, {5, 1, method}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    enum nereus_action action = NEREUS_CONTINUE;
    int64_t iteration = 0;
    options.schedule = schedule;
    options.schedule_count = 2;
    options.before = before;
    options.after = after;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    register_all(&iteration);
    callback = "the program";
    if (!nereus_is_joined(job))
        fill_or_check(true);
    while ((iteration < LAST || nereus_reconfigurations(job) < 2) && action != NEREUS_LEAVE) {
        fill_or_check(false);
        iteration++;
        expect(nereus_point(job, &action) == NEREUS_OK, nereus_last_error(job));
        callback = "the program";
    }
    if (action != NEREUS_LEAVE) {
        expect(nereus_reconfigurations(job) == 2, "changes of size");
        expect(call_counts[1] > 0 && (nereus_is_joined(job) || call_counts[0] > 0), "callbacks");
    }
    const enum nereus_status status = nereus_finalize(&job);
    if (status != NEREUS_OK)
        fprintf(stderr, "callbacks: %s\n", nereus_last_error(NULL));
    return status == NEREUS_OK && errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
