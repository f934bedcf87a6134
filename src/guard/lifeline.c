/* A launched world has a launcher of its own, and would wait for ever inside MPI after the job has
 * ended. So each of its guards holds a connection to nereus-supervise, and ends its program when
 * that closes. */
#include "lifeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "shm_hint.h"
#include "src/link/line.h"
#include "src/util/guard_events.h"

/* A launched process cannot run without its lifeline; a spawned one can, and must not be delayed
 * for long. */
static const double limit_s = 10, spawned_limit_s = 2;

/* Connect to nereus-supervise, and send role, process and host.
 * @return the socket, or -1 */
static int call(const char *kind, const char *session, const char *group, double connect_limit_s)
{
    struct nereus_line line;
    char host[64] = "?", pid[24];
    gethostname(host, sizeof host - 1);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    const char *const with_group[] = {kind, session, group, pid, host, NULL}, *const without[] = {
                                                                                  kind, session,
                                                                                  pid, host, NULL};
    return nereus_line_call(&line, getenv(NEREUS_LAUNCHER_NAME),
                            group != NULL ? with_group : without, connect_limit_s)
               ? line.fd
               : -1;
}

bool lifeline_wanted(void)
{
    return getenv(NEREUS_LAUNCH_NAME) != NULL;
}

int lifeline_open(void)
{
    struct nereus_line_address session;
    const char *group;
    if (!nereus_line_parse_address(getenv(NEREUS_LAUNCH_NAME), &session, &group))
        return -1;
    return call("G", session.token, group, limit_s);
}

int lifeline_open_spawned(const char *id)
{
    return call("H", id, NULL, spawned_limit_s);
}

void lifeline_left(int line)
{
    nereus_line_say(line, "B");
}

void lifeline_report(int line, char kind, int status)
{
    char hint[240];
    struct nereus_words words = {0};
    shm_hint(status, hint, sizeof hint);
    nereus_words_add(&words, "R");
    nereus_words_add(&words, (const char[]){kind, '\0'});
    nereus_words_add_int(&words, status);
    nereus_words_add(&words, hint);
    nereus_words_send(&words, line, limit_s);
}

void lifeline_found(int line)
{
    nereus_line_say(line, "Y");
}

void lifeline_fail(int line, const char *sentence)
{
    struct nereus_words words = {0};
    nereus_words_add(&words, "F");
    nereus_words_add(&words, sentence);
    nereus_words_send(&words, line, limit_s);
}

int lifeline_open_initial(const char *rank)
{
    return call("I", rank, NULL, limit_s); /* long limit: the program is already running */
}

void lifeline_stage(int line, enum stage stage)
{
    if (line >= 0)
        nereus_line_say(line, "L %d", (int)stage);
}

void lifeline_ended(int fd, char kind, int status, const char *sentence)
{
    struct nereus_line line;
    struct nereus_words words = {0};
    if (fd < 0)
        return;
    nereus_words_add(&words, (const char[]){kind, '\0'});
    nereus_words_add_int(&words, status);
    nereus_words_add(&words, sentence);
    nereus_words_send(&words, fd, spawned_limit_s);
    nereus_line_init(&line, fd, 1); /* kept open: the wrapper of a lost process may end later */
    nereus_line_wait(&line, spawned_limit_s);
    free(line.text);
}
