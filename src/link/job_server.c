/** @file job_server.c  Runs the server's thread: a poll loop with a budget of CPU time. */
#include "job_server.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/job_client/folder.h"
#include "model/job_client/message.h"
#include "model/util/clock.h"

/* Budget of the thread: a share of the process' CPU time; while the process sleeps, a share of
 * wall-clock time; at most this much at once, enough for some hundred messages. */
static const double cpu_share = 0.01, cpu_share_asleep = 0.001, cpu_burst_s = 5e-3;
/* Exponential backoff: on a slow machine the budget earned in the first pause may be less than a
 * wake-up costs. */
static const double first_backoff_s = 50e-3, longest_backoff_s = 400e-3;
/* Time limit for sending a complete request; idle time after which a client's slot may be given to
 * a new one. */
static const double request_limit_s = 10, idle_s = 1;

struct client {
    int fd; /* -1: free */
    double since_s;
    bool waits; /* waits for the answer to `request` */
    struct nereus_job_request request;
    size_t length;
    char text[NEREUS_JOB_REQUEST_BYTES];
};

struct budget {
    double left_s, process_s, thread_s, wall_s;
};

struct job_server {
    struct job_server_handler handler;
    int listener, wake_pipe;
    char folder[NEREUS_JOB_PATH_MAX], path[NEREUS_JOB_PATH_MAX];
    struct stat file;
    pthread_t thread;
    struct budget budget;
    int64_t cpu_ns; /* atomic */
    bool over;      /* atomic */
    struct nereus_job_reply last_reply;
    struct client clients[NEREUS_JOB_CLIENTS_MAX];
};

/* ---- CPU time -------------------------------------------------------------------------------- */

static void begin_budget(struct budget *budget)
{
    *budget = (struct budget){cpu_burst_s, nereus_read_clock_s(CLOCK_PROCESS_CPUTIME_ID),
                              nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID), nereus_monotonic_s()};
}

/* Update the budget with the time earned and spent.
 * @return false: the budget is used up */
static bool update_budget(struct job_server *server)
{
    struct budget *budget = &server->budget;
    const struct budget old_budget = *budget;
    budget->process_s = nereus_read_clock_s(CLOCK_PROCESS_CPUTIME_ID);
    budget->thread_s = nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID);
    budget->wall_s = nereus_monotonic_s();
    const double spent_s = budget->thread_s - old_budget.thread_s,
                 others_s = budget->process_s - old_budget.process_s - spent_s,
                 income_s = fmax(cpu_share * others_s,
                                 cpu_share_asleep * (budget->wall_s - old_budget.wall_s));
    budget->left_s = fmin(budget->left_s + income_s, cpu_burst_s) - spent_s;
    __atomic_store_n(&server->cpu_ns, (int64_t)(1e9 * budget->thread_s), __ATOMIC_RELAXED);
    return budget->left_s > 0;
}

double nereus_job_server_cpu_s(const struct job_server *server)
{
    return 1e-9 * (double)__atomic_load_n(&server->cpu_ns, __ATOMIC_RELAXED);
}

/* ---- clients --------------------------------------------------------------------------------- */

static void close_client(struct client *client)
{
    close(client->fd);
    client->fd = -1;
    client->waits = false;
    client->length = 0;
}

