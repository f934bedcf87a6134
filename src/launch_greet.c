/* A launched world comes in: it announces itself, and waits for its welcome outside MPI. See launch.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard/guard_events.h"
#include "job.h"
#include "launch.h"
#include "launch_line.h"

enum { WELCOME_BYTES_MAX = 1 << 30 };
static const double call_limit_s = 10, read_limit_s = 30;

bool nereus_launch_is_launched(void)
{
    return getenv(NEREUS_LAUNCH_NAME) != NULL && nereus_has_guard();
}

/* ---- rank 0 ---------------------------------------------------------------------------------------------- */

static bool announce(struct nereus_line *line, const struct nereus_line_address *root, const char *group,
                     const char *port)
{
    char host[NEREUS_LINE_HOST_MAX] = "?";
    struct nereus_words words = {0};
    struct nereus_line_address supervisor; /* its token is the job's secret */
    if (!nereus_line_parse_address(getenv(NEREUS_LAUNCHER_NAME), &supervisor, NULL)) {
        nereus_line_init(line, -1, 0);
        return false;
    }
    gethostname(host, sizeof host - 1);
    nereus_line_init(line, nereus_line_connect(root->host, root->port, call_limit_s), WELCOME_BYTES_MAX);
    nereus_words_add(&words, supervisor.token);
    nereus_words_add(&words, root->token);
    nereus_words_add(&words, group);
    nereus_words_add_int(&words, getpid());
    nereus_words_add(&words, host);
    nereus_words_add(&words, port);
    return nereus_words_send(&words, line->fd, call_limit_s);
}

/* "W BYTES PORT" and the bytes. The guard ends this process if the job goes away meanwhile. */
static bool receive(struct nereus_line *line, struct nereus_greeting *greeting)
{
    char *text = nereus_line_wait(line, -1);
    const char *kind = nereus_word_next(&text), *bytes = nereus_word_next(&text),
               *port = nereus_word_next(&text);
    if (port == NULL || *kind != 'W')
        return false;
    greeting->count = (size_t)atoll(bytes);
    greeting->connects = *port != '\0';
    greeting->connect_port = greeting->connects ? strdup(port) : NULL;
    greeting->bytes = malloc(greeting->count + 1);
    return greeting->bytes != NULL && (!greeting->connects || greeting->connect_port != NULL) &&
           nereus_line_read(line, greeting->bytes, greeting->count, read_limit_s) &&
           nereus_line_say(line->fd, "A");
}

static void greet_root(struct nereus_greeting *greeting, struct nereus_error *failure)
{
    struct nereus_line line;
    struct nereus_line_address root;
    const char *group;
    if (!nereus_line_parse_address(getenv(NEREUS_LAUNCH_NAME), &root, &group)) {
        nereus_fail(failure, NEREUS_ERR_STATE, "%s does not name the job that this process was launched for",
                    NEREUS_LAUNCH_NAME);
        return;
    }
    greeting->group = atoi(group);
    if (nereus_port_open(&greeting->own_port, failure) != NEREUS_OK)
        return;
    if (!announce(&line, &root, group, greeting->own_port.text) || !receive(&line, greeting)) {
        nereus_fail(failure, NEREUS_ERR_CALLED_OFF,
                    "the job on %s that this process was launched for does not answer", root.host);
        nereus_line_fini(&line);
        return;
    }
    /* It stays open until the world has joined: a line that ends before tells the root not to connect. */
    greeting->line = line.fd;
    free(line.text);
}

/* ---- all ------------------------------------------------------------------------------------------------- */

/* What rank 0 was told. */
static enum nereus_status share(MPI_Comm world, int rank, struct nereus_greeting *greeting,
                                struct nereus_error *failure, struct nereus_error *err)
{
    int64_t head[4] = {failure->status, greeting->group, (int64_t)greeting->count, greeting->connects};
    MPI_Request all_told;
    NEREUS_MPI(MPI_Ibcast(head, 4, MPI_INT64_T, 0, world, &all_told), err);
    NEREUS_TRY(nereus_wait(&all_told, true, err)); /* the application computes on these cores meanwhile */
    if (head[0] != NEREUS_OK)
        return nereus_fail(err, (enum nereus_status)head[0], "%s",
                           rank == 0 ? failure->text : "rank 0 of this launched world could not join");
    greeting->group = (int)head[1];
    greeting->count = (size_t)head[2];
    greeting->connects = head[3] != 0;
    if (rank != 0)
        greeting->bytes = malloc(greeting->count + 1);
    if (greeting->bytes == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for what a new process has to know");
    NEREUS_MPI(MPI_Bcast_c(greeting->bytes, (MPI_Count)greeting->count, MPI_BYTE, 0, world), err);
    return NEREUS_OK;
}

enum nereus_status nereus_launch_greet(MPI_Comm world, struct nereus_greeting *greeting,
                                       struct nereus_error *err)
{
    int rank;
    struct nereus_error failure = {0};
    *greeting = (struct nereus_greeting)NEREUS_GREETING_NONE;
    NEREUS_MPI(MPI_Comm_rank(world, &rank), err);
    NEREUS_TRY(nereus_meet(world, true, err)); /* all have passed MPI_Init */
    if (rank == 0)
        greet_root(greeting, &failure);
    const enum nereus_status status = share(world, rank, greeting, &failure, err);
    unsetenv(NEREUS_LAUNCH_NAME);
    if (status != NEREUS_OK)
        nereus_greeting_fini(greeting);
    return status;
}

void nereus_greeting_fini(struct nereus_greeting *greeting)
{
    nereus_port_close(&greeting->own_port);
    free(greeting->connect_port);
    free(greeting->bytes);
    if (greeting->line >= 0)
        close(greeting->line);
    *greeting = (struct nereus_greeting)NEREUS_GREETING_NONE;
}
