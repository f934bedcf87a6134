/**
 * @file swf.c
 * Reads the Standard Workload Format, version 2.2 (Chapin et al. (1999)): 18 numbers a line (-1:
 * unknown), comments after ';'. Processors are those requested (field 8), else those allocated
 * (field 5). Lines of status 2 to 4 are parts of a job, whose summary has its own line; jobs of
 * status 5 were cancelled, some before they ran.
 */

#include "formats.h"

/* Numbers of the fields, from 1. */
enum { NUMBER = 1, SUBMIT = 2, RUN = 4, ALLOCATED = 5, REQUESTED = 8, TIME = 9, STATUS = 11 };
enum { FIELDS = 18 };

static const bool is_integer[FIELDS + 1] = {
    [NUMBER] = true, [ALLOCATED] = true, [REQUESTED] = true, [STATUS] = true};

/* Largest n such that a double represents each integer up to n. */
static const double value_max = 9007199254740992.0;

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
    for (char *word = strtok_r(text, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        char *end;
        const double value = nereus_strtod(word, &end);
        const bool integer = *count < FIELDS && is_integer[*count + 1];
        if (*end != '\0' || end == word || !(fabs(value) <= value_max) ||
            (integer && value != floor(value))) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s:%lld: field %d must be a %snumber, not '%.160s'", reading->path,
                               (long long)reading->line, *count + 1, integer ? "whole " : "", word);
        }
        if (++*count <= FIELDS)
            fields[*count] = value;
    }
    return NEREUS_OK;
}

static enum nereus_status read_line(const struct reading *reading, char *text,
                                    struct nereus_error *err)
{
    double fields[FIELDS + 1];
    int count;
    for (int i = 0; i <= FIELDS; i++)
        fields[i] = -1;
    NEREUS_TRY(parse_fields(reading, text, fields, &count, err));
    if (count != FIELDS)
        nereus_workload_warn(reading->workload, NEREUS_SIM_FIELDS, reading->line);
    if (fields[STATUS] >= 2 && fields[STATUS] <= 4) {
        nereus_workload_warn(reading->workload, NEREUS_SIM_PARTIAL, reading->line);
        return NEREUS_OK;
    }
    if (fields[STATUS] == 5 && fields[RUN] <= 0) {
        nereus_workload_warn(reading->workload, NEREUS_SIM_CANCELLED, reading->line);
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

enum nereus_status nereus_workload_read_swf(struct nereus_text_file *file,
                                            struct nereus_workload *workload,
                                            struct nereus_error *err)
{
    struct reading reading = {.path = file->path, .workload = workload};
    char *text;
    NEREUS_TRY(nereus_text_read_line(file, &text, err));
    while (text != NULL) {
        reading.line = file->line;
        text[strcspn(text, ";")] = '\0';
        if (text[strspn(text, " \t")] != '\0')
            NEREUS_TRY(read_line(&reading, text, err));
        NEREUS_TRY(nereus_text_read_line(file, &text, err));
    }
    return NEREUS_OK;
}
