/** @file gunzip_with_zlib.c  Unpacks gzip's data by zlib. */
#include <zlib.h>

#include "gunzip.h"

enum { GZIP_WITH_LARGEST_WINDOW = 15 + 16 };

struct nereus_gunzip {
    z_stream stream;
};

struct nereus_gunzip *nereus_gunzip_new(void)
{
    struct nereus_gunzip *unpacker = calloc(1, sizeof *unpacker);
    if (unpacker != NULL && inflateInit2(&unpacker->stream, GZIP_WITH_LARGEST_WINDOW) == Z_OK)
        return unpacker;
    free(unpacker);
    errno = ENOMEM;
    return NULL;
}

void nereus_gunzip_free(struct nereus_gunzip *unpacker)
{
    if (unpacker != NULL)
        inflateEnd(&unpacker->stream);
    free(unpacker);
}

bool nereus_gunzip_begin(struct nereus_gunzip *unpacker)
{
    return inflateReset(&unpacker->stream) == Z_OK;
}

ssize_t nereus_gunzip_next(struct nereus_gunzip *unpacker, struct nereus_gunzip_buffers *buffers)
{
    z_stream *stream = &unpacker->stream;
    stream->next_in = (z_const Bytef *)buffers->input;
    stream->avail_in = (uInt)(buffers->input_end - buffers->input);
    stream->next_out = (Bytef *)buffers->output;
    stream->avail_out = (uInt)buffers->capacity;
    const int result = inflate(stream, Z_NO_FLUSH);
    buffers->input = buffers->input_end - stream->avail_in;
    buffers->member_ends = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return -1;
    return (ssize_t)(buffers->capacity - stream->avail_out);
}
