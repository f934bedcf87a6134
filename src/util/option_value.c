/**
 * @file option_value.c
 * Parses single values. settings.c decides for which options and variables they are used.
 */
#include "option_value.h"

#include "model/util/values.h"

const char *nereus_option_find(const char *option, const char *variable)
{
    if (option != NULL)
        return option;
    const char *text = getenv(variable);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

enum nereus_status nereus_option_copy_text(char **text, const char *value, struct nereus_error *err)
{
    if (value == NULL)
        return NEREUS_OK;
    *text = strdup(value);
    return *text != NULL ? NEREUS_OK
                         : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the options");
}

enum nereus_status nereus_option_word(const char *option, const char *variable,
                                      const char *const *words, int otherwise, int *index,
                                      struct nereus_error *err)
{
    const char *text = nereus_option_find(option, variable);
    char known_text[160] = "";
    *index = otherwise;
    for (int i = 0; text != NULL && words[i] != NULL; i++) {
        if (strcmp(text, words[i]) == 0) {
            *index = i;
            return NEREUS_OK;
        }
        nereus_append(known_text, sizeof known_text, "%s%s",
                      i == 0                 ? ""
                      : words[i + 1] != NULL ? ", "
                                             : " or ",
                      words[i]);
    }
    return text == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s%s is '%.160s' and must be %s",
                             option != NULL ? "the option of " : "", variable, text, known_text);
}

enum nereus_status nereus_option_read_count(int64_t option, const char *variable, int64_t otherwise,
                                            int64_t *count, struct nereus_error *err)
{
    const char *text = nereus_option_find(NULL, variable);
    if (option < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the option of %s is %lld and must be a whole number of at least 1",
                           variable, (long long)option);
    *count = option > 0 ? option : otherwise;
    if (option == 0 && text != NULL &&
        nereus_value_parse_integer(variable, text, 1, count, NULL) != NEREUS_OK)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%s is '%.160s' and must be a whole number of at least 1", variable,
                           text);
    return NEREUS_OK;
}

enum nereus_status nereus_option_read_seconds(double option, const char *variable, double otherwise,
                                              double *seconds, struct nereus_error *err)
{
    const char *text = nereus_option_find(NULL, variable);
    *seconds = option > 0 ? option : otherwise;
    if (option > 0 || text == NULL)
        return NEREUS_OK;
    if (nereus_value_parse_seconds(variable, text, seconds, NULL) != NEREUS_OK || *seconds > 1e6)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%s is '%.160s' and must be a time above 0, as 90, 90s or 2min",
                           variable, text);
    return NEREUS_OK;
}
