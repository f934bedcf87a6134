#include "supervisor.h"

#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job_line.h"
#include "launcher.h"
#include "processes.h"
#include "slurm_job.h"
#include "src/util/guard_events.h"

/* Limits for the first line of a connection, which has to contain the token: time and bytes. Its
 * sentence may have most characters as %XX. */
static const double visit_limit_s = 2;
enum { STRANGER_BYTES = 16384, ORDER_BYTES = 64 << 20 };
/* Time limit for a guard to receive its start record. */
static const double fetch_limit_s = 5;
/* Time limits: for a launcher after SIGTERM; for a failed connect, in addition to its own limit. */
static const double ending_limit_s = 1, connect_margin_s = 2;
/* Time limit for the sources to release a group that was lost before the commit (docs/jobs.md). */
static const double let_go_limit_s = 4;
/* If a job ends within this time after a loss of new processes, the loss may be the reason. */
static const double loss_counts_s = 10;
/* Time for a launcher to detect a dead process by itself. */
static const double noticing_s = 1;
/* Time for mpiexec to end after the end of one of its proxies; after a guard was killed. */
static const double proxy_s = 2, killed_guard_s = 5;

/* ---- tables ---------------------------------------------------------------------------------- */

static struct group *find_group(const struct supervisor *supervisor, const char *session,
                                int number)
{
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].number == number &&
            strcmp(supervisor->groups[i].session, session) == 0)
            return &supervisor->groups[i];
    return NULL;
}

static bool is_of(const struct peer *peer, const struct group *group)
{
    return peer->kind == PEER_LIFELINE && peer->group == group->number &&
           strcmp(peer->session, group->session) == 0;
}

/* Append a zeroed entry. NULL: no memory. */
static struct peer *new_peer(struct supervisor *supervisor)
{
    struct peer *peers = realloc(supervisor->peers, (supervisor->peer_count + 1) * sizeof *peers);
    if (peers == NULL)
        return NULL;
    supervisor->peers = peers;
    return memset(&peers[supervisor->peer_count++], 0, sizeof *peers);
}

static struct group *new_group(struct supervisor *supervisor)
{
    struct group *groups =
        realloc(supervisor->groups, (supervisor->group_count + 1) * sizeof *groups);
    if (groups == NULL)
        return NULL;
    supervisor->groups = groups;
    return memset(&groups[supervisor->group_count++], 0, sizeof *groups);
}

static void close_peer(struct peer *peer)
{
    pending_spawn_free(peer->spawn);
    peer->spawn = NULL;
    free(peer->why);
    peer->why = NULL;
    free(peer->record);
    peer->record = NULL;
    nereus_line_fini(&peer->line);
}

/* Remove closed entries from the tables. */
static void remove_closed(struct supervisor *supervisor)
{
    size_t kept = 0;
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].line.fd >= 0)
            supervisor->peers[kept++] = supervisor->peers[i];
    supervisor->peer_count = kept;
    kept = 0;
    for (size_t i = 0; i < supervisor->group_count; i++) {
        bool alive = supervisor->groups[i].launcher != 0;
        for (size_t k = 0; k < supervisor->peer_count && !alive; k++)
            alive = is_of(&supervisor->peers[k], &supervisor->groups[i]);
        if (alive || supervisor->groups[i].state == GROUP_CONNECTING ||
            supervisor->groups[i].state == GROUP_CONNECTED)
            supervisor->groups[kept++] = supervisor->groups[i];
    }
    supervisor->group_count = kept;
}

/* ---- what happens to a group ----------------------------------------------------------------- */

static void notify_root(const struct supervisor *supervisor, const struct group *group, char kind,
                        const char *word)
{
    for (size_t i = 0; i < supervisor->peer_count; i++) {
        const struct peer *peer = &supervisor->peers[i];
        if (peer->kind != PEER_ORDERS || strcmp(peer->session, group->session) != 0)
            continue;
        struct nereus_words line = {0};
        nereus_words_add(&line, (const char[]){kind, '\0'});
        nereus_words_add_int(&line, group->number);
        if (word != NULL)
            nereus_words_add(&line, word);
        nereus_words_send(&line, peer->line.fd, 1);
    }
}

/* Its guards end their programs when the lines are closed, and the launcher ends with them. */
static void end_group(struct supervisor *supervisor, struct group *group)
{
    group->state = GROUP_ENDING;
    group->until_s = nereus_line_now_s() + ending_limit_s;
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (is_of(&supervisor->peers[i], group))
            close_peer(&supervisor->peers[i]);
}

/* The group has not ended in time: first SIGTERM to the launcher, then SIGKILL to it and to the
 * processes that it started here. Those have sessions of their own, and would stay behind: a remote
 * shell to a host that does not answer waits forever. */
static void force_end(struct group *group, double now_s)
{
    const int signal_number = group->force++ == 0 ? SIGTERM : SIGKILL;
    processes_end_children(group->launcher, signal_number);
    kill(signal_number == SIGTERM ? group->launcher : -group->launcher, signal_number);
    group->until_s = now_s + ending_limit_s;
}

