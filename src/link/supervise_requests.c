/**
 * @file supervise_requests.c
 * Opens a connection to nereus-supervise for each request; none is kept but that of
 * nereus_supervise_await_warning.
 */
#include "supervise_requests.h"

#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "model/util/strings.h"
#include "src/util/call_names.h"
#include "src/util/guard_events.h"
#include "supervisor_lines.h"

static const double answer_limit_s = 10;

/* Send one request to nereus-supervise, which closes the connection after noting it. No effect
 * without nereus-supervise. */
static void send_request(const char *const *words)
{
    struct nereus_connection connection;
    if (nereus_connection_open(&connection, getenv(NEREUS_LAUNCHER_NAME), words, answer_limit_s))
        nereus_connection_wait_line(&connection, answer_limit_s);
    nereus_connection_fini(&connection);
}

enum nereus_status nereus_supervise_store_record(const char *name, char *const *words,
                                                 struct nereus_error *err)
{
    struct nereus_connection connection;
    struct nereus_words text = {0};
    for (; *words != NULL; words++)
        nereus_words_add(&text, *words);
    const bool kept =
        nereus_connection_open(&connection, getenv(NEREUS_LAUNCHER_NAME),
                               (const char *const[]){NEREUS_LETTER(REQUEST_PUT_RECORD), name, NULL},
                               answer_limit_s) &&
        nereus_words_send(&text, connection.fd, answer_limit_s) &&
        nereus_connection_wait_line(&connection, answer_limit_s) != NULL;
    free(text.text);
    nereus_connection_fini(&connection);
    return kept ? NEREUS_OK
                : nereus_fail(err, NEREUS_ERR_SPAWN,
                              "nereus-mpiexec does not take what new processes have to know "
                              "(arguments, environment): nothing was started");
}

char **nereus_supervise_command(char **folder)
{
    enum { COMMAND_BYTES_MAX = 64 << 20 };
    struct nereus_connection connection;
    struct nereus_strings words = {0};
    char *position = NULL, *word;
    *folder = NULL;
    if (nereus_connection_open(&connection, getenv(NEREUS_LAUNCHER_NAME),
                               (const char *const[]){NEREUS_LETTER(REQUEST_COMMAND), NULL},
                               answer_limit_s)) {
        connection.limit = COMMAND_BYTES_MAX;
        position = nereus_connection_wait_line(&connection, answer_limit_s);
    }
    const char *where = nereus_word_next(&position);
    while (where != NULL && (word = nereus_word_next(&position)) != NULL)
        nereus_strings_add(&words, word);
    if (words.words != NULL && !words.broken)
        *folder = strdup(where);
    nereus_connection_fini(&connection);
    if (*folder != NULL)
        return words.words;
    nereus_strings_free(words.words);
    return NULL;
}

void nereus_supervise_report_initial_world_left(void)
{
    send_request((const char *const[]){NEREUS_LETTER(REQUEST_INITIAL_WORLD_LEAVES), NULL});
}

static void end_job(const char *given, const char *end_kind)
{
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%s", given);
    nereus_replace_call_names(sentence, sizeof sentence);
    send_request((const char *const[]){NEREUS_LETTER(REQUEST_END_JOB), sentence, end_kind, NULL});
    if (getenv(NEREUS_LAUNCHER_NAME) == NULL)
        nereus_log("%s", sentence);
}

void nereus_supervise_end_job(const char *sentence)
{
    end_job(sentence, NULL);
}

void nereus_supervise_end_mistaken_job(const char *sentence)
{
    end_job(sentence, "P");
}

void nereus_supervise_abort(int status, const char *sentence)
{
    char number[16];
    snprintf(number, sizeof number, "%d", status);
    send_request((const char *const[]){NEREUS_LETTER(REQUEST_ABORTED), number, sentence, NULL});
}

/* ---- the next attempt: processes that begin from a checkpoint ------------------------------- */

void nereus_supervise_report_checkpoint(const char *path, bool is_new)
{
    char host[NEREUS_CONNECTION_HOST_MAX] = "", pid[32];
    gethostname(host, sizeof host - 1);
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    send_request((const char *const[]){NEREUS_LETTER(REQUEST_CHECKPOINTED), path,
                                       is_new ? "new" : "read", host, pid, NULL});
}

void nereus_supervise_report_recovery(int lost, const char *how)
{
    char number[16];
    snprintf(number, sizeof number, "%d", lost);
    send_request((const char *const[]){NEREUS_LETTER(REQUEST_RECOVERED), number, how, NULL});
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

enum nereus_status nereus_supervise_restart(int64_t nt, const char *path, const char *hosts,
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

int nereus_supervise_await_warning(void)
{
    struct nereus_connection connection;
    const char *const words[] = {NEREUS_LETTER(REQUEST_AWAIT_WARNING), NULL};
    return nereus_connection_open(&connection, getenv(NEREUS_LAUNCHER_NAME), words, answer_limit_s)
               ? connection.fd
               : -1;
}

bool nereus_supervise_is_warned(int fd)
{
    char byte;
    bool warned = false;
    while (recv(fd, &byte, 1, MSG_DONTWAIT) == 1)
        warned = true;
    return warned;
}
