/**
 * @file ini.c
 * Passes the lines of a text to inih one by one, as inih gives no line numbers, skips sections
 * without keys, takes an indented line for a continuation and truncates long lines silently.
 */
#include "ini.h"

#include <ctype.h>
#include <ini.h>

struct reader {
    const struct nereus_ini_handler *handler;
    void *user;
    const char *file;
    const char *cursor; /* the next line */
    int line;
    bool in_section;
    enum nereus_status status; /* not OK: reading stops */
    struct nereus_error *err;
};

/* Put file and line before the message. */
static void fail_at_line(struct reader *r, enum nereus_status status,
                         const struct nereus_error *what)
{
    if (status != NEREUS_OK)
        r->status = nereus_fail(r->err, status, "%.200s:%d: %s", r->file, r->line, what->text);
}

/* Process a section header before inih. */
static void record_header(struct reader *r, const char *line)
{
    struct nereus_error what = {NEREUS_OK, ""};
    const char *end = strchr(line, ']');
    enum nereus_status status;
    if (end == NULL) {
        status = nereus_fail(&what, NEREUS_ERR_PARSE, "'[' without ']': a section reads %s",
                             r->handler->sections);
    } else {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(end - line - 1 < 100 ? end - line - 1 : 100),
                 line + 1);
        r->in_section = true;
        status = r->handler->section(r->user, name, r->line, &what);
    }
    fail_at_line(r, status, &what);
}

/* An ini_reader: the next line without indentation and comment (" #"). */
static char *read_line(char *out, int size, void *stream)
{
    struct reader *r = stream;
    if (r->status != NEREUS_OK || *r->cursor == '\0')
        return NULL;
    r->line++;
    const char *begin = r->cursor;
    size_t length = strcspn(begin, "\n");
    r->cursor += length + (begin[length] == '\n');
    while (length > 0 && (*begin == ' ' || *begin == '\t')) {
        begin++;
        length--;
    }
    for (size_t i = 1; i < length; i++)
        if (begin[i] == '#' && isspace((unsigned char)begin[i - 1]))
            length = i;
    if (length + 3 > (size_t)size) {
        struct nereus_error what;
        fail_at_line(r,
                     nereus_fail(&what, NEREUS_ERR_PARSE,
                                 "the line has %zu character%s; at most %d are read", length,
                                 nereus_plural_s((int64_t)length), size - 3),
                     &what);
        return NULL;
    }
    memcpy(out, begin, length);
    out[length] = '\n';
    out[length + 1] = '\0';
    if (out[0] == '[')
        record_header(r, out);
    return r->status == NEREUS_OK ? out : NULL;
}

static int handle_value(void *user, const char *ignored, const char *name, const char *value)
{
    (void)ignored; /* truncated by inih; the handler has it */
    struct reader *r = user;
    struct nereus_error what = {NEREUS_OK, ""};
    if (r->status != NEREUS_OK)
        return 0;
    fail_at_line(r,
                 r->in_section ? r->handler->value(r->user, name, value, r->line, &what)
                               : nereus_fail(&what, NEREUS_ERR_PARSE,
                                             "'%.160s' stands before any [section]", name),
                 &what);
    return r->status == NEREUS_OK;
}

enum nereus_status nereus_ini_read(const char *file, const char *text,
                                   const struct nereus_ini_handler *handler, void *user,
                                   struct nereus_error *err)
{
    struct reader r = {.handler = handler, .user = user, .file = file, .cursor = text, .err = err};
    const int bad_line = ini_parse_stream(read_line, &r, handle_value, &r);
    if (bad_line > 0 && (r.status == NEREUS_OK || bad_line < r.line))
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%.200s:%d: neither 'key = value' nor '[section]' nor a comment (# or ;)", file,
            bad_line);
    if (bad_line < 0 && r.status == NEREUS_OK)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "%.200s: no memory to read it", file);
    return r.status;
}
