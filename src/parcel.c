/* Byte parcels: see parcel.h. All processes of a job have one byte order (nereus_init's processes run one
 * program). */
#include "parcel.h"

#include <stdlib.h>
#include <string.h>

static void append(struct parcel *parcel, const void *block, size_t bytes)
{
    if (parcel->bytes + bytes > parcel->capacity) {
        const size_t capacity = 2 * parcel->capacity + bytes + 256;
        unsigned char *data = realloc(parcel->data, capacity);
        if (data == NULL) {
            parcel->broken = true;
            return;
        }
        parcel->data = data;
        parcel->capacity = capacity;
    }
    if (bytes > 0)
        memcpy(parcel->data + parcel->bytes, block, bytes);
    parcel->bytes += bytes;
}

void parcel_put_int(struct parcel *parcel, int64_t value)
{
    append(parcel, &value, sizeof value);
}

void parcel_put_block(struct parcel *parcel, const void *block, size_t bytes)
{
    parcel_put_int(parcel, (int64_t)bytes);
    append(parcel, block, bytes);
}

void parcel_put_text(struct parcel *parcel, const char *text)
{
    parcel_put_int(parcel, text != NULL);
    if (text != NULL)
        parcel_put_block(parcel, text, strlen(text) + 1);
}

int64_t parcel_get_int(struct parcel *parcel)
{
    int64_t value = 0;
    if (parcel->broken || parcel->bytes - parcel->at < sizeof value) {
        parcel->broken = true;
        return 0;
    }
    memcpy(&value, parcel->data + parcel->at, sizeof value);
    parcel->at += sizeof value;
    return value;
}

const unsigned char *parcel_get_block(struct parcel *parcel, size_t *bytes)
{
    const int64_t length = parcel_get_int(parcel);
    *bytes = 0;
    if (parcel->broken || length < 0 || (size_t)length > parcel->bytes - parcel->at) {
        parcel->broken = true;
        return NULL;
    }
    const unsigned char *block = parcel->data + parcel->at;
    parcel->at += (size_t)length;
    *bytes = (size_t)length;
    return block;
}

char *parcel_get_text(struct parcel *parcel)
{
    size_t bytes;
    if (parcel_get_int(parcel) == 0)
        return NULL;
    const unsigned char *block = parcel_get_block(parcel, &bytes);
    if (block == NULL || bytes == 0 || block[bytes - 1] != '\0') {
        parcel->broken = true;
        return NULL;
    }
    char *text = strdup((const char *)block);
    if (text == NULL)
        parcel->broken = true;
    return text;
}
