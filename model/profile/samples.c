/**
 * @file samples.c
 * Reads samples from CSV. Unknown columns and kinds of rows are ignored, unless a kind is nearly a
 * known word. Every number is checked: it is finite (NAN: empty) and has the right sign.
 */
#include "nereus/samples.h"

#include <ctype.h>

#include "model/util/csv.h"
#include "model/util/suggest.h"
#include "model/util/text_file.h"
#include "nereus/profile.h"
#include "nereus/provenance.h"
#include "profile_words.h"
#include "samples_columns.h"

#define ENUMERATOR(e, name, needed) e,
enum column { NEREUS_COLUMN_LIST(ENUMERATOR) COLUMN_COUNT };
#undef ENUMERATOR
#define NAME(e, name, needed) [e] = name,
static const char *const column_names[COLUMN_COUNT] = {NEREUS_COLUMN_LIST(NAME)};
#undef NAME
#define NEEDED(e, name, needed) [e] = needed,
static const bool column_needed[COLUMN_COUNT] = {NEREUS_COLUMN_LIST(NEEDED)};
#undef NEEDED

struct reader {
    const char *path;
    bool tolerate_cut;
    int64_t cut_line;        /* line of a row without a line end; 0: none */
    int where[COLUMN_COUNT]; /* index of each column in the file; -1: none */
    int width;
    const struct nereus_csv_record *record;
    struct nereus_provenances *provenances;
    enum nereus_status provenances_status;
    struct nereus_error *err;
};

/* Text of a field; "": the file has no such column. */
static const char *get_field(const struct reader *r, enum column c)
{
    return r->where[c] >= 0 ? r->record->fields[r->where[c]] : "";
}

static enum nereus_status fail_at(const struct reader *r, enum column c, const char *right)
{
    const char *text = get_field(r, c);
    return nereus_fail(r->err, NEREUS_ERR_PARSE, "%s:%lld: column '%s': %s%.160s%s is not %s",
                       r->path, (long long)r->record->line, column_names[c],
                       text[0] != '\0' ? "'" : "", text[0] != '\0' ? text : "an empty field",
                       text[0] != '\0' ? "'" : "", right);
}

