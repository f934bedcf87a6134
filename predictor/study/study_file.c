/**
 * @file study_file.c
 * Reads the section [study] of a study's file. All other sections belong to the synthetic
 * application, which reads them itself (sam/synthetic/config.c): each gets a text with blanks in
 * place of the other's lines, so that lines keep their numbers.
 */
#include <ctype.h>
#include <strings.h>

#include "model/util/file.h"
#include "model/util/ini.h"
#include "model/util/ini_keys.h"
#include "model/util/values.h"
#include "study.h"

enum { SIZES_MAX = 64, PROCESSES_MAX = 1000000, ITERATIONS_MAX = 10000000, ITEM_TEXT = 256 };

/* ---- lists ---- */

/* Copy the next item of a list with commas, without blanks.
 * @param[in,out] rest  NULL: that was the last one */
static enum nereus_status next_item(const char *what, const char **rest, char item[ITEM_TEXT],
                                    struct nereus_error *err)
{
    const char *from = *rest + strspn(*rest, " \t"), *comma = strchr(*rest, ',');
    size_t length = strcspn(from, ",");
    while (length > 0 && isspace((unsigned char)from[length - 1]))
        length--;
    if (length == 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s: empty, or an empty entry between commas",
                           what);
    if (length >= ITEM_TEXT)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%s: an entry of more than %d characters", what,
                           ITEM_TEXT - 1);
    snprintf(item, ITEM_TEXT, "%.*s", (int)length, from);
    *rest = comma != NULL ? comma + 1 : NULL;
    return NEREUS_OK;
}

static enum nereus_status read_count(const char *what, const char *text, int64_t max,
                                     int64_t *value, struct nereus_error *err)
{
    NEREUS_TRY(nereus_value_parse_integer(what, text, 1, value, err));
    return *value <= max
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE, "%s: at most %lld", what, (long long)max);
}

static enum nereus_status add_pair(const char *what, int64_t ns, int64_t nt,
                                   struct nereus_study *study, struct nereus_error *err)
{
    for (int i = 0; i < study->pair_count; i++)
        if (study->pairs[i].ns == ns && study->pairs[i].nt == nt)
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s: %lld:%lld is given twice", what,
                               (long long)ns, (long long)nt);
    NEREUS_TRY_GROW(study->pairs, study->pair_count, err, "for the study");
    study->pairs[study->pair_count++] = (struct nereus_study_pair){ns, nt};
    return NEREUS_OK;
}

/* ---- keys: functions of the type nereus_ini_parse ---- */

static enum nereus_status read_pairs(const char *what, const char *value, void *study,
                                     struct nereus_error *err)
{
    char item[ITEM_TEXT];
    for (const char *rest = value; rest != NULL;) {
        int64_t ns, nt;
        NEREUS_TRY(next_item(what, &rest, item, err));
        char *colon = strchr(item, ':');
        if (colon == NULL)
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s: '%.160s' must be NS:NT, as 2:4", what,
                               item);
        *colon = '\0';
        NEREUS_TRY(read_count(what, item, PROCESSES_MAX, &ns, err));
        NEREUS_TRY(read_count(what, colon + 1, PROCESSES_MAX, &nt, err));
        if (ns == nt)
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s: '%lld:%lld' changes nothing: NS and NT must differ", what,
                               (long long)ns, (long long)nt);
        NEREUS_TRY(add_pair(what, ns, nt, study, err));
    }
    return NEREUS_OK;
}

/* Add a pair for each two sizes. */
static enum nereus_status read_sizes(const char *what, const char *value, void *study,
                                     struct nereus_error *err)
{
    char item[ITEM_TEXT];
    int64_t sizes[SIZES_MAX];
    int count = 0;
    for (const char *rest = value; rest != NULL; count++) {
        if (count == SIZES_MAX)
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s: at most %d sizes", what, SIZES_MAX);
        NEREUS_TRY(next_item(what, &rest, item, err));
        NEREUS_TRY(read_count(what, item, PROCESSES_MAX, &sizes[count], err));
        for (int i = 0; i < count; i++) {
            if (sizes[i] == sizes[count])
                return nereus_fail(err, NEREUS_ERR_PARSE, "%s: %.160s is given twice", what, item);
            NEREUS_TRY(add_pair(what, sizes[i], sizes[count], study, err));
            NEREUS_TRY(add_pair(what, sizes[count], sizes[i], study, err));
        }
    }
    return count > 1
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "%s: one size alone is no change: give at least two, as 1,2", what);
}

