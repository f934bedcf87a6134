/** @file malleable.c  See malleable.h. */
#include "malleable.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "model/util/c_locale.h"

static const struct argp_option option_list[] = {
    {"powers", 'P', "LIST", 0,
     "Computing powers of the ranks, as in 1,2.5, and so on from the first one, by which "
     "NEREUS_BALANCE moves rows. Several lists, as in 1,2/2,1: the next one after each change",
     0},
    {"tell-end", 'e', NULL, 0,
     "Tell the library after how many iterations the job ends: policies need it, and load balance "
     "weighs what a move saves until then",
     0},
    {"settle", 'w', NULL, 0, "Do not end while a resize is under way", 0},
    {0}};

static void parse_powers(const struct argp_state *state, const char *text,
                         struct malleable *options)
{
    int64_t count = 0;
    char *end;
    options->list_count = 0;
    for (const char *position = text; position != NULL; position = *end != '\0' ? end + 1 : NULL) {
        const double power = nereus_strtod(position, &end);
        if (end == position || strspn(end, ",/") != (*end != '\0') ||
            !(power > 0 && power < 1e100) || count == MALLEABLE_POWERS_MAX)
            argp_error(
                state,
                "--powers takes at most %d numbers above 0, as in 1,2.5 or 1,2/2,1, not '%s'",
                MALLEABLE_POWERS_MAX, text);
        options->powers[count++] = power;
        if (*end != ',')
            options->list_first[++options->list_count] = count;
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct malleable *options = state->input;
    switch (key) {
    case 'P':
        parse_powers(state, argument, options);
        break;
    case 'e':
        options->tell_end = true;
        break;
    case 'w':
        options->settle = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp malleable_argp = {option_list, parse_option, NULL, NULL, NULL, NULL, NULL};

enum nereus_status malleable_state_power(const struct malleable *options, nereus_job *job)
{
    if (options->list_count == 0)
        return NEREUS_OK;
    const int64_t list = nereus_reconfigurations(job) % options->list_count,
                  first = options->list_first[list], count = options->list_first[list + 1] - first;
    return nereus_set_power(job, options->powers[first + nereus_rank(job) % count], 1);
}

bool malleable_pause_if_pending(const struct malleable *options, const nereus_job *job)
{
    if (!options->settle || nereus_last_outcome(job, NULL) != NEREUS_OUTCOME_PENDING)
        return false;
    usleep(1000);
    return true;
}
