/**
 * @file json_make.c
 * Makes JSON from numbers and texts that JSON may not hold: NAN, infinity, broken UTF-8.
 */
#include "json_make.h"

#include "file.h"
#include "values.h"

json_t *nereus_json_text(const char *text)
{
    if (text == NULL)
        return json_null();
    if (nereus_text_is_utf8(text))
        return json_string(text);
    char *repaired = nereus_text_repair(text);
    json_t *json = repaired != NULL ? json_string(repaired) : NULL;
    free(repaired);
    return json;
}

json_t *nereus_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

int nereus_json_set(json_t *object, const char *name, json_t *value)
{
    if (nereus_text_is_utf8(name))
        return json_object_set_new(object, name, value);
    char *repaired = nereus_text_repair(name);
    const int failed = json_object_set_new(object, repaired, value); /* a NULL name fails */
    free(repaired);
    return failed;
}

json_t *nereus_json_parse(const char *text, size_t length, size_t flags, json_error_t *fault)
{
    const nereus_locale old_locale = nereus_locale_begin();
    json_t *json = json_loadb(text, length, flags, fault);
    nereus_locale_end(old_locale);
    return json;
}

/* @return position after the closing quote */
static const char *skip_text(const char *quote)
{
    const char *position = quote + 1;
    while (*position != '"')
        position += *position == '\\' ? 2 : 1;
    return position + 1;
}

/* Shorten the numbers in place: jansson 2.14 prints 0.1 with 17 digits, as 0.10000000000000001. */
static void shorten_reals(char *text)
{
    char *to = text;
    for (const char *position = text, *end; *position != '\0'; position = end) {
        const size_t digits = strspn(position, "-0123456789");
        char number[32];
        end = *position == '"' ? skip_text(position)
                               : position + (digits > 0 ? strspn(position, "-+.0123456789e") : 1);
        const size_t length = (size_t)(end - position);
        const bool is_real = digits > 0 && digits < length;
        const size_t less =
            is_real ? strlen(nereus_format_real(nereus_strtod(position, NULL), number)) : length;
        /* a whole number keeps its ".0", which shows the type */
        const bool is_shorter = less < length && strpbrk(number, ".e") != NULL;
        memmove(to, is_shorter ? number : position, is_shorter ? less : length);
        to += is_shorter ? less : length;
    }
    *to = '\0';
}

char *nereus_json_dump(const json_t *json, size_t flags)
{
    const nereus_locale old_locale = nereus_locale_begin();
    char *text = json != NULL ? json_dumps(json, flags | JSON_REAL_PRECISION(17)) : NULL;
    if (text != NULL)
        shorten_reals(text);
    nereus_locale_end(old_locale);
    return text;
}

bool nereus_json_write(json_t *document, FILE *stream)
{
    char *text = nereus_json_dump(document, JSON_INDENT(2) | JSON_ENCODE_ANY);
    json_decref(document);
    if (text != NULL)
        fprintf(stream, "%s\n", text);
    const bool written = text != NULL && !ferror(stream);
    free(text);
    return written;
}

enum nereus_status nereus_json_replace(const char *path, json_t *document, size_t indent,
                                       bool transient, struct nereus_error *err)
{
    struct nereus_file_replace replace;
    char *text = nereus_json_dump(document, JSON_INDENT(indent));
    json_decref(document);
    NEREUS_TRY_MEMORY(text, err, "to write '%.200s'", path);
    enum nereus_status status = nereus_file_replace_begin(path, &replace, err);
    if (status == NEREUS_OK) {
        replace.transient = transient;
        fprintf(replace.stream, "%s\n", text); /* the commit finds errors of the stream */
        status = nereus_file_replace_commit(&replace, err);
    }
    free(text);
    return status;
}

char *nereus_json_line(json_t *line)
{
    char *text = nereus_json_dump(line, JSON_COMPACT);
    const size_t length = text != NULL ? strlen(text) : 0;
    char *whole = text != NULL ? realloc(text, length + 2) : NULL;
    if (whole != NULL)
        memcpy(whole + length, "\n", 2);
    else
        free(text);
    json_decref(line);
    return whole;
}

void nereus_json_text_print(FILE *stream, const char *text)
{
    json_t *json = nereus_json_text(text);
    if (json == NULL || json_dumpf(json, stream, JSON_ENCODE_ANY) != 0)
        fputs("null", stream);
    json_decref(json);
}

/* A format and its arguments. */
struct packer {
    const char *at;
    va_list arguments;
    bool failed;
};

/* Read the next letter of the format; 0 at the end. */
static char read_letter(struct packer *p)
{
    p->at += strspn(p->at, " ,:");
    return *p->at != '\0' ? *p->at++ : '\0';
}

static bool skip_letter(struct packer *p, char letter)
{
    const bool is = *p->at == letter;
    p->at += is ? 1 : 0;
    return is;
}

static json_t *record_missing(struct packer *p, json_t *value)
{
    p->failed = p->failed || value == NULL;
    return value;
}

static json_t *pack_text(struct packer *p)
{
    const char *text = va_arg(p->arguments, const char *);
    const bool may_be_left_out = !skip_letter(p, '?') && skip_letter(p, '*');
    return text == NULL && may_be_left_out ? NULL : record_missing(p, nereus_json_text(text));
}

static json_t *pack_given(struct packer *p)
{
    json_t *value = va_arg(p->arguments, json_t *);
    return skip_letter(p, '*') ? value : record_missing(p, value);
}

static json_t *pack_value(struct packer *p, char letter);

/* Pack members or elements into `whole`, up to the letter `end`. */
static json_t *pack_all(struct packer *p, json_t *whole, char end)
{
    for (char letter = read_letter(p); letter != end && letter != '\0'; letter = read_letter(p)) {
        const char *name = end == '}' ? va_arg(p->arguments, const char *) : NULL;
        json_t *value = pack_value(p, end == '}' ? read_letter(p) : letter);
        if (value != NULL)
            p->failed |= name != NULL ? nereus_json_set(whole, name, value) != 0
                                      : json_array_append_new(whole, value) != 0;
    }
    p->failed = p->failed || whole == NULL;
    return whole;
}

static json_t *pack_value(struct packer *p, char letter)
{
    switch (letter) {
    case '{':
        return pack_all(p, json_object(), '}');
    case '[':
        return pack_all(p, json_array(), ']');
    case 's':
        return pack_text(p);
    case 'f':
        return record_missing(p, nereus_json_real(va_arg(p->arguments, double)));
    case 'i':
        return record_missing(p, json_integer(va_arg(p->arguments, int)));
    case 'I':
        return record_missing(p, json_integer(va_arg(p->arguments, json_int_t)));
    case 'b':
        return json_boolean(va_arg(p->arguments, int));
    case 'n':
        return json_null();
    case 'o':
        return pack_given(p);
    case 'O':
        return json_incref(pack_given(p));
    default: /* an invalid format */
        p->failed = true;
        p->at += strlen(p->at);
        return NULL;
    }
}

json_t *nereus_json_pack(const char *format, ...)
{
    struct packer packer = {.at = format};
    va_start(packer.arguments, format);
    json_t *json = pack_value(&packer, read_letter(&packer));
    va_end(packer.arguments);
    if (!packer.failed)
        return json;
    json_decref(json);
    return NULL;
}
