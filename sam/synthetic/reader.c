/*
 * Feeds the lines of a text to inih and stores the values in the configuration.
 *
 * Lines are fed here because inih gives its handler no line numbers, skips sections without keys,
 * takes an indented line for a continuation and truncates long lines silently.
 */
#include "reader.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <ini.h>

#include "model/util/suggest.h"

struct reader {
    const char *file;
    const char *cursor; /* the next line */
    int line;           /* the present one */
    bool failed;        /* err is set: stop reading */
    bool in_section;
    enum sam_section section;
    int index; /* N of [stageN] or [groupN] */
    struct sam_config *config;
    struct sam_lines *lines;
    struct nereus_error *err;
};

static void fail(struct reader *r, enum nereus_status status, const char *what)
{
    nereus_fail(r->err, status, "%.200s:%d: %s", r->file, r->line, what);
    r->failed = true;
}

static void describe_section(const struct reader *r, char *text, size_t size)
{
    if (r->section == SAM_GENERAL) {
        snprintf(text, size, "[general]");
    } else {
        snprintf(text, size, "[%s%d]", sam_section_name(r->section), r->index);
    }
}

static const struct {
    const char *prefix;
    enum sam_section section;
    int count; /* most sections of this kind; 0: one, without number */
} section_kinds[] = {
    {"general", SAM_GENERAL, 0},
    {"stage", SAM_STAGE, SAM_STAGES_MAX},
    {"group", SAM_GROUP, SAM_GROUPS_MAX},
    {"resize", SAM_GROUP, SAM_GROUPS_MAX},
};
enum { SECTION_KINDS = sizeof section_kinds / sizeof section_kinds[0] };

static void unknown_section(struct reader *r, const char *name)
{
    size_t letters = strlen(name);
    while (letters > 0 && isdigit((unsigned char)name[letters - 1])) {
        letters--;
    }
    char word[64], what[256];
    snprintf(word, sizeof word, "%.*s", (int)(letters < 60 ? letters : 60), name);
    const char *known[SECTION_KINDS];
    for (int i = 0; i < SECTION_KINDS; i++) {
        known[i] = section_kinds[i].prefix;
    }
    const char *near = nereus_suggest(word, known, SECTION_KINDS);
    if (near) {
        const char *number = name[letters] ? name + letters : "0";
        snprintf(what, sizeof what, "unknown section [%.60s]; did you mean [%s%.10s]?", name, near,
                 strcmp(near, "general") == 0 ? "" : number);
    } else {
        snprintf(what, sizeof what,
                 "unknown section [%.60s]; sections are [general], [stage0], ... and [group0], ...",
                 name);
    }
    fail(r, NEREUS_ERR_PARSE, what);
}

static void enter_section(struct reader *r, const char *name)
{
    for (int i = 0; i < SECTION_KINDS; i++) {
        size_t length = strlen(section_kinds[i].prefix);
        if (strncasecmp(name, section_kinds[i].prefix, length) != 0) {
            continue;
        }
        const char *number = name + length;
        size_t digits = strspn(number, "0123456789");
        if (number[digits] || (section_kinds[i].count == 0) != (digits == 0)) {
            continue;
        }
        long index = strtol(number, NULL, 10);
        if (digits > 0 && index >= section_kinds[i].count) {
            char what[128];
            snprintf(what, sizeof what, "[%.60s]: at most [%s%d]", name, section_kinds[i].prefix,
                     section_kinds[i].count - 1);
            fail(r, NEREUS_ERR_PARSE, what);
            return;
        }
        r->in_section = true;
        r->section = section_kinds[i].section;
        r->index = (int)index;
        if (r->section == SAM_STAGE && !r->lines->stage_header[index]) {
            r->lines->stage_header[index] = r->line;
        } else if (r->section == SAM_GROUP && !r->lines->group_header[index]) {
            r->lines->group_header[index] = r->line;
        }
        return;
    }
    unknown_section(r, name);
}

/* Process a section header before inih. */
static void note_header(struct reader *r, const char *line)
{
    const char *end = strchr(line, ']');
    if (!end) {
        fail(r, NEREUS_ERR_PARSE,
             "'[' without ']': a section reads [general], [stage0] or [group0]");
        return;
    }
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)(end - line - 1 < 100 ? end - line - 1 : 100),
             line + 1);
    enter_section(r, name);
}

/* An ini_reader: the next line without its indentation and without a comment that begins with "
 * #". */
