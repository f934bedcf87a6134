/**
 * @file cmd_broker.c
 * The command nereus slurm broker: a loop that gives idle nodes of a Slurm cluster to this user's
 * malleable jobs, and takes them back when jobs wait. It reads squeue and sinfo, queries the jobs
 * (`nereus job status`), decides (nereus/broker.h) and lets `nereus job resize --slurm` do it, one
 * after the other.
 */
#include <poll.h>

#include "broker_log.h"
#include "broker_view.h"
#include "model/job_client/folder.h"
#include "model/job_client/message.h"
#include "model/util/standard_output.h"
#include "model/util/values.h"
#include "predictor/cli/command.h"
#include "predictor/profile/profile_option.h"
#include "predictor/run/child.h"
#include "predictor/run/interrupt.h"
#include "predictor/slurm/slurm_command.h"

struct settings {
    bool once, dry_run;
    double every_s, deadline_s, horizon_s;
    const char *partition;
    int64_t bytes_per_process;
};

static const struct nereus_option table[] = {
    {"once", 0, NEREUS_OPTION_FLAG, NULL, "decide once, carry that out, and end",
     offsetof(struct settings, once), NULL},
    {"dry-run", 0, NEREUS_OPTION_FLAG, NULL, "decide, and carry nothing out",
     offsetof(struct settings, dry_run), NULL},
    {"every", 0, NEREUS_OPTION_SECONDS, "TIME", "between two looks at the queue (10 s)",
     offsetof(struct settings, every_s), NULL},
    {"deadline", 0, NEREUS_OPTION_SECONDS, "TIME",
     "give a resize up unless it has begun after this long (30 s)",
     offsetof(struct settings, deadline_s), NULL},
    {"horizon", 0, NEREUS_OPTION_SECONDS, "TIME",
     "time left of jobs that do not report it (10 min); a job whose resize takes longer does not "
     "shrink for others",
     offsetof(struct settings, horizon_s), NULL},
    {"partition", 0, NEREUS_OPTION_TEXT, "NAME", "nodes and jobs of this partition (all)",
     offsetof(struct settings, partition), NULL},
    {"bytes-per-process", 0, NEREUS_OPTION_BYTES, "BYTES",
     "variable data of each process of a job's first allocation (0)",
     offsetof(struct settings, bytes_per_process), NULL},
};

static const char help[] =
    "Gives idle nodes of a Slurm cluster to malleable jobs of this user, where that saves more "
    "time than the resizes cost, and takes them back as soon as a job waits for nodes. Malleable "
    "jobs are those that `nereus slurm submit` submits (comment 'nereus NAME'). Prints JSON Lines; "
    "ends with Ctrl-C. One process a user; no root. Example: `nereus slurm broker --partition main "
    "--every 30`.";

struct broker {
    const struct settings *settings;
    char nereus[PATH_MAX];
    char (*local)[NEREUS_JOB_NAME_MAX]; /* jobs that answer on this host */
    int64_t local_count;
    struct nereus_broker_prices *prices; /* NULL: resizes have cost 0 */
    struct nereus_broker_log log;
    bool is_slurm_silent; /* and this has been noted */
    struct nereus_waiting_watch watch;
};

/* One question to each malleable job, in the order of the queue. */
struct questions {
    struct nereus_slurm_command *commands;
    struct nereus_slurm_run *runs;
    int64_t count, read; /* read: answers before this one have been read */
};

/* ---- queries of jobs ------------------------------------------------------------------------- */

/* Seconds for a job's answer, and how many jobs are queried at a time: a job that hangs takes one
 * of these places for so long. An srun takes a few MB here, and a step in slurmctld. */
static const double answer_s = 15;
enum { ASKED_AT_ONCE = 16 };

static bool is_local(const struct broker *broker, const char *name)
{
    for (int64_t i = 0; i < broker->local_count; i++)
        if (strcmp(broker->local[i], name) == 0)
            return true;
    return false;
}

/* Run `nereus job WHAT ...`, here or, if the job does not answer on this host, on the first node of
 * its allocation. */
