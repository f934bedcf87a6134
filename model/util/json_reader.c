/** @file json_reader.c  Strict reading of JSON objects, with sentences. */
#include "json_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suggest.h"

size_t nereus_json_enter(struct nereus_json_reader *r, const char *name)
{
    const size_t mark = strlen(r->where);
    snprintf(r->where + mark, sizeof r->where - mark, "%s.", name);
    return mark;
}

void nereus_json_leave(struct nereus_json_reader *r, size_t mark)
{
    r->where[mark] = '\0';
}

void nereus_json_fail(struct nereus_json_reader *r, const char *key, const char *sentence)
{
    if (r->status == NEREUS_OK)
        r->status = nereus_fail(r->err, NEREUS_ERR_PARSE, "%s: %s%s: %s", r->path, r->where, key, sentence);
}

static bool among(const char *key, const char *const *known, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(known[i], key) == 0)
            return true;
    return false;
}

bool nereus_json_check(struct nereus_json_reader *r, const json_t *json, const char *const *known,
                       size_t count, size_t needed)
{
    char sentence[200];
    const char *key;
    json_t *value;
    if (r->status != NEREUS_OK)
        return false;
    if (!json_is_object(json)) {
        nereus_json_fail(r, "", "is not a JSON object");
        return false;
    }
    json_object_foreach((json_t *)json, key, value)
    {
        if (among(key, known, count))
            continue;
        const char *near = nereus_suggest(key, known, count);
        snprintf(sentence, sizeof sentence, "this key is not known%s%s%s",
                 near != NULL ? ": did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
        nereus_json_fail(r, key, sentence);
        return false;
    }
    for (size_t i = 0; i < needed; i++)
        if (json_object_get(json, known[i]) == NULL) {
            nereus_json_fail(r, known[i], "this key is missing");
            return false;
        }
    return true;
}

void nereus_json_string(struct nereus_json_reader *r, const json_t *object, const char *key, char *text,
                        size_t room)
{
    const json_t *json = json_object_get(object, key);
    if (r->status != NEREUS_OK || json == NULL)
        return;
    if (!json_is_string(json))
        nereus_json_fail(r, key, "is not a text");
    else if (strlen(json_string_value(json)) >= room)
        nereus_json_fail(r, key, "is too long");
    else
        memcpy(text, json_string_value(json), strlen(json_string_value(json)) + 1);
}

void nereus_json_number(struct nereus_json_reader *r, const json_t *object, const char *key, double least,
                        double *value)
{
    char sentence[80];
    const json_t *json = json_object_get(object, key);
    if (r->status != NEREUS_OK || json == NULL)
        return;
    const double number = json_number_value(json);
    snprintf(sentence, sizeof sentence, "is not a number from %g on", least);
    if (!json_is_number(json) || !isfinite(number) || number < least)
        nereus_json_fail(r, key, isinf(least) ? "is not a number" : sentence);
    else
        *value = number;
}

void nereus_json_integer(struct nereus_json_reader *r, const json_t *object, const char *key, int64_t least,
                         int64_t *value)
{
    char sentence[80];
    const json_t *json = json_object_get(object, key);
    if (r->status != NEREUS_OK || json == NULL)
        return;
    snprintf(sentence, sizeof sentence, "is not a whole number from %lld on", (long long)least);
    if (!json_is_integer(json) || json_integer_value(json) < least)
        nereus_json_fail(r, key, sentence);
    else
        *value = json_integer_value(json);
}

void nereus_json_boolean(struct nereus_json_reader *r, const json_t *object, const char *key, bool *value)
{
    const json_t *json = json_object_get(object, key);
    if (r->status != NEREUS_OK || json == NULL)
        return;
    if (!json_is_boolean(json))
        nereus_json_fail(r, key, "is neither true nor false");
    else
        *value = json_is_true(json);
}

const json_t *nereus_json_array(struct nereus_json_reader *r, const json_t *object, const char *key,
                                size_t most)
{
    const json_t *json = json_object_get(object, key);
    if (r->status != NEREUS_OK || json == NULL)
        return NULL;
    if (!json_is_array(json))
        nereus_json_fail(r, key, "is not a list");
    else if (json_array_size(json) > most)
        nereus_json_fail(r, key, "has more entries than it may");
    return r->status == NEREUS_OK ? json : NULL;
}
