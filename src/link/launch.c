/**
 * @file launch.c
 * Connects the root with the worlds that it launches. It has one connection to nereus-supervise,
 * which starts the launchers and reports failures (supervisor_lines.h), and one to rank 0 of each
 * world, which opens it to announce the world.
 */
#include "launch.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "model/util/clock.h"
#include "src/util/error.h"
#include "src/util/guard_events.h"
#include "supervisor_lines.h"

/* Bytes accepted before a connection has sent the token; connections accepted concurrently. */
enum { ANNOUNCEMENT_BYTES = 16384, CONNECTIONS_MAX = 64 };
static const double answer_limit_s = 10;
/* Time limit for the message that says why a launched process has ended. */
static const double reason_limit_s = 1;

struct group {
    enum nereus_launch_state state;
    struct nereus_connection connection; /* to rank 0 of the world, after the announcement */
    char *port, *host;
    int64_t pid;
    bool cancelled;
    char sentence[400];
};

struct nereus_launch {
    int listener;
    /* the token is only the name of this launch: the guards' command lines show it */
    struct nereus_connection_address address;
    /* known to the job's processes from their environment */
    char secret[NEREUS_CONNECTION_TOKEN_MAX];
    struct nereus_connection supervisor; /* to nereus-supervise */
    struct nereus_connection connections[CONNECTIONS_MAX];
    int connection_count;
    struct group *groups;
    int group_count;
    double limit_s, deadline_s; /* for the worlds to announce themselves */
};

/* ---- states ---------------------------------------------------------------------------------- */

static void send_order(struct nereus_launch *launch, enum launch_order kind, int group)
{
    nereus_connection_send_line(launch->supervisor.fd, "%c %d", kind, group);
}

static void cancel_group(struct nereus_launch *launch, int number)
{
    struct group *group = &launch->groups[number];
    if (!group->cancelled)
        send_order(launch, ORDER_END, number);
    group->cancelled = true;
    nereus_connection_fini(&group->connection);
}

static void set_failed(struct nereus_launch *launch, int number, const char *sentence)
{
    struct group *group = &launch->groups[number];
    if (group->state == NEREUS_LAUNCH_FAILED || group->state == NEREUS_LAUNCH_JOINED ||
        group->state == NEREUS_LAUNCH_CHECKED)
        return;
    const bool was_connected = group->state == NEREUS_LAUNCH_CONNECTED;
    group->state = NEREUS_LAUNCH_FAILED;
    snprintf(group->sentence, sizeof group->sentence, "%s",
             sentence[0] != '\0' ? sentence : "a launched process failed, and no reason was given");
    if (!was_connected) /* a connected group is released by the sources first */
        cancel_group(launch, number);
}

/* Parse the number of a group.
 * @return false: not a group of this launch */
