/**
 * @file supervisor.c
 * Accepts connections, reads their first lines, and dispatches the later lines of each peer.
 */
#include "supervisor.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "job_end.h"
#include "job_line.h"
#include "model/util/clock.h"
#include "peers.h"
#include "src/util/guard_events.h"

/* Limits for the first line of a connection, which must contain the token: time and bytes. A
 * sentence in it is long, as most characters may be encoded as %XX. */
static const double first_line_limit_s = 2;
enum { FIRST_LINE_BYTES = 16384, ORDER_BYTES = 64 << 20 };
/* Time limit for a guard to receive its start record. */
static const double fetch_limit_s = 5;

/* ---- first lines ----------------------------------------------------------------------------- */

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
    nereus_connection_send_line(peer->connection.fd, "%c", ANSWER_TAKEN);
    return true;
}

/* First line of a guard. role: which of REQUEST_GUARDS_*. */
static bool begin_guard(struct supervisor *supervisor, struct peer *peer, char role, char *line)
{
    const char *name = nereus_word_next(&line), *pid = nereus_word_next(&line),
               *host = nereus_word_next(&line), *group = nereus_word_next(&line);
    if (host == NULL)
        return false;
    peer->pid = atol(pid);
    snprintf(peer->host, sizeof peer->host, "%s", host);
    if (role == REQUEST_GUARDS_LAUNCHED) {
        struct group *known = group != NULL ? group_find(supervisor, name, atoi(group)) : NULL;
        if (known == NULL || known->state == GROUP_ENDING)
            return false; /* cancelled meanwhile: closing the connection ends the guard */
        known->begun = true;
        peer->kind = PEER_LIFELINE;
        peer->group = known->number;
        snprintf(peer->session, sizeof peer->session, "%s", name);
    } else if (role == REQUEST_GUARDS_SPAWNED) {
        for (size_t i = 0; i < supervisor->peer_count; i++)
            if (supervisor->peers[i].kind == PEER_SPAWNS && supervisor->peers[i].spawn != NULL &&
                strcmp(supervisor->peers[i].spawn->id, name) == 0)
                pending_spawn_count_guard(supervisor->peers[i].spawn, host);
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
    if (pid != NULL && kind == REQUEST_PUT_PROGRESS)
        status_page_store(&supervisor->status_page, host, atol(pid), text);
    else if (pid != NULL)
        status_page_answer(&supervisor->status_page, host, peer->connection.fd);
}

static bool begin_record(struct peer *peer, char *line)
{
    peer->kind = PEER_RECORD;
    peer->connection.limit = ORDER_BYTES;
    peer->record = strdup(nereus_word_decode(line));
    return peer->record != NULL;
}

static void store_record(struct supervisor *supervisor, struct peer *peer, const char *line)
{
    if (records_store(&supervisor->records, peer->record, line))
        nereus_connection_send_line(peer->connection.fd, "%c", ANSWER_TAKEN);
    peer_close(peer);
}

static void send_record(const struct supervisor *supervisor, const struct peer *peer, char *line)
{
    const char *text = records_find(&supervisor->records, nereus_word_decode(line));
    if (text != NULL &&
        nereus_connection_send(peer->connection.fd, text, strlen(text), fetch_limit_s))
        nereus_connection_send(peer->connection.fd, "\n", 1, fetch_limit_s);
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
        nereus_words_send(&line, peer->connection.fd, fetch_limit_s);
    }
    free(words);
}

/* Handle the first line of a connection.
 * @return false: close it */
