/**
 * @file calls.c
 * Reads the record of MPI calls that libnereus-watch wrote in one process, as CSV.
 */
#include "calls.h"

#include "model/statistics/statistics.h"
#include "model/util/csv.h"
#include "model/util/file.h"
#include "model/util/values.h"

/* Calls as src/interpose/watch.c writes them, the function after which each is named, and the stage
 * that a collective one becomes. */
static const struct {
    const char *word, *function, *stage;
} kinds[NEREUS_CALL_OTHER] = {
    [NEREUS_CALL_BARRIER] = {"barrier", "MPI_Barrier", "barrier"},
    [NEREUS_CALL_BCAST] = {"bcast", "MPI_Bcast", "broadcast"},
    [NEREUS_CALL_REDUCE] = {"reduce", "MPI_Reduce", "reduce"},
    [NEREUS_CALL_ALLREDUCE] = {"allreduce", "MPI_Allreduce", "allreduce"},
    [NEREUS_CALL_ALLGATHER] = {"allgather", "MPI_Allgather", "allgather"},
    [NEREUS_CALL_GATHER] = {"gather", "MPI_Gather", "gather"},
    [NEREUS_CALL_SCATTER] = {"scatter", "MPI_Scatter", "scatter"},
    [NEREUS_CALL_ALLTOALL] = {"alltoall", "MPI_Alltoall", "alltoall"},
    [NEREUS_CALL_SEND] = {"send", "MPI_Send", NULL},
    [NEREUS_CALL_RECV] = {"recv", "MPI_Recv", NULL},
    [NEREUS_CALL_SENDRECV] = {"sendrecv", "MPI_Sendrecv", NULL},
    [NEREUS_CALL_ISEND] = {"isend", "MPI_Isend", NULL},
    [NEREUS_CALL_IRECV] = {"irecv", "MPI_Irecv", NULL},
    [NEREUS_CALL_WAIT] = {"wait", "MPI_Wait", NULL},
    [NEREUS_CALL_WRITE] = {"write", "MPI_File_write_at_all", "write"},
    [NEREUS_CALL_READ] = {"read", "MPI_File_read_at_all", "read"},
    [NEREUS_CALL_MARK] = {"mark", "MPI_Pcontrol", NULL},
};

const char *nereus_call_name(enum nereus_call_kind kind)
{
    return kind < NEREUS_CALL_OTHER ? kinds[kind].function : "other functions";
}

const char *nereus_call_stage(enum nereus_call_kind kind)
{
    return kind < NEREUS_CALL_OTHER ? kinds[kind].stage : NULL;
}

static enum nereus_status fail_at_record(const char *path, const struct nereus_csv_record *record,
                                         struct nereus_error *err)
{
    return nereus_fail(
        err, NEREUS_ERR_PARSE,
        "%s:%lld: a call, bytes, a partner, three times and a root are needed: the file is of "
        "another program, or was cut off",
        path, (long long)record->line);
}

/* Number of a function among those that no stage does; a new one is added. */
static enum nereus_status number_function(const char *function, struct nereus_calls *calls,
                                          int *number, struct nereus_error *err)
{
    *number = 0;
    while (*number < calls->function_count && strcmp(calls->functions[*number], function) != 0)
        ++*number;
    if (*number < calls->function_count)
        return NEREUS_OK;
    NEREUS_TRY_GROW(calls->functions, calls->function_count, err, "for %d functions", *number + 1);
    nereus_text_copy(function, calls->functions[calls->function_count++], sizeof *calls->functions);
    return NEREUS_OK;
}

static enum nereus_status add_call(const char *path, const struct nereus_csv_record *record,
                                   struct nereus_calls *calls, struct nereus_error *err)
{
    enum { NUMBERS = 6 };
    char *ends[NUMBERS];
    int kind = 0;
    while (kind < NEREUS_CALL_OTHER && strcmp(record->fields[0], kinds[kind].word) != 0)
        kind++;
    const bool named = strncmp(record->fields[0], "MPI_", 4) == 0;
    if ((kind == NEREUS_CALL_OTHER && !named) || record->count != 1 + NUMBERS)
        return fail_at_record(path, record, err);
    struct nereus_call call = {.kind = (enum nereus_call_kind)kind,
                               .bytes = strtoll(record->fields[1], &ends[0], 10),
                               .peer = (int)strtol(record->fields[2], &ends[1], 10),
                               .begin_s = nereus_strtod(record->fields[3], &ends[2]),
                               .end_s = nereus_strtod(record->fields[4], &ends[3]),
                               .coreless_s = nereus_strtod(record->fields[5], &ends[4]),
                               .root = (int)strtol(record->fields[6], &ends[5], 10)};
    for (int i = 0; i < NUMBERS; i++)
        if (ends[i] == record->fields[i + 1] || *ends[i] != '\0')
            return fail_at_record(path, record, err);
    if (kind == NEREUS_CALL_OTHER)
        NEREUS_TRY(number_function(record->fields[0], calls, &call.peer, err));
    NEREUS_TRY_GROW(calls->items, calls->count, err, "for %lld calls", (long long)calls->count + 1);
    calls->items[calls->count++] = call;
    return NEREUS_OK;
}

