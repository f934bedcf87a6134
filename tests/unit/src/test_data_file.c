/**
 * @file test_data_file.c
 * Ranges of a file, written by several: at any offset, short and longer than a piece, the file
 * is what was written.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/crc32.h"
#include "src/checkpoint/data_file.h"
#include "tests/unit/random.h"

enum { MIB = 1 << 20, LONGEST = 37 * MIB };

static struct nereus_error err;
static unsigned char *values, *read_back;

static void begin(void)
{
    values = malloc(LONGEST);
    read_back = malloc(LONGEST);
    for (int64_t i = 0; i < LONGEST; i++)
        values[i] = (unsigned char)(i * 2654435761u >> 13);
}

static void end(void)
{
    free(values);
    free(read_back);
}

TestSuite(data_file, .init = begin, .fini = end);

/* Write bytes from .. to - 1 in calls of at most `piece`. */
static void write_range(const char *folder, int64_t from, int64_t to, int64_t piece)
{
    struct data_file file;
    cr_assert_eq(nereus_data_file_open(folder, "x.bin", true, from, &file, &err), NEREUS_OK);
    for (int64_t at = from; at < to; at += piece)
        cr_assert_eq(
            nereus_data_file_write(&file, values + at, at + piece < to ? piece : to - at, &err),
            NEREUS_OK, "%s", err.text);
    cr_assert_eq(nereus_data_file_close(&file, &err), NEREUS_OK, "%s", err.text);
    cr_expect_eq(file.bytes, to - from);
    cr_expect_eq(file.crc32, nereus_crc32(0, values + from, (size_t)(to - from)));
}

static void compare(const char *folder, int64_t bytes)
{
    struct data_file file;
    memset(read_back, 0, (size_t)bytes);
    cr_assert_eq(nereus_data_file_open(folder, "x.bin", false, 0, &file, &err), NEREUS_OK);
    cr_assert_eq(nereus_data_file_read(&file, read_back, bytes, &err), NEREUS_OK, "%s", err.text);
    cr_expect_eq(file.crc32, nereus_crc32(0, values, (size_t)bytes));
    cr_expect(memcmp(read_back, values, (size_t)bytes) == 0);
    cr_expect_neq(nereus_data_file_read(&file, read_back, 1, &err), NEREUS_OK, "it is longer");
    nereus_data_file_close(&file, &err);
}

/* Neighbours share pages, and write in any order. */
static void write_and_compare(const char *where, int64_t bytes, int64_t cut, int64_t piece)
{
    char folder[64], command[80];
    snprintf(folder, sizeof folder, "%s/nereus-data-XXXXXX", where);
    cr_assert_not_null(mkdtemp(folder));
    write_range(folder, cut, bytes, piece);
    write_range(folder, 0, cut, piece);
    compare(folder, bytes);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
}

Test(data_file, ranges_make_the_file)
{
    write_and_compare("/tmp", LONGEST, 17 * MIB + 77, 5 * MIB + 3);
    write_and_compare("/tmp", 16 * MIB, 8 * MIB, LONGEST);
    write_and_compare("/tmp", 24 * MIB + 4097, 8 * MIB + 4095, MIB);
    write_and_compare("/tmp", 9 * MIB, 8 * MIB - 1, 100001);
    write_and_compare("/tmp", 5000, 4096, 8);
    write_and_compare("/tmp", 100, 7, 3);
    write_and_compare("/tmp", 3, 0, 3);
    for (int i = 0; i < 5; i++)
        write_and_compare("/tmp", 12 * MIB + rand() % MIB, rand() % (12 * MIB),
                          1 + rand() % LONGEST);
}

Test(data_file, in_memory)
{
    write_and_compare("/dev/shm", LONGEST, 17 * MIB + 77, 5 * MIB + 3);
}

Test(data_file, a_full_disk_is_said)
{
    struct data_file file;
    cr_assert_eq(nereus_data_file_open("/dev", "full", true, 0, &file, &err), NEREUS_OK);
    enum nereus_status status = nereus_data_file_write(&file, values, LONGEST, &err);
    if (status == NEREUS_OK)
        status = nereus_data_file_close(&file, &err);
    cr_expect_eq(status, NEREUS_ERR_IO);
    cr_expect_not_null(strstr(err.text, "No space left on device"), "%s", err.text);
}
