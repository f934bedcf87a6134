/** @file cases.c  Many questions from one CSV file. */
#include "cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "suggest.h"
#include "values.h"

#define AT(member) offsetof(struct nereus_settings, member)
static const struct column {
    const char *name;
    enum nereus_option_kind kind;
    size_t offset;
} known[] = {
    {"ns", NEREUS_OPTION_COUNT, AT(ns)},
    {"nt", NEREUS_OPTION_COUNT, AT(nt)},
    {"cores_per_node", NEREUS_OPTION_COUNT, AT(cores_per_node)},
    {"t_iter_ns_s", NEREUS_OPTION_SECONDS, AT(t_iter_ns_s)},
    {"t_iter_nt_s", NEREUS_OPTION_SECONDS, AT(t_iter_nt_s)},
    {"iterations_before", NEREUS_OPTION_NATURAL, AT(iterations_before)},
    {"iterations_after", NEREUS_OPTION_NATURAL, AT(iterations_after)},
    {"bytes_constant", NEREUS_OPTION_BYTES, AT(constant_bytes)},
    {"bytes_variable", NEREUS_OPTION_BYTES, AT(variable_bytes)},
    {"bytes_replicated", NEREUS_OPTION_BYTES, AT(replicated_bytes)},
    {"state", NEREUS_OPTION_TEXT, AT(state)},
};
enum { KNOWN = NEREUS_COUNT_OF(known), COLUMNS_MAX = 64 };

/* The columns that a file has, as indices into known; -1: one to pass over. */
struct heading {
    int columns[COLUMNS_MAX];
    int count;
};

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL) {
        length--;
    }
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
        text++;
        length -= 2;
    }
    text[length] = '\0';
    return text;
}

static int find_known(const char *name)
{
    for (int i = 0; i < (int)KNOWN; i++) {
        if (strcmp(known[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Other columns are passed over (a table may hold more than the question), but not those that were probably
 * meant to be known. */
static enum nereus_status add_column(const char *path, const char *name, struct heading *heading,
                                     struct nereus_error *err)
{
    int index = find_known(name);
    if (index < 0) {
        const char *names[KNOWN];
        for (size_t i = 0; i < KNOWN; i++) {
            names[i] = known[i].name;
        }
        const char *near = nereus_suggest(name, names, KNOWN);
        if (near != NULL) {
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s:1: unknown column '%s' (did you mean '%s'?)", path,
                               name, near);
        }
    }
    for (int i = 0; index >= 0 && i < heading->count; i++) {
        if (heading->columns[i] == index) {
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s:1: column '%s' is there twice", path, name);
        }
    }
    if (heading->count == COLUMNS_MAX) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s:1: more than %d columns", path, COLUMNS_MAX);
    }
    heading->columns[heading->count++] = index;
    return NEREUS_OK;
}

static enum nereus_status read_heading(const char *path, char *line, struct heading *heading,
                                       struct nereus_error *err)
{
    bool found[KNOWN] = {false};
    char *word, *rest = line;
    heading->count = 0;
    if (strncmp(rest, "\xef\xbb\xbf", 3) == 0) {
        rest += 3; /* a byte order mark, as spreadsheets write it */
    }
    while ((word = strsep(&rest, ",")) != NULL) {
        enum nereus_status status = add_column(path, trim(word), heading, err);
        if (status != NEREUS_OK) {
            return status;
        }
        if (heading->columns[heading->count - 1] >= 0) {
            found[heading->columns[heading->count - 1]] = true;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (!found[i]) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s:1: the column '%s' is missing; a header line such as "
                               "ns,nt,cores_per_node,t_iter_ns_s,... is needed",
                               path, known[i].name);
        }
    }
    return NEREUS_OK;
}

/* "20.0" is what some tools write for 20. */
static void drop_zero_fraction(char *text)
{
    char *point = strchr(text, '.');
    if (point != NULL && point != text && point[1] != '\0' && point[1 + strspn(point + 1, "0")] == '\0') {
        *point = '\0';
    }
}

static enum nereus_status store(const char *what, const struct column *column, char *text,
                                struct nereus_settings *settings, struct nereus_error *err)
{
    void *value = (char *)settings + column->offset;
    switch (column->kind) {
    case NEREUS_OPTION_COUNT:
        drop_zero_fraction(text);
        return nereus_value_integer(what, text, 1, value, err);
    case NEREUS_OPTION_NATURAL:
        drop_zero_fraction(text);
        return nereus_value_integer(what, text, 0, value, err);
    case NEREUS_OPTION_BYTES:
        return nereus_value_bytes(what, text, value, err);
    case NEREUS_OPTION_SECONDS:
        return nereus_value_seconds(what, text, value, err);
    case NEREUS_OPTION_TEXT:
        *(const char **)value = text;
        return NEREUS_OK;
    case NEREUS_OPTION_FLAG:
    case NEREUS_OPTION_NUMBER:
    case NEREUS_OPTION_CHOICE:
        break;
    }
    return nereus_fail(err, NEREUS_ERR_STATE, "%s has a kind that a cases file cannot hold", what);
}

static enum nereus_status read_case(const char *path, char *line, const struct heading *heading,
                                    struct nereus_case *item, struct nereus_error *err)
{
    char *word, *rest = line, what[512];
    int column = 0;
    while ((word = strsep(&rest, ",")) != NULL) {
        if (column >= heading->count) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s:%" PRId64 ": more values than the %d columns of line 1", path, item->line,
                               heading->count);
        }
        int index = heading->columns[column++];
        word = trim(word);
        if (index < 0 || word[0] == '\0') {
            continue;
        }
        snprintf(what, sizeof what, "%s:%" PRId64 ": %s", path, item->line, known[index].name);
        enum nereus_status status = store(what, &known[index], word, &item->settings, err);
        if (status != NEREUS_OK) {
            return status;
        }
    }
    if (column < heading->count) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s:%" PRId64 ": %d values where line 1 has %d columns",
                           path, item->line, column, heading->count);
    }
    if (item->settings.ns == 0 || item->settings.nt == 0) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s:%" PRId64 ": %s is empty", path, item->line,
                           item->settings.ns == 0 ? "ns" : "nt");
    }
    return NEREUS_OK;
}