static enum nereus_status read_methods(const char *what, const char *value, void *values,
                                       struct nereus_error *err)
{
    struct nereus_study *study = values;
    char item[ITEM_TEXT];
    for (const char *rest = value; rest != NULL;) {
        struct nereus_method method;
        struct nereus_error why;
        NEREUS_TRY(next_item(what, &rest, item, err));
        if (nereus_method_parse(item, &method, &why) != NEREUS_OK)
            return nereus_fail(err, NEREUS_ERR_PARSE, "%s: %.300s", what, why.text);
        for (int i = 0; i < study->method_count; i++)
            if (nereus_method_equal(&study->methods[i], &method))
                return nereus_fail(err, NEREUS_ERR_PARSE, "%s: %.160s is given twice", what, item);
        NEREUS_TRY_GROW(study->methods, study->method_count, err, "for the study");
        study->methods[study->method_count++] = method;
    }
    return NEREUS_OK;
}

static enum nereus_status read_bytes(const char *what, const char *value, void *values,
                                     struct nereus_error *err)
{
    struct nereus_study *study = values;
    char item[ITEM_TEXT];
    for (const char *rest = value; rest != NULL;) {
        int64_t bytes;
        NEREUS_TRY(next_item(what, &rest, item, err));
        NEREUS_TRY(nereus_value_parse_bytes(what, item, &bytes, err));
        NEREUS_TRY_GROW(study->bytes, study->bytes_count, err, "for the study");
        study->bytes[study->bytes_count++] = bytes;
    }
    return NEREUS_OK;
}

/* Read the iterations before and after the change: "3,97". */
static enum nereus_status read_iterations(const char *what, const char *value, void *values,
                                          struct nereus_error *err)
{
    struct nereus_study *study = values;
    int64_t *const numbers[] = {&study->iterations_before, &study->iterations_after};
    char item[ITEM_TEXT];
    const char *rest = value;
    for (int i = 0; i < 2 && rest != NULL; i++) {
        NEREUS_TRY(next_item(what, &rest, item, err));
        NEREUS_TRY(read_count(what, item, ITERATIONS_MAX, numbers[i], err));
        if ((i == 0) == (rest == NULL))
            return nereus_fail(err, NEREUS_ERR_PARSE,
                               "%s: must be two numbers, before and after the change, as 3,97",
                               what);
    }
    return NEREUS_OK;
}

enum { STUDY };
static const struct nereus_ini_section sections[] = {[STUDY] = {"study", NULL, 0}};

#define IN_STUDY(member) STUDY, offsetof(struct nereus_study, member)
#define LIST             STUDY, 0
#define TIME_LIMIT       NEREUS_INI_TYPE_SECONDS, 1e-3, INFINITY, NULL, NULL

static const struct nereus_ini_key keys[] = {
    NEREUS_INI_KEY(LIST, NEREUS_INI_OWN(read_sizes), NULL, NULL, "", "sizes"),
    NEREUS_INI_KEY(LIST, NEREUS_INI_OWN(read_pairs), NULL, NULL, "", "pairs"),
    NEREUS_INI_KEY(LIST, NEREUS_INI_OWN(read_methods), NULL, NULL, "", "methods"),
    NEREUS_INI_KEY(LIST, NEREUS_INI_OWN(read_bytes), NULL, NULL, "", "bytes"),
    NEREUS_INI_KEY(LIST, NEREUS_INI_OWN(read_iterations), "3,10", NULL, "", "iterations"),
    NEREUS_INI_KEY(IN_STUDY(repeats), NEREUS_INI_INTEGER(1, 1e6), "5", NULL, "", "repeats"),
    NEREUS_INI_KEY(IN_STUDY(seed), NEREUS_INI_INTEGER(0, 1e15), "1", NULL, "", "seed"),
    NEREUS_INI_KEY(IN_STUDY(attempts), NEREUS_INI_INTEGER(1, 100), "3", NULL, "", "attempts"),
    NEREUS_INI_KEY(IN_STUDY(limit_s), TIME_LIMIT, "60", NULL, "", "limit"),
    NEREUS_INI_KEY(IN_STUDY(hostfile), NEREUS_INI_TEXT(0, PATH_MAX), NULL, NULL, "", "hostfile"),
};
NEREUS_INI_CHECK_LIMITS(NEREUS_COUNT_OF(sections), NEREUS_COUNT_OF(keys));
static const struct nereus_ini_table table = {sections, NEREUS_COUNT_OF(sections), keys,
                                              NEREUS_COUNT_OF(keys)};

