/**
 * @file launch_module.c
 * Launched worlds, without the rest of the runtime (src/link/launch.h). The sources launch two
 * groups, connect to both, exchange data over the merged communicator, and let them go; or
 * something fails, or is killed.
 *
 *   launch_module good REPEATS       on other hosts too: LAUNCH_MODULE_HOSTS=A,B, one for each
 *                                    group
 *   launch_module fail               every failure before the connection, then a good launch in the
 *                                    same job
 *   launch_module refused SENTENCE   a launcher (NEREUS_LAUNCH_COMMAND) that starts nothing
 *   launch_module idle               launched processes that wait for their welcome use no CPU
 *   launch_module free               the root gives up while they start
 *   launch_module kill WHO           source, supervise, mpiexec, proxy: of the job; rank, guard,
 *                                    launcher,
 *                                    launched-proxy: of a launched group, after it has joined
 *   launch_module connect HOW        a group that was welcomed is dead when the sources connect to
 *                                    it (dead), dies
 *                                    meanwhile (dies), or never accepts (sleeps)
 *   launch_module guard              a guard by itself, and what it says over its lifeline
 *   launch_module leave              the initial world leaves, and the launched ones finish the
 *                                    job, with status 5
 * What a launched process is told to do comes as an argument of its own: new=WHAT.
 */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/util/clock.h"
#include "src/link/connection.h"
#include "src/link/launch.h"
#include "src/link/supervise_requests.h"
#include "src/util/error.h"
#include "src/util/guard_link.h"

enum { GROUPS = 2, LONGEST_S = 60 };
static const int processes_of[GROUPS] = {1, 2};
static const char payload_text[] = "welcome, with a \0 and a \n in it";

static char self[PATH_MAX], guard[PATH_MAX];
/* Of the groups; empty: this host, where process ids can be looked up. */
static char hosts[GROUPS][64];
static int rank, errors;

static void complain(const char *what)
{
    fprintf(stderr, "launch_module: rank %d: %s\n", rank, what);
    errors++;
}

static void find_paths(void)
{
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    snprintf(guard, sizeof guard, "%.*s/../../libexec/nereus/nereus-guard",
             (int)(strrchr(self, '/') - self), self);
}

static void nap_ms(long ms)
{
    const struct timespec length = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&length, NULL);
}

/* ---- /proc ----------------------------------------------------------------------------------- */

static bool read_stat(int64_t pid, char *state, int *parent, long *ticks)
{
    char path[64], text[1024] = "";
    long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    FILE *file = fopen(path, "r");
    const bool there =
        file != NULL && fgets(text, sizeof text, file) != NULL && strrchr(text, ')') != NULL;
    if (file != NULL)
        fclose(file);
    if (!there)
        return false;
    sscanf(strrchr(text, ')') + 2, "%c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", state,
           parent, &user, &system);
    *ticks = user + system;
    return true;
}

static int parent_of(int64_t pid)
{
    char state;
    int parent = 0;
    long ticks;
    return read_stat(pid, &state, &parent, &ticks) ? parent : 0;
}

static bool lives(int64_t pid)
{
    char state = 'Z';
    int parent;
    long ticks;
    return read_stat(pid, &state, &parent, &ticks) && state != 'Z';
}

static int open_descriptors_of(int64_t pid)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%lld/fd", (long long)pid);
    DIR *folder = opendir(path);
    while (folder != NULL && readdir(folder) != NULL)
        count++;
    if (folder != NULL)
        closedir(folder);
    return count;
}

static void expect_gone(int64_t pid, const char *what)
{
    for (int i = 0; i < LONGEST_S * 100 && lives(pid); i++)
        nap_ms(10);
    if (lives(pid))
        complain(what);
}

/* ---- the launched side ----------------------------------------------------------------------- */

static void check_payload(const struct nereus_launch_reply *reply)
{
    if (reply->count != sizeof payload_text ||
        memcmp(reply->bytes, payload_text, sizeof payload_text) != 0)
        complain("the welcome is not what was sent");
}

/* Are all processes in it? By the sum of their ranks. A negative size: any. */
static void check_merged(MPI_Comm merged, int expected)
{
    int size, sum = 0, own_rank;
    MPI_Comm_size(merged, &size);
    MPI_Comm_rank(merged, &own_rank);
    MPI_Allreduce(&own_rank, &sum, 1, MPI_INT, MPI_SUM, merged);
    if ((expected >= 0 && size != expected) || sum != size * (size - 1) / 2)
        complain("not everybody is in the merged communicator");
}

