/** @file option.c  Stores the text of an option in the member of its kind. */
#include "option.h"

#include "home.h"
#include "suggest.h"
#include "values.h"

enum { ENTRIES_MAX = 64 };

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
    case NEREUS_OPTION_DELAY:
        return nereus_value_parse_seconds_or_0(what, text, value, err);
    case NEREUS_OPTION_RATE:
        return nereus_value_parse_rate(what, text, value, err);
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

static enum nereus_status fail_unknown_entry(const struct nereus_entries *entries,
                                             const char *entry, struct nereus_error *err)
{
    const char *names[ENTRIES_MAX];
    char known_text[400] = "", meant[NEREUS_SUGGEST_TEXT];
    for (size_t i = 0; i < entries->count; i++) {
        names[i] = entries->options[i].name;
        nereus_append(known_text, sizeof known_text, "%s%s",
                      i == 0                   ? ""
                      : i + 1 < entries->count ? ", "
                                               : " and ",
                      names[i]);
    }
    return nereus_fail(err, NEREUS_ERR_PARSE, "%s has %s, as %s%c%s, not '%.160s'%s", entries->what,
                       known_text, names[0], entries->between, entries->options[0].metavar, entry,
                       nereus_suggest_text(entry, names, entries->count, meant));
}

/* @param given  set of the options that were given so far */
static enum nereus_status store_entry(const struct nereus_entries *entries, char *entry,
                                      uint64_t *given, void *storage, struct nereus_error *err)
{
    char what[80], *value = strchr(entry, entries->between);
    size_t i = 0;
    if (value != NULL)
        *value++ = '\0';
    while (i < entries->count && strcmp(entries->options[i].name, entry) != 0)
        i++;
    if (i == entries->count)
        return fail_unknown_entry(entries, entry, err);
    if (value == NULL || *value == '\0')
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s %s has no value: write %s%c%s, without a space", entries->what,
                           entry, entry, entries->between, entries->options[i].metavar);
    if ((*given >> i & 1) != 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s names '%s' twice", entries->what, entry);
    *given |= UINT64_C(1) << i;
    snprintf(what, sizeof what, "%s %s", entries->what, entry);
    return nereus_option_store(what, &entries->options[i], value, storage, err);
}

enum nereus_status nereus_entries_store(const struct nereus_entries *entries, const char *text,
                                        void *storage, struct nereus_error *err)
{
    const bool by_blanks = strchr(entries->separators, ' ') != NULL;
    char *copy = strdup(text), *rest = copy, *entry;
    enum nereus_status status = NEREUS_OK;
    uint64_t given = 0;
    NEREUS_TRY_MEMORY(copy, err, "for %s", entries->what);
    while (status == NEREUS_OK && (entry = strsep(&rest, entries->separators)) != NULL)
        if (entry[0] != '\0' || !by_blanks)
            status = store_entry(entries, entry, &given, storage, err);
    free(copy);
    return status;
}
