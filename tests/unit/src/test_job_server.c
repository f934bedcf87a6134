/**
 * @file test_job_server.c
 * The socket at which a job answers (src/link/job_server.h), with a stub of the job, and the
 * client (nereus/job_client.h), with a stub of the server: garbled and oversized messages,
 * clients and servers that hang or die, floods, a job that moves.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/job_client/folder.h"
#include "model/job_client/message.h"
#include "model/util/clock.h"
#include "src/link/job_server.h"

static const double answer_limit_s = 20;

/* A job: its size is the last one that was asked for; request 1 is over when it is said to be. */
struct job {
    pthread_mutex_t lock;
    int64_t size;
    bool over;
    int asked;
};
static struct job job = {PTHREAD_MUTEX_INITIALIZER, 4, false, 0};
static char folder[NEREUS_JOB_PATH_MAX];

static bool answer(void *user, const struct nereus_job_request *request,
                   struct nereus_job_reply *reply)
{
    struct job *it = user;
    bool answered = true;
    pthread_mutex_lock(&it->lock);
    it->asked++;
    reply->answer =
        request->kind == NEREUS_JOB_REQUEST_STATUS ? NEREUS_JOB_STATE : NEREUS_JOB_ACCEPTED;
    reply->state.size = it->size;
    reply->request = 1;
    if (request->kind == NEREUS_JOB_REQUEST_RESIZE)
        it->size = request->size;
    if (request->kind == NEREUS_JOB_REQUEST_WAIT || request->kind == NEREUS_JOB_REQUEST_END) {
        reply->answer = NEREUS_JOB_OUTCOME;
        answered = it->over && request->kind == NEREUS_JOB_REQUEST_WAIT;
    }
    pthread_mutex_unlock(&it->lock);
    return answered;
}

static double tick(void *user)
{
    (void)user;
    return INFINITY;
}

static const struct job_server_handler handler = {answer, tick, &job};
static const struct nereus_job_reply ended = {.answer = NEREUS_JOB_ENDED, .rt_s = -1},
                                     moved = {.answer = NEREUS_JOB_MOVED, .rt_s = -1};

static void begin_folder(void)
{
    char runtime[] = "/tmp/ask-XXXXXX";
    cr_assert_not_null(mkdtemp(runtime));
    setenv("XDG_RUNTIME_DIR", runtime, 1);
    cr_assert_eq(nereus_job_folder(folder, NULL), NEREUS_OK);
}

static void end_folder(void)
{
    cr_assert_eq(rmdir(folder), 0, "something is left in %s: %s", folder, strerror(errno));
    cr_assert_eq(rmdir(getenv("XDG_RUNTIME_DIR")), 0);
}

static struct job_server *begin_as(const char *name, bool takes_over)
{
    struct job_server *server = NULL;
    struct nereus_error err = {0};
    cr_assert_eq(nereus_job_server_begin(folder, name, takes_over, &handler, &server, &err),
                 NEREUS_OK, "%s", err.text);
    return server;
}

static int dial(const char *name)
{
    struct sockaddr_un address;
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert_eq(nereus_job_address(folder, name, &address, NULL), NEREUS_OK);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0, "%s",
                 strerror(errno));
    return fd;
}

/* Until the other end closes, or a line is there. */
static void hear(int fd, char *text, size_t room)
{
    size_t length = 0;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    while (length + 1 < room && memchr(text, '\n', length) == NULL) {
        cr_assert_eq(poll(&wait, 1, (int)(1e3 * answer_limit_s)), 1, "nothing was said");
        const ssize_t count = recv(fd, text + length, room - 1 - length, 0);
        if (count <= 0)
            break;
        length += (size_t)count;
    }
    text[length] = '\0';
}

static void ask_status(const char *name, int64_t size)
{
    const struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_STATUS};
    struct nereus_job_client *client;
    struct nereus_job_reply reply;
    struct nereus_error err = {0};
    cr_assert_eq(nereus_job_connect(name, answer_limit_s, &client, &err), NEREUS_OK, "%s",
                 err.text);
    cr_assert_eq(nereus_job_call(client, &request, answer_limit_s, &reply, &err), NEREUS_OK, "%s",
                 err.text);
    cr_expect_eq(reply.answer, NEREUS_JOB_STATE);
    cr_expect_eq(reply.state.size, size);
    nereus_job_disconnect(client);
}

TestSuite(job_server, .init = begin_folder, .fini = end_folder, .timeout = 60);

