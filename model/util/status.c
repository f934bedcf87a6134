/** @file status.c  Names status codes, and formats error messages. */
#include "nereus/status.h"

#include "model/util/base.h"

const char *nereus_status_name(enum nereus_status status)
{
    static const char *const names[NEREUS_STATUS_COUNT] = {
        [NEREUS_OK] = "ok",
        [NEREUS_ERR_ARGUMENT] = "argument",
        [NEREUS_ERR_PARSE] = "parse",
        [NEREUS_ERR_IO] = "io",
        [NEREUS_ERR_MEMORY] = "memory",
        [NEREUS_ERR_UNSUPPORTED] = "unsupported",
        [NEREUS_ERR_ILLEGAL] = "illegal",
        [NEREUS_ERR_NO_BASIS] = "no-basis",
        [NEREUS_ERR_BUSY] = "busy",
        [NEREUS_ERR_SPAWN] = "spawn",
        [NEREUS_ERR_CANCELLED] = "cancelled",
        [NEREUS_ERR_MISMATCH] = "mismatch",
        [NEREUS_ERR_MPI] = "mpi",
        [NEREUS_ERR_STATE] = "state",
    };
    /* may come from another process or library version */
    int index = (int)status;
    if (index < 0 || index >= NEREUS_STATUS_COUNT)
        return "unknown";
    return names[index];
}

enum nereus_status nereus_fail(struct nereus_error *err, enum nereus_status status,
                               const char *format, ...)
{
    if (err == NULL)
        return status;
    static const char cut[] = "...";
    char text[sizeof err->text]; /* a copy, because an argument may be err->text itself */
    va_list arguments;
    va_start(arguments, format);
    int length = nereus_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        snprintf(text, sizeof text, "error '%s' (its sentence could not be written)",
                 nereus_status_name(status));
    }
    nereus_text_replace_controls(text, ' ');
    err->status = status;
    const bool is_cut = length >= (int)sizeof text;
    nereus_text_copy(text, err->text, sizeof text - (is_cut ? strlen(cut) : 0));
    if (is_cut)
        strcat(err->text, cut);
    return status;
}
