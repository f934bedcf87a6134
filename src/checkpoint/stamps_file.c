/**
 * @file stamps_file.c
 * Reads and writes the times of the processes that end for a planned restart.
 */
#include "stamps_file.h"

#include <unistd.h>

#include "data_file.h"

static const char file_name[] = "stamps.bin";

static int64_t count_bytes(const struct kept_stamps *stamps)
{
    return stamps->rows * stamps->doubles * (int64_t)sizeof *stamps->packed_times;
}

enum nereus_status nereus_stamps_file_write(const char *checkpoint,
                                            const struct kept_stamps *stamps,
                                            struct nereus_error *err)
{
    struct data_file file;
    struct nereus_error ignored;
    NEREUS_TRY(nereus_data_file_open(checkpoint, file_name, true, 0, &file, err));
    enum nereus_status status = nereus_data_file_write(&file, stamps, (int64_t)sizeof *stamps, err);
    if (status == NEREUS_OK)
        status = nereus_data_file_write(&file, stamps->packed_times, count_bytes(stamps), err);
    nereus_data_file_close(&file, &ignored);
    return status;
}

static enum nereus_status read_rows(struct data_file *file, struct kept_stamps *stamps,
                                    struct nereus_error *err)
{
    enum { MOST = 1 << 24 };
    NEREUS_TRY(nereus_data_file_read(file, stamps, (int64_t)sizeof *stamps, err));
    stamps->packed_times = NULL;
    if (stamps->rows < 0 || stamps->rows > MOST || stamps->doubles < 0 || stamps->doubles > MOST)
        return nereus_fail(err, NEREUS_ERR_PARSE, "'%.300s' has no times", file->path);
    stamps->packed_times = malloc((size_t)count_bytes(stamps) + 1);
    NEREUS_TRY_MEMORY(stamps->packed_times, err, "for the times of %lld processes",
                      (long long)stamps->rows);
    return nereus_data_file_read(file, stamps->packed_times, count_bytes(stamps), err);
}

bool nereus_stamps_file_exists(const char *checkpoint)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", checkpoint, file_name);
    return access(path, F_OK) == 0;
}

enum nereus_status nereus_stamps_file_extract(const char *checkpoint, struct kept_stamps *stamps,
                                              struct nereus_error *err)
{
    struct data_file file;
    struct nereus_error ignored;
    *stamps = (struct kept_stamps){.packed_times = NULL};
    NEREUS_TRY(nereus_data_file_open(checkpoint, file_name, false, 0, &file, err));
    const enum nereus_status status = read_rows(&file, stamps, err);
    nereus_data_file_close(&file, &ignored);
    unlink(file.path); /* if that fails, a later attempt reports this change of size again */
    if (status == NEREUS_OK)
        return NEREUS_OK;
    free(stamps->packed_times);
    stamps->packed_times = NULL;
    return status;
}