/* One communicator of both sides of a connection. */
static MPI_Comm merge(MPI_Comm *inter, bool high)
{
    MPI_Comm merged;
    MPI_Intercomm_merge(*inter, high, &merged);
    return merged;
}

static void disconnect(MPI_Comm *merged, MPI_Comm *inter)
{
    int sum = 0;
    /* All processes report the errors of any of them. */
    MPI_Allreduce(&errors, &sum, 1, MPI_INT, MPI_SUM, *merged);
    errors = sum;
    MPI_Comm_disconnect(merged);
    MPI_Barrier(*inter);
    MPI_Comm_disconnect(inter);
}

/* Waits for the end of the job, which the killed process must cause. */
static void wait_for_ever(MPI_Comm merged)
{
    MPI_Barrier(merged); /* the root of the sources never comes */
    complain("a barrier that cannot complete has completed");
}

/* Group 0 takes part in connecting to group 1. */
static void run_launched(const char *what, const struct nereus_launch_reply *reply)
{
    struct nereus_error err = {0};
    MPI_Comm inter, merged, next_inter, next;
    check_payload(reply);
    if (strcmp(what, "new=sleeps") == 0)
        nap_ms(100 * 1000);
    if (strcmp(what, "new=dies") == 0)
        nap_ms(500);
    if (strcmp(what, "new=dies") == 0 || strcmp(what, "new=dead") == 0)
        raise(SIGKILL);
    if (nereus_port_accept(MPI_COMM_WORLD, &reply->own_port, LONGEST_S, &inter, &err) !=
        NEREUS_OK) {
        complain(err.text);
        return;
    }
    merged = merge(&inter, true);
    if (reply->group == 0) {
        if (nereus_port_connect(merged, NULL, LONGEST_S, NULL, &next_inter, &err) != NEREUS_OK)
            complain(err.text);
        next = merge(&next_inter, false);
        check_merged(next, 2 + 1 + 2);
        if (strcmp(what, "new=stay") == 0)
            wait_for_ever(next);
        disconnect(&next, &next_inter);
    } else {
        check_merged(merged, 2 + 1 + 2);
        if (strcmp(what, "new=stay") == 0)
            wait_for_ever(merged);
    }
    disconnect(&merged, &inter);
}

/* By then the initial world and its mpiexec have ended, and so has the time that launched processes
 * have after a failed end of it. */
static int finish_alone(void)
{
    nap_ms(2500);
    check_merged(MPI_COMM_WORLD, -1);
    nereus_notify_guard(GUARD_FINISHES);
    MPI_Finalize();
    return errors == 0 ? 5 : 6;
}

