/**
 * @file forgets.c
 * A malleable program that ends without nereus_finalize.
 *
 *   forgets            the process of the last rank returns from main
 *   forgets STATUS     with that status
 *   forgets finalize   it calls MPI_Finalize
 *   forgets zombie     a zombie returns, which was woken for the end of the job
 *   forgets leave METHOD   from 2 processes to 1: nothing is forgotten, but those that leave
 *             return 5
 *   forgets WHEN HOW   a process is lost, and neither MPI nor the library in it can report that
 *       WHEN  start: before MPI_Init; mpi: after it; loop: at a point; left: after nereus_finalize,
 *             before MPI_Finalize, for which all others wait; done: after MPI_Finalize, before the
 *             others have ended; joined: a new one, at a point
 *       HOW   0, 3: _exit with this status; abort, KILL, SEGV: by that signal; exec: it becomes
 *             another program; thread: its main thread ends, and another one continues; abort-256:
 *             MPI_Abort with this status; guard: its nereus-guard is killed, and it with that
 */
#include <nereus.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One process is left; it ends the job as it should. */
static int sleep_and_forget(nereus_job *job)
{
    enum nereus_action action = NEREUS_CONTINUE;
    for (int i = 0; i < 5 && action != NEREUS_LEAVE; i++)
        if (nereus_point(job, &action) != NEREUS_OK)
            return 8;
    if (action == NEREUS_LEAVE)
        return 0;
    return nereus_finalize(&job) == NEREUS_OK ? 0 : 9;
}

static int leave(const char *method)
{
    const struct nereus_resize schedule[] = {{2, 1, method}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    enum nereus_action action = NEREUS_CONTINUE;
    nereus_job *job;
    options.schedule = schedule;
    options.schedule_count = 1;
    if (nereus_init(NULL, NULL, &options, &job) != NEREUS_OK)
        return 7;
    while (nereus_points(job) < 5 && action != NEREUS_LEAVE)
        if (nereus_point(job, &action) != NEREUS_OK)
            return 8;
    const int status = action == NEREUS_LEAVE ? 5 : 0;
    return nereus_finalize(&job) == NEREUS_OK ? status : 9;
}

static void *go_on(void *nothing)
{
    pause();
    return nothing;
}

static void end(const char *how)
{
    pthread_t thread;
    if (strcmp(how, "thread") == 0 && pthread_create(&thread, NULL, go_on, NULL) == 0)
        pthread_exit(NULL);
    if (strncmp(how, "abort-", 6) == 0)
        MPI_Abort(MPI_COMM_SELF, atoi(how + 6));
    if (strcmp(how, "guard") == 0) {
        kill(getppid(), SIGKILL);
        pause();
    }
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "KILL") == 0 || strcmp(how, "SEGV") == 0)
        raise(how[0] == 'K' ? SIGKILL : SIGSEGV);
    if (strcmp(how, "exec") == 0)
        execlp("sleep", "sleep", "1000", (char *)NULL);
    _exit(atoi(how));
}

/* The process with the last rank of the initial world, or of the one that joined. */
static int be_lost(int argc, char **argv)
{
    const char *when = argv[1], *how = argv[2];
    static const struct nereus_resize schedule[] = {{2, 3, "merge/coll"}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    nereus_job *job;
    enum nereus_action action;
    const char *rank = getenv("PMI_RANK");
    const bool joins = nereus_will_join();
    const bool last =
        joins ? strcmp(when, "joined") == 0 : strcmp(when, "joined") != 0 && strcmp(rank, "1") == 0;
    if (last && strcmp(when, "start") == 0)
        end(how);
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 7;
    if (last && strcmp(when, "mpi") == 0)
        end(how);
    options.schedule = schedule;
    options.schedule_count = strcmp(when, "joined") == 0;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return 7;
    const bool is_done = strcmp(when, "done") == 0, leaves = is_done || strcmp(when, "left") == 0;
    for (int i = 0; !leaves || i < 3; i++) {
        if (last && (joins || i == 1) && !leaves)
            end(how);
        if (nereus_point(job, &action) != NEREUS_OK)
            return 8;
    }
    if (nereus_finalize(&job) != NEREUS_OK)
        return 9;
    if (last && !is_done)
        end(how);
    const int code = MPI_Finalize();
    if (last)
        end(how);
    sleep(1);
    puts("done");
    return code;
}

int main(int argc, char **argv)
{
    static const struct nereus_resize schedule[] = {{2, 1, "merge-zs/coll"}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    const char *how = argc > 1 ? argv[1] : "0";
    nereus_job *job;
    enum nereus_action action;
    if (strcmp(how, "leave") == 0)
        return leave(argv[2]);
    if (argc > 2)
        return be_lost(argc, argv);
    if (strcmp(how, "zombie") == 0) {
        options.schedule = schedule;
        options.schedule_count = 1;
    }
    if (nereus_init(NULL, NULL, &options, &job) != NEREUS_OK)
        return 7;
    if (strcmp(how, "zombie") == 0)
        return sleep_and_forget(job);
    const bool forgets = nereus_rank(job) == nereus_size(job) - 1;
    if (forgets && strcmp(how, "finalize") == 0)
        return MPI_Finalize();
    if (forgets)
        return atoi(how);
    while (nereus_point(job, &action) == NEREUS_OK)
        ;
    return 8;
}
