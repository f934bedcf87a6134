/** @file schedule_text.c  Parses the schedule of NEREUS_SCHEDULE. */
#include "schedule_text.h"

#include <stdlib.h>
#include <string.h>

#include "model/util/try.h"
#include "model/util/values.h"

/* Parse "2@20:merge/p2p"; the text is modified. */
static enum nereus_status parse_change(char *text, struct nereus_resize *change,
                                       struct nereus_error *err)
{
    char *point = strchr(text, '@'), *method = strchr(text, ':');
    struct nereus_error why;
    if (method != NULL)
        *method++ = '\0';
    if (point != NULL)
        *point++ = '\0';
    change->method = method;
    if (point != NULL && (method == NULL || method[0] != '\0') &&
        nereus_value_integer("size", text, 1, &change->nt, &why) == NEREUS_OK &&
        nereus_value_integer("point", point, 1, &change->point, &why) == NEREUS_OK)
        return NEREUS_OK;
    return nereus_fail(
        err, NEREUS_ERR_ARGUMENT,
        "NEREUS_SCHEDULE has '%.80s%s%.80s', and takes SIZE@POINT[:METHOD], separated "
        "by commas, as 4@10,2@20:merge/p2p",
        text, point != NULL ? "@" : "", point != NULL ? point : "");
}

enum nereus_status nereus_schedule_text_parse(const char *text, struct schedule_text *schedule,
                                              struct nereus_error *err)
{
    *schedule = (struct schedule_text){
        .text = strdup(text), .changes = calloc(strlen(text) + 1, sizeof *schedule->changes)};
    NEREUS_TRY_MEMORY(schedule->text, err, "for NEREUS_SCHEDULE");
    NEREUS_TRY_MEMORY(schedule->changes, err, "for NEREUS_SCHEDULE");
    char *rest = schedule->text, *one;
    while ((one = strsep(&rest, ",")) != NULL)
        NEREUS_TRY(parse_change(one, &schedule->changes[schedule->count++], err));
    return NEREUS_OK;
}

void nereus_schedule_text_fini(struct schedule_text *schedule)
{
    free(schedule->text);
    free(schedule->changes);
}
