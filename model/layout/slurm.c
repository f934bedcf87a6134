/* Slurm's compressed lists of nodes and of cores per node. */
#include "slurm.h"

#include "model/util/try.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 256, NODES_MAX = 100000, DIGITS_MAX = 9 };

/* The host file so far, and the numbers of cores. */
struct hosts {
    const char *list;     /* SLURM_JOB_NODELIST, for sentences */
    const char *counts;   /* rest of "36(x2),24"; NULL: `cores` */
    int64_t cores, times; /* of the next node, and for so many more */
    char *text;
    size_t length, room;
    int64_t nodes;
    struct nereus_error *err;
};

static enum nereus_status bad_list(const struct hosts *hosts, const char *sentence)
{
    return nereus_fail(hosts->err, NEREUS_ERR_PARSE, "SLURM_JOB_NODELIST '%.120s': %s", hosts->list,
                       sentence);
}

/* Up to DIGITS_MAX digits at *at; -1 where there are none or more. */
static int64_t take_number(const char **at)
{
    int64_t value = 0;
    int digits = 0;
    for (; isdigit((unsigned char)**at) && digits <= DIGITS_MAX; digits++)
        value = 10 * value + (*(*at)++ - '0');
    return digits >= 1 && digits <= DIGITS_MAX ? value : -1;
}

/* "36(x2)" or "24" at the front of the counts; the last one holds for all further nodes. */
static enum nereus_status next_count(struct hosts *hosts)
{
    if (hosts->times > 0 || hosts->counts == NULL || *hosts->counts == '\0') {
        hosts->times--;
        return NEREUS_OK;
    }
    const char *all = hosts->counts;
    int64_t times = 1;
    hosts->cores = take_number(&hosts->counts);
    if (strncmp(hosts->counts, "(x", 2) == 0) {
        hosts->counts += 2;
        times = take_number(&hosts->counts);
        times = *hosts->counts == ')' ? times : -1;
        hosts->counts += *hosts->counts == ')';
    }
    if (hosts->cores < 1 || times < 1 || (*hosts->counts != '\0' && *hosts->counts != ',')) {
        return nereus_fail(hosts->err, NEREUS_ERR_PARSE,
                           "'%.80s' is no list of cores per node, as Slurm writes it: 36(x2),24",
                           all);
    }
    hosts->counts += *hosts->counts == ',';
    hosts->times = times - 1;
    return NEREUS_OK;
}

static enum nereus_status add_node(struct hosts *hosts, const char *name)
{
    NEREUS_TRY(next_count(hosts));
    if (name[0] == '\0')
        return bad_list(hosts, "a name is missing");
    if (++hosts->nodes > NODES_MAX)
        return bad_list(hosts, "names more than 100000 nodes");
    if (hosts->length + NAME_BYTES + 32 > hosts->room) {
        char *text = realloc(hosts->text, 2 * hosts->room + 4096);
        NEREUS_TRY_MEMORY(text, hosts->err, "for the names of nodes");
        hosts->text = text;
        hosts->room = 2 * hosts->room + 4096;
    }
    hosts->length += (size_t)snprintf(hosts->text + hosts->length, hosts->room - hosts->length,
                                      "%s:%lld\n", name, (long long)hosts->cores);
    return NEREUS_OK;
}

static enum nereus_status expand(struct hosts *hosts, const char *begun, const char *rest,
                                 const char *end);

/* One number of a bracket, with leading zeros as written, and what follows the bracket. */
static enum nereus_status add_numbered(struct hosts *hosts, const char *begun, int64_t number,
                                       int width, const char *rest, const char *end)
{
    char name[NAME_BYTES];
    const int length = snprintf(name, sizeof name, "%s%0*lld", begun, width, (long long)number);
    return length < NAME_BYTES ? expand(hosts, name, rest, end)
                               : bad_list(hosts, "a name is too long");
}

/* "01-03,7" between brackets. */
static enum nereus_status expand_brackets(struct hosts *hosts, const char *begun, const char *at,
                                          const char *close, const char *end)
{
    enum nereus_status status = NEREUS_OK;
    while (status == NEREUS_OK) {
        const char *first = at;
        const int64_t from = take_number(&at);
        const int width = (int)(at - first);
        int64_t to = from;
        if (*at == '-') {
            at++;
            to = take_number(&at);
        }
        if (from < 0 || to < from || (at != close && *at != ','))
            return bad_list(hosts,
                            "between brackets there are numbers and ranges, as in [01-03,7]");
        for (int64_t number = from; number <= to && status == NEREUS_OK; number++)
            status = add_numbered(hosts, begun, number, width, close + 1, end);
        if (at == close)
            break;
        at++;
    }
    return status;
}

