/** @file reader.c  Stores sections and keys of a configuration, which model/util/ini.h parses. */
#include "reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/util/arith.h"
#include "model/util/ini.h"
#include "model/util/suggest.h"

struct reader {
    enum sam_section section;
    const char *prefix; /* of the section's name, as the file has it */
    int index;          /* N of [stageN], [groupN] or [resizeN] */
    struct sam_config *config;
    struct sam_lines *lines;
};

static void describe_section(const struct reader *r, char *text, size_t size)
{
    if (r->section == SAM_GENERAL)
        snprintf(text, size, "[general]");
    else
        snprintf(text, size, "[%s%d]", r->prefix, r->index);
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
enum { SECTION_KINDS = NEREUS_COUNT_OF(section_kinds) };

static enum nereus_status fail_unknown_section(const char *name, struct nereus_error *err)
{
    size_t letters = strlen(name);
    while (letters > 0 && isdigit((unsigned char)name[letters - 1]))
        letters--;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(letters < 60 ? letters : 60), name);
    const char *known_words[SECTION_KINDS];
    for (int i = 0; i < SECTION_KINDS; i++)
        known_words[i] = section_kinds[i].prefix;
    const char *suggestion = nereus_suggest(word, known_words, SECTION_KINDS);
    if (suggestion) {
        const char *number = name[letters] ? name + letters : "0";
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "unknown section [%.160s]; did you mean [%s%.10s]?", name, suggestion,
                           strcmp(suggestion, "general") == 0 ? "" : number);
    }
    return nereus_fail(
        err, NEREUS_ERR_PARSE,
        "unknown section [%.160s]; sections are [general], [stage0], ... and [group0], ...", name);
}

static enum nereus_status enter_section(void *user, const char *name, int line,
                                        struct nereus_error *err)
{
    struct reader *r = user;
    for (int i = 0; i < SECTION_KINDS; i++) {
        size_t length = strlen(section_kinds[i].prefix);
        if (strncasecmp(name, section_kinds[i].prefix, length) != 0)
            continue;
        const char *number = name + length;
        size_t digits = strspn(number, "0123456789");
        if (number[digits] || (section_kinds[i].count == 0) != (digits == 0))
            continue;
        long index = strtol(number, NULL, 10);
        if (digits > 0 && index >= section_kinds[i].count) {
            return nereus_fail(err, NEREUS_ERR_PARSE, "[%.160s]: at most [%s%d]", name,
                               section_kinds[i].prefix, section_kinds[i].count - 1);
        }
        r->section = section_kinds[i].section;
        r->prefix = section_kinds[i].prefix;
        r->index = (int)index;
        if (r->section == SAM_STAGE && !r->lines->stage_header[index])
            r->lines->stage_header[index] = line;
        else if (r->section == SAM_GROUP && !r->lines->group_header[index])
            r->lines->group_header[index] = line;
        return NEREUS_OK;
    }
    return fail_unknown_section(name, err);
}

static enum nereus_status fail_unknown_key(const struct reader *r, const char *name,
                                           struct nereus_error *err)
{
    char where[64];
    describe_section(r, where, sizeof where);
    const char *suggestion = sam_key_suggest(r->section, name);
    if (suggestion) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "unknown key '%.160s' in %s; did you mean '%s'?",
                           name, where, suggestion);
    }
    for (int other = 0; other < SAM_SECTION_COUNT; other++) {
        if (sam_key_find((enum sam_section)other, name) != SAM_KEY_COUNT) {
            return nereus_fail(
                err, NEREUS_ERR_PARSE, "'%.160s' belongs in a section [%s%s], not in %s", name,
                sam_section_name((enum sam_section)other), other == SAM_GENERAL ? "" : "N", where);
        }
    }
    return nereus_fail(err, NEREUS_ERR_PARSE,
                       "unknown key '%.160s' in %s; nereus-sam --keys lists them", name, where);
}

/* The struct that holds the present section's values, and where the key's line is noted. */
static void *find_section_struct(struct reader *r, enum sam_key_id id, int **line)
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

static enum nereus_status store_value(void *user, const char *name, const char *value,
                                      int line_number, struct nereus_error *err)
{
    struct reader *r = user;
    char where[64];
    describe_section(r, where, sizeof where);
    enum sam_key_id id = sam_key_find(r->section, name);
    if (id == SAM_KEY_COUNT)
        return fail_unknown_key(r, name, err);
    int *line;
    void *place = find_section_struct(r, id, &line);
    if (*line) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "'%.160s' in %s is given already in line %d",
                           name, where, *line);
    }
    *line = line_number;
    struct nereus_error reason;
    enum nereus_status status = sam_key_set(id, value, place, &reason);
    return status == NEREUS_OK
               ? NEREUS_OK
               : nereus_fail(err, status, "%.160s in %s %.380s", name, where, reason.text);
}

enum nereus_status sam_ini_read(const char *file, const char *text, struct sam_config *config,
                                struct sam_lines *lines, struct nereus_error *err)
{
    static const struct nereus_ini_handler handler = {"[general], [stage0] or [group0]",
                                                      enter_section, store_value};
    struct reader r = {.config = config, .lines = lines};
    return nereus_ini_read(file, text, &handler, &r, err);
}