Test(job_server, answers_one_after_the_other_and_two_at_once)
{
    struct job_server *server = begin_as("two", false);
    struct nereus_job_client *clients[2];
    const struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_RESIZE, .size = 11};
    struct nereus_job_reply reply;
    for (int i = 0; i < 2; i++)
        cr_assert_eq(nereus_job_connect("two", answer_limit_s, &clients[i], NULL), NEREUS_OK);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 2; i++) {
            cr_assert_eq(nereus_job_call(clients[i], &request, answer_limit_s, &reply, NULL),
                         NEREUS_OK);
            cr_expect_eq(reply.answer, NEREUS_JOB_ACCEPTED);
        }
    for (int i = 0; i < 2; i++)
        nereus_job_disconnect(clients[i]);
    ask_status("two", 11);
    nereus_job_server_end(server, &ended);
}

/* What is no message is said to be none, and its sender is shut out; others are served. */
Test(job_server, garbled_and_oversized)
{
    static char large[2 * NEREUS_JOB_REQUEST_BYTES];
    static const char *const garbage[] = {"hello\n", "{\"protocol\":9,\"do\":\"status\"}\n",
                                          "\n",      "\xff\xfe\x01\n",
                                          "{}\n",    "[[[[[[[[\n"};
    struct job_server *server = begin_as("garbled", false);
    char text[1024] = "";
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        const int fd = dial("garbled");
        cr_assert_eq(send(fd, garbage[i], strlen(garbage[i]), 0), (ssize_t)strlen(garbage[i]));
        hear(fd, text, sizeof text);
        cr_expect(strstr(text, "\"invalid\"") != NULL, "%s: %s", garbage[i], text);
        cr_expect_eq(recv(fd, text, 1, 0), 0, "not shut out: %s", garbage[i]);
        close(fd);
    }
    memset(large, 'x', sizeof large);
    const int fd = dial("garbled");
    signal(SIGPIPE, SIG_IGN);
    send(fd, large, sizeof large, MSG_NOSIGNAL);
    hear(fd, text, sizeof text);
    cr_expect(strstr(text, "too long") != NULL, "%s", text);
    close(fd);
    ask_status("garbled", 4);
    cr_expect_eq(job.asked, 1, "garbage was handed on");
    nereus_job_server_end(server, &ended);
}

/* Half a message and then nothing, death with an answer outstanding, and more of them than there is
 * room for. */
Test(job_server, clients_that_hang_or_die)
{
    struct job_server *server = begin_as("hang", false);
    int fds[NEREUS_JOB_CLIENTS_MAX];
    static const char wait[] = "{\"protocol\":1,\"do\":\"wait\"}\n";
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i++) {
        fds[i] = dial("hang");
        if (i % 2 == 0)
            cr_assert_gt(send(fds[i], "{\"protocol\"", 11, 0), 0);
        else
            cr_assert_gt(send(fds[i], wait, strlen(wait), 0), 0);
    }
    for (int i = 1; i < NEREUS_JOB_CLIENTS_MAX; i += 2)
        close(fds[i]); /* while it waits */
    ask_status("hang", 4);
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i += 2)
        close(fds[i]);
    nereus_job_server_end(server, &ended);
}

/* Places are taken by others that hang: the one that is silent longest loses its own. */
Test(job_server, silent_clients_give_way)
{
    struct job_server *server = begin_as("full", false);
    int fds[NEREUS_JOB_CLIENTS_MAX];
    const struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_STATUS};
    struct nereus_job_client *client;
    struct nereus_job_reply reply = {.answer = NEREUS_JOB_INVALID};
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i++)
        fds[i] = dial("full");
    while (reply.answer == NEREUS_JOB_INVALID) {
        cr_assert_eq(nereus_job_connect("full", answer_limit_s, &client, NULL), NEREUS_OK);
        cr_assert_eq(nereus_job_call(client, &request, answer_limit_s, &reply, NULL), NEREUS_OK);
        nereus_job_disconnect(client);
        poll(NULL, 0, 50);
    }
    cr_expect_eq(reply.answer, NEREUS_JOB_STATE);
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i++)
        close(fds[i]);
    nereus_job_server_end(server, &ended);
}

static void *say_that_it_is_over(void *argument)
{
    pthread_mutex_lock(&job.lock);
    job.over = true;
    pthread_mutex_unlock(&job.lock);
    nereus_job_server_wake(argument);
    return NULL;
}

