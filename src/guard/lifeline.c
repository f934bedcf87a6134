/**
 * @file lifeline.c
 * Holds a lifeline to nereus-supervise. A launched world has a separate launcher, and would wait
 * forever inside MPI after the job has ended. Each of its guards therefore holds a connection to
 * nereus-supervise, and ends its program when the connection closes.
 */
#include "lifeline.h"

#include <unistd.h>

#include "src/link/connection.h"
#include "src/util/guard_events.h"

/* Time limits of the connection: a launched process cannot run without its lifeline; a spawned
 * process can, and must not be delayed for long. */
static const double launched_limit_s = 10, spawned_limit_s = 2;

/* Connect to nereus-supervise, and send role, process and host.
 * @param group  NULL: not launched
 * @return the socket, or -1 */
static int connect_to_supervisor(enum supervisor_request role, const char *name, const char *group,
                                 double connect_limit_s)
{
    struct nereus_connection connection;
    char host[64] = "?", pid[24];
    gethostname(host, sizeof host - 1);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    const char *const words[] = {NEREUS_LETTER(role), name, pid, host, group, NULL};
    return nereus_connection_open(&connection, getenv(NEREUS_LAUNCHER_NAME), words, connect_limit_s)
               ? connection.fd
               : -1;
}

bool lifeline_is_of_launched(void)
{
    return getenv(NEREUS_LAUNCH_NAME) != NULL;
}

int lifeline_open(void)
{
    struct nereus_connection_address session;
    const char *group;
    if (!nereus_connection_parse_address(getenv(NEREUS_LAUNCH_NAME), &session, &group))
        return -1;
    return connect_to_supervisor(REQUEST_GUARDS_LAUNCHED, session.token, group, launched_limit_s);
}

int lifeline_open_spawned(const char *id)
{
    return connect_to_supervisor(REQUEST_GUARDS_SPAWNED, id, NULL, spawned_limit_s);
}

int lifeline_open_initial(const char *rank)
{
    return connect_to_supervisor(
        REQUEST_GUARDS_INITIAL, rank, NULL,
        launched_limit_s); /* the longer limit, as the program is already running */
}

static void send_report(int connection, enum report_kind kind, int number, const char *sentence,
                        double send_limit_s)
{
    struct nereus_words words = {0};
    nereus_words_add(&words, NEREUS_LETTER(kind));
    nereus_words_add_int(&words, number);
    nereus_words_add(&words, sentence);
    nereus_words_send(&words, connection, send_limit_s);
}

void lifeline_report(int connection, enum report_kind kind, int number, const char *sentence)
{
    if (connection >= 0)
        send_report(connection, kind, number, sentence, launched_limit_s);
}

void lifeline_report_end(int connection, enum report_kind kind, int status, const char *sentence)
{
    struct nereus_connection reader;
    if (connection < 0)
        return;
    send_report(connection, kind, status, sentence, spawned_limit_s);
    nereus_connection_init(&reader, connection,
                           1); /* stays open, as the wrapper of a lost process may end later */
    nereus_connection_wait_line(&reader, spawned_limit_s);
    free(reader.text);
}
