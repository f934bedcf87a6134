/** @file event_line.c  Reads members of events, and the lines of a file that a program may still
 * write. */
#include "event_line.h"

#include "model/util/json_reader.h"

double nereus_event_real(const struct nereus_event_line *line, const char *key)
{
    return nereus_json_get_real(line->event, key);
}

int64_t nereus_event_integer(const struct nereus_event_line *line, const char *key,
                             enum nereus_status *status)
{
    const json_t *value = json_object_get(line->event, key);
    if (json_is_integer(value))
        return json_integer_value(value);
    if (*status == NEREUS_OK) {
        *status =
            nereus_fail(line->err, NEREUS_ERR_PARSE, "%s, line %lld: key %s needs a whole number",
                        line->path, (long long)line->line, key);
    }
    return 0;
}

int64_t nereus_event_processes(const struct nereus_event_line *line, const char *key,
                               enum nereus_status *status)
{
    const int64_t value = nereus_event_integer(line, key, status);
    if (*status == NEREUS_OK && value < 1) {
        *status = nereus_fail(line->err, NEREUS_ERR_PARSE,
                              "%s, line %lld: key %s needs a number of processes from 1 on, not "
                              "%lld",
                              line->path, (long long)line->line, key, (long long)value);
    }
    return value;
}

int64_t nereus_event_integer_or(const struct nereus_event_line *line, const char *key,
                                int64_t otherwise)
{
    const json_t *value = json_object_get(line->event, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

const char *nereus_event_text(const struct nereus_event_line *line, const char *key)
{
    return nereus_json_get_text(line->event, key);
}

enum nereus_status nereus_event_file_open(const char *path, const char *what,
                                          struct nereus_event_file *file, struct nereus_error *err)
{
    *file = (struct nereus_event_file){.line = {.path = path, .err = err}};
    NEREUS_TRY(nereus_text_open(path, what, &file->text, err));
    file->text.is_appended_to = true;
    return NEREUS_OK;
}

/* Skip a line that begins like an event: probably it was not written to its end. Refuse any other
 * line: the file is a document over several lines. */
static enum nereus_status skip_incomplete(struct nereus_event_file *file, char first,
                                          const json_error_t *fault)
{
    const char *reason = fault != NULL ? fault->text : "";
    const bool is_torn =
        !file->text.terminated ||
        (fault != NULL && json_error_code(fault) == json_error_premature_end_of_input);
    char what[sizeof file->left_out.why];
    struct nereus_error why;
    snprintf(what, sizeof what, "not a JSON object%s%.120s", reason[0] != '\0' ? ": " : "", reason);
    nereus_fail(&why, NEREUS_ERR_PARSE, "%s, line %lld: %s", file->line.path,
                (long long)file->line.line, what);
    if (file->left_out.lines++ == 0) {
        file->left_out.first = file->line.line;
        file->why = why;
        snprintf(file->left_out.why, sizeof file->left_out.why, "%s", is_torn ? "" : what);
    }
    return first == '{' ? NEREUS_OK : nereus_fail(file->line.err, why.status, "%s", why.text);
}

enum nereus_status nereus_event_file_next(struct nereus_event_file *file,
                                          const struct nereus_event_line **line)
{
    json_error_t fault;
    char *text;
    *line = NULL;
    for (;;) {
        NEREUS_TRY(nereus_text_read_line(&file->text, &text, file->line.err));
        json_decref(file->event);
        file->event = NULL;
        if (text == NULL)
            return NEREUS_OK;
        file->line.line = file->text.line;
        text += strspn(text, " \t");
        if (*text == '\0')
            continue;
        file->line.event = file->event =
            nereus_json_parse(text, strlen(text), JSON_REJECT_DUPLICATES, &fault);
        if (json_is_object(file->event)) {
            file->event_count++;
            *line = &file->line;
            return NEREUS_OK;
        }
        NEREUS_TRY(skip_incomplete(file, *text, file->event == NULL ? &fault : NULL));
    }
}

enum nereus_status nereus_event_file_close(struct nereus_event_file *file,
                                           enum nereus_status status)
{
    nereus_text_close(&file->text);
    json_decref(file->event);
    if (status == NEREUS_OK && file->event_count == 0 && file->left_out.lines > 0)
        return nereus_fail(file->line.err, file->why.status, "%s", file->why.text);
    if (status == NEREUS_OK && file->text.line == 0) {
        return nereus_fail(file->line.err, NEREUS_ERR_PARSE, "%s '%.200s' is empty",
                           file->text.what, file->line.path);
    }
    if (file->text.zeros > 0 && file->left_out.lines == 0) {
        file->left_out.lines = 1;
        file->left_out.first = file->text.zeros_line;
    }
    return status;
}

enum nereus_status nereus_event_lines_read(const char *path, const char *what,
                                           nereus_on_event *take, void *user,
                                           struct nereus_left_out *left_out,
                                           struct nereus_error *err)
{
    struct nereus_event_file file;
    const struct nereus_event_line *line;
    NEREUS_TRY(nereus_event_file_open(path, what, &file, err));
    enum nereus_status status;
    while ((status = nereus_event_file_next(&file, &line)) == NEREUS_OK && line != NULL) {
        status = take(user, line);
        if (status != NEREUS_OK)
            break;
    }
    status = nereus_event_file_close(&file, status);
    *left_out = file.left_out;
    return status;
}
