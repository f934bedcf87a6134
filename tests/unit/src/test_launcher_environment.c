/** @file test_launcher_environment.c  Variables of launchers (src/link/launcher_environment.h). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/link/launcher_environment.h"

Test(launcher_environment, knows_what_launchers_set)
{
    static const struct {
        const char *setting;
        bool launcher, place;
    } rows[] = {
        {"PMI_RANK=0", true, true},
        {"PMIX_RANK=0", true, true},
        {"MPI_LOCALRANKID=1", true, true},
        {"OMPI_PARENT_PORT=1.0:2", true, true},
        {"SLURM_PROCID=3", true, true},
        {"SLURM_JOB_ID=17", false, true},
        {"NEREUS_GUARD_FD=5", true, true},
        {"NEREUS_LAUNCHER=h:1:a", false, true},
        {"NEREUS_LAUNCH=h:1:a:0", false, true},
        /* What people set, also for a launcher and for MPICH */
        {"NEREUS_LAUNCH_COMMAND=srun", false, false},
        {"HYDRA_LAUNCHER=ssh", false, false},
        {"MPICH_ASYNC_PROGRESS=1", false, false},
        {"MPIR_CVAR_ENABLE_GPU=0", false, false},
        {"OMP_NUM_THREADS=4", false, false},
        {"OMPI_MCA_pml=ob1", false, false},
        {"PATH=/bin", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(nereus_is_launcher_variable(rows[i].setting), rows[i].launcher, "%s",
                     rows[i].setting);
        cr_assert_eq(nereus_is_local_variable(rows[i].setting), rows[i].place, "%s",
                     rows[i].setting);
    }
}

Test(launcher_environment, clears_the_rest)
{
    setenv("PMI_RANK", "2", 1);
    setenv("OMP_NUM_THREADS", "4", 1);
    nereus_environment_keep(nereus_is_local_variable);
    cr_assert_str_eq(getenv("PMI_RANK"), "2");
    cr_assert_null(getenv("OMP_NUM_THREADS"));
    cr_assert_null(getenv("PATH"));
}

/* A launcher with another protocol does not answer: the guard must not wait for ever. */
Test(launcher_environment, finalises_with_and_without_an_answer, .timeout = 60)
{
    static const char *const answers[] = {"cmd=finalize_ack\n", ""};
    for (int i = 0; i < 2; i++) {
        char number[16], received[32] = "";
        int fds[2];
        cr_assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
        cr_assert(write(fds[1], answers[i], strlen(answers[i])) == (ssize_t)strlen(answers[i]));
        snprintf(number, sizeof number, "%d", fds[0]);
        setenv("PMI_FD", number, 1);
        nereus_finalise_launcher();
        cr_assert(read(fds[1], received, sizeof received - 1) > 0);
        cr_assert_str_eq(received, "cmd=finalize\n");
        close(fds[0]);
        close(fds[1]);
    }
}
