/** @file question_layout.c  A layout as text. */
#include "question_layout.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/try.h"

/* One entry: NODE:PROCESSES. @return its end, at a comma or the end of the text; NULL: it is none */
static const char *parse_entry(const char *text, size_t *name_length, int64_t *processes)
{
    const char *colon = text + strcspn(text, ":,");
    char *end;
    if (*colon != ':' || colon == text || strchr("0123456789", colon[1]) == NULL)
        return NULL;
    errno = 0;
    *name_length = (size_t)(colon - text);
    *processes = strtoll(colon + 1, &end, 10);
    return errno == 0 && *processes <= INT_MAX && (*end == ',' || *end == '\0') ? end : NULL;
}

int64_t nereus_layout_text_sum(const char *text)
{
    int64_t sum = 0;
    for (const char *at = text; at != NULL;) {
        size_t length;
        int64_t processes;
        const char *end = parse_entry(at, &length, &processes);
        if (end == NULL)
            return 0;
        sum += processes;
        at = *end == ',' ? end + 1 : NULL;
    }
    return sum;
}

static int64_t find_node(const struct nereus_machine *machine, const char *name, size_t length)
{
    for (int64_t i = 0; i < machine->node_count; i++)
        if (strlen(machine->nodes[i].name) == length &&
            memcmp(machine->nodes[i].name, name, length) == 0)
            return i;
    return -1;
}

static enum nereus_status add_entry(struct nereus_question *question, const char **at,
                                    struct nereus_error *err)
{
    size_t length;
    int64_t processes;
    const int shown = (int)strcspn(*at, ",");
    const char *end = parse_entry(*at, &length, &processes);
    if (end == NULL)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--layout: '%.*s' is no NODE:PROCESSES, as in host0:2,host3:1", shown,
                           *at);
    const int64_t node = find_node(&question->machine, *at, length);
    if (node < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--layout: '%.*s' is no node of the host file (--hostfile)", (int)length,
                           *at);
    for (int64_t i = 0; i < question->layout_count; i++)
        if (question->layout[i].node == node)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--layout: '%.*s' is named twice",
                               (int)length, *at);
    question->layout[question->layout_count++] = (struct nereus_group){node, processes};
    *at = *end == ',' ? end + 1 : NULL;
    return NEREUS_OK;
}

/* "spread": the processes of the scenario, one on each node in turn. */
static enum nereus_status spread(struct nereus_question *question, struct nereus_error *err)
{
    const int64_t nodes = question->machine.node_count;
    int64_t *on_node = calloc((size_t)nodes + 1, sizeof *on_node);
    NEREUS_TRY_MEMORY(on_node, err, "for a layout");
    enum nereus_status status =
        nodes > 0 ? nereus_machine_spread(&question->machine, question->scenario.nt, on_node, err)
                  : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                                "--layout spread needs the nodes: name a host file (--hostfile)");
    for (int64_t node = 0; node < nodes && status == NEREUS_OK; node++)
        question->layout[question->layout_count++] = (struct nereus_group){node, on_node[node]};
    free(on_node);
    return status;
}

bool nereus_layout_text_is_spread(const char *text)
{
    return strcmp(text, "spread") == 0;
}

enum nereus_status nereus_question_lay_out(struct nereus_question *question, const char *text,
                                           struct nereus_error *err)
{
    question->layout = calloc((size_t)question->machine.node_count + 1, sizeof *question->layout);
    NEREUS_TRY_MEMORY(question->layout, err, "for a layout");
    if (nereus_layout_text_is_spread(text))
        return spread(question, err);
    for (const char *at = text; at != NULL;)
        NEREUS_TRY(add_entry(question, &at, err));
    return NEREUS_OK;
}
