/** @file client.c  Connects to a running job and sends requests, for the commands of nereus job
 * (nereus/job_client.h). */
#include <dirent.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "folder.h"
#include "message.h"
#include "model/util/clock.h"

struct nereus_job_client {
    char name[NEREUS_JOB_NAME_MAX];
    int fd; /* -1: not connected, because the job moves */
    size_t length;
    char text[NEREUS_JOB_REPLY_BYTES]; /* part of the next answer that has been read */
};

/* Limits and interval of connection attempts. A job that moves to other processes cannot be reached
 * for some milliseconds; a process that is gone for longer does not come back. */
static const double moving_limit_s = 10, first_poll_s = 0.5, poll_s = 0.02;

static void close_connection(struct nereus_job_client *client)
{
    if (client->fd >= 0)
        close(client->fd);
    client->fd = -1;
    client->length = 0;
}

/* Try once to connect.
 * @return false: no process listens */
static bool try_to_connect(struct nereus_job_client *client, const struct sockaddr_un *address,
                           double limit_s)
{
    const struct timeval limit = {(time_t)fmin(limit_s, moving_limit_s) + 1, 0};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    /* limits the wait for a full queue of connections */
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 &&
        nereus_job_peer_is_own(fd)) {
        client->fd = fd;
        return true;
    }
    close(fd);
    return false;
}

/*
 * @param gone_s  limit after which a socket without a listener belongs to a job that crashed
 * @param[out] absent  the name does not exist: a job that ends normally removes it, one that moves
 *                     on this host does not
 */
static enum nereus_status find_job(struct nereus_job_client *client, double limit_s, double gone_s,
                                   bool *absent, struct nereus_error *err)
{
    struct sockaddr_un address;
    char folder[NEREUS_JOB_PATH_MAX];
    NEREUS_TRY(nereus_job_folder(folder, err));
    NEREUS_TRY(nereus_job_address(folder, client->name, &address, err));
    const double begin_s = nereus_monotonic_s(), end_s = begin_s + fmin(limit_s, gone_s);
    *absent = false;
    while (!try_to_connect(client, &address, limit_s)) {
        *absent = access(address.sun_path, F_OK) != 0;
        if (*absent) {
            return nereus_fail(
                err, NEREUS_ERR_STATE,
                "no job '%s' of this user answers on this host (`nereus job list` lists "
                "those that do): start it with nereus-mpiexec --job %s",
                client->name, client->name);
        }
        if (nereus_monotonic_s() > end_s) {
            return nereus_fail(
                err, NEREUS_ERR_STATE,
                "the job '%s' does not answer any more: it has ended, or has moved to another host",
                client->name);
        }
        nereus_sleep_s(poll_s);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_job_connect(const char *name, double limit_s,
                                      struct nereus_job_client **client, struct nereus_error *err)
{
    NEREUS_TRY(nereus_job_name_check(name, err));
    struct nereus_job_client *new_client = calloc(1, sizeof *new_client);
    NEREUS_TRY_MEMORY(new_client, err, "to connect to the job '%s'", name);
    new_client->fd = -1;
    snprintf(new_client->name, sizeof new_client->name, "%s", name);
    bool absent;
    const enum nereus_status status = find_job(new_client, limit_s, first_poll_s, &absent, err);
    if (status != NEREUS_OK) {
        free(new_client);
        return status;
    }
    *client = new_client;
    return NEREUS_OK;
}

void nereus_job_disconnect(struct nereus_job_client *client)
{
    if (client != NULL) {
        close_connection(client);
        free(client);
    }
}

static void send_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        text += sent;
        length -= (size_t)sent;
    }
}

enum read_result { READ_LINE, READ_LATE, READ_CLOSED };

/* Read until there is a whole line, the limit is over, or the other end has closed. */
static enum read_result read_line(struct nereus_job_client *client, double reply_deadline_s,
                                  size_t *length)
{
    for (;;) {
        const char *end = memchr(client->text, '\n', client->length);
        if (end != NULL) {
            *length = (size_t)(end - client->text);
            return READ_LINE;
        }
        if (client->length == sizeof client->text)
            return READ_CLOSED;
        const double left_s = reply_deadline_s - nereus_monotonic_s();
        struct pollfd wait = {.fd = client->fd, .events = POLLIN};
        const int ready = poll(&wait, 1,
                               left_s <= 0     ? 0
                               : isinf(left_s) ? -1
                                               : (int)fmin(1e3 * left_s + 1, 1e9));
        if (ready < 0 && errno != EINTR)
            return READ_CLOSED;
        if (ready == 0 && left_s <= 0)
            return READ_LATE;
        if (ready > 0) {
            const ssize_t count = recv(client->fd, client->text + client->length,
                                       sizeof client->text - client->length, 0);
            if (count == 0 || (count < 0 && errno != EINTR))
                return READ_CLOSED;
            client->length += count > 0 ? (size_t)count : 0;
        }
    }
}

