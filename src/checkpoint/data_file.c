/*
 * What is written is collected in blocks that go to the disk past the page cache (O_DIRECT): the
 * first touch of the cache's pages takes the processor several times as long, and a thread that
 * waits for the disk leaves it to the application.
 * Where a range begins or ends within a page, where it is shorter than a block, and where the file
 * system refuses, the page cache is used.
 */
#include "data_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "model/util/crc32.h"
#include "model/util/try.h"

/* The checksum of a piece is computed while the piece is still in the processor's cache. */
static const int64_t PIECE_BYTES = 1 << 18;
/* Of memory, file and length of a write past the page cache; disks ask for 512 or 4096. */
static const int64_t PAGE_BYTES = 4096;
static const int64_t BLOCK_BYTES = 8 << 20;

static enum nereus_status failed(const struct data_file *file, const char *what,
                                 struct nereus_error *err)
{
    char host[64] = "";
    const int code = errno;
    gethostname(host, sizeof host - 1);
    return nereus_fail(err, NEREUS_ERR_IO, "'%.300s' cannot be %s on host %s: %s", file->path, what,
                       host, strerror(code));
}

enum nereus_status nereus_data_file_open(const char *folder, const char *name, bool writes,
                                         int64_t offset, struct data_file *file,
                                         struct nereus_error *err)
{
    *file = (struct data_file){
        .descriptor = -1, .writes = writes, .at = offset, .block.descriptor = -1};
    const int length = snprintf(file->path, sizeof file->path, "%s/%s", folder, name);
    if (length >= (int)sizeof file->path)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of the checkpoint is too long");
    do
        file->descriptor =
            open(file->path, writes ? O_WRONLY | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0666);
    while (file->descriptor < 0 && errno == EINTR);
    return file->descriptor < 0 ? failed(file, "opened", err) : NEREUS_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Write the bytes begin .. end - 1 of the block, of which the last is that before file->at. */
static enum nereus_status write_part(const struct data_file *file, int descriptor, int64_t begin,
                                     int64_t end, struct nereus_error *err)
{
    const int64_t first = file->at - file->block.end;
    while (begin < end) {
        const ssize_t written =
            pwrite(descriptor, file->block.memory + begin, (size_t)(end - begin), first + begin);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0) /* never seen, and would be an endless loop */
            errno = ENOSPC;
        if (written <= 0)
            return failed(file, "written", err);
        begin += written;
    }
    return NEREUS_OK;
}

/* Write whole pages past the cache. @return false: not possible */
static bool write_directly(struct data_file *file, int64_t begin, int64_t end)
{
    if (file->block.descriptor < 0 && !file->block.refused)
        file->block.descriptor = open(file->path, O_WRONLY | O_DIRECT | O_CLOEXEC);
    /* Whatever fails is said when it is tried again, through the cache */
    file->block.refused = file->block.refused || file->block.descriptor < 0 ||
                          write_part(file, file->block.descriptor, begin, end, NULL) != NEREUS_OK;
    return !file->block.refused;
}

