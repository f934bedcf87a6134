/** @file cmd_list.c  The command nereus job list: lists the jobs of this user that answer on this
 * host. */

#include "model/job_client/folder.h"
#include "nereus/job_client.h"
#include "predictor/cli/command.h"
#include "predictor/slurm/followed_job.h"

struct settings {
    int format;
};

static const struct nereus_option table[] = {
    NEREUS_FORMAT_OPTION(offsetof(struct settings, format)),
};

/* Seconds to wait for a busy job. */
static const double answer_limit_s = 2;

#define COLUMNS(X)                                                                                 \
    X("job", "job", NULL, nereus_cell_text(name))                                                  \
    X("state", "state", NULL, nereus_cell_text(word))                                              \
    X("size", "size", NULL, nereus_cell_if(answers, nereus_cell_integer(state->size)))             \
    X("points", "points", NULL, nereus_cell_if(answers, nereus_cell_integer(state->points)))       \
    X("t_iter_s", "T_iter", "s",                                                                   \
      nereus_cell_if(answers && state->t_iter_s > 0, nereus_cell_real(state->t_iter_s)))           \
    X("reconfigurations", "reconfigurations", NULL,                                                \
      nereus_cell_if(answers, nereus_cell_integer(state->reconfigurations)))                       \
    X("pid", "rank 0", NULL, nereus_cell_if(answers, nereus_cell_integer(state->pid)))
static const char *query_status(const char *name, struct nereus_job_reply *reply)
{
    const struct nereus_job_request request = {.kind = NEREUS_JOB_REQUEST_STATUS};
    struct nereus_job_client *client;
    if (nereus_job_connect(name, answer_limit_s, &client, NULL) != NEREUS_OK)
        return "gone";
    const enum nereus_status status =
        nereus_job_call(client, &request, answer_limit_s, reply, NULL);
    nereus_job_disconnect(client);
    if (status != NEREUS_OK)
        return "silent"; /* the socket is open: the job is stopped or busy */
    if (reply->answer != NEREUS_JOB_STATE)
        return "gone";
    return reply->state.changing ? "changing" : "computing";
}

/* Jobs in Slurm's queue. A job whose row was added loses its name here. */
struct queued {
    struct nereus_followed_job *jobs; /* owned */
    int64_t count;
};

/* Remove a job of that name from the list.
 * @param[out] text  its state
 * @return false: none */
static bool remove_queued(struct queued *queued, const char *name, char text[96])
{
    for (int64_t i = 0; i < queued->count; i++) {
        struct nereus_followed_job *job = &queued->jobs[i];
        if (strcmp(job->name, name) != 0)
            continue;
        nereus_followed_format(job, text);
        job->name[0] = '\0';
        return true;
    }
    return false;
}

/* Add the row of a job.
 * @return false: it does not answer, as a killed job, whose socket remains */
static bool add_row(struct nereus_table *rows, const char *name, struct queued *queued)
{
    struct nereus_job_reply reply = {.answer = NEREUS_JOB_ENDED, .rt_s = -1};
    const struct nereus_job_state *state = &reply.state;
    const char *word = query_status(name, &reply);
    char text[96];
    const bool answers = reply.answer == NEREUS_JOB_STATE;
    if (strcmp(word, "gone") == 0 && remove_queued(queued, name, text))
        word = text;
    NEREUS_TABLE_ADD(rows, COLUMNS);
    return answers;
}

static void add_queued(struct nereus_table *rows, struct queued *queued)
{
    char name[NEREUS_JOB_NAME_MAX]; /* a copy: the job of the list loses its name */
    for (int64_t i = 0; i < queued->count; i++) {
        memcpy(name, queued->jobs[i].name, sizeof name);
        if (name[0] != '\0')
            add_row(rows, name, queued);
    }
}

static const char help[] =
    "Lists the jobs of this user that answer on this host: those that were started with a name "
    "(nereus-mpiexec --job NAME), and whose rank 0 is here. A job that has ended badly is gone, "
    "and listed once; one that has not answered within 2 s is silent; one of `nereus slurm submit` "
    "may be queued by Slurm, for the first time or again.";

static int print_jobs(int format)
{
    struct nereus_table rows;
    struct nereus_error err;
    char(*names)[NEREUS_JOB_NAME_MAX], folder[NEREUS_JOB_PATH_MAX];
    int64_t count;
    struct queued queued;
    NEREUS_CLI_TRY(nereus_job_names(&names, &count, &err), err);
    queued.count = nereus_followed_list_queued(&queued.jobs);
    NEREUS_TABLE_INIT(&rows, COLUMNS);
    const bool none = count == 0 && queued.count == 0;
    for (int64_t i = 0; i < count; i++)
        if (!add_row(&rows, names[i], &queued) && nereus_job_folder(folder, NULL) == NEREUS_OK)
            nereus_job_remove_dead_socket(folder, names[i]);
    add_queued(&rows, &queued);
    free(queued.jobs);
    free(names);
    if (none && format == NEREUS_FORMAT_TEXT) {
        nereus_table_fini(&rows);
        puts("no job of this user answers on this host");
        return NEREUS_EXIT_OK;
    }
    return nereus_table_print(&rows, (enum nereus_format)format, stdout)
               ? NEREUS_EXIT_OK
               : nereus_cli_fail("no memory for the list");
}

static const struct nereus_plain_line plain = {NULL, help, table, NEREUS_COUNT_OF(table), 0, 0};

int nereus_cmd_job_list(int argc, char **argv)
{
    struct settings settings = {.format = NEREUS_FORMAT_TEXT};
    int status;
    return nereus_options_parse_plain(&plain, &settings, argc, argv, NULL, &status)
               ? print_jobs(settings.format)
               : status;
}
