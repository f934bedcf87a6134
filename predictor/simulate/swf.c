/**
 * @file swf.c
 * Reads the Standard Workload Format, version 2.2 (Parallel Workloads Archive; Chapin et al. 1999):
 * one job a line, 18 numbers, -1 where one is unknown, comments after ';'.
 *
 * Processors are those asked for (field 8), or where unknown those allocated (field 5). Lines of
 * status 2 to 4 are parts of a job that was checkpointed, whose summary has a line of its own.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "model/util/try.h"
#include "workload.h"

/* Fields by their number in the definition, from 1. */
enum { NUMBER = 1, SUBMIT = 2, RUN = 4, ALLOCATED = 5, REQUESTED = 8, TIME = 9, STATUS = 11 };
enum { FIELDS = 18, LINE_BYTES_MAX = 4096 };

/* The largest whole number that a field may hold: that of a double without gaps. */
static const double value_most = 9007199254740992.0;

struct reading {
    const char *path;
    int64_t line;
    struct nereus_workload *workload;
};

static enum nereus_status parse_fields(const struct reading *reading, char *text,
                                       double fields[FIELDS + 1], int *count,
                                       struct nereus_error *err)
{
    char *rest = NULL;
    *count = 0;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        char *end;
        const double value = strtod(word, &end);
        if (*end != '\0' || end == word || !(fabs(value) <= value_most)) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s:%" PRId64 ": field %d must be a number, not '%.160s'",
                               reading->path, reading->line, *count + 1, word);
        }
        if (++*count <= FIELDS) {
            fields[*count] = value;
        }
    }
    return NEREUS_OK;
}

static enum nereus_status read_line(const struct reading *reading, char *text,
                                    struct nereus_error *err)
{
    double fields[FIELDS + 1];
    int count;
    for (int i = 0; i <= FIELDS; i++) {
        fields[i] = -1;
    }
    NEREUS_TRY(parse_fields(reading, text, fields, &count, err));
    if (count != FIELDS) {
        nereus_workload_trouble(reading->workload, NEREUS_SIM_FIELDS, reading->line);
    }
    if (fields[STATUS] >= 2 && fields[STATUS] <= 4) {
        nereus_workload_trouble(reading->workload, NEREUS_SIM_PARTIAL, reading->line);
        return NEREUS_OK;
    }
    const struct nereus_workload_line line = {
        .line = reading->line,
        .number = (int64_t)fields[NUMBER],
        .submit_s = fields[SUBMIT],
        .run_s = fields[RUN],
        .processors = (int64_t)(fields[REQUESTED] > 0 ? fields[REQUESTED] : fields[ALLOCATED]),
        .requested_s = fields[TIME]};
    return nereus_workload_add(reading->workload, &line, err);
}

static bool is_blank(const char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    return *text == '\0';
}

static enum nereus_status read_lines(gzFile file, struct reading *reading, struct nereus_error *err)
{
    char text[LINE_BYTES_MAX];
    while (gzgets(file, text, sizeof text) != NULL) {
        reading->line++;
        if (strlen(text) == sizeof text - 1) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s:%" PRId64 ": a line has at most %d characters", reading->path,
                               reading->line, LINE_BYTES_MAX - 2);
        }
        char *comment = strchr(text, ';');
        if (comment != NULL) {
            *comment = '\0';
        }
        if (!is_blank(text)) {
            NEREUS_TRY(read_line(reading, text, err));
        }
    }
    int number;
    const char *message = gzerror(file, &number);
    if (number != Z_OK && number != Z_STREAM_END) {
        return nereus_fail(err, NEREUS_ERR_IO, "'%s' cannot be read: %s", reading->path,
                           number == Z_ERRNO ? strerror(errno) : message);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_workload_read_swf(const char *path, struct nereus_workload *workload,
                                            struct nereus_error *err)
{
    struct reading reading = {.path = path, .workload = workload};
    *workload = (struct nereus_workload){0};
    errno = 0;
    gzFile file = gzopen(path, "rb");
    if (file == NULL) {
        return nereus_fail(err, NEREUS_ERR_IO, "'%s' cannot be opened: %s", path,
                           strerror(errno != 0 ? errno : ENOMEM));
    }
    enum nereus_status status = read_lines(file, &reading, err);
    if (gzclose(file) != Z_OK && status == NEREUS_OK) {
        status = nereus_fail(err, NEREUS_ERR_IO, "'%s' cannot be read: it is not complete", path);
    }
    if (status != NEREUS_OK) {
        nereus_workload_fini(workload);
    }
    return status;
}
