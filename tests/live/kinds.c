/**
 * @file kinds.c
 * A malleable program with data of every kind, cut in every way, that checks all of it after every
 * reconfiguration, bit for bit. Words:
 *
 *   schedule=4@2:merge/coll-keep,2@4   NEREUS_SCHEDULE
 *   walk=20                            instead, so many random changes by the seed (walk.h)
 *   asks=20                            or rank 0 asks for random changes until so many are carried
 *                                      out
 *   largest=5  layouts=1               of the sizes of random changes; some of those that are asked
 *                                      for are layouts
 *   last=6  until=2  pause=0.002       iterations; as many more as so many reconfigurations take;
 *                                      seconds of each
 *   most=100000                        iterations, whatever is not carried out by then
 *   n=1009                             elements, rows, columns of most data
 *   seed=3                             lengths of rows and of strings
 *   powers=1,3,2                       of the initial processes, in work units per CPU second
 *   shares=1,3                         at the end, ranges of an array are in this proportion, to
 *                                      one element
 *   balanced=1                         at the end, non-zeros are as even as whole rows allow
 *   kept=50                            of the last reconfiguration: per cent of the bytes that did
 *                                      not move, at least
 *   weights=fail|late                  a process cannot weigh; its weights come from a function
 *   only=strings                       of variable data there are custom ones alone, which change
 *                                      in every iteration
 *   only=lists                         the same with lists that have nothing before iteration 3,
 *                                      and grow and shrink then
 *   lists=1  mover=1                   also lists that are constant (lists.h); data that the
 *                                      program moves itself (round_robin.h); mover=2: which it
 *                                      cannot store
 *   kill=3@2+15000  killed=FILE        a process is killed (victim.h)
 *   dies=5                             rank 0 is killed in that iteration, in each life of the job
 *   progress=FILE                      counts points
 *   bytes=fail|late                    the last process cannot say how many bytes it has; when a
 *                                      reconfiguration is under way
 *   memory=256                         an array of so many MB: is the bound of docs/application.md
 *                                      held?
 *   beside=1                           iterations must have run during each reconfiguration
 *   outcome=failed  expect=2           of the latest request; processes at the end
 *   checkpoint=4  says=TEXT            nereus_checkpoint in that iteration; it fails in all
 *                                      processes with a sentence that has this text
 *   restarts=1                         at the end
 *   unread=1                           a joined process registers nothing, writes a checkpoint, and
 *                                      ends
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grids.h"
#include "lists.h"
#include "nereus/nereus.h"
#include "round_robin.h"
#include "victim.h"
#include "walk.h"

enum { WALK_MAX = 64, DENSE_MAX = 16, LIST_MAX = 8, COPIES = 1031 };

static struct {
    int64_t last, until, max, n, seed, walk, asks, largest, memory_mb;
    double pause_s;
    int64_t powers[LIST_MAX], shares[LIST_MAX];
    int64_t checkpoint, restarts;
    int power_count, share_count, balanced, kept, overlap, expect, lists, mover, layouts, unread,
        dies;
    const char *weights, *bytes, *outcome, *only, *kill, *killed, *progress, *says;
} setting = {.last = 6, .max = 100000, .n = 1009, .largest = 5, .restarts = -1};

struct dense {
    int id;
    int64_t bytes; /* of an element */
    bool varies;   /* changes in every iteration */
};

/* Custom data: a list of strings, one an element. */
struct strings {
    int64_t first, count;
    char **text;
};

static nereus_job *job;
static struct dense dense[DENSE_MAX];
static int dense_count, vector, csr, csc, custom, rows;
static struct strings strings;
static struct lists constant_lists, lists;
static struct grids grids;
static struct round_robin apart = {.numbers = 211};
static int64_t iteration, last_moved[2];
static int64_t copies[COPIES]; /* replicated; new values in each iteration */
static bool is_new;

static void fail(const char *what, int64_t where)
{
    fprintf(stderr, "kinds: process %d of %d at iteration %" PRId64 ": %s (%" PRId64 "): %s\n",
            nereus_rank(job), nereus_size(job), iteration, what, where, nereus_last_error(job));
    MPI_Abort(MPI_COMM_WORLD, 9);
    exit(9);
}

static bool is_only(const char *what)
{
    return setting.only != NULL && strcmp(setting.only, what) == 0;
}

static void must(enum nereus_status status, const char *what)
{
    if (status != NEREUS_OK)
        fail(what, status);
}

/* ---- words ----------------------------------------------------------------------------------- */

static int read_list(const char *text, int64_t *list)
{
    int count = 0;
    for (char *end; *text != '\0' && count < LIST_MAX; text = *end == ',' ? end + 1 : end)
        list[count++] = strtoll(text, &end, 10);
    return count;
}

