/** @file data_file.h  Writes or reads a range of a file of a checkpoint in one process. No MPI. */
#pragma once

#include "model/util/base.h"

/** A range that is accessed from its beginning to its end. */
struct data_file {
    int descriptor; /* -1: not open */
    bool writes;
    char path[PATH_MAX];
    int64_t offset;      /* offset of the next byte */
    int64_t bytes;       /* bytes accessed so far */
    uint32_t crc32;      /* checksum of these bytes */
    unsigned char *copy; /* memory that is written instead of the file; NULL: the file is written */
};

/** Open FOLDER/NAME at an offset; a file that is written is created if it does not exist. */
enum nereus_status nereus_data_file_open(const char *folder, const char *name, bool writes,
                                         int64_t offset, struct data_file *file,
                                         struct nereus_error *err);
/** Open memory that is written instead of a file, without a checksum. The memory must be long
 * enough. */
void nereus_data_file_open_memory(void *memory, struct data_file *file);
/** Append bytes to the range, and to its checksum. */
enum nereus_status nereus_data_file_write(struct data_file *file, const void *data, int64_t bytes,
                                          struct nereus_error *err);
/** Read the next bytes of the range. A file that ends before them is an error. */
enum nereus_status nereus_data_file_read(struct data_file *file, void *data, int64_t bytes,
                                         struct nereus_error *err);
/** Synchronise a written file with the disk, and close it. No effect on a file that is not open. */
enum nereus_status nereus_data_file_close(struct data_file *file, struct nereus_error *err);