static bool parse_group(const struct nereus_launch *launch, const char *word, int *group)
{
    int64_t number;
    if (!nereus_word_integer(word, &number) || number < 0 || number >= launch->group_count)
        return false;
    *group = (int)number;
    return true;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* Find the host of a node "host/a"; NULL: this host. */
static void find_host(const char *wanted, char *host, size_t size)
{
    host[0] = '\0';
    if (wanted == NULL)
        gethostname(host, size - 1);
    else
        snprintf(host, size, "%.*s", (int)strcspn(wanted, "/"), wanted);
    host[size - 1] = '\0';
}

/* Add 'e' and NAME=VALUE, a word of the guard's command line, which is encoded once more than the
 * order's words. */
static void add_setting(struct nereus_words *line, const char *setting)
{
    char *word = nereus_word_encode('e', setting);
    nereus_words_add(line, word);
    line->broken = line->broken || word == NULL;
    free(word);
}

static bool order_start(struct nereus_launch *launch, const struct nereus_launch_group *group,
                        int number)
{
    char host[NEREUS_CONNECTION_HOST_MAX], announce[NEREUS_CONNECTION_HOST_MAX + 96];
    struct nereus_words line = {0};
    find_host(group->host, host, sizeof host);
    snprintf(announce, sizeof announce, "%s=%s:%d:%s:%d", NEREUS_LAUNCH_NAME, launch->address.host,
             launch->address.port, launch->address.token, number);
    nereus_words_add(&line, NEREUS_LETTER(ORDER_LAUNCH));
    nereus_words_add_int(&line, number);
    nereus_words_add_int(&line, group->processes);
    nereus_words_add(&line, host);
    nereus_words_add(&line, group->allocation);
    nereus_words_add(&line, getenv("NEREUS_LAUNCH_COMMAND"));
    nereus_words_add(&line, group->guard);
    add_setting(&line, announce);
    for (char *const *word = group->argv; *word != NULL; word++)
        nereus_words_add(&line, *word);
    return nereus_words_send(&line, launch->supervisor.fd, answer_limit_s);
}

static enum nereus_status open_lines(struct nereus_launch *launch, struct nereus_error *err)
{
    struct nereus_connection_address supervisor;
    if (!nereus_connection_parse_address(getenv(NEREUS_LAUNCHER_NAME), &supervisor, NULL))
        return nereus_fail(
            err, NEREUS_ERR_SPAWN,
            "to launch new processes the job has to be started with nereus-mpiexec, which keeps "
            "watch over them");
    memcpy(launch->secret, supervisor.token, sizeof launch->secret);
    launch->listener = nereus_connection_listen(&launch->address);
    if (launch->listener < 0)
        return nereus_fail(err, NEREUS_ERR_IO,
                           "a socket for launched processes cannot be opened: %s", strerror(errno));
    const int fd = nereus_connection_connect(supervisor.host, supervisor.port, answer_limit_s);
    nereus_connection_init(&launch->supervisor, fd, 1 << 20);
    if (!nereus_connection_send_line(fd, "%s %c %s", supervisor.token, REQUEST_LAUNCHES,
                                     launch->address.token))
        return nereus_fail(err, NEREUS_ERR_SPAWN, "nereus-mpiexec on %s does not answer: %s",
                           supervisor.host, strerror(errno));
    return NEREUS_OK;
}

enum nereus_status nereus_launch_start(const struct nereus_launch_group *groups, int group_count,
                                       double limit_s, struct nereus_launch **launch,
                                       struct nereus_error *err)
{
    struct nereus_launch *new_launch = calloc(1, sizeof *new_launch);
    if (new_launch != NULL)
        new_launch->groups = calloc((size_t)group_count + 1, sizeof *new_launch->groups);
    if (new_launch == NULL || new_launch->groups == NULL) {
        free(new_launch);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to launch %d groups", group_count);
    }
    new_launch->listener = new_launch->supervisor.fd = -1;
    new_launch->group_count = group_count;
    new_launch->limit_s = limit_s;
    new_launch->deadline_s = nereus_monotonic_s() + limit_s;
    for (int i = 0; i < group_count; i++)
        nereus_connection_init(&new_launch->groups[i].connection, -1, 0);
    enum nereus_status status = open_lines(new_launch, err);
    for (int i = 0; i < group_count && status == NEREUS_OK; i++)
        if (!order_start(new_launch, &groups[i], i))
            status = nereus_fail(err, NEREUS_ERR_SPAWN,
                                 "nereus-mpiexec does not take the order for %d process%s",
                                 groups[i].processes, nereus_plural_es(groups[i].processes));
    if (status == NEREUS_OK)
        *launch = new_launch;
    else
        nereus_launch_free(new_launch);
    return status;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void read_supervisor(struct nereus_launch *launch, int *acknowledged)
{
    char *line;
    nereus_connection_fill(&launch->supervisor);
    while ((line = nereus_connection_next_line(&launch->supervisor)) != NULL) {
        const char *kind = nereus_word_next(&line);
        int group;
        if (kind == NULL || !parse_group(launch, nereus_word_next(&line), &group))
            continue;
        if (*kind == ANSWER_FAILED)
            set_failed(launch, group, nereus_word_decode(line));
        else if (*kind == ANSWER_STARTABLE && launch->groups[group].state == NEREUS_LAUNCH_STARTING)
            launch->groups[group].state = NEREUS_LAUNCH_CHECKED;
        else if (*kind == ANSWER_TAKEN && acknowledged != NULL)
            *acknowledged = group;
    }
    for (int i = 0; i < launch->group_count && launch->supervisor.ended; i++)
        set_failed(launch, i, "nereus-mpiexec, which keeps watch over launched processes, is gone");
}

/* Parse "SECRET LAUNCH GROUP PID HOST PORT".
 * @return false: not from a world of this launch */
static bool accept_announcement(struct nereus_launch *launch, struct nereus_connection *connection,
                                char *line)
{
    const char *secret = nereus_word_next(&line), *name = nereus_word_next(&line),
               *number = nereus_word_next(&line), *pid = nereus_word_next(&line),
               *host = nereus_word_next(&line), *port = nereus_word_next(&line);
    int index;
    int64_t pid_number;
    if (port == NULL || strcmp(secret, launch->secret) != 0 ||
        strcmp(name, launch->address.token) != 0 || !parse_group(launch, number, &index) ||
        !nereus_word_integer(pid, &pid_number))
        return false;
    struct group *group = &launch->groups[index];
    if (group->state != NEREUS_LAUNCH_STARTING)
        return false;
    group->port = strdup(port);
    group->host = strdup(host);
    group->pid = pid_number;
    if (group->port == NULL || group->host == NULL)
        return false;
    group->connection = *connection;
    nereus_connection_init(connection, -1, 0);
    group->state = NEREUS_LAUNCH_READY;
    return true;
}

static void read_connections(struct nereus_launch *launch)
{
    int kept_count = 0;
    int fd = 0;
    while (launch->connection_count < CONNECTIONS_MAX &&
           (fd = accept4(launch->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
        nereus_connection_init(&launch->connections[launch->connection_count++], fd,
                               ANNOUNCEMENT_BYTES);
    for (int i = 0; fd < 0 && (errno == EMFILE || errno == ENFILE) && i < launch->group_count; i++)
        if (launch->groups[i].connection.fd < 0) /* not announced yet */
            set_failed(
                launch, i,
                "rank 0 has no descriptor left on which launched processes could speak to it: raise the "
                "limit of open files (ulimit -n) before the job starts");
    for (int i = 0; i < launch->connection_count; i++) {
        struct nereus_connection *connection = &launch->connections[i];
        nereus_connection_fill(connection);
        char *line = nereus_connection_next_line(connection);
        if (line == NULL && !connection->ended)
            launch->connections[kept_count++] = *connection;
        else if (line == NULL || !accept_announcement(launch, connection, line))
            nereus_connection_fini(connection);
    }
    launch->connection_count = kept_count;
}

/* Set a group failed. Its connection may close before nereus-supervise reports the reason: wait for
 * the report. */
static void fail_with_reason(struct nereus_launch *launch, int number, const char *otherwise)
{
    const struct group *group = &launch->groups[number];
    const double deadline_s = nereus_monotonic_s() + reason_limit_s;
    read_supervisor(launch, NULL);
    while (group->state != NEREUS_LAUNCH_FAILED && nereus_monotonic_s() < deadline_s) {
        struct pollfd fd = {launch->supervisor.fd, POLLIN, 0};
        poll(&fd, 1, 10);
        read_supervisor(launch, NULL);
    }
    set_failed(launch, number, otherwise);
}

/* Read the acknowledgements of ready groups; the end of a connection means that rank 0 of the group
 * has died. */
static void read_group_lines(struct nereus_launch *launch)
{
    for (int i = 0; i < launch->group_count; i++) {
        struct group *group = &launch->groups[i];
        if (group->state != NEREUS_LAUNCH_READY && group->state != NEREUS_LAUNCH_HAS_PAYLOAD)
            continue;
        nereus_connection_fill(&group->connection);
        if (group->connection.ended)
            fail_with_reason(launch, i, "a launched process ended before it could join");
    }
}

static int count_starting(const struct nereus_launch *launch)
{
    int starting = 0;
    for (int i = 0; i < launch->group_count; i++)
        starting += launch->groups[i].state == NEREUS_LAUNCH_STARTING;
    return starting;
}

static void fail_late(struct nereus_launch *launch)
{
    char sentence[240];
    nereus_snprintf(
        sentence, sizeof sentence,
        "launched processes were not ready within the time limit of %.3g s (spawn_timeout_s, "
        "NEREUS_SPAWN_TIMEOUT, or the request's deadline): their host or the launcher may not "
        "answer",
        launch->limit_s);
    for (int i = 0; i < launch->group_count; i++)
        if (launch->groups[i].state == NEREUS_LAUNCH_STARTING)
            set_failed(launch, i, sentence);
}

int nereus_launch_poll(struct nereus_launch *launch)
{
    read_supervisor(launch, NULL);
    read_connections(launch);
    read_group_lines(launch);
    if (nereus_monotonic_s() > launch->deadline_s)
        fail_late(launch);
    return count_starting(launch);
}

static bool has_failed(const struct nereus_launch *launch)
{
    return nereus_launch_failure(launch, NULL) != NEREUS_OK;
}

/* Sleep until a connection has input, or until the deadline. */
static void sleep_on_lines(struct nereus_launch *launch, double deadline_s)
{
    struct pollfd *fds = malloc((size_t)(2 + CONNECTIONS_MAX + launch->group_count) * sizeof *fds);
    nfds_t count = 0;
    const double left_s =
        (deadline_s < launch->deadline_s ? deadline_s : launch->deadline_s) - nereus_monotonic_s();
    const int wait_ms = left_s <= 0 ? 0 : (int)(left_s * 1e3) + 1;
    if (fds == NULL) {
        poll(NULL, 0, 1);
        return;
    }
    fds[count++] = (struct pollfd){launch->supervisor.fd, POLLIN, 0};
    fds[count++] = (struct pollfd){launch->listener, POLLIN, 0};
    for (int i = 0; i < launch->connection_count; i++)
        fds[count++] = (struct pollfd){launch->connections[i].fd, POLLIN, 0};
    for (int i = 0; i < launch->group_count; i++)
        fds[count++] = (struct pollfd){launch->groups[i].connection.fd, POLLIN, 0};
    poll(fds, count, wait_ms);
    free(fds);
}

int nereus_launch_wait(struct nereus_launch *launch, double limit_s)
{
    const double deadline_s = nereus_monotonic_s() + limit_s;
    int starting = nereus_launch_poll(launch);
    while (starting > 0 && !has_failed(launch) && nereus_monotonic_s() < deadline_s) {
        sleep_on_lines(launch, deadline_s);
        starting = nereus_launch_poll(launch);
    }
    return starting;
}

/* ---- queries --------------------------------------------------------------------------------- */

enum nereus_launch_state nereus_launch_state(const struct nereus_launch *launch, int group_index)
{
    return launch->groups[group_index].state;
}

enum nereus_status nereus_launch_failure(const struct nereus_launch *launch,
                                         struct nereus_error *err)
{
    for (int i = 0; i < launch->group_count; i++)
        if (launch->groups[i].state == NEREUS_LAUNCH_FAILED)
            return nereus_fail(err, NEREUS_ERR_SPAWN, "%s", launch->groups[i].sentence);
    return NEREUS_OK;
}

const char *nereus_launch_port(const struct nereus_launch *launch, int group_index)
{
    return launch->groups[group_index].port;
}

const char *nereus_launch_host(const struct nereus_launch *launch, int group_index)
{
    return launch->groups[group_index].host;
}

int64_t nereus_launch_pid(const struct nereus_launch *launch, int group_index)
{
    return launch->groups[group_index].pid;
}

/* ---- joining --------------------------------------------------------------------------------- */

enum nereus_status nereus_launch_send_payload(struct nereus_launch *launch, int group_index,
                                              const void *bytes, size_t count,
                                              struct nereus_error *err)
{
    struct group *group = &launch->groups[group_index];
    struct nereus_words line = {0};
    nereus_launch_poll(launch);
    if (group->state == NEREUS_LAUNCH_FAILED)
        return nereus_fail(err, NEREUS_ERR_SPAWN, "%s", group->sentence);
    if (group->state != NEREUS_LAUNCH_READY)
        return nereus_fail(err, NEREUS_ERR_STATE, "group %d is sent its payload, but is not ready",
                           group_index);
    nereus_words_add(&line, "W");
    nereus_words_add_int(&line, (long long)count);
    group->state = NEREUS_LAUNCH_HAS_PAYLOAD;
    if (nereus_words_send(&line, group->connection.fd, answer_limit_s) &&
        nereus_connection_send(group->connection.fd, bytes, count, answer_limit_s))
        return NEREUS_OK;
    set_failed(launch, group_index, "a launched process does not take in what it has to know");
    return nereus_fail(err, NEREUS_ERR_SPAWN, "%s", group->sentence);
}

/* Send ORDER_CONNECTS, and wait for the answer of nereus-supervise. */
static bool announce_connection(struct nereus_launch *launch, int number, double limit_s)
{
    const double deadline_s = nereus_monotonic_s() + answer_limit_s;
    int acknowledged = -1;
    if (!nereus_connection_send_line(launch->supervisor.fd, "%c %d %.3f", ORDER_CONNECTS, number,
                                     limit_s))
        return false;
    while (acknowledged != number && launch->groups[number].state != NEREUS_LAUNCH_FAILED &&
           nereus_monotonic_s() < deadline_s) {
        struct pollfd fd = {launch->supervisor.fd, POLLIN, 0};
        poll(&fd, 1, 100);
        read_supervisor(launch, &acknowledged);
    }
    return acknowledged == number && launch->groups[number].state != NEREUS_LAUNCH_FAILED;
}

enum nereus_status nereus_launch_check_alive(struct nereus_launch *launch, int group_index,
                                             double limit_s, struct nereus_error *err)
{
    struct group *group = &launch->groups[group_index];
    nereus_launch_poll(launch);
    if (group->state == NEREUS_LAUNCH_FAILED)
        return nereus_fail(err, NEREUS_ERR_SPAWN, "%s", group->sentence);
    if (group->state != NEREUS_LAUNCH_HAS_PAYLOAD)
        return nereus_fail(err, NEREUS_ERR_STATE, "group %d is to be connected, but has no payload",
                           group_index);
    if (nereus_connection_wait_line(&group->connection, answer_limit_s) == NULL)
        fail_with_reason(launch, group_index,
                         "a launched process ended, or hung, before it could join");
    else if (!announce_connection(launch, group_index, limit_s))
        set_failed(launch, group_index, "nereus-mpiexec does not answer");
    read_group_lines(launch); /* check a last time */
    if (group->state == NEREUS_LAUNCH_FAILED)
        return nereus_fail(err, NEREUS_ERR_SPAWN, "%s", group->sentence);
    return NEREUS_OK;
}

void nereus_launch_set_connected(struct nereus_launch *launch, int group_index)
{
    if (launch->groups[group_index].state != NEREUS_LAUNCH_FAILED)
        launch->groups[group_index].state = NEREUS_LAUNCH_CONNECTED;
    send_order(launch, ORDER_CONNECTED, group_index);
    /* from now on its guards report the end of processes */
    nereus_connection_fini(&launch->groups[group_index].connection);
}

void nereus_launch_set_overlapped(struct nereus_launch *launch, int group_index, double limit_s)
{
    nereus_connection_send_line(launch->supervisor.fd, "%c %d %.3f", ORDER_OVERLAPPED, group_index,
                                limit_s);
}

void nereus_launch_set_joined(struct nereus_launch *launch, int group_index)
{
    launch->groups[group_index].state = NEREUS_LAUNCH_JOINED;
    send_order(launch, ORDER_JOINED, group_index);
    /* from now on its guards report the end of processes */
    nereus_connection_fini(&launch->groups[group_index].connection);
}

void nereus_launch_cancel(struct nereus_launch *launch, int group_index)
{
    set_failed(launch, group_index, "the launch was cancelled");
}

void nereus_launch_free(struct nereus_launch *launch)
{
    if (launch == NULL)
        return;
    /* Worlds that have not joined are ended by nereus-supervise */
    nereus_connection_send_line(launch->supervisor.fd, "%c", ORDER_NO_MORE);
    nereus_connection_fini(&launch->supervisor);
    for (int i = 0; i < launch->group_count; i++) {
        nereus_connection_fini(&launch->groups[i].connection);
        free(launch->groups[i].port);
        free(launch->groups[i].host);
    }
    for (int i = 0; i < launch->connection_count; i++)
        nereus_connection_fini(&launch->connections[i]);
    if (launch->listener >= 0)
        close(launch->listener);
    free(launch->groups);
    free(launch);
}
