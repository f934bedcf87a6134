/** @file schedule.c  The solvers' options --resize and --balance, for C and Fortran alike. */
#include "schedule.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/util/c_locale.h"
#include "model/util/text.h"
#include "solver.h"

static const struct argp_option option_list[] = {
    {"resize", 'r', "LIST", 0,
     "Change the number of processes: SIZE@ITERATION or SIZE@ITERATION:METHOD, separated by "
     "commas, by ascending iterations",
     0},
    {"method", 'm', "METHOD", 0, "For all changes that name no method (merge/coll)", 0},
    {"balance", 'b', "N", 0,
     "Look at the load every N iterations, and move rows where that pays: by non-zeros, or rows, "
     "and by --powers",
     0},
    {"powers", 'P', "LIST", 0,
     "Computing powers of the ranks, as in 1,2.5, and so on from the first one (all alike). "
     "Several lists, as in 1,2/2,1: the next one after each change",
     0},
    {"tell-end", 'e', NULL, 0,
     "Tell the library after how many iterations the job ends: policies need it, and load balance "
     "weighs what a move saves until then",
     0},
    {"settle", 'w', NULL, 0, "Do not end while a resize is under way", 0},
    {0}};

/* Parse one change. @return false: invalid */
static bool parse_change(char *text, struct nereus_resize *resize)
{
    char *end;
    errno = 0;
    resize->nt = strtoll(text, &end, 10);
    if (end == text || *end != '@')
        return false;
    text = end + 1;
    resize->point = strtoll(text, &end, 10);
    if (end == text || errno != 0 || (*end != '\0' && *end != ':'))
        return false;
    resize->method = *end == ':' ? end + 1 : NULL;
    return resize->nt >= 1 && resize->point >= 1 && (*end == '\0' || end[1] != '\0');
}

static void parse_changes(const struct argp_state *state, const char *list,
                          struct schedule *schedule)
{
    char *rest, *one;
    schedule_fini(schedule);
    schedule->count = 0;
    schedule->text = strdup(list);
    schedule->resizes = calloc(strlen(list) + 1, sizeof *schedule->resizes);
    if (schedule->text == NULL || schedule->resizes == NULL)
        argp_failure(state, EXIT_FAILURE, errno, "no memory for --resize");
    for (rest = schedule->text; (one = strsep(&rest, ",")) != NULL; schedule->count++)
        if (!parse_change(one, &schedule->resizes[schedule->count]))
            argp_error(state, "--resize takes SIZE@ITERATION[:METHOD],..., not '%s'", one);
}

static void parse_powers(const struct argp_state *state, const char *text,
                         struct schedule *schedule)
{
    int64_t count = 0;
    char *end;
    schedule->list_count = 0;
    for (const char *at = text; at != NULL; at = *end != '\0' ? end + 1 : NULL) {
        const double power = nereus_strtod(at, &end);
        if (end == at || strspn(end, ",/") != (*end != '\0') || !(power > 0 && power < 1e100) ||
            count == SCHEDULE_POWERS_MAX)
            argp_error(
                state,
                "--powers takes at most %d numbers above 0, as in 1,2.5 or 1,2/2,1, not '%s'",
                SCHEDULE_POWERS_MAX, text);
        schedule->powers[count++] = power;
        if (*end != ',')
            schedule->list_first[++schedule->list_count] = count;
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct schedule *schedule = state->input;
    switch (key) {
    case 'r':
        parse_changes(state, argument, schedule);
        break;
    case 'm':
        schedule->method = argument;
        break;
    case 'b':
        schedule->balance = solver_number(state, "--balance", argument, 1);
        break;
    case 'P':
        parse_powers(state, argument, schedule);
        break;
    case 'w':
        schedule->settle = true;
        break;
    case 'e':
        schedule->tell_end = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp schedule_argp = {option_list, parse_option, NULL, NULL, NULL, NULL, NULL};

static enum nereus_status set_power(const struct schedule *schedule, nereus_job *job)
{
    const int64_t list = nereus_reconfigurations(job) % schedule->list_count,
                  first = schedule->list_first[list],
                  count = schedule->list_first[list + 1] - first;
    return nereus_set_power(job, schedule->powers[first + nereus_rank(job) % count], 1);
}

enum nereus_status schedule_point(const struct schedule *schedule, nereus_job *job,
                                  enum nereus_action *action)
{
    enum nereus_status status = NEREUS_OK;
    if (schedule->list_count > 0)
        status = set_power(schedule, job);
    if (status != NEREUS_OK)
        return status;
    return schedule->balance > 0 && (nereus_points(job) + 1) % schedule->balance == 0
               ? nereus_balance(job, NULL, action)
               : nereus_point(job, action);
}

bool schedule_is_pending(const struct schedule *schedule, const nereus_job *job)
{
    if (!schedule->settle || nereus_last_outcome(job, NULL) != NEREUS_OUTCOME_PENDING)
        return false;
    usleep(1000);
    return true;
}

void schedule_report(const struct schedule *schedule, const nereus_job *job)
{
    const int64_t missing = schedule->count - nereus_reconfigurations(job);
    if (missing > 0 && nereus_rank(job) == 0)
        fprintf(
            stderr,
            "%s: %lld of %lld change%s of size %s not carried out: too late, not needed, or failed "
            "(NEREUS_TRACE=FILE tells); --settle waits for the one that is under way, not for "
            "those whose turn has not come\n",
            program_invocation_short_name, (long long)missing, (long long)schedule->count,
            nereus_plural_s(schedule->count), nereus_agree(missing, "was", "were"));
}

void schedule_fini(struct schedule *schedule)
{
    free(schedule->text);
    free(schedule->resizes);
    schedule->text = NULL;
    schedule->resizes = NULL;
}