/* ---- lines ---- */

/* Move the lines of [study] to `own`, a copy of the text, and note where [general] ends. */
static void divide_text(struct nereus_study *study, char *own)
{
    bool is_study = false, in_general = false;
    int number = 1;
    size_t at = 0;
    for (size_t length; study->text[at] != '\0'; at += length, number++) {
        const char *line = study->text + at + strspn(study->text + at, " \t");
        length = strcspn(study->text + at, "\n");
        if (line[0] == '[') {
            if (in_general) {
                study->general_end = at;
                study->general_end_line = number - 1;
            }
            is_study = strncasecmp(line, "[study]", 7) == 0;
            in_general = !study->has_general && strncasecmp(line, "[general]", 9) == 0;
            study->has_general = study->has_general || in_general;
        }
        memset((is_study ? study->text : own) + at, ' ', length);
        length += study->text[at + length] == '\n';
    }
    if (in_general || !study->has_general) {
        study->general_end = at;
        study->general_end_line = number - 1;
    }
}

/* ---- the application: what a study sets itself, or redirects its results, is refused ---- */

static enum nereus_status check_section(void *user, const char *name, int line,
                                        struct nereus_error *err)
{
    (void)user, (void)line;
    return strncasecmp(name, "group", 5) == 0 || strncasecmp(name, "resize", 6) == 0
               ? nereus_fail(err, NEREUS_ERR_PARSE,
                             "a study has no groups of its own: sizes or pairs, methods and "
                             "iterations in [study] make them")
               : NEREUS_OK;
}

static enum nereus_status check_key(void *user, const char *key, const char *value, int line,
                                    struct nereus_error *err)
{
    (void)user, (void)value, (void)line;
    return strcasecmp(key, "trace") == 0 || strcasecmp(key, "results") == 0
               ? nereus_fail(err, NEREUS_ERR_PARSE,
                             "trace and results are the study's own: leave the key out")
               : NEREUS_OK;
}

static enum nereus_status check_application(const struct nereus_study *study,
                                            struct nereus_error *err)
{
    static const struct nereus_ini_handler handler = {"[study], [general] or [stage0]",
                                                      check_section, check_key};
    return nereus_ini_read(study->file, study->text, &handler, NULL, err);
}

/* ---- [study] ---- */

struct reading {
    struct nereus_study *study;
    bool has_section;
    int lines[NEREUS_COUNT_OF(keys)];
};

static enum nereus_status begin_section(void *user, const struct nereus_ini_header *header,
                                        struct nereus_ini_storage *storage,
                                        struct nereus_error *err)
{
    struct reading *r = user;
    (void)header, (void)err;
    r->has_section = true;
    *storage = (struct nereus_ini_storage){r->study, r->lines};
    return NEREUS_OK;
}

static enum nereus_status read_section(struct nereus_study *study, const char *own,
                                       struct nereus_error *err)
{
    struct reading r = {.study = study};
    NEREUS_TRY(nereus_ini_keys_read(study->file, own, &table, begin_section, &r, err));
    if (!r.has_section)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%.300s: the section [study] is missing, with sizes (or pairs) and "
                           "methods",
                           study->file);
    if (study->pair_count == 0 || study->method_count == 0)
        return nereus_fail(err, NEREUS_ERR_PARSE, "%.300s: key %s is missing in [study]",
                           study->file, study->pair_count == 0 ? "sizes (or pairs)" : "methods");
    if (study->bytes_count == 0) {
        NEREUS_TRY_GROW(study->bytes, 0, err, "for the study");
        study->bytes[study->bytes_count++] = -1;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_study_read(const char *file, struct nereus_study *study,
                                     struct nereus_error *err)
{
    *study = (struct nereus_study){.file = file};
    nereus_ini_keys_set_defaults(&table, STUDY, study);
    NEREUS_TRY(nereus_file_read(file, "study", &study->text, NULL, err));
    char *own = strdup(study->text);
    NEREUS_TRY_MEMORY(own, err, "for the study");
    divide_text(study, own);
    enum nereus_status status = check_application(study, err);
    if (status == NEREUS_OK)
        status = read_section(study, own, err);
    free(own);
    return status;
}

void nereus_study_fini(struct nereus_study *study)
{
    free(study->text);
    free(study->pairs);
    free(study->methods);
    free(study->bytes);
    *study = (struct nereus_study){.file = NULL};
}
