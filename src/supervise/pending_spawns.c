/**
 * @file pending_spawns.c
 * Counts the reports of guards by host, and names the hosts without a report.
 */
#include "pending_spawns.h"

#include "model/util/clock.h"

/* Parse one "name:count". */
static void read_host(const char *text, size_t length, struct spawn_host *host)
{
    const char *colon = memchr(text, ':', length);
    const size_t name = colon != NULL ? (size_t)(colon - text) : length;
    snprintf(host->name, sizeof host->name, "%.*s", (int)name, text);
    host->missing_guards = colon != NULL ? atoi(colon + 1) : 1;
}

struct pending_spawn *pending_spawn_new(const char *id, int processes, double limit_s,
                                        const char *hosts)
{
    size_t places = 1;
    for (const char *c = hosts; *c != '\0'; c++)
        places += *c == ',';
    struct pending_spawn *spawn = calloc(1, sizeof *spawn);
    if (spawn == NULL || (spawn->hosts = calloc(places, sizeof *spawn->hosts)) == NULL) {
        free(spawn);
        return NULL;
    }
    snprintf(spawn->id, sizeof spawn->id, "%s", id);
    spawn->missing_guards = spawn->processes = processes;
    spawn->limit_s = limit_s;
    spawn->deadline_s = nereus_monotonic_s() + limit_s;
    for (const char *position = hosts; *position != '\0';) {
        const size_t length = strcspn(position, ",");
        read_host(position, length, &spawn->hosts[spawn->host_count++]);
        position += length + (position[length] == ',');
    }
    return spawn;
}

void pending_spawn_free(struct pending_spawn *spawn)
{
    if (spawn != NULL)
        free(spawn->hosts);
    free(spawn);
}

/* Compare host names up to the first dot: a host's own name may have a domain that the host file
 * omits, or the reverse. */
static bool is_same_host(const char *left, const char *right)
{
    const size_t l = strcspn(left, "."), r = strcspn(right, ".");
    return l == r && strncmp(left, right, l) == 0;
}

void pending_spawn_count_guard(struct pending_spawn *spawn, const char *host)
{
    spawn->missing_guards--;
    spawn->deadline_s = nereus_monotonic_s() + spawn->limit_s;
    for (size_t i = 0; i < spawn->host_count; i++) {
        if (spawn->hosts[i].missing_guards > 0 && is_same_host(spawn->hosts[i].name, host)) {
            spawn->hosts[i].missing_guards--;
            return;
        }
    }
}

bool pending_spawn_has_expired(const struct pending_spawn *spawn, double now_s, char *sentence,
                               size_t size)
{
    if (spawn->missing_guards <= 0 || now_s < spawn->deadline_s)
        return false;
    int length = snprintf(
        sentence, size,
        "the job cannot go on and is ended: %d of %d new process%s gave no sign of life for "
        "%g s (answer_timeout_s, NEREUS_ANSWER_TIMEOUT)",
        spawn->missing_guards, spawn->processes, nereus_plural_es(spawn->processes),
        spawn->limit_s);
    const char *separator = ", those on ";
    for (size_t i = 0; i < spawn->host_count && length > 0 && (size_t)length < size; i++) {
        if (spawn->hosts[i].missing_guards <= 0)
            continue;
        length += snprintf(sentence + length, size - (size_t)length, "%s%s", separator,
                           spawn->hosts[i].name);
        separator = ", ";
    }
    return true;
}