/* Read the next answer.
 * @param[out] result  whether there was one */
static enum nereus_status read_reply_until(struct nereus_job_client *client,
                                           double reply_deadline_s, enum read_result *result,
                                           struct nereus_job_reply *reply, struct nereus_error *err)
{
    size_t length = 0;
    *result = read_line(client, reply_deadline_s, &length);
    if (*result != READ_LINE)
        return NEREUS_OK;
    const enum nereus_status status = nereus_job_reply_read(client->text, length, reply, err);
    client->length -= length + 1;
    memmove(client->text, client->text + length + 1, client->length);
    return status;
}

static enum nereus_status fail_late(const struct nereus_job_client *client, double limit_s,
                                    struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_STATE, "the job '%s' has not answered within %g s",
                       client->name, limit_s);
}

static bool is_elsewhere(const struct nereus_job_reply *reply)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return reply->host[0] != '\0' && strcmp(reply->host, host) != 0;
}

/* Send once, to the process that answers now. A job that has moved did not take the request; one
 * that closes without an answer may have taken it. */
static enum nereus_status call_once(struct nereus_job_client *client,
                                    const struct nereus_job_request *request,
                                    double reply_deadline_s, enum read_result *result,
                                    struct nereus_job_reply *reply, struct nereus_error *err)
{
    char text[NEREUS_JOB_REQUEST_BYTES];
    const size_t length = nereus_job_request_write(request, text, sizeof text);
    if (length == 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the request is too long for a message of %d bytes",
                           NEREUS_JOB_REQUEST_BYTES);
    }
    *result = READ_CLOSED;
    if (client->fd < 0)
        return NEREUS_OK;
    /* ignore errors: the peer may have sent the reason before it closed */
    send_all(client->fd, text, length);
    return read_reply_until(client, reply_deadline_s, result, reply, err);
}

/* Has it the same effect if it is sent twice? */
static bool is_repeatable(const struct nereus_job_request *request)
{
    switch (request->kind) { /* no default: the compiler names a kind that is missing */
    case NEREUS_JOB_REQUEST_STATUS:
    case NEREUS_JOB_REQUEST_WAIT:
    case NEREUS_JOB_REQUEST_END:
        return true;
    case NEREUS_JOB_REQUEST_RESIZE:
    case NEREUS_JOB_REQUEST_RELEASE:
    case NEREUS_JOB_REQUEST_OFFER:
    case NEREUS_JOB_REQUEST_KIND_COUNT:
        break;
    }
    return false;
}

/* Does the last message of a job that moves or ends contain the outcome that is waited for? */
static bool is_outcome(const struct nereus_job_request *request,
                       const struct nereus_job_reply *reply)
{
    return (reply->answer == NEREUS_JOB_MOVED || reply->answer == NEREUS_JOB_ENDED) &&
           request->kind == NEREUS_JOB_REQUEST_WAIT && reply->request > 0 &&
           (request->request == 0 || request->request == reply->request);
}

/* Handle a missing answer: the job has moved, or the connection broke.
 * @param[out] ended  the job has ended, and the answer is written */
static enum nereus_status follow_moving_job(struct nereus_job_client *client,
                                            const struct nereus_job_request *request,
                                            double reply_deadline_s, bool *ended,
                                            struct nereus_job_reply *reply,
                                            struct nereus_error *err)
{
    close_connection(client);
    nereus_sleep_s(poll_s);
    const double left_s = reply_deadline_s - nereus_monotonic_s();
    const enum nereus_status status =
        find_job(client, left_s > poll_s ? left_s : poll_s, moving_limit_s, ended, err);
    if (*ended && !is_outcome(request, reply))
        reply->answer = NEREUS_JOB_ENDED;
    return *ended ? NEREUS_OK : status;
}