static void set_command(const struct broker *broker, const struct nereus_slurm_job *job,
                        struct nereus_slurm_command *command, const char *what)
{
    if (is_local(broker, job->name)) {
        command->argv[0] = broker->nereus;
    } else {
        command->argv[0] = "srun";
        nereus_slurm_add_word(command, "--quiet");
        nereus_slurm_add_word(command, "--jobid=%s", job->id);
        nereus_slurm_add_word(command, "--nodelist=%s", job->host);
        nereus_slurm_add_word(command, "--nodes=1");
        nereus_slurm_add_word(command, "--ntasks=1");
        nereus_slurm_add_word(command, "--overlap");
        if (job->is_part) /* srun needs the part of a heterogeneous job */
            nereus_slurm_add_word(command, "--het-group=0");
        nereus_slurm_add_word(command, "--");
        nereus_slurm_add_word(command, "%s", broker->nereus);
    }
    nereus_slurm_add_word(command, "job");
    nereus_slurm_add_word(command, "%s", what);
}

static void write_question(const struct broker *broker, const struct nereus_slurm_job *job,
                           struct nereus_slurm_command *command)
{
    command->limit_s = answer_s;
    set_command(broker, job, command, "status");
    nereus_slurm_add_word(command, "--format=json");
    nereus_slurm_add_word(command, "--");
    nereus_slurm_add_word(command, "%s", job->name);
}

/* Query the states of jobs, several at a time.
 * @param[out] questions  to be freed with free_questions, in any case */
static enum nereus_status query_jobs(const struct broker *broker,
                                     const struct nereus_slurm_queue *queue,
                                     struct questions *questions, struct nereus_error *err)
{
    const size_t capacity = (size_t)queue->count + 1;
    *questions = (struct questions){.commands = calloc(capacity, sizeof *questions->commands),
                                    .runs = calloc(capacity, sizeof *questions->runs)};
    NEREUS_TRY_MEMORY(questions->commands != NULL && questions->runs != NULL, err,
                      "for the questions to jobs");
    for (int64_t i = 0; i < queue->count; i++) {
        if (nereus_broker_needs_state(queue, &queue->jobs[i])) {
            struct nereus_slurm_command *command = &questions->commands[questions->count];
            write_question(broker, &queue->jobs[i], command);
            questions->runs[questions->count++].command = command;
        }
    }
    return nereus_slurm_run_all(questions->runs, questions->count, ASKED_AT_ONCE, err);
}

/* Read the next answer.
 * @return false: none, as the job is starting or ending */
static bool read_state(void *user, const struct nereus_slurm_job *job,
                       struct nereus_job_state *state)
{
    struct questions *questions = user;
    const char *text = questions->runs[questions->read++].text;
    struct nereus_job_reply reply;
    (void)job;
    if (text == NULL ||
        nereus_job_reply_read(text, strcspn(text, "\n"), &reply, NULL) != NEREUS_OK ||
        reply.answer != NEREUS_JOB_STATE)
        return false;
    *state = reply.state;
    return true;
}

static void free_questions(struct questions *questions)
{
    for (int64_t i = 0; i < questions->count; i++)
        free(questions->runs[i].text);
    free(questions->runs);
    free(questions->commands);
}

/* Time for an srun to end after the command that it has started. */
static const double ending_limit_s = 5;

/* Find the exit status of nereus job resize by its last line.
 * @return -1: another line */
static int find_resize_status(const char *line, bool is_stderr)
{
    static const char failed[] = "nereus job resize: ", note[] = "note: ";
    if (is_stderr)
        return nereus_text_begins_with(line, failed) &&
                       !nereus_text_begins_with(line + strlen(failed), note)
                   ? NEREUS_EXIT_FAILED
                   : -1;
    return nereus_text_begins_with(line, "resized from ") ||
                   nereus_text_begins_with(line, "unchanged: ")
               ? NEREUS_EXIT_OK
               : -1;
}

static enum nereus_status resize(struct broker *broker, const struct nereus_slurm_job *job,
                                 int64_t processes, struct nereus_error *err)
{
    /* the deadline is until the change begins; the change itself may take 10 minutes */
    const double deadline_s = broker->settings->deadline_s;
    char number[32];
    struct nereus_slurm_command command = {.argv = {NULL},
                                           .limit_s = deadline_s + 600,
                                           .find_status = find_resize_status,
                                           .ending_limit_s = ending_limit_s};
    struct nereus_error why = {.text = ""};
    char *text = NULL;
    set_command(broker, job, &command, "resize");
    nereus_slurm_add_word(&command, "--slurm");
    nereus_slurm_add_word(&command, "--deadline=%s", nereus_format_real(deadline_s, number));
    nereus_slurm_add_word(&command, "--");
    nereus_slurm_add_word(&command, "%s", job->name);
    nereus_slurm_add_word(&command, "%lld", (long long)processes);
    const enum nereus_status status = nereus_slurm_run(&command, &text, &why);
    const enum nereus_status logged = nereus_broker_log_outcome(
        &broker->log, job->name, processes, status, status == NEREUS_OK ? text : why.text, err);
    free(text);
    return status == NEREUS_ERR_CANCELLED ? NEREUS_OK : logged;
}

