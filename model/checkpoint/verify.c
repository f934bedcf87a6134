/** @file verify.c  Compares the files of a checkpoint with the checksums of its manifest. */
#include <fcntl.h>
#include <unistd.h>

#include "manifest.h"
#include "model/util/crc32.h"

enum { BLOCK = 1 << 20 };

static enum nereus_status compute_file_crc(const char *name, uint32_t *crc,
                                           struct nereus_error *err)
{
    unsigned char *block = malloc(BLOCK);
    NEREUS_TRY_MEMORY(block, err, "to read '%s'", name);
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t got = file < 0 ? -1 : 0;
    uint32_t sum = 0;
    while (file >= 0 && (got = read(file, block, BLOCK)) > 0)
        sum = nereus_crc32(sum, block, (size_t)got);
    const int reason = errno;
    if (file >= 0)
        close(file);
    free(block);
    *crc = sum;
    return got == 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_IO, "'%s' cannot be read: %s", name, strerror(reason));
}

static enum nereus_status verify_file(const char *path, const struct nereus_checkpoint_file *file,
                                      struct nereus_error *err)
{
    char name[PATH_MAX];
    uint32_t crc = 0;
    if (file->name[0] == '\0')
        return NEREUS_OK;
    if (!nereus_manifest_make_path(path, file->name, name))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the path of a checkpoint is too long: '%s'",
                           path);
    NEREUS_TRY(compute_file_crc(name, &crc, err));
    return crc == file->crc32
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_PARSE,
                             "'%s' is not as it was written: its checksum (crc32) is %08x, that of "
                             "the manifest %08x",
                             name, crc, file->crc32);
}

enum nereus_status nereus_checkpoint_verify(const char *path,
                                            const struct nereus_checkpoint *checkpoint,
                                            struct nereus_error *err)
{
    NEREUS_TRY(verify_file(path, &checkpoint->state, err));
    for (int64_t i = 0; i < checkpoint->object_count; i++) {
        NEREUS_TRY(verify_file(path, &checkpoint->objects[i].values, err));
        NEREUS_TRY(verify_file(path, &checkpoint->objects[i].index, err));
    }
    return NEREUS_OK;
}
