/**
 * @file sacct.c
 * Reads the accounting of Slurm, as `sacct --parsable2` (or --parsable, or with --delimiter=,)
 * prints it: columns by the names of its header line, in any order. A job is submitted when it
 * becomes eligible, if the log says when. Steps, and jobs that have not run or not ended, are left
 * out.
 */
#include <time.h>

#include "formats.h"

enum column {
    JOB_ID,
    JOB_ID_RAW,
    ELIGIBLE,
    SUBMIT,
    START,
    END,
    ELAPSED_RAW,
    ELAPSED,
    LIMIT_RAW,
    LIMIT,
    ALLOCATED_CPUS,
    CPUS,
    REQUESTED_CPUS,
    ALLOCATED_NODES,
    NODES,
    REQUESTED_NODES,
    STATE,
    COLUMNS
};
static const char *const names[COLUMNS] = {
    "JobID",      "JobIDRaw",   "Eligible",     "Submit",    "Start",     "End",
    "ElapsedRaw", "Elapsed",    "TimelimitRaw", "Timelimit", "AllocCPUS", "NCPUS",
    "ReqCPUS",    "AllocNodes", "NNodes",       "ReqNodes",  "State"};

enum { FIELDS_MAX = 256 };

struct reading {
    const char *path;
    int64_t line;
    char separator;
    bool ends_with_separator; /* each line, by --parsable */
    int at[COLUMNS];          /* index of the field; -1: there is none */
    int count;                /* fields of the header line */
    char *fields[FIELDS_MAX];
    int field_count; /* of this line */
    struct nereus_workload *workload;
    struct nereus_error *err;
};

bool nereus_sacct_begins(const char *beginning)
{
    const size_t length = strcspn(beginning, "\r\n");
    for (size_t i = 0; i < length; i += strcspn(beginning + i, "|,\r\n") + 1) {
        const size_t name = strcspn(beginning + i, "|,\r\n");
        for (int c = JOB_ID; c <= JOB_ID_RAW; c++)
            if (name == strlen(names[c]) && nereus_text_begins_with_word(beginning + i, names[c]))
                return true;
    }
    return false;
}

/* Split a line. The last column of the header takes the rest: names of jobs may have the separator.
 * --parsable ends lines with it. */
static void split_line(struct reading *r, char *text)
{
    const size_t length = strlen(text);
    char *rest = text;
    if (r->ends_with_separator && length > 0 && text[length - 1] == r->separator)
        text[length - 1] = '\0';
    r->field_count = 0;
    while (rest != NULL && r->field_count < FIELDS_MAX) {
        char *end =
            r->count > 0 && r->field_count == r->count - 1 ? NULL : strchr(rest, r->separator);
        r->fields[r->field_count++] = rest;
        if (end != NULL)
            *end++ = '\0';
        rest = end;
    }
}

static enum nereus_status find_columns(struct reading *r)
{
    static const int times[] = {ELAPSED_RAW, ELAPSED, END},
                     sizes[] = {ALLOCATED_CPUS,  CPUS,  REQUESTED_CPUS,
                                ALLOCATED_NODES, NODES, REQUESTED_NODES};
    bool any_time = false, any_size = false;
    for (int c = 0; c < COLUMNS; c++) {
        r->at[c] = -1;
        for (int i = 0; i < r->count; i++)
            r->at[c] = nereus_text_is_word(r->fields[i], names[c]) ? i : r->at[c];
    }
    for (size_t i = 0; i < NEREUS_COUNT_OF(times); i++)
        any_time |= r->at[times[i]] >= 0;
    for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++)
        any_size |= r->at[sizes[i]] >= 0;
    const char *missing;
    if (r->at[SUBMIT] < 0 && r->at[ELIGIBLE] < 0)
        missing = "Submit";
    else if (!any_time)
        missing = "Elapsed";
    else if (!any_size)
        missing = "AllocCPUS or NNodes";
    else
        return NEREUS_OK;
    return nereus_fail(r->err, NEREUS_ERR_PARSE,
                       "%s:%lld: this log of sacct has no column %s: print it with --format="
                       "JobID,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,AllocCPUS,"
                       "NNodes,State",
                       r->path, (long long)r->line, missing);
}

static enum nereus_status read_header(struct reading *r, char *text)
{
    const size_t length = strlen(text);
    r->separator = strchr(text, '|') != NULL ? '|' : ',';
    r->ends_with_separator = length > 0 && text[length - 1] == r->separator;
    split_line(r, text);
    r->count = r->field_count;
    return find_columns(r);
}

/* Get a value of this line; NULL: no such column, or unknown. */
static const char *get_value(const struct reading *r, enum column column)
{
    static const char *const unknown[] = {"", "Unknown", "None", "N/A", "INVALID"};
    const char *text = r->at[column] >= 0 ? r->fields[r->at[column]] : "";
    for (size_t i = 0; i < NEREUS_COUNT_OF(unknown); i++)
        if (nereus_text_is_word(text, unknown[i]))
            return NULL;
    return text;
}

