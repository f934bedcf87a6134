/** @file keys.c  Reads INI files by a table that has the section, type and range of each key. */
#include "keys.h"

#include "model/layout/host_list.h"
#include "model/util/file.h"
#include "model/util/ini.h"
#include "model/util/suggest.h"
#include "model/util/values.h"

enum { KEYS_MAX = 64, HEADERS_MAX = 64 };

struct reading {
    const struct nereus_key_file *file;
    char header[128];    /* header of the present section */
    size_t word;         /* length of the header's first word */
    void *place;         /* struct that takes the section's values */
    int lines[KEYS_MAX]; /* line of each key; 0: not given yet */
    int header_count;
    char headers[HEADERS_MAX][128];
};

static bool is_section(const struct reading *r, const char *section)
{
    return strncmp(section, r->header, r->word) == 0 &&
           (section[r->word] == '\0') == (r->header[r->word] == '\0') &&
           (section[r->word] == '\0' || section[r->word] == ' ');
}

static enum nereus_status record_header(struct reading *r, struct nereus_error *err)
{
    for (int i = 0; i < r->header_count; i++)
        if (strcmp(r->headers[i], r->header) == 0)
            return nereus_fail(err, NEREUS_ERR_PARSE, "[%.160s] is given already", r->header);
    if (r->header_count == HEADERS_MAX)
        return nereus_fail(err, NEREUS_ERR_PARSE, "more than %d sections", HEADERS_MAX);
    strcpy(r->headers[r->header_count++], r->header);
    return NEREUS_OK;
}

static enum nereus_status begin_section(void *user, const char *name, int line,
                                        struct nereus_error *err)
{
    struct reading *r = user;
    bool known = false;
    (void)line;
    snprintf(r->header, sizeof r->header, "%s", name);
    r->word = strcspn(r->header, " ");
    for (const struct nereus_key *key = r->file->keys; key->section != NULL; key++)
        known = known || is_section(r, key->section);
    if (!known)
        return nereus_fail(err, NEREUS_ERR_PARSE, "unknown section [%.160s]; a section reads %s",
                           name, r->file->sections);
    NEREUS_TRY(record_header(r, err));
    memset(r->lines, 0, sizeof r->lines);
    const size_t blanks = strspn(r->header + r->word, " ");
    char word[128];
    snprintf(word, sizeof word, "%.*s", (int)r->word, r->header);
    r->place = r->file->begin(r->file->user, word, r->header + r->word + blanks, err);
    return r->place != NULL ? NEREUS_OK : err->status;
}

static enum nereus_status check_range(const struct nereus_key *key, const char *what, double value,
                                      struct nereus_error *err)
{
    char min[32], max[32];
    if (key->type == NEREUS_KEY_PERCENT_BELOW && value >= key->max) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be below %s percent", what,
                           nereus_format_real(key->max, max));
    }
    if (value < key->min || (key->max > 0 && value > key->max)) {
        return key->max > 0 ? nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be %s to %s", what,
                                          nereus_format_real(key->min, min),
                                          nereus_format_real(key->max, max))
                            : nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must be at least %s", what,
                                          nereus_format_real(key->min, min));
    }
    return NEREUS_OK;
}

static enum nereus_status read_real(const struct nereus_key *key, const char *what,
                                    const char *value, double *real, struct nereus_error *err)
{
    int64_t bytes = 0;
    if (key->type == NEREUS_KEY_BYTES) {
        NEREUS_TRY(nereus_value_parse_bytes(what, value, &bytes, err));
        *real = (double)bytes;
    } else if (key->type == NEREUS_KEY_SECONDS) {
        NEREUS_TRY(nereus_value_parse_seconds_or_0(what, value, real, err));
    } else {
        NEREUS_TRY(nereus_value_parse_number(what, value, real, err));
    }
    NEREUS_TRY(check_range(key, what, *real, err));
    if (key->type == NEREUS_KEY_PERCENT || key->type == NEREUS_KEY_PERCENT_BELOW)
        *real /= 100;
    return NEREUS_OK;
}

static enum nereus_status parse_word(const struct nereus_key *key, const char *what,
                                     const char *value, int *word, struct nereus_error *err)
{
    char suggestion[NEREUS_SUGGEST_TEXT], all_words[256] = "";
    const size_t found = nereus_word_index(value, key->words, (size_t)key->word_count);
    if (found < (size_t)key->word_count) {
        *word = (int)found;
        return NEREUS_OK;
    }
    for (int i = 0; i < key->word_count; i++) {
        const size_t length = strlen(all_words);
        snprintf(all_words + length, sizeof all_words - length, "%s%s", i > 0 ? ", " : "",
                 key->words[i]);
    }
    return nereus_fail(err, NEREUS_ERR_PARSE, "%s is '%.160s', not one of %s%s", what, value,
                       all_words,
                       nereus_suggest_text(value, key->words, (size_t)key->word_count, suggestion));
}

