/** @file profile_file.c  Reads and writes the file of a profile. */
#include <sys/stat.h>

#include "model/util/file.h"
#include "profile_json.h"

/* Is the text probably the header line of samples? */
static bool looks_like_csv(const char *text)
{
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += strspn(text, "\n");
    }
    const size_t length = strcspn(text, "\n");
    return text[0] != '{' && text[0] != '[' && memchr(text, ',', length) != NULL;
}

static bool may_be_cut(enum json_error_code why)
{
    return why == json_error_premature_end_of_input || why == json_error_invalid_syntax;
}

enum nereus_status nereus_profile_read(const char *path, struct nereus_profile *profile,
                                       struct nereus_error *err)
{
    char *text;
    size_t length;
    json_error_t where;
    NEREUS_TRY(nereus_file_read(path, "profile", &text, &length, err));
    json_t *json = nereus_json_parse(text, length, JSON_REJECT_DUPLICATES, &where);
    const bool csv = json == NULL && looks_like_csv(text);
    const bool text_follows =
        json == NULL && json_error_code(&where) == json_error_end_of_input_expected;
    const bool cut = json == NULL && may_be_cut(json_error_code(&where));
    free(text);
    if (csv)
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "%s: not a profile, as it is no JSON but looks like CSV: `nereus profile fit %s "
            "--output PROFILE.json` makes a profile of a file of samples",
            path, path);
    if (json == NULL && text_follows)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s:%d:%d: not a profile, as more follows behind its first JSON object: "
                           "it looks like the results or the trace of a job",
                           path, where.line, where.column);
    if (json == NULL)
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "%s:%d:%d: not a profile, as it is no JSON%s: %.160s", path, where.line,
                           where.column, cut ? " (cut off?)" : "", where.text);
    struct nereus_profile *p = calloc(1, sizeof *p);
    struct nereus_json_reader reader = {.path = path, .err = err, .status = NEREUS_OK};
    if (p == NULL)
        reader.status = nereus_fail(err, NEREUS_ERR_MEMORY, "%s: no memory for a profile", path);
    else
        nereus_profile_read_json(&reader, json, p);
    if (reader.status == NEREUS_OK)
        reader.status = nereus_profile_prepare(p, err);
    if (reader.status == NEREUS_OK)
        *profile = *p;
    else if (p != NULL)
        nereus_profile_fini(p);
    free(p);
    json_decref(json);
    return reader.status;
}

static bool looks_like_profile(const char *path)
{
    json_t *json = NULL;
    nereus_json_read(path, "profile", &json, NULL);
    const bool profile = json_is_integer(json_object_get(json, "version")) &&
                         json_is_object(json_object_get(json, "steps"));
    json_decref(json);
    return profile;
}

enum nereus_status nereus_profile_check_path(const char *path, struct nereus_error *err)
{
    struct nereus_file_replace replace;
    struct stat there;
    if (stat(path, &there) == 0 && S_ISREG(there.st_mode) && there.st_size > 0 &&
        !looks_like_profile(path))
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "'%.200s' is there and no profile: name another file for the profile, or remove it "
            "first",
            path);
    const enum nereus_status status = nereus_file_replace_begin(path, &replace, err);
    if (status == NEREUS_OK)
        nereus_file_replace_abort(&replace);
    return status;
}

enum nereus_status nereus_profile_write(const char *path, const struct nereus_profile *profile,
                                        struct nereus_error *err)
{
    return nereus_json_replace(path, nereus_profile_json(profile), 1, false, err);
}
