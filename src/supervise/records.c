/** @file records.c  Keeps a ring of records: a new one replaces the oldest. */
#include "records.h"

static void free_record(struct record *record)
{
    free(record->name);
    free(record->text);
    *record = (struct record){0};
}

bool records_store(struct records *records, const char *name, const char *text)
{
    struct record record = {strdup(name), strdup(text)};
    if (record.name == NULL || record.text == NULL) {
        free_record(&record);
        return false;
    }
    free_record(&records->items[records->next]);
    records->items[records->next] = record;
    records->next = (records->next + 1) % RECORDS_KEPT;
    return true;
}

const char *records_find(const struct records *records, const char *name)
{
    for (int i = 0; i < RECORDS_KEPT; i++)
        if (records->items[i].name != NULL && strcmp(records->items[i].name, name) == 0)
            return records->items[i].text;
    return NULL;
}

void records_fini(struct records *records)
{
    for (int i = 0; i < RECORDS_KEPT; i++)
        free_record(&records->items[i]);
}
