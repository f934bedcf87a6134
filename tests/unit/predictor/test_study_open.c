/** @file test_study_open.c  Of two commands that begin in a study's folder at once, one goes on. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "model/util/file.h"
#include "predictor/study/study_run.h"

static char folder[] = "test-study-XXXXXX", file[64], copy[64];
static struct nereus_study study = {.file = file};
static struct nereus_study_work one = {.study = &study, .lock = -1},
                                other = {.study = &study, .lock = -1};

/* Happens once, at a call of this function: the other command begins. */
static enum { NOTHING, AT_LOCK, AT_RENAME } event;
static enum nereus_status other_status;

static void let_happen(int now)
{
    if ((int)event != now)
        return;
    event = NOTHING;
    other_status = nereus_study_open(&other, folder, NULL);
}

/* Stand in for those of the C library. */
int fcntl(int descriptor, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (command == F_OFD_SETLK)
        let_happen(AT_LOCK);
    return (int)syscall(SYS_fcntl, descriptor, command, argument);
}

int rename(const char *old_path, const char *new_path)
{
    let_happen(AT_RENAME);
    return (int)syscall(SYS_renameat2, AT_FDCWD, old_path, AT_FDCWD, new_path, 0);
}

static void begin(void)
{
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/given.ini", folder);
    snprintf(copy, sizeof copy, "%s/study.ini", folder);
    FILE *stream = fopen(file, "w");
    cr_assert(stream != NULL && fputs("[study]\n", stream) >= 0 && fclose(stream) == 0);
}

static void end(void)
{
    nereus_study_work_fini(&one);
    nereus_study_work_fini(&other);
    nereus_file_remove_tree(folder);
}

TestSuite(study_open, .init = begin, .fini = end);

static void check_one_goes_on(const char *when)
{
    struct stat locked, named;
    const enum nereus_status status = nereus_study_open(&one, folder, NULL);
    cr_expect_eq(event, NOTHING, "%s: the other command did not begin", when);
    cr_expect((status == NEREUS_OK && other_status == NEREUS_ERR_BUSY) ||
                  (status == NEREUS_ERR_BUSY && other_status == NEREUS_OK),
              "%s: %d and %d", when, status, other_status);
    cr_assert(fstat(status == NEREUS_OK ? one.lock : other.lock, &locked) == 0 &&
              stat(copy, &named) == 0);
    cr_expect_eq(locked.st_ino, named.st_ino, "%s: what is locked has no name", when);
    cr_expect_eq(named.st_size, 8, "%s: no copy of the study", when);
}

Test(study_open, the_other_begins_before_the_copy_is_there)
{
    event = AT_RENAME;
    check_one_goes_on("at the rename");
}

Test(study_open, the_other_begins_before_the_lock)
{
    event = AT_LOCK;
    check_one_goes_on("at the lock");
}

/* As after a kill before the copy was written. */
Test(study_open, an_empty_copy_is_written)
{
    FILE *stream = fopen(copy, "w");
    cr_assert(stream != NULL && fclose(stream) == 0);
    event = AT_LOCK;
    check_one_goes_on("an empty copy");
}