static void read_word(const char *word)
{
    const char *value = strchr(word, '=');
    const size_t length = value == NULL ? 0 : (size_t)(value++ - word);
#define IS(name) (length == sizeof name - 1 && strncmp(word, name, length) == 0)
    if (IS("schedule"))
        setenv("NEREUS_SCHEDULE", value, 1);
    else if (IS("last"))
        setting.last = atoll(value);
    else if (IS("until"))
        setting.until = atoll(value);
    else if (IS("walk"))
        setting.walk = atoll(value);
    else if (IS("asks"))
        setting.asks = setting.until = atoll(value);
    else if (IS("largest"))
        setting.largest = atoll(value);
    else if (IS("most"))
        setting.max = atoll(value);
    else if (IS("lists"))
        setting.lists = atoi(value);
    else if (IS("layouts"))
        setting.layouts = atoi(value);
    else if (IS("mover"))
        setting.mover = atoi(value);
    else if (IS("kill"))
        setting.kill = value;
    else if (IS("dies"))
        setting.dies = atoi(value);
    else if (IS("killed"))
        setting.killed = value;
    else if (IS("progress"))
        setting.progress = value;
    else if (IS("pause"))
        setting.pause_s = atof(value);
    else if (IS("n"))
        setting.n = atoll(value);
    else if (IS("seed"))
        setting.seed = atoll(value);
    else if (IS("powers"))
        setting.power_count = read_list(value, setting.powers);
    else if (IS("shares"))
        setting.share_count = read_list(value, setting.shares);
    else if (IS("balanced"))
        setting.balanced = atoi(value);
    else if (IS("kept"))
        setting.kept = atoi(value);
    else if (IS("beside"))
        setting.overlap = atoi(value);
    else if (IS("weights"))
        setting.weights = value;
    else if (IS("bytes"))
        setting.bytes = value;
    else if (IS("only"))
        setting.only = value;
    else if (IS("memory"))
        setting.memory_mb = atoll(value);
    else if (IS("outcome"))
        setting.outcome = value;
    else if (IS("checkpoint"))
        setting.checkpoint = atoll(value);
    else if (IS("says"))
        setting.says = value;
    else if (IS("unread"))
        setting.unread = atoi(value);
    else if (IS("restarts"))
        setting.restarts = atoll(value);
    else if (IS("expect"))
        setting.expect = atoi(value);
}

/* ---- what the data must be ------------------------------------------------------------------- */

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xd1b54a32d192ed03) +
                 (uint64_t)setting.seed;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 27);
}

static unsigned char byte_of(int datum, int64_t element, int64_t byte)
{
    return (unsigned char)(mix((uint64_t)element * 64 + (uint64_t)datum, (uint64_t)byte) >> 11);
}

static void make_walk(void)
{
    char text[WALK_MAX * (NEREUS_METHOD_TEXT_MAX + 16)], method[NEREUS_METHOD_TEXT_MAX];
    char *end = text;
    int64_t size = 0;
    for (int64_t i = 0; i < setting.walk && i < WALK_MAX; i++) {
        size = walk_any((uint64_t)setting.seed, 0, size, i, setting.largest, method);
        end += sprintf(end, "%s%d@%d:%s", i > 0 ? "," : "", (int)size, (int)i + 2, method);
    }
    setenv("NEREUS_SCHEDULE", text, 1);
}

/* Many rows have none, a few have very many. */
static int64_t length_of_row(int matrix, int64_t row)
{
    const uint64_t z = mix((uint64_t)row, (uint64_t)matrix);
    return z % 3 == 0 ? 0 : z % 29 == 1 ? 90 : (int64_t)(z % 7);
}

/* Length of the other dimension: columns of CSR, rows of CSC. */
static int64_t across_of(int matrix)
{
    return matrix == 0 ? 3 * setting.n + 5 : 77;
}

static int64_t index_of(int matrix, int64_t row, int64_t i)
{
    return (int64_t)(mix((uint64_t)(row * 131 + i), (uint64_t)(matrix + 40)) %
                     (uint64_t)across_of(matrix));
}

static unsigned char value_byte(int matrix, int64_t row, int64_t i, int64_t byte)
{
    return (unsigned char)(mix((uint64_t)(row * 257 + i), (uint64_t)(matrix * 8 + byte)) >> 9);
}

static void string_of(int64_t element, char *text)
{
    const int length = (int)(mix((uint64_t)element, 99) % 23);
    for (int i = 0; i < length; i++)
        text[i] = (char)('a' + mix((uint64_t)element, (uint64_t)(100 + i)) % 26);
    snprintf(text + length, 8, "%06d", setting.only == NULL ? 0 : (int)iteration);
}

