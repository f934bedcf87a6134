#include "check.h"

#include <stdlib.h>
#include <string.h>

/* Written by the main thread in nereus_init, before there is data. */
static bool checks;

bool nereus_checks(void)
{
    return checks;
}

void nereus_checks_set(bool on)
{
    checks = on;
}

enum nereus_status nereus_check_setting(bool *on, struct nereus_error *err)
{
    const char *text = getenv("NEREUS_CHECK");
    *on = text != NULL && strcmp(text, "1") == 0;
    if (text == NULL || text[0] == '\0' || *on || strcmp(text, "0") == 0)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "NEREUS_CHECK is '%.160s' and must be 1 (checks are on) or 0", text);
}
