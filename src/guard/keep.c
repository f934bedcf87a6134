/* Reports, launched worlds and lifelines: see keep.h. */
#include "keep.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard_events.h"
#include "launcher.h"

/* A stranger may hold the door no longer, and say no more, than this. */
static const double visit_limit_s = 2;
enum { STRANGER_BYTES = 512, ORDER_BYTES = 64 << 20 };
/* A launcher that was asked to end may take so long. And a failed connect so much longer than its limit. */
static const double ending_limit_s = 1, connect_margin_s = 2;
/* The sources of a job need less to let go of a group that was lost before the commit (docs/launch.md). */
static const double let_go_limit_s = 4;
/* A launcher notices a dead process by itself, mostly. */
static const double noticing_s = 1;

/* ---- tables ------------------------------------------------------------------------------------------- */

static struct group *find_group(const struct keeper *keeper, const char *session, int number)
{
    for (size_t i = 0; i < keeper->group_count; i++)
        if (keeper->groups[i].number == number && strcmp(keeper->groups[i].session, session) == 0)
            return &keeper->groups[i];
    return NULL;
}

static bool is_of(const struct peer *peer, const struct group *group)
{
    return peer->kind == PEER_LIFELINE && peer->group == group->number &&
           strcmp(peer->session, group->session) == 0;
}

/* One more, zeroed. NULL: no memory. */
static struct peer *new_peer(struct keeper *keeper)
{
    struct peer *peers = realloc(keeper->peers, (keeper->peer_count + 1) * sizeof *peers);
    if (peers == NULL)
        return NULL;
    keeper->peers = peers;
    return memset(&peers[keeper->peer_count++], 0, sizeof *peers);
}

static struct group *new_group(struct keeper *keeper)
{
    struct group *groups = realloc(keeper->groups, (keeper->group_count + 1) * sizeof *groups);
    if (groups == NULL)
        return NULL;
    keeper->groups = groups;
    return memset(&groups[keeper->group_count++], 0, sizeof *groups);
}

static void close_peer(struct peer *peer)
{
    start_free(peer->start);
    peer->start = NULL;
    free(peer->why);
    peer->why = NULL;
    nereus_line_fini(&peer->line);
}

/* Who is gone is taken out of the tables. */
static void tidy(struct keeper *keeper)
{
    size_t kept = 0;
    for (size_t i = 0; i < keeper->peer_count; i++)
        if (keeper->peers[i].line.fd >= 0)
            keeper->peers[kept++] = keeper->peers[i];
    keeper->peer_count = kept;
    kept = 0;
    for (size_t i = 0; i < keeper->group_count; i++) {
        bool alive = keeper->groups[i].launcher != 0;
        for (size_t k = 0; k < keeper->peer_count && !alive; k++)
            alive = is_of(&keeper->peers[k], &keeper->groups[i]);
        if (alive || keeper->groups[i].state == GROUP_CONNECTING || keeper->groups[i].state == GROUP_MET)
            keeper->groups[kept++] = keeper->groups[i];
    }
    keeper->group_count = kept;
}

/* ---- what happens to a group ----------------------------------------------------------------------------- */