/* ---- sparse ---------------------------------------------------------------------------------- */

/* Registers a matrix from the own part of its rows, or columns. */
static void register_sparse(int matrix, const char *name, int64_t value_bytes, MPI_Datatype type,
                            int64_t n, int partition, int *id)
{
    int64_t first = 0, count = 0, nonzeros = 0;
    const bool joined = nereus_is_joined(job), by_rows = matrix == 0;
    int64_t *pointers = NULL, *indices = NULL;
    unsigned char *values = NULL;
    if (!joined) {
        must(nereus_partition_part_of(job, partition, nereus_rank(job), &first, &count),
             "own rows");
        pointers = calloc((size_t)count + 1, sizeof *pointers);
        for (int64_t i = 0; i < count; i++)
            pointers[i + 1] = nonzeros += length_of_row(matrix, first + i);
        indices = malloc((size_t)nonzeros * sizeof *indices + 1);
        values = malloc((size_t)(nonzeros * value_bytes) + 1);
        for (int64_t i = 0; i < count; i++)
            for (int64_t k = pointers[i]; k < pointers[i + 1]; k++) {
                indices[k] = index_of(matrix, first + i, k - pointers[i]);
                for (int64_t b = 0; b < value_bytes; b++)
                    values[k * value_bytes + b] = value_byte(matrix, first + i, k - pointers[i], b);
            }
    }
    must(by_rows ? nereus_register_csr(job, name, type, n, across_of(matrix), partition, pointers,
                                       indices, values, NEREUS_CONSTANT, id)
                 : nereus_register_csc(job, name, type, across_of(matrix), n, partition, pointers,
                                       indices, values, NEREUS_VARIABLE, id),
         name);
    free(pointers);
    free(indices);
    free(values);
}

static void check_sparse(int matrix, int id, int64_t value_bytes)
{
    struct nereus_sparse local;
    int64_t first, count;
    must(nereus_local_sparse(job, id, &local), "sparse part");
    must(nereus_part_of(job, id, nereus_rank(job), &first, &count), "sparse range");
    if (local.first != first || local.count != count || local.pointers[0] != 0 ||
        local.pointers[count] != local.nonzeros)
        fail("a sparse part is not its range", first);
    for (int64_t i = 0; i < count; i++) {
        const int64_t begin = local.pointers[i], length = local.pointers[i + 1] - begin;
        if (length != length_of_row(matrix, first + i))
            fail("length of a row", first + i);
        for (int64_t k = 0; k < length; k++) {
            if (local.indices[begin + k] != index_of(matrix, first + i, k))
                fail("index of a non-zero", first + i);
            for (int64_t b = 0; b < value_bytes; b++)
                if (((unsigned char *)local.values)[(begin + k) * value_bytes + b] !=
                    value_byte(matrix, first + i, k, b))
                    fail("value of a non-zero", first + i);
        }
    }
}

/* ---- custom ---------------------------------------------------------------------------------- */

static void drop_strings(void)
{
    for (int64_t i = 0; i < strings.count; i++)
        free(strings.text[i]);
    free(strings.text);
    strings = (struct strings){0};
}

static void resize_strings(void *user, int64_t first, int64_t count)
{
    (void)user;
    drop_strings();
    strings = (struct strings){first, count, calloc((size_t)count + 1, sizeof(char *))};
}

static bool is_pending(void)
{
    return nereus_last_outcome(job, NULL) == NEREUS_OUTCOME_PENDING;
}

static int64_t bytes_of_strings(void *user, int64_t first, int64_t count)
{
    int64_t bytes = 16; /* a header: the size of a range is not the sum of its parts' */
    (void)user;
    if (setting.bytes != NULL && nereus_rank(job) == nereus_size(job) - 1 &&
        (strcmp(setting.bytes, "late") != 0 || is_pending()))
        return -1;
    for (int64_t i = first; i < first + count; i++)
        bytes += (int64_t)strlen(strings.text[i - strings.first]) + 1;
    return bytes;
}

static void pack_strings(void *user, int64_t first, int64_t count, void *buffer, int64_t bytes)
{
    char *position = buffer;
    (void)user;
    memcpy(position, &bytes, 8);
    memcpy(position + 8, &iteration, 8);
    position += 16;
    for (int64_t i = first; i < first + count; i++, position += strlen(position) + 1)
        strcpy(position, strings.text[i - strings.first]);
}

