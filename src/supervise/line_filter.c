/** @file line_filter.c  Filters lines by texts of launchers, which are in the process manager's row
 * (src/mpi). */
#include "line_filter.h"

#include "src/mpi/process_manager.h"

/* ---- lines ----------------------------------------------------------------------------------- */

static bool begins_with(const char *line, size_t length, const char *with)
{
    const size_t whole = strlen(with);
    return length >= whole && memcmp(line, with, whole) == 0;
}

/* Do the (possibly incomplete) line and the text agree over their common length? */
static bool agrees_with(const char *line, size_t length, const char *text)
{
    const size_t whole = strlen(text);
    return memcmp(line, text, length < whole ? length : whole) == 0;
}

static const struct nereus_manager_report *get_texts(void)
{
    return &nereus_process_manager()->report;
}

/* Is this a separator line, or the beginning of one? */
static bool is_frame(const char *line, size_t length)
{
    size_t i = 0;
    while (i < length && line[i] == get_texts()->frame)
        i++;
    return i == length && length <= (size_t)get_texts()->length;
}

static bool begins_with_any(const char *line, size_t length, const char *const *with)
{
    while (*with != NULL && !begins_with(line, length, *with))
        with++;
    return *with != NULL;
}

static bool contains_any(const char *line, size_t length, const char *const *texts)
{
    for (; *texts != NULL; texts++)
        if (length >= strlen(*texts) && memmem(line, length, *texts, strlen(*texts)) != NULL)
            return true;
    return false;
}

static bool is_line_rest(const struct line_filter *filter, const char *line, size_t length)
{
    return filter->open > 0 && begins_with_any(line, length, get_texts()->rests);
}

static bool is_launcher_line(const struct line_filter *filter, const char *line, size_t length)
{
    return begins_with_any(line, length, get_texts()->lines) &&
           (*line != '[' || filter->is_stderr ||
            contains_any(line, length, get_texts()->on_output));
}

static int count_text(const char *line, size_t length, const char *text)
{
    int count = 0;
    const char *const end = line + length;
    while ((line = memmem(line, (size_t)(end - line), text, strlen(text))) != NULL) {
        line += strlen(text);
        count++;
    }
    return count;
}

/* Count the launcher's lines of which only the first piece was printed (another process has printed
 * in between). Each line ends with a rest, except "Ctrl-C caught", which has no first piece. */