/* Names that begin with `begun` and go on with the rest of an entry, up to `end`. */
static enum nereus_status expand(struct hosts *hosts, const char *begun, const char *rest,
                                 const char *end)
{
    char name[NAME_BYTES];
    const size_t plain =
        strcspn(rest, "[") < (size_t)(end - rest) ? strcspn(rest, "[") : (size_t)(end - rest);
    if (snprintf(name, sizeof name, "%s%.*s", begun, (int)plain, rest) >= NAME_BYTES)
        return bad_list(hosts, "a name is too long");
    if (memchr(rest, ']', plain) != NULL)
        return bad_list(hosts, "a bracket is closed that was not opened");
    if (rest + plain == end)
        return add_node(hosts, name);
    const char *open = rest + plain + 1;
    const char *close = memchr(open, ']', (size_t)(end - open));
    return close != NULL ? expand_brackets(hosts, name, open, close, end)
                         : bad_list(hosts, "a bracket is not closed");
}

/* Where an entry ends: at a comma outside brackets. */
static const char *entry_end(const char *at)
{
    bool inside = false;
    while (*at != '\0' && (inside || *at != ',')) {
        inside = *at == '[' || (inside && *at != ']');
        at++;
    }
    return at;
}

enum nereus_status nereus_slurm_hosts(const struct nereus_slurm *slurm, int64_t cores, char **text,
                                      struct nereus_error *err)
{
    struct hosts hosts = {.list = slurm->nodes, .cores = cores > 0 ? cores : 1, .err = err};
    enum nereus_status status = NEREUS_OK;
    if (cores <= 0) {
        hosts.counts = slurm->tasks_per_node != NULL  ? slurm->tasks_per_node
                       : slurm->cpus_per_node != NULL ? slurm->cpus_per_node
                                                      : slurm->cpus_on_node;
    }
    for (const char *at = slurm->nodes; status == NEREUS_OK;) {
        const char *end = entry_end(at);
        status = expand(&hosts, "", at, end);
        if (*end == '\0')
            break;
        at = end + 1;
    }
    if (status != NEREUS_OK) {
        free(hosts.text);
        return status;
    }
    *text = hosts.text;
    return NEREUS_OK;
}

static enum nereus_status machine_of(const struct nereus_slurm *slurm,
                                     struct nereus_machine *machine, struct nereus_error *err)
{
    char *text;
    NEREUS_TRY(nereus_slurm_hosts(slurm, 0, &text, err));
    for (char *end = strchr(text, '\n'); end != NULL; end = strchr(end, '\n'))
        *end = end[1] != '\0' ? ',' : '\0';
    enum nereus_status status = nereus_machine_from_text(text, machine, err);
    free(text);
    if (status != NEREUS_OK)
        return status;
    const int64_t per_task = slurm->cpus_per_task > 0 ? slurm->cpus_per_task : 0;
    if (slurm->tasks_per_node != NULL) {
        machine->cores_per_process = per_task; /* tasks are counted already */
        return NEREUS_OK;
    }
    machine->slots = 0; /* no number of processes was asked for */
    if (per_task > 1)
        status = nereus_machine_set_per_process(machine, per_task, err);
    if (status != NEREUS_OK)
        nereus_machine_fini(machine);
    return status;
}

/* This host: fewer cores than a task has are a bound that somebody else has set. */
static enum nereus_status single(const struct nereus_slurm *slurm, const char *name, int64_t cores,
                                 struct nereus_machine *machine, struct nereus_error *err)
{
    const enum nereus_status status = nereus_machine_single(name, cores, machine, err);
    return status == NEREUS_OK && slurm->nodes != NULL && slurm->cpus_per_task > 1 &&
                   slurm->cpus_per_task <= cores
               ? nereus_machine_set_per_process(machine, slurm->cpus_per_task, err)
               : status;
}

enum nereus_status nereus_machine_around(const struct nereus_slurm *slurm, const char *name,
                                         int64_t cores, struct nereus_machine *machine,
                                         struct nereus_error *err)
{
    char own[NEREUS_NODE_NAME_MAX];
    if (slurm->nodes != NULL) {
        const enum nereus_status status = machine_of(slurm, machine, err);
        if (status != NEREUS_OK || machine->node_count > 1)
            return status;
        memcpy(own, machine->nodes[0].name, sizeof own);
        nereus_machine_fini(machine);
        name = own; /* it may gain nodes beside */
    }
    return single(slurm, name, cores, machine, err);
}
