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

/* Write or read the next bytes piece by piece.
 * @param data  read from, if the file is written */
static enum nereus_status access_bytes(struct data_file *file, unsigned char *data, int64_t bytes,
                                       struct nereus_error *err)
{
    for (int64_t done = 0; done < bytes;) {
        const size_t piece = (size_t)nereus_min(bytes - done, piece_bytes);
        const ssize_t moved = file->writes
                                  ? pwrite(file->descriptor, data + done, piece, file->offset)
                                  : pread(file->descriptor, data + done, piece, file->offset);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved == 0 && !file->writes)
            return nereus_fail(err, NEREUS_ERR_IO, "'%.300s' ends after %lld bytes, too early",
                               file->path, (long long)file->offset);
        if (moved == 0) /* never observed; without this check the loop would not end */
            errno = ENOSPC;
        if (moved <= 0)
            return fail_file(file, file->writes ? "written" : "read", err);
        file->crc32 = nereus_crc32(file->crc32, data + done, (size_t)moved);
        done += moved;
        file->offset += moved;
        file->bytes += moved;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_data_file_write(struct data_file *file, const void *data, int64_t bytes,
                                          struct nereus_error *err)
{
    if (file->copy == NULL)
        return access_bytes(file, (unsigned char *)(uintptr_t)data, bytes, err);
    if (bytes > 0)
        memcpy(file->copy + file->bytes, data, (size_t)bytes);
    file->bytes += bytes;
    return NEREUS_OK;
}

enum nereus_status nereus_data_file_read(struct data_file *file, void *data, int64_t bytes,
                                         struct nereus_error *err)
{
    return access_bytes(file, data, bytes, err);
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