/* Do not wait for a client with a full queue: it does not read. */
static bool send_reply(int fd, const struct nereus_job_reply *reply)
{
    char text[NEREUS_JOB_REPLY_BYTES];
    const size_t length = nereus_job_reply_write(reply, text, sizeof text);
    return length > 0 && send(fd, text, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

static void refuse_client(int fd, const char *reason)
{
    struct nereus_job_reply reply = {.answer = NEREUS_JOB_INVALID};
    snprintf(reply.reason, sizeof reply.reason, "%s", reason);
    send_reply(fd, &reply);
}

static void answer_client(struct job_server *server, struct client *client)
{
    struct nereus_job_reply reply = {.rt_s = -1};
    client->waits = !server->handler.answer(server->handler.user, &client->request, &reply);
    client->since_s = nereus_monotonic_s(); /* waiting for an answer does not count as idle */
    if (!client->waits && !send_reply(client->fd, &reply))
        close_client(client);
}

/* @return false: the client was dropped */
static bool handle_message(struct job_server *server, struct client *client, size_t length)
{
    struct nereus_error err;
    if (nereus_job_request_read(client->text, length, &client->request, &err) != NEREUS_OK) {
        refuse_client(client->fd, err.text); /* the rest of the stream may be invalid, too */
        close_client(client);
        return false;
    }
    client->length -= length + 1;
    memmove(client->text, client->text + length + 1, client->length);
    client->since_s = nereus_monotonic_s();
    answer_client(server, client);
    return client->fd >= 0;
}

/* Handle complete messages, up to one whose answer is not known yet. */
static void handle_messages(struct job_server *server, struct client *client)
{
    while (!client->waits) {
        const char *end = memchr(client->text, '\n', client->length);
        if (end == NULL)
            break;
        if (!handle_message(server, client, (size_t)(end - client->text)))
            return;
    }
    if (client->length == sizeof client->text && !client->waits) {
        refuse_client(client->fd, "the message is too long");
        close_client(client);
    }
}

static void read_client(struct job_server *server, struct client *client)
{
    const size_t capacity = sizeof client->text - client->length;
    const ssize_t count =
        capacity > 0 ? recv(client->fd, client->text + client->length, capacity, MSG_DONTWAIT) : 0;
    if (count > 0) {
        client->length += (size_t)count;
        handle_messages(server, client);
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        close_client(client);
    }
}

/* Find a free slot, else the slot of the client that has been idle longest. NULL: all are busy. */
static struct client *find_client_slot(struct job_server *server)
{
    struct client *oldest = NULL;
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i++) {
        struct client *client = &server->clients[i];
        if (client->fd < 0)
            return client;
        if (!client->waits && (oldest == NULL || client->since_s < oldest->since_s))
            oldest = client;
    }
    if (oldest == NULL || nereus_monotonic_s() - oldest->since_s < idle_s)
        return NULL;
    close_client(oldest);
    return oldest;
}

static void accept_clients(struct job_server *server)
{
    const int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    struct client *place = nereus_job_peer_is_own(fd) ? find_client_slot(server) : NULL;
    if (place == NULL) {
        refuse_client(fd, nereus_job_peer_is_own(fd)
                              ? "too many clients are connected: try again later"
                              : "the job answers its own user only");
        close(fd);
        return;
    }
    place->fd = fd;
    place->since_s = nereus_monotonic_s();
}

static void close_idle(struct job_server *server)
{
    const double now_s = nereus_monotonic_s();
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i++) {
        struct client *client = &server->clients[i];
        if (client->fd >= 0 && !client->waits && now_s - client->since_s > request_limit_s)
            close_client(client);
    }
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Poll list: wake-up pipe, listener, then the clients in order. */
static int list_descriptors(const struct job_server *server, struct pollfd *waits)
{
    int count = 2;
    waits[0] = (struct pollfd){.fd = server->wake_pipe, .events = POLLIN};
    waits[1] = (struct pollfd){.fd = server->listener, .events = POLLIN};
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i++) {
        /* A waiting client with a full buffer is not read; poll still reports a hang-up */
        const struct client *client = &server->clients[i];
        const bool full = client->waits && client->length == sizeof client->text;
        waits[count++] = (struct pollfd){.fd = client->fd, .events = full ? 0 : POLLIN};
    }
    return count;
}

static double compute_next_tick_s(const struct job_server *server, double due_s)
{
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i++)
        if (server->clients[i].fd >= 0 && !server->clients[i].waits && due_s > idle_s)
            due_s = idle_s;
    return due_s;
}

