/** @file ini_keys.c  Reads INI files by a table of keys: section, type and range of each. */
#include "ini_keys.h"

#include "model/util/file.h"
#include "model/util/home.h"
#include "model/util/ini.h"
#include "model/util/suggest.h"
#include "model/util/values.h"

enum { LIST_TEXT = 320, HEADER_TEXT = 104, WORDS_MAX = NEREUS_INI_KEYS_MAX * NEREUS_INI_NAMES_MAX };

/* A section's header that the file had already. */
struct seen {
    int section, index, line;
    char name[HEADER_TEXT]; /* of [name NAME] */
};

struct reader {
    const struct nereus_ini_table *table;
    nereus_ini_begin *begin;
    void *user;
    int section;
    char header[HEADER_TEXT]; /* as the file has it */
    struct nereus_ini_storage storage;
    struct seen *seen;
    int seen_count;
};

/* ---- values ---- */

/* "compact (0) or spread (1)"; NEREUS_INI_TYPE_WORD: "compact or spread". */
static void list_choices(const struct nereus_ini_key *key, char text[LIST_TEXT])
{
    text[0] = '\0';
    for (const struct nereus_ini_choice *one = key->choices; one->name != NULL; one++) {
        const char *separator = one == key->choices ? "" : one[1].name != NULL ? ", " : " or ";
        nereus_append(text, LIST_TEXT, "%s%s", separator, one->name);
        if (key->type == NEREUS_INI_TYPE_CHOICE)
            nereus_append(text, LIST_TEXT, " (%lld)", (long long)one->number);
    }
}

/* "a number of bytes from 1 to 9, as 4096, 64MB or 64MiB" */
static void describe_values(const struct nereus_ini_key *key, char text[LIST_TEXT])
{
    static const struct {
        const char *what, *example;
    } types[] = {
        [NEREUS_INI_TYPE_INTEGER] = {"an integer", ""},
        [NEREUS_INI_TYPE_BYTES] = {"a number of bytes", ", as 4096, 64MB or 64MiB"},
        [NEREUS_INI_TYPE_REAL_BYTES] = {"a number of bytes", ", as 4096, 64MB or 64MiB"},
        [NEREUS_INI_TYPE_NUMBER] = {"a number", ""},
        [NEREUS_INI_TYPE_PERCENT] = {"a percentage", ""},
        [NEREUS_INI_TYPE_SECONDS] = {"a time", ", as 0.1, 100ms or 2h"},
        [NEREUS_INI_TYPE_TEXT] = {"a text", " characters"},
        [NEREUS_INI_TYPE_OWN] = {"", ""},
    };
    char min[32], max[32];
    if (key->choices != NULL) {
        list_choices(key, text);
        return;
    }
    nereus_format_real(key->min, min);
    nereus_format_real(key->max, max);
    const bool limited = isfinite(key->max);
    snprintf(text, LIST_TEXT, "%s %s %s%s%s%s", types[key->type].what,
             limited ? "from" : "of at least", min, limited ? " to " : "", limited ? max : "",
             types[key->type].example);
}

static enum nereus_status fail_value(const struct nereus_ini_key *key, const char *what,
                                     const char *value, struct nereus_error *err)
{
    const char *words[WORDS_MAX];
    char values[LIST_TEXT], suggestion[NEREUS_SUGGEST_TEXT];
    size_t count = 0;
    for (const struct nereus_ini_choice *one = key->choices; one != NULL && one->name; one++)
        words[count++] = one->name;
    describe_values(key, values);
    return nereus_fail(err, NEREUS_ERR_PARSE, "%s must be %s, not '%.160s'%s", what, values, value,
                       nereus_suggest_text(value, words, count, suggestion));
}

static enum nereus_status parse_number(enum nereus_ini_type type, const char *value, double *number)
{
    int64_t whole = 0;
    switch (type) {
    case NEREUS_INI_TYPE_SECONDS:
        return nereus_value_parse_seconds_or_0("", value, number, NULL);
    case NEREUS_INI_TYPE_BYTES:
    case NEREUS_INI_TYPE_REAL_BYTES:
        NEREUS_TRY(nereus_value_parse_real_bytes("", value, number, NULL));
        *number = floor(*number + 0.5); /* files of Proteo have fractions of a byte */
        return NEREUS_OK;
    case NEREUS_INI_TYPE_INTEGER:
        NEREUS_TRY(nereus_value_parse_integer("", value, INT64_MIN, &whole, NULL));
        *number = (double)whole;
        return NEREUS_OK;
    default:
        return nereus_value_parse_number("", value, number, NULL);
    }
}

