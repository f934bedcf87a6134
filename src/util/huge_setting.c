#include "huge_setting.h"

#include <stdlib.h>
#include <string.h>

/* Written by the main thread in nereus_init; read as parts are allocated. */
static int64_t huge_bytes;

int64_t nereus_huge_bytes(void)
{
    return huge_bytes;
}

void nereus_huge_bytes_set(int64_t bytes)
{
    huge_bytes = bytes;
}

enum nereus_status nereus_huge_setting(int64_t *bytes, struct nereus_error *err)
{
    const char *text = getenv("NEREUS_HUGE_PAGES");
    *bytes = NEREUS_HUGE_BY_PROFILE;
    if (text == NULL || text[0] == '\0')
        return NEREUS_OK;
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "NEREUS_HUGE_PAGES is '%.160s' and must be 1 (new parts may have huge "
                           "pages) or 0; without it the profile says what is faster",
                           text);
    *bytes = text[0] == '1' ? INT64_MAX : 0;
    return NEREUS_OK;
}