/* Retry the answers of waiting clients. */
static void answer_waiting(struct job_server *server)
{
    uint64_t count;
    const bool woken = read(server->wake_pipe, &count, sizeof count) == (ssize_t)sizeof count;
    for (int i = 0; woken && i < NEREUS_JOB_CLIENTS_MAX; i++) {
        struct client *client = &server->clients[i];
        if (client->waits)
            answer_client(server, client);
        if (client->fd >= 0 && !client->waits)
            handle_messages(server, client);
    }
}

static void serve_clients(struct job_server *server)
{
    struct pollfd waits[2 + NEREUS_JOB_CLIENTS_MAX];
    const double due_s = compute_next_tick_s(server, server->handler.tick(server->handler.user));
    const int count = list_descriptors(server, waits),
              limit_ms = isinf(due_s) ? -1
                         : due_s <= 0 ? 0
                                      : (int)fmin(1e3 * due_s + 1, 1e9);
    if (poll(waits, (nfds_t)count, limit_ms) < 0)
        return;
    answer_waiting(server);
    for (int i = 2; i < count; i++)
        if (waits[i].revents != 0 && server->clients[i - 2].fd == waits[i].fd)
            read_client(server, &server->clients[i - 2]);
    close_idle(server);
    if (waits[1].revents != 0)
        accept_clients(server);
}

/* Sleep until the budget has CPU time again, or the server ends. */
static void sleep_until_budget(struct job_server *server)
{
    struct pollfd wake_pipe = {.fd = -1};
    double backoff_s = first_backoff_s;
    while (!update_budget(server) && !__atomic_load_n(&server->over, __ATOMIC_ACQUIRE)) {
        poll(&wake_pipe, 1, (int)(1e3 * backoff_s));
        backoff_s = fmin(2 * backoff_s, longest_backoff_s);
    }
}

/* Send the last reply to all clients, also to those that have just connected: they found the socket
 * while it belonged to this process. */
static void send_last_message(struct job_server *server)
{
    int fd;
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i++) {
        struct client *client = &server->clients[i];
        if (client->waits)
            answer_client(server, client);
        if (client->fd >= 0) {
            send_reply(client->fd, &server->last_reply);
            close_client(client);
        }
    }
    while ((fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
        if (nereus_job_peer_is_own(fd))
            send_reply(fd, &server->last_reply);
        close(fd);
    }
}

static void *run_server(void *argument)
{
    struct job_server *server = argument;
    begin_budget(&server->budget);
    while (!__atomic_load_n(&server->over, __ATOMIC_ACQUIRE)) {
        serve_clients(server);
        sleep_until_budget(server);
    }
    send_last_message(server);
    update_budget(server);
    return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static bool accepts_connection(const struct sockaddr_un *address)
{
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool answered =
        fd >= 0 &&
        (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 || errno == EAGAIN);
    if (fd >= 0)
        close(fd);
    return answered;
}

/* Bind a temporary name and rename it, so that a server always listens under the job's name. */
static enum nereus_status listen_at(struct job_server *server, const char *folder, const char *name,
                                    struct nereus_error *err)
{
    char other[NEREUS_JOB_NAME_MAX];
    struct sockaddr_un address, aside;
    snprintf(other, sizeof other, ".%ld", (long)getpid()); /* not a valid name of a job */
    NEREUS_TRY(nereus_job_address(folder, name, &address, err));
    NEREUS_TRY(nereus_job_address(folder, other, &aside, err));
    snprintf(server->folder, sizeof server->folder, "%s", folder);
    snprintf(server->path, sizeof server->path, "%s", address.sun_path);
    unlink(aside.sun_path);
    if (bind(server->listener, (const struct sockaddr *)&aside, sizeof aside) != 0 ||
        listen(server->listener, 64) != 0 || lstat(aside.sun_path, &server->file) != 0 ||
        rename(aside.sun_path, address.sun_path) != 0) {
        nereus_fail(err, NEREUS_ERR_IO, "the job cannot listen at '%s': %s", server->path,
                    strerror(errno));
        unlink(aside.sun_path);
        return NEREUS_ERR_IO;
    }
    return NEREUS_OK;
}

static void free_server(struct job_server *server)
{
    if (server->listener >= 0)
        close(server->listener);
    if (server->wake_pipe >= 0)
        close(server->wake_pipe);
    free(server);
}

/* Signals stay blocked in this thread: the program's threads handle them. */
static enum nereus_status start_thread(struct job_server *server, struct nereus_error *err)
{
    sigset_t all_signals, old_mask;
    sigfillset(&all_signals);
    pthread_sigmask(SIG_SETMASK, &all_signals, &old_mask);
    const int code = pthread_create(&server->thread, NULL, run_server, server);
    pthread_sigmask(SIG_SETMASK, &old_mask, NULL);
    return code == 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_MEMORY,
                             "no thread can be had that answers for the job: %s", strerror(code));
}