static enum nereus_status fail_value(const struct reading *r, enum column column, const char *right)
{
    return nereus_fail(r->err, NEREUS_ERR_PARSE, "%s:%lld: %s must be %s, not '%.80s'", r->path,
                       (long long)r->line, names[column], right, r->fields[r->at[column]]);
}

/* Read a date as local time without daylight saving, or seconds since the epoch.
 * @param[out] time_s  NAN: unknown */
static enum nereus_status read_time(const struct reading *r, enum column column, double *time_s)
{
    const char *text = get_value(r, column);
    struct tm date = {.tm_isdst = 0};
    char *end;
    *time_s = NAN;
    if (text == NULL)
        return NEREUS_OK;
    const double seconds = nereus_strtod(text, &end);
    if (*end == '\0' && seconds >= 0) {
        *time_s = seconds;
        return NEREUS_OK;
    }
    end = strptime(text, "%Y-%m-%dT%H:%M:%S", &date);
    if (end == NULL || *end != '\0') {
        return fail_value(r, column,
                          "a time as 2026-01-31T23:59:00, or seconds since 1970 (sacct with "
                          "SLURM_TIME_FORMAT=%s)");
    }
    *time_s = (double)timegm(&date);
    return NEREUS_OK;
}

/* Read "[days-]hours:minutes:seconds", "minutes:seconds", with a fraction or not.
 * @param[out] seconds  below 0: unknown, or no limit */
static enum nereus_status read_duration(const struct reading *r, enum column column,
                                        double *seconds)
{
    const char *text = get_value(r, column), *rest = text;
    double days = 0, sum = 0;
    char *end;
    *seconds = -1;
    if (text == NULL || nereus_text_is_word(text, "UNLIMITED") ||
        nereus_text_is_word(text, "Partition_Limit"))
        return NEREUS_OK;
    if (strchr(text, '-') != NULL) {
        days = nereus_strtod(text, &end);
        rest = *end == '-' ? end + 1 : "";
    }
    int parts = 0;
    do {
        const double value = nereus_strtod(rest, &end);
        if (end == rest || !(value >= 0))
            return fail_value(r, column, "[days-]hours:minutes:seconds");
        sum = sum * 60 + value;
        rest = end + 1;
        parts++;
    } while (*end == ':');
    if (*end != '\0' || parts > 3 || !(days >= 0))
        return fail_value(r, column, "[days-]hours:minutes:seconds");
    *seconds =
        days * 86400 + sum * (strchr(text, '-') != NULL && parts < 3 ? pow(60, 3 - parts) : 1);
    return NEREUS_OK;
}

/* Read a number, with the units of Slurm: 1K is 1024.
 * @param[out] value  below 0: unknown */
static enum nereus_status read_number(const struct reading *r, enum column column, double *value)
{
    const char *text = get_value(r, column);
    char *end;
    *value = -1;
    if (text == NULL || nereus_text_is_word(text, "UNLIMITED") ||
        nereus_text_is_word(text, "Partition_Limit"))
        return NEREUS_OK;
    *value = nereus_strtod(text, &end);
    if (end != text && (*end == 'K' || *end == 'M'))
        *value *= *end++ == 'K' ? 1024 : 1048576;
    return end != text && *end == '\0' && *value >= 0 && *value < 1e15
               ? NEREUS_OK
               : fail_value(r, column, "a number of at least 0");
}

/* Has a negative run time been logged, as where the clock was set back? */
static bool is_run_below_zero(const struct reading *r)
{
    const char *text = get_value(r, ELAPSED_RAW);
    char *end;
    return text != NULL && nereus_strtod(text, &end) < 0 && *end == '\0';
}

/* Read the run time.
 * @param[out] run_s  below 0: unknown, or logged so */
static enum nereus_status read_run(const struct reading *r, double start_s, double end_s,
                                   double *run_s)
{
    *run_s = -1;
    if (is_run_below_zero(r))
        return NEREUS_OK;
    NEREUS_TRY(read_number(r, ELAPSED_RAW, run_s));
    if (*run_s < 0)
        NEREUS_TRY(read_duration(r, ELAPSED, run_s));
    if (*run_s < 0 && end_s >= start_s)
        *run_s = end_s - start_s;
    return NEREUS_OK;
}

/* Read the size: the first number that is known and above 0, of cores, else of nodes. */
static enum nereus_status read_size(const struct reading *r, int64_t *processors)
{
    for (int c = ALLOCATED_CPUS; c <= REQUESTED_NODES; c++) {
        double value;
        NEREUS_TRY(read_number(r, (enum column)c, &value));
        if (value >= 1) {
            *processors = (int64_t)value;
            return NEREUS_OK;
        }
    }
    *processors = -1;
    return NEREUS_OK;
}

/* Is the line a component of a heterogeneous job, "201+1"? */
static bool is_component(const struct reading *r)
{
    const char *id = get_value(r, JOB_ID);
    return id != NULL && strchr(id, '+') != NULL;
}

/* @return the number of a job, which the components of a heterogeneous one share; -1: a task of an
 * array, whose number does not tell which one it is */
