/**
 * @file lives.c
 * lives SCRIPT...: a job whose N-th life does what the N-th script says, the last one from then on.
 * A script is a list of words "a,b=c,...", one between two malleability points:
 *
 *   size=N, from=N      fail (status 9) unless there are N processes, unless the life began from
 *                       checkpoint-N (0: from none)
 *   grow=N/METHOD       continue with N processes
 *   restart=N           when the job has ended, it goes on as N processes from a new
 *   restart=N@HOSTS     checkpoint, on these hosts ('+' for ',')
 *   write               checkpoint 1, 2, ..., from which a job can go on
 *   write=N             the same, of a program that can have multiples of N processes
 *   read                the checkpoint of this life was read, as the first point says
 *   damage              the newest checkpoint cannot be read any more
 *   kill=R, segv=R, abort=R, stop=R
 *                       rank R dies by SIGKILL or SIGSEGV, calls MPI_Abort, or never comes back
 *   guard=R, proxy=R, mpiexec=R
 *                       rank R kills its guard, the proxy over that, mpiexec
 *   slow                takes until it is interrupted
 *   on=HOST             fail unless a process of rank 0 is there
 *   exit=STATUS         end without a word; exit=STATUS/R: rank R does, as in the words below
 *   say=WORD            rank 0 does
 *   step                nothing
 *
 * Of the environment of a further life nothing reaches the library: the checkpoints are made here.
 */
#include <inttypes.h>
#include <limits.h>
#include <nereus.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/util/process.h"
#include "nereus/checkpoint.h"
#include "src/link/supervise_requests.h"
#include "src/mpi/process_manager.h"

enum { WORDS_MAX = 32 };

struct life {
    int number;
    char from[PATH_MAX];   /* the checkpoint */
    char folder[PATH_MAX]; /* for others */
    char *words[WORDS_MAX];
    int64_t count, at; /* at: words done */
    nereus_job *job;
};

static void fail(const struct life *life, const char *what, const char *found)
{
    fprintf(stderr, "lives: life %d, rank %" PRId64 ": %s, but found '%s'\n", life->number,
            (int64_t)nereus_rank(life->job), what, found);
    exit(9);
}

static const char *value_of(const char *word, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

/* ---- what the words do ----------------------------------------------------------------------- */

static void look_at_size(const struct life *life, const char *value)
{
    char found[32];
    snprintf(found, sizeof found, "%" PRId64, (int64_t)nereus_size(life->job));
    if (strcmp(found, value) != 0)
        fail(life, value, found);
}

static void look_at_checkpoint(const struct life *life, const char *value)
{
    const char *number = strrchr(life->from, '-');
    if (strcmp(number != NULL ? number + 1 : "0", value) != 0)
        fail(life, value, life->from);
}

static void look_at_host(const struct life *life, const char *value)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    if (nereus_rank(life->job) == 0 && strcmp(host, value) != 0)
        fail(life, value, host);
}

/* An empty state of the job: this test reads none. */
static void write_state(const char *path, struct nereus_checkpoint_file *state)
{
    char name[PATH_MAX + 16];
    snprintf(state->name, sizeof state->name, "state.bin");
    snprintf(name, sizeof name, "%s/state.bin", path);
    FILE *file = fopen(name, "we");
    if (file != NULL)
        fclose(file);
}

/* By rank 0; the others wait until the job can go on from it. */
static void write_checkpoint(const struct life *life, const char *multiple)
{
    struct nereus_checkpoint checkpoint = {.processes = nereus_size(life->job),
                                           .points = nereus_points(life->job),
                                           .restarts = life->number,
                                           .job = 4711,
                                           .written_s = (double)time(NULL)};
    struct nereus_error err = {0};
    char path[PATH_MAX];
    checkpoint.sizes.multiple_of = multiple != NULL ? atoi(multiple) : 1;
    if (nereus_rank(life->job) == 0) {
        if (nereus_checkpoint_begin(life->folder, &checkpoint.number, path, &err) != NEREUS_OK)
            fail(life, "a folder", err.text);
        write_state(path, &checkpoint.state);
        if (nereus_checkpoint_write(path, &checkpoint, &err) != NEREUS_OK)
            fail(life, "a checkpoint", err.text);
        nereus_supervise_report_checkpoint(path, true);
    }
    MPI_Barrier(nereus_comm(life->job));
}

static void note_read(const struct life *life)
{
    if (nereus_rank(life->job) == 0)
        nereus_supervise_report_checkpoint(life->from, false);
    MPI_Barrier(nereus_comm(life->job));
}

static void ask_for_restart(const struct life *life, char *value)
{
    struct nereus_error err;
    char *hosts = strchr(value, '@');
    if (hosts != NULL)
        *hosts++ = '\0';
    for (char *position = hosts; position != NULL && (position = strchr(position, '+')) != NULL;)
        *position = ',';
    char path[PATH_MAX];
    nereus_checkpoint_newest(life->folder, INT64_MAX, path);
    if (nereus_supervise_restart(atoll(value), path, hosts, &err) != NEREUS_OK)
        fail(life, "a restart", err.text);
}

/* By rank 0; the others wait until it is asked for: one that ended before would be a loss. */
static void restart(const struct life *life, char *value)
{
    write_checkpoint(life, NULL);
    if (nereus_rank(life->job) == 0)
        ask_for_restart(life, value);
    MPI_Barrier(nereus_comm(life->job));
}

