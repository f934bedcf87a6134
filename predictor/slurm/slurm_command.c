/** @file slurm_command.c  Runs Slurm's commands and reads their output (slurm_command.h). */
#include "slurm_command.h"

#include <inttypes.h>
#include <sys/random.h>

#include "predictor/cli/command.h"
#include "predictor/run/child.h"

static const double short_limit_s = 60, long_limit_s = 600;

/* Environment variables that change what Slurm's commands print or do; they are removed. For the
 * user's own job only SBATCH_WAIT is removed from those of sbatch. */
static const char *const cleared[] = {"SQUEUE_*", "SINFO_*", "SCANCEL_*", "SBATCH_*", NULL},
                         *const cleared_for_sbatch[] = {"SBATCH_WAIT", NULL};

struct output {
    char *text;
    size_t length;
    bool no_memory;
    char error[256]; /* the last line of stderr */
};

static void handle_line(void *user, const char *line, bool is_stderr)
{
    struct output *output = user;
    const size_t bytes = strlen(line);
    if (is_stderr) {
        snprintf(output->error, sizeof output->error, "%s", line);
        return;
    }
    char *text = realloc(output->text, output->length + bytes + 2);
    if (text == NULL) {
        output->no_memory = true;
        return;
    }
    output->text = text;
    output->length += (size_t)sprintf(text + output->length, "%s\n", line);
}

static enum nereus_status set_status(const struct nereus_child *child,
                                     const struct nereus_child_result *result,
                                     const struct output *output, struct nereus_error *err)
{
    char outcome[96];
    if (output->no_memory)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for what %s prints", child->argv[0]);
    if (result->interrupt != 0)
        return nereus_fail(err, NEREUS_ERR_CANCELLED, "interrupted");
    NEREUS_TRY(nereus_child_check_start(child, result, err));
    if (result->hung)
        nereus_cli_note("%s had not ended %g s after its last word, and was stopped",
                        child->argv[0], child->ending_limit_s);
    if (result->exit_status == 0)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_IO, "%s %s%s%s", child->argv[0],
                       nereus_child_format_outcome(child, result, outcome),
                       output->error[0] != '\0' ? ": " : "", output->error);
}

static size_t count_arguments(const char *const *arguments)
{
    size_t count = 0;
    while (arguments != NULL && arguments[count] != NULL)
        count++;
    return count;
}

void nereus_slurm_add_word(struct nereus_slurm_command *command, const char *format, ...)
{
    const size_t count = count_arguments(command->argv),
                 capacity = sizeof command->text - command->used;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(command->text + command->used, capacity, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= capacity || count + 1 >= NEREUS_SLURM_ARGUMENTS_MAX) {
        command->is_too_long = true;
        return;
    }
    command->argv[count] = command->text + command->used;
    command->used += (size_t)length + 1;
}

/* @param[out] child  its argv is to be freed */
static enum nereus_status make_child(const struct nereus_slurm_command *command,
                                     struct nereus_child *child, struct nereus_error *err)
{
    const size_t count = count_arguments(command->argv),
                 further = count_arguments(command->further);
    if (command->is_too_long) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the arguments of %s have more than %d characters or %d words",
                           command->argv[0], NEREUS_SLURM_TEXT_MAX - 1,
                           NEREUS_SLURM_ARGUMENTS_MAX - 1);
    }
    const char **argv = calloc(count + further + 1, sizeof *argv);
    NEREUS_TRY_MEMORY(argv, err, "for the words of %s", command->argv[0]);
    memcpy(argv, command->argv, count * sizeof *argv);
    if (further > 0)
        memcpy(argv + count, command->further, further * sizeof *argv);
    const bool keeps = strcmp(argv[0], "sbatch") == 0 && !command->is_complete;
    *child = (struct nereus_child){.argv = argv,
                                   .environment = keeps ? cleared_for_sbatch : cleared,
                                   .limit_s = command->limit_s > 0       ? command->limit_s
                                              : command->ignores_signals ? long_limit_s
                                                                         : short_limit_s,
                                   .ignores_signals = command->ignores_signals,
                                   .find_status = command->find_status,
                                   .ending_limit_s = command->ending_limit_s,
                                   .on_line = handle_line};
    return NEREUS_OK;
}

static enum nereus_status make_runs(struct nereus_slurm_run *runs, int64_t count,
                                    struct nereus_child *children, struct output *outputs,
                                    struct nereus_error *err)
{
    for (int64_t i = 0; i < count; i++) {
        NEREUS_TRY(make_child(runs[i].command, &children[i], err));
        outputs[i].text = calloc(1, 1);
        NEREUS_TRY_MEMORY(outputs[i].text, err, "for what %s prints", children[i].argv[0]);
        children[i].user = &outputs[i];
    }
    return NEREUS_OK;
}

enum nereus_status nereus_slurm_run_all(struct nereus_slurm_run *runs, int64_t count,
                                        int64_t at_once, struct nereus_error *err)
{
    const size_t capacity = (size_t)count + 1;
    struct nereus_child *children = calloc(capacity, sizeof *children);
    struct nereus_child_result *results = calloc(capacity, sizeof *results);
    struct output *outputs = calloc(capacity, sizeof *outputs);
    enum nereus_status status = children != NULL && results != NULL && outputs != NULL
                                    ? make_runs(runs, count, children, outputs, err)
                                    : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for commands");
    if (status == NEREUS_OK)
        status = nereus_child_run_all(children, count, at_once, results, err);
    for (int64_t i = 0; i < count && children != NULL && outputs != NULL; i++) {
        if (status == NEREUS_OK)
            runs[i].status = set_status(&children[i], &results[i], &outputs[i], &runs[i].error);
        runs[i].text = status == NEREUS_OK && runs[i].status == NEREUS_OK ? outputs[i].text : NULL;
        if (runs[i].text == NULL)
            free(outputs[i].text);
        free((void *)(uintptr_t)children[i].argv);
    }
    free(children);
    free(results);
    free(outputs);
    return status;
}

