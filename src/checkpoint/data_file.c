/** @file data_file.c  Reads and writes a range, in pieces, with a checksum over all of them. */
#include "data_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "model/util/crc32.h"

/* The checksum of a piece is computed while the piece is still in the processor's cache. */
static const int64_t piece_bytes = 1 << 20;

static enum nereus_status fail_file(const struct data_file *file, const char *what,
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
    *file = (struct data_file){.descriptor = -1, .writes = writes, .offset = offset};
    const int length = snprintf(file->path, sizeof file->path, "%s/%s", folder, name);
    if (length >= (int)sizeof file->path)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of the checkpoint is too long");
    do
        file->descriptor =
            open(file->path, writes ? O_WRONLY | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0666);
    while (file->descriptor < 0 && errno == EINTR);
    return file->descriptor < 0 ? fail_file(file, "opened", err) : NEREUS_OK;
}

void nereus_data_file_open_memory(void *memory, struct data_file *file)
{
    *file = (struct data_file){.descriptor = -1, .writes = true, .copy = memory};
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
    for (int64_t done = 0; done < bytes;) {
        const int64_t piece = bytes - done < piece_bytes ? bytes - done : piece_bytes;
        const ssize_t written = pwrite(file->descriptor, from + done, (size_t)piece, file->offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written == 0) /* never observed; without this check the loop would not end */
            errno = ENOSPC;
        if (written <= 0)
            return fail_file(file, "written", err);
        file->crc32 = nereus_crc32(file->crc32, from + done, (size_t)written);
        done += written;
        file->offset += written;
        file->bytes += written;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_data_file_read(struct data_file *file, void *data, int64_t bytes,
                                         struct nereus_error *err)
{
    unsigned char *to = data;
    for (int64_t done = 0; done < bytes;) {
        const int64_t piece = bytes - done < piece_bytes ? bytes - done : piece_bytes;
        const ssize_t got = pread(file->descriptor, to + done, (size_t)piece, file->offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_file(file, "read", err);
        if (got == 0)
            return nereus_fail(err, NEREUS_ERR_IO, "'%.300s' ends after %lld bytes, too early",
                               file->path, (long long)file->offset);
        file->crc32 = nereus_crc32(file->crc32, to + done, (size_t)got);
        done += got;
        file->offset += got;
        file->bytes += got;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_data_file_close(struct data_file *file, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    if (file->descriptor < 0)
        return NEREUS_OK;
    /* A pipe or a special file cannot be synchronised */
    if (file->writes && fsync(file->descriptor) != 0 && errno != EINVAL)
        status = fail_file(file, "written", err);
    if (close(file->descriptor) != 0 && file->writes && status == NEREUS_OK && errno != EINTR)
        status = fail_file(file, "written", err);
    file->descriptor = -1;
    return status;
}