static enum nereus_status store_number(const struct nereus_ini_key *key, const char *what,
                                       const char *value, void *member, struct nereus_error *err)
{
    double number = 0;
    if (parse_number(key->type, value, &number) != NEREUS_OK || number < key->min ||
        number > key->max)
        return fail_value(key, what, value, err);
    if (key->type == NEREUS_INI_TYPE_INTEGER || key->type == NEREUS_INI_TYPE_BYTES)
        *(int64_t *)member = (int64_t)number;
    else
        *(double *)member = key->type == NEREUS_INI_TYPE_PERCENT ? number / 100 : number;
    return NEREUS_OK;
}

static enum nereus_status store_choice(const struct nereus_ini_key *key, const char *what,
                                       const char *value, void *member, struct nereus_error *err)
{
    int64_t number;
    const bool is_number =
        key->type == NEREUS_INI_TYPE_CHOICE &&
        nereus_value_parse_integer("", value, INT64_MIN, &number, NULL) == NEREUS_OK;
    for (const struct nereus_ini_choice *one = key->choices; one->name != NULL; one++) {
        if (is_number ? one->number != number : !nereus_text_is_word(value, one->name))
            continue;
        if (key->type == NEREUS_INI_TYPE_CHOICE)
            *(int64_t *)member = one->number;
        else
            *(int *)member = (int)one->number;
        return NEREUS_OK;
    }
    return fail_value(key, what, value, err);
}

static enum nereus_status store_text(const struct nereus_ini_key *key, const char *what,
                                     const char *value, void *member, struct nereus_error *err)
{
    char *in_home = nereus_home_path(value); /* no shell has expanded it */
    const char *text = in_home != NULL ? in_home : value;
    const double length = (double)strlen(text);
    const bool fits = length >= key->min && length <= key->max;
    if (fits)
        strcpy(member, text);
    free(in_home);
    return fits ? NEREUS_OK : fail_value(key, what, value, err);
}

static enum nereus_status store_value(const struct nereus_ini_key *key, const char *what,
                                      const char *value, void *values, struct nereus_error *err)
{
    void *member = (char *)values + key->offset;
    if (key->type == NEREUS_INI_TYPE_OWN)
        return key->parse(what, value, member, err);
    if (key->choices != NULL)
        return store_choice(key, what, value, member, err);
    return key->type == NEREUS_INI_TYPE_TEXT ? store_text(key, what, value, member, err)
                                             : store_number(key, what, value, member, err);
}

/* ---- sections ---- */

/* The header of a section in messages: "general", "stage0", "class NAME". */
static void format_header(const struct nereus_ini_section *section, const char *name,
                          char text[HEADER_TEXT])
{
    snprintf(text, HEADER_TEXT, "%s%s", name,
             section->max == NEREUS_INI_NAMED ? " NAME"
             : section->max > 0               ? "0"
                                              : "");
}

/* "[general], [stage0] or [group0]" */
static void list_sections(const struct nereus_ini_table *table, char text[LIST_TEXT])
{
    char header[HEADER_TEXT];
    text[0] = '\0';
    for (int s = 0; s < table->section_count; s++) {
        format_header(&table->sections[s], table->sections[s].name, header);
        nereus_append(text, LIST_TEXT, "%s[%s]",
                      s == 0                         ? ""
                      : s + 1 < table->section_count ? ", "
                                                     : " or ",
                      header);
    }
}

/* @return the number or name in a header, "" of a section without; NULL: another section */
static const char *match_header(const struct nereus_ini_section *section, const char *name,
                                const char *header)
{
    if (name == NULL || !nereus_text_begins_with_word(header, name))
        return NULL;
    const char *rest = header + strlen(name);
    const size_t digits = strspn(rest, "0123456789"), blanks = strspn(rest, " ");
    if (section->max == NEREUS_INI_NAMED)
        return blanks > 0 ? rest + blanks : NULL;
    return rest[digits] == '\0' && (digits > 0) == (section->max > 0) ? rest : NULL;
}

