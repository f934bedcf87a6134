/** @file slurm_rows.c  See slurm_rows.h. */
#include "slurm_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "model/util/try.h"

/* A line that begins with the mark, from `text` on, which begins a line; NULL: there is none. */
static char *find_mark(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    while (at != NULL && at != text && at[-1] != '\n') {
        at = strstr(at + 1, mark);
    }
    return at;
}

void nereus_slurm_rows_leave_out(struct nereus_slurm_rows *rows, const struct nereus_error *fault)
{
    if (rows->left_out != NULL && rows->left_out->count++ == 0) {
        snprintf(rows->left_out->first, sizeof rows->left_out->first, "%.250s", fault->text);
    }
}

void nereus_slurm_rows_init(const char *command, const char *columns, const char *mark, char *text,
                            struct nereus_slurm_rows *rows)
{
    *rows = (struct nereus_slurm_rows){
        .before = "", .fields = {""}, .command = command, .columns = 1, .text = text, .next = text};
    snprintf(rows->mark, sizeof rows->mark, "%s", mark);
    for (; (columns = strchr(columns, '|')) != NULL; columns++) {
        rows->columns++;
    }
}

enum nereus_status nereus_slurm_ask(struct nereus_slurm_command *command, const char *columns,
                                    struct nereus_slurm_rows *rows, struct nereus_error *err)
{
    char mark[NEREUS_SLURM_MARK_MAX], *text;
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
        random = (uint64_t)(uintptr_t)&random;
    }
    snprintf(mark, sizeof mark, "nereus:%016" PRIx64 "|", random);
    nereus_slurm_word(command, "-o");
    nereus_slurm_word(command, "%s%s", mark, columns);
    NEREUS_TRY(nereus_slurm_run(command, &text, err));
    nereus_slurm_rows_init(command->argv[0], columns, mark, text, rows);
    return NEREUS_OK;
}

/* What stands before the first mark is no record. */
static void skip_to_mark(struct nereus_slurm_rows *rows)
{
    struct nereus_error fault;
    char *text = rows->next, *record = find_mark(text, rows->mark);
    if (record != text && *text != '\0') {
        text[strcspn(text, "\n")] = '\0';
        nereus_fail(&fault, NEREUS_ERR_PARSE, "%s printed '%.80s' before the first record",
                    rows->command, text);
        nereus_slurm_rows_leave_out(rows, &fault);
    }
    rows->next = record;
}

/* The record at rows->next, in place. @return it has all columns */
static bool split(struct nereus_slurm_rows *rows)
{
    struct nereus_error fault;
    char *line = rows->next + strlen(rows->mark), *next = find_mark(line, rows->mark);
    char *end = next != NULL ? next : line + strlen(line);
    int found = 0;
    end[end > line && end[-1] == '\n' ? -1 : 0] = '\0';
    rows->next = next;
    rows->before = rows->fields[0];
    for (char *at = line; at != NULL; found++) {
        rows->fields[found] = at;
        at = found + 1 < rows->columns ? strchr(at, '|') : NULL;
        if (at != NULL) {
            *at++ = '\0';
        }
    }
    if (found < rows->columns) {
        nereus_fail(&fault, NEREUS_ERR_PARSE,
                    "%s printed '%.80s', which has %d of the %d columns asked for", rows->command,
                    line, found, rows->columns);
        nereus_slurm_rows_leave_out(rows, &fault);
    }
    return found == rows->columns;
}

bool nereus_slurm_rows_next(struct nereus_slurm_rows *rows)
{
    if (rows->next == rows->text && rows->next != NULL) {
        skip_to_mark(rows);
    }
    while (rows->next != NULL) {
        if (split(rows)) {
            return true;
        }
    }
    return false;
}

void nereus_slurm_rows_fini(struct nereus_slurm_rows *rows)
{
    free(rows->text);
    rows->text = rows->next = NULL;
}
