/* Pack buffers: see pack_buffer.h. All processes of a job run one program, so they have one byte
 * order. */
#include "pack_buffer.h"

#include <stdlib.h>
#include <string.h>

static void append(struct pack_buffer *pack, const void *block, size_t bytes)
{
    if (pack->bytes + bytes > pack->capacity) {
        const size_t capacity = 2 * pack->capacity + bytes + 256;
        unsigned char *data = realloc(pack->data, capacity);
        if (data == NULL) {
            pack->broken = true;
            return;
        }
        pack->data = data;
        pack->capacity = capacity;
    }
    if (bytes > 0)
        memcpy(pack->data + pack->bytes, block, bytes);
    pack->bytes += bytes;
}

void pack_put_int(struct pack_buffer *pack, int64_t value)
{
    append(pack, &value, sizeof value);
}

void pack_put_block(struct pack_buffer *pack, const void *block, size_t bytes)
{
    pack_put_int(pack, (int64_t)bytes);
    append(pack, block, bytes);
}

void pack_put_text(struct pack_buffer *pack, const char *text)
{
    pack_put_int(pack, text != NULL);
    if (text != NULL)
        pack_put_block(pack, text, strlen(text) + 1);
}

int64_t pack_get_int(struct pack_buffer *pack)
{
    int64_t value = 0;
    if (pack->broken || pack->bytes - pack->at < sizeof value) {
        pack->broken = true;
        return 0;
    }
    memcpy(&value, pack->data + pack->at, sizeof value);
    pack->at += sizeof value;
    return value;
}

const unsigned char *pack_get_block(struct pack_buffer *pack, size_t *bytes)
{
    const int64_t length = pack_get_int(pack);
    *bytes = 0;
    if (pack->broken || length < 0 || (size_t)length > pack->bytes - pack->at) {
        pack->broken = true;
        return NULL;
    }
    const unsigned char *block = pack->data + pack->at;
    pack->at += (size_t)length;
    *bytes = (size_t)length;
    return block;
}

char *pack_get_text(struct pack_buffer *pack)
{
    size_t bytes;
    if (pack_get_int(pack) == 0)
        return NULL;
    const unsigned char *block = pack_get_block(pack, &bytes);
    if (block == NULL || bytes == 0 || block[bytes - 1] != '\0') {
        pack->broken = true;
        return NULL;
    }
    char *text = strdup((const char *)block);
    if (text == NULL)
        pack->broken = true;
    return text;
}