enum nereus_status nereus_slurm_run(const struct nereus_slurm_command *command, char **text,
                                    struct nereus_error *err)
{
    struct nereus_slurm_run run = {.command = command};
    NEREUS_TRY(nereus_slurm_run_all(&run, 1, 1, err));
    if (run.status == NEREUS_OK && text != NULL)
        *text = run.text;
    else
        free(run.text);
    if (run.status != NEREUS_OK && err != NULL)
        *err = run.error;
    return run.status;
}

bool nereus_slurm_is_id(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < NEREUS_SLURM_ID_MAX && text[digits] == '\0';
}

/* Find the job's number in the last line, "ID" or "ID;CLUSTER"; a site's own messages may precede
 * it. */
static bool find_id(char *text, char id[NEREUS_SLURM_ID_MAX])
{
    char *end = text + strlen(text);
    while (end > text && end[-1] == '\n')
        *--end = '\0';
    const char *line = strrchr(text, '\n');
    line = line != NULL ? line + 1 : text;
    snprintf(id, NEREUS_SLURM_ID_MAX, "%.*s", (int)strcspn(line, ";"), line);
    return nereus_slurm_is_id(id);
}

enum nereus_status nereus_slurm_submit(struct nereus_slurm_command *command,
                                       char id[NEREUS_SLURM_ID_MAX], struct nereus_error *err)
{
    char *text, number[NEREUS_SLURM_ID_MAX];
    command->ignores_signals = true;
    NEREUS_TRY(nereus_slurm_run(command, &text, err));
    const bool is_number = find_id(text, number);
    free(text);
    if (!is_number)
        return nereus_fail(err, NEREUS_ERR_PARSE, "sbatch named no number of a job");
    memcpy(id, number, sizeof number);
    return NEREUS_OK;
}

/* Find the next line from `text` on that begins with the mark; NULL: none. */
static char *find_separator(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    while (at != NULL && at != text && at[-1] != '\n')
        at = strstr(at + 1, mark);
    return at;
}

void nereus_slurm_rows_leave_out(struct nereus_slurm_rows *rows, const struct nereus_error *fault)
{
    if (rows->left_out != NULL && rows->left_out->count++ == 0)
        snprintf(rows->left_out->first, sizeof rows->left_out->first, "%.250s", fault->text);
}

void nereus_slurm_rows_init(const char *command, const char *columns, const char *mark, char *text,
                            struct nereus_slurm_rows *rows)
{
    *rows = (struct nereus_slurm_rows){
        .before = "", .fields = {""}, .command = command, .columns = 1, .text = text, .next = text};
    snprintf(rows->mark, sizeof rows->mark, "%s", mark);
    for (; (columns = strchr(columns, '|')) != NULL; columns++)
        rows->columns++;
}

enum nereus_status nereus_slurm_query(struct nereus_slurm_command *command, const char *columns,
                                      struct nereus_slurm_rows *rows, struct nereus_error *err)
{
    char mark[NEREUS_SLURM_MARK_MAX], *text;
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
        random = (uint64_t)(uintptr_t)&random;
    snprintf(mark, sizeof mark, "nereus:%016" PRIx64 "|", random);
    nereus_slurm_add_word(command, "-o");
    nereus_slurm_add_word(command, "%s%s", mark, columns);
    NEREUS_TRY(nereus_slurm_run(command, &text, err));
    nereus_slurm_rows_init(command->argv[0], columns, mark, text, rows);
    return NEREUS_OK;
}

/* Skip what a site prints before the first record. */
static void skip_to_separator(struct nereus_slurm_rows *rows)
{
    struct nereus_error fault;
    char *text = rows->next, *record = find_separator(text, rows->mark);
    if (record != text && *text != '\0') {
        text[strcspn(text, "\n")] = '\0';
        nereus_fail(&fault, NEREUS_ERR_PARSE, "%s printed '%.80s' before the first record",
                    rows->command, text);
        nereus_slurm_rows_leave_out(rows, &fault);
    }
    rows->next = record;
}

/* Split the record at rows->next in place.
 * @return false: columns are missing */
static bool split(struct nereus_slurm_rows *rows)
{
    struct nereus_error fault;
    char *line = rows->next + strlen(rows->mark), *next = find_separator(line, rows->mark);
    char *end = next != NULL ? next : line + strlen(line);
    int found = 0;
    end[end > line && end[-1] == '\n' ? -1 : 0] = '\0';
    rows->next = next;
    rows->before = rows->fields[0];
    for (char *at = line; at != NULL; found++) {
        rows->fields[found] = at;
        at = found + 1 < rows->columns ? strchr(at, '|') : NULL;
        if (at != NULL)
            *at++ = '\0';
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
    if (rows->next == rows->text && rows->next != NULL)
        skip_to_separator(rows);
    while (rows->next != NULL)
        if (split(rows))
            return true;
    return false;
}

void nereus_slurm_rows_fini(struct nereus_slurm_rows *rows)
{
    free(rows->text);
    rows->text = rows->next = NULL;
}