static bool handle_first_line(struct supervisor *supervisor, struct peer *peer, char *line)
{
    const char *token = nereus_word_next(&line), *kind = nereus_word_next(&line);
    if (kind == NULL || strcmp(token, supervisor->address.token) != 0)
        return false;
    switch (*kind) {
    case REQUEST_INITIAL_WORLD_LEAVES:
        supervisor->initial_world_left = true;
        return false;
    case REQUEST_END_JOB:
        job_end_handle_request(supervisor, line);
        return false;
    case REQUEST_ABORTED:
        job_end_handle_abort(supervisor, line);
        return false;
    case REQUEST_CHECKPOINTED:
        restart_note_checkpoint(supervisor, line);
        return false;
    case REQUEST_RECOVERED:
        recovery_succeed(supervisor, line);
        return false;
    case REQUEST_AWAIT_WARNING:
        restart_await_warning(supervisor, peer);
        return true;
    case REQUEST_RESTART:
        restart_handle_request(supervisor, peer, line);
        return false;
    case REQUEST_PUT_PROGRESS:
    case REQUEST_GET_PROGRESS:
        handle_progress(supervisor, peer, *kind, line);
        return false;
    case REQUEST_LAUNCHES:
        peer->kind = PEER_ORDERS;
        peer->connection.limit = ORDER_BYTES;
        snprintf(peer->session, sizeof peer->session, "%s", line);
        return true;
    case REQUEST_GUARDS_LAUNCHED:
    case REQUEST_GUARDS_SPAWNED:
    case REQUEST_GUARDS_INITIAL:
        return begin_guard(supervisor, peer, *kind, line);
    case REQUEST_PUT_RECORD:
        return begin_record(peer, line);
    case REQUEST_GET_RECORD:
        send_record(supervisor, peer, line);
        return false;
    case REQUEST_COMMAND:
        send_command(supervisor, peer);
        return false;
    case REQUEST_SPAWN:
        return begin_spawn(peer, line);
    default:
        return false;
    }
}

/* ---- lines and connections ------------------------------------------------------------------- */

static void read_guard(struct supervisor *supervisor, struct peer *peer, char *line)
{
    const char *kind = nereus_word_next(&line), *number = nereus_word_next(&line),
               *sentence = nereus_word_next(&line);
    if (number == NULL)
        return;
    if (sentence == NULL)
        sentence = "";
    if (peer->kind == PEER_LIFELINE)
        launched_handle_report(supervisor, peer, *kind, atoi(number), sentence);
    else if (peer->kind == PEER_GUARD)
        mpiexec_handle_spawned(supervisor, peer, *kind, atoi(number), sentence);
    else
        mpiexec_handle_initial(supervisor, peer, *kind, atoi(number), sentence);
}

/* Handle all lines of the peer at this index. The tables may be reallocated meanwhile. */
static void read_lines(struct supervisor *supervisor, size_t place)
{
    char *line;
    while (supervisor->peers[place].connection.fd >= 0 &&
           (line = nereus_connection_next_line(&supervisor->peers[place].connection)) != NULL) {
        struct peer *peer = &supervisor->peers[place];
        if (peer->kind == PEER_ORDERS && *line == ORDER_NO_MORE)
            peer->left = true;
        else if (peer->kind == PEER_ORDERS)
            launched_follow_order(supervisor, peer->session, line);
        else if (peer->kind == PEER_LIFELINE || peer->kind == PEER_GUARD ||
                 peer->kind == PEER_INITIAL)
            read_guard(supervisor, peer, line);
        else if (peer->kind == PEER_RECORD)
            store_record(supervisor, peer, line);
        else if (peer->kind == PEER_NEW && !handle_first_line(supervisor, peer, line))
            peer_close(peer);
    }
}

/* Has the host of the process stopped to answer? No other message reports such a loss. */
static bool is_lost_with_host(const struct peer *peer)
{
    return peer->connection.silent && ((peer->kind == PEER_INITIAL && peer->phase < PHASE_LEFT) ||
                                       (peer->kind == PEER_GUARD && peer->phase <= PHASE_JOB) ||
                                       (peer->kind == PEER_LIFELINE && !peer->left));
}

static void handle_host_loss(struct supervisor *supervisor, const char *host)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence,
             "%s, where processes of the job are, does not answer any more", host);
    job_end_record(supervisor, false, 0);
    supervisor_fail_job(supervisor, sentence);
}