static int launched(const char *what)
{
    struct nereus_launch_reply reply;
    struct nereus_error err = {0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (strcmp(what, "new=dies-in-mpi") == 0 && rank == 1)
        raise(SIGKILL);
    if (strcmp(what, "new=dies-when-ready") == 0 && rank == 1)
        alarm(1);
    const enum nereus_status status = nereus_launch_announce(MPI_COMM_WORLD, &reply, &err);
    if (status == NEREUS_OK)
        run_launched(what, &reply);
    nereus_launch_reply_fini(&reply);
    if (status == NEREUS_OK && strcmp(what, "new=finish") == 0)
        return finish_alone();
    nereus_notify_guard(GUARD_LEFT);
    MPI_Finalize();
    return errors == 0 ? 0 : 3;
}

/* ---- the sources ----------------------------------------------------------------------------- */

static struct nereus_launch *start(const char *program, const char *what, double limit_s,
                                   const char *guard_limit)
{
    char program_word[PATH_MAX + 1], argument[64];
    char *setting = nereus_word_encode('e', "LAUNCH_MODULE=a b%c");
    char *words[] = {(char *)(size_t)guard_limit, setting, program_word, argument, NULL};
    struct nereus_launch_group groups[GROUPS];
    struct nereus_launch *launch = NULL;
    struct nereus_error err = {0};
    snprintf(program_word, sizeof program_word, "p%s", program);
    snprintf(argument, sizeof argument, "a%s", what);
    for (int i = 0; i < GROUPS; i++)
        groups[i] = (struct nereus_launch_group){hosts[i][0] != '\0' ? hosts[i]
                                                 : i == 0            ? "localhost/a"
                                                                     : NULL,
                                                 NULL, processes_of[i], guard, words};
    if (nereus_launch_start(groups, GROUPS, limit_s, &launch, &err) != NEREUS_OK)
        complain(err.text);
    free(setting);
    return launch;
}

/*
 * Root: waits for all groups, sends each its payload and checks that it is alive.
 * @return are all?
 */
static bool receive_groups(struct nereus_launch *launch, double connect_limit_s)
{
    struct nereus_error err = {0};
    if (launch == NULL)
        return false;
    enum nereus_status status = NEREUS_OK;
    if (nereus_launch_wait(launch, 30) > 0 || nereus_launch_failure(launch, &err) != NEREUS_OK)
        status = NEREUS_ERR_SPAWN;
    for (int i = 0; i < GROUPS && status == NEREUS_OK; i++)
        status = nereus_launch_send_payload(launch, i, payload_text, sizeof payload_text, &err);
    for (int i = 0; i < GROUPS && status == NEREUS_OK; i++)
        status = nereus_launch_check_alive(launch, i, connect_limit_s, &err);
    if (status != NEREUS_OK)
        complain(err.text);
    return status == NEREUS_OK;
}

static MPI_Comm join_group(MPI_Comm comm, struct nereus_launch *launch, int group, MPI_Comm *inter)
{
    struct nereus_error err = {0};
    const char *port = launch != NULL ? nereus_launch_port(launch, group) : NULL;
    if (nereus_port_connect(comm, port, LONGEST_S, NULL, inter, &err) != NEREUS_OK) {
        complain(err.text);
        return MPI_COMM_NULL;
    }
    if (launch != NULL)
        nereus_launch_set_joined(launch, group);
    return merge(inter, false);
}

static void kill_victim(const char *victim, int64_t launched_pid)
{
    const int proxy = parent_of(parent_of(getpid())), mpiexec = parent_of(proxy),
              supervise = parent_of(mpiexec);
    const int over = parent_of(launched_pid), its_proxy = parent_of(over),
              launcher = parent_of(its_proxy);
    const struct {
        const char *name;
        int64_t pid;
    } rows[] = {{"source", getpid()},          {"proxy", proxy},       {"mpiexec", mpiexec},
                {"supervise", supervise},      {"rank", launched_pid}, {"guard", over},
                {"launched-proxy", its_proxy}, {"launcher", launcher}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, victim) == 0 && rows[i].pid > 1)
            kill((pid_t)rows[i].pid, SIGKILL);
    nap_ms(LONGEST_S * 1000);
    complain("the job goes on without a process that it needs");
    for (;;)
        pause(); /* until the test's time limit: no exit status would tell this from a job that was
                    ended */
}

static void run_groups(const char *what, const char *victim)
{
    MPI_Comm inter[GROUPS], merged[GROUPS];
    int64_t pids[GROUPS], parents[GROUPS];
    int there = 1;
    const double start_s = nereus_monotonic_s();
    struct nereus_launch *launch = rank == 0 ? start(self, what, 30, "t30") : NULL;
    if (rank == 0)
        there = receive_groups(launch, LONGEST_S);
    const double looked_s = nereus_monotonic_s();
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!there) {
        nereus_launch_free(launch);
        return;
    }
    merged[0] = join_group(MPI_COMM_WORLD, launch, 0, &inter[0]);
    merged[1] = join_group(merged[0], launch, 1, &inter[1]);
    if (rank == 0) /* after this check the death of a group may end the job */
        printf(
            "ready and welcomed after %.1f ms, both connected and merged after another %.1f ms\n",
            1e3 * (looked_s - start_s), 1e3 * (nereus_monotonic_s() - looked_s));
    check_merged(merged[1], 2 + 1 + 2);
    for (int i = 0; i < GROUPS && launch != NULL; i++) {
        if (hosts[i][0] != '\0' && strcmp(hosts[i], nereus_launch_host(launch, i)) != 0)
            complain("a group is not on its host");
        pids[i] = nereus_launch_pid(launch, i);
        parents[i] = parent_of(parent_of(parent_of(pids[i])));
        if (hosts[i][0] == '\0' && (!lives(pids[i]) || parents[i] <= 1))
            complain("a launched process has no launcher");
    }
    nereus_launch_free(launch);
    if (victim != NULL && rank == 0)
        kill_victim(victim, pids[1]);
    if (victim != NULL)
        wait_for_ever(merged[1]);
    disconnect(&merged[1], &inter[1]);
    disconnect(&merged[0], &inter[0]);
    for (int i = 0;
         i < GROUPS && launch != NULL && hosts[i][0] == '\0' && strcmp(what, "new=finish") != 0;
         i++) {
        expect_gone(pids[i], "a launched process did not end");
        expect_gone(parents[i], "a launcher did not end with its world");
    }
}