static enum nereus_status copy_text(const char *what, const char *value, char *text,
                                    struct nereus_error *err)
{
    if (strlen(value) >= NEREUS_POLICY_PATH_MAX)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s has more than %d characters", what,
                           NEREUS_POLICY_PATH_MAX - 1);
    strcpy(text, value);
    return NEREUS_OK;
}

static enum nereus_status write_host(void *user, const char *name, struct nereus_error *err)
{
    if (strlen(name) >= NEREUS_NODE_NAME_MAX)
        return nereus_fail(err, NEREUS_ERR_PARSE, "the name '%.160s' is longer than %d characters",
                           name, NEREUS_NODE_NAME_MAX - 1);
    fprintf(user, "%s,", name);
    return NEREUS_OK;
}

/* Read lists with ranges, separated by blanks; each may end with a comma. */
static enum nereus_status parse_hosts(const char *what, const char *value, char **hosts,
                                      struct nereus_error *err)
{
    static const char between[] = " ,";
    char one[256], *text = NULL;
    size_t size;
    FILE *names = open_memstream(&text, &size);
    enum nereus_status status = NEREUS_OK;
    NEREUS_TRY_MEMORY(names, err, "for the names of hosts");
    for (const char *position = value + strspn(value, between);
         *position != '\0' && status == NEREUS_OK; position += strspn(position, between)) {
        const size_t length = strcspn(position, " ");
        size_t end = length;
        while (end > 0 && position[end - 1] == ',')
            end--;
        snprintf(one, sizeof one, "%.*s", (int)end, position);
        status = nereus_host_list_visit(one, what, write_host, names, err);
        position += length;
    }
    if (fclose(names) != 0 && status == NEREUS_OK)
        status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the names of hosts");
    if (status == NEREUS_OK)
        *hosts = text;
    else
        free(text);
    return status;
}

static enum nereus_status store_value(const struct nereus_key *key, const char *what,
                                      const char *value, void *place, struct nereus_error *err)
{
    void *member = (char *)place + key->offset;
    if (key->type == NEREUS_KEY_WORD)
        return parse_word(key, what, value, member, err);
    if (key->type == NEREUS_KEY_TEXT)
        return copy_text(what, value, member, err);
    if (key->type == NEREUS_KEY_HOSTS)
        return parse_hosts(what, value, member, err);
    if (key->type == NEREUS_KEY_INTEGER) {
        int64_t integer;
        NEREUS_TRY(nereus_value_parse_integer(what, value, (int64_t)key->min, &integer, err));
        NEREUS_TRY(check_range(key, what, (double)integer, err));
        *(int64_t *)member = integer;
        return NEREUS_OK;
    }
    return read_real(key, what, value, member, err);
}

static enum nereus_status fail_unknown_key(const struct reading *r, const char *name,
                                           struct nereus_error *err)
{
    const char *known_words[KEYS_MAX];
    char suggestion[NEREUS_SUGGEST_TEXT], all_words[256] = "";
    size_t count = 0;
    for (const struct nereus_key *key = r->file->keys; key->section != NULL; key++) {
        if (!is_section(r, key->section))
            continue;
        const size_t length = strlen(all_words);
        snprintf(all_words + length, sizeof all_words - length, "%s%s", count > 0 ? ", " : "",
                 key->name);
        known_words[count++] = key->name;
    }
    return nereus_fail(err, NEREUS_ERR_PARSE, "unknown key '%.160s' in [%.160s]%s (it has %s)",
                       name, r->header, nereus_suggest_text(name, known_words, count, suggestion),
                       all_words);
}

static enum nereus_status parse_key(void *user, const char *name, const char *value, int line,
                                    struct nereus_error *err)
{
    struct reading *r = user;
    char what[160];
    for (int i = 0; r->file->keys[i].section != NULL; i++) {
        const struct nereus_key *key = &r->file->keys[i];
        if (!is_section(r, key->section) || strcmp(key->name, name) != 0)
            continue;
        if (r->lines[i] != 0)
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "'%s' in [%.160s] is given already in line %d", name, r->header,
                               r->lines[i]);
        r->lines[i] = line;
        snprintf(what, sizeof what, "%.40s in [%.80s]", name, r->header);
        return store_value(key, what, value, r->place, err);
    }
    return fail_unknown_key(r, name, err);
}

enum nereus_status nereus_keys_read(const char *path, const struct nereus_key_file *file,
                                    struct nereus_error *err)
{
    const struct nereus_ini_handler handler = {file->sections, begin_section, parse_key};
    struct reading *r = calloc(1, sizeof *r);
    char *text;
    NEREUS_TRY_MEMORY(r, err, "to read %s", path);
    r->file = file;
    enum nereus_status status = nereus_file_read(path, file->what, &text, NULL, err);
    if (status == NEREUS_OK) {
        status = nereus_ini_read(path, text, &handler, r, err);
        free(text);
    }
    free(r);
    return status;
}