static void handle_closed(struct supervisor *supervisor, struct peer *peer)
{
    if (is_lost_with_host(peer))
        handle_host_loss(supervisor, peer->host);
    mpiexec_handle_guard_end(supervisor, peer);
    const struct peer gone = *peer;
    peer_close(peer);
    if (gone.kind == PEER_ORDERS)
        launched_drop_orders(supervisor, gone.session, gone.left);
    if (gone.kind != PEER_LIFELINE || gone.left)
        return;
    struct group *group = group_find(supervisor, gone.session, gone.group);
    if (group != NULL)
        launched_fail(supervisor, group,
                      "the launched process under guard %ld on %s ended before it had left the job",
                      gone.pid, gone.host);
}

/* Let the kernel close the connection after unanswered keepalive probes: a host without power or
 * network does not close it. */
static void set_keepalive(int fd)
{
    const int on = 1, idle_s = 5, every_s = 2, times = 5;
    /* the same limit for unacknowledged data */
    const int unanswered_ms = 1000 * (idle_s + every_s * times);
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
        struct peer *peer = peer_new(supervisor);
        if (peer == NULL) {
            close(fd);
            return;
        }
        if (supervisor->finds_dead_hosts)
            set_keepalive(fd);
        nereus_connection_init(&peer->connection, fd, FIRST_LINE_BYTES);
        peer->deadline_s = nereus_monotonic_s() + first_line_limit_s;
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

static void enforce_time_limits(struct supervisor *supervisor)
{
    const double now_s = nereus_monotonic_s();
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].kind == PEER_NEW && now_s > supervisor->peers[i].deadline_s)
            peer_close(&supervisor->peers[i]);
    for (size_t i = 0; i < supervisor->peer_count && !supervisor->end.broken; i++)
        supervisor->end.broken =
            supervisor->peers[i].spawn != NULL &&
            pending_spawn_has_expired(supervisor->peers[i].spawn, now_s, supervisor->end.sentence,
                                      sizeof supervisor->end.sentence);
    if (supervisor->end.mpiexec_deadline_s > 0 && now_s > supervisor->end.mpiexec_deadline_s &&
        !supervisor->end.broken)
        job_end_handle_loss(supervisor, 255, supervisor->end.why_it_may_end);
    if (supervisor->recovery.deadline_s > 0 && now_s > supervisor->recovery.deadline_s)
        job_end_fail_recovery(supervisor, NULL);
    launched_act_on_limits(supervisor, now_s);
}

static void note_deadline(double *earliest_s, bool is_due, double deadline_s)
{
    if (is_due && deadline_s < *earliest_s)
        *earliest_s = deadline_s;
}

double supervisor_next_deadline_s(const struct supervisor *supervisor)
{
    const struct job_end *end = &supervisor->end;
    double next_s = INFINITY;
    note_deadline(&next_s, end->mpiexec_deadline_s > 0 && !end->broken, end->mpiexec_deadline_s);
    note_deadline(&next_s, supervisor->recovery.deadline_s > 0, supervisor->recovery.deadline_s);
    for (size_t i = 0; i < supervisor->peer_count; i++) {
        const struct peer *peer = &supervisor->peers[i];
        note_deadline(&next_s, peer->kind == PEER_NEW, peer->deadline_s);
        if (peer->spawn != NULL)
            note_deadline(&next_s, !end->broken && peer->spawn->missing_guards > 0,
                          peer->spawn->deadline_s);
    }
    for (size_t i = 0; i < supervisor->group_count; i++) {
        const struct group *group = &supervisor->groups[i];
        note_deadline(&next_s,
                      group->state == GROUP_CONNECTING ||
                          (group->state == GROUP_CONNECTED && group->failed && !end->broken) ||
                          (group->state == GROUP_ENDING && group->launcher > 0),
                      group->deadline_s);
        note_deadline(&next_s, launched_is_checked(group), group->check.next_s);
    }
    return next_s;
}

/* ---- for nereus-supervise -------------------------------------------------------------------- */