static int64_t count_lines(const char *text)
{
    int64_t lines = 1;
    while ((text = strchr(text, '\n')) != NULL) {
        lines++;
        text++;
    }
    return lines;
}

static enum nereus_status read_lines(const char *path, const struct nereus_settings *defaults,
                                     struct nereus_cases *cases, struct nereus_error *err)
{
    struct heading heading = {.count = 0};
    char *line, *rest = cases->text;
    for (int64_t number = 1; (line = strsep(&rest, "\n")) != NULL; number++) {
        if (number > 1 && line[strspn(line, " \t\r")] == '\0') {
            continue;
        }
        enum nereus_status status;
        if (number == 1) {
            status = read_heading(path, line, &heading, err);
        } else {
            struct nereus_case *item = &cases->items[cases->count];
            *item = (struct nereus_case){.line = number, .settings = *defaults};
            status = read_case(path, line, &heading, item, err);
            cases->count++;
        }
        if (status != NEREUS_OK) {
            return status;
        }
    }
    return cases->count > 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE, "%s has a header line but no case below it", path);
}

enum nereus_status nereus_cases_read(const char *path, const struct nereus_settings *defaults,
                                     struct nereus_cases *cases, struct nereus_error *err)
{
    *cases = (struct nereus_cases){0};
    enum nereus_status status = nereus_file_read(path, "cases file", &cases->text, NULL, err);
    if (status != NEREUS_OK) {
        return status;
    }
    cases->items = calloc((size_t)count_lines(cases->text), sizeof *cases->items);
    status = cases->items == NULL ? nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the cases of %s", path)
                                  : read_lines(path, defaults, cases, err);
    if (status != NEREUS_OK) {
        nereus_cases_fini(cases);
    }
    return status;
}

void nereus_cases_fini(struct nereus_cases *cases)
{
    free(cases->items);
    free(cases->text);
    *cases = (struct nereus_cases){0};
}
