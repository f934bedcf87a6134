/**
 * @file test_folder.c
 * The folder where jobs answer, which others can make first in /tmp; and locks in it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/job_client/folder.h"

static char runtime[] = "/tmp/nereus-folder-XXXXXX";

static void begin(void)
{
    cr_assert_not_null(mkdtemp(runtime));
    setenv("XDG_RUNTIME_DIR", runtime, 1);
}

/* ---- another user is there first ------------------------------------------------------------- */

static char base[] = "/tmp/nereus-base-XXXXXX", taken[64], found_there[NEREUS_JOB_PATH_MAX];

static void begin_base(void)
{
    cr_assert_not_null(mkdtemp(base));
    snprintf(taken, sizeof taken, "%s/nereus-%lu", base, (unsigned long)geteuid());
}

static void end_base(void)
{
    cr_expect_eq(rmdir(base), 0, "something is left in %s", base);
}

static const char *folder_below(void)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct stat found;
    cr_assert_eq(nereus_job_folder_below(base, found_there, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(lstat(found_there, &found), 0);
    cr_expect(S_ISDIR(found.st_mode) && found.st_uid == geteuid());
    cr_expect_eq(found.st_mode & 0777, 0700);
    return found_there;
}

Test(folder, is_the_known_one, .init = begin_base, .fini = end_base)
{
    cr_expect_str_eq(folder_below(), taken);
    cr_expect_str_eq(folder_below(), taken);
    rmdir(taken);
}

enum first { OTHERS_FOLDER, OPEN_FOLDER, CLOSED_FOLDER, PLAIN_FILE, LINK_TO_OWN, LINK_TO_NOTHING };

static void be_first(enum first first)
{
    char aim[80];
    snprintf(aim, sizeof aim, "%s.aim", taken);
    switch (first) {
    case OTHERS_FOLDER:
        cr_assert_eq(mkdir(taken, 0700), 0);
        cr_assert(chown(taken, 65534, 65534) == 0 || chmod(taken, 0777) == 0);
        break;
    case OPEN_FOLDER:
        cr_assert(mkdir(taken, 0700) == 0 && chmod(taken, 0755) == 0);
        break;
    case CLOSED_FOLDER:
        cr_assert(mkdir(taken, 0700) == 0 && chmod(taken, 0500) == 0);
        break;
    case PLAIN_FILE:
        fclose(fopen(taken, "w"));
        break;
    case LINK_TO_OWN:
        cr_assert(mkdir(aim, 0700) == 0 && symlink(aim, taken) == 0);
        break;
    case LINK_TO_NOTHING:
        cr_assert_eq(symlink(aim, taken), 0);
        break;
    }
}

static void go_away(void)
{
    char aim[80];
    snprintf(aim, sizeof aim, "%s.aim", taken);
    if (unlink(taken) != 0)
        rmdir(taken);
    rmdir(aim);
}

/* Another place is taken, by all alike, also when the first one could be had again. */
Test(folder, another_place_is_taken, .init = begin_base, .fini = end_base)
{
    for (enum first first = OTHERS_FOLDER; first <= LINK_TO_NOTHING; first++) {
        char chosen[NEREUS_JOB_PATH_MAX], made[80];
        be_first(first);
        snprintf(chosen, sizeof chosen, "%s", folder_below());
        snprintf(made, sizeof made, "%s-", taken);
        cr_expect_eq(strncmp(chosen, made, strlen(made)), 0, "case %d: %s", first, chosen);
        cr_expect_str_eq(folder_below(), chosen, "case %d", first);
        go_away();
        cr_expect_str_eq(folder_below(), chosen, "case %d: it could be had again", first);
        rmdir(chosen);
    }
}

/* What others make under such a name is not taken for one's own; of several own ones all take the
 * same. */
Test(folder, of_further_ones_the_own, .init = begin_base, .fini = end_base)
{
    char others[80], later[80], first[80];
    snprintf(others, sizeof others, "%s-000000", taken);
    snprintf(first, sizeof first, "%s-aaaaaa", taken);
    snprintf(later, sizeof later, "%s-bbbbbb", taken);
    cr_assert(mkdir(others, 0700) == 0 && chmod(others, 0777) == 0);
    cr_assert(mkdir(later, 0700) == 0 && mkdir(first, 0700) == 0);
    cr_expect_str_eq(folder_below(), first);
    rmdir(first);
    cr_expect_str_eq(folder_below(), later);
    rmdir(later);
    cr_expect_str_eq(folder_below(), taken, "another user's is no reason");
    rmdir(taken);
    rmdir(others);
}

/* Many that begin at once come to one folder. */
Test(folder, all_come_to_one, .init = begin_base, .fini = end_base)
{
    enum { BEGINNERS = 16 };
    int said[2], went[2];
    char chosen[BEGINNERS][NEREUS_JOB_PATH_MAX], go = 0;
    be_first(PLAIN_FILE);
    cr_assert(pipe(said) == 0 && pipe(went) == 0);
    for (int i = 0; i < BEGINNERS; i++) {
        if (fork() == 0) {
            close(went[1]);
            if (read(went[0], &go, 1) == 0) /* closed: all are there */
                _exit(write(said[1], folder_below(), sizeof found_there) ==
                              (ssize_t)sizeof found_there
                          ? 0
                          : 1);
            _exit(2);
        }
    }
    close(went[1]);
    for (int i = 0; i < BEGINNERS; i++) {
        cr_assert_eq(read(said[0], chosen[i], sizeof chosen[i]), (ssize_t)sizeof chosen[i]);
        cr_expect_str_eq(chosen[i], chosen[0]);
    }
    while (wait(NULL) > 0)
        continue;
    unlink(taken);
    rmdir(chosen[0]);
}

Test(folder, cannot_be_made)
{
    struct nereus_error err = {NEREUS_OK, ""};
    cr_expect_eq(nereus_job_folder_below("/proc", found_there, &err), NEREUS_ERR_IO);
    cr_expect(strstr(err.text, "can be made in /proc") != NULL, "%s", err.text);
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* Nothing is left there. */
static void end(void)
{
    char folder[64];
    snprintf(folder, sizeof folder, "%s/nereus", runtime);
    cr_expect_eq(rmdir(folder), 0);
    cr_expect_eq(rmdir(runtime), 0);
}

Test(folder, one_holds_a_lock, .init = begin, .fini = end)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_job_lock first, second, other;
    cr_assert_eq(nereus_job_lock_acquire("job.slurm", "it is taken", &first, &err), NEREUS_OK, "%s",
                 err.text);
    cr_assert_eq(nereus_job_lock_acquire("job.slurm", "it is taken", &second, &err),
                 NEREUS_ERR_BUSY);
    cr_expect_str_eq(err.text, "it is taken");
    cr_assert_eq(nereus_job_lock_acquire("other.slurm", "it is taken", &other, &err), NEREUS_OK);
    nereus_job_lock_release(&other);
    nereus_job_lock_release(&first);
    cr_assert_eq(nereus_job_lock_acquire("job.slurm", "it is taken", &second, &err), NEREUS_OK);
    nereus_job_lock_release(&second);
}

Test(folder, a_lock_ends_with_its_process, .init = begin, .fini = end)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_job_lock lock;
    int status;
    const pid_t child = fork();
    if (child == 0)
        _exit(nereus_job_lock_acquire("broker", "it is taken", &lock, &err));
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    cr_assert_eq(WEXITSTATUS(status), NEREUS_OK);
    cr_assert_eq(nereus_job_lock_acquire("broker", "it is taken", &lock, &err), NEREUS_OK, "%s",
                 err.text);
    nereus_job_lock_release(&lock);
}
