/**
 * @file json_reader.c
 * Reads members of JSON objects by type; the first error is kept, with its key.
 */
#include "json_reader.h"

#include "suggest.h"

enum nereus_status nereus_json_read(const char *path, const char *what, json_t **root,
                                    struct nereus_error *err)
{
    struct nereus_text_file file;
    NEREUS_TRY(nereus_text_open(path, what, &file, err));
    const enum nereus_status status = nereus_json_read_text(&file, root, err);
    nereus_text_close(&file);
    return status;
}

enum nereus_status nereus_json_read_text(struct nereus_text_file *file, json_t **root,
                                         struct nereus_error *err)
{
    char *text;
    size_t length;
    json_error_t fault;
    NEREUS_TRY(nereus_text_read_rest(file, &text, &length, err));
    *root = nereus_json_parse(text, length, JSON_REJECT_DUPLICATES, &fault);
    free(text);
    return *root != NULL ? NEREUS_OK
                         : nereus_fail(err, NEREUS_ERR_PARSE, "%s '%.160s', line %d: no JSON: %s",
                                       file->what, file->path, fault.line, fault.text);
}

bool nereus_json_begins(const char *beginning)
{
    beginning += strspn(beginning, " \t\n");
    return *beginning == '{' || *beginning == '[';
}

size_t nereus_json_enter(struct nereus_json_reader *reader, const char *name)
{
    const size_t mark = strlen(reader->where);
    snprintf(reader->where + mark, sizeof reader->where - mark, "%s.", name);
    return mark;
}

size_t nereus_json_enter_element(struct nereus_json_reader *reader, const char *name, size_t index)
{
    char element[48];
    snprintf(element, sizeof element, "%.24s[%zu]", name, index);
    return nereus_json_enter(reader, element);
}

void nereus_json_leave(struct nereus_json_reader *reader, size_t mark)
{
    reader->where[mark] = '\0';
}

void nereus_json_fail(struct nereus_json_reader *reader, const char *key, const char *format, ...)
{
    char sentence[320];
    va_list arguments;
    if (reader->status != NEREUS_OK)
        return;
    va_start(arguments, format);
    nereus_vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const size_t length = strlen(reader->where);
    /* "steps.spawn.rows", or "steps.spawn" of the object itself. */
    const int shown = (int)(length > 0 && key[0] == '\0' ? length - 1 : length);
    reader->status =
        nereus_fail(reader->err, NEREUS_ERR_PARSE, "%s: %.*s%s%s%s", reader->path, shown,
                    reader->where, key, length > 0 || key[0] != '\0' ? ": " : "", sentence);
}

bool nereus_json_check_memory(struct nereus_json_reader *reader, const void *memory)
{
    if (reader->status == NEREUS_OK && memory == NULL)
        reader->status =
            nereus_fail(reader->err, NEREUS_ERR_MEMORY, "%s: no memory to read it", reader->path);
    return reader->status == NEREUS_OK;
}

bool nereus_json_check(struct nereus_json_reader *reader, const json_t *json,
                       const char *const *known_words, size_t count, size_t needed)
{
    char suggestion[NEREUS_SUGGEST_TEXT];
    const char *key;
    json_t *value;
    if (!json_is_object(json))
        nereus_json_fail(reader, "", "is not a JSON object");
    json_object_foreach((json_t *)json, key, value)
    {
        if (nereus_word_index(key, known_words, count) < count)
            continue;
        nereus_json_fail(reader, key, "this key is not known%s",
                         nereus_suggest_text(key, known_words, count, suggestion));
    }
    for (size_t i = 0; i < needed && reader->status == NEREUS_OK; i++)
        if (json_object_get(json, known_words[i]) == NULL)
            nereus_json_fail(reader, known_words[i], "this key is missing");
    return reader->status == NEREUS_OK;
}

/* @return NULL: the object has no such member, or an earlier read failed */
static const json_t *find_member(const struct nereus_json_reader *r, const json_t *object,
                                 const char *key)
{
    return r->status == NEREUS_OK ? json_object_get(object, key) : NULL;
}

void nereus_json_read_string(struct nereus_json_reader *reader, const json_t *object,
                             const char *key, char *text, size_t size)
{
    const json_t *json = find_member(reader, object, key);
    if (json == NULL)
        return;
    if (!json_is_string(json))
        nereus_json_fail(reader, key, "is not a text");
    else if (json_string_length(json) >= size)
        nereus_json_fail(reader, key, "is too long");
    else
        nereus_text_replace_controls(
            memcpy(text, json_string_value(json), json_string_length(json) + 1), '?');
}

void nereus_json_read_number(struct nereus_json_reader *reader, const json_t *object,
                             const char *key, double min, double *value)
{
    const json_t *json = find_member(reader, object, key);
    if (json == NULL)
        return;
    const double number = json_number_value(json);
    if (!json_is_number(json) || !isfinite(number) || number < min)
        nereus_json_fail(reader, key, "is not a number from %g on", min);
    else
        *value = number;
}

void nereus_json_read_integer(struct nereus_json_reader *reader, const json_t *object,
                              const char *key, int64_t min, int64_t max, int64_t *value)
{
    const json_t *json = find_member(reader, object, key);
    if (json == NULL)
        return;
    const int64_t number = json_integer_value(json);
    if (json_is_integer(json) && number >= min && number <= max)
        *value = number;
    else if (max == INT64_MAX)
        nereus_json_fail(reader, key, "is not a whole number from %lld on", (long long)min);
    else
        nereus_json_fail(reader, key, "is not a whole number from %lld to %lld", (long long)min,
                         (long long)max);
}

void nereus_json_read_boolean(struct nereus_json_reader *reader, const json_t *object,
                              const char *key, bool *value)
{
    const json_t *json = find_member(reader, object, key);
    if (json == NULL)
        return;
    if (!json_is_boolean(json))
        nereus_json_fail(reader, key, "is neither true nor false");
    else
        *value = json_is_true(json);
}

const json_t *nereus_json_read_array(struct nereus_json_reader *reader, const json_t *object,
                                     const char *key, size_t max)
{
    const json_t *json = find_member(reader, object, key);
    if (json == NULL)
        return NULL;
    if (!json_is_array(json))
        nereus_json_fail(reader, key, "is not a list");
    else if (json_array_size(json) > max)
        nereus_json_fail(reader, key, "has more entries than it may");
    return reader->status == NEREUS_OK ? json : NULL;
}

double nereus_json_get_real(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *nereus_json_get_text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    /* in place: foreign text, which may reach a terminal */
    return value != NULL ? nereus_text_replace_controls((char *)(uintptr_t)value, '?') : "";
}
