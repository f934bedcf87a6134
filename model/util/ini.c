/** @file ini.c  Splits the lines of an INI text into headers, keys and values. */
#include "ini.h"

#include <ctype.h>

struct reader {
    const struct nereus_ini_handler *handler;
    void *user;
    bool in_section;
};

static char *trim_blanks(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

static void cut_comment(char *line)
{
    char *c = line;
    while (*c != '\0' &&
           !((*c == '#' || *c == ';') && (c == line || isspace((unsigned char)c[-1]))))
        c++;
    *c = '\0';
}

static enum nereus_status read_header(struct reader *r, char *line, int number,
                                      struct nereus_error *err)
{
    char *end = strchr(line, ']');
    if (end == NULL)
        return nereus_fail(err, NEREUS_ERR_PARSE, "'[' without ']': a section reads %s",
                           r->handler->sections);
    if (end[1] != '\0' && end[1] != '#' && end[1] != ';')
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "'%.160s' stands behind %.*s: it needs a line of its own",
                           trim_blanks(end + 1), (int)(end + 1 - line), line);
    *end = '\0';
    r->in_section = true;
    return r->handler->section(r->user, line + 1, number, err);
}

static enum nereus_status read_line(struct reader *r, char *line, int number,
                                    struct nereus_error *err)
{
    cut_comment(line);
    line = trim_blanks(line);
    if (line[0] == '\0')
        return NEREUS_OK;
    if (line[0] == '[')
        return read_header(r, line, number, err);
    char *end = strpbrk(line, "=:");
    if (end == NULL)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "neither 'key = value' nor '[section]' nor a comment (# or ;)");
    *end = '\0';
    const char *key = trim_blanks(line);
    return r->in_section
               ? r->handler->value(r->user, key, trim_blanks(end + 1), number, err)
               : nereus_fail(err, NEREUS_ERR_PARSE, "'%.160s' stands before any [section]", key);
}

enum nereus_status nereus_ini_read(const char *file, const char *text,
                                   const struct nereus_ini_handler *handler, void *user,
                                   struct nereus_error *err)
{
    struct reader r = {.handler = handler, .user = user};
    enum nereus_status status = NEREUS_OK;
    char *copy = strdup(text), *rest = copy, *line;
    NEREUS_TRY_MEMORY(copy, err, "to read %.200s", file);
    for (int number = 1; status == NEREUS_OK && (line = strsep(&rest, "\n")) != NULL; number++) {
        struct nereus_error what = {NEREUS_OK, ""};
        status = read_line(&r, line, number, &what);
        if (status != NEREUS_OK)
            nereus_fail(err, status, "%.200s:%d: %s", file, number, what.text);
    }
    free(copy);
    return status;
}
