/**
 * @file launched.c
 * Starts launched worlds by the launcher, and follows them until they end: the orders of the root
 * of a reconfiguration (REQUEST_LAUNCHES), the reports of their guards (REQUEST_GUARDS_LAUNCHED),
 * their launchers and time limits.
 */
#include <signal.h>

#include "job_end.h"
#include "launcher.h"
#include "model/util/clock.h"
#include "model/util/process.h"
#include "peers.h"
#include "src/guard/processes.h"
#include "src/mpi/process_manager.h"

/* Time limits: for a launcher after SIGTERM; for a failed connect, in addition to its own limit. */
static const double ending_limit_s = 1, connect_margin_s = 2;
/* Time limit for the sources to release a group that was lost before the commit (docs/jobs.md). */
static const double release_limit_s = 4;

static void notify_root(const struct supervisor *supervisor, const struct group *group,
                        enum supervisor_answer kind, const char *text)
{
    for (size_t i = 0; i < supervisor->peer_count; i++) {
        const struct peer *peer = &supervisor->peers[i];
        if (peer->kind != PEER_ORDERS || strcmp(peer->session, group->session) != 0)
            continue;
        struct nereus_words line = {0};
        nereus_words_add(&line, NEREUS_LETTER(kind));
        nereus_words_add_int(&line, group->number);
        if (text != NULL)
            nereus_words_add(&line, text);
        nereus_words_send(&line, peer->connection.fd, 1);
    }
}

void launched_end(struct supervisor *supervisor, struct group *group)
{
    group->state = GROUP_ENDING;
    group->deadline_s = nereus_monotonic_s() + ending_limit_s;
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (peer_is_of(&supervisor->peers[i], group))
            peer_close(&supervisor->peers[i]);
}

/* The group has not ended in time: first SIGTERM to the launcher, then SIGKILL to it and to the
 * processes that it started here. Those processes have sessions of their own, so that no signal to
 * the launcher reaches them: a remote shell to a host that does not answer would wait forever. */
static void force_end(struct group *group, double now_s)
{
    const int signal_number = group->force++ == 0 ? SIGTERM : SIGKILL;
    group->errors.silent = true; /* what it prints from now on is about being ended */
    processes_end_children(group->launcher, signal_number);
    kill(signal_number == SIGTERM ? group->launcher : -group->launcher, signal_number);
    group->deadline_s = now_s + ending_limit_s;
}

void launched_fail(struct supervisor *supervisor, struct group *group, const char *format, ...)
{
    va_list arguments;
    if (group->failed || group->state == GROUP_ENDING)
        return;
    group->failed = true;
    va_start(arguments, format);
    vsnprintf(group->sentence, sizeof group->sentence, format, arguments);
    va_end(arguments);
    if (group->state == GROUP_JOINED) {
        job_end_by_group(supervisor, group, "");
        return;
    }
    notify_root(supervisor, group, ANSWER_FAILED, group->sentence);
    if (group->state != GROUP_STARTING) {
        job_end_store_loss(supervisor, group->sentence);
        supervisor->loss.unresolved = true;
    }
    if (group->state == GROUP_CONNECTED)
        group->deadline_s = nereus_monotonic_s() + group->release_limit_s;
    if (group->state == GROUP_STARTING)
        launched_end(supervisor, group);
}

static bool is_mpiexec(pid_t launcher)
{
    const char *name = nereus_process_manager()->launcher;
    struct nereus_process_stat process;
    return nereus_process_read(launcher, &process) && nereus_text_begins_with(process.name, name);
}

static void launch(struct supervisor *supervisor, const char *session, int number, char *rest)
{
    char *processes = nereus_word_next(&rest), *host = nereus_word_next(&rest),
         *allocation = nereus_word_next(&rest), *command = nereus_word_next(&rest);
    struct group *group = group_new(supervisor);
    if (group == NULL)
        return; /* the root has a time limit */
    snprintf(group->session, sizeof group->session, "%s", session);
    group->number = number;
    snprintf(group->host, sizeof group->host, "%s", host != NULL ? host : "");
    group->is_added = allocation != NULL && *allocation != '\0';
    char **words = command == NULL ? NULL : nereus_words_split(rest);
    if (words == NULL || words[0] == NULL) {
        launched_fail(supervisor, group, "an order to launch processes names no program");
    } else {
        const struct launcher_order order = {.host = host,
                                             .allocation = allocation,
                                             .command = command,
                                             .processes = atoi(processes),
                                             .argv = words};
        char sentence[300] = "";
        int ends[2];
        launcher_errors_open(&group->errors, supervisor->output, ends);
        const pid_t child =
            launcher_start(&order, supervisor->mpiexec, ends, sentence, sizeof sentence);
        launcher_errors_started(&group->errors, ends);
        group->launcher = child > 0 ? child : 0;
        group->is_mpiexec = child > 0 && is_mpiexec(child);
        if (child < 0)
            launched_fail(supervisor, group, "%s", sentence);
        else
            notify_root(supervisor, group, ANSWER_STARTED, NULL);
    }
    free(words);
}