/* Reports after the job is being ended do not count, as its processes are killed then. */
static void take_report(struct supervisor *supervisor, char kind, int status)
{
    struct verdict *verdict = &supervisor->verdict;
    if (supervisor->broken)
        return;
    if (kind == 'K' && verdict->killed == 0)
        verdict->killed = status;
    if (status > verdict->status)
        verdict->status = status;
}

static const char prefix[] = "the job cannot go on and is ended: ";

/* The job is broken, and the first sentence counts. */
static void end_with(struct supervisor *supervisor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void end_with(struct supervisor *supervisor, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!supervisor->broken)
        vsnprintf(supervisor->sentence, sizeof supervisor->sentence, format, arguments);
    va_end(arguments);
    supervisor->broken = true;
}

static void break_job(struct supervisor *supervisor, const struct group *group, const char *when)
{
    end_with(supervisor, "%s%s%s", prefix, group->sentence, when);
}

static void remember_loss(struct supervisor *supervisor, const char *sentence)
{
    snprintf(supervisor->loss, sizeof supervisor->loss, "%s", sentence);
    supervisor->loss_s = nereus_line_now_s();
}

bool supervisor_lost_lately(const struct supervisor *supervisor)
{
    return supervisor->loss[0] != '\0' && nereus_line_now_s() <= supervisor->loss_s + loss_counts_s;
}

