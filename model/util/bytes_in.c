/** @file bytes_in.c  Reads the bytes of a descriptor, and unpacks them if gzip has packed them (RFC
 * 1952). */
#include "bytes_in.h"

#include <unistd.h>

enum { CHUNK = 1 << 16 };

/* Fill the empty buffer.
 * @return as read() */
static ssize_t refill_bytes(struct nereus_bytes_in *input)
{
    ssize_t got;
    if (input->from == input->to)
        input->from = input->to = 0;
    do
        got = read(input->descriptor, input->bytes + input->to, CHUNK - input->to);
    while (got < 0 && errno == EINTR);
    input->to += got > 0 ? (size_t)got : 0;
    return got;
}

static bool is_at_gzip(const struct nereus_bytes_in *input)
{
    return input->to - input->from >= 2 && input->bytes[input->from] == 0x1f &&
           input->bytes[input->from + 1] == 0x8b;
}

/* Detect data of gzip by their first two bytes.
 * @return 0: no byte yet; below 0: an error */
static ssize_t detect_gzip(struct nereus_bytes_in *input)
{
    ssize_t got = 1;
    if (input->bytes == NULL)
        input->bytes = malloc(CHUNK);
    if (input->bytes == NULL)
        return -1;
    while (input->to < 2 && got > 0)
        got = refill_bytes(input);
    if (got < 0 || input->to == 0)
        return got;
    input->begun = true;
    input->packed = input->is_between_members = is_at_gzip(input);
    if (!input->packed)
        return 1;
    input->unpacker = nereus_gunzip_new();
    if (input->unpacker != NULL)
        return 1;
    return errno == ENOTSUP ? NEREUS_BYTES_IN_PACKED : -1;
}

/* @return number of unpacked bytes; NEREUS_BYTES_IN_DAMAGED */
static ssize_t unpack_bytes(struct nereus_bytes_in *input, char *to, size_t capacity)
{
    struct nereus_gunzip_buffers buffers = {input->bytes + input->from, input->bytes + input->to,
                                            to, capacity, false};
    const ssize_t unpacked = nereus_gunzip_next(input->unpacker, &buffers);
    input->from = (size_t)(buffers.input - input->bytes);
    input->is_between_members = buffers.member_ends;
    return unpacked < 0 ? NEREUS_BYTES_IN_DAMAGED : unpacked;
}

/* Accept zeros after the last member, as tapes have them.
 * @return as read_packed */
static ssize_t read_end(struct nereus_bytes_in *input)
{
    ssize_t got = 1;
    while (got > 0) {
        while (input->from < input->to && input->bytes[input->from] == 0)
            input->from++;
        if (input->from < input->to)
            return NEREUS_BYTES_IN_FOLLOWED;
        got = refill_bytes(input);
    }
    return got;
}

/* Read the members of a gzip file as one text. */
static ssize_t read_packed(struct nereus_bytes_in *input, char *to, size_t capacity)
{
    for (;;) {
        ssize_t got = 1;
        while (input->to - input->from < (input->is_between_members ? 2 : 1) && got > 0) {
            memmove(input->bytes, input->bytes + input->from, input->to - input->from);
            input->to -= input->from;
            input->from = 0;
            got = refill_bytes(input);
        }
        if (got < 0)
            return got;
        if (input->is_between_members &&
            (!is_at_gzip(input) || !nereus_gunzip_begin(input->unpacker)))
            return read_end(input);
        if (input->from == input->to)
            return NEREUS_BYTES_IN_DAMAGED;
        const ssize_t unpacked = unpack_bytes(input, to, capacity);
        if (unpacked != 0)
            return unpacked;
    }
}

ssize_t nereus_bytes_in_read(struct nereus_bytes_in *input, char *to, size_t capacity)
{
    if (!input->begun) {
        const ssize_t begun = detect_gzip(input);
        if (begun <= 0)
            return begun;
    }
    if (capacity > CHUNK)
        capacity = CHUNK;
    if (input->packed)
        return read_packed(input, to, capacity);
    const ssize_t got = input->from == input->to ? refill_bytes(input) : 1;
    if (got <= 0)
        return got;
    const size_t count = input->to - input->from < capacity ? input->to - input->from : capacity;
    memcpy(to, input->bytes + input->from, count);
    input->from += count;
    return (ssize_t)count;
}

void nereus_bytes_in_fini(struct nereus_bytes_in *input)
{
    nereus_gunzip_free(input->unpacker);
    free(input->bytes);
    *input = (struct nereus_bytes_in){.descriptor = -1};
}