void launched_follow_order(struct supervisor *supervisor, const char *session, char *line)
{
    const char *kind = nereus_word_next(&line), *number = nereus_word_next(&line);
    if (kind == NULL || number == NULL)
        return;
    if (*kind == ORDER_LAUNCH) {
        launch(supervisor, session, atoi(number), line);
        return;
    }
    struct group *group = group_find(supervisor, session, atoi(number));
    if (group == NULL || group->state == GROUP_ENDING)
        return; /* ANSWER_FAILED was sent before */
    if (*kind == ORDER_CONNECTS) {
        group->state = GROUP_CONNECTING;
        group->deadline_s = nereus_monotonic_s() + atof(line) + connect_margin_s;
        notify_root(supervisor, group, ANSWER_TAKEN, NULL);
    } else if (*kind == ORDER_CONNECTED || *kind == ORDER_OVERLAPPED) {
        group->state = GROUP_CONNECTED;
        group->release_limit_s = *kind == ORDER_CONNECTED ? release_limit_s : atof(line);
        /* has an effect only after a failure */
        group->deadline_s = nereus_monotonic_s() + group->release_limit_s;
    } else if (*kind == ORDER_JOINED) {
        group->state = GROUP_JOINED;
        if (group->failed && group->kill_status != 0) /* the report arrived before this line */
            job_end_handle_report(supervisor, REPORT_SIGNALLED, group->kill_status);
        if (group->failed)
            job_end_by_group(supervisor, group, "");
    } else if (*kind == ORDER_END) {
        launched_end(supervisor, group);
    }
}

void launched_drop_orders(struct supervisor *supervisor, const char *session, bool on_purpose)
{
    supervisor->loss.unresolved = supervisor->loss.unresolved && !on_purpose;
    for (size_t i = 0; i < supervisor->group_count; i++) {
        struct group *group = &supervisor->groups[i];
        if (strcmp(group->session, session) == 0 && group->state != GROUP_JOINED &&
            group->state != GROUP_ENDING) {
            supervisor->ended_while_joining =
                supervisor->ended_while_joining || (!on_purpose && group->state != GROUP_STARTING);
            launched_end(supervisor, group);
        }
    }
}

/* Slurm ends an added allocation by SIGTERM, as when its node is set DOWN, which means the
 * allocation, not the job. */
static bool is_loss(const struct group *group, int status)
{
    return status_is_loss(status) || (group->is_added && status == 128 + SIGTERM);
}

static void end_launched(struct supervisor *supervisor, const struct peer *peer,
                         struct group *group, char kind, int status, const char *hint)
{
    if (group->state == GROUP_JOINED)
        job_end_handle_report(supervisor, kind, status);
    if (!peer->left && kind == REPORT_SIGNALLED && group->kill_status == 0)
        group->kill_status = status;
    if (!peer->left && group->state == GROUP_JOINED)
        job_end_record(supervisor, kind == REPORT_EXITED || !is_loss(group, status), status);
    if (!peer->left && kind == REPORT_SIGNALLED)
        launched_fail(supervisor, group, "a launched process on %s was killed by signal %d%s",
                      peer->host, status - 128, hint);
    else if (!peer->left)
        launched_fail(supervisor, group,
                      "a launched process on %s ended with status %d before it had left the job",
                      peer->host, status & ~OWN_STATUS);
}

void launched_handle_report(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence)
{
    struct group *group = group_find(supervisor, peer->session, peer->group);
    if (group == NULL)
        return;
    if (kind == REPORT_SIGNALLED || kind == REPORT_EXITED) {
        end_launched(supervisor, peer, group, kind, number, sentence);
        return;
    }
    peer->left = true;
    if (kind == REPORT_NOT_STARTED)
        launched_fail(supervisor, group, "%s", sentence);
    if (kind == REPORT_STARTABLE) {
        /* the end of a host test is no failure: tests of other hosts may still run */
        notify_root(supervisor, group, ANSWER_STARTABLE, NULL);
        launched_end(supervisor, group);
    }
}

bool launched_is_checked(const struct group *group)
{
    return group->state == GROUP_STARTING && group->is_mpiexec && group->launcher > 0 &&
           !group->begun;
}

/* Give up a group whose mpiexec waits in vain: Hydra does for an srun that was refused. */
static void check_launcher(struct supervisor *supervisor, struct group *group, double now_s)
{
    char reason[224];
    if (!launched_is_checked(group) ||
        !launcher_waits_in_vain(&group->check, group->launcher, now_s))
        return;
    launched_fail(supervisor, group,
                  "what mpiexec started for new processes%s%s (srun, ssh) ended before any of them "
                  "had started%s",
                  group->host[0] != '\0' ? " on " : "", group->host,
                  launcher_errors_reason(&group->errors, reason, sizeof reason));
}

void launched_act_on_limits(struct supervisor *supervisor, double now_s)
{
    for (size_t i = 0; i < supervisor->group_count; i++) {
        struct group *group = &supervisor->groups[i];
        if (group->state == GROUP_CONNECTING && now_s > group->deadline_s)
            job_end_by_group(supervisor, group,
                             group->failed ? ", and the job hangs in connecting to it"
                                           : "the connection to launched processes hangs");
        if (group->state == GROUP_CONNECTED && group->failed && now_s > group->deadline_s)
            job_end_by_group(supervisor, group, ", and the job hangs in its connection to it");
        if (group->state == GROUP_ENDING && group->launcher > 0 && now_s > group->deadline_s)
            force_end(group, now_s);
        check_launcher(supervisor, group, now_s);
    }
}

bool supervisor_is_busy(const struct supervisor *supervisor)
{
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].launcher > 0 || supervisor->groups[i].errors.from >= 0)
            return true;
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].kind == PEER_LIFELINE)
            return true;
    return false;
}

void supervisor_end_all(struct supervisor *supervisor)
{
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].state != GROUP_ENDING)
            launched_end(supervisor, &supervisor->groups[i]);
    peers_remove_closed(supervisor);
}

void supervisor_signal(const struct supervisor *supervisor, int signal_number)
{
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].launcher > 0)
            kill(supervisor->groups[i].launcher, signal_number);
}
