/** @file watchdog_setting.c  Parses the setting separately from the watchdog, which nereus_init
 * starts later. */
#include "watchdog_setting.h"

#include <ctype.h>

static const double default_s = 10, least_s = 0.1, most_s = 1e6;

enum nereus_status nereus_watchdog_setting_parse(const char *text,
                                                 struct nereus_watchdog_setting *setting,
                                                 struct nereus_error *err)
{
    char *end;
    *setting = (struct nereus_watchdog_setting){.after_s = default_s, .aborts = false};
    if (text == NULL || text[0] == '\0')
        return NEREUS_OK;
    if (strcmp(text, "off") == 0) {
        setting->after_s = 0;
        return NEREUS_OK;
    }
    const double seconds = nereus_strtod(text, &end);
    const bool is_number = end > text && isdigit((unsigned char)text[0]);
    if (*end == 's')
        end++;
    const bool aborts = strcmp(end, ",abort") == 0;
    if (!is_number || (*end != '\0' && !aborts) || !(seconds >= least_s) || seconds > most_s)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "NEREUS_WATCHDOG is '%.160s' and must be seconds from 0.1 on, as 10s, with "
            ",abort to end a job that hangs, as 60s,abort, or off",
            text);
    *setting = (struct nereus_watchdog_setting){.after_s = seconds, .aborts = aborts};
    return NEREUS_OK;
}
