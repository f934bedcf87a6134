/** @file broker_log.c  Prints the broker's view, decisions and actions (broker_log.h). */
#include "broker_log.h"

#include <time.h>

#include "model/util/json_make.h"
#include "model/util/standard_output.h"

static void stamp(char text[32])
{
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static json_t *make_jobs_json(const struct nereus_broker_view *view)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < view->job_count; i++) {
        const struct nereus_broker_job *job = &view->jobs[i];
        json_array_append_new(
            list,
            nereus_json_pack("{s:s, s:s, s:I, s:I, s:b, s:I}", "job", view->peers[i].slurm->name,
                             "slurm_job", view->peers[i].slurm->id, "processes",
                             (json_int_t)job->processes, "nodes", (json_int_t)job->nodes, "busy",
                             job->is_busy, "left_over", (json_int_t)view->peers[i].left_over));
    }
    return list;
}

static json_t *make_actions_json(const struct nereus_broker_view *view,
                                 const struct nereus_broker_action *actions, int64_t count)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++) {
        const struct nereus_broker_action *action = &actions[i];
        const bool is_known = action->gain_s == 0 || view->jobs[action->job].left_s >= 0;
        json_array_append_new(
            list, nereus_json_pack("{s:s, s:I, s:I, s:I, s:f, s:f}", "job",
                                   view->peers[action->job].slurm->name, "from_nodes",
                                   (json_int_t)action->from_nodes, "to_nodes",
                                   (json_int_t)action->to_nodes, "to_processes",
                                   (json_int_t)action->to_processes, "price_s", action->price_s,
                                   "gain_s", is_known ? action->gain_s : NAN));
    }
    return list;
}

/* Print a document with the time, and free it. */
static enum nereus_status print_line(json_t *document, struct nereus_error *err)
{
    char time_text[32];
    stamp(time_text);
    json_object_set_new(document, "time", nereus_json_text(time_text));
    char *text = nereus_json_dump(document, JSON_COMPACT);
    json_decref(document);
    NEREUS_TRY_MEMORY(text, err, "for a line of the log");
    puts(text);
    fflush(stdout);
    free(text);
    return NEREUS_OK;
}

/* Make the state of queue and jobs. It is printed again only if it has changed, or there is or was
 * an action; remaining times and gains, which always change, are part of the actions. */
static json_t *make_view_json(const struct nereus_broker_view *view)
{
    json_t *waiting = json_array(), *silent = json_array();
    for (int64_t i = 0; i < view->waiting_count; i++)
        json_array_append_new(waiting, json_integer(view->waiting[i]));
    for (int64_t i = 0; i < view->silent_count; i++)
        json_array_append_new(silent, nereus_json_text(view->silent[i]->name));
    return nereus_json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "event", "decision", "nodes",
                            (json_int_t)view->queue->nodes, "idle_nodes",
                            (json_int_t)view->queue->idle_nodes, "waiting_nodes", waiting, "jobs",
                            make_jobs_json(view), "silent", silent);
}

/* Note a line without its time.
 * @return is it another one than before? */
static bool is_new(char **last, const json_t *document)
{
    char *text = nereus_json_dump(document, JSON_COMPACT);
    const bool is_same = text != NULL && *last != NULL && strcmp(*last, text) == 0;
    free(*last);
    *last = text;
    return !is_same;
}

enum nereus_status nereus_broker_log_decision(struct nereus_broker_log *log,
                                              const struct nereus_broker_view *view,
                                              const struct nereus_broker_action *actions,
                                              int64_t count, struct nereus_error *err)
{
    json_t *document = make_view_json(view);
    NEREUS_TRY_MEMORY(document, err, "for a line of the log");
    json_object_set_new(document, "actions", make_actions_json(view, actions, count));
    if (nereus_output_resume() || count > 0)
        nereus_broker_log_fini(log);
    if (!is_new(&log->decision, document)) {
        json_decref(document);
        return NEREUS_OK;
    }
    free(log->outcome);
    log->outcome = NULL;
    return print_line(document, err);
}

/* @return to be freed; NULL: no memory */
static char *join_lines(const char *lines)
{
    char *text = malloc(2 * strlen(lines) + 1), *end = text;
    if (text == NULL)
        return NULL;
    for (; *lines != '\0'; lines++)
        if (*lines != '\n')
            *end++ = *lines;
        else if (lines[1] != '\0')
            end = stpcpy(end, "; ");
    *end = '\0';
    return text;
}

enum nereus_status nereus_broker_log_outcome(struct nereus_broker_log *log, const char *job,
                                             int64_t processes, int exit_status,
                                             const char *printed, struct nereus_error *err)
{
    char *sentence = join_lines(printed);
    NEREUS_TRY_MEMORY(sentence, err, "for a line of the log");
    json_t *document = nereus_json_pack("{s:s, s:s, s:I, s:b, s:s}", "event", "outcome", "job", job,
                                        "to_processes", (json_int_t)processes, "carried_out",
                                        exit_status == 0, "said", sentence);
    free(sentence);
    NEREUS_TRY_MEMORY(document, err, "for a line of the log");
    if (is_new(&log->outcome, document))
        return print_line(document, err);
    json_decref(document);
    return NEREUS_OK;
}

void nereus_broker_log_fini(struct nereus_broker_log *log)
{
    free(log->decision);
    free(log->outcome);
    *log = (struct nereus_broker_log){.decision = NULL};
}