static char *next_line(char *out, int size, void *stream)
{
    struct reader *r = stream;
    if (r->failed || !*r->cursor) {
        return NULL;
    }
    r->line++;
    const char *begin = r->cursor;
    size_t length = strcspn(begin, "\n");
    r->cursor += length + (begin[length] == '\n');
    while (length > 0 && (*begin == ' ' || *begin == '\t')) {
        begin++;
        length--;
    }
    for (size_t i = 1; i < length; i++) {
        if (begin[i] == '#' && isspace((unsigned char)begin[i - 1])) {
            length = i;
        }
    }
    if (length + 3 > (size_t)size) {
        char what[96];
        snprintf(what, sizeof what, "the line has %zu characters; at most %d are read", length,
                 size - 3);
        fail(r, NEREUS_ERR_PARSE, what);
        return NULL;
    }
    memcpy(out, begin, length);
    out[length] = '\n';
    out[length + 1] = '\0';
    if (out[0] == '[') {
        note_header(r, out);
    }
    return r->failed ? NULL : out;
}

static void unknown_key(struct reader *r, const char *name)
{
    char where[64], what[256];
    describe_section(r, where, sizeof where);
    const char *near = sam_key_suggest(r->section, name);
    if (near) {
        snprintf(what, sizeof what, "unknown key '%.60s' in %s; did you mean '%s'?", name, where,
                 near);
        fail(r, NEREUS_ERR_PARSE, what);
        return;
    }
    for (int other = 0; other < SAM_SECTION_COUNT; other++) {
        if (sam_key_find((enum sam_section)other, name) != SAM_KEY_COUNT) {
            snprintf(what, sizeof what, "'%.60s' belongs in a section [%s%s], not in %s", name,
                     sam_section_name((enum sam_section)other), other == SAM_GENERAL ? "" : "N",
                     where);
            fail(r, NEREUS_ERR_PARSE, what);
            return;
        }
    }
    snprintf(what, sizeof what, "unknown key '%.60s' in %s; nereus-sam --keys lists them", name,
             where);
    fail(r, NEREUS_ERR_PARSE, what);
}

/* The struct that holds the present section's values, and where the key's line is noted. */
static void *section_place(struct reader *r, enum sam_key_id id, int **line)
{
    switch (r->section) {
    case SAM_STAGE:
        *line = &r->lines->stage[r->index][id];
        return &r->config->stages[r->index];
    case SAM_GROUP:
        *line = &r->lines->group[r->index][id];
        return &r->config->groups[r->index];
    default:
        *line = &r->lines->general[id];
        return r->config;
    }
}

static int take_value(void *user, const char *ignored, const char *name, const char *value)
{
    (void)ignored; /* inih truncates section names: r->section is used */
    struct reader *r = user;
    if (r->failed) {
        return 0;
    }
    char where[64], what[512];
    if (!r->in_section) {
        snprintf(what, sizeof what, "'%.60s' stands before any [section]", name);
        fail(r, NEREUS_ERR_PARSE, what);
        return 0;
    }
    describe_section(r, where, sizeof where);
    enum sam_key_id id = sam_key_find(r->section, name);
    if (id == SAM_KEY_COUNT) {
        unknown_key(r, name);
        return 0;
    }
    int *line;
    void *place = section_place(r, id, &line);
    if (*line) {
        snprintf(what, sizeof what, "'%.60s' in %s is given already in line %d", name, where,
                 *line);
        fail(r, NEREUS_ERR_PARSE, what);
        return 0;
    }
    *line = r->line;
    struct nereus_error reason;
    enum nereus_status status = sam_key_set(id, value, place, &reason);
    if (status != NEREUS_OK) {
        snprintf(what, sizeof what, "%.60s in %s %.380s", name, where, reason.text);
        fail(r, status, what);
        return 0;
    }
    return 1;
}

enum nereus_status sam_ini_read(const char *file, const char *text, struct sam_config *config,
                                struct sam_lines *lines, struct nereus_error *err)
{
    struct nereus_error mine = {NEREUS_OK, ""};
    struct reader r = {
        .file = file, .cursor = text, .config = config, .lines = lines, .err = err ? err : &mine};
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) {
        r.cursor += 3; /* a byte order mark */
    }
    int bad_line = ini_parse_stream(next_line, &r, take_value, &r);
    if (bad_line > 0 && (!r.failed || bad_line < r.line)) {
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%.200s:%d: neither 'key = value' nor '[section]' nor a comment (# or ;)", file,
            bad_line);
    }
    if (bad_line < 0 && !r.failed) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "%.200s: no memory to read it", file);
    }
    return r.failed ? r.err->status : NEREUS_OK;
}