/* Begin under a lock of the folder: if two jobs start with the same name, one succeeds. */
static enum nereus_status begin_alone(const char *folder, const char *name, bool takes_over,
                                      const struct job_server_handler *handler,
                                      struct job_server **server, struct nereus_error *err)
{
    struct sockaddr_un address;
    NEREUS_TRY(nereus_job_address(folder, name, &address, err));
    if (!takes_over && accepts_connection(&address))
        return nereus_fail(err, NEREUS_ERR_STATE,
                           "a job of this user answers as '%s' already: give this one another name "
                           "(NEREUS_JOB)",
                           name);
    struct job_server *new_server = calloc(1, sizeof *new_server);
    NEREUS_TRY_MEMORY(new_server, err, "to answer for the job");
    new_server->handler = *handler;
    new_server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    new_server->wake_pipe = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    for (int i = 0; i < NEREUS_JOB_CLIENTS_MAX; i++)
        new_server->clients[i].fd = -1;
    enum nereus_status status =
        new_server->wake_pipe < 0
            ? nereus_fail(err, NEREUS_ERR_IO, "no event descriptor can be had: %s", strerror(errno))
            : listen_at(new_server, folder, name, err);
    if (status == NEREUS_OK && (status = start_thread(new_server, err)) != NEREUS_OK)
        unlink(new_server->path);
    if (status != NEREUS_OK) {
        free_server(new_server);
        return status;
    }
    *server = new_server;
    return NEREUS_OK;
}

enum nereus_status nereus_job_server_begin(const char *folder, const char *name, bool takes_over,
                                           const struct job_server_handler *handler,
                                           struct job_server **server, struct nereus_error *err)
{
    NEREUS_TRY(nereus_job_name_check(name, err));
    const int held = nereus_job_folder_lock(folder);
    const enum nereus_status status = begin_alone(folder, name, takes_over, handler, server, err);
    if (held >= 0)
        close(held);
    return status;
}

void nereus_job_server_wake(struct job_server *server)
{
    const uint64_t one = 1;
    if (server != NULL && write(server->wake_pipe, &one, sizeof one) < 0)
        return; /* pipe full: already signalled */
}

/* Remove the socket's file, unless another process has replaced it by its own. Under the lock, so
 * that no process can replace it between the check and the removal. */
static void remove_name(const struct job_server *server)
{
    struct stat now;
    const int held = nereus_job_folder_lock(server->folder);
    if (lstat(server->path, &now) == 0 && now.st_ino == server->file.st_ino &&
        now.st_dev == server->file.st_dev)
        unlink(server->path);
    if (held >= 0)
        close(held);
}

void nereus_job_server_end(struct job_server *server, const struct nereus_job_reply *last_reply)
{
    if (server == NULL)
        return;
    server->last_reply = *last_reply;
    if (last_reply->answer != NEREUS_JOB_MOVED || last_reply->host[0] != '\0')
        remove_name(server);
    __atomic_store_n(&server->over, true, __ATOMIC_RELEASE);
    nereus_job_server_wake(server);
    pthread_join(server->thread, NULL);
    free_server(server);
}