/* Have Slurm jobs ended that were added to a job and that it does not hold: a broker, or a command,
 * was killed in the middle. The command that resizes a job ends them first, and only one such
 * command runs at a time. */
static enum nereus_status end_left_over(struct broker *broker,
                                        const struct nereus_broker_view *view,
                                        struct nereus_error *err)
{
    for (int64_t i = 0; i < view->job_count && nereus_interrupted() == 0; i++)
        if (view->peers[i].left_over > 0)
            NEREUS_TRY(resize(broker, view->peers[i].slurm, view->jobs[i].processes, err));
    return NEREUS_OK;
}

/* Carry out the actions; jobs that shrink come first. */
static enum nereus_status carry_out(struct broker *broker, const struct nereus_broker_view *view,
                                    const struct nereus_broker_action *actions, int64_t count,
                                    struct nereus_error *err)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < count && nereus_interrupted() == 0; i++) {
            const struct nereus_broker_action *action = &actions[i];
            if ((action->to_nodes > action->from_nodes) == (pass == 1)) {
                NEREUS_TRY(
                    resize(broker, view->peers[action->job].slurm, action->to_processes, err));
            }
        }
    }
    return NEREUS_OK;
}

static enum nereus_status decide(struct broker *broker, const struct nereus_broker_view *view,
                                 struct nereus_broker_action *actions, struct nereus_error *err)
{
    const struct nereus_broker_state state = {
        .idle_nodes = view->queue->idle_nodes,
        .waiting_nodes = view->waiting,
        .waiting_count = view->waiting_count,
        .jobs = view->jobs,
        .job_count = view->job_count,
        .horizon_s = broker->settings->horizon_s,
        .price = broker->prices != NULL ? nereus_broker_price_by_profile : NULL,
        .user = broker->prices};
    int64_t count;
    NEREUS_TRY_MEMORY(actions, err, "for the broker's actions");
    if (broker->prices != NULL)
        broker->prices->view = view;
    NEREUS_TRY(nereus_broker_decide(&state, actions, &count, err));
    NEREUS_TRY(nereus_broker_log_decision(&broker->log, view, actions, count, err));
    if (broker->settings->dry_run)
        return NEREUS_OK;
    NEREUS_TRY(end_left_over(broker, view, err));
    return carry_out(broker, view, actions, count, err);
}

static enum nereus_status view_and_decide(struct broker *broker,
                                          const struct nereus_slurm_queue *queue,
                                          struct nereus_error *err)
{
    struct nereus_broker_view view;
    struct questions questions;
    enum nereus_status status = query_jobs(broker, queue, &questions, err);
    if (status == NEREUS_OK)
        status = nereus_broker_view_make(queue, read_state, &questions, &view, err);
    free_questions(&questions);
    if (status == NEREUS_OK) {
        struct nereus_broker_action *actions = calloc((size_t)view.job_count + 1, sizeof *actions);
        if (nereus_interrupted() == 0) /* after an interrupt jobs were not queried */
            status = decide(broker, &view, actions, err);
        free(actions);
        nereus_broker_view_fini(&view);
    }
    return status;
}

static enum nereus_status read_queue(struct broker *broker, struct nereus_slurm_queue *queue,
                                     struct nereus_error *err)
{
    NEREUS_TRY(nereus_slurm_queue_read(broker->settings->partition, queue, err));
    const enum nereus_status status = nereus_job_names(&broker->local, &broker->local_count, err);
    if (status != NEREUS_OK)
        nereus_slurm_queue_fini(queue);
    return status;
}

/* Slurm may answer again: its controller is restarted, perhaps, as this command is. */
static bool may_answer_later(const struct broker *broker, enum nereus_status status)
{
    return status != NEREUS_ERR_CANCELLED && status != NEREUS_ERR_MEMORY &&
           !broker->settings->once && nereus_program_is_on_path("squeue");
}

