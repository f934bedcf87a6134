/**
 * @file stall.c
 * Describes processes that wait in vain. Two situations are reported.
 *
 * First: a process waits in a call of the library for processes of its job that are not in that
 * call. If several wait, the process of the lowest rank on this host reports.
 *
 * Second: a process has joined and has passed no point since, and no process of this host has
 * passed a point either. Probably they wait for each other in MPI calls of the program, which the
 * library does not see. As an iteration may be long, this is reported after several times the
 * longest iteration.
 */
#include "stall.h"

enum { NAMED_MAX = 3 };
/* Multiples of the longest iteration after which a process counts as overdue, and after which a
 * joined process is reported. */
enum { OVERDUE_TIMES = 2, REPORT_TIMES = 4 };

/* A message under construction. */
struct text_buffer {
    char *text;
    size_t size, length;
};

static void append_text(struct text_buffer *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append_text(struct text_buffer *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = nereus_vsnprintf(message->text + message->length,
                                        message->size - message->length, format, arguments);
    va_end(arguments);
    message->length += length > 0 ? (size_t)length : 0;
    if (message->length >= message->size)
        message->length = message->size - 1;
}

static void append_seconds(struct text_buffer *message, double seconds)
{
    append_text(message, seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
}

static bool is_at_a_point(const struct nereus_progress *p)
{
    return strcmp(p->call, "nereus_point") == 0;
}

static bool is_of_my_job(const struct nereus_progress *own_record,
                         const struct nereus_progress *other_record)
{
    return other_record->pid != own_record->pid && other_record->job == own_record->job &&
           (own_record->job != 0 || other_record->launcher == own_record->launcher) &&
           other_record->activity != NEREUS_SLEEPS && other_record->left == own_record->left &&
           other_record->changes == own_record->changes;
}

/* A joining process reaches the sources' point in nereus_init. */
static bool is_at_same_place(const struct nereus_progress *own_record,
                             const struct nereus_progress *other_record)
{
    if (other_record->activity != NEREUS_WAITS)
        return false;
    if (own_record->job != 0 &&
        (strcmp(other_record->call, "nereus_init") == 0 ||
         (strcmp(own_record->call, "nereus_init") == 0 && is_at_a_point(other_record))))
        return true;
    return strcmp(other_record->call, own_record->call) == 0 &&
           (!is_at_a_point(own_record) || other_record->points == own_record->points);
}

static bool is_missing(const struct nereus_progress *own_record,
                       const struct nereus_progress *other_record)
{
    return is_of_my_job(own_record, other_record) && !is_at_same_place(own_record, other_record);
}

/* Is the present iteration as long as earlier ones? */
static bool is_iteration_usual(const struct nereus_progress *p, double now_s)
{
    return p->activity == NEREUS_COMPUTES && p->joined_at < 0 &&
           now_s - p->since_s < OVERDUE_TIMES * p->longest_s;
}

static void append_place(struct text_buffer *message, const struct nereus_progress *p)
{
    if (is_at_a_point(p))
        append_text(message, " at point %lld", (long long)p->points);
    else
        append_text(message, " in %s", p->call);
}

static void append_missing(struct text_buffer *message, const struct nereus_progress *p,
                           double now_s)
{
    if (p->rank < 0)
        append_text(message, "a process that is to join, which");
    else
        append_text(message, "rank %lld, which", (long long)p->rank);
    if (p->activity == NEREUS_WAITS) {
        append_text(message, " has waited ");
        append_seconds(message, now_s - p->since_s);
        append_place(message, p);
        return;
    }
    if (p->joined_at >= 0)
        append_text(message, " joined at point %lld and has not come to a point since, for ",
                    (long long)p->joined_at);
    else
        append_text(message, " is at point %lld, in the program for ", (long long)p->points);
    append_seconds(message, now_s - p->since_s);
}

static const char collectives[] =
    "what a joined process calls between nereus_init and its loop (MPI_Bcast of the input, "
    "MPI_Barrier, MPI_Comm_dup) it calls alone: do it where nereus_is_received is false";

/* The most likely cause, as a clause of the message. */
static const char *find_likely_cause(const struct nereus_progress *own_record,
                                     const struct nereus_progress *missing)
{
    if (missing->activity == NEREUS_COMPUTES && missing->joined_at >= 0)
        return collectives;
    if (strcmp(own_record->call, "nereus_init") == 0)
        return "do all ranks call it?";
    if (strcmp(own_record->call, "nereus_finalize") == 0 ||
        (missing->activity == NEREUS_WAITS && strcmp(missing->call, "nereus_finalize") == 0))
        return "do all ranks leave their loop after the same iteration?";
    return is_at_a_point(own_record) ? "do all ranks pass the same points?"
                                     : "do all ranks make the same calls, in the same order?";
}

/* Find the next missing process by rank. */
static const struct nereus_progress *find_next_missing(const struct stall_view *view,
                                                       const struct nereus_progress *after)
{
    const struct nereus_progress *own_record = view->own_record, *next = NULL;
    for (int64_t i = 0; i < view->count; i++) {
        const struct nereus_progress *p = &view->other_records[i];
        const bool follows = after == NULL || p->rank > after->rank ||
                             (p->rank == after->rank && p->pid > after->pid);
        const bool sooner =
            next == NULL || p->rank < next->rank || (p->rank == next->rank && p->pid < next->pid);
        if (p != after && follows && sooner && is_missing(own_record, p))
            next = p;
    }
    return next;
}

/* Describe the ranks without a record on this host, if no missing process has a record. */
static void append_unseen_ranks(struct text_buffer *message, const struct stall_view *view)
{
    const struct nereus_progress *own_record = view->own_record;
    int64_t seen = 1;
    for (int64_t i = 0; i < view->count; i++)
        seen += is_of_my_job(own_record, &view->other_records[i]) &&
                view->other_records[i].rank >= 0 && view->other_records[i].rank < own_record->size;
    if (strcmp(own_record->call, "nereus_init") == 0 && own_record->job == 0)
        append_text(message,
                    " for others, which have not come to it on this host: do all ranks call it?");
    else if (seen < own_record->size)
        append_text(
            message,
            ": the %lld of %lld ranks that can be seen on this host have come there, what the others "
            "do is not known here: do all ranks make the same calls?",
            (long long)seen, (long long)own_record->size);
    else
        append_text(message, ": all ranks have come there%s%s%s%s",
                    own_record->step[0] != '\0' ? ", the step '" : "", own_record->step,
                    own_record->step[0] != '\0' ? "' takes so long" : "",
                    own_record->step[0] != '\0' ? "" : ", MPI has not returned");
}

static bool describe_wait(const struct stall_view *view, bool in_any_case,
                          struct text_buffer *message)
{
    const struct nereus_progress *own_record = view->own_record;
    int64_t missing = 0, usual = 0;
    if (own_record->rank < 0) /* a new process without rank: its sources report */
        return false;
    for (int64_t i = 0; i < view->count; i++) {
        const struct nereus_progress *p = &view->other_records[i];
        if (!in_any_case && is_of_my_job(own_record, p) && p->activity == NEREUS_WAITS &&
            p->rank >= 0 && p->rank < own_record->rank)
            return false;
        missing += is_missing(own_record, p);
        usual += is_missing(own_record, p) && is_iteration_usual(p, view->now_s);
    }
    if (!in_any_case && missing > 0 && usual == missing)
        return false;
    append_text(message, "rank %lld has waited ", (long long)own_record->rank);
    append_seconds(message, view->now_s - own_record->since_s);
    append_place(message, own_record);
    const struct nereus_progress *first = find_next_missing(view, NULL), *p = first;
    if (first == NULL && in_any_case)
        return false;
    if (first == NULL) {
        append_unseen_ranks(message, view);
        return true;
    }
    for (int i = 0; i < NAMED_MAX && p != NULL; i++, p = find_next_missing(view, p)) {
        append_text(message, i == 0 ? " for " : "; for ");
        append_missing(message, p, view->now_s);
    }
    if (missing > NAMED_MAX)
        append_text(message, "; and for %lld more", (long long)(missing - NAMED_MAX));
    append_text(message, ": %s", find_likely_cause(own_record, first));
    return true;
}

static bool describe_join(const struct stall_view *view, double limit_s,
                          struct text_buffer *message)
{
    const struct nereus_progress *own_record = view->own_record;
    double longest_s = own_record->longest_s, latest_s = own_record->since_s;
    for (int64_t i = 0; i < view->count; i++) {
        const struct nereus_progress *p = &view->other_records[i];
        if (!is_of_my_job(own_record, p))
            continue;
        if (p->activity == NEREUS_WAITS || (p->joined_at >= 0 && p->rank < own_record->rank))
            return false; /* the other one reports */
        if (p->joined_at < 0 && p->since_s > latest_s)
            latest_s = p->since_s;
        if (p->longest_s > longest_s)
            longest_s = p->longest_s;
    }
    if (view->now_s - latest_s < limit_s || view->now_s - latest_s < REPORT_TIMES * longest_s)
        return false;
    append_text(message, "rank %lld joined at point %lld and has not come to a point for ",
                (long long)own_record->rank, (long long)own_record->joined_at);
    append_seconds(message, view->now_s - own_record->since_s);
    append_text(message, ", and no rank on this host has: %s", collectives);
    return true;
}

bool nereus_stall_describe(const struct stall_view *view, double limit_s, char *text, size_t size)
{
    const struct nereus_progress *own_record = view->own_record;
    struct text_buffer message = {text, size, 0};
    text[0] = '\0';
    if (own_record->activity == NEREUS_WAITS)
        return describe_wait(view, limit_s < 0, &message);
    return own_record->activity == NEREUS_COMPUTES && own_record->joined_at >= 0 &&
           describe_join(view, limit_s, &message);
}
