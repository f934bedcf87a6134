/** @file watchdog_setting.c  Parses the setting separately from the watchdog, which nereus_init
 * starts later. */
#include "watchdog_setting.h"

#include "model/util/values.h"

static const double default_s = 10, least_s = 0.1, most_s = 1e6;

enum nereus_status nereus_watchdog_setting_parse(const char *text,
                                                 struct nereus_watchdog_setting *setting,
                                                 struct nereus_error *err)
{
    char time_text[64];
    double seconds = 0;
    *setting = (struct nereus_watchdog_setting){.after_s = default_s, .aborts = false};
    if (text == NULL || text[0] == '\0')
        return NEREUS_OK;
    if (strcmp(text, "off") == 0) {
        setting->after_s = 0;
        return NEREUS_OK;
    }
    const size_t length = strcspn(text, ",");
    const bool aborts = strcmp(text + length, ",abort") == 0;
    snprintf(time_text, sizeof time_text, "%.*s", (int)length, text);
    if (length >= sizeof time_text || (text[length] != '\0' && !aborts) ||
        nereus_value_parse_seconds("", time_text, &seconds, NULL) != NEREUS_OK ||
        seconds < least_s || seconds > most_s)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "NEREUS_WATCHDOG is '%.160s' and must be a time from 0.1 s on, as 10s or 2min, with "
            ",abort to end a job that hangs, as 60s,abort, or off",
            text);
    *setting = (struct nereus_watchdog_setting){.after_s = seconds, .aborts = aborts};
    return NEREUS_OK;
}
