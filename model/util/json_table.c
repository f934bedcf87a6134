/** @file json_table.c  Reads and writes structs as JSON objects, member by member of a table. */
#include "json_table.h"

#include "suggest.h"

static void read_word(struct nereus_json_reader *r, const json_t *object,
                      const struct nereus_json_member *member, int *value)
{
    char word[32] = "", sentence[300], suggestion[NEREUS_SUGGEST_TEXT];
    const size_t count = member->word_count;
    nereus_json_read_string(r, object, member->key, word, sizeof word);
    const size_t index = nereus_word_index(word, member->words, count);
    *value = index < count ? (int)index : 0;
    if (index < count)
        return;
    nereus_suggest_text(word, member->words, count, suggestion);
    snprintf(sentence, sizeof sentence, "'%s' is not known%s", word, suggestion);
    for (size_t i = 0; i < count && suggestion[0] == '\0'; i++)
        nereus_append(sentence, sizeof sentence, "%s %s", i > 0 ? "," : ": it is none of",
                      member->words[i]);
    nereus_json_fail(r, member->key, "%s", sentence);
}

void nereus_json_read_object(struct nereus_json_reader *reader, const json_t *object,
                             const char *key, const struct nereus_json_table *table, void *values)
{
    const size_t mark = nereus_json_enter(reader, key);
    nereus_json_read_table(reader, json_object_get(object, key), table, values);
    nereus_json_leave(reader, mark);
}

static void read_named(struct nereus_json_reader *r, const json_t *object,
                       const struct nereus_json_member *member, char *target)
{
    const json_t *all = json_object_get(object, member->key);
    const size_t mark = nereus_json_enter(r, member->key);
    if (nereus_json_check(r, all, member->words, member->word_count, 0))
        for (size_t i = 0; i < member->word_count; i++)
            if (json_object_get(all, member->words[i]) != NULL)
                nereus_json_read_object(r, all, member->words[i], member->table,
                                        target + i * member->size);
    nereus_json_leave(r, mark);
}

static void read_list(struct nereus_json_reader *r, const json_t *object,
                      const struct nereus_json_member *member, void *target, int64_t *count)
{
    const json_t *list = nereus_json_read_array(r, object, member->key, SIZE_MAX);
    char *elements = calloc(json_array_size(list) + 1, member->size);
    memcpy(target, &elements, sizeof elements); /* a pointer of any type */
    if (!nereus_json_check_memory(r, elements))
        return;
    *count = (int64_t)json_array_size(list);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const size_t mark = nereus_json_enter_element(r, member->key, i);
        nereus_json_read_table(r, json_array_get(list, i), member->table,
                               elements + i * member->size);
        nereus_json_leave(r, mark);
    }
}

static void read_member(struct nereus_json_reader *r, const json_t *object,
                        const struct nereus_json_member *member, void *values)
{
    void *target = (char *)values + member->offset;
    if (json_object_get(object, member->key) == NULL) {
        if (member->flags & NEREUS_JSON_ELSE_NAN)
            *(double *)target = NAN;
        return;
    }
    switch (member->type) {
    case NEREUS_JSON_TYPE_TEXT:
        nereus_json_read_string(r, object, member->key, target, member->size);
        break;
    case NEREUS_JSON_TYPE_NUMBER:
        nereus_json_read_number(r, object, member->key, 0, target);
        break;
    case NEREUS_JSON_TYPE_INTEGER:
        nereus_json_read_integer(r, object, member->key, member->min, member->max, target);
        break;
    case NEREUS_JSON_TYPE_BOOLEAN:
        nereus_json_read_boolean(r, object, member->key, target);
        break;
    case NEREUS_JSON_TYPE_WORD:
        read_word(r, object, member, target);
        break;
    case NEREUS_JSON_TYPE_OBJECT:
        nereus_json_read_object(r, object, member->key, member->table, target);
        break;
    case NEREUS_JSON_TYPE_LIST:
        read_list(r, object, member, target, (int64_t *)((char *)values + member->count_offset));
        break;
    case NEREUS_JSON_TYPE_NAMED:
        read_named(r, object, member, target);
        break;
    case NEREUS_JSON_TYPE_ALWAYS:
        break;
    case NEREUS_JSON_TYPE_OWN:
        member->read(r, object, member, target);
        break;
    }
}

void nereus_json_read_members(struct nereus_json_reader *reader, const json_t *object,
                              const struct nereus_json_table *table, void *values)
{
    for (size_t i = 0; i < table->count && reader->status == NEREUS_OK; i++)
        read_member(reader, object, &table->members[i], values);
}