static int64_t read_job_number(const struct reading *r)
{
    const char *raw = get_value(r, JOB_ID_RAW), *id = get_value(r, JOB_ID);
    char *end;
    const char *text = raw != NULL && !is_component(r) ? raw : id;
    if (text == NULL)
        return -1;
    const long long number = strtoll(text, &end, 10);
    return (*end == '\0' || *end == '+') && number >= 0 ? number : -1;
}

/* Is the line a step, "12.batch" or "12.0"? */
static bool is_step(const struct reading *r)
{
    for (int c = JOB_ID; c <= JOB_ID_RAW; c++)
        if (r->at[c] >= 0 && strchr(r->fields[r->at[c]], '.') != NULL)
            return true;
    return false;
}

static enum nereus_status read_limit(const struct reading *r, double *limit_s)
{
    NEREUS_TRY(read_number(r, LIMIT_RAW, limit_s)); /* minutes */
    *limit_s *= *limit_s >= 0 ? 60 : 1;
    return *limit_s < 0 ? read_duration(r, LIMIT, limit_s) : NEREUS_OK;
}

static bool has_state(const struct reading *r, const char *state)
{
    return r->at[STATE] >= 0 && nereus_text_begins_with_word(r->fields[r->at[STATE]], state);
}

/* @return why the line is left out; NEREUS_SIM_WARNING_COUNT: it is a job that has run */
static enum nereus_sim_warning classify_line(const struct reading *r, double start_s, double end_s,
                                             double run_s)
{
    const bool started = r->at[START] < 0 || !isnan(start_s),
               ended = r->at[END] < 0 || !isnan(end_s);
    if (!started || has_state(r, "PENDING"))
        return NEREUS_SIM_NOT_STARTED;
    if (!ended || has_state(r, "RUNNING") || has_state(r, "SUSPENDED"))
        return NEREUS_SIM_NOT_ENDED;
    if (is_run_below_zero(r))
        return NEREUS_SIM_UNKNOWN;
    return run_s > 0 ? NEREUS_SIM_WARNING_COUNT : NEREUS_SIM_NOT_STARTED;
}

static enum nereus_status read_job(struct reading *r)
{
    struct nereus_workload_line line = {.line = r->line, .number = read_job_number(r)};
    double submit_s, eligible_s, start_s, end_s;
    NEREUS_TRY(read_time(r, SUBMIT, &submit_s));
    NEREUS_TRY(read_time(r, ELIGIBLE, &eligible_s));
    NEREUS_TRY(read_time(r, START, &start_s));
    NEREUS_TRY(read_time(r, END, &end_s));
    NEREUS_TRY(read_run(r, start_s, end_s, &line.run_s));
    const enum nereus_sim_warning why = classify_line(r, start_s, end_s, line.run_s);
    if (why != NEREUS_SIM_WARNING_COUNT) {
        nereus_workload_warn(r->workload, why, r->line);
        return NEREUS_OK;
    }
    if (is_component(r))
        nereus_workload_warn(r->workload, NEREUS_SIM_COMPONENT, r->line);
    NEREUS_TRY(read_limit(r, &line.requested_s));
    NEREUS_TRY(read_size(r, &line.processors));
    line.submit_s = isnan(eligible_s) ? submit_s : eligible_s;
    if (isnan(line.submit_s))
        line.submit_s = -1;
    return nereus_workload_add(r->workload, &line, r->err);
}

static enum nereus_status read_line(struct reading *r, char *text)
{
    split_line(r, text);
    if (r->field_count == r->count && is_step(r)) {
        nereus_workload_warn(r->workload, NEREUS_SIM_STEP, r->line);
        return NEREUS_OK;
    }
    if (r->field_count == r->count)
        return read_job(r);
    return nereus_fail(r->err, NEREUS_ERR_PARSE,
                       "%s:%lld: %d values where the header line has %d columns", r->path,
                       (long long)r->line, r->field_count, r->count);
}

/* Count times from the first submission, in order: sacct sorts by job. */
static void begin_at_zero(struct nereus_workload *workload)
{
    double first_s = INFINITY;
    for (int64_t i = 0; i < workload->count; i++)
        first_s = fmin(first_s, workload->jobs[i].submit_s);
    for (int64_t i = 0; i < workload->count; i++)
        workload->jobs[i].submit_s -= first_s;
    nereus_workload_sort(workload);
    workload->warnings[NEREUS_SIM_UNSORTED].count = 0;
}

enum nereus_status nereus_workload_read_sacct(struct nereus_text_file *file,
                                              struct nereus_workload *workload,
                                              struct nereus_error *err)
{
    struct reading reading = {.path = file->path, .workload = workload, .err = err};
    char *text;
    NEREUS_TRY(nereus_text_read_line(file, &text, err));
    while (text != NULL) {
        reading.line = file->line;
        if (text[0] != '\0')
            NEREUS_TRY(reading.count == 0 ? read_header(&reading, text)
                                          : read_line(&reading, text));
        NEREUS_TRY(nereus_text_read_line(file, &text, err));
    }
    begin_at_zero(workload);
    return NEREUS_OK;
}
