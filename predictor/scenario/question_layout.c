/** @file question_layout.c  Parses and prints the layout of a question. */
#include "question_layout.h"

#include "model/util/json_make.h"
#include "model/util/suggest.h"

static const char spread_word[] = "spread";

const struct nereus_option nereus_layout_options[] = {
    {"layout", 0, NEREUS_OPTION_TEXT, "LIST",
     "which nodes of the host file hold how many processes afterwards, as in host0:2,host3:1; --nt "
     "is their sum; or spread: the --nt processes, one on each node in turn (where the rules of "
     "the method say)",
     offsetof(struct nereus_settings, layout), NULL},
};

static bool is_spread(const char *text)
{
    return strcmp(text, spread_word) == 0;
}

/* Parse an entry NODE:PROCESSES.
 * @return its end, a comma or the end of the text; NULL: invalid */
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

static enum nereus_status fail_no_entry(const char *position, struct nereus_error *err)
{
    const char *const words[] = {spread_word};
    char entry[NEREUS_SUGGEST_WORD_MAX + 1], meant[NEREUS_SUGGEST_TEXT];
    snprintf(entry, sizeof entry, "%.*s", (int)strcspn(position, ","), position);
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "--layout: '%s' is neither NODE:PROCESSES, as in host0:2,host3:1, nor "
                       "spread%s",
                       entry, nereus_suggest_text(entry, words, 1, meant));
}

enum nereus_status nereus_settings_check_layout(struct nereus_settings *settings,
                                                struct nereus_error *err)
{
    int64_t sum = 0;
    if (settings->layout == NULL || is_spread(settings->layout))
        return NEREUS_OK;
    for (const char *position = settings->layout; position != NULL;) {
        size_t length;
        int64_t processes;
        const char *end = parse_entry(position, &length, &processes);
        if (end == NULL)
            return fail_no_entry(position, err);
        sum += processes;
        position = *end == ',' ? end + 1 : NULL;
    }
    if (sum == 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--layout: '%.160s' has no process: a job needs 1 or more",
                           settings->layout);
    settings->nt = settings->nt == 0 ? sum : settings->nt;
    return NEREUS_OK;
}

static enum nereus_status fail_no_node(const struct nereus_machine *machine, const char *name,
                                       size_t length, struct nereus_error *err)
{
    char word[NEREUS_NODE_NAME_MAX], meant[NEREUS_SUGGEST_TEXT];
    const char **names = calloc((size_t)machine->node_count + 1, sizeof *names);
    NEREUS_TRY_MEMORY(names, err, "for the names of nodes");
    for (int64_t i = 0; i < machine->node_count; i++)
        names[i] = machine->nodes[i].name;
    snprintf(word, sizeof word, "%.*s", (int)nereus_min((int64_t)length, INT_MAX), name);
    const enum nereus_status status = nereus_fail(
        err, NEREUS_ERR_ARGUMENT, "--layout: '%s' is no node of the host file (--hostfile)%s", word,
        nereus_suggest_text(word, names, (size_t)machine->node_count, meant));
    free(names);
    return status;
}

static int64_t find_node(const struct nereus_machine *machine, const char *name, size_t length)
{
    for (int64_t i = 0; i < machine->node_count; i++)
        if (strlen(machine->nodes[i].name) == length &&
            memcmp(machine->nodes[i].name, name, length) == 0)
            return i;
    return -1;
}

/* @param[in,out] after  -1: not named yet */
static enum nereus_status add_entry(const struct nereus_machine *machine, const char **position,
                                    int64_t *after, struct nereus_error *err)
{
    size_t length;
    int64_t processes;
    const char *end = parse_entry(*position, &length, &processes);
    if (end == NULL)
        return fail_no_entry(*position, err);
    const int64_t node = find_node(machine, *position, length);
    if (node < 0)
        return fail_no_node(machine, *position, length, err);
    if (after[node] >= 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "--layout: '%.*s' is named twice", (int)length,
                           *position);
    after[node] = processes;
    *position = *end == ',' ? end + 1 : NULL;
    return NEREUS_OK;
}

