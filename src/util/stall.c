/**
 * @file stall.c
 * Two situations are reported.
 *
 * A process waits in a call of the library: it waits for the processes of its job that are
 * elsewhere. Of several that wait, the one of the lowest rank on this host reports.
 *
 * A process has joined and passed no point since, and no process of this host has passed one
 * either: they wait for each other in MPI calls of the program, which the library does not see. As
 * an iteration may be long, this is reported after several times the longest one.
 */
#include "stall.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/util/c_locale.h"

enum { NAMED_MAX = 3 };
/* A process is overdue after this many times its longest iteration; a joined process is reported
 * after this many times. */
enum { USUAL_TIMES = 2, LONGEST_TIMES = 4 };

/* A message under construction. */
struct words {
    char *text;
    size_t size, length;
};

static void append_words(struct words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append_words(struct words *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = nereus_vsnprintf(words->text + words->length, words->size - words->length,
                                        format, arguments);
    va_end(arguments);
    words->length += length > 0 ? (size_t)length : 0;
    if (words->length >= words->size)
        words->length = words->size - 1;
}

static void add_seconds(struct words *words, double seconds)
{
    append_words(words, seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
}

static bool is_at_a_point(const struct nereus_progress *p)
{
    return strcmp(p->call, "nereus_point") == 0;
}

static bool is_of_my_job(const struct nereus_progress *mine, const struct nereus_progress *other)
{
    return other->pid != mine->pid && other->job == mine->job &&
           (mine->job != 0 || other->launcher == mine->launcher) &&
           other->activity != NEREUS_SLEEPS && other->left == mine->left &&
           other->changes == mine->changes;
}

/* A joining process reaches the sources' point in nereus_init. */
static bool is_where_i_am(const struct nereus_progress *mine, const struct nereus_progress *other)
{
    if (other->activity != NEREUS_WAITS)
        return false;
    if (mine->job != 0 && (strcmp(other->call, "nereus_init") == 0 ||
                           (strcmp(mine->call, "nereus_init") == 0 && is_at_a_point(other))))
        return true;
    return strcmp(other->call, mine->call) == 0 &&
           (!is_at_a_point(mine) || other->points == mine->points);
}

static bool is_missing(const struct nereus_progress *mine, const struct nereus_progress *other)
{
    return is_of_my_job(mine, other) && !is_where_i_am(mine, other);
}

/* Is the present iteration as long as earlier ones? */
static bool is_usual(const struct nereus_progress *p, double now_s)
{
    return p->activity == NEREUS_COMPUTES && p->joined_at < 0 &&
           now_s - p->since_s < USUAL_TIMES * p->longest_s;
}

static void add_place(struct words *words, const struct nereus_progress *p)
{
    if (is_at_a_point(p))
        append_words(words, " at point %lld", (long long)p->points);
    else
        append_words(words, " in %s", p->call);
}

static void add_missing(struct words *words, const struct nereus_progress *p, double now_s)
{
    if (p->rank < 0)
        append_words(words, "a process that is to join, which");
    else
        append_words(words, "rank %lld, which", (long long)p->rank);
    if (p->activity == NEREUS_WAITS) {
        append_words(words, " has waited ");
        add_seconds(words, now_s - p->since_s);
        add_place(words, p);
        return;
    }
    if (p->joined_at >= 0)
        append_words(words, " joined at point %lld and has not come to a point since, for ",
                     (long long)p->joined_at);
    else
        append_words(words, " is at point %lld, in the program for ", (long long)p->points);
    add_seconds(words, now_s - p->since_s);
}

static const char collectives[] =
    "what a joined process calls between nereus_init and its loop (MPI_Bcast of the input, "
    "MPI_Barrier, MPI_Comm_dup) it calls alone: do it where nereus_is_received is false";

/* The most likely cause, in words. */
static const char *likely_cause(const struct nereus_progress *mine,
                                const struct nereus_progress *missing)
{
    if (missing->activity == NEREUS_COMPUTES && missing->joined_at >= 0)
        return collectives;
    if (strcmp(mine->call, "nereus_init") == 0)
        return "do all ranks call it?";
    if (strcmp(mine->call, "nereus_finalize") == 0 ||
        (missing->activity == NEREUS_WAITS && strcmp(missing->call, "nereus_finalize") == 0))
        return "do all ranks leave their loop after the same iteration?";
    return is_at_a_point(mine) ? "do all ranks pass the same points?"
                               : "do all ranks make the same calls, in the same order?";
}

/* The next missing process by rank. */
static const struct nereus_progress *next_missing(const struct stall_view *view,
                                                  const struct nereus_progress *after)
{
    const struct nereus_progress *mine = view->mine, *next = NULL;
    for (int64_t i = 0; i < view->count; i++) {
        const struct nereus_progress *p = &view->others[i];
        const bool follows = after == NULL || p->rank > after->rank ||
                             (p->rank == after->rank && p->pid > after->pid);
        const bool sooner =
            next == NULL || p->rank < next->rank || (p->rank == next->rank && p->pid < next->pid);
        if (p != after && follows && sooner && is_missing(mine, p))
            next = p;
    }
    return next;
}

/* No missing process has a record. */
static void add_nobody(struct words *words, const struct stall_view *view)
{
    const struct nereus_progress *mine = view->mine;
    int64_t seen = 1;
    for (int64_t i = 0; i < view->count; i++)
        seen += is_of_my_job(mine, &view->others[i]) && view->others[i].rank >= 0 &&
                view->others[i].rank < mine->size;
    if (strcmp(mine->call, "nereus_init") == 0 && mine->job == 0)
        append_words(words,
                     " for others, which have not come to it on this host: do all ranks call it?");
    else if (seen < mine->size)
        append_words(
            words,
            ": the %lld of %lld ranks that can be seen on this host have come there, what the others "
            "do is not known here: do all ranks make the same calls?",
            (long long)seen, (long long)mine->size);
    else
        append_words(words, ": all ranks have come there%s%s%s%s",
                     mine->step[0] != '\0' ? ", the step '" : "", mine->step,
                     mine->step[0] != '\0' ? "' takes so long" : "",
                     mine->step[0] != '\0' ? "" : ", MPI has not returned");
}

static bool describe_wait(const struct stall_view *view, bool in_any_case, struct words *words)
{
    const struct nereus_progress *mine = view->mine;
    int64_t missing = 0, usual = 0;
    if (mine->rank < 0) /* a new process without rank: its sources report */
        return false;
    for (int64_t i = 0; i < view->count; i++) {
        const struct nereus_progress *p = &view->others[i];
        if (!in_any_case && is_of_my_job(mine, p) && p->activity == NEREUS_WAITS && p->rank >= 0 &&
            p->rank < mine->rank)
            return false;
        missing += is_missing(mine, p);
        usual += is_missing(mine, p) && is_usual(p, view->now_s);
    }
    if (!in_any_case && missing > 0 && usual == missing)
        return false;
    append_words(words, "rank %lld has waited ", (long long)mine->rank);
    add_seconds(words, view->now_s - mine->since_s);
    add_place(words, mine);
    const struct nereus_progress *first = next_missing(view, NULL), *p = first;
    if (first == NULL && in_any_case)
        return false;
    if (first == NULL) {
        add_nobody(words, view);
        return true;
    }
    for (int i = 0; i < NAMED_MAX && p != NULL; i++, p = next_missing(view, p)) {
        append_words(words, i == 0 ? " for " : "; for ");
        add_missing(words, p, view->now_s);
    }
    if (missing > NAMED_MAX)
        append_words(words, "; and for %lld more", (long long)(missing - NAMED_MAX));
    append_words(words, ": %s", likely_cause(mine, first));
    return true;
}

static bool describe_join(const struct stall_view *view, double limit_s, struct words *words)
{
    const struct nereus_progress *mine = view->mine;
    double longest_s = mine->longest_s, latest_s = mine->since_s;
    for (int64_t i = 0; i < view->count; i++) {
        const struct nereus_progress *p = &view->others[i];
        if (!is_of_my_job(mine, p))
            continue;
        if (p->activity == NEREUS_WAITS || (p->joined_at >= 0 && p->rank < mine->rank))
            return false; /* the other one reports */
        if (p->joined_at < 0 && p->since_s > latest_s)
            latest_s = p->since_s;
        if (p->longest_s > longest_s)
            longest_s = p->longest_s;
    }
    if (view->now_s - latest_s < limit_s || view->now_s - latest_s < LONGEST_TIMES * longest_s)
        return false;
    append_words(words, "rank %lld joined at point %lld and has not come to a point for ",
                 (long long)mine->rank, (long long)mine->joined_at);
    add_seconds(words, view->now_s - mine->since_s);
    append_words(words, ", and no rank on this host has: %s", collectives);
    return true;
}

bool nereus_stall_describe(const struct stall_view *view, double limit_s, char *text, size_t size)
{
    const struct nereus_progress *mine = view->mine;
    struct words words = {text, size, 0};
    text[0] = '\0';
    if (mine->activity == NEREUS_WAITS)
        return describe_wait(view, limit_s < 0, &words);
    return mine->activity == NEREUS_COMPUTES && mine->joined_at >= 0 &&
           describe_join(view, limit_s, &words);
}