static bool parse_number(const char *text, double *value)
{
    char *end;
    *value = nereus_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

enum sign { ABOVE_ZERO, ZERO_OR_MORE };

/* Read a number; NAN: empty. */
static enum nereus_status read_number(const struct reader *r, enum column c, enum sign sign,
                                      bool needed, double *value)
{
    double number;
    const char *text = get_field(r, c);
    if (text[0] == '\0' && !needed) {
        *value = NAN;
        return NEREUS_OK;
    }
    if (!parse_number(text, &number))
        return fail_at(r, c, "a number");
    if (sign == ABOVE_ZERO && number <= 0)
        return fail_at(r, c, "above 0");
    if (number < 0)
        return fail_at(r, c, "0 or more");
    if (c == COLUMN_BYTES && number > NEREUS_BYTES_MAX)
        return fail_at(r, c, "at most 4 EiB (2^62)");
    *value = number;
    return NEREUS_OK;
}

/* Read an integer; `otherwise` if the field is empty. */
static enum nereus_status read_integer(const struct reader *r, enum column c, int64_t min,
                                       bool needed, int64_t otherwise, int64_t *value)
{
    char right[64];
    char *end;
    const char *text = get_field(r, c);
    if (text[0] == '\0' && !needed) {
        *value = otherwise;
        return NEREUS_OK;
    }
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    snprintf(right, sizeof right, "a whole number from %lld on", (long long)min);
    if (text[0] == '\0' || *end != '\0' || errno != 0 || number < min ||
        number > 1000000000000000LL)
        return fail_at(r, c, right);
    *value = number;
    return NEREUS_OK;
}

static enum nereus_status read_method(const struct reader *r, bool needed,
                                      struct nereus_method *method)
{
    struct nereus_error why = {.text = ""};
    const char *text = get_field(r, COLUMN_METHOD);
    memset(method, 0, sizeof *method);
    if (text[0] == '\0' && !needed)
        return NEREUS_OK;
    if (text[0] == '\0')
        return fail_at(r, COLUMN_METHOD, "a method");
    const enum nereus_status status = nereus_method_parse(text, method, &why);
    if (status != NEREUS_OK)
        return nereus_fail(r->err, status, "%s:%lld: column 'method': %.400s", r->path,
                           (long long)r->record->line, why.text);
    return NEREUS_OK;
}

static bool parse_other_kind(const char *text, struct nereus_sample *s)
{
    s->operation = nereus_operation_from_name(text);
    s->collective = nereus_collective_from_name(text);
    const size_t kind = nereus_word_index(text, nereus_sample_kind_names, NEREUS_SAMPLE_KIND_COUNT);
    if (text[0] == '\0')
        s->kind = NEREUS_SAMPLE_RECONFIGURATION;
    else if (kind < NEREUS_SAMPLE_KIND_COUNT)
        s->kind = (enum nereus_sample_kind)kind;
    else if (s->operation != NEREUS_OPERATION_COUNT)
        s->kind = NEREUS_SAMPLE_OPERATION;
    else if (s->collective != NEREUS_COLLECTIVE_NONE)
        s->kind = NEREUS_SAMPLE_COLLECTIVE;
    else
        return false;
    return true;
}

/* Find the known kind nearest to a text; NULL: none is near. */
static const char *find_nearest_kind(const char *text)
{
    enum {
        STEPS = NEREUS_SAMPLE_KIND_COUNT,
        OPERATIONS = STEPS + NEREUS_STEP_KIND_COUNT,
        COLLECTIVES = OPERATIONS + NEREUS_OPERATION_COUNT,
        WORDS = COLLECTIVES + NEREUS_COLLECTIVE_COUNT
    };
    const char *words[WORDS];
    memcpy(words, nereus_sample_kind_names, sizeof nereus_sample_kind_names);
    memcpy(words + STEPS, nereus_step_names, sizeof nereus_step_names);
    memcpy(words + OPERATIONS, nereus_operation_names, sizeof nereus_operation_names);
    memcpy(words + COLLECTIVES, nereus_collective_names, sizeof nereus_collective_names);
    return nereus_suggest(text, words, WORDS);
}

/* Read the kind of a row.
 * @param[out] ignored  the kind is unknown */
static enum nereus_status read_kind(const struct reader *r, struct nereus_sample *s, bool *ignored)
{
    const char *text = get_field(r, COLUMN_KIND);
    *ignored = false;
    if (text[0] == '\0' && get_field(r, COLUMN_RT)[0] == '\0' &&
        get_field(r, COLUMN_REDISTRIBUTE)[0] != '\0') {
        s->kind = NEREUS_SAMPLE_REDISTRIBUTION;
        return NEREUS_OK;
    }
    if (parse_other_kind(text, s))
        return NEREUS_OK;
    s->kind = NEREUS_SAMPLE_STEP;
    s->step = nereus_step_from_name(text);
    if (s->step != NEREUS_STEP_KIND_COUNT)
        return NEREUS_OK;
    const char *suggestion = find_nearest_kind(text);
    *ignored = suggestion == NULL;
    if (*ignored)
        return NEREUS_OK;
    return nereus_fail(r->err, NEREUS_ERR_PARSE,
                       "%s:%lld: column 'kind': '%.160s' is not known: did you mean '%s'?", r->path,
                       (long long)r->record->line, text, suggestion);
}

static enum nereus_status read_contention(const struct reader *r, struct nereus_sample *s)
{
    s->contention = nereus_contention_from_name(get_field(r, COLUMN_PAIR));
    if (s->contention == NEREUS_CONTENTION_COUNT)
        return fail_at(
            r, COLUMN_PAIR,
            "a stage and its background: compute, memory or collective, then /waiting or "
            "/communicating");
    return NEREUS_OK;
}

static bool is_program(const struct nereus_sample *s)
{
    return s->kind == NEREUS_SAMPLE_PROGRAM_START || s->kind == NEREUS_SAMPLE_PROGRAM_JOIN;
}

static enum nereus_status read_program(const struct reader *r, struct nereus_sample *s)
{
    const char *command = get_field(r, COLUMN_PAIR);
    if (command[0] == '\0' || strlen(command) >= sizeof s->program)
        return fail_at(r, COLUMN_PAIR, "the command of a program, of up to 255 characters");
    memcpy(s->program, command, strlen(command));
    return NEREUS_OK;
}

/* Read the name of a stage, such as "pi:100". */
static enum nereus_status read_stage(const struct reader *r, struct nereus_sample *s)
{
    const char *text = get_field(r, COLUMN_PAIR);
    if (!nereus_stage_has_granularity(text))
        return fail_at(r, COLUMN_PAIR, "what a stage computes and its granularity, as pi:100");
    memcpy(s->program, text, strlen(text));
    return NEREUS_OK;
}

static enum nereus_status read_pair(const struct reader *r, struct nereus_sample *s)
{
    s->pair = (enum nereus_pair_class)nereus_word_index(
        get_field(r, COLUMN_PAIR), nereus_pair_class_names, NEREUS_PAIR_CLASS_COUNT);
    return s->pair < NEREUS_PAIR_CLASS_COUNT
               ? NEREUS_OK
               : fail_at(r, COLUMN_PAIR,
                         "a pair class: same-world or different-worlds, then /same-node or "
                         "/different-nodes");
}

static enum nereus_status read_cores(const struct reader *r, struct nereus_sample *s)
{
    NEREUS_TRY(read_integer(r, COLUMN_CORES, 1, true, 0, &s->cores_per_node));
    NEREUS_TRY(read_integer(r, COLUMN_PER_PROCESS, 1, false, 1, &s->cores_per_process));
    return s->cores_per_process <= s->cores_per_node
               ? NEREUS_OK
               : fail_at(r, COLUMN_PER_PROCESS, "at most the cores of a node");
}

/* Read the nodes of a row: cores of each node, or a host file. */
static enum nereus_status read_nodes(const struct reader *r, struct nereus_sample *s)
{
    const char *hostfile = get_field(r, COLUMN_HOSTFILE);
    const bool equal = get_field(r, COLUMN_CORES)[0] != '\0';
    if (equal && hostfile[0] != '\0')
        return fail_at(
            r, COLUMN_HOSTFILE,
            "needed where cores_per_node says what the nodes are: leave one of both empty");
    if (equal || r->provenances == NULL)
        return read_cores(r, s);
    if (get_field(r, COLUMN_PER_PROCESS)[0] != '\0')
        return fail_at(r, COLUMN_PER_PROCESS,
                       "needed where a host file says what the nodes are: write it there");
    return nereus_provenances_set_nodes(r->provenances, r->path, hostfile, s, r->err);
}

/* Can a shrink to NT end whole worlds, one per node? */
static bool can_end_worlds(const struct nereus_sample *s)
{
    const int64_t each = nereus_max(1, s->cores_per_process);
    const struct nereus_machine equal = {.cores_per_node = s->cores_per_node / each};
    const struct nereus_machine *machine = s->machine != NULL ? s->machine : &equal;
    return nereus_machine_node_of(machine, s->nt - 1) != nereus_machine_node_of(machine, s->nt);
}

/* Set the kind of a shrink that names none: by termination if worlds could end, as in
 * nereus_priced_method. */
static enum nereus_status read_state(const struct reader *r, struct nereus_sample *s)
{
    const char *text = get_field(r, COLUMN_STATE);
    const bool per_node = strcmp(text, "per-node") == 0;
    if (text[0] != '\0' && !per_node && strcmp(text, "initial") != 0)
        return fail_at(r, COLUMN_STATE, "initial or per-node");
    if (per_node && s->kind == NEREUS_SAMPLE_RECONFIGURATION && s->method.process == NEREUS_MERGE &&
        s->method.shrink == NEREUS_SHRINK_BY_STATE && s->nt < s->ns && can_end_worlds(s))
        s->method.shrink = NEREUS_TS;
    return NEREUS_OK;
}

/* Turn a redistribution on one node into a step row, as a trace has it. */
static void set_alone(struct nereus_sample *s)
{
    const int64_t each = nereus_max(1, s->cores_per_process);
    const struct nereus_machine equal = {.cores_per_node = s->cores_per_node / each};
    if (!nereus_machine_is_one_node(s->machine != NULL ? s->machine : &equal,
                                    nereus_max(s->ns, s->nt)))
        return;
    s->kind = NEREUS_SAMPLE_STEP;
    s->step = NEREUS_STEP_REDISTRIBUTE;
    s->old_processes = s->ns;
    s->new_processes = s->nt;
}

static enum column get_time_column(const struct reader *r, const struct nereus_sample *s)
{
    return s->kind == NEREUS_SAMPLE_REDISTRIBUTION && get_field(r, COLUMN_TIME)[0] == '\0'
               ? COLUMN_REDISTRIBUTE
               : COLUMN_TIME;
}

/* Read the columns that all kinds of rows have. */
static enum nereus_status read_values(const struct reader *r, struct nereus_sample *s)
{
    int64_t flag;
    const bool is_reconfiguration = s->kind == NEREUS_SAMPLE_RECONFIGURATION,
               step = s->kind == NEREUS_SAMPLE_STEP,
               alone = s->kind == NEREUS_SAMPLE_REDISTRIBUTION;
    const bool pair = is_reconfiguration || alone;
    const bool collective = s->kind == NEREUS_SAMPLE_COLLECTIVE,
               loaded = s->kind == NEREUS_SAMPLE_CONTENTION || is_program(s);
    const bool sized = collective || alone || s->kind == NEREUS_SAMPLE_PINGPONG ||
                       s->kind == NEREUS_SAMPLE_OPERATION;
    const bool counted = step || collective || loaded;
    NEREUS_TRY(read_integer(r, COLUMN_NS, pair ? 1 : 0, pair, 0, &s->ns));
    NEREUS_TRY(read_integer(r, COLUMN_NT, pair ? 1 : 0, pair, 0, &s->nt));
    NEREUS_TRY(read_method(r, pair, &s->method));
    NEREUS_TRY(read_number(r, COLUMN_T_ITER_NS, ABOVE_ZERO, loaded, &s->t_iter_ns_s));
    NEREUS_TRY(read_number(r, COLUMN_T_ITER_NT, ABOVE_ZERO, false, &s->t_iter_nt_s));
    NEREUS_TRY(read_number(r, COLUMN_BYTES, alone ? ABOVE_ZERO : ZERO_OR_MORE, sized, &s->bytes));
    NEREUS_TRY(read_number(r, COLUMN_RT, ABOVE_ZERO, is_reconfiguration, &s->rt_s));
    NEREUS_TRY(read_number(r, COLUMN_CT, ZERO_OR_MORE, false, &s->ct_s));
    NEREUS_TRY(read_number(r, COLUMN_ITERATIONS, ZERO_OR_MORE, false, &s->iterations));
    NEREUS_TRY(read_integer(r, COLUMN_N, 1, false, 1, &s->n));
    NEREUS_TRY(read_integer(r, COLUMN_OVERSUBSCRIBED, 0, false, 0, &flag));
    if (flag > 1)
        return fail_at(r, COLUMN_OVERSUBSCRIBED, "0 or 1");
    s->oversubscribed = flag == 1;
    /* New processes of a restart are alone. */
    const bool old = counted && !(step && s->method.process == NEREUS_RESTART);
    NEREUS_TRY(read_integer(r, COLUMN_OLD, old ? 1 : 0, counted, 0, &s->old_processes));
    NEREUS_TRY(read_integer(r, COLUMN_NEW, counted && s->old_processes == 0 ? 1 : 0, step || loaded,
                            0, &s->new_processes));
    NEREUS_TRY(read_number(r, get_time_column(r, s), step ? ZERO_OR_MORE : ABOVE_ZERO,
                           !is_reconfiguration, &s->time_s));
    if (alone && !s->method.has_data)
        return fail_at(r, COLUMN_METHOD, "a method with a way to move data, as merge/coll");
    NEREUS_TRY(read_nodes(r, s));
    if (alone)
        set_alone(s);
    return read_state(r, s);
}

static enum nereus_status read_row(const struct reader *r, struct nereus_sample *s, bool *ignored)
{
    const char *cluster = get_field(r, COLUMN_CLUSTER);
    memset(s, 0, sizeof *s);
    s->line = r->record->line;
    NEREUS_TRY(read_kind(r, s, ignored));
    if (*ignored)
        return NEREUS_OK;
    if (strlen(cluster) >= sizeof s->cluster)
        return fail_at(r, COLUMN_CLUSTER, "a name of up to 63 characters");
    memcpy(s->cluster, cluster, strlen(cluster));
    NEREUS_TRY(read_values(r, s));
    if (s->kind == NEREUS_SAMPLE_PINGPONG)
        NEREUS_TRY(read_pair(r, s));
    if (s->kind == NEREUS_SAMPLE_CONTENTION)
        NEREUS_TRY(read_contention(r, s));
    if (is_program(s))
        NEREUS_TRY(read_program(r, s));
    if (s->kind == NEREUS_SAMPLE_STAGE)
        NEREUS_TRY(read_stage(r, s));
    return NEREUS_OK;
}

/* Name an unknown column that resembles the missing one. */
static enum nereus_status fail_missing(const struct reader *r, enum column c)
{
    const char *unknown[NEREUS_CSV_FIELDS_MAX];
    size_t count = 0;
    for (int i = 0; i < r->record->count; i++) {
        bool used = false;
        for (int k = 0; k < COLUMN_COUNT; k++)
            used = used || r->where[k] == i;
        if (!used)
            unknown[count++] = r->record->fields[i];
    }
    const enum nereus_status separated = nereus_csv_check_separator(r->path, r->record, r->err);
    if (separated != NEREUS_OK)
        return separated;
    const char *suggestion = nereus_suggest(column_names[c], unknown, count);
    if (suggestion != NULL)
        return nereus_fail(r->err, NEREUS_ERR_PARSE,
                           "%s:%lld: the column '%s' is missing: was '%.160s' meant to be it?",
                           r->path, (long long)r->record->line, column_names[c], suggestion);
    return nereus_fail(
        r->err, NEREUS_ERR_PARSE,
        "%s:%lld: the column '%s' is missing: a header line of samples has at least "
        "cluster,cores_per_node,ns,nt,method,rt_s, or with bytes,redistribute_s for rt_s",
        r->path, (long long)r->record->line, column_names[c]);
}

static enum nereus_status read_header(struct reader *r)
{
    for (int c = 0; c < COLUMN_COUNT; c++) {
        r->where[c] = -1;
        for (int i = 0; i < r->record->count; i++) {
            if (strcmp(r->record->fields[i], column_names[c]) != 0)
                continue;
            if (r->where[c] >= 0)
                return nereus_fail(r->err, NEREUS_ERR_PARSE,
                                   "%s:%lld: the column '%s' is there twice", r->path,
                                   (long long)r->record->line, column_names[c]);
            r->where[c] = i;
        }
    }
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (column_needed[c] && r->where[c] < 0)
            return fail_missing(r, (enum column)c);
    if (r->where[COLUMN_RT] < 0 && r->where[COLUMN_REDISTRIBUTE] < 0)
        return fail_missing(r, COLUMN_RT);
    r->width = r->record->count;
    return NEREUS_OK;
}

/* Append to an array that is NULL or has grown here alone (grow.h). */
static enum nereus_status append_row(struct nereus_samples *samples, const struct nereus_sample *s,
                                     struct nereus_error *err)
{
    NEREUS_TRY_GROW(samples->rows, samples->count, err, "for %lld samples",
                    (long long)samples->count + 1);
    samples->rows[samples->count++] = *s;
    return NEREUS_OK;
}

/* Read a row.
 * @param[out] skip  its kind is ignored, or it is a last line that may be incomplete */
static enum nereus_status read_row_record(struct reader *r, struct nereus_sample *s, bool *skip)
{
    /* without a line end the last number may be cut */
    *skip = !r->record->terminated;
    if (*skip)
        r->cut_line = r->record->line;
    else if (r->record->count != r->width)
        return nereus_fail(r->err, NEREUS_ERR_PARSE,
                           "%s:%lld: %d field%s, but the header line names %d columns", r->path,
                           (long long)r->record->line, r->record->count,
                           nereus_plural_s(r->record->count), r->width);
    return *skip ? NEREUS_OK : read_row(r, s, skip);
}

static void read_comment(void *user, int64_t line, const char *comment, size_t length)
{
    struct reader *r = user;
    if (r->provenances_status != NEREUS_OK)
        return;
    r->provenances_status =
        nereus_provenances_parse(r->path, line, comment, length, r->provenances, r->err);
    if (r->provenances_status == NEREUS_ERR_PARSE && comment[length] == '\0') {
        r->cut_line = line;
        r->provenances_status = NEREUS_OK;
    }
}

static enum nereus_status read_rows(struct reader *r, struct nereus_csv *csv,
                                    struct nereus_samples *out)
{
    struct nereus_csv_record record;
    enum nereus_csv_result result;
    int64_t lines = 0;
    r->record = &record;
    while ((result = nereus_csv_next(csv, &record)) == NEREUS_CSV_RECORD) {
        struct nereus_sample sample;
        bool skip = false;
        NEREUS_TRY(r->provenances_status);
        if (lines++ == 0) {
            NEREUS_TRY(read_header(r));
            continue;
        }
        NEREUS_TRY(read_row_record(r, &sample, &skip));
        if (!skip)
            NEREUS_TRY(append_row(out, &sample, r->err));
    }
    NEREUS_TRY(r->provenances_status);
    if (result == NEREUS_CSV_OPEN_QUOTE && lines > 0 && csv->line == record.line)
        r->cut_line = record.line;
    else
        NEREUS_TRY(nereus_csv_check_end(result, r->path, record.line, r->err));
    if (lines == 0)
        return nereus_fail(r->err, NEREUS_ERR_PARSE,
                           "%s: no header line: the file has only blank lines and comments",
                           r->path);
    if (out->count == 0 && !r->tolerate_cut)
        return nereus_fail(r->err, NEREUS_ERR_PARSE, "%s: no samples: %s behind the header line%s",
                           r->path, r->cut_line > 0 ? "the only row" : "there is no usable row",
                           r->cut_line > 0 ? " has no line end, and may be cut" : "");
    return NEREUS_OK;
}

enum nereus_status nereus_samples_append(struct nereus_samples *samples,
                                         const struct nereus_samples *more,
                                         struct nereus_error *err)
{
    const int64_t count = samples->count + more->count;
    if (more->count == 0)
        return NEREUS_OK;
    /* Not nereus_grow_by: callers allocate arrays of other sizes. The capacity is nereus_grow's, so
     * that repeated appends copy little, and append_row may follow. */
    struct nereus_sample *grown =
        realloc(samples->rows, nereus_grow_capacity(count) * sizeof *grown);
    NEREUS_TRY_MEMORY(grown, err, "for %lld samples", (long long)count);
    memcpy(grown + samples->count, more->rows, (size_t)more->count * sizeof *grown);
    samples->rows = grown;
    samples->count = count;
    return NEREUS_OK;
}

enum nereus_status nereus_samples_read(const char *path, bool tolerate_cut,
                                       struct nereus_samples *samples, struct nereus_error *err)
{
    return nereus_samples_read_provenance(path, tolerate_cut, samples, NULL, err);
}

enum nereus_status nereus_samples_read_provenance(const char *path, bool tolerate_cut,
                                                  struct nereus_samples *samples,
                                                  struct nereus_provenances *provenances,
                                                  struct nereus_error *err)
{
    struct nereus_text_file file;
    char *text;
    NEREUS_TRY(nereus_text_open(path, "sample file", &file, err));
    file.is_appended_to = true;
    enum nereus_status status = nereus_text_read_rest(&file, &text, NULL, err);
    nereus_text_close(&file);
    NEREUS_TRY(status);
    if (text[0] == '{' || text[0] == '[') {
        free(text);
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s: no samples, as it is no CSV: `nereus calibrate`, `nereus "
                           "validate --results`, `nereus study run` and NEREUS_LEARN write samples",
                           path);
    }
    struct reader reader = {
        .path = path, .tolerate_cut = tolerate_cut, .provenances = provenances, .err = err};
    struct nereus_samples more = {.rows = NULL};
    struct nereus_csv csv;
    nereus_csv_begin(text, &csv);
    csv.on_comment = provenances != NULL ? read_comment : NULL;
    csv.user = &reader;
    status = read_rows(&reader, &csv, &more);
    if (status == NEREUS_OK)
        status = nereus_samples_append(samples, &more, err);
    if (status == NEREUS_OK) {
        const bool cut = reader.cut_line > 0 || file.zeros > 0;
        samples->left_out = cut ? 1 : 0;
        samples->first_left_out = reader.cut_line > 0 ? reader.cut_line : file.zeros_line;
    }
    nereus_samples_fini(&more);
    free(text);
    return status;
}

void nereus_samples_fini(struct nereus_samples *samples)
{
    free(samples->rows);
    samples->rows = NULL;
    samples->count = 0;
}