static enum nereus_status unpack_strings(void *user, int64_t first, int64_t count,
                                         const void *buffer, int64_t bytes)
{
    const char *position = buffer;
    int64_t packed;
    (void)user;
    memcpy(&packed, position, 8);
    if (packed != bytes)
        return NEREUS_ERR_MISMATCH;
    if (is_new && setting.only != NULL)
        memcpy(&iteration, position + 8, 8); /* no registered counter has it */
    position += 16;
    for (int64_t i = first; i < first + count; i++, position += strlen(position) + 1) {
        if (i < strings.first || i >= strings.first + strings.count)
            return NEREUS_ERR_MISMATCH;
        strings.text[i - strings.first] = strdup(position);
    }
    return NEREUS_OK;
}

static void register_strings(void)
{
    struct nereus_custom calls = NEREUS_CUSTOM_INIT;
    char text[32];
    calls.bytes = bytes_of_strings;
    calls.pack = pack_strings;
    calls.resize = resize_strings;
    calls.unpack = unpack_strings;
    is_new = nereus_is_joined(job);
    must(nereus_register_custom(job, "strings", setting.n, rows, &calls, NEREUS_VARIABLE, &custom),
         "strings");
    if (is_new)
        return;
    int64_t first, count;
    must(nereus_part_of(job, custom, nereus_rank(job), &first, &count), "own strings");
    resize_strings(NULL, first, count);
    for (int64_t i = 0; i < count; i++) {
        string_of(first + i, text);
        strings.text[i] = strdup(text);
    }
}

/* Sets the strings to this iteration; their lengths stay. */
static void change_strings(void)
{
    for (int64_t i = 0; i < strings.count && is_only("strings"); i++)
        string_of(strings.first + i, strings.text[i]);
}

static void check_strings(void)
{
    int64_t first, count;
    char text[32];
    must(nereus_part_of(job, custom, nereus_rank(job), &first, &count), "own strings");
    if (strings.first != first || strings.count != count)
        fail("strings are not their range", strings.first);
    for (int64_t i = 0; i < count; i++) {
        string_of(first + i, text);
        if (strings.text[i] == NULL || strcmp(strings.text[i], text) != 0)
            fail("a string", first + i);
    }
}

/* ---- dense ----------------------------------------------------------------------------------- */

static void add_dense(int id, int64_t bytes, enum nereus_data_kind kind)
{
    dense[dense_count++] = (struct dense){id, bytes, kind == NEREUS_VARIABLE};
}

static void add_array(const char *name, MPI_Datatype type, int64_t n, int partition,
                      enum nereus_data_kind kind)
{
    int id, bytes;
    MPI_Type_size(type, &bytes);
    must(nereus_register_array_in(job, name, type, n, partition, kind, &id), name);
    add_dense(id, bytes, kind);
}

static void add_matrix(const char *name, MPI_Datatype type, int64_t m, int64_t n,
                       enum nereus_data_shape shape)
{
    int id, bytes;
    MPI_Type_size(type, &bytes);
    must(nereus_register_matrix(job, name, type, m, n, shape, NEREUS_BY_LENGTH, NEREUS_CONSTANT,
                                &id),
         name);
    add_dense(id, bytes * (shape == NEREUS_BY_ROWS ? n : m), NEREUS_CONSTANT);
}

/* Fills the own part of an array, or checks it. */
static void walk_dense(int d, bool fill)
{
    unsigned char *part;
    int64_t first, count;
    must(nereus_local(job, dense[d].id, (void **)&part, &first, &count), "dense part");
    for (int64_t i = 0; i < count * dense[d].bytes; i++) {
        const unsigned char is =
            (unsigned char)(byte_of(d, first + i / dense[d].bytes, i % dense[d].bytes) +
                            (dense[d].varies ? iteration : 0));
        if (fill)
            part[i] = is;
        else if (part[i] != is)
            fail("an element of dense data", first + i / dense[d].bytes);
    }
}