static void damage(const struct life *life)
{
    char path[PATH_MAX], name[PATH_MAX + 16];
    nereus_checkpoint_newest(life->folder, INT64_MAX, path);
    snprintf(name, sizeof name, "%s/manifest.json", path);
    if (nereus_rank(life->job) == 0 && truncate(name, 20) != 0)
        fail(life, "a manifest", name);
    MPI_Barrier(nereus_comm(life->job));
}

static pid_t parent_of(pid_t pid)
{
    struct nereus_process_stat process;
    return nereus_process_read(pid, &process) ? (pid_t)process.parent : 0;
}

/* @return false: none of these words */
static bool be_lost(const char *word)
{
    /* without proxies the launcher itself has started the guard */
    const pid_t guard = getppid(), proxy = parent_of(guard),
                launcher = nereus_process_manager()->proxy != NULL ? parent_of(proxy) : proxy;
    if (value_of(word, "kill") != NULL)
        raise(SIGKILL);
    else if (value_of(word, "segv") != NULL)
        raise(SIGSEGV);
    else if (value_of(word, "abort") != NULL)
        MPI_Abort(MPI_COMM_SELF, 6);
    else if (value_of(word, "guard") != NULL)
        kill(guard, SIGKILL);
    else if (value_of(word, "proxy") != NULL)
        kill(proxy, SIGKILL);
    else if (value_of(word, "mpiexec") != NULL)
        kill(launcher, SIGKILL);
    else if (value_of(word, "stop") == NULL)
        return false;
    pause();
    return true;
}

/* "STATUS/R": only rank R */
static bool is_for_me(const struct life *life, const char *value)
{
    const char *rank = strchr(value, '/');
    return rank == NULL || nereus_rank(life->job) == atoi(rank + 1);
}

static void follow(const struct life *life, char *word)
{
    char *value = strchr(word, '=') != NULL ? strchr(word, '=') + 1 : word;
    if (value_of(word, "size") != NULL)
        look_at_size(life, value);
    else if (value_of(word, "from") != NULL)
        look_at_checkpoint(life, value);
    else if (value_of(word, "on") != NULL)
        look_at_host(life, value);
    else if (value_of(word, "restart") != NULL)
        restart(life, value);
    else if (strncmp(word, "write", 5) == 0)
        write_checkpoint(life, value_of(word, "write"));
    else if (strcmp(word, "read") == 0)
        note_read(life);
    else if (strcmp(word, "damage") == 0)
        damage(life);
    else if (value_of(word, "say") != NULL) {
        if (nereus_rank(life->job) == 0)
            fprintf(stderr, "%s\n", value);
    } else if (strcmp(word, "slow") == 0)
        sleep(1000);
    else if (value_of(word, "exit") != NULL) {
        if (is_for_me(life, value))
            _exit(atoi(value));
    } else if (value != word && nereus_rank(life->job) == atoi(value))
        be_lost(word);
}

/* ---- the job --------------------------------------------------------------------------------- */

static void read_script(struct life *life, char **scripts)
{
    const char *number = getenv("NEREUS_RESTARTS"), *from = getenv("NEREUS_RESTART");
    char here[PATH_MAX / 2] = "";
    life->number = number != NULL ? atoi(number) : 0;
    snprintf(life->from, sizeof life->from, "%s", from != NULL ? from : "");
    if (getcwd(here, sizeof here) == NULL)
        exit(9);
    snprintf(life->folder, sizeof life->folder, "%s/checkpoints", here);
    for (int i = 0; i < life->number && scripts[1] != NULL; i++)
        scripts++;
    for (char *word = strtok(scripts[0], ","); word != NULL; word = strtok(NULL, ","))
        if (life->count < WORDS_MAX)
            life->words[life->count++] = word;
}

/* The word "grow" at place k is the change at point k + 1. */
static int64_t make_schedule(const struct life *life, struct nereus_resize *schedule)
{
    int64_t count = 0;
    for (int64_t i = 0; i < life->count; i++) {
        const char *value = value_of(life->words[i], "grow");
        if (value != NULL)
            schedule[count++] = (struct nereus_resize){i + 1, atoll(value), strchr(value, '/') + 1};
    }
    return count;
}

int main(int argc, char **argv)
{
    struct life life = {0};
    struct nereus_resize schedule[WORDS_MAX];
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    enum nereus_action action = NEREUS_CONTINUE;
    int id;
    if (argc < 2)
        return 2;
    read_script(&life, argv + 1);
    for (const char *const *name =
             (const char *const[]){"NEREUS_RESTART", "NEREUS_RESTARTS", "NEREUS_CHECKPOINT",
                                   "NEREUS_CHECKPOINT_EVERY", NULL};
         *name != NULL; name++)
        unsetenv(*name);
    options.schedule = schedule;
    options.schedule_count = make_schedule(&life, schedule);
    if (nereus_init(NULL, NULL, &options, &life.job) != NEREUS_OK ||
        nereus_register_replicated(life.job, "at", MPI_INT64_T, 1, NEREUS_VARIABLE, &life.at,
                                   &id) != NEREUS_OK)
        return 7;
    while (action != NEREUS_LEAVE && life.at < life.count) {
        follow(&life, life.words[life.at]);
        life.at++;
        if (nereus_point(life.job, &action) != NEREUS_OK)
            return 8;
    }
    const bool speaks = action != NEREUS_LEAVE && nereus_rank(life.job) == 0;
    const int64_t size = nereus_size(life.job);
    if (nereus_finalize(&life.job) != NEREUS_OK)
        return 9;
    if (speaks)
        printf("life %d ends well as %" PRId64 " processes\n", life.number, size);
    return 0;
}