Test(job_server, waits_for_the_outcome)
{
    struct job_server *server = begin_as("wait", false);
    struct nereus_job_client *client;
    struct nereus_job_reply reply;
    struct nereus_error err;
    pthread_t thread;
    cr_assert_eq(nereus_job_connect("wait", answer_limit_s, &client, NULL), NEREUS_OK);
    cr_expect_eq(nereus_job_wait(client, 1, 0.05, &reply, &err), NEREUS_ERR_STATE);
    cr_expect(strstr(err.text, "has not answered within 0.05 s") != NULL, "%s", err.text);
    cr_assert_eq(pthread_create(&thread, NULL, say_that_it_is_over, server), 0);
    cr_assert_eq(nereus_job_wait(client, 1, answer_limit_s, &reply, &err), NEREUS_OK, "%s",
                 err.text);
    cr_expect_eq(reply.answer, NEREUS_JOB_OUTCOME);
    pthread_join(thread, NULL);
    nereus_job_disconnect(client);
    nereus_job_server_end(server, &ended);
}

/* Another process takes the name over; the one before says so, to those that wait too. */
static void *move(void *argument)
{
    struct job_server **servers = argument;
    while (__atomic_load_n(&job.asked, __ATOMIC_ACQUIRE) == 0)
        poll(NULL, 0, 5);
    servers[1] = begin_as("moves", true);
    say_that_it_is_over(NULL);
    nereus_job_server_end(servers[0], &moved);
    return NULL;
}

Test(job_server, moves_along)
{
    struct job_server *servers[2] = {begin_as("moves", false), NULL};
    struct nereus_job_client *client;
    struct nereus_job_reply reply;
    struct nereus_error err;
    pthread_t thread;
    cr_assert_eq(nereus_job_connect("moves", answer_limit_s, &client, NULL), NEREUS_OK);
    cr_assert_eq(pthread_create(&thread, NULL, move, servers), 0);
    cr_assert_eq(nereus_job_wait(client, 1, answer_limit_s, &reply, &err), NEREUS_OK, "%s",
                 err.text);
    cr_expect_eq(reply.answer, NEREUS_JOB_OUTCOME);
    pthread_join(thread, NULL);
    ask_status("moves", 4);
    /* The one that was there before has not removed the name. */
    cr_assert_eq(nereus_job_wait(client, 1, answer_limit_s, &reply, &err), NEREUS_OK, "%s",
                 err.text);
    nereus_job_disconnect(client);
    nereus_job_server_end(servers[1], &ended);
    cr_expect_eq(nereus_job_connect("moves", 0.2, &client, &err), NEREUS_ERR_STATE);
    cr_expect(strstr(err.text, "no job 'moves' of this user answers") != NULL, "%s", err.text);
}

/* It moves because of a request, and ends at once: the client never meets the new process. */
static void *move_and_end(void *argument)
{
    struct job_server **servers = argument;
    const struct nereus_job_reply because = {.answer = NEREUS_JOB_MOVED,
                                             .request = 1,
                                             .end = NEREUS_JOB_RESIZED,
                                             .ns = 3,
                                             .nt = 7,
                                             .rt_s = 0.25};
    while (__atomic_load_n(&job.asked, __ATOMIC_ACQUIRE) == 0)
        poll(NULL, 0, 5);
    servers[1] = begin_as("brief", true);
    nereus_job_server_end(servers[1], &ended);
    nereus_job_server_end(servers[0], &because);
    return NULL;
}

Test(job_server, outcome_of_a_job_that_moves_and_ends)
{
    struct job_server *servers[2] = {begin_as("brief", false), NULL};
    struct nereus_job_client *client;
    struct nereus_job_reply reply;
    struct nereus_error err;
    pthread_t thread;
    cr_assert_eq(nereus_job_connect("brief", answer_limit_s, &client, NULL), NEREUS_OK);
    cr_assert_eq(pthread_create(&thread, NULL, move_and_end, servers), 0);
    cr_assert_eq(nereus_job_wait(client, 1, answer_limit_s, &reply, &err), NEREUS_OK, "%s",
                 err.text);
    cr_expect(reply.answer == NEREUS_JOB_OUTCOME && reply.end == NEREUS_JOB_RESIZED);
    cr_expect(reply.ns == 3 && reply.nt == 7 && fabs(reply.rt_s - 0.25) < 1e-9);
    pthread_join(thread, NULL);
    nereus_job_disconnect(client);
}

