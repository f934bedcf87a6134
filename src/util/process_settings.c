/**
 * @file process_settings.c
 * Plain variables, read in hot paths and written by nereus_init.
 */
#include "process_settings.h"

#include <stdlib.h>
#include <string.h>

#include "model/util/values.h"

static struct {
    bool checks;
    int64_t keep_bytes, huge_bytes;
} settings;

bool nereus_checks(void)
{
    return settings.checks;
}

void nereus_checks_set(bool on)
{
    settings.checks = on;
}

int64_t nereus_keep_bytes(void)
{
    return settings.keep_bytes;
}

void nereus_keep_bytes_set(int64_t bytes)
{
    settings.keep_bytes = bytes;
}

int64_t nereus_huge_bytes(void)
{
    return settings.huge_bytes;
}

void nereus_huge_bytes_set(int64_t bytes)
{
    settings.huge_bytes = bytes;
}

/* Read a variable that is 1 or 0; `meaning`: end of the error message for another value.
 * @param[out] on  unchanged if the variable is not set */
static enum nereus_status read_switch(const char *name, const char *meaning, bool *on,
                                      struct nereus_error *err)
{
    const char *text = getenv(name);
    if (text == NULL || text[0] == '\0')
        return NEREUS_OK;
    *on = strcmp(text, "1") == 0;
    return *on || strcmp(text, "0") == 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s is '%.160s' and must be 1 (%s", name,
                             text, meaning);
}

enum nereus_status nereus_check_setting(bool *on, struct nereus_error *err)
{
    *on = false;
    return read_switch("NEREUS_CHECK", "checks are on) or 0", on, err);
}

enum nereus_status nereus_keep_setting(int64_t *bytes, struct nereus_error *err)
{
    const char *text = getenv("NEREUS_KEEP_BUFFERS");
    *bytes = 0;
    return text == NULL || text[0] == '\0'
               ? NEREUS_OK
               : nereus_value_bytes("NEREUS_KEEP_BUFFERS", text, bytes, err);
}

enum nereus_status nereus_huge_setting(int64_t *bytes, struct nereus_error *err)
{
    const char *text = getenv("NEREUS_HUGE_PAGES");
    bool on = false;
    const enum nereus_status status =
        read_switch("NEREUS_HUGE_PAGES",
                    "new parts may have huge pages) or 0; without it the profile says what is "
                    "faster",
                    &on, err);
    *bytes = text == NULL || text[0] == '\0' ? NEREUS_HUGE_BY_PROFILE : on ? INT64_MAX : 0;
    return status;
}