static enum nereus_status fail_closed(struct nereus_job_client *client, struct nereus_error *err)
{
    close_connection(client);
    return nereus_fail(
        err, NEREUS_ERR_STATE,
        "the job '%s' closed the connection before it answered: `nereus job status %s` "
        "says what it does",
        client->name, client->name);
}

/* Is this the final answer? Otherwise the client sends again. */
static bool is_final(const struct nereus_job_reply *reply, double reply_deadline_s)
{
    if (reply->answer == NEREUS_JOB_DEFERRED)
        return nereus_monotonic_s() + reply->after_s > reply_deadline_s;
    return reply->answer != NEREUS_JOB_MOVED || is_elsewhere(reply);
}

enum nereus_status nereus_job_call(struct nereus_job_client *client,
                                   const struct nereus_job_request *request, double limit_s,
                                   struct nereus_job_reply *reply, struct nereus_error *err)
{
    const double begin_s = nereus_monotonic_s(),
                 reply_deadline_s = limit_s > 0 ? begin_s + limit_s : INFINITY;
    struct nereus_job_request now = *request;
    struct nereus_job_reply received = {.rt_s = -1};
    for (bool ended = false; !ended;) {
        enum read_result result = READ_CLOSED;
        const bool was_connected = client->fd >= 0;
        if (request->deadline_s > 0) /* the deadline must not restart with each try */
            now.deadline_s = fmax(request->deadline_s - (nereus_monotonic_s() - begin_s), 1e-3);
        NEREUS_TRY(call_once(client, &now, reply_deadline_s, &result, &received, err));
        if (result == READ_LATE) {
            close_connection(client); /* so that a late answer is not taken for the next one */
            return fail_late(client, limit_s, err);
        }
        if (result == READ_CLOSED && was_connected && !is_repeatable(request))
            return fail_closed(client, err);
        if (result == READ_LINE && is_final(&received, reply_deadline_s))
            break;
        if (result == READ_LINE && received.answer == NEREUS_JOB_DEFERRED)
            nereus_sleep_s(received.after_s);
        else
            NEREUS_TRY(
                follow_moving_job(client, request, reply_deadline_s, &ended, &received, err));
    }
    if (is_outcome(request, &received)) /* the outcome is sent only once */
        received.answer = NEREUS_JOB_OUTCOME;
    *reply = received;
    return NEREUS_OK;
}

enum nereus_status nereus_job_wait(struct nereus_job_client *client, int64_t request_number,
                                   double limit_s, struct nereus_job_reply *reply,
                                   struct nereus_error *err)
{
    const struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_WAIT,
                                               .request = request_number};
    return nereus_job_call(client, &request, limit_s, reply, err);
}

enum nereus_status nereus_job_wait_end(struct nereus_job_client *client, double limit_s,
                                       struct nereus_job_reply *reply, struct nereus_error *err)
{
    const struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_END};
    return nereus_job_call(client, &request, limit_s, reply, err);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

enum nereus_status nereus_job_names(char (**names)[NEREUS_JOB_NAME_MAX], int64_t *count,
                                    struct nereus_error *err)
{
    char folder[NEREUS_JOB_PATH_MAX];
    NEREUS_TRY(nereus_job_folder(folder, err));
    DIR *stream = opendir(folder);
    if (stream == NULL) {
        return nereus_fail(err, NEREUS_ERR_IO, "the folder '%s' cannot be read: %s", folder,
                           strerror(errno));
    }
    char(*found)[NEREUS_JOB_NAME_MAX] = NULL;
    int64_t number = 0;
    enum nereus_status status = NEREUS_OK;
    for (const struct dirent *entry = readdir(stream); entry != NULL && status == NEREUS_OK;
         entry = readdir(stream)) {
        if (nereus_job_name_check(entry->d_name, NULL) != NEREUS_OK)
            continue;
        char(*grown)[NEREUS_JOB_NAME_MAX] = nereus_grow(found, number, sizeof *found);
        if (grown == NULL) {
            status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the names of jobs");
            continue;
        }
        found = grown;
        snprintf(found[number++], NEREUS_JOB_NAME_MAX, "%.*s", NEREUS_JOB_NAME_MAX - 1,
                 entry->d_name);
    }
    closedir(stream);
    if (status != NEREUS_OK) {
        free(found);
        return status;
    }
    if (number > 0)
        qsort(found, (size_t)number, sizeof *found, compare_names);
    *names = found;
    *count = number;
    return NEREUS_OK;
}