static enum nereus_status read_list(const struct nereus_machine *machine, const char *text,
                                    int64_t *after, struct nereus_error *err)
{
    for (int64_t node = 0; node < machine->node_count; node++)
        after[node] = -1;
    for (const char *position = text; position != NULL;)
        NEREUS_TRY(add_entry(machine, &position, after, err));
    for (int64_t node = 0; node < machine->node_count; node++)
        after[node] = nereus_max(0, after[node]);
    return NEREUS_OK;
}

/* Place woken zombies; the process that fell asleep last is woken first. */
static void count_woken(const struct nereus_question *question, int64_t *woken)
{
    const struct nereus_jobstate *state = &question->state;
    int64_t left = nereus_max(0, question->scenario.nt - question->scenario.ns);
    for (int64_t i = state->sleeper_count - 1; i >= 0; i--) {
        const int64_t here = nereus_min(left, state->sleepers[i].count);
        woken[state->sleepers[i].node] += here;
        left -= here;
    }
}

enum nereus_status nereus_question_lay_out(struct nereus_question *question, const char *text,
                                           struct nereus_error *err)
{
    const struct nereus_machine *machine = &question->machine;
    const int64_t nodes = machine->node_count;
    if (nodes == 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "--layout %.160s needs the nodes: name a host file (--hostfile)", text);
    question->by_node = calloc(3 * (size_t)nodes, sizeof *question->by_node);
    NEREUS_TRY_MEMORY(question->by_node, err, "for a layout");
    int64_t *const before = question->by_node, *const woken = before + nodes,
                   *const after = woken + nodes;
    for (int64_t i = 0; i < question->state.segment_count; i++)
        before[question->state.segments[i].node] += question->state.segments[i].count;
    count_woken(question, woken);
    NEREUS_TRY(is_spread(text) ? nereus_machine_spread(machine, question->scenario.nt, after, err)
                               : read_list(machine, text, after, err));
    question->layout = (struct nereus_layout){before, woken, after};
    question->machine.layout = &question->layout;
    return NEREUS_OK;
}

/* Largest number of nodes that a line names; JSON has all. */
enum { NODES_SHOWN = 16 };

void nereus_question_print_layout(const struct nereus_question *question, const char *prefix,
                                  FILE *stream)
{
    const struct nereus_machine *machine = &question->machine;
    char text[NODES_SHOWN * (NEREUS_NODE_NAME_MAX + 24) + 64] = "";
    int64_t used_nodes = 0;
    if (machine->layout == NULL)
        return;
    for (int64_t i = 0; i < machine->node_count; i++) {
        const int64_t here = machine->layout->targets[i];
        used_nodes += here > 0;
        if (here > 0 && used_nodes <= NODES_SHOWN)
            nereus_append(text, sizeof text, "%s%s %lld", used_nodes > 1 ? ", " : "",
                          machine->nodes[i].name, (long long)here);
    }
    if (used_nodes > NODES_SHOWN)
        nereus_append(text, sizeof text, ", and %lld more", (long long)(used_nodes - NODES_SHOWN));
    fprintf(stream, "%splacement: %s\n", prefix, text);
}

json_t *nereus_question_layout_json(const struct nereus_question *question)
{
    const struct nereus_machine *machine = &question->machine;
    json_t *array = machine->layout != NULL ? json_array() : json_null();
    for (int64_t i = 0; machine->layout != NULL && i < machine->node_count; i++)
        if (machine->layout->targets[i] > 0)
            json_array_append_new(array, nereus_json_pack("{s:s, s:I}", "node",
                                                          machine->nodes[i].name, "processes",
                                                          (json_int_t)machine->layout->targets[i]));
    return array;
}