static void fail_group(struct supervisor *supervisor, struct group *group, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void fail_group(struct supervisor *supervisor, struct group *group, const char *format, ...)
{
    va_list arguments;
    if (group->failed || group->state == GROUP_ENDING)
        return;
    group->failed = true;
    va_start(arguments, format);
    vsnprintf(group->sentence, sizeof group->sentence, format, arguments);
    va_end(arguments);
    if (group->state == GROUP_JOINED) {
        break_job(supervisor, group, "");
        return;
    }
    notify_root(supervisor, group, 'E', group->sentence);
    if (group->state != GROUP_STARTING) {
        remember_loss(supervisor, group->sentence);
        supervisor->loss_unresolved = true;
    }
    if (group->state == GROUP_CONNECTED)
        group->until_s = nereus_line_now_s() + group->let_go_s;
    if (group->state == GROUP_STARTING)
        end_group(supervisor, group);
}

/* ---- orders ---------------------------------------------------------------------------------- */

static void launch(struct supervisor *supervisor, const char *session, int number, char *rest)
{
    char *processes = nereus_word_next(&rest), *host = nereus_word_next(&rest),
         *allocation = nereus_word_next(&rest), *command = nereus_word_next(&rest);
    struct group *group = new_group(supervisor);
    if (group == NULL)
        return; /* the root has a time limit */
    snprintf(group->session, sizeof group->session, "%s", session);
    group->number = number;
    snprintf(group->host, sizeof group->host, "%s", host != NULL ? host : "");
    char **words = command == NULL ? NULL : nereus_words_split(rest);
    if (words == NULL || words[0] == NULL) {
        fail_group(supervisor, group, "an order to launch processes names no program");
    } else {
        const struct launcher_order order = {.host = host,
                                             .allocation = allocation,
                                             .command = command,
                                             .processes = atoi(processes),
                                             .words = words};
        char sentence[300] = "";
        const pid_t child = launcher_start(&order, supervisor->mpiexec, supervisor->output,
                                           sentence, sizeof sentence);
        group->launcher = child > 0 ? child : 0;
        if (child < 0)
            fail_group(supervisor, group, "%s", sentence);
        else
            notify_root(supervisor, group, 'S', NULL);
    }
    free(words);
}

static void follow_order(struct supervisor *supervisor, const char *session, char *line)
{
    const char *kind = nereus_word_next(&line), *number = nereus_word_next(&line);
    if (kind == NULL || number == NULL)
        return;
    if (*kind == 'L') {
        launch(supervisor, session, atoi(number), line);
        return;
    }
    struct group *group = find_group(supervisor, session, atoi(number));
    if (group == NULL || group->state == GROUP_ENDING)
        return; /* E was sent before */
    if (*kind == 'C') {
        group->state = GROUP_CONNECTING;
        group->until_s = nereus_line_now_s() + atof(line) + connect_margin_s;
        notify_root(supervisor, group, 'A', NULL);
    } else if (*kind == 'M' || *kind == 'I') {
        group->state = GROUP_CONNECTED;
        group->let_go_s = *kind == 'M' ? let_go_limit_s : atof(line);
        group->until_s =
            nereus_line_now_s() + group->let_go_s; /* has an effect only after a failure */
    } else if (*kind == 'J') {
        group->state = GROUP_JOINED;
        if (group->failed && group->killed != 0) /* the report arrived before this line */
            take_report(supervisor, 'K', group->killed);
        if (group->failed)
            break_job(supervisor, group, "");
    } else if (*kind == 'X') {
        end_group(supervisor, group);
    }
}

/* The root that gave the orders has ended: groups that have not joined will never join. */
static void drop_orders(struct supervisor *supervisor, const char *session, bool on_purpose)
{
    supervisor->loss_unresolved = supervisor->loss_unresolved && !on_purpose;
    for (size_t i = 0; i < supervisor->group_count; i++) {
        struct group *group = &supervisor->groups[i];
        if (strcmp(group->session, session) == 0 && group->state != GROUP_JOINED &&
            group->state != GROUP_ENDING) {
            supervisor->ended_while_joining =
                supervisor->ended_while_joining || (!on_purpose && group->state != GROUP_STARTING);
            end_group(supervisor, group);
        }
    }
}

/* ---- connections, lifelines ------------------------------------------------------------------ */

/* A process that the job needs has ended, and MPI may not detect it. The first sentence counts. If
 * launched processes have just been lost, they may be the reason. */
void supervisor_give_up(struct supervisor *supervisor, const char *sentence)
{
    const bool lost = supervisor_lost_lately(supervisor);
    if (!supervisor->broken)
        supervisor->mpiexec_may_end_until_s = nereus_line_now_s() + noticing_s;
    end_with(supervisor, "%s%.560s%s%.200s", prefix, sentence,
             lost ? ", when it had just lost new processes: " : "", lost ? supervisor->loss : "");
}

/* A process has ended with a status (as in a shell), or a loss was found (status 0). The first one
 * breaks the job. */
static void note_end(struct supervisor *supervisor, bool by_program, int status)
{
    if (!supervisor->broken)
        supervisor->by_program = by_program;
    supervisor->signalled = supervisor->signalled || status_is_loss(status);
}

bool supervisor_has_loss(const struct supervisor *supervisor)
{
    return supervisor->broken && !supervisor->not_started &&
           (!supervisor->by_program || supervisor->signalled);
}

/* A process asks to end the job. The first sentence counts. If launched processes have just been
 * lost, they are the reason. */
static void take_end(struct supervisor *supervisor, char *line)
{
    const size_t length = sizeof prefix - 1;
    const char *word = nereus_word_next(&line), *mistake = nereus_word_next(&line),
               *sentence = word != NULL && *word != '\0' ? word : "no reason was given";
    note_end(supervisor, mistake != NULL, 0);
    if (supervisor->loss_unresolved)
        end_with(supervisor, "%s%.300s; %.150s", prefix, supervisor->loss,
                 sentence + (strncmp(sentence, prefix, length) == 0 ? length : 0));
    else
        end_with(supervisor, "%s", sentence);
}

static void lose_process(struct supervisor *supervisor, int status, const char *sentence)
{
    take_report(supervisor, status > 128 ? 'K' : 'S', status);
    supervisor_give_up(supervisor, sentence);
}

static void take_abort(struct supervisor *supervisor, char *line)
{
    const char *status = nereus_word_next(&line), *sentence = nereus_word_next(&line);
    if (sentence != NULL)
        lose_process(supervisor, atoi(status), sentence);
}

static bool begin_spawn(struct peer *peer, char *line)
{
    const char *id = nereus_word_next(&line), *processes = nereus_word_next(&line),
               *limit = nereus_word_next(&line), *hosts = nereus_word_next(&line);
    if (hosts == NULL)
        return false;
    peer->spawn = pending_spawn_new(id, atoi(processes), atof(limit), hosts);
    if (peer->spawn == NULL)
        return false;
    peer->kind = PEER_SPAWNS;
    nereus_line_say(peer->line.fd, "A");
    return true;
}

/* ---- initial processes ----------------------------------------------------------------------- */

/* If launched processes are joining, or the job has not recovered from the loss of some, MPI may
 * have ended this process for that reason. */
static bool explain_by_launched(struct supervisor *supervisor, const char *how)
{
    bool joins = supervisor->ended_while_joining;
    for (size_t i = 0; i < supervisor->group_count; i++)
        joins = joins || supervisor->groups[i].state == GROUP_CONNECTING ||
                supervisor->groups[i].state == GROUP_CONNECTED;
    if (!supervisor->loss_unresolved && !joins)
        return false;
    note_end(supervisor, false, 0);
    end_with(supervisor, "%s%s%s (%s)", prefix,
             supervisor->loss_unresolved ? supervisor->loss
                                         : "its processes ended while launched ones were joining",
             supervisor->loss_unresolved ? ", and MPI did not survive it" : "", how);
    return true;
}

static void lose_initial(struct supervisor *supervisor, int status, const char *sentence)
{
    if (!explain_by_launched(supervisor, sentence))
        lose_process(supervisor, status, sentence);
}

/* Does any running process wait for the one that has ended early? */
static void check_early_end(struct supervisor *supervisor)
{
    const struct early_end *early_end = &supervisor->early_end;
    bool missed = false;
    for (size_t i = 0; i < supervisor->peer_count && early_end->sentence[0] != '\0'; i++)
        missed = missed || (supervisor->peers[i].kind == PEER_INITIAL &&
                            stage_waits_for(supervisor->peers[i].stage, early_end->stage));
    if (missed) {
        note_end(supervisor, !status_is_loss(early_end->status), early_end->status);
        lose_initial(supervisor, early_end->status, early_end->sentence);
    }
}

static void fail_to_start(struct supervisor *supervisor, int status, const char *who,
                          const char *missing)
{
    take_report(supervisor, 'S', status);
    end_with(supervisor, "%s: %s", who, missing);
    supervisor->not_started = true;
}

/* An end before any process has reached MPI (`nereus-mpiexec -n 2 false`) is left to the launcher;
 * the status is that of the process that ended first. */
static void end_initial(struct supervisor *supervisor, const struct peer *peer, int status,
                        const char *sentence)
{
    if (stage_is_loss(peer->stage, status)) {
        note_end(supervisor, !status_is_loss(status), status);
        lose_initial(supervisor, status, sentence);
        return;
    }
    struct early_end *early_end = &supervisor->early_end;
    if (early_end->sentence[0] != '\0' && early_end->stage <= peer->stage)
        return;
    early_end->stage = peer->stage;
    early_end->status = status;
    snprintf(early_end->sentence, sizeof early_end->sentence, "%s", sentence);
    check_early_end(supervisor);
}

/* mpiexec should end by itself: it ends with a lost proxy, and its other proxies with it, but goes
 * on waiting if it has spawned processes; or it has killed guards at its end, and processes of
 * other launchers go on waiting. Hence the time limit. */
static void await_launcher(struct supervisor *supervisor, double limit_s, const char *sentence)
{
    if (supervisor->mpiexec_until_s > 0)
        return;
    supervisor->mpiexec_until_s = nereus_line_now_s() + limit_s;
    snprintf(supervisor->why_it_may_end, sizeof supervisor->why_it_may_end, "%s", sentence);
}

static void handle_initial(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                           const char *sentence)
{
    if (kind == 'L') {
        peer->stage = (enum stage)number;
        supervisor->begun = supervisor->begun || peer->stage == STAGE_JOB;
        check_early_end(supervisor);
        return;
    }
    if (kind == 'U') {
        supervisor->signalled_usr1 = true;
        return;
    }
    if (kind == 'F')
        fail_to_start(supervisor, number, "the program cannot be started", sentence);
    else if (kind != 'P')
        end_initial(supervisor, peer, number, sentence);
    else if (peer->stage < STAGE_FINALIZE)
        await_launcher(supervisor, proxy_s, sentence);
    close_peer(peer);
}

/* First line of a guard. role: G over a launched process, H a spawned one, I an initial one. */
static bool begin_guard(struct supervisor *supervisor, struct peer *peer, char role, char *line)
{
    const char *name = nereus_word_next(&line), *pid = nereus_word_next(&line),
               *host = nereus_word_next(&line), *group = nereus_word_next(&line);
    if (host == NULL)
        return false;
    peer->pid = atol(pid);
    snprintf(peer->host, sizeof peer->host, "%s", host);
    if (role == 'G') {
        const struct group *known =
            group != NULL ? find_group(supervisor, name, atoi(group)) : NULL;
        if (known == NULL || known->state == GROUP_ENDING)
            return false; /* cancelled meanwhile: closing the line ends the guard */
        peer->kind = PEER_LIFELINE;
        peer->group = known->number;
        snprintf(peer->session, sizeof peer->session, "%s", name);
    } else if (role == 'H') {
        for (size_t i = 0; i < supervisor->peer_count; i++)
            if (supervisor->peers[i].kind == PEER_SPAWNS && supervisor->peers[i].spawn != NULL &&
                strcmp(supervisor->peers[i].spawn->id, name) == 0)
                pending_spawn_reported(supervisor->peers[i].spawn, host);
        peer->kind = PEER_GUARD;
    } else {
        supervisor->processes++;
        peer->kind = PEER_INITIAL;
        peer->group = atoi(name);
    }
    return true;
}

static void handle_progress(struct supervisor *supervisor, const struct peer *peer, char kind,
                            char *line)
{
    const char *host = nereus_word_next(&line), *pid = nereus_word_next(&line),
               *text = nereus_word_next(&line);
    if (pid != NULL && kind == 'W')
        status_page_put(&supervisor->status_page, host, atol(pid), text);
    else if (pid != NULL)
        status_page_answer(&supervisor->status_page, host, peer->line.fd);
}

static bool begin_record(struct peer *peer, char *line)
{
    peer->kind = PEER_RECORD;
    peer->line.limit = ORDER_BYTES;
    peer->record = strdup(nereus_word_decode(line));
    return peer->record != NULL;
}

static void take_record(struct supervisor *supervisor, struct peer *peer, const char *line)
{
    if (records_put(&supervisor->records, peer->record, line))
        nereus_line_say(peer->line.fd, "A");
    close_peer(peer);
}

static void send_record(const struct supervisor *supervisor, const struct peer *peer, char *line)
{
    const char *text = records_find(&supervisor->records, nereus_word_decode(line));
    if (text != NULL && nereus_line_send(peer->line.fd, text, strlen(text), fetch_limit_s))
        nereus_line_send(peer->line.fd, "\n", 1, fetch_limit_s);
}

/* No answer if the command is unknown, as in the user's own srun. */
static void send_command(const struct supervisor *supervisor, const struct peer *peer)
{
    char here[PATH_MAX] = "", folder[2 * PATH_MAX];
    const char *given = job_line_folder(supervisor->mpiexec);
    char **words = job_line_program(supervisor->mpiexec);
    struct nereus_words line = {0};
    if (words != NULL && words[0] != NULL && getcwd(here, sizeof here) != NULL) {
        snprintf(folder, sizeof folder, "%s%s%s", given != NULL && *given == '/' ? "" : here,
                 given != NULL && *given != '/' ? "/" : "", given != NULL ? given : "");
        nereus_words_add(&line, folder);
        for (char **word = words; *word != NULL; word++)
            nereus_words_add(&line, *word);
        nereus_words_send(&line, peer->line.fd, fetch_limit_s);
    }
    free(words);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void replace_text(char **text, const char *by)
{
    free(*text);
    *text = strdup(by != NULL ? by : "");
}

static void answer_restart(const struct peer *peer, const char *refusal)
{
    struct nereus_words line = {0};
    nereus_words_add(&line, refusal == NULL ? "A" : "E");
    if (refusal != NULL)
        nereus_words_add(&line, refusal);
    nereus_words_send(&line, peer->line.fd, fetch_limit_s);
}

/* Why Slurm cannot queue the job again; NULL: it can. */
static const char *why_not_requeued(const struct supervisor *supervisor)
{
    struct slurm_job job;
    if (!supervisor->can_requeue)
        return "it needs further nodes of Slurm's, which a job gets that was started with "
               "--checkpoint and --on-failure restart";
    if (!slurm_job_read(&job))
        return "it needs further nodes, and Slurm does not answer (scontrol show job)";
    return job.is_batch ? NULL
                        : "it needs further nodes, and Slurm queues only a job again that sbatch "
                          "has submitted";
}

static void take_restart(struct supervisor *supervisor, const struct peer *peer, char *line)
{
    const char *number = nereus_word_next(&line), *path = nereus_word_next(&line),
               *hosts = nereus_word_next(&line);
    const long long processes = number != NULL ? atoll(number) : 0;
    if (processes < 1 || path == NULL)
        return;
    if (!job_line_can_resize(supervisor->mpiexec)) {
        answer_restart(peer,
                       "a job of several programs (\":\" on mpiexec's command line) cannot be "
                       "restarted, as it is not known how many of each there would be");
        return;
    }
    const char *refusal = hosts != NULL && strcmp(hosts, NEREUS_HOSTS_OF_SLURM) == 0
                              ? why_not_requeued(supervisor)
                              : NULL;
    if (refusal != NULL) {
        answer_restart(peer, refusal);
        return;
    }
    struct planned_restart *planned = &supervisor->planned;
    replace_text(&planned->path, path);
    replace_text(&planned->hosts, hosts);
    planned->processes = planned->path != NULL && planned->hosts != NULL ? processes : 0;
    answer_restart(peer, planned->processes > 0 ? NULL : "no memory for a restart");
}

void supervisor_want_checkpoint(struct supervisor *supervisor)
{
    supervisor->wants_checkpoint = true;
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].kind == PEER_CHECKPOINTS)
            nereus_line_say(supervisor->peers[i].line.fd, "C");
}