/* Fills the replicated data, or checks them. */
static void walk_copies(bool fill)
{
    for (int64_t i = 0; i < COPIES; i++)
        if (fill)
            copies[i] = i * 8191 + iteration;
        else if (copies[i] != i * 8191 + iteration)
            fail("a replicated value", i);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int64_t weigh(void *user, int64_t first, int64_t count, int64_t *weights)
{
    (void)user;
    for (int64_t i = 0; i < count; i++)
        weights[i] = 1 + (first + i) % 5;
    return strcmp(setting.weights, "fail") == 0 && nereus_rank(job) == 1;
}

static void refused_as(enum nereus_status expected, enum nereus_status status, const char *word)
{
    if (status != expected || strstr(nereus_last_error(job), word) == NULL)
        fail(word, status);
}

static void refused(enum nereus_status status, const char *word)
{
    refused_as(NEREUS_ERR_ARGUMENT, status, word);
}

/* A name that only this process registers, or another form of what it received, is refused locally:
 * no other process takes part or notices. */
static void check_refusals_of_joined(void)
{
    const int64_t pointers[2] = {0, 0};
    int id = -1;
    refused_as(NEREUS_ERR_MISMATCH,
               nereus_register_csr(job, "misspelt", MPI_INT, nereus_size(job), 5, NEREUS_BY_LENGTH,
                                   pointers, NULL, NULL, NEREUS_CONSTANT, &id),
               "is not registered yet");
    refused_as(NEREUS_ERR_MISMATCH,
               nereus_register_array(job, "misspelt", MPI_INT, setting.n, NEREUS_CONSTANT, &id),
               "'misspelt' was not received");
    refused_as(NEREUS_ERR_MISMATCH, nereus_register_partition(job, "misspelt", setting.n, &id),
               "is not registered yet");
    refused_as(NEREUS_ERR_MISMATCH,
               nereus_register_array(job, "x", MPI_DOUBLE, setting.n, NEREUS_VARIABLE, &id),
               "cannot be registered as a variable array of");
    refused_as(NEREUS_ERR_MISMATCH,
               nereus_register_matrix(job, "x", MPI_DOUBLE, setting.n, 1, NEREUS_BY_ROWS,
                                      NEREUS_BY_LENGTH, NEREUS_CONSTANT, &id),
               "as a constant matrix by rows of");
    refused_as(NEREUS_ERR_MISMATCH,
               nereus_register_array(job, "x", MPI_DOUBLE, setting.n + 77, NEREUS_CONSTANT, &id),
               "'x' was received as a constant array of");
    if (id != -1)
        fail("a refused registration wrote its id", id);
}

/* An error in one process is returned in all, and nothing is registered. */
static void check_refusals(int columns)
{
    int64_t pointers[2] = {0, 0};
    int id = -1;
    const bool last = nereus_rank(job) == nereus_size(job) - 1;
    int one;
    must(nereus_register_partition(job, "one", nereus_size(job), &one), "one");
    pointers[0] = last; /* has to be 0 */
    refused(nereus_register_csr(job, "wrong", MPI_INT, nereus_size(job), 5, one, pointers, pointers,
                                pointers, NEREUS_CONSTANT, &id),
            last ? "begin with 0" : "could not register its part");
    pointers[0] = 0;
    pointers[1] = last;
    const int64_t beyond = 5;
    refused(nereus_register_csr(job, "wrong", MPI_INT, nereus_size(job), 5, one, pointers, &beyond,
                                &beyond, NEREUS_CONSTANT, &id),
            last ? "outside 0 .. 4" : "could not register its part");
    refused(nereus_register_matrix(job, "wrong", MPI_INT, 3, 4, NEREUS_CSR, NEREUS_BY_LENGTH,
                                   NEREUS_CONSTANT, &id),
            "by rows or by columns");
    refused(nereus_register_array_in(job, "wrong", MPI_INT, 2 * setting.n, columns, NEREUS_CONSTANT,
                                     &id),
            "do not fit a partition");
    struct nereus_custom calls = NEREUS_CUSTOM_INIT;
    calls.bytes = bytes_of_strings;
    calls.pack = pack_strings;
    calls.unpack = unpack_strings;
    refused(nereus_register_custom(job, "a name of forty letters, of which one is", 1, one, &calls,
                                   NEREUS_VARIABLE, &id),
            "at most 39");
    refused(nereus_register_array_in(job, "wrong", MPI_INT, 7, 99, NEREUS_CONSTANT, &id),
            "is no partition");
    refused(nereus_register_partition(job, "one", nereus_size(job), &one), "registered already");
    refused(nereus_register_array(job, "wrong", MPI_INT, 7, (enum nereus_data_kind)77, &id),
            "not 77");
    refused(nereus_register_array(job, "wrong", MPI_DATATYPE_NULL, 7, NEREUS_CONSTANT, &id),
            "MPI_DATATYPE_NULL");
    if (id != -1)
        fail("a refused registration wrote its id", id);
}

static void register_lists(void)
{
    must(lists_register(&lists, job, "lists", setting.n, rows, &iteration), "lists");
    if (setting.lists)
        must(lists_register(&constant_lists, job, "constant lists", 2 * setting.n, NEREUS_BY_LENGTH,
                            NULL),
             "constant lists");
}

/* No grids in rows that measure moved bytes or memory. */
static void register_grids(void)
{
    if (setting.kept == 0 && setting.memory_mb == 0)
        must(grids_register(&grids, job, &iteration), "grids");
}

static void check_grids(const char *difference)
{
    if (difference != NULL)
        fail(difference, 0);
}

static void check_lists(const struct lists *checked)
{
    const int64_t index = lists_check(checked);
    if (index >= 0)
        fail("a list", index);
}

/* Only strings, or lists, are variable: not even the iteration counter. */
static void register_custom_alone(void)
{
    must(nereus_register_partition(job, "rows", setting.n, &rows), "rows");
    add_array("x", MPI_DOUBLE, 10 * setting.n, NEREUS_BY_LENGTH, NEREUS_CONSTANT);
    if (is_only("strings"))
        register_strings();
    else if (nereus_is_joined(job))
        iteration = nereus_points(job); /* there is a point in each iteration */
    if (is_only("lists"))
        register_lists();
    if (!nereus_is_joined(job))
        walk_dense(0, true);
}

static void register_all(void)
{
    int id, columns;
    if (nereus_is_joined(job))
        check_refusals_of_joined();
    must(nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                                    &id),
         "iteration");
    must(nereus_register_replicated(job, "copies", MPI_INT64_T, COPIES, NEREUS_VARIABLE, copies,
                                    &id),
         "copies");
    must(nereus_register_partition(job, "rows", setting.n, &rows), "rows");
    must(nereus_register_partition(job, "strings (bytes)", 7, &id),
         "a name like one inside the library");
    must(nereus_register_partition(job, "columns", 2 * setting.n + 1, &columns), "columns");
    if (!nereus_is_joined(job))
        check_refusals(columns);
    add_array("x", MPI_DOUBLE, setting.n, NEREUS_BY_LENGTH, NEREUS_CONSTANT);
    add_array("vector", MPI_DOUBLE, setting.n, rows, NEREUS_VARIABLE);
    vector = dense[dense_count - 1].id;
    add_array("none", MPI_INT, 0, NEREUS_BY_LENGTH, NEREUS_VARIABLE);
    add_array("one", MPI_CHAR, 1, NEREUS_BY_LENGTH, NEREUS_CONSTANT);
    add_array("three", MPI_SHORT, 3, NEREUS_BY_LENGTH, NEREUS_VARIABLE);
    add_array("large", MPI_INT64_T, 10 * setting.n + 3, NEREUS_BY_LENGTH, NEREUS_CONSTANT);
    add_matrix("by rows", MPI_FLOAT, setting.n, 7, NEREUS_BY_ROWS);
    add_matrix("by columns", MPI_DOUBLE, 5, 2 * setting.n + 1, NEREUS_BY_COLUMNS);
    register_sparse(0, "csr", 8, MPI_DOUBLE, setting.n, rows, &csr);
    register_sparse(1, "csc", 2, MPI_SHORT, 2 * setting.n + 1, columns, &csc);
    must(nereus_weigh_by_nonzeros(job, csr), "weigh by non-zeros");
    if (setting.weights != NULL)
        must(nereus_set_weights(job, columns, weigh, NULL), "weights");
    register_strings();
    register_lists();
    register_grids();
    if (setting.memory_mb > 0)
        add_array("huge", MPI_DOUBLE, setting.memory_mb << 17, NEREUS_BY_LENGTH, NEREUS_CONSTANT);
    if (!nereus_is_joined(job))
        for (int d = 0; d < dense_count; d++)
            walk_dense(d, true);
    if (!nereus_is_joined(job) && setting.mover)
        round_robin_fill(&apart);
    if (!nereus_is_joined(job))
        walk_copies(true);
}

