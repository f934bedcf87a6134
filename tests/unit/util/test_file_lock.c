/** @file test_file_lock.c  What locking a file says. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "model/util/file.h"

/* Another process renames a file to this path before the next lock; NULL: none. */
static const char *replaced;
/* How the next lock fails, as on a file system that has none; 0: it is taken. */
static int lock_error;

/* Stands in for that of the C library. */
int fcntl(int descriptor, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if ((command == F_OFD_SETLK || command == F_OFD_SETLKW) && lock_error != 0) {
        errno = lock_error;
        lock_error = 0;
        return -1;
    }
    if (command == F_OFD_SETLK && replaced != NULL) {
        cr_assert(rename("test-lock-new", replaced) == 0);
        replaced = NULL;
    }
    return (int)syscall(SYS_fcntl, descriptor, command, argument);
}

Test(file_lock, one_holds_it)
{
    FILE *stream = tmpfile();
    char path[32];
    cr_assert(stream != NULL);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(stream));
    const int other = open(path, O_RDWR | O_CLOEXEC);
    cr_assert(other >= 0);
    cr_expect_eq(nereus_file_lock(fileno(stream), false), NEREUS_FILE_LOCKED);
    cr_expect_eq(nereus_file_lock(other, false), NEREUS_FILE_LOCK_BUSY);
    fclose(stream);
    cr_expect_eq(nereus_file_lock(other, true), NEREUS_FILE_LOCKED);
    close(other);
}

/* What has the path after a rename is locked, and not the file that had it before. */
Test(file_lock, a_replaced_file_is_not_locked)
{
    struct stat named, locked;
    int descriptor, second;
    bool created;
    FILE *stream = fopen("test-lock-new", "w");
    cr_assert(stream != NULL && fclose(stream) == 0 && stat("test-lock-new", &named) == 0);
    replaced = "test-lock";
    cr_expect_eq(nereus_file_open_locked("test-lock", &descriptor, &created), NEREUS_FILE_LOCKED);
    cr_assert(fstat(descriptor, &locked) == 0);
    cr_expect_eq(locked.st_ino, named.st_ino);
    cr_expect(!created, "the renamed file was there");
    cr_expect_eq(nereus_file_open_locked("test-lock", &second, &created), NEREUS_FILE_LOCK_BUSY);
    cr_expect_eq(second, -1);
    close(descriptor);
    unlink("test-lock");
}

Test(file_lock, not_every_failure_is_another_process)
{
    static const struct {
        int error;
        enum nereus_file_lock expected;
    } rows[] = {
        {EAGAIN, NEREUS_FILE_LOCK_BUSY}, {EINTR, NEREUS_FILE_LOCKED},
        {ENOLCK, NEREUS_FILE_LOCK_NONE}, {ENOSYS, NEREUS_FILE_LOCK_NONE},
        {EINVAL, NEREUS_FILE_LOCK_NONE}, {EOPNOTSUPP, NEREUS_FILE_LOCK_NONE},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        FILE *stream = tmpfile();
        cr_assert(stream != NULL);
        lock_error = rows[i].error;
        cr_expect_eq(nereus_file_lock(fileno(stream), false), rows[i].expected, "%s",
                     strerror(rows[i].error));
        fclose(stream);
    }
}