static enum nereus_status add_fact(const char *path, const struct nereus_csv_record *record,
                                   struct nereus_calls *calls, struct nereus_error *err)
{
    char *end;
    struct nereus_fact fact = {.value = nereus_strtod(record->fields[2], &end)};
    if (strcmp(record->fields[0], "fact") != 0 || end == record->fields[2] || *end != '\0')
        return fail_at_record(path, record, err);
    nereus_text_copy(record->fields[1], fact.name, sizeof fact.name);
    NEREUS_TRY_GROW(calls->facts, calls->fact_count, err, "for %d facts", calls->fact_count + 1);
    calls->facts[calls->fact_count++] = fact;
    return NEREUS_OK;
}

static enum nereus_status read_text(const char *path, char *text, struct nereus_calls *calls,
                                    struct nereus_error *err)
{
    struct nereus_csv csv;
    struct nereus_csv_record record;
    nereus_csv_begin(text, &csv);
    int64_t processes = 0;
    if (nereus_csv_next(&csv, &record) != NEREUS_CSV_RECORD || record.count != 4 ||
        strcmp(record.fields[0], "processes") != 0 ||
        nereus_value_parse_integer("", record.fields[1], 1, &processes, NULL) != NEREUS_OK ||
        processes > INT_MAX ||
        nereus_value_parse_integer("", record.fields[2], 0, &calls->constant_bytes, NULL) !=
            NEREUS_OK ||
        nereus_value_parse_integer("", record.fields[3], 0, &calls->variable_bytes, NULL) !=
            NEREUS_OK)
        return fail_at_record(path, &record, err);
    calls->processes = (int)processes;
    enum nereus_csv_result found;
    while ((found = nereus_csv_next(&csv, &record)) == NEREUS_CSV_RECORD && record.count == 3)
        NEREUS_TRY(add_fact(path, &record, calls, err));
    if (found != NEREUS_CSV_RECORD)
        return fail_at_record(path, &record, err);
    while ((found = nereus_csv_next(&csv, &record)) == NEREUS_CSV_RECORD)
        NEREUS_TRY(add_call(path, &record, calls, err));
    return found == NEREUS_CSV_END ? NEREUS_OK : fail_at_record(path, &record, err);
}

/* Limit the times of other calls of one function, which count as computing: times far above the
 * shortest ones are waits for a process that another program delays, and the twin waits by itself.
 * Times of calls with files vary by themselves, and are not limited.
 * @param times_s  scratch */
static void limit_times(struct nereus_calls *calls, int function, double *times_s)
{
    static const double most = 2, quantile = 0.1;
    int count = 0;
    for (int64_t i = 0; i < calls->count; i++) {
        const struct nereus_call *call = &calls->items[i];
        if (call->kind == NEREUS_CALL_OTHER && call->peer == function)
            times_s[count++] = call->end_s - call->begin_s;
    }
    nereus_sort(times_s, count);
    const double limit_s = strncmp(calls->functions[function], "MPI_File_", 9) == 0
                               ? INFINITY
                               : most * nereus_quantile(times_s, count, quantile);
    for (int64_t i = 0; i < calls->count; i++) {
        struct nereus_call *call = &calls->items[i];
        if (call->kind == NEREUS_CALL_OTHER && call->peer == function)
            call->computing_s = fmin(call->end_s - call->begin_s, limit_s);
    }
}

static bool accesses_file(const struct nereus_calls *calls, int64_t i)
{
    return i >= 0 && i < calls->count &&
           (calls->items[i].kind == NEREUS_CALL_WRITE || calls->items[i].kind == NEREUS_CALL_READ);
}

/* The stages write and read open and close their file. */
static void join_files(struct nereus_calls *calls)
{
    for (int64_t i = 0; i < calls->count; i++) {
        struct nereus_call *call = &calls->items[i];
        if (call->kind != NEREUS_CALL_OTHER)
            continue;
        const char *function = calls->functions[call->peer];
        if ((strcmp(function, "MPI_File_open") == 0 && accesses_file(calls, i + 1)) ||
            (strcmp(function, "MPI_File_close") == 0 && accesses_file(calls, i - 1))) {
            call->peer = -1;
            call->computing_s = 0;
        }
    }
}

static enum nereus_status judge_others(struct nereus_calls *calls, struct nereus_error *err)
{
    double *times_s = malloc(((size_t)calls->count + 1) * sizeof *times_s);
    NEREUS_TRY_MEMORY(times_s, err, "for %lld calls", (long long)calls->count);
    for (int f = 0; f < calls->function_count; f++)
        limit_times(calls, f, times_s);
    free(times_s);
    join_files(calls);
    return NEREUS_OK;
}

enum nereus_status nereus_calls_read(const char *path, struct nereus_calls *calls,
                                     struct nereus_error *err)
{
    char *text;
    *calls = (struct nereus_calls){0};
    NEREUS_TRY(nereus_file_read(path, "record of MPI calls", &text, NULL, err));
    enum nereus_status status = read_text(path, text, calls, err);
    free(text);
    if (status == NEREUS_OK)
        status = judge_others(calls, err);
    if (status != NEREUS_OK)
        nereus_calls_fini(calls);
    return status;
}

void nereus_calls_fini(struct nereus_calls *calls)
{
    free(calls->items);
    free(calls->facts);
    free(calls->functions);
    *calls = (struct nereus_calls){0};
}
