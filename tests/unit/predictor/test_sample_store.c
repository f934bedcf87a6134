/** @file test_sample_store.c  A samples file is locked, and only an own one removed. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "predictor/run/sample_store.h"

static char path[] = "test-store-XXXXXX";

/* Happens at the next lock: another process removes the file that it had locked; or the file system
 * turns out to have no locks. */
static enum { NOTHING, REMOVAL, NO_LOCKS } event;

/* Stands in for that of the C library. */
int fcntl(int descriptor, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    const bool locks = command == F_OFD_SETLK || command == F_OFD_SETLKW;
    if (locks && event == NO_LOCKS) {
        errno = ENOLCK;
        return -1;
    }
    if (locks && event == REMOVAL) {
        event = NOTHING;
        unlink(path);
    }
    return (int)syscall(SYS_fcntl, descriptor, command, argument);
}

/* An empty file of an unused name. */
static void begin(void)
{
    const int file = mkstemp(path);
    cr_assert(file >= 0 && close(file) == 0);
}

static void end(void)
{
    unlink(path);
}

static bool is_there(void)
{
    return access(path, F_OK) == 0;
}

static void open_store(struct nereus_sample_store *store, bool read)
{
    struct nereus_samples samples;
    struct nereus_error err = {.text = ""};
    cr_assert_eq(nereus_sample_store_lock(path, store, &err), NEREUS_OK, "%s", err.text);
    if (!read)
        return;
    cr_assert_eq(nereus_sample_store_read(store, "here", 1, &samples, &err), NEREUS_OK, "%s",
                 err.text);
    nereus_samples_fini(&samples);
}

TestSuite(store, .init = begin, .fini = end);

Test(store, a_second_is_refused)
{
    struct nereus_sample_store first, second;
    struct nereus_error err = {.text = ""};
    open_store(&first, false);
    cr_expect_eq(nereus_sample_store_lock(path, &second, &err), NEREUS_ERR_BUSY);
    cr_expect(strncmp(err.text, "another nereus is writing to ", 29) == 0, "%s", err.text);
    nereus_sample_store_close(&first);
    open_store(&second, false);
    nereus_sample_store_close(&second);
}

Test(store, no_locks_are_no_other_process)
{
    struct nereus_sample_store store;
    event = NO_LOCKS;
    open_store(&store, true);
    nereus_sample_store_close(&store);
}

/* Between open and lock the file was removed: rows would go into a file without a name. */
Test(store, a_removed_file_is_not_locked)
{
    struct nereus_sample_store store;
    struct stat locked, named;
    event = REMOVAL;
    open_store(&store, true);
    cr_assert(fstat(fileno(store.stream), &locked) == 0 && stat(path, &named) == 0);
    cr_expect_eq(locked.st_ino, named.st_ino);
    nereus_sample_store_close(&store);
}

Test(store, only_an_own_file_is_removed)
{
    struct nereus_sample_store store;
    for (int read = 0; read < 2; read++) {
        open_store(&store, read == 1);
        nereus_sample_store_close(&store);
        cr_expect(is_there(), "%d: it was there before", read);
    }
    for (int read = 0; read < 2; read++) {
        unlink(path);
        open_store(&store, read == 1);
        nereus_sample_store_close(&store);
        cr_expect(!is_there(), "%d: it has no row", read);
    }
}