static void tell_order(const struct keeper *keeper, const struct group *group, char kind, const char *word)
{
    for (size_t i = 0; i < keeper->peer_count; i++) {
        const struct peer *peer = &keeper->peers[i];
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
static void end_group(struct keeper *keeper, struct group *group)
{
    group->state = GROUP_ENDING;
    group->until_s = nereus_line_now_s() + ending_limit_s;
    for (size_t i = 0; i < keeper->peer_count; i++)
        if (is_of(&keeper->peers[i], group))
            close_peer(&keeper->peers[i]);
}

int keeper_end_children(pid_t parent, int signal_number)
{
    char path[64];
    long pid;
    int count = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    FILE *children = fopen(path, "re");
    for (; children != NULL && fscanf(children, "%ld", &pid) == 1; count++)
        kill((pid_t)pid, signal_number);
    if (children != NULL)
        fclose(children);
    return count;
}

/* It takes too long: first the launcher is asked to end, then it and what it started here are killed. What it started has sessions of
 * its own, and would stay behind: a remote shell to a host that does not answer waits for ever. */
static void press(struct group *group, double now_s)
{
    const int signal_number = group->force++ == 0 ? SIGTERM : SIGKILL;
    keeper_end_children(group->launcher, signal_number);
    kill(signal_number == SIGTERM ? group->launcher : -group->launcher, signal_number);
    group->until_s = now_s + ending_limit_s;
}

static void break_job(struct keeper *keeper, const struct group *group, const char *when)
{
    if (!keeper->broken)
        snprintf(keeper->sentence, sizeof keeper->sentence, "the job cannot go on and is ended: %s%s",
                 group->sentence, when);
    keeper->broken = true;
}

static void remember_loss(struct keeper *keeper, const char *sentence)
{
    snprintf(keeper->loss, sizeof keeper->loss, "%s", sentence);
    keeper->loss_s = nereus_line_now_s();
}

static void fail_group(struct keeper *keeper, struct group *group, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void fail_group(struct keeper *keeper, struct group *group, const char *format, ...)
{
    va_list arguments;
    if (group->failed || group->state == GROUP_ENDING)
        return;
    group->failed = true;
    va_start(arguments, format);
    vsnprintf(group->sentence, sizeof group->sentence, format, arguments);
    va_end(arguments);
    if (group->state == GROUP_JOINED) {
        break_job(keeper, group, "");
        return;
    }
    tell_order(keeper, group, 'E', group->sentence);
    if (group->state != GROUP_STARTING) {
        remember_loss(keeper, group->sentence);
        keeper->loss_is_open = true;
    }
    if (group->state == GROUP_MET)
        group->until_s = nereus_line_now_s() + group->let_go_s;
    if (group->state == GROUP_STARTING)
        end_group(keeper, group);
}

/* ---- orders -------------------------------------------------------------------------------------------- */

/* The rest of an L line: words in place, as a NULL-terminated list; to be freed. */
static char **split_words(char *rest)
{
    size_t count = 0;
    for (const char *c = rest; *c != '\0'; c++)
        count += *c == ' ';
    char **words = calloc(count + 2, sizeof *words);
    char *at = rest;
    for (size_t i = 0; words != NULL && (words[i] = nereus_word_next(&at)) != NULL; i++)
        ;
    return words;
}

static void launch(struct keeper *keeper, const char *session, int number, char *rest)
{
    char *processes = nereus_word_next(&rest), *host = nereus_word_next(&rest),
         *command = nereus_word_next(&rest);
    struct group *group = new_group(keeper);
    if (group == NULL)
        return; /* whoever ordered it gives up when his time limit is over */
    snprintf(group->session, sizeof group->session, "%s", session);
    group->number = number;
    snprintf(group->host, sizeof group->host, "%s", host != NULL ? host : "");
    char **words = command == NULL ? NULL : split_words(rest);
    if (words == NULL || words[0] == NULL) {
        fail_group(keeper, group, "an order to launch processes names no program");
    } else {
        const struct launcher_order order = {host, command, atoi(processes), words};
        char sentence[300] = "";
        const pid_t child = launcher_start(&order, keeper->mpiexec, sentence, sizeof sentence);
        group->launcher = child > 0 ? child : 0;
        if (child < 0)
            fail_group(keeper, group, "%s", sentence);
        else
            tell_order(keeper, group, 'S', NULL);
    }
    free(words);
}

static void follow_order(struct keeper *keeper, const char *session, char *line)
{
    const char *kind = nereus_word_next(&line), *number = nereus_word_next(&line);
    if (kind == NULL || number == NULL)
        return;
    if (*kind == 'L') {
        launch(keeper, session, atoi(number), line);
        return;
    }
    struct group *group = find_group(keeper, session, atoi(number));
    if (group == NULL || group->state == GROUP_ENDING)
        return; /* E has been said */
    if (*kind == 'C') {
        group->state = GROUP_CONNECTING;
        group->until_s = nereus_line_now_s() + atof(line) + connect_margin_s;
        tell_order(keeper, group, 'A', NULL);
    } else if (*kind == 'M' || *kind == 'I') {
        group->state = GROUP_MET;
        group->let_go_s = *kind == 'M' ? let_go_limit_s : atof(line);
        group->until_s = nereus_line_now_s() + group->let_go_s; /* counts if it has failed */
    } else if (*kind == 'J') {
        group->state = GROUP_JOINED;
        if (group->failed)
            break_job(keeper, group, "");
    } else if (*kind == 'X') {
        end_group(keeper, group);
    }
}

/* Whoever gave the orders is gone: what is not part of the job by now never will be. */
static void drop_orders(struct keeper *keeper, const char *session, bool on_purpose)
{
    keeper->loss_is_open = keeper->loss_is_open && !on_purpose;
    for (size_t i = 0; i < keeper->group_count; i++) {
        struct group *group = &keeper->groups[i];
        if (strcmp(group->session, session) == 0 && group->state != GROUP_JOINED &&
            group->state != GROUP_ENDING) {
            keeper->cut = keeper->cut || (!on_purpose && group->state != GROUP_STARTING);
            end_group(keeper, group);
        }
    }
}

/* ---- visitors, lifelines ----------------------------------------------------------------------------- */

/* Of a job that is being ended the others are killed: that is no verdict, whenever their guards come to say so. */
static void take_report(struct keeper *keeper, char kind, int status)
{
    struct verdict *verdict = &keeper->verdict;
    if (keeper->broken)
        return;
    if (kind == 'K' && verdict->killed == 0)
        verdict->killed = status;
    if (status > verdict->status)
        verdict->status = status;
    verdict->initial_world_left = verdict->initial_world_left || kind == 'X';
}

static bool begin_lifeline(const struct keeper *keeper, struct peer *peer, char *line)
{
    const char *session = nereus_word_next(&line), *group = nereus_word_next(&line),
               *pid = nereus_word_next(&line), *host = nereus_word_next(&line);
    if (host == NULL)
        return false;
    const struct group *known = find_group(keeper, session, atoi(group));
    if (known == NULL || known->state == GROUP_ENDING)
        return false; /* called off while it started: the guard ends when the line is closed */
    peer->kind = PEER_LIFELINE;
    peer->group = known->number;
    peer->pid = atol(pid);
    snprintf(peer->session, sizeof peer->session, "%s", session);
    snprintf(peer->host, sizeof peer->host, "%s", host);
    return true;
}

/* What the job cannot do without is gone, and nothing in MPI may notice: the first sentence counts. */
static void give_up(struct keeper *keeper, const char *sentence)
{
    if (!keeper->broken) {
        snprintf(keeper->sentence, sizeof keeper->sentence, "the job cannot go on and is ended: %.400s",
                 sentence);
        keeper->by_itself_until_s = nereus_line_now_s() + noticing_s;
    }
    keeper->broken = true;
}

static void take_loss(struct keeper *keeper, char *line)
{
    const char *status = nereus_word_next(&line), *sentence = nereus_word_next(&line);
    if (sentence == NULL)
        return;
    if (atoi(status) == 0) { /* maybe it is over, and nobody needed it any more: the launcher judges */
        keeper->quiet = true;
        remember_loss(keeper, sentence);
        return;
    }
    take_report(keeper, atoi(status) > 128 ? 'K' : 'S', atoi(status));
    give_up(keeper, sentence);
}

static bool begin_spawn(struct peer *peer, char *line)
{
    const char *id = nereus_word_next(&line), *processes = nereus_word_next(&line),
               *limit = nereus_word_next(&line), *hosts = nereus_word_next(&line);
    if (hosts == NULL)
        return false;
    peer->start = start_new(id, atoi(processes), atof(limit), hosts);
    if (peer->start == NULL)
        return false;
    peer->kind = PEER_SPAWNS;
    nereus_line_say(peer->line.fd, "A");
    return true;
}

static bool begin_guard(struct keeper *keeper, struct peer *peer, char *line)
{
    const char *id = nereus_word_next(&line), *pid = nereus_word_next(&line), *host = nereus_word_next(&line);
    if (host == NULL)
        return false;
    for (size_t i = 0; i < keeper->peer_count; i++)
        if (keeper->peers[i].kind == PEER_SPAWNS && keeper->peers[i].start != NULL &&
            strcmp(keeper->peers[i].start->id, id) == 0)
            start_answered(keeper->peers[i].start, host);
    peer->kind = PEER_GUARD;
    peer->pid = atol(pid);
    snprintf(peer->host, sizeof peer->host, "%s", host);
    return true;
}

/* The first line of a visitor. @return false: nothing more is expected of him */
static bool receive(struct keeper *keeper, struct peer *peer, char *line)
{
    const char *token = nereus_word_next(&line), *kind = nereus_word_next(&line);
    if (kind == NULL || strcmp(token, keeper->address.token) != 0)
        return false;
    switch (*kind) {
    case 'K':
    case 'S':
    case 'X':
        take_report(keeper, *kind, atoi(line));
        return false;
    case 'V':
        keeper->initial_world_told = true;
        return false;
    case 'D':
        snprintf(keeper->sentence, sizeof keeper->sentence, "%s", nereus_word_decode(line));
        keeper->broken = true;
        return false;
    case 'O':
        peer->kind = PEER_ORDERS;
        peer->line.limit = ORDER_BYTES;
        snprintf(peer->session, sizeof peer->session, "%s", line);
        return true;
    case 'G':
        return begin_lifeline(keeper, peer, line);
    case 'Z':
        take_loss(keeper, line);
        return false;
    case 'N':
        return begin_spawn(peer, line);
    case 'H':
        return begin_guard(keeper, peer, line);
    default:
        return false;
    }
}

static void hear_report(struct keeper *keeper, const struct peer *peer, struct group *group, const char *line)
{
    char kind;
    int status;
    if (sscanf(line, "%c %d", &kind, &status) != 2)
        return;
    if (group->state == GROUP_JOINED)
        take_report(keeper, kind, status);
    if (!peer->bye && kind == 'K')
        fail_group(keeper, group, "a launched process on %s was killed by signal %d", peer->host,
                   status - 128);
    else if (!peer->bye)
        fail_group(keeper, group, "a launched process on %s ended with status %d before it had left the job",
                   peer->host, status);
}

static void hear_lifeline(struct keeper *keeper, struct peer *peer, char *line)
{
    const char *kind = nereus_word_next(&line);
    struct group *group = find_group(keeper, peer->session, peer->group);
    if (kind == NULL || group == NULL)
        return;
    switch (*kind) {
    case 'B':
        peer->bye = true;
        break;
    case 'R':
        hear_report(keeper, peer, group, line);
        break;
    case 'F':
        peer->bye = true;
        fail_group(keeper, group, "%s", nereus_word_decode(line));
        break;
    case 'Y':
        peer->bye = true;
        tell_order(keeper, group, 'Y', NULL);
        end_group(keeper, group); /* its end is no failure: others may still be looked for */
        break;
    default:
        break;
    }
}

static void hear_guard(struct peer *peer, char *line)
{
    const char *kind = nereus_word_next(&line);
    if (kind == NULL)
        return;
    peer->bye = peer->bye || *kind == 'B';
    if (*kind == 'F' && peer->why == NULL)
        peer->why = strdup(nereus_word_decode(line));
}

/* Everything that the peer at this place said. The tables may grow meanwhile. */
static void hear(struct keeper *keeper, size_t place)
{
    char *line;
    while (keeper->peers[place].line.fd >= 0 &&
           (line = nereus_line_next(&keeper->peers[place].line)) != NULL) {
        struct peer *peer = &keeper->peers[place];
        if (peer->kind == PEER_ORDERS && *line == 'Q')
            peer->bye = true;
        else if (peer->kind == PEER_ORDERS)
            follow_order(keeper, peer->session, line);
        else if (peer->kind == PEER_LIFELINE)
            hear_lifeline(keeper, peer, line);
        else if (peer->kind == PEER_GUARD)
            hear_guard(peer, line);
        else if (!receive(keeper, peer, line))
            close_peer(peer);
    }
}

/* A guard that MPI_Comm_spawn has started is gone before anybody has reached MPI there: the spawn may never return. */
static void lose_guard(struct keeper *keeper, const struct peer *peer)
{
    char sentence[400];
    if (peer->why != NULL)
        snprintf(sentence, sizeof sentence, "%.330s; and who was to join in its place has died", peer->why);
    else
        snprintf(sentence, sizeof sentence,
                 "a new process under guard %ld on %s ended before it had reached MPI", peer->pid,
                 peer->host);
    give_up(keeper, sentence);
}

static void lost(struct keeper *keeper, struct peer *peer)
{
    if (peer->kind == PEER_GUARD && !peer->bye)
        lose_guard(keeper, peer);
    const struct peer gone = *peer;
    close_peer(peer);
    if (gone.kind == PEER_ORDERS)
        drop_orders(keeper, gone.session, gone.bye);
    if (gone.kind != PEER_LIFELINE || gone.bye)
        return;
    struct group *group = find_group(keeper, gone.session, gone.group);
    if (group != NULL)
        fail_group(keeper, group,
                   "the launched process under guard %ld on %s ended before it had left the job", gone.pid,
                   gone.host);
}

static void let_in(struct keeper *keeper)
{
    for (;;) {
        const int fd = accept4(keeper->door, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            return;
        struct peer *peer = new_peer(keeper);
        if (peer == NULL) {
            close(fd);
            return;
        }
        nereus_line_init(&peer->line, fd, STRANGER_BYTES);
        peer->until_s = nereus_line_now_s() + visit_limit_s;
    }
}

/* ---- time ----------------------------------------------------------------------------------------------- */

static void act_on_limits(struct keeper *keeper)
{
    const double now_s = nereus_line_now_s();
    for (size_t i = 0; i < keeper->peer_count; i++)
        if (keeper->peers[i].kind == PEER_VISITOR && now_s > keeper->peers[i].until_s)
            close_peer(&keeper->peers[i]);
    for (size_t i = 0; i < keeper->peer_count && !keeper->broken; i++)
        keeper->broken =
            keeper->peers[i].start != NULL &&
            start_is_late(keeper->peers[i].start, now_s, keeper->sentence, sizeof keeper->sentence);
    for (size_t i = 0; i < keeper->group_count; i++) {
        struct group *group = &keeper->groups[i];
        if (group->state == GROUP_CONNECTING && now_s > group->until_s)
            break_job(keeper, group,
                      group->failed ? ", and the job hangs in connecting to it"
                                    : "the connection to launched processes hangs");
        if (group->state == GROUP_MET && group->failed && now_s > group->until_s)
            break_job(keeper, group, ", and the job hangs in its connection to it");
        if (group->state == GROUP_ENDING && group->launcher > 0 && now_s > group->until_s)
            press(group, now_s);
    }
}

int keeper_patience_ms(const struct keeper *keeper)
{
    double until_s = 1e300;
    for (size_t i = 0; i < keeper->peer_count; i++)
        if (keeper->peers[i].kind == PEER_VISITOR && keeper->peers[i].until_s < until_s)
            until_s = keeper->peers[i].until_s;
    for (size_t i = 0; i < keeper->peer_count; i++) {
        const struct start *start = keeper->peers[i].start;
        if (!keeper->broken && start != NULL && start->missing > 0 && start->until_s < until_s)
            until_s = start->until_s;
    }
    for (size_t i = 0; i < keeper->group_count; i++) {
        const struct group *group = &keeper->groups[i];
        const bool waits = group->state == GROUP_CONNECTING ||
                           (group->state == GROUP_MET && group->failed && !keeper->broken) ||
                           (group->state == GROUP_ENDING && group->launcher > 0);
        if (waits && group->until_s < until_s)
            until_s = group->until_s;
    }
    if (until_s > 1e299)
        return -1;
    const double left_s = until_s - nereus_line_now_s();
    return left_s <= 0 ? 0 : (int)(left_s * 1e3) + 1;
}

/* ---- for nereus-supervise ------------------------------------------------------------------------------- */

bool keeper_open(struct keeper *keeper, char **mpiexec)
{
    char text[NEREUS_LINE_HOST_MAX + 64];
    struct rlimit files;
    memset(keeper, 0, sizeof *keeper);
    keeper->mpiexec = mpiexec;
    keeper->door = nereus_line_listen(&keeper->address);
    if (keeper->door < 0)
        return false;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max; /* a descriptor for each launched process */
        setrlimit(RLIMIT_NOFILE, &files);
    }
    snprintf(text, sizeof text, "%s:%d:%s", keeper->address.host, keeper->address.port,
             keeper->address.token);
    return setenv(NEREUS_LAUNCHER_NAME, text, 1) == 0;
}

void keeper_close(struct keeper *keeper)
{
    for (size_t i = 0; i < keeper->peer_count; i++)
        close_peer(&keeper->peers[i]);
    free(keeper->peers);
    free(keeper->groups);
    close(keeper->door);
}

struct pollfd *keeper_watch(const struct keeper *keeper, size_t *count)
{
    struct pollfd *fds = malloc((keeper->peer_count + 1) * sizeof *fds);
    *count = 0;
    if (fds == NULL)
        return NULL;
    fds[(*count)++] = (struct pollfd){keeper->door, POLLIN, 0};
    for (size_t i = 0; i < keeper->peer_count; i++)
        fds[(*count)++] = (struct pollfd){keeper->peers[i].line.fd, POLLIN, 0};
    return fds;
}

void keeper_serve(struct keeper *keeper)
{
    let_in(keeper);
    for (size_t i = 0; i < keeper->peer_count; i++) {
        nereus_line_fill(&keeper->peers[i].line);
        hear(keeper, i);
    }
    /* A death shows in many lines at once: what any of them had to say comes first. */
    for (size_t i = 0; i < keeper->peer_count; i++)
        if (keeper->peers[i].line.fd >= 0 && keeper->peers[i].line.ended)
            lost(keeper, &keeper->peers[i]);
    act_on_limits(keeper);
    tidy(keeper);
}

void keeper_take_end(struct keeper *keeper, int mpiexec_status)
{
    if (keeper->broken || mpiexec_status == 0 || (!keeper->loss_is_open && !keeper->cut))
        return;
    keeper->broken = true;
    snprintf(keeper->sentence, sizeof keeper->sentence,
             "the job cannot go on and is ended: %s%s (mpiexec ended with status %d)",
             keeper->loss_is_open ? keeper->loss : "its processes ended while launched ones were joining",
             keeper->loss_is_open ? ", and MPI did not survive it" : "", mpiexec_status);
}

bool keeper_reaped(struct keeper *keeper, pid_t pid, int wait_status)
{
    size_t i = 0;
    while (i < keeper->group_count && keeper->groups[i].launcher != pid)
        i++;
    if (i == keeper->group_count)
        return false;
    keeper_serve(keeper); /* its processes' own words say more */
    for (i = 0; i < keeper->group_count && keeper->groups[i].launcher != pid; i++)
        ;
    if (i == keeper->group_count)
        return true;
    struct group *group = &keeper->groups[i];
    bool all_left = group->state == GROUP_JOINED;
    for (size_t k = 0; k < keeper->peer_count; k++)
        all_left = all_left && (!is_of(&keeper->peers[k], group) || keeper->peers[k].bye);
    group->launcher = 0;
    if (!all_left)
        fail_group(keeper, group, "the launcher of new processes%s%s ended with %s %d before they %s",
                   group->host[0] != '\0' ? " on " : "", group->host,
                   WIFSIGNALED(wait_status) ? "signal" : "status",
                   WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status),
                   group->state == GROUP_JOINED ? "had left the job" : "could join");
    tidy(keeper);
    return true;
}

bool keeper_busy(const struct keeper *keeper)
{
    for (size_t i = 0; i < keeper->group_count; i++)
        if (keeper->groups[i].launcher > 0)
            return true;
    for (size_t i = 0; i < keeper->peer_count; i++)
        if (keeper->peers[i].kind == PEER_LIFELINE)
            return true;
    return false;
}

void keeper_end_all(struct keeper *keeper)
{
    for (size_t i = 0; i < keeper->group_count; i++)
        if (keeper->groups[i].state != GROUP_ENDING)
            end_group(keeper, &keeper->groups[i]);
    tidy(keeper);
}

void keeper_signal(const struct keeper *keeper, int signal_number)
{
    for (size_t i = 0; i < keeper->group_count; i++)
        if (keeper->groups[i].launcher > 0)
            kill(keeper->groups[i].launcher, signal_number);
}
