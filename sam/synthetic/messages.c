/** @file messages.c  Reads the messages of a stage. */
#include "messages.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/csv.h"
#include "model/util/file.h"
#include "model/util/try.h"
#include "model/util/values.h"

struct list {
    struct sam_message *items;
    int count;
    struct sam_messages_of of;
    bool found; /* rows of a file: some have this number of processes */
};

static enum nereus_status add(struct list *list, int peer, int64_t bytes, bool sends,
                              struct nereus_error *err)
{
    NEREUS_TRY_GROW(list->items, list->count, err, "for %d messages", list->count + 1);
    list->items[list->count++] =
        (struct sam_message){.peer = peer, .bytes = (int)bytes, .sends = sends};
    return NEREUS_OK;
}

/* A message of `from` to `to`, if this process takes part. */
static enum nereus_status add_message(struct list *list, int from, int to, int64_t bytes,
                                      struct nereus_error *err)
{
    if (from == list->of.rank)
        NEREUS_TRY(add(list, to, bytes, true, err));
    return to == list->of.rank ? add(list, from, bytes, false, err) : NEREUS_OK;
}

static enum nereus_status read_offsets(const char *text, struct list *list,
                                       struct nereus_error *err)
{
    const int processes = list->of.processes;
    for (const char *rest = text;; rest++) {
        char *end;
        const long long offset = strtoll(rest, &end, 10);
        const bool pair = end != rest && *end == ':' && offset > -INT_MAX && offset < INT_MAX;
        const char *number = pair ? end + 1 : rest;
        const long long bytes = strtoll(number, &end, 10);
        if (!pair || end == number || bytes < 0 || bytes > INT_MAX ||
            (*end != ',' && *end != '\0')) {
            return nereus_fail(
                err, NEREUS_ERR_PARSE,
                "must be offset:bytes,... as -1:800,1:800, or FILE.csv, not '%.160s'", text);
        }
        const int step = (int)((offset % processes + processes) % processes);
        NEREUS_TRY(add(list, (list->of.rank + step) % processes, bytes, true, err));
        NEREUS_TRY(add(list, (list->of.rank + processes - step) % processes, bytes, false, err));
        if (*end == '\0')
            return NEREUS_OK;
        rest = end;
    }
}

static enum nereus_status read_rows(const char *file, char *text, struct list *list,
                                    struct nereus_error *err)
{
    struct nereus_csv csv;
    struct nereus_csv_record record;
    nereus_csv_begin(text, &csv);
    enum nereus_csv_result result = nereus_csv_next(&csv, &record); /* the columns */
    while ((result = nereus_csv_next(&csv, &record)) == NEREUS_CSV_RECORD) {
        int64_t row[5] = {0};
        bool right = record.count == 5;
        for (int i = 0; i < 5 && right; i++)
            right =
                nereus_value_parse_integer("", record.fields[i], 0, &row[i], NULL) == NEREUS_OK &&
                row[i] <= INT_MAX;
        if (!right || row[2] >= row[0] || row[3] >= row[0]) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%.200s:%lld: processes,stage,from,to,bytes are needed, five whole "
                               "numbers with ranks below the processes",
                               file, (long long)record.line);
        }
        list->found = list->found || row[0] == list->of.processes;
        if (row[0] == list->of.processes && row[1] == list->of.stage)
            NEREUS_TRY(add_message(list, (int)row[2], (int)row[3], row[4], err));
    }
    return result == NEREUS_CSV_END
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE, "%.200s is no CSV file", file);
}

static enum nereus_status read_file(const char *file, struct list *list, struct nereus_error *err)
{
    char *text;
    NEREUS_TRY(nereus_file_read(file, "file of messages", &text, NULL, err));
    const enum nereus_status status = read_rows(file, text, list, err);
    free(text);
    return status;
}

enum nereus_status sam_messages_read(const char *text, struct sam_messages_of of,
                                     struct sam_message **messages, int *count,
                                     struct nereus_error *err)
{
    struct list list = {.of = of};
    const size_t length = strlen(text);
    const bool is_file = length > 4 && strcmp(text + length - 4, ".csv") == 0;
    const enum nereus_status status =
        is_file ? read_file(text, &list, err) : read_offsets(text, &list, err);
    if (status != NEREUS_OK) {
        free(list.items);
        return status;
    }
    *messages = list.items;
    *count = list.found || !is_file ? list.count : -1;
    return NEREUS_OK;
}