/* Handle the first line of a connection.
 * @return false: close it */
static bool receive(struct supervisor *supervisor, struct peer *peer, char *line)
{
    const char *token = nereus_word_next(&line), *kind = nereus_word_next(&line);
    if (kind == NULL || strcmp(token, supervisor->address.token) != 0)
        return false;
    switch (*kind) {
    case 'V':
        supervisor->initial_world_left = true;
        return false;
    case 'D':
        take_end(supervisor, line);
        return false;
    case 'A':
        take_abort(supervisor, line);
        return false;
    case 'K':
        replace_text(&supervisor->checkpoint, nereus_word_decode(line));
        supervisor->checkpoints++;
        return false;
    case 'S':
        peer->kind = PEER_CHECKPOINTS;
        if (supervisor->wants_checkpoint)
            nereus_line_say(peer->line.fd, "C");
        return true;
    case 'R':
        take_restart(supervisor, peer, line);
        return false;
    case 'W':
    case 'P':
        handle_progress(supervisor, peer, *kind, line);
        return false;
    case 'O':
        peer->kind = PEER_ORDERS;
        peer->line.limit = ORDER_BYTES;
        snprintf(peer->session, sizeof peer->session, "%s", line);
        return true;
    case 'G':
    case 'H':
    case 'I':
        return begin_guard(supervisor, peer, *kind, line);
    case 'B':
        return begin_record(peer, line);
    case 'T':
        send_record(supervisor, peer, line);
        return false;
    case 'C':
        send_command(supervisor, peer);
        return false;
    case 'N':
        return begin_spawn(peer, line);
    default:
        return false;
    }
}

