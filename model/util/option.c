/** @file option.c  Stores the text of an option in the member of its kind. */
#include "option.h"

#include "home.h"
#include "suggest.h"
#include "values.h"

enum nereus_status nereus_choice_store(const char *what, const char *const *choices,
                                       const char *text, int *value, struct nereus_error *err)
{
    char known_text[400] = "", meant[NEREUS_SUGGEST_TEXT];
    size_t count = 0;
    for (; choices[count] != NULL; count++) {
        if (strcmp(choices[count], text) == 0) {
            *value = (int)count;
            return NEREUS_OK;
        }
        size_t used = strlen(known_text);
        snprintf(known_text + used, sizeof known_text - used, "%s%s", count == 0 ? "" : ", ",
                 choices[count]);
    }
    return nereus_fail(err, NEREUS_ERR_PARSE, "%s must be one of %s, not '%s'%s", what, known_text,
                       text, nereus_suggest_text(text, choices, count, meant));
}

/* Paths are kept until the process ends, as argv is. */
static const char *expand_home(const char *text)
{
    static struct kept {
        char *path;
        struct kept *next;
    } * all;
    char *path = nereus_home_path(text);
    struct kept *more = path != NULL ? malloc(sizeof *more) : NULL;
    if (more == NULL) {
        free(path);
        return text;
    }
    *more = (struct kept){path, all};
    all = more;
    return path;
}

enum nereus_status nereus_option_store(const char *what, const struct nereus_option *option,
                                       const char *text, void *storage, struct nereus_error *err)
{
    void *value = (char *)storage + option->offset;
    switch (option->kind) {
    case NEREUS_OPTION_FLAG:
        *(bool *)value = true;
        return NEREUS_OK;
    case NEREUS_OPTION_COUNT:
        return nereus_value_parse_integer(what, text, 1, value, err);
    case NEREUS_OPTION_NATURAL:
        return nereus_value_parse_integer(what, text, 0, value, err);
    case NEREUS_OPTION_BYTES:
        return nereus_value_parse_bytes(what, text, value, err);
    case NEREUS_OPTION_SECONDS:
        return nereus_value_parse_seconds(what, text, value, err);
    case NEREUS_OPTION_NUMBER:
        return nereus_value_parse_number(what, text, value, err);
    case NEREUS_OPTION_CHOICE:
        return nereus_choice_store(what, option->choices, text, value, err);
    case NEREUS_OPTION_PLACE:
        if (strcmp(text, "-") == 0) {
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "%s -: standard output has what is printed: name another place",
                               what);
        }
        break;
    case NEREUS_OPTION_TEXT:
        break;
    }
    if (text[0] == '\0')
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s must not be empty", what);
    *(const char **)value = expand_home(text);
    return NEREUS_OK;
}