/* Write the block, which is empty then. A file that never fills one needs no second descriptor. */
static enum nereus_status flush(struct data_file *file, struct nereus_error *err)
{
    const int64_t end = file->block.end, whole_end = end / PAGE_BYTES * PAGE_BYTES,
                  page = (file->block.begin + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    const bool is_large = end == BLOCK_BYTES || file->block.descriptor >= 0,
               direct = is_large && page < whole_end && write_directly(file, page, whole_end);
    enum nereus_status status =
        write_part(file, file->descriptor, file->block.begin, direct ? page : end, err);
    if (status == NEREUS_OK && direct)
        status = write_part(file, file->descriptor, whole_end, end, err);
    file->block.begin = file->block.end = 0;
    return status;
}

/* The first block begins within a page if the range does. */
static enum nereus_status make_block(struct data_file *file, struct nereus_error *err)
{
    if (file->block.memory != NULL)
        return NEREUS_OK;
    file->block.memory = aligned_alloc((size_t)PAGE_BYTES, (size_t)BLOCK_BYTES);
    NEREUS_TRY_MEMORY(file->block.memory, err, "to write '%.300s'", file->path);
    file->block.begin = file->block.end = file->at % PAGE_BYTES;
    return NEREUS_OK;
}

void nereus_data_file_open_memory(void *memory, struct data_file *file)
{
    *file = (struct data_file){
        .descriptor = -1, .writes = true, .copy = memory, .block.descriptor = -1};
}

enum nereus_status nereus_data_file_write(struct data_file *file, const void *data, int64_t bytes,
                                          struct nereus_error *err)
{
    const unsigned char *from = data;
    if (file->copy != NULL) {
        if (bytes > 0)
            memcpy(file->copy + file->bytes, data, (size_t)bytes);
        file->bytes += bytes;
        return NEREUS_OK;
    }
    NEREUS_TRY(make_block(file, err));
    for (int64_t done = 0; done < bytes;) {
        const int64_t room = BLOCK_BYTES - file->block.end, left = bytes - done,
                      most = room < PIECE_BYTES ? room : PIECE_BYTES,
                      piece = left < most ? left : most;
        memcpy(file->block.memory + file->block.end, from + done, (size_t)piece);
        file->crc32 = nereus_crc32(file->crc32, from + done, (size_t)piece);
        file->block.end += piece;
        file->at += piece;
        file->bytes += piece;
        done += piece;
        if (file->block.end == BLOCK_BYTES)
            NEREUS_TRY(flush(file, err));
    }
    return NEREUS_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* What has been written past the cache, or long ago, is read so, too. */
static bool is_cached(const struct data_file *file)
{
    char byte;
    const struct iovec one = {&byte, 1};
    return preadv2(file->descriptor, &one, 1, file->at, RWF_NOWAIT) >= 0 || errno != EAGAIN;
}

/* Read up to a block past the cache, from the page on in which the next byte is.
 * @return bytes; 0 or less: not possible */
static int64_t read_directly(struct data_file *file, unsigned char *to)
{
    const int64_t skipped = file->at % PAGE_BYTES;
    if (file->block.memory == NULL)
        file->block.memory = aligned_alloc((size_t)PAGE_BYTES, (size_t)BLOCK_BYTES);
    if (file->block.descriptor < 0)
        file->block.descriptor = open(file->path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    const int64_t got = file->block.memory == NULL || file->block.descriptor < 0
                            ? -1
                            : pread(file->block.descriptor, file->block.memory, (size_t)BLOCK_BYTES,
                                    file->at - skipped) -
                                  skipped;
    file->block.refused = got <= 0; /* whatever it is, it is said by the other way */
    if (got > 0)
        memcpy(to, file->block.memory + skipped, (size_t)got);
    return got;
}

static int64_t read_some(struct data_file *file, unsigned char *to, int64_t most)
{
    int64_t got = 0;
    if (most >= BLOCK_BYTES && !file->block.refused && !is_cached(file))
        got = read_directly(file, to);
    return got > 0 ? got
                   : pread(file->descriptor, to, (size_t)(most < PIECE_BYTES ? most : PIECE_BYTES),
                           file->at);
}

enum nereus_status nereus_data_file_read(struct data_file *file, void *data, int64_t bytes,
                                         struct nereus_error *err)
{
    unsigned char *to = data;
    for (int64_t done = 0; done < bytes;) {
        const int64_t got = read_some(file, to + done, bytes - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return failed(file, "read", err);
        if (got == 0)
            return nereus_fail(err, NEREUS_ERR_IO, "'%.300s' ends after %lld bytes, too early",
                               file->path, (long long)file->at);
        file->crc32 = nereus_crc32(file->crc32, to + done, (size_t)got);
        done += got;
        file->at += got;
        file->bytes += got;
    }
    return NEREUS_OK;
}

/* ---- end ------------------------------------------------------------------------------------- */

static enum nereus_status finish_writing(struct data_file *file, struct nereus_error *err)
{
    if (file->block.memory != NULL)
        NEREUS_TRY(flush(file, err));
    /* A pipe or a special file cannot be synchronised */
    return fsync(file->descriptor) == 0 || errno == EINVAL ? NEREUS_OK
                                                           : failed(file, "written", err);
}

enum nereus_status nereus_data_file_close(struct data_file *file, struct nereus_error *err)
{
    if (file->descriptor < 0)
        return NEREUS_OK;
    enum nereus_status status = file->writes ? finish_writing(file, err) : NEREUS_OK;
    if (file->block.descriptor >= 0)
        close(file->block.descriptor);
    if (close(file->descriptor) != 0 && file->writes && status == NEREUS_OK && errno != EINTR)
        status = failed(file, "written", err);
    free(file->block.memory);
    file->descriptor = file->block.descriptor = -1;
    file->block.memory = NULL;
    return status;
}