/* The job ends when a request has been carried out, before its client asks for the outcome. */
Test(job_server, outcome_of_a_job_that_ends)
{
    const struct nereus_job_reply last = {.answer = NEREUS_JOB_ENDED,
                                          .request = 2,
                                          .end = NEREUS_JOB_RESIZED,
                                          .ns = 5,
                                          .nt = 3,
                                          .rt_s = 0.75};
    static const struct {
        int64_t asked;
        enum nereus_job_answer answer;
    } rows[] = {{2, NEREUS_JOB_OUTCOME}, {0, NEREUS_JOB_OUTCOME}, {1, NEREUS_JOB_ENDED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct job_server *server = begin_as("ending", false);
        struct nereus_job_client *client;
        struct nereus_job_reply reply;
        struct nereus_error err;
        cr_assert_eq(nereus_job_connect("ending", answer_limit_s, &client, NULL), NEREUS_OK);
        nereus_job_server_end(server, &last);
        cr_assert_eq(nereus_job_wait(client, rows[i].asked, answer_limit_s, &reply, &err),
                     NEREUS_OK, "%s", err.text);
        cr_expect_eq(reply.answer, rows[i].answer, "row %zu", i);
        cr_expect(reply.end == NEREUS_JOB_RESIZED && reply.ns == 5 && reply.nt == 3, "row %zu", i);
        nereus_job_disconnect(client);
    }
}

Test(job_server, a_name_is_taken_once)
{
    struct job_server *server = begin_as("once", false), *other = NULL;
    struct nereus_error err = {0};
    cr_expect_eq(nereus_job_server_begin(folder, "once", false, &handler, &other, &err),
                 NEREUS_ERR_STATE);
    cr_expect(strstr(err.text, "another name") != NULL, "%s", err.text);
    nereus_job_server_end(server, &ended);
    /* Of one that was killed the name is left. */
    struct sockaddr_un address;
    nereus_job_address(folder, "once", &address, NULL);
    const int left = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert_eq(bind(left, (struct sockaddr *)&address, sizeof address), 0);
    close(left);
    server = begin_as("once", false);
    ask_status("once", 4);
    nereus_job_server_end(server, &ended);
}

/* Of many that begin at once under one name one does. */
enum { RACERS = 12 };
static pthread_barrier_t line_up;

static void *race(void *argument)
{
    struct job_server **server = argument;
    struct nereus_error err;
    pthread_barrier_wait(&line_up);
    if (nereus_job_server_begin(folder, "race", false, &handler, server, &err) != NEREUS_OK)
        *server = NULL;
    return NULL;
}

Test(job_server, one_of_those_that_begin_at_once)
{
    for (int round = 0; round < 20; round++) {
        pthread_t threads[RACERS];
        struct job_server *servers[RACERS];
        int begun = 0;
        cr_assert_eq(pthread_barrier_init(&line_up, NULL, RACERS), 0);
        for (int i = 0; i < RACERS; i++)
            cr_assert_eq(pthread_create(&threads[i], NULL, race, &servers[i]), 0);
        for (int i = 0; i < RACERS; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < RACERS; i++) {
            begun += servers[i] != NULL;
            nereus_job_server_end(servers[i], &ended);
        }
        cr_assert_eq(begun, 1, "%d have begun", begun);
        pthread_barrier_destroy(&line_up);
    }
}

static void *end_elsewhere(void *argument)
{
    static const struct nereus_job_reply to_another_host = {
        .answer = NEREUS_JOB_MOVED, .host = "another", .rt_s = -1};
    nereus_job_server_end(argument, &to_another_host);
    return NULL;
}

/* Does a thread of this process wait for a flock (proc(5): "-> FLOCK" in /proc/locks)? */
static bool waits_for_a_lock(void)
{
    char line[160], own_pid[32];
    bool waits = false;
    FILE *locks = fopen("/proc/locks", "r");
    snprintf(own_pid, sizeof own_pid, " %ld ", (long)getpid());
    while (locks != NULL && !waits && fgets(line, sizeof line, locks) != NULL)
        waits = strstr(line, "-> FLOCK") != NULL && strstr(line, own_pid) != NULL;
    if (locks != NULL)
        fclose(locks);
    return waits;
}

/* Who leaves the name looks whether it is its own and removes it while nobody takes it over. */
Test(job_server, a_name_is_removed_while_the_folder_is_held)
{
    struct job_server *server = begin_as("leaves", false);
    struct sockaddr_un address;
    char own_path[NEREUS_JOB_PATH_MAX + 8];
    pthread_t thread;
    if (access("/proc/locks", R_OK) != 0) {
        nereus_job_server_end(server, &ended);
        cr_skip("/proc/locks cannot be read");
    }
    cr_assert_eq(nereus_job_address(folder, "leaves", &address, NULL), NEREUS_OK);
    snprintf(own_path, sizeof own_path, "%s.new", address.sun_path);
    const int held = nereus_job_folder_lock(folder);
    cr_assert_geq(held, 0);
    cr_assert_eq(pthread_create(&thread, NULL, end_elsewhere, server), 0);
    while (!waits_for_a_lock() && access(address.sun_path, F_OK) == 0)
        poll(NULL, 0, 5);
    cr_expect_eq(access(address.sun_path, F_OK), 0, "the name was removed without the folder");
    FILE *other = fopen(own_path, "w"); /* as one that takes the name over */
    cr_assert_not_null(other);
    fclose(other);
    cr_assert_eq(rename(own_path, address.sun_path), 0);
    close(held);
    pthread_join(thread, NULL);
    cr_expect_eq(unlink(address.sun_path), 0, "the name of another process was removed");
}

/* What a job has left that was killed is removed; who listens stays. */
Test(job_server, names_that_are_gone)
{
    struct sockaddr_un address;
    struct job_server *server;
    cr_assert_eq(nereus_job_server_begin(folder, "here", false, &handler, &server, NULL),
                 NEREUS_OK);
    const int left = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_assert_eq(nereus_job_address(folder, "left", &address, NULL), NEREUS_OK);
    cr_assert_eq(bind(left, (struct sockaddr *)&address, sizeof address), 0);
    close(left);
    nereus_job_remove_dead_socket(folder, "left");
    nereus_job_remove_dead_socket(folder, "here");
    nereus_job_remove_dead_socket(folder, "nobody");
    cr_expect_eq(access(address.sun_path, F_OK), -1, "%s is still there", address.sun_path);
    cr_assert_eq(nereus_job_address(folder, "here", &address, NULL), NEREUS_OK);
    cr_expect_eq(access(address.sun_path, F_OK), 0, "a name was removed that is in use");
    nereus_job_server_end(server, &ended);
}

static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* In a process of its own: as much as it can. */
static pid_t flood(const char *name)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    const struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_STATUS};
    struct nereus_job_reply reply;
    for (;;) {
        struct nereus_job_client *client = NULL;
        if (nereus_job_connect(name, answer_limit_s, &client, NULL) == NEREUS_OK)
            for (int i = 0; i < 50; i++)
                nereus_job_call(client, &request, answer_limit_s, &reply, NULL);
        nereus_job_disconnect(client);
    }
}

