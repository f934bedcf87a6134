/** @file process_settings.c  Holds the settings that hot paths read, and reads them. */
#include "process_settings.h"

#include "model/util/values.h"
#include "option_value.h"

struct process_settings nereus_process_settings;

enum nereus_status nereus_process_settings_read(struct process_settings *settings,
                                                struct nereus_error *err)
{
    static const char *const switches[] = {"0", "1", NULL};
    const char *keep = nereus_option_find(NULL, "NEREUS_KEEP_BUFFERS");
    int checks, huge;
    *settings = (struct process_settings){.keep_bytes = 0};
    NEREUS_TRY(nereus_option_word(NULL, "NEREUS_CHECK", switches, 0, &checks, err));
    NEREUS_TRY(nereus_option_word(NULL, "NEREUS_HUGE_PAGES", switches, NEREUS_HUGE_BY_PROFILE,
                                  &huge, err));
    settings->checks = checks == 1;
    settings->huge_bytes = huge == 1 ? INT64_MAX : huge;
    return keep == NULL
               ? NEREUS_OK
               : nereus_value_parse_bytes("NEREUS_KEEP_BUFFERS", keep, &settings->keep_bytes, err);
}
