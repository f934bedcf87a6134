#include "keep_setting.h"

#include <stdlib.h>

#include "model/util/values.h"

/* Written by the main thread in nereus_init, before there is data. */
static int64_t keep_bytes;

int64_t nereus_keep_bytes(void)
{
    return keep_bytes;
}

void nereus_keep_bytes_set(int64_t bytes)
{
    keep_bytes = bytes;
}

enum nereus_status nereus_keep_setting(int64_t *bytes, struct nereus_error *err)
{
    const char *text = getenv("NEREUS_KEEP_BUFFERS");
    *bytes = 0;
    return text == NULL || text[0] == '\0'
               ? NEREUS_OK
               : nereus_value_bytes("NEREUS_KEEP_BUFFERS", text, bytes, err);
}