/* However much is asked, serving takes 1 % of the CPU time, and what may be spent at once. */
Test(job_server, floods_take_a_hundredth)
{
    struct job_server *server = begin_as("flood", false);
    const pid_t children[2] = {flood("flood"), flood("flood")};
    const double begin_s = cpu_s(), wall_begin_s = nereus_monotonic_s();
    volatile double sum = 0;
    double spent_s;
    do {
        for (int i = 0; i < 100000; i++)
            sum += i;
        spent_s = cpu_s() - begin_s;
    } while (spent_s < 0.7 || __atomic_load_n(&job.asked, __ATOMIC_RELAXED) < 20);
    const double served_s = nereus_job_server_cpu_s(server),
                 wall_s = nereus_monotonic_s() - wall_begin_s;
    for (int i = 0; i < 2; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
    /* 5 ms at once, and what one round may take above that; and a thousandth of the time, where other
     * programs leave this process few of it. */
    cr_expect_leq(served_s, 0.01 * spent_s + 0.001 * wall_s + 0.005 + 0.005,
                  "%g s of %g s in %g s, %d questions", served_s, spent_s, wall_s, job.asked);
    ask_status("flood", 4);
    nereus_job_server_end(server, &ended);
}

/* By its user id at the time of the connection, whatever the folder lets in. */
Test(job_server, another_user_is_refused)
{
    if (geteuid() != 0) {
        puts("SKIPPED: only root can be another user");
        return;
    }
    struct job_server *server = begin_as("other", false);
    struct sockaddr_un address;
    nereus_job_address(folder, "other", &address, NULL);
    chmod(getenv("XDG_RUNTIME_DIR"), 0755);
    chmod(folder, 0755);
    chmod(address.sun_path, 0777);
    const pid_t child = fork();
    if (child == 0) {
        char text[512] = "";
        if (setuid(65534) != 0)
            _exit(3);
        const int fd = dial("other");
        send(fd, "{\"protocol\":1,\"do\":\"status\"}\n", 29, MSG_NOSIGNAL);
        hear(fd, text, sizeof text);
        _exit(strstr(text, "its own user only") != NULL ? 0 : 4);
    }
    int status = -1;
    waitpid(child, &status, 0);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
    cr_expect_eq(job.asked, 0);
    /* Nor does a client use a folder that others may enter. */
    struct nereus_error err;
    char path[NEREUS_JOB_PATH_MAX];
    cr_expect_eq(nereus_job_folder(path, &err), NEREUS_OK, "%s", err.text);
    cr_expect_str_neq(path, folder);
    chmod(folder, 0700);
    nereus_job_server_end(server, &ended);
}

/* ---- a client, and something else than a server ---------------------------------------------- */

enum { REPLIES, CLOSES, HANGS };
struct stub {
    int listener, kind;
    const char *text;
};

static void *stub(void *argument)
{
    const struct stub *it = argument;
    char text[NEREUS_JOB_REQUEST_BYTES] = "";
    const int fd = accept(it->listener, NULL, NULL);
    hear(fd, text, sizeof text);
    close(it->listener); /* gone, before the client asks again */
    if (it->kind == REPLIES)
        send(fd, it->text, strlen(it->text), MSG_NOSIGNAL);
    if (it->kind == HANGS)
        hear(fd, text, sizeof text); /* until the client hangs up */
    close(fd);
    return NULL;
}

static void ask_stub(int kind, const char *text, enum nereus_job_request_kind what,
                     enum nereus_status expected, const char *says)
{
    struct sockaddr_un address;
    struct stub it = {socket(AF_UNIX, SOCK_STREAM, 0), kind, text};
    const struct nereus_job_request request = {
        .kind = what, .size = 3, .node_count = 1, .nodes = {"n6:20"}};
    struct nereus_job_client *client;
    struct nereus_job_reply reply = {.request = 77};
    struct nereus_error err = {0};
    pthread_t thread;
    nereus_job_address(folder, "fake", &address, NULL);
    cr_assert_eq(bind(it.listener, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(listen(it.listener, 4), 0);
    cr_assert_eq(pthread_create(&thread, NULL, stub, &it), 0);
    cr_assert_eq(nereus_job_connect("fake", answer_limit_s, &client, &err), NEREUS_OK, "%s",
                 err.text);
    /* What is gone is looked for until the limit, too. */
    const double limit_s = kind == HANGS ? 0.3 : 5;
    cr_expect_eq(nereus_job_call(client, &request, limit_s, &reply, &err), expected, "%s",
                 err.text);
    cr_expect(says == NULL || strstr(err.text, says) != NULL, "%s", err.text);
    nereus_job_disconnect(client);
    pthread_join(thread, NULL);
    unlink(address.sun_path);
}

Test(job_server, client_of_a_server_that_is_wrong)
{
    ask_stub(REPLIES, "rubbish\n", NEREUS_JOB_REQUEST_STATUS, NEREUS_ERR_PARSE, "not JSON");
    ask_stub(REPLIES, "{\"protocol\":5,\"answer\":\"ended\"}\n", NEREUS_JOB_REQUEST_STATUS,
             NEREUS_ERR_PARSE, "another version");
    ask_stub(REPLIES, "{\"protocol\":1,\"answer\":\"ended\"}\n", NEREUS_JOB_REQUEST_STATUS,
             NEREUS_OK, NULL);
    ask_stub(HANGS, "", NEREUS_JOB_REQUEST_STATUS, NEREUS_ERR_STATE, "has not answered within");
    /* It may have taken the request: not asked again by itself. */
    static const enum nereus_job_request_kind changes[] = {
        NEREUS_JOB_REQUEST_RESIZE, NEREUS_JOB_REQUEST_RELEASE, NEREUS_JOB_REQUEST_OFFER};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        ask_stub(CLOSES, "", changes[i], NEREUS_ERR_STATE,
                 "closed the connection before it answered");
    ask_stub(CLOSES, "", NEREUS_JOB_REQUEST_STATUS, NEREUS_ERR_STATE, "does not answer any more");
}
