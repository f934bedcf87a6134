/** @file launch_restart.c  Requests the job's next attempt of nereus-supervise, in rank 0. */
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "launch.h"
#include "src/util/guard_events.h"
#include "supervisor_lines.h"

static const double answer_limit_s = 10;

void nereus_launch_report_checkpoint(const char *path, bool is_new)
{
    char host[NEREUS_CONNECTION_HOST_MAX] = "", pid[32];
    struct nereus_connection connection;
    gethostname(host, sizeof host - 1);
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    const char *const words[] = {
        NEREUS_LETTER(REQUEST_CHECKPOINTED), path, is_new ? "new" : "read", host, pid, NULL};
    if (nereus_connection_open(&connection, getenv(NEREUS_LAUNCHER_NAME), words, answer_limit_s))
        /* nereus-supervise closes the connection when it has noted the checkpoint */
        nereus_connection_wait_line(&connection, answer_limit_s);
    nereus_connection_fini(&connection);
}

void nereus_launch_report_recovery(const char *how)
{
    struct nereus_connection connection;
    const char *const words[] = {NEREUS_LETTER(REQUEST_RECOVERED), how, NULL};
    if (nereus_connection_open(&connection, getenv(NEREUS_LAUNCHER_NAME), words, answer_limit_s))
        nereus_connection_wait_line(&connection, answer_limit_s);
    nereus_connection_fini(&connection);
}

/* Convert the answer, ANSWER_TAKEN or ANSWER_FAILED SENTENCE, to a status. */
static enum nereus_status check_answer(char *answer, struct nereus_error *err)
{
    const char *kind = nereus_word_next(&answer), *sentence = nereus_word_next(&answer);
    if (kind != NULL && *kind == ANSWER_TAKEN)
        return NEREUS_OK;
    if (kind != NULL && sentence != NULL)
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED, "%s", sentence);
    return nereus_fail(err, NEREUS_ERR_SPAWN,
                       "nereus-mpiexec does not answer to the order to restart the job");
}

enum nereus_status nereus_launch_restart(int64_t nt, const char *path, const char *hosts,
                                         struct nereus_error *err)
{
    char processes[32];
    struct nereus_connection connection;
    if (nt < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a job cannot be restarted as %lld processes",
                           (long long)nt);
    if (getenv(NEREUS_LAUNCHER_NAME) == NULL)
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "to be restarted the job has to be started with nereus-mpiexec");
    snprintf(processes, sizeof processes, "%lld", (long long)nt);
    const char *const words[] = {NEREUS_LETTER(REQUEST_RESTART), processes, path, hosts, NULL};
    const bool reached =
        nereus_connection_open(&connection, getenv(NEREUS_LAUNCHER_NAME), words, answer_limit_s);
    const enum nereus_status status = check_answer(
        reached ? nereus_connection_wait_line(&connection, answer_limit_s) : NULL, err);
    nereus_connection_fini(&connection);
    return status;
}

int nereus_launch_await_warning(void)
{
    struct nereus_connection connection;
    const char *const words[] = {NEREUS_LETTER(REQUEST_AWAIT_WARNING), NULL};
    return nereus_connection_open(&connection, getenv(NEREUS_LAUNCHER_NAME), words, answer_limit_s)
               ? connection.fd
               : -1;
}

bool nereus_launch_is_warned(int fd)
{
    char byte;
    bool warned = false;
    while (recv(fd, &byte, 1, MSG_DONTWAIT) == 1)
        warned = true;
    return warned;
}
