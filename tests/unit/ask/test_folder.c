/* Locks of commands in the folder where jobs answer. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/ask/folder.h"

static char runtime[] = "/tmp/nereus-folder-XXXXXX";

static void begin(void)
{
    cr_assert_not_null(mkdtemp(runtime));
    setenv("XDG_RUNTIME_DIR", runtime, 1);
}

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
    cr_assert_eq(nereus_job_lock_take("job.slurm", "it is taken", &first, &err), NEREUS_OK, "%s",
                 err.text);
    cr_assert_eq(nereus_job_lock_take("job.slurm", "it is taken", &second, &err), NEREUS_ERR_BUSY);
    cr_expect_str_eq(err.text, "it is taken");
    cr_assert_eq(nereus_job_lock_take("other.slurm", "it is taken", &other, &err), NEREUS_OK);
    nereus_job_lock_release(&other);
    nereus_job_lock_release(&first);
    cr_assert_eq(nereus_job_lock_take("job.slurm", "it is taken", &second, &err), NEREUS_OK);
    nereus_job_lock_release(&second);
}

Test(folder, a_lock_ends_with_its_process, .init = begin, .fini = end)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct nereus_job_lock lock;
    int status;
    const pid_t child = fork();
    if (child == 0) {
        _exit(nereus_job_lock_take("broker", "it is taken", &lock, &err));
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    cr_assert_eq(WEXITSTATUS(status), NEREUS_OK);
    cr_assert_eq(nereus_job_lock_take("broker", "it is taken", &lock, &err), NEREUS_OK, "%s",
                 err.text);
    nereus_job_lock_release(&lock);
}