/* The ranges of all ranks tile the array, and nereus_owner_of agrees with them. */
static void check_tiling(int id, int64_t n)
{
    int64_t at = 0;
    int rank;
    while (at < n) {
        int64_t first, count;
        must(nereus_owner_of(job, id, at, &rank), "owner");
        must(nereus_part_of(job, id, rank, &first, &count), "range of a rank");
        if (first != at || count < 1)
            fail("ranges are no partition", at);
        at += count;
    }
    if (nereus_owner_of(job, id, n, &rank) != NEREUS_ERR_ARGUMENT)
        fail("an element beyond the last has an owner", n);
}

static void check_all(void)
{
    int64_t first, count, other, others;
    for (int d = 0; d < dense_count; d++)
        walk_dense(d, false);
    if (!is_only("lists"))
        check_strings();
    check_lists(&lists);
    check_lists(&constant_lists);
    if (setting.only != NULL)
        return;
    check_grids(grids_check(&grids));
    walk_copies(false);
    if (setting.mover)
        round_robin_check(&apart, iteration);
    if (apart.errors > 0)
        fail("data that the program moves itself", apart.errors);
    check_sparse(0, csr, 8);
    check_sparse(1, csc, 2);
    check_tiling(dense[0].id, setting.n);
    check_tiling(csc, 2 * setting.n + 1);
    check_tiling(vector, setting.n);
    must(nereus_part_of(job, vector, nereus_rank(job), &first, &count), "vector");
    must(nereus_part_of(job, csr, nereus_rank(job), &other, &others), "csr");
    if (first != other || count != others)
        fail("data of one partition are cut differently", first);
}