static void end_launched(struct supervisor *supervisor, const struct peer *peer,
                         struct group *group, char kind, int status, const char *hint)
{
    if (group->state == GROUP_JOINED)
        take_report(supervisor, kind, status);
    if (!peer->left && kind == 'K' && group->killed == 0)
        group->killed = status;
    if (!peer->left && group->state == GROUP_JOINED)
        note_end(supervisor, kind == 'S' || !status_is_loss(status), status);
    if (!peer->left && kind == 'K')
        fail_group(supervisor, group, "a launched process on %s was killed by signal %d%s",
                   peer->host, status - 128, hint);
    else if (!peer->left)
        fail_group(supervisor, group,
                   "a launched process on %s ended with status %d before it had left the job",
                   peer->host, status);
}

static void handle_launched(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence)
{
    struct group *group = find_group(supervisor, peer->session, peer->group);
    if (group == NULL)
        return;
    if (kind == 'K' || kind == 'S') {
        end_launched(supervisor, peer, group, kind, number, sentence);
        return;
    }
    peer->left = true;
    if (kind == 'F')
        fail_group(supervisor, group, "%s", sentence);
    if (kind == 'Y') {
        notify_root(supervisor, group, 'Y', NULL);
        end_group(supervisor,
                  group); /* the end of a test is no failure: other hosts may still be under test */
    }
}