static enum nereus_status fail_unknown_section(const struct nereus_ini_table *table,
                                               const char *header, struct nereus_error *err)
{
    char headers[NEREUS_INI_KEYS_MAX][HEADER_TEXT], all[LIST_TEXT], suggestion[NEREUS_SUGGEST_TEXT];
    const char *words[NEREUS_INI_KEYS_MAX];
    size_t count = 0;
    for (int s = 0; s < table->section_count; s++) {
        const char *const names[] = {table->sections[s].name, table->sections[s].other_name};
        for (int i = 0; i < 2 && names[i] != NULL; i++) {
            format_header(&table->sections[s], names[i], headers[count]);
            words[count] = headers[count];
            count++;
        }
    }
    list_sections(table, all);
    nereus_suggest_text(header, words, count, suggestion);
    return nereus_fail(err, NEREUS_ERR_PARSE, "unknown section [%.160s]%s%s%s", header, suggestion,
                       suggestion[0] != '\0' ? "" : "; a section reads ",
                       suggestion[0] != '\0' ? "" : all);
}

/* Refuse a section that is given already, also by its other name. */
static enum nereus_status check_first(struct reader *r, const struct nereus_ini_header *at,
                                      struct nereus_error *err)
{
    struct seen now = {at->section, at->index, at->line, ""};
    if (r->table->sections[at->section].max == NEREUS_INI_NAMED)
        snprintf(now.name, sizeof now.name, "%s", at->name);
    for (int i = 0; i < r->seen_count; i++)
        if (r->seen[i].section == now.section && r->seen[i].index == now.index &&
            strcmp(r->seen[i].name, now.name) == 0)
            return nereus_fail(err, NEREUS_ERR_PARSE, "[%.160s] is given already in line %d",
                               r->header, r->seen[i].line);
    NEREUS_TRY_GROW(r->seen, r->seen_count, err, "for the sections of a file");
    r->seen[r->seen_count++] = now;
    return NEREUS_OK;
}

static enum nereus_status begin_section(void *user, const char *header, int line,
                                        struct nereus_error *err)
{
    struct reader *r = user;
    for (int s = 0; s < r->table->section_count; s++) {
        const struct nereus_ini_section *section = &r->table->sections[s];
        const char *rest = match_header(section, section->name, header);
        if (rest == NULL)
            rest = match_header(section, section->other_name, header);
        if (rest == NULL)
            continue;
        const long index = section->max > 0 ? strtol(rest, NULL, 10) : 0;
        if (index > 0 && index >= section->max)
            return nereus_fail(err, NEREUS_ERR_PARSE, "[%.160s]: at most [%.*s%d]", header,
                               (int)(rest - header), header, section->max - 1);
        r->section = s;
        snprintf(r->header, sizeof r->header, "%s", header);
        const struct nereus_ini_header at = {s, rest, (int)index, line};
        NEREUS_TRY(check_first(r, &at, err));
        return r->begin(r->user, &at, &r->storage, err);
    }
    return fail_unknown_section(r->table, header, err);
}

/* ---- keys ---- */

int nereus_ini_keys_find(const struct nereus_ini_table *table, int section, const char *name)
{
    for (int k = 0; k < table->key_count; k++)
        for (int i = 0; i < NEREUS_INI_NAMES_MAX && table->keys[k].names[i] != NULL; i++)
            if (table->keys[k].section == section &&
                nereus_text_is_word(name, table->keys[k].names[i]))
                return k;
    return -1;
}

static enum nereus_status fail_unknown_key(const struct reader *r, const char *name,
                                           struct nereus_error *err)
{
    const char *words[WORDS_MAX];
    char all[LIST_TEXT] = "", suggestion[NEREUS_SUGGEST_TEXT], header[HEADER_TEXT];
    size_t count = 0;
    for (int k = 0; k < r->table->key_count; k++) {
        const struct nereus_ini_key *key = &r->table->keys[k];
        if (key->section != r->section)
            continue;
        nereus_append(all, sizeof all, "%s%s", count > 0 ? ", " : "", key->names[0]);
        for (int i = 0; i < NEREUS_INI_NAMES_MAX && key->names[i] != NULL; i++)
            words[count++] = key->names[i];
    }
    nereus_suggest_text(name, words, count, suggestion);
    for (int s = 0; s < r->table->section_count && suggestion[0] == '\0'; s++) {
        if (nereus_ini_keys_find(r->table, s, name) < 0)
            continue;
        format_header(&r->table->sections[s], r->table->sections[s].name, header);
        return nereus_fail(err, NEREUS_ERR_PARSE, "'%.160s' is a key of [%s], not of [%.100s]",
                           name, header, r->header);
    }
    return nereus_fail(err, NEREUS_ERR_PARSE, "unknown key '%.60s' in [%.100s]%s%s", name,
                       r->header, suggestion[0] != '\0' ? suggestion : ", which has ",
                       suggestion[0] != '\0' ? "" : all);
}

