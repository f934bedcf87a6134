/** @file sim_latency.c  Parses the times that a batch system adds to waits and runs. */

#include "model/util/suggest.h"
#include "model/util/values.h"
#include "sim_options.h"

static const char *const keys[] = {"submit", "next", "job", "round"};
enum { KEYS = NEREUS_COUNT_OF(keys) };

/* Parse "next:2.6s"; the entry is modified. */
static enum nereus_status parse_entry(char *entry, double values_s[KEYS], struct nereus_error *err)
{
    char what[32], meant[NEREUS_SUGGEST_TEXT], *value = strchr(entry, ':');
    if (value != NULL)
        *value++ = '\0';
    const size_t key = nereus_word_index(entry, keys, KEYS);
    if (key == KEYS || value == NULL) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "--latency has submit, next, job and round, as submit:2.9s, not "
                           "'%.80s'%s",
                           entry, key == KEYS ? nereus_suggest_text(entry, keys, KEYS, meant) : "");
    }
    snprintf(what, sizeof what, "--latency %s", keys[key]);
    return nereus_value_parse_seconds_or_0(what, value, &values_s[key], err);
}

enum nereus_status nereus_sim_latency_parse(const char *text, struct nereus_sim_latency *latency,
                                            struct nereus_error *err)
{
    char copy[160], *rest = copy, *entry;
    double values_s[KEYS] = {0};
    snprintf(copy, sizeof copy, "%s", text != NULL ? text : "");
    while ((entry = strsep(&rest, " ,")) != NULL)
        if (entry[0] != '\0')
            NEREUS_TRY(parse_entry(entry, values_s, err));
    *latency = (struct nereus_sim_latency){values_s[0], values_s[1], values_s[2], values_s[3]};
    return NEREUS_OK;
}