static void handle_spawned(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                           const char *sentence)
{
    if (kind == 'L') {
        peer->stage = (enum stage)number;
    } else if (kind == 'F') {
        if (peer->why == NULL)
            peer->why = strdup(sentence);
    } else {
        if (kind == 'Z') {
            note_end(supervisor, !status_is_loss(number), number);
            lose_process(supervisor, number, sentence);
        } else
            take_report(supervisor, kind, number);
        close_peer(peer);
    }
}

static void read_guard(struct supervisor *supervisor, struct peer *peer, char *line)
{
    const char *kind = nereus_word_next(&line), *number = nereus_word_next(&line),
               *sentence = nereus_word_next(&line);
    if (number == NULL)
        return;
    if (sentence == NULL)
        sentence = "";
    if (peer->kind == PEER_LIFELINE)
        handle_launched(supervisor, peer, *kind, atoi(number), sentence);
    else if (peer->kind == PEER_GUARD)
        handle_spawned(supervisor, peer, *kind, atoi(number), sentence);
    else
        handle_initial(supervisor, peer, *kind, atoi(number), sentence);
}

/* Handle all lines of the peer at this index. The tables may be reallocated meanwhile. */
static void read_lines(struct supervisor *supervisor, size_t place)
{
    char *line;
    while (supervisor->peers[place].line.fd >= 0 &&
           (line = nereus_line_next(&supervisor->peers[place].line)) != NULL) {
        struct peer *peer = &supervisor->peers[place];
        if (peer->kind == PEER_ORDERS && *line == 'Q')
            peer->left = true;
        else if (peer->kind == PEER_ORDERS)
            follow_order(supervisor, peer->session, line);
        else if (peer->kind == PEER_LIFELINE || peer->kind == PEER_GUARD ||
                 peer->kind == PEER_INITIAL)
            read_guard(supervisor, peer, line);
        else if (peer->kind == PEER_RECORD)
            take_record(supervisor, peer, line);
        else if (peer->kind == PEER_NEW && !receive(supervisor, peer, line))
            close_peer(peer);
    }
}

/* The guard of a spawned process has ended without a report. Before its process reached MPI the
 * spawn may never return; a member of the job was killed with it. */
static void lose_guard(struct supervisor *supervisor, const struct peer *peer)
{
    char sentence[400];
    if (peer->stage == STAGE_JOB) {
        snprintf(sentence, sizeof sentence,
                 "a spawned process on %s was killed together with its guard %ld", peer->host,
                 peer->pid);
        await_launcher(supervisor, killed_guard_s, sentence);
        return;
    }
    if (peer->stage != STAGE_START)
        return;
    if (peer->why != NULL)
        snprintf(sentence, sizeof sentence,
                 "%.330s; the process that was to join in its place has died, too", peer->why);
    else
        snprintf(sentence, sizeof sentence,
                 "a new process under guard %ld on %s ended before it had reached MPI", peer->pid,
                 peer->host);
    supervisor_give_up(supervisor, sentence);
}

/* Its host does not answer: nobody else will tell. */
static bool is_lost_with_host(const struct peer *peer)
{
    return peer->line.silent && ((peer->kind == PEER_INITIAL && peer->stage < STAGE_LEFT) ||
                                 (peer->kind == PEER_GUARD && peer->stage <= STAGE_JOB) ||
                                 (peer->kind == PEER_LIFELINE && !peer->left));
}

static void lose_host(struct supervisor *supervisor, const char *host)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence,
             "%s, where processes of the job are, does not answer any more", host);
    note_end(supervisor, false, 0);
    supervisor_give_up(supervisor, sentence);
}