static enum nereus_status read_key(void *user, const char *name, const char *value, int line,
                                   struct nereus_error *err)
{
    struct reader *r = user;
    char what[160];
    const int k = nereus_ini_keys_find(r->table, r->section, name);
    if (k < 0)
        return fail_unknown_key(r, name, err);
    int *key_line = &r->storage.lines[k];
    if (*key_line != 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "'%s' in [%s] is given already in line %d", name,
                           r->header, *key_line);
    *key_line = line;
    snprintf(what, sizeof what, "%s in [%s]", name, r->header);
    return store_value(&r->table->keys[k], what, value, r->storage.values, err);
}

enum nereus_status nereus_ini_keys_read(const char *file, const char *text,
                                        const struct nereus_ini_table *table,
                                        nereus_ini_begin *begin, void *user,
                                        struct nereus_error *err)
{
    char sections[LIST_TEXT];
    list_sections(table, sections);
    const struct nereus_ini_handler handler = {sections, begin_section, read_key};
    struct reader r = {.table = table, .begin = begin, .user = user};
    const enum nereus_status status = nereus_ini_read(file, text, &handler, &r, err);
    free(r.seen);
    return status;
}

enum nereus_status nereus_ini_keys_read_file(const char *path, const char *what,
                                             const struct nereus_ini_table *table,
                                             nereus_ini_begin *begin, void *user,
                                             struct nereus_error *err)
{
    char *text;
    NEREUS_TRY(nereus_file_read(path, what, &text, NULL, err));
    const enum nereus_status status = nereus_ini_keys_read(path, text, table, begin, user, err);
    free(text);
    return status;
}

enum nereus_status nereus_ini_keys_set_defaults(const struct nereus_ini_table *table, int section,
                                                void *values)
{
    enum nereus_status first = NEREUS_OK;
    for (int k = 0; k < table->key_count; k++) {
        const struct nereus_ini_key *key = &table->keys[k];
        if (key->section != section || key->default_value == NULL)
            continue;
        const enum nereus_status status = store_value(key, "", key->default_value, values, NULL);
        first = first == NEREUS_OK ? status : first;
    }
    return first;
}

/* ---- help ---- */

static void print_key(const struct nereus_ini_key *key, FILE *stream)
{
    char values[LIST_TEXT];
    const char *default_text = nereus_ini_key_default(key);
    describe_values(key, values);
    fprintf(stream, "  %s", key->names[0]);
    for (int i = 1; i < NEREUS_INI_NAMES_MAX && key->names[i] != NULL; i++)
        fprintf(stream, "%s%s", i == 1 ? ", also " : ", ", key->names[i]);
    const bool is_text = key->type == NEREUS_INI_TYPE_TEXT || key->type == NEREUS_INI_TYPE_OWN;
    const size_t article = key->choices != NULL ? 0 : strcspn(values, " ") + 1;
    fprintf(stream, "\n      %s\n      %s%s%s\n", key->help, is_text ? "text" : values + article,
            default_text != NULL ? "; default: " : "", default_text != NULL ? default_text : "");
}

void nereus_ini_keys_print(const struct nereus_ini_table *table, FILE *stream)
{
    for (int s = 0; s < table->section_count; s++) {
        const struct nereus_ini_section *section = &table->sections[s];
        char header[HEADER_TEXT];
        format_header(section, section->name, header);
        fprintf(stream, "%s[%s]", s > 0 ? "\n" : "", header);
        if (section->max > 0)
            fprintf(stream, ", [%s1], ...", section->name);
        if (section->other_name != NULL)
            fprintf(stream, " (also [%s0], ...)", section->other_name);
        fputc('\n', stream);
        for (int k = 0; k < table->key_count; k++)
            if (table->keys[k].section == s)
                print_key(&table->keys[k], stream);
    }
}