static enum nereus_status run_round(struct broker *broker, struct nereus_error *err)
{
    struct nereus_slurm_queue queue;
    enum nereus_status status = read_queue(broker, &queue, err);
    if (status != NEREUS_OK) {
        if (!may_answer_later(broker, status))
            return status;
        if (!broker->is_slurm_silent)
            nereus_cli_note("%s: asked again until it answers", err->text);
        broker->is_slurm_silent = true;
        return NEREUS_OK;
    }
    if (broker->is_slurm_silent)
        nereus_cli_note("Slurm answers again");
    broker->is_slurm_silent = false;
    status = nereus_waiting_watch_update(&broker->watch, &queue, err);
    if (status == NEREUS_OK)
        status = view_and_decide(broker, &queue, err);
    free(broker->local);
    nereus_slurm_queue_fini(&queue);
    return status;
}

static enum nereus_status run_rounds(struct broker *broker, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    while (status == NEREUS_OK && nereus_interrupted() == 0) {
        status = run_round(broker, err);
        if (broker->settings->once || !nereus_output_has_reader())
            break;
        struct pollfd signal = {.fd = nereus_interrupt_fd(), .events = POLLIN};
        if (status == NEREUS_OK)
            poll(&signal, 1, (int)(fmin(broker->settings->every_s, 86400) * 1000));
    }
    return status;
}

static int run_broker(const struct settings *settings, struct nereus_broker_prices *prices)
{
    struct broker broker = {.settings = settings, .prices = prices};
    struct nereus_error err;
    NEREUS_CLI_TRY(nereus_program_find(NEREUS_PROGRAM_BIN, "nereus", broker.nereus, &err), err);
    if (nereus_interrupt_watch() != 0)
        return nereus_cli_fail("signals cannot be watched");
    const enum nereus_status status = run_rounds(&broker, &err);
    const int interrupt = nereus_interrupted();
    nereus_interrupt_end();
    nereus_broker_log_fini(&broker.log);
    nereus_waiting_watch_fini(&broker.watch);
    if (interrupt != 0)
        return 128 + interrupt;
    return status == NEREUS_OK ? NEREUS_EXIT_OK : nereus_cli_fail("%s", err.text);
}

/* Read the profile; without one, unless it was named, resizes have cost 0. */
static int run_with_profile(const struct settings *settings,
                            const struct nereus_profile_settings *place)
{
    struct nereus_profile profile;
    struct nereus_broker_prices prices;
    struct nereus_error err;
    nereus_slurm_set_cluster_name();
    if (nereus_profile_open(place, NULL, &profile, &err) != NEREUS_OK) {
        if (place->profile != NULL || place->synthetic != NULL)
            return nereus_cli_fail("%s", err.text);
        nereus_cli_note("a resize is taken to cost nothing: %s", err.text);
        return run_broker(settings, NULL);
    }
    int status = NEREUS_EXIT_OK;
    if (nereus_broker_prices_init(&profile, &prices, &err) != NEREUS_OK) {
        status = nereus_cli_fail("%s", err.text);
    } else {
        prices.bytes_per_process = (double)settings->bytes_per_process;
        status = run_broker(settings, &prices);
        nereus_broker_prices_fini(&prices);
    }
    nereus_profile_fini(&profile);
    return status;
}

/* Take a lock, because two brokers would give away the same idle nodes. */
static int run_locked(const struct settings *settings, const struct nereus_profile_settings *place)
{
    struct nereus_job_lock lock;
    struct nereus_error err;
    if (settings->dry_run)
        return run_with_profile(settings, place);
    NEREUS_CLI_TRY(nereus_job_lock_acquire(
                       "broker",
                       "another nereus slurm broker of this user is at work on this host: end it "
                       "first, or only look, with --dry-run",
                       &lock, &err),
                   err);
    const int status = run_with_profile(settings, place);
    nereus_job_lock_release(&lock);
    return status;
}

int nereus_cmd_slurm_broker(int argc, char **argv)
{
    struct settings settings = {
        .every_s = 10, .deadline_s = 30, .horizon_s = NEREUS_BROKER_HORIZON_S};
    struct nereus_profile_settings place = {.profile = NULL};
    const struct nereus_option_group groups[] = {
        {NULL, table, NEREUS_COUNT_OF(table), &settings},
        {NULL, nereus_profile_options, nereus_profile_option_count, &place}};
    const struct nereus_command_line line = NEREUS_COMMAND_LINE(NULL, help, groups, 0, 0);
    struct nereus_error err;
    int status;
    if (!nereus_options_parse(&line, argc, argv, NULL, &status))
        return status;
    return nereus_profile_settings_check(&place, &err) == NEREUS_OK
               ? run_locked(&settings, &place)
               : nereus_cli_fail_usage("%s", err.text);
}