static void count_open(struct line_filter *filter, const char *line, size_t length)
{
    const bool has_rest = !contains_any(line, length, (const char *[]){get_texts()->aborted, NULL});
    if (!begins_with_any(line, length, get_texts()->pieces))
        return;
    for (const char *const *piece = get_texts()->pieces; *piece != NULL; piece++)
        filter->open += count_text(line, length, *piece);
    filter->open -= has_rest ? 1 : 0;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static bool append_bytes(struct line_text *text, const char *bytes, size_t length)
{
    if (length == 0)
        return true;
    if (text->length + length > LINE_FILTER_HELD_MAX)
        return false;
    char *grown = nereus_grow_by(text->bytes, (int64_t)text->length, (int64_t)length, 1);
    if (grown == NULL)
        return false;
    text->bytes = grown;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    return true;
}

static void output_text(struct line_filter *filter, struct line_text *text)
{
    if (text->length > 0)
        filter->sink(filter->user, text->bytes, text->length);
    text->length = 0;
}

/* Move bytes to another text; without memory, and beyond the limit, they are passed on. */
static void append_or_output(struct line_filter *filter, struct line_text *from,
                             struct line_text *to)
{
    if (append_bytes(to, from->bytes, from->length))
        from->length = 0;
    else
        output_text(filter, from);
}

/* Find the text after `words` in a line of the launcher on standard error; NULL: the line does not
 * contain `words`. */
static const char *find_after(const struct line_filter *filter, const char *line, size_t length,
                              const char *words)
{
    const char *position =
        filter->is_stderr && words != NULL ? memmem(line, length, words, strlen(words)) : NULL;
    return position != NULL ? position + strlen(words) : NULL;
}

/* Store NAME and REASON of "... NAME (REASON)", so that the caller can report them. */
static void record_missing(struct line_filter *filter, const char *line, size_t length)
{
    const char *name = find_after(filter, line, length, get_texts()->missing_program);
    const char *end = line + length, *reason = NULL;
    if (name == NULL || filter->missing_program[0] != '\0')
        return;
    for (const char *position = name; position + 1 < end; position++)
        if (position[0] == ' ' && position[1] == '(')
            reason = position;
    if (reason == NULL || end[-1] != ')' || reason == name)
        return;
    snprintf(filter->missing_program, sizeof filter->missing_program, "%.*s: %.*s",
             (int)(reason - name), name, (int)(end - 1 - (reason + 2)), reason + 2);
}

/* Store why output cannot be written. Hydra prints the reason of a failed write first, and whether
 * it concerned output in the next line; for a file that cannot be opened it prints no reason. */
static void record_unwritten(struct line_filter *filter, const char *line, size_t length)
{
    const char *reason = find_after(filter, line, length, get_texts()->failed_write);
    if (reason != NULL && line[length - 1] == ')')
        snprintf(filter->reason, sizeof filter->reason, "%.*s", (int)(line + length - 1 - reason),
                 reason);
    if (find_after(filter, line, length, get_texts()->output_error) != NULL)
        snprintf(filter->write_error, sizeof filter->write_error, "%s",
                 filter->reason[0] != '\0' ? filter->reason : "a file cannot be opened");
}

/* ---- the filter ------------------------------------------------------------------------------ */

/* Does the line belong to a report? */
static bool is_report(const struct line_filter *filter, const char *line, size_t length)
{
    const bool within =
        filter->state == FILTER_REPORT &&
        (!get_texts()->has_framed_lines || (length > 0 && *line == get_texts()->frame));
    return within || (begins_with_any(line, length, get_texts()->begins) &&
                      (get_texts()->has_framed_lines || filter->state == FILTER_SEPARATOR));
}

/* Hold a line of the launcher back. */
static void take_launcher_line(struct line_filter *filter, const char *line, size_t length)
{
    filter->aborted =
        filter->aborted || contains_any(line, length, (const char *[]){get_texts()->aborted, NULL});
    record_missing(filter, line, length);
    record_unwritten(filter, line, length);
    filter->has_error = filter->has_error ||
                        (filter->is_stderr && !begins_with_any(line, length, get_texts()->explain));
    append_or_output(filter, &filter->line, &filter->reports);
}

static void sort_line(struct line_filter *filter)
{
    const char *line = filter->line.bytes;
    /* a killed launcher may leave its last line without newline */
    const bool ended = filter->line.bytes[filter->line.length - 1] == '\n';
    const size_t length = filter->line.length - (ended ? 1 : 0);
    const bool separator = length == (size_t)get_texts()->length && is_frame(line, length);
    if (is_line_rest(filter, line, length)) {
        filter->open--;
        take_launcher_line(filter, line, length);
    } else if (is_report(filter, line, length)) {
        filter->state = filter->state == FILTER_REPORT && separator ? FILTER_FRESH : FILTER_REPORT;
        append_or_output(filter, &filter->possible_report, &filter->reports);
        append_or_output(filter, &filter->line, &filter->reports);
    } else if (separator && (filter->state == FILTER_EMPTY || !get_texts()->has_empty_line)) {
        if (!get_texts()->has_empty_line)
            output_text(filter, &filter->possible_report);
        filter->state = FILTER_SEPARATOR;
        append_or_output(filter, &filter->line, &filter->possible_report);
    } else {
        const bool is_from_launcher = length > 0 && is_launcher_line(filter, line, length);
        count_open(filter, line, length);
        /* Open MPI ends each of its lines with an empty one. */
        if (is_from_launcher && filter->state == FILTER_EMPTY && !get_texts()->has_empty_line)
            append_or_output(filter, &filter->possible_report, &filter->reports);
        else
            output_text(filter, &filter->possible_report);
        filter->state = length == 0 ? FILTER_EMPTY : FILTER_FRESH;
        if (length == 0)
            append_or_output(filter, &filter->line, &filter->possible_report);
        else if (is_from_launcher)
            take_launcher_line(filter, line, length);
        else
            output_text(filter, &filter->line);
    }
}

static bool agrees_with_any(const char *line, size_t length, const char *const *with)
{
    while (*with != NULL && !agrees_with(line, length, *with))
        with++;
    return *with != NULL;
}

/* Could the incomplete line still become a line that is held back? */
static bool is_open(const struct line_filter *filter)
{
    const char *line = filter->line.bytes;
    const size_t length = filter->line.length;
    const bool in_report = filter->state == FILTER_REPORT;
    if ((filter->state == FILTER_EMPTY || in_report || !get_texts()->has_empty_line) &&
        is_frame(line, length))
        return true;
    return agrees_with_any(line, length, get_texts()->begins) ||
           agrees_with_any(line, length, get_texts()->lines) ||
           (filter->open > 0 && agrees_with_any(line, length, get_texts()->rests)) ||
           (in_report && (!get_texts()->has_framed_lines || *line == get_texts()->frame));
}

static void handle_part_of_line(struct line_filter *filter, const char *text, size_t length)
{
    const bool whole = text[length - 1] == '\n';
    if (filter->passing || !append_bytes(&filter->line, text, length)) {
        output_text(filter, &filter->possible_report);
        output_text(filter, &filter->line);
        filter->sink(filter->user, text, length);
        filter->passing = !whole;
    } else if (whole) {
        sort_line(filter);
    } else if (!is_open(filter)) {
        output_text(filter, &filter->possible_report);
        output_text(filter, &filter->line);
        filter->state = FILTER_FRESH;
        filter->passing = true;
    }
}

void line_filter_add(struct line_filter *filter, const char *text, size_t length)
{
    for (const char *end = text + length; text < end;) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t part = (size_t)((newline != NULL ? newline + 1 : end) - text);
        handle_part_of_line(filter, text, part);
        text += part;
    }
}

void line_filter_flush(struct line_filter *filter)
{
    if (filter->line.length > 0 && !filter->passing)
        sort_line(filter);
    output_text(filter, &filter->possible_report);
    output_text(filter, &filter->line);
}

void line_filter_release(struct line_filter *filter)
{
    output_text(filter, &filter->reports);
    filter->has_error = false;
}

void line_filter_end(struct line_filter *filter, bool drops)
{
    line_filter_flush(filter);
    if (!drops && filter->missing_program[0] == '\0' && filter->write_error[0] == '\0')
        output_text(filter, &filter->reports);
    free(filter->line.bytes);
    free(filter->possible_report.bytes);
    free(filter->reports.bytes);
    filter->line = filter->possible_report = filter->reports = (struct line_text){0};
}
