/** @file cases_columns.c  Interprets the header line of a cases file. */
#include <ctype.h>

#include "cases.h"
#include "model/util/suggest.h"
#include "predictor/scenario/predictions.h"

#define COLUMN(column, of_kind, member)                                                            \
    {                                                                                              \
        .name = column, .kind = of_kind, .offset = offsetof(struct nereus_settings, member)        \
    }
static const struct nereus_option known_columns[] = {
    COLUMN("ns", NEREUS_OPTION_COUNT, ns),
    COLUMN("nt", NEREUS_OPTION_COUNT, nt),
    COLUMN("cores_per_node", NEREUS_OPTION_COUNT, cores_per_node),
    COLUMN("cores_per_process", NEREUS_OPTION_COUNT, cores_per_process),
    COLUMN("t_iter_ns_s", NEREUS_OPTION_SECONDS, t_iter_ns_s),
    COLUMN("t_iter_nt_s", NEREUS_OPTION_SECONDS, t_iter_nt_s),
    COLUMN("iterations_before", NEREUS_OPTION_NATURAL, iterations_before),
    COLUMN("iterations_after", NEREUS_OPTION_NATURAL, iterations_after),
    COLUMN("bytes_constant", NEREUS_OPTION_BYTES, constant_bytes),
    COLUMN("bytes_variable", NEREUS_OPTION_BYTES, variable_bytes),
    COLUMN("bytes_replicated", NEREUS_OPTION_BYTES, replicated_bytes),
    COLUMN("state", NEREUS_OPTION_TEXT, state),
};
enum { KNOWN = NEREUS_COUNT_OF(known_columns), NAME_SHOWN = 60 };

/* Other names of columns, after --t-iter, which is the iteration time on NS processes. */
static const struct {
    const char *name, *meant;
} aliases[] = {{"t_iter", "t_iter_ns_s"}, {"t_iter_s", "t_iter_ns_s"}};

/* Options that apply to a whole file. */
static const char *const options_only[] = {"nodes",   "hostfile", "slots",   "stage",
                                           "scaling", "goal",     "profile", "powers"};

/* The columns of a file, not yet interpreted. */
struct names {
    const char *file;
    const struct nereus_csv_record *record;
};

static int find_name(const struct names *names, const char *name)
{
    for (int i = 0; i < names->record->count; i++)
        if (strcmp(names->record->fields[i], name) == 0)
            return i;
    return -1;
}

static const struct nereus_option *find_known(const char *name)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(aliases); i++)
        if (strcmp(aliases[i].name, name) == 0)
            name = aliases[i].meant;
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known_columns[i].name, name) == 0)
            return &known_columns[i];
    return NULL;
}

static enum nereus_status fail_at(const struct names *names, const char *name, const char *right,
                                  struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_PARSE, "%s:%lld: column '%.*s' %s", names->file,
                       (long long)names->record->line, NAME_SHOWN, name, right);
}

/* Normalise as column names are written: "T-Iter" is "t_iter". */
static void normalise_name(const char *name, char *text, size_t bytes)
{
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < bytes; i++)
        text[i] = name[i] == '-' || name[i] == ' ' ? '_' : (char)tolower((unsigned char)name[i]);
    text[i] = '\0';
}

/* Find the known column that a name resembles; NULL: none. Ignoring a misspelt column would
 * silently change the answer. */
static const char *find_similar_column(const char *name)
{
    char text[64];
    normalise_name(name, text, sizeof text);
    if (strstr(text, "bytes") != NULL) {
        return "is unknown: data are bytes_constant (may move while the application runs), "
               "bytes_variable or bytes_replicated";
    }
    if (strstr(text, "t_iter") != NULL || strstr(text, "titer") != NULL ||
        strstr(text, "iteration") == text) {
        return "is unknown: iterations are iterations_before and iterations_after, their times in "
               "seconds t_iter_ns_s and t_iter_nt_s";
    }
    if (strcmp(text, "cores") == 0)
        return "is unknown: cores of a node are cores_per_node";
    for (size_t i = 0; i < NEREUS_COUNT_OF(options_only); i++) {
        if (strcmp(text, options_only[i]) == 0) {
            return "is not a column of a case: it is an option for the whole file, so leave the "
                   "column out";
        }
    }
    return NULL;
}

/* Find the known column, missing in the file, that an unknown name probably means. */
static const char *find_near_missing(const struct names *names, const char *name)
{
    const char *missing[KNOWN + 1];
    size_t count = 0;
    for (size_t i = 0; i < KNOWN; i++)
        if (find_name(names, known_columns[i].name) < 0)
            missing[count++] = known_columns[i].name;
    if (find_name(names, "method") < 0)
        missing[count++] = "method";
    return nereus_suggest(name, missing, count);
}

