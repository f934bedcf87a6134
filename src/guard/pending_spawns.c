/* Spawns under way: see starts.h. */
#include "starts.h"
#include "model/util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/link/line.h"

/* "name:count" of a list. */
static void read_host(const char *text, size_t length, struct start_host *host)
{
    const char *colon = memchr(text, ':', length);
    const size_t name = colon != NULL ? (size_t)(colon - text) : length;
    snprintf(host->name, sizeof host->name, "%.*s", (int)name, text);
    host->missing = colon != NULL ? atoi(colon + 1) : 1;
}

struct start *start_new(const char *id, int processes, double limit_s, const char *hosts)
{
    size_t places = 1;
    for (const char *c = hosts; *c != '\0'; c++)
        places += *c == ',';
    struct start *start = calloc(1, sizeof *start);
    if (start == NULL || (start->hosts = calloc(places, sizeof *start->hosts)) == NULL) {
        free(start);
        return NULL;
    }
    snprintf(start->id, sizeof start->id, "%s", id);
    start->missing = start->processes = processes;
    start->limit_s = limit_s;
    start->until_s = nereus_line_now_s() + limit_s;
    for (const char *at = hosts; *at != '\0';) {
        const size_t length = strcspn(at, ",");
        read_host(at, length, &start->hosts[start->host_count++]);
        at += length + (at[length] == ',');
    }
    return start;
}

void start_free(struct start *start)
{
    if (start != NULL)
        free(start->hosts);
    free(start);
}

/* A host may call itself by a longer or shorter name than the host file does. */
static bool same_host(const char *left, const char *right)
{
    const size_t l = strcspn(left, "."), r = strcspn(right, ".");
    return l == r && strncmp(left, right, l) == 0;
}

void start_answered(struct start *start, const char *host)
{
    start->missing--;
    start->until_s = nereus_line_now_s() + start->limit_s;
    for (size_t i = 0; i < start->host_count; i++) {
        if (start->hosts[i].missing > 0 && same_host(start->hosts[i].name, host)) {
            start->hosts[i].missing--;
            return;
        }
    }
}

bool start_is_late(const struct start *start, double now_s, char *sentence, size_t size)
{
    if (start->missing <= 0 || now_s < start->until_s)
        return false;
    int length = snprintf(
        sentence, size,
        "the job cannot go on and is ended: %d of %d new process%s gave no sign of life for "
        "%g s (answer_timeout_s, NEREUS_ANSWER_TIMEOUT)",
        start->missing, start->processes, nereus_plural_es(start->processes), start->limit_s);
    const char *before = ", those on ";
    for (size_t i = 0; i < start->host_count && length > 0 && (size_t)length < size; i++) {
        if (start->hosts[i].missing <= 0)
            continue;
        length += snprintf(sentence + length, size - (size_t)length, "%s%s", before,
                           start->hosts[i].name);
        before = ", ";
    }
    return true;
}
