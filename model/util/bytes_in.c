/** @file bytes_in.c  Reads the bytes of a descriptor, and unpacks them if gzip has packed them (RFC
 * 1952). */
#include "bytes_in.h"

#include <unistd.h>

enum { CHUNK = 1 << 16 };

/* Fill the empty buffer.
 * @return as read() */
static ssize_t refill_bytes(struct nereus_bytes_in *in)
{
    ssize_t got;
    if (in->from == in->to)
        in->from = in->to = 0;
    do
        got = read(in->descriptor, in->bytes + in->to, CHUNK - in->to);
    while (got < 0 && errno == EINTR);
    in->to += got > 0 ? (size_t)got : 0;
    return got;
}

static bool is_at_gzip(const struct nereus_bytes_in *in)
{
    return in->to - in->from >= 2 && in->bytes[in->from] == 0x1f && in->bytes[in->from + 1] == 0x8b;
}

/* Detect data of gzip by their first two bytes.
 * @return 0: no byte yet; below 0: an error */
static ssize_t detect_gzip(struct nereus_bytes_in *in)
{
    ssize_t got = 1;
    if (in->bytes == NULL)
        in->bytes = malloc(CHUNK);
    if (in->bytes == NULL)
        return -1;
    while (in->to < 2 && got > 0)
        got = refill_bytes(in);
    if (got < 0 || in->to == 0)
        return got;
    in->begun = true;
    in->packed = in->is_between_members = is_at_gzip(in);
    if (!in->packed)
        return 1;
    in->unpacker = nereus_gunzip_new();
    if (in->unpacker != NULL)
        return 1;
    return errno == ENOTSUP ? NEREUS_BYTES_IN_PACKED : -1;
}

/* @return number of unpacked bytes; NEREUS_BYTES_IN_DAMAGED */
static ssize_t unpack_bytes(struct nereus_bytes_in *in, char *to, size_t capacity)
{
    struct nereus_gunzip_buffers buffers = {in->bytes + in->from, in->bytes + in->to, to, capacity,
                                            false};
    const ssize_t unpacked = nereus_gunzip_next(in->unpacker, &buffers);
    in->from = (size_t)(buffers.packed - in->bytes);
    in->is_between_members = buffers.member_ends;
    return unpacked < 0 ? NEREUS_BYTES_IN_DAMAGED : unpacked;
}

/* Accept zeros after the last member, as tapes have them.
 * @return as read_packed */
static ssize_t read_end(struct nereus_bytes_in *in)
{
    ssize_t got = 1;
    while (got > 0) {
        while (in->from < in->to && in->bytes[in->from] == 0)
            in->from++;
        if (in->from < in->to)
            return NEREUS_BYTES_IN_FOLLOWED;
        got = refill_bytes(in);
    }
    return got;
}

/* Read the members of a gzip file as one text. */
static ssize_t read_packed(struct nereus_bytes_in *in, char *to, size_t capacity)
{
    for (;;) {
        ssize_t got = 1;
        while (in->to - in->from < (in->is_between_members ? 2 : 1) && got > 0) {
            memmove(in->bytes, in->bytes + in->from, in->to - in->from);
            in->to -= in->from;
            in->from = 0;
            got = refill_bytes(in);
        }
        if (got < 0)
            return got;
        if (in->is_between_members && (!is_at_gzip(in) || !nereus_gunzip_begin(in->unpacker)))
            return read_end(in);
        if (in->from == in->to)
            return NEREUS_BYTES_IN_DAMAGED;
        const ssize_t unpacked = unpack_bytes(in, to, capacity);
        if (unpacked != 0)
            return unpacked;
    }
}

ssize_t nereus_bytes_in_read(struct nereus_bytes_in *in, char *to, size_t capacity)
{
    if (!in->begun) {
        const ssize_t begun = detect_gzip(in);
        if (begun <= 0)
            return begun;
    }
    if (capacity > CHUNK)
        capacity = CHUNK;
    if (in->packed)
        return read_packed(in, to, capacity);
    const ssize_t got = in->from == in->to ? refill_bytes(in) : 1;
    if (got <= 0)
        return got;
    const size_t count = in->to - in->from < capacity ? in->to - in->from : capacity;
    memcpy(to, in->bytes + in->from, count);
    in->from += count;
    return (ssize_t)count;
}

void nereus_bytes_in_fini(struct nereus_bytes_in *in)
{
    nereus_gunzip_free(in->unpacker);
    free(in->bytes);
    *in = (struct nereus_bytes_in){.descriptor = -1};
}