/* Ends the initial world: the exit status is that of the launched ones. */
static int leave(void)
{
    run_groups("new=finish", NULL);
    if (rank == 0)
        nereus_supervise_report_initial_world_left();
    nereus_notify_guard(GUARD_LEFT);
    MPI_Finalize();
    return errors == 0 ? 3 : 6;
}

/* Descriptors of ended processes are closed a moment later. */
static void expect_at_most(int64_t pid, int max, const char *what)
{
    for (int i = 0; i < LONGEST_S * 100 && open_descriptors_of(pid) > max; i++)
        nap_ms(10);
    if (open_descriptors_of(pid) > max)
        complain(what);
}

static void run_groups_often(int repeats)
{
    const int64_t supervise = parent_of(parent_of(parent_of(parent_of(getpid()))));
    int before = 0, there = 0;
    for (int i = 0; i < repeats; i++) {
        run_groups("new=good", NULL);
        if (i == 1) { /* before that MPI opens descriptors of its own */
            before = open_descriptors_of(getpid());
            there = open_descriptors_of(supervise);
        }
    }
    if (repeats > 2)
        expect_at_most(getpid(), before + 2, "descriptors were left open");
    if (repeats > 2 && rank == 0 && hosts[0][0] == '\0') {
        if (there == 0)
            complain("nereus-supervise was not found");
        expect_at_most(supervise, there, "nereus-supervise left descriptors open");
    }
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Root: launch, wait, and find this in the sentence of the failure. */
static void expect_failure(const char *program, const char *what, const char *command,
                           double limit_s, const char *guard_limit, const char *in_sentence)
{
    struct nereus_error err = {0};
    if (command != NULL)
        setenv("NEREUS_LAUNCH_COMMAND", command, 1);
    struct nereus_launch *launch = start(program, what, limit_s, guard_limit);
    if (command != NULL)
        unsetenv("NEREUS_LAUNCH_COMMAND");
    if (launch == NULL)
        return;
    nereus_launch_wait(launch, LONGEST_S);
    for (int i = 0; i < LONGEST_S * 100 && nereus_launch_failure(launch, NULL) == NEREUS_OK; i++) {
        nereus_launch_poll(launch); /* it dies after it was ready */
        nap_ms(10);
    }
    if (nereus_launch_failure(launch, &err) == NEREUS_OK)
        complain("a launch that cannot succeed did not fail");
    else if (strstr(err.text, in_sentence) == NULL)
        complain(err.text);
    else
        printf("%s: %s\n", in_sentence, err.text);
    nereus_launch_free(launch);
}

static void fail_in_every_way(void)
{
    if (rank == 0) {
        expect_failure(self, "new=good", "/nowhere/mpiexec", 60, "t60",
                       "launcher '/nowhere/mpiexec' cannot");
        expect_failure(self, "new=good", "false", 60, "t60", "ended with status 1 before");
        expect_failure("/nowhere/program", "x", NULL, 60, "t60", "cannot be started on");
        expect_failure("/bin/false", "x", NULL, 60, "t60",
                       "ended with status 1 before it reached MPI");
        expect_failure("/bin/sleep", "100", NULL, 60, "t1", "had not reached MPI");
        expect_failure("/bin/sleep", "100", NULL, 1, "t60", "not ready within the time limit");
        expect_failure(self, "new=dies-in-mpi", NULL, 60, "t60", "killed by signal 9");
        expect_failure(self, "new=dies-when-ready", NULL, 60, "t60", "killed by signal 14");
    }
    check_merged(MPI_COMM_WORLD, 2);
    run_groups("new=good", NULL);
}

/* The failure comes before the time limit, and the job continues. */
static void expect_refusal(const char *in_sentence)
{
    if (rank == 0)
        expect_failure(self, "new=good", NULL, 60, "t60", in_sentence);
    check_merged(MPI_COMM_WORLD, 2);
}

/* Either the job continues, or it is ended; it does not hang, and nothing is left. Which of them,
 * depends on the MPI. */
static void connect_in_vain(const char *how)
{
    char what[64];
    snprintf(what, sizeof what, "new=%s", how);
    MPI_Comm inter;
    struct nereus_error err = {0};
    int there = 1;
    struct nereus_launch *launch = rank == 0 ? start(self, what, 30, "t30") : NULL;
    if (rank == 0)
        there = receive_groups(launch, 2);
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (there) {
        const char *port = launch != NULL ? nereus_launch_port(launch, 0) : NULL;
        if (nereus_port_connect(MPI_COMM_WORLD, port, 2, NULL, &inter, &err) == NEREUS_OK)
            complain("a group that is not there was connected to");
    }
    nereus_launch_free(launch);
    errors = 0; /* either of both calls may report the loss */
    check_merged(MPI_COMM_WORLD, 2);
    if (rank == 0)
        puts("the job goes on");
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Clock ticks of all programs under the guards of a proxy. */
static long ticks_under(int proxy, int *count)
{
    long sum = 0;
    *count = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char state;
        int parent = 0;
        long ticks = 0;
        const int64_t pid = atoll(entry->d_name);
        if (pid > 0 && read_stat(pid, &state, &parent, &ticks) && parent > 1 &&
            parent_of(parent) == proxy) {
            sum += ticks;
            ++*count;
        }
    }
    if (folder != NULL)
        closedir(folder);
    return sum;
}

static void wait_idly(void)
{
    if (rank != 0)
        return;
    struct nereus_launch *launch = start(self, "new=good", 30, "t30");
    if (launch == NULL)
        return;
    nereus_launch_wait(launch, 30);
    int count = 0;
    const int64_t pid =
        nereus_launch_state(launch, 1) == NEREUS_LAUNCH_READY ? nereus_launch_pid(launch, 1) : 0;
    const int proxy = parent_of(parent_of(pid));
    const long before = ticks_under(proxy, &count);
    if (pid == 0 || count != processes_of[1])
        complain("no group is ready");
    nap_ms(2000);
    if (ticks_under(proxy, &count) - before >
        20) /* of 10 ms: spinning processes use 200 and more */
        complain("launched processes that wait use CPU");
    nereus_launch_cancel(launch, 1);
    expect_gone(pid, "a group that was cancelled did not end");
    if (nereus_launch_state(launch, 0) != NEREUS_LAUNCH_READY ||
        !lives(nereus_launch_pid(launch, 0)))
        complain("calling one group off ended another");
    nereus_launch_free(launch);
}

static void give_up_early(void)
{
    if (rank == 0)
        for (int i = 0; i < 5; i++) {
            struct nereus_launch *launch = i < 4 ? start(self, "new=good", 30, "t30")
                                                 : start("/bin/sleep", "100", 100, "t100");
            nap_ms(i < 4 ? 40 * i : 40); /* before, while and after the processes come up */
            if (launch != NULL)
                nereus_launch_poll(launch);
            nereus_launch_free(launch);
        }
    check_merged(MPI_COMM_WORLD, 2);
}

/* ---- a guard by itself: this program is its nereus-supervise --------------------------------- */

struct guarded {
    struct nereus_connection_address address;
    int door;
    pid_t guard;
    struct nereus_connection connection;
};

/* A guard over `bash -c SCRIPT`. */
static void start_guard(struct guarded *guarded, const char *script)
{
    char setting[NEREUS_CONNECTION_HOST_MAX + 96], script_word[512];
    guarded->door = nereus_connection_listen(&guarded->address);
    snprintf(setting, sizeof setting, "%s:%d:%s", guarded->address.host, guarded->address.port,
             guarded->address.token);
    snprintf(script_word, sizeof script_word, "a%s", script);
    fflush(NULL);
    guarded->guard = fork();
    if (guarded->guard == 0) {
        setenv(NEREUS_LAUNCHER_NAME, setting, 1);
        setenv(NEREUS_LAUNCH_NAME, "nowhere:1:abc:4", 1);
        execl(guard, guard, "t20", "p/bin/bash", "a-c", script_word, (char *)NULL);
        _exit(1);
    }
    int fd = -1;
    for (int i = 0; i < LONGEST_S * 100 && (fd = accept(guarded->door, NULL, NULL)) < 0; i++)
        nap_ms(10);
    nereus_connection_init(&guarded->connection, fd, 4096);
    const char *hello = nereus_connection_wait_line(&guarded->connection, LONGEST_S);
    char expected[256], host[64] = "";
    gethostname(host, sizeof host - 1);
    snprintf(expected, sizeof expected, "%s G abc %ld %s 4", guarded->address.token,
             (long)guarded->guard, host);
    if (hello == NULL || strcmp(hello, expected) != 0)
        complain(hello == NULL ? "a guard says nothing" : hello);
}

static void expect_line(struct guarded *guarded, const char *expected)
{
    const char *line = nereus_connection_wait_line(&guarded->connection, LONGEST_S);
    if (line == NULL || strncmp(line, expected, strlen(expected)) != 0) {
        fprintf(stderr, "launch_module: a guard said '%s', expected '%s'\n",
                line == NULL ? "nothing" : line, expected);
        errors++;
    }
}

static void end_guard(struct guarded *guarded, int expected)
{
    int wait_status = 0;
    pid_t ended = 0;
    for (int i = 0;
         i < LONGEST_S * 100 && (ended = waitpid(guarded->guard, &wait_status, WNOHANG)) == 0; i++)
        nap_ms(10);
    const int status =
        WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
    if (ended == 0)
        kill(guarded->guard, SIGKILL);
    if (ended == 0 || status != expected) {
        fprintf(stderr, "launch_module: a guard %s %d, expected %d\n",
                ended == 0 ? "hangs" : "ended with", status, expected);
        errors++;
    }
    nereus_connection_fini(&guarded->connection);
    close(guarded->door);
}

static void try_guards(void)
{
    struct guarded one;
    start_guard(&one, "exec sleep 100"); /* not in MPI yet */
    nereus_connection_fini(&one.connection);
    end_guard(&one, 0);
    start_guard(&one, "printf M >&$NEREUS_GUARD_FD; exec sleep 100");
    nap_ms(300);
    nereus_connection_fini(&one.connection);
    end_guard(&one, 0);
    /* The process has left: the guard continues alone. */
    start_guard(&one, "printf ML >&$NEREUS_GUARD_FD; sleep 1; exit 7");
    expect_line(&one, "B");
    nereus_connection_fini(&one.connection);
    end_guard(&one, 0);
    start_guard(&one, "printf M >&$NEREUS_GUARD_FD; kill -9 $$");
    expect_line(&one, "K 137");
    end_guard(&one, 137);
    start_guard(&one, "printf MF >&$NEREUS_GUARD_FD; exit 5");
    expect_line(&one, "B");
    expect_line(&one, "S 5");
    end_guard(&one, 5);
    start_guard(&one, "exit 3");
    expect_line(&one, "F 0 the%20program%20%27/bin/bash%27%20on%20");
    end_guard(&one, 126);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (nereus_launch_is_launched()) {
        const char *setting = getenv("LAUNCH_MODULE");
        if (setting == NULL || strcmp(setting, "a b%c") != 0)
            complain("what the words set did not arrive");
        return launched(mode);
    }
    find_paths();
    if (getenv("LAUNCH_MODULE_HOSTS") != NULL)
        sscanf(getenv("LAUNCH_MODULE_HOSTS"), "%63[^,],%63s", hosts[0], hosts[1]);
    nereus_launch_end_with_proxy();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (strcmp(mode, "good") == 0)
        run_groups_often(argc > 2 ? atoi(argv[2]) : 1);
    else if (strcmp(mode, "fail") == 0)
        fail_in_every_way();
    else if (strcmp(mode, "refused") == 0 && argc > 2)
        expect_refusal(argv[2]);
    else if (strcmp(mode, "idle") == 0)
        wait_idly();
    else if (strcmp(mode, "free") == 0)
        give_up_early();
    else if (strcmp(mode, "kill") == 0 && argc > 2)
        run_groups("new=stay", argv[2]);
    else if (strcmp(mode, "guard") == 0)
        try_guards();
    else if (strcmp(mode, "leave") == 0)
        return leave();
    else if (strcmp(mode, "connect") == 0 && argc > 2)
        connect_in_vain(argv[2]);
    else
        complain("unknown mode");
    MPI_Finalize();
    return errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