static void handle_closed(struct supervisor *supervisor, struct peer *peer)
{
    char sentence[200];
    if (is_lost_with_host(peer))
        lose_host(supervisor, peer->host);
    if (peer->kind == PEER_GUARD)
        lose_guard(supervisor, peer);
    if (peer->kind == PEER_INITIAL && peer->stage < STAGE_LEFT) {
        snprintf(sentence, sizeof sentence,
                 "process %d of the initial world on %s was killed together with its guard",
                 peer->group, peer->host);
        await_launcher(supervisor, killed_guard_s, sentence);
    }
    const struct peer gone = *peer;
    close_peer(peer);
    if (gone.kind == PEER_ORDERS)
        drop_orders(supervisor, gone.session, gone.left);
    if (gone.kind != PEER_LIFELINE || gone.left)
        return;
    struct group *group = find_group(supervisor, gone.session, gone.group);
    if (group != NULL)
        fail_group(supervisor, group,
                   "the launched process under guard %ld on %s ended before it had left the job",
                   gone.pid, gone.host);
}

/* A host that was cut off, or lost its power, closes no connection: then the kernel, which has
 * asked it in vain for some time. */
static void ask_while_silent(int fd)
{
    const int on = 1, idle_s = 5, every_s = 2, times = 5;
    const int unanswered_ms = 1000 * (idle_s + every_s * times); /* also of what is sent */
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every_s, sizeof every_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof unanswered_ms);
}

static void accept_connections(struct supervisor *supervisor)
{
    for (;;) {
        const int fd = accept4(supervisor->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            return;
        struct peer *peer = new_peer(supervisor);
        if (peer == NULL) {
            close(fd);
            return;
        }
        if (supervisor->finds_dead_hosts)
            ask_while_silent(fd);
        nereus_line_init(&peer->line, fd, STRANGER_BYTES);
        peer->until_s = nereus_line_now_s() + visit_limit_s;
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

static void act_on_limits(struct supervisor *supervisor)
{
    const double now_s = nereus_line_now_s();
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].kind == PEER_NEW && now_s > supervisor->peers[i].until_s)
            close_peer(&supervisor->peers[i]);
    for (size_t i = 0; i < supervisor->peer_count && !supervisor->broken; i++)
        supervisor->broken =
            supervisor->peers[i].spawn != NULL &&
            pending_spawn_has_expired(supervisor->peers[i].spawn, now_s, supervisor->sentence,
                                      sizeof supervisor->sentence);
    if (supervisor->mpiexec_until_s > 0 && now_s > supervisor->mpiexec_until_s &&
        !supervisor->broken)
        lose_process(supervisor, 255, supervisor->why_it_may_end);
    for (size_t i = 0; i < supervisor->group_count; i++) {
        struct group *group = &supervisor->groups[i];
        if (group->state == GROUP_CONNECTING && now_s > group->until_s)
            break_job(supervisor, group,
                      group->failed ? ", and the job hangs in connecting to it"
                                    : "the connection to launched processes hangs");
        if (group->state == GROUP_CONNECTED && group->failed && now_s > group->until_s)
            break_job(supervisor, group, ", and the job hangs in its connection to it");
        if (group->state == GROUP_ENDING && group->launcher > 0 && now_s > group->until_s)
            force_end(group, now_s);
    }
}

int supervisor_poll_ms(const struct supervisor *supervisor)
{
    double until_s = supervisor->mpiexec_until_s > 0 && !supervisor->broken
                         ? supervisor->mpiexec_until_s
                         : 1e300;
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].kind == PEER_NEW && supervisor->peers[i].until_s < until_s)
            until_s = supervisor->peers[i].until_s;
    for (size_t i = 0; i < supervisor->peer_count; i++) {
        const struct pending_spawn *start = supervisor->peers[i].spawn;
        if (!supervisor->broken && start != NULL && start->missing > 0 && start->until_s < until_s)
            until_s = start->until_s;
    }
    for (size_t i = 0; i < supervisor->group_count; i++) {
        const struct group *group = &supervisor->groups[i];
        const bool waits =
            group->state == GROUP_CONNECTING ||
            (group->state == GROUP_CONNECTED && group->failed && !supervisor->broken) ||
            (group->state == GROUP_ENDING && group->launcher > 0);
        if (waits && group->until_s < until_s)
            until_s = group->until_s;
    }
    if (until_s > 1e299)
        return -1;
    const double left_s = until_s - nereus_line_now_s(), most_s = 3600; /* recomputed after that */
    return left_s <= 0 ? 0 : (int)((left_s < most_s ? left_s : most_s) * 1e3) + 1;
}

/* ---- for nereus-supervise -------------------------------------------------------------------- */

bool supervisor_open(struct supervisor *supervisor, char **mpiexec, const struct output *output)
{
    char text[NEREUS_LINE_HOST_MAX + 64];
    struct rlimit files;
    const struct supervisor settings = {.finds_dead_hosts = supervisor->finds_dead_hosts,
                                        .can_requeue = supervisor->can_requeue};
    *supervisor = settings;
    supervisor->mpiexec = mpiexec;
    supervisor->output = output;
    supervisor->listener = nereus_line_listen(&supervisor->address);
    if (supervisor->listener < 0)
        return false;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max; /* one descriptor per launched process is needed */
        setrlimit(RLIMIT_NOFILE, &files);
    }
    snprintf(text, sizeof text, "%s:%d:%s", supervisor->address.host, supervisor->address.port,
             supervisor->address.token);
    return setenv(NEREUS_LAUNCHER_NAME, text, 1) == 0;
}