bool supervisor_open(struct supervisor *supervisor, char **mpiexec, struct output *output)
{
    char text[NEREUS_CONNECTION_HOST_MAX + 64];
    struct rlimit files;
    supervisor->mpiexec = mpiexec;
    supervisor->output = output;
    supervisor->listener = nereus_connection_listen(&supervisor->address);
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
        peer_close(&supervisor->peers[i]);
    free(supervisor->peers);
    status_page_fini(&supervisor->status_page);
    records_fini(&supervisor->records);
    free(supervisor->checkpoint);
    nereus_progress_close(supervisor->root);
    free(supervisor->planned_restart.path);
    free(supervisor->planned_restart.hosts);
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].errors.from >= 0)
            close(supervisor->groups[i].errors.from);
    free(supervisor->groups);
    close(supervisor->listener);
}

struct pollfd *supervisor_list_descriptors(const struct supervisor *supervisor, size_t *count)
{
    struct pollfd *fds =
        malloc((supervisor->peer_count + supervisor->group_count + 1) * sizeof *fds);
    *count = 0;
    if (fds == NULL)
        return NULL;
    fds[(*count)++] = (struct pollfd){supervisor->listener, POLLIN, 0};
    for (size_t i = 0; i < supervisor->peer_count; i++)
        fds[(*count)++] = (struct pollfd){supervisor->peers[i].connection.fd, POLLIN, 0};
    for (size_t i = 0; i < supervisor->group_count; i++)
        fds[(*count)++] = launcher_errors_watch(&supervisor->groups[i].errors);
    return fds;
}

static void fill_peer_line(struct supervisor *supervisor, size_t index)
{
    nereus_connection_fill(&supervisor->peers[index].connection);
}

/* Call a function for peers with, or without, the root's orders. Orders are received last and
 * handled first: an order was sent before the end of the processes that it names. */
static void for_each_peer(struct supervisor *supervisor, bool with_orders,
                          void (*handle)(struct supervisor *supervisor, size_t index))
{
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if ((supervisor->peers[i].kind == PEER_ORDERS) == with_orders)
            handle(supervisor, i);
}

void supervisor_serve(struct supervisor *supervisor)
{
    accept_connections(supervisor);
    for_each_peer(supervisor, false, fill_peer_line);
    for_each_peer(supervisor, true, fill_peer_line);
    for_each_peer(supervisor, true, read_lines);
    for_each_peer(supervisor, false, read_lines);
    /* One death closes many connections: read all reports before handling closed ones. */
    for (size_t i = 0; i < supervisor->peer_count; i++)
        if (supervisor->peers[i].connection.fd >= 0 && supervisor->peers[i].connection.ended)
            handle_closed(supervisor, &supervisor->peers[i]);
    for (size_t i = 0; i < supervisor->group_count; i++)
        launcher_errors_pass_on(&supervisor->groups[i].errors, supervisor->groups[i].launcher == 0);
    enforce_time_limits(supervisor);
    peers_remove_closed(supervisor);
}

static struct group *find_launched(const struct supervisor *supervisor, pid_t launcher)
{
    for (size_t i = 0; i < supervisor->group_count; i++)
        if (supervisor->groups[i].launcher == launcher)
            return &supervisor->groups[i];
    return NULL;
}

bool supervisor_handle_child_end(struct supervisor *supervisor, pid_t pid, int wait_status)
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
        all_left =
            all_left && (!peer_is_of(&supervisor->peers[k], group) || supervisor->peers[k].left);
    group->launcher = 0;
    launcher_errors_pass_on(&group->errors, true);
    char reason[224];
    if (!all_left)
        launched_fail(
            supervisor, group, "the launcher of new processes%s%s ended with %s %d before %s%s",
            group->host[0] != '\0' ? " on " : "", group->host,
            WIFSIGNALED(wait_status) ? "signal" : "status",
            WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status),
            group->state == GROUP_JOINED ? "they had left the job"
            : group->begun               ? "they could join"
                                         : "any of them had started",
            group->begun ? "" : launcher_errors_reason(&group->errors, reason, sizeof reason));
    peers_remove_closed(supervisor);
    return true;
}