/* Ignore unknown columns, except probable misspellings of known ones. */
static enum nereus_status check_unknown_column(const struct names *names, const char *name,
                                               struct nereus_error *err)
{
    const char *right = find_similar_column(name);
    if (right != NULL)
        return fail_at(names, name, right, err);
    const char *suggestion = find_near_missing(names, name);
    return suggestion == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s:%lld: unknown column '%.*s'; did you mean '%s'?", names->file,
                             (long long)names->record->line, NAME_SHOWN, name, suggestion);
}

/* Fail if a column before `end` has the same meaning. */
static enum nereus_status check_twice(const struct names *names,
                                      const struct nereus_cases_heading *heading, int end,
                                      struct nereus_error *err)
{
    char right[128];
    const char *name = names->record->fields[end];
    for (int i = 0; i < end; i++) {
        const char *other = names->record->fields[i];
        const bool same =
            strcmp(other, name) == 0 && (heading->columns[i] != NULL || heading->method == i);
        if (same)
            return fail_at(names, name, "is given twice", err);
        if (heading->columns[end] != NULL && heading->columns[i] == heading->columns[end]) {
            snprintf(right, sizeof right, "means the same as '%.*s': leave one of the two out",
                     NAME_SHOWN, other);
            return fail_at(names, name, right, err);
        }
    }
    return NEREUS_OK;
}

/* Is it a samples file? Then find the columns that a fit uses. */
static bool find_samples(const struct names *names, struct nereus_cases_heading *heading)
{
    static const char *const needed[] = {"cluster", "cores_per_node", "ns", "nt", "method", "rt_s"};
    heading->bytes = heading->kind = heading->oversubscribed = -1;
    for (size_t i = 0; i < NEREUS_COUNT_OF(needed); i++)
        if (find_name(names, needed[i]) < 0)
            return false;
    heading->bytes = find_name(names, "bytes");
    heading->kind = find_name(names, "kind");
    heading->oversubscribed = find_name(names, "oversubscribed");
    return true;
}

/* Further columns of samples, also accepted in other files. */
static const char *const sample_columns[] = {"cluster", "statistic",     "n",
                                             "kind",    "pair",          "oversubscribed",
                                             "time_s",  "old_processes", "new_processes"};

/* Is it a column of `predict --format csv`? */
static bool is_of_answers(const char *name)
{
    for (size_t i = 0; i < nereus_prediction_column_count; i++)
        if (strcmp(nereus_prediction_columns[i].key, name) == 0)
            return true;
    return false;
}

/* Is it a column of samples or of answers? These are results, which are ignored. */
static bool is_of_results(const char *name)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(sample_columns); i++)
        if (strcmp(sample_columns[i], name) == 0)
            return true;
    return is_of_answers(name);
}

/* Names of columns may be empty: row numbers, a trailing comma. */
static void note_unknown(const char *name, struct nereus_cases_heading *heading)
{
    if (name[0] != '\0' && !is_of_results(name))
        heading->unknown_columns[heading->unknown_count++] = name;
}

static enum nereus_status read_column_name(const struct names *names, int i,
                                           struct nereus_cases_heading *heading,
                                           struct nereus_error *err)
{
    const char *name = names->record->fields[i];
    heading->columns[i] = find_known(name);
    /* In a file with rt_s, `iterations` and `iterations_expected` are results: the overlapped
     * iterations. */
    const bool result = is_of_answers(name) && find_name(names, "rt_s") >= 0;
    if (heading->columns[i] == NULL && i != heading->bytes && strcmp(name, "method") != 0 &&
        !result) {
        NEREUS_TRY(check_unknown_column(names, name, err));
        note_unknown(name, heading);
        return NEREUS_OK;
    }
    return check_twice(names, heading, i, err);
}

enum nereus_status nereus_cases_heading_read(const char *file,
                                             const struct nereus_csv_record *record,
                                             struct nereus_cases_heading *heading,
                                             struct nereus_error *err)
{
    const struct names names = {file, record};
    *heading = (struct nereus_cases_heading){.count = record->count,
                                             .method = find_name(&names, "method")};
    const bool samples = find_samples(&names, heading);
    NEREUS_TRY(nereus_csv_check_separator(file, record, err));
    for (int i = 0; i < record->count; i++)
        NEREUS_TRY(read_column_name(&names, i, heading, err));
    heading->unknown_count = samples ? 0 : heading->unknown_count;
    if (samples && heading->bytes >= 0 && find_name(&names, "bytes_constant") >= 0) {
        return fail_at(
            &names, "bytes",
            "of a samples file means the same as 'bytes_constant': leave one of the two out", err);
    }
    for (int i = 0; i < 2; i++) {
        if (find_name(&names, known_columns[i].name) < 0) {
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s:%lld: the column '%s' is missing; a header line such as "
                               "ns,nt,cores_per_node,t_iter_ns_s,... is needed",
                               file, (long long)record->line, known_columns[i].name);
        }
    }
    return NEREUS_OK;
}
