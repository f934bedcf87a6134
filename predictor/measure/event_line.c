/** @file event_line.c  Files of events, a JSON object a line. */
#include "event_line.h"

#include <stdlib.h>
#include <string.h>

#include "model/util/file.h"
#include "model/util/json_reader.h"
#include "model/util/try.h"

double nereus_event_real(const struct nereus_event_line *line, const char *key)
{
    return nereus_json_real_of(line->event, key);
}

int64_t nereus_event_integer(const struct nereus_event_line *line, const char *key,
                             enum nereus_status *status)
{
    const json_t *value = json_object_get(line->event, key);
    if (json_is_integer(value)) {
        return json_integer_value(value);
    }
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
    return nereus_json_text_of(line->event, key);
}

static enum nereus_status take_line(const char *text, size_t length, struct nereus_event_line *line,
                                    nereus_event_take *take, void *user)
{
    json_error_t json_err;
    json_t *object = json_loadb(text, length, 0, &json_err);
    if (!json_is_object(object)) {
        json_decref(object);
        return nereus_fail(line->err, NEREUS_ERR_PARSE, "%s, line %lld: not a JSON object%s%s",
                           line->path, (long long)line->line, object == NULL ? ": " : "",
                           object == NULL ? json_err.text : "");
    }
    line->event = object;
    const enum nereus_status status = take(user, line);
    json_decref(object);
    return status;
}

enum nereus_status nereus_event_lines_read(const char *path, const char *what,
                                           nereus_event_take *take, void *user,
                                           struct nereus_error *err)
{
    char *content;
    struct nereus_event_line line = {path, 0, NULL, err};
    NEREUS_TRY(nereus_file_read(path, what, &content, NULL, err));
    enum nereus_status status = NEREUS_OK;
    for (const char *text = content; *text != '\0' && status == NEREUS_OK;) {
        size_t length = strcspn(text, "\n");
        line.line++;
        if (strspn(text, " \t\r") < length) {
            status = take_line(text, length, &line, take, user);
        }
        text += length + (text[length] == '\n');
    }
    free(content);
    return status;
}