/* ---- at the end ------------------------------------------------------------------------------ */

static void check_shares(void)
{
    int64_t sum = 0, first, count;
    for (int i = 0; i < setting.share_count; i++)
        sum += setting.shares[i];
    for (int rank = 0; rank < setting.share_count; rank++) {
        must(nereus_part_of(job, dense[0].id, rank, &first, &count), "share");
        if (llabs(count * sum - setting.n * setting.shares[rank]) > sum)
            fail("a share is not in proportion to power", count);
    }
}

static void check_balance(void)
{
    struct nereus_sparse local;
    int64_t total = 0;
    must(nereus_local_sparse(job, csr, &local), "sparse part");
    for (int64_t row = 0; row < setting.n; row++)
        total += length_of_row(0, row);
    if (llabs(local.nonzeros - total / nereus_size(job)) > 91) /* the longest row, and rounding */
        fail("non-zeros are not even", local.nonzeros);
}

static void check_kept(void)
{
    int64_t bytes[2];
    must(nereus_last_moved(job, &bytes[0], &bytes[1]), "moved bytes");
    MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_INT64_T, MPI_SUM, nereus_comm(job));
    if (bytes[1] * 100 < (bytes[0] + bytes[1]) * setting.kept) {
        fprintf(stderr, "kinds: %" PRId64 " bytes moved, %" PRId64 " kept\n", bytes[0], bytes[1]);
        fail("too much was moved", setting.kept);
    }
}

static void check_end(void)
{
    static const char *const names[] = {"none",      "pending", "resized",
                                        "unchanged", "failed",  "too-late"};
    const char *sentence;
    const char *outcome = names[nereus_last_outcome(job, &sentence)];
    if (setting.outcome != NULL && strcmp(outcome, setting.outcome) != 0)
        fail(outcome, 0);
    if (setting.expect > 0 && nereus_size(job) != setting.expect)
        fail("processes at the end", nereus_size(job));
    if (setting.restarts >= 0 && nereus_restarts(job) != setting.restarts)
        fail("restarts", nereus_restarts(job));
    check_shares();
    if (setting.balanced)
        check_balance();
    if (setting.kept > 0)
        check_kept();
    if (nereus_rank(job) == 0)
        printf("kinds: %d processes, %" PRId64 " changes, latest request %s: %s\n",
               nereus_size(job), nereus_reconfigurations(job), outcome, sentence);
}

/* VmHWM and VmRSS, in bytes. */
static int64_t memory_of(const char *key)
{
    char line[256];
    int64_t kb = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            kb = atoll(line + strlen(key) + 1);
    if (file != NULL)
        fclose(file);
    return kb << 10;
}

static int64_t parts_bytes(void)
{
    int64_t sum = 0, count;
    for (int d = 0; d < dense_count; d++) {
        must(nereus_local(job, dense[d].id, NULL, NULL, &count), "part");
        sum += count * dense[d].bytes;
    }
    return sum;
}

/* Bytes of two packing buffers of 8 MiB, and an allowance for MPI. */
enum { PACKING = 16 << 20, OF_MPI = 24 << 20 };

/* Between reconfigurations a process keeps no more than its parts and NEREUS_KEEP_BUFFERS. The
 * address sanitizer keeps freed memory. */
static void check_resting(int64_t resident_bytes)
{
#ifdef __SANITIZE_ADDRESS__
    resident_bytes = 0;
#endif
    static int64_t first = -1;
    const char *text = getenv("NEREUS_KEEP_BUFFERS");
    const int64_t extra_bytes = resident_bytes - parts_bytes(),
                  kept_bytes = text != NULL ? atoll(text) : 0;
    if (first < 0)
        first = extra_bytes;
    if (extra_bytes > first + kept_bytes + OF_MPI)
        fail("more memory than its parts and what may be kept",
             (extra_bytes - first - kept_bytes - OF_MPI) >> 20);
}

/* The peak of memory: old and new parts and the packing buffers. */
static void check_memory(int64_t before, int64_t max)
{
    const int64_t allowed = before + parts_bytes() + PACKING + OF_MPI;
    if (max > allowed) {
        fprintf(stderr, "kinds: %" PRId64 " MB at most, %" PRId64 " MB before\n", max >> 20,
                before >> 20);
        fail("more memory than the old part, the new part and a buffer", (max - allowed) >> 20);
    }
}