void supervisor_close(struct supervisor *supervisor)
{
    for (size_t i = 0; i < supervisor->peer_count; i++)
        close_peer(&supervisor->peers[i]);
    free(supervisor->peers);
    status_page_fini(&supervisor->status_page);
    records_fini(&supervisor->records);
    free(supervisor->checkpoint);
    free(supervisor->planned.path);
    free(supervisor->planned.hosts);
    free(supervisor->groups);
    close(supervisor->listener);
}

struct pollfd *supervisor_watch(const struct supervisor *supervisor, size_t *count)
{
    struct pollfd *fds = malloc((supervisor->peer_count + 1) * sizeof *fds);
    *count = 0;
    if (fds == NULL)
        return NULL;
    fds[(*count)++] = (struct pollfd){supervisor->listener, POLLIN, 0};
    for (size_t i = 0; i < supervisor->peer_count; i++)
        fds[(*count)++] = (struct pollfd){supervisor->peers[i].line.fd, POLLIN, 0};
    return fds;
}

static void fill(struct supervisor *supervisor, size_t index)
{
    nereus_line_fill(&supervisor->peers[index].line);
}

/* A root's orders precede the end of any process: they are received last and handled first. */
static void for_peers(struct supervisor *supervisor, bool with_orders,
                      void (*handle)(struct supervisor *supervisor, size_t index))
{
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if ((supervisor->peers[i].kind == PEER_ORDERS) == with_orders)
            handle(supervisor, i);
}

void supervisor_serve(struct supervisor *supervisor)
{
    accept_connections(supervisor);
    for_peers(supervisor, false, fill);
    for_peers(supervisor, true, fill);
    for_peers(supervisor, true, read_lines);
    for_peers(supervisor, false, read_lines);
    /* One death closes many lines: read all reports before handling closed lines. */
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].line.fd >= 0 && supervisor->peers[i].line.ended)
            handle_closed(supervisor, &supervisor->peers[i]);
    act_on_limits(supervisor);
    remove_closed(supervisor);
}

bool supervisor_awaits_ends(const struct supervisor *supervisor)
{
    for (size_t i = 0; i < supervisor->peer_count; i++) {
        const struct peer *peer = &supervisor->peers[i];
        if ((peer->kind == PEER_INITIAL && peer->stage < STAGE_LEFT) ||
            (peer->kind == PEER_GUARD && peer->stage == STAGE_JOB))
            return true;
    }
    return false;
}

void supervisor_take_end(struct supervisor *supervisor, int mpiexec_status)
{
    char how[64], sentence[400];
    snprintf(how, sizeof how, "mpiexec ended with status %d", mpiexec_status);
    if (!supervisor->broken && mpiexec_status != 0)
        explain_by_launched(supervisor, how);
    else if (!supervisor->broken && supervisor->mpiexec_until_s > 0) {
        snprintf(sentence, sizeof sentence,
                 "%.300s, and mpiexec ended with status 0, as where one calls MPI_Abort with 0",
                 supervisor->why_it_may_end);
        lose_process(supervisor, 1, sentence);
    }
}

void supervisor_missing(struct supervisor *supervisor, const char *what, const char *missing,
                        int status)
{
    if (!supervisor->begun)
        fail_to_start(supervisor, status, what, missing);
}

static struct group *find_launched(const struct supervisor *supervisor, pid_t launcher)
{
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].launcher == launcher)
            return &supervisor->groups[i];
    return NULL;
}

bool supervisor_reaped(struct supervisor *supervisor, pid_t pid, int wait_status)
{
    struct group *group = find_launched(supervisor, pid);
    if (group == NULL)
        return false;
    supervisor_serve(supervisor); /* reports of its processes have more detail */
    group = find_launched(supervisor, pid);
    if (group == NULL)
        return true;
    bool all_left = group->state == GROUP_JOINED;
    for (size_t k = 0; k < supervisor->peer_count; k++)
        all_left = all_left && (!is_of(&supervisor->peers[k], group) || supervisor->peers[k].left);
    group->launcher = 0;
    if (!all_left)
        fail_group(supervisor, group,
                   "the launcher of new processes%s%s ended with %s %d before they %s",
                   group->host[0] != '\0' ? " on " : "", group->host,
                   WIFSIGNALED(wait_status) ? "signal" : "status",
                   WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status),
                   group->state == GROUP_JOINED ? "had left the job" : "could join");
    remove_closed(supervisor);
    return true;
}

bool supervisor_busy(const struct supervisor *supervisor)
{
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].launcher > 0)
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
            end_group(supervisor, &supervisor->groups[i]);
    remove_closed(supervisor);
}

void supervisor_signal(const struct supervisor *supervisor, int signal_number)
{
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].launcher > 0)
            kill(supervisor->groups[i].launcher, signal_number);
}