void nereus_json_read_table(struct nereus_json_reader *reader, const json_t *object,
                            const struct nereus_json_table *table, void *values)
{
    const char *keys[NEREUS_JSON_MEMBERS_MAX]; /* the needed ones first */
    size_t count = 0, needed = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < table->count; i++)
            if (((table->members[i].flags & NEREUS_JSON_NEEDED) == 0) == (pass == 1))
                keys[count++] = table->members[i].key;
        needed = pass == 0 ? count : needed;
    }
    if (!nereus_json_check(reader, object, keys, count, needed))
        return;
    nereus_json_read_members(reader, object, table, values);
    if (table->check != NULL && reader->status == NEREUS_OK)
        table->check(reader, object, values);
}

/* ---- writing ---- */

/* Repair a text before it is cut: U+FFFD is longer than the byte that it replaces. */
static json_t *make_text(const char *text, size_t size)
{
    char *repaired = nereus_text_repair(text), *fitting = malloc(size);
    json_t *json = repaired != NULL && fitting != NULL
                       ? nereus_json_text(nereus_text_copy(repaired, fitting, size))
                       : NULL;
    free(repaired);
    free(fitting);
    return json;
}

static bool is_empty(const struct nereus_json_member *member, const void *values);

static bool is_empty_object(const struct nereus_json_table *table, const void *values)
{
    return table->is_empty != NULL ? table->is_empty(values) : is_empty(&table->members[0], values);
}

static bool is_empty(const struct nereus_json_member *member, const void *values)
{
    const void *target = (const char *)values + member->offset;
    switch (member->type) {
    case NEREUS_JSON_TYPE_TEXT:
        return *(const char *)target == '\0';
    case NEREUS_JSON_TYPE_NUMBER:
        return !(*(const double *)target > 0);
    case NEREUS_JSON_TYPE_INTEGER:
        return *(const int64_t *)target <= (member->flags & NEREUS_JSON_UNLESS_1 ? 1 : 0);
    case NEREUS_JSON_TYPE_WORD:
        return *(const int *)target == 0;
    case NEREUS_JSON_TYPE_OBJECT:
        return is_empty_object(member->table, target);
    default:
        return false;
    }
}

static json_t *make_list(const struct nereus_json_member *member, const void *target, int64_t count)
{
    const char *elements;
    json_t *list = json_array();
    memcpy(&elements, target, sizeof elements);
    for (int64_t i = 0; i < count; i++)
        if (json_array_append_new(
                list, nereus_json_make_table(member->table, elements + (size_t)i * member->size)) !=
            0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *make_named(const struct nereus_json_member *member, const char *elements)
{
    json_t *object = json_object();
    for (size_t i = 0; i < member->word_count; i++) {
        const void *element = elements + i * member->size;
        if (!is_empty_object(member->table, element) &&
            nereus_json_set(object, member->words[i],
                            nereus_json_make_table(member->table, element)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

/* @return json_null(): not to be written; NULL: no memory */
static json_t *make_member(const struct nereus_json_member *member, const void *values)
{
    const void *target = (const char *)values + member->offset;
    if ((member->flags & (NEREUS_JSON_UNLESS_0 | NEREUS_JSON_UNLESS_1)) && is_empty(member, values))
        return json_null();
    switch (member->type) {
    case NEREUS_JSON_TYPE_TEXT:
        return make_text(target, member->size);
    case NEREUS_JSON_TYPE_NUMBER:
        return *(const double *)target >= 0 ? nereus_json_real(*(const double *)target)
                                            : json_null();
    case NEREUS_JSON_TYPE_INTEGER:
        return json_integer(*(const int64_t *)target);
    case NEREUS_JSON_TYPE_BOOLEAN:
        return json_boolean(*(const bool *)target);
    case NEREUS_JSON_TYPE_WORD:
        return nereus_json_text(member->words[*(const int *)target]);
    case NEREUS_JSON_TYPE_OBJECT:
        return nereus_json_make_table(member->table, target);
    case NEREUS_JSON_TYPE_LIST:
        return make_list(member, target,
                         *(const int64_t *)((const char *)values + member->count_offset));
    case NEREUS_JSON_TYPE_NAMED:
        return make_named(member, target);
    case NEREUS_JSON_TYPE_ALWAYS:
        return member->words != NULL ? nereus_json_text(member->words[0])
                                     : json_integer(member->min);
    case NEREUS_JSON_TYPE_OWN:
        return member->make(member, target);
    }
    return NULL;
}

json_t *nereus_json_make_table(const struct nereus_json_table *table, const void *values)
{
    json_t *object = json_object();
    for (size_t i = 0; i < table->count; i++) {
        json_t *value = make_member(&table->members[i], values);
        const bool unwanted =
            json_is_null(value) || ((table->members[i].flags & NEREUS_JSON_UNLESS_0) &&
                                    json_is_object(value) && json_object_size(value) == 0);
        if (unwanted) {
            json_decref(value);
        } else if (nereus_json_set(object, table->members[i].key, value) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}