/* In old processes, also in those that leave. */
static void check_overlap(enum nereus_action action)
{
    static int64_t pending_points; /* points passed while a request was pending */
    if (action == NEREUS_CONTINUE) {
        pending_points += is_pending();
        return;
    }
    if (setting.overlap && pending_points == 0)
        fail("no iteration went by beside a reconfiguration", nereus_reconfigurations(job));
    pending_points = 0;
}

/* nereus_last_moved changes only when a reconfiguration has been carried out. */
static void check_last_moved(bool resized)
{
    int64_t moved[2];
    must(nereus_last_moved(job, &moved[0], &moved[1]), "moved bytes");
    if (!resized && (moved[0] != last_moved[0] || moved[1] != last_moved[1]))
        fail("bytes are said to have moved, but nothing was carried out", moved[0]);
    memcpy(last_moved, moved, sizeof moved);
}

static enum nereus_action point(void)
{
    enum nereus_action action;
    int64_t before = 0;
    check_last_moved(false);
    victim_look(job);
    victim_progress(setting.progress);
    if (setting.memory_mb > 0) {
        FILE *file = fopen("/proc/self/clear_refs", "w");
        if (file == NULL || fputs("5", file) < 0 || fclose(file) != 0)
            fail("the peak of memory cannot be reset", 0);
        before = memory_of("VmRSS:");
        check_resting(before);
    }
    must(nereus_point(job, &action), "point");
    check_overlap(action);
    check_last_moved(action != NEREUS_CONTINUE);
    if (action == NEREUS_RESIZED) {
        if (setting.memory_mb > 0)
            check_memory(before, memory_of("VmHWM:"));
    }
    if (action == NEREUS_RESIZED || (action == NEREUS_CONTINUE && setting.memory_mb == 0))
        check_all();
    if (action == NEREUS_RESIZED)
        check_grids(grids_check_halos(&grids));
    return action;
}

/* One iteration. */
static void iterate(void)
{
    iteration++;
    if (iteration == setting.dies && nereus_rank(job) == 0)
        raise(SIGKILL);
    walk_copies(true);
    for (int d = 0; d < dense_count; d++)
        if (dense[d].varies)
            walk_dense(d, true);
    change_strings();
    lists_change(&lists);
    grids_change(&grids);
    if (setting.mover)
        round_robin_iterate(&apart);
    usleep((useconds_t)(setting.pause_s * 1e6));
}

/* A checkpoint, or the reason why there is none: the same in all processes. */
static void write_checkpoint(void)
{
    const enum nereus_status status = nereus_checkpoint(job);
    if (setting.says == NULL)
        must(status, "checkpoint");
    else if (status == NEREUS_OK || strstr(nereus_last_error(job), setting.says) == NULL)
        fail("a checkpoint is not refused as expected", status);
    check_all();
}

static enum nereus_action loop(void)
{
    const struct walk walk = {walk_any, (uint64_t)setting.seed, setting.largest, setting.layouts};
    enum nereus_action action = NEREUS_CONTINUE;
    while ((iteration < setting.last || nereus_reconfigurations(job) < setting.until ||
            (setting.bytes != NULL && is_pending())) &&
           iteration < setting.max && action != NEREUS_LEAVE) {
        iterate();
        if (iteration == setting.checkpoint)
            write_checkpoint();
        if (setting.asks > 0)
            walk_ask(job, &walk);
        action = point();
    }
    return action;
}

static void register_data(void)
{
    apart.job = job;
    if (setting.only != NULL)
        register_custom_alone();
    else
        register_all();
    check_all();
    check_grids(grids_check_halos(&grids));
    check_last_moved(true);
    if (setting.power_count > nereus_rank(job) && !nereus_is_joined(job))
        must(nereus_set_power(job, (double)(6 * setting.powers[nereus_rank(job)]), 6), "power");
}

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct nereus_mover mover = round_robin_mover(&apart);
    for (int i = 1; i < argc; i++)
        read_word(argv[i]);
    if (setting.walk > 0)
        make_walk();
    options.mover = setting.mover ? &mover : NULL;
    if (setting.mover > 1)
        mover.file = NULL;
    victim_begin(setting.kill, setting.killed);
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return 8;
    victim_is(VICTIM_MEMBER);
    if (setting.unread && nereus_is_joined(job)) {
        must(nereus_checkpoint(job), "checkpoint");
        return nereus_finalize(&job) == NEREUS_OK ? 0 : 7;
    }
    register_data();
    const enum nereus_action action = loop();
    if (action == NEREUS_LEAVE)
        victim_is(VICTIM_LEAVING);
    else
        check_end();
    drop_strings();
    const enum nereus_status status = nereus_finalize(&job);
    victim_is(VICTIM_LEAVING);
    lists_free(&constant_lists);
    lists_free(&lists);
    free(apart.own_numbers);
    return status == NEREUS_OK ? 0 : 7;
}
