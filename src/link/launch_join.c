/**
 * @file launch_join.c
 * Joins from a launched world, which announces itself, and waits for its payload outside MPI
 * (launch.h).
 */
#include <unistd.h>

#include "connection.h"
#include "launch.h"
#include "src/mpi/large_counts.h"
#include "src/util/error.h"
#include "src/util/guard_events.h"
#include "src/util/guard_link.h"
#include "src/util/wait.h"

enum { PAYLOAD_BYTES_MAX = 1 << 30 };
static const double call_limit_s = 10, read_limit_s = 30;

bool nereus_launch_is_launched(void)
{
    return getenv(NEREUS_LAUNCH_NAME) != NULL && nereus_has_guard();
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

static bool send_announcement(struct nereus_connection *connection,
                              const struct nereus_connection_address *root, const char *group,
                              const char *port)
{
    char host[NEREUS_CONNECTION_HOST_MAX] = "?";
    struct nereus_words words = {0};
    /* contains the token, which proves that this process is part of the job */
    struct nereus_connection_address supervisor;
    if (!nereus_connection_parse_address(getenv(NEREUS_LAUNCHER_NAME), &supervisor, NULL)) {
        nereus_connection_init(connection, -1, 0);
        return false;
    }
    gethostname(host, sizeof host - 1);
    nereus_connection_init(connection,
                           nereus_connection_connect(root->host, root->port, call_limit_s),
                           PAYLOAD_BYTES_MAX);
    nereus_words_add(&words, supervisor.token);
    nereus_words_add(&words, root->token);
    nereus_words_add(&words, group);
    nereus_words_add_int(&words, getpid());
    nereus_words_add(&words, host);
    nereus_words_add(&words, port);
    return nereus_words_send(&words, connection->fd, call_limit_s);
}

/* Receive "W BYTES" and the bytes. If the job ends meanwhile the guard ends this process. */
static bool receive_payload(struct nereus_connection *connection, struct nereus_launch_reply *reply)
{
    char *text = nereus_connection_wait_line(connection, -1);
    const char *kind = nereus_word_next(&text);
    int64_t bytes;
    if (kind == NULL || *kind != 'W' || !nereus_word_integer(nereus_word_next(&text), &bytes) ||
        bytes < 0)
        return false;
    reply->count = (size_t)bytes;
    reply->bytes = malloc(reply->count + 1);
    return reply->bytes != NULL &&
           nereus_connection_read(connection, reply->bytes, reply->count, read_limit_s) &&
           nereus_connection_send_line(connection->fd, "A");
}

static void announce_to_root(struct nereus_launch_reply *reply, struct nereus_error *failure)
{
    struct nereus_connection connection;
    struct nereus_connection_address root;
    const char *group;
    int64_t number;
    if (!nereus_connection_parse_address(getenv(NEREUS_LAUNCH_NAME), &root, &group) ||
        !nereus_word_integer(group, &number)) {
        nereus_fail(failure, NEREUS_ERR_STATE,
                    "%s does not name the job that this process was launched for",
                    NEREUS_LAUNCH_NAME);
        return;
    }
    reply->group = (int)number;
    if (nereus_port_open(&reply->own_port, failure) != NEREUS_OK)
        return;
    if (!send_announcement(&connection, &root, group, reply->own_port.text) ||
        !receive_payload(&connection, reply)) {
        nereus_fail(failure, NEREUS_ERR_CANCELLED,
                    "the job on %s that this process was launched for does not answer", root.host);
        nereus_connection_fini(&connection);
        return;
    }
    /* The connection stays open until the world has joined: the root does not connect by MPI if it
     * closes earlier. */
    reply->connection = connection.fd;
    free(connection.text);
}

/* ---- all processes of the world -------------------------------------------------------------- */

/* Broadcast what rank 0 has received. */
static enum nereus_status broadcast_payload(MPI_Comm world, int rank,
                                            struct nereus_launch_reply *reply,
                                            struct nereus_error *failure, struct nereus_error *err)
{
    int64_t head[3] = {failure->status, reply->group, (int64_t)reply->count};
    /* Wait asleep, because the application computes on these cores. */
    NEREUS_TRY(nereus_broadcast(head, sizeof head, 0, world, NEREUS_WAIT_ASLEEP, err));
    if (head[0] != NEREUS_OK)
        return nereus_fail(err, (enum nereus_status)head[0], "%s",
                           rank == 0 ? failure->text
                                     : "rank 0 of this launched world could not join");
    reply->group = (int)head[1];
    reply->count = (size_t)head[2];
    if (rank != 0)
        reply->bytes = malloc(reply->count + 1);
    NEREUS_TRY_MEMORY(reply->bytes, err, "for what a new process has to know");
    NEREUS_MPI(MPI_Bcast_c(reply->bytes, (MPI_Count)reply->count, MPI_BYTE, 0, world), err);
    return NEREUS_OK;
}

enum nereus_status nereus_launch_announce(MPI_Comm world, struct nereus_launch_reply *reply,
                                          struct nereus_error *err)
{
    int rank;
    struct nereus_error failure = {0};
    *reply = (struct nereus_launch_reply)NEREUS_LAUNCH_REPLY_NONE;
    NEREUS_MPI(MPI_Comm_rank(world, &rank), err);
    /* all have passed MPI_Init */
    NEREUS_TRY(nereus_sleeping_barrier(world, NEREUS_WAIT_ASLEEP, err));
    if (rank == 0)
        announce_to_root(reply, &failure);
    const enum nereus_status status = broadcast_payload(world, rank, reply, &failure, err);
    unsetenv(NEREUS_LAUNCH_NAME);
    if (status != NEREUS_OK)
        nereus_launch_reply_fini(reply);
    return status;
}

void nereus_launch_reply_fini(struct nereus_launch_reply *reply)
{
    nereus_port_close(&reply->own_port);
    free(reply->bytes);
    if (reply->connection >= 0)
        close(reply->connection);
    *reply = (struct nereus_launch_reply)NEREUS_LAUNCH_REPLY_NONE;
}
