/**
 * @file machine.c
 * Implements changes of the machine in three sections: the wanted nodes, the change and its
 * undoing, and its description in outcomes; and writes the state file, which has the machine.
 */
#include "machine.h"

#include "src/util/json_lines.h"

/* ---- wanted nodes ---------------------------------------------------------------------------- */

static enum nereus_status check_new_node(const nereus_job *job,
                                         const struct resize_request *request,
                                         const struct nereus_node *node, struct nereus_error *err)
{
    bool twice = false;
    for (int64_t i = 0; i < request->gain_count; i++)
        twice = twice || strcmp(request->gains[i].name, node->name) == 0;
    if (twice)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the node '%s' is named twice: name it once",
                           node->name);
    if (nereus_machine_find(&job->machine, node->name) >= 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "the job's machine has the node '%s' already",
                           node->name);
    return NEREUS_OK;
}

enum nereus_status nereus_request_add_node(const nereus_job *job, const char *text,
                                           struct resize_request *request, struct nereus_error *err)
{
    struct nereus_machine one;
    if (strchr(text, ':') == NULL || strchr(text, ',') != NULL)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "'%.160s' is no new node: it is NODE:CORES, or NODE:CORES@slurm:NUMBER for "
            "a node in an allocation of its own",
            text);
    if (request->gain_count == GAINS_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "more than %d new nodes in one request",
                           (int)GAINS_MAX);
    NEREUS_TRY(nereus_machine_from_text(text, &one, err));
    const struct nereus_node node = one.nodes[0];
    nereus_machine_fini(&one);
    NEREUS_TRY(check_new_node(job, request, &node, err));
    request->gains[request->gain_count++] = node;
    return NEREUS_OK;
}

enum nereus_status nereus_request_set_spread(const nereus_job *job, struct resize_request *request,
                                             struct nereus_error *err)
{
    const struct nereus_machine *machine = &job->machine;
    int64_t on_node[LAYOUT_MAX];
    if (machine->node_count > LAYOUT_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "processes can be spread over 1 to %d nodes, not %lld", (int)LAYOUT_MAX,
                           (long long)machine->node_count);
    if (machine->node_count > 0)
        NEREUS_TRY(nereus_machine_spread(machine, request->nt, on_node, err));
    request->spread = true;
    request->machine_changes = job->machine_changes;
    request->layout_count = machine->node_count;
    for (int64_t node = 0; node < machine->node_count; node++)
        request->layout[node] = (struct nereus_group){node, on_node[node]};
    return NEREUS_OK;
}

enum nereus_status nereus_machine_of_request(const nereus_job *job,
                                             const struct resize_request *request,
                                             struct nereus_machine *machine,
                                             struct nereus_error *err)
{
    int64_t ignored;
    NEREUS_TRY(nereus_machine_copy(&job->machine, machine, err));
    if (request->gain_count == 0)
        return NEREUS_OK;
    const enum nereus_status status =
        nereus_machine_add_nodes(machine, request->gains, request->gain_count, &ignored, err);
    if (status != NEREUS_OK)
        nereus_machine_fini(machine);
    return status;
}

static bool is_set_to(const char *name, const char *value)
{
    const char *text = getenv(name);
    return text != NULL && (value == NULL || strcmp(text, value) == 0);
}

bool nereus_restart_needs_requeue(const nereus_job *job, const struct nereus_method *method,
                                  int64_t nt)
{
    const struct nereus_machine *machine = &job->machine;
    const int64_t most = machine->slots > 0 ? machine->slots : nereus_machine_total_cores(machine);
    return method->process == NEREUS_RESTART && most > 0 && nt > most &&
           is_set_to("SLURM_JOB_ID", NULL) && is_set_to("NEREUS_ON_FAILURE", "restart");
}

/* ---- the transaction ------------------------------------------------------------------------- */

enum nereus_status nereus_machine_begin(nereus_job *job, const struct resize_request *request,
                                        struct machine_change *change, struct nereus_error *err)
{
    struct nereus_machine next;
    if (request->gain_count == 0)
        return NEREUS_OK;
    NEREUS_TRY(nereus_machine_of_request(job, request, &next, err));
    *change = (struct machine_change){.begun = true,
                                      .gained_nodes = next.node_count - job->machine.node_count,
                                      .old_machine = job->machine};
    job->machine = next;
    return NEREUS_OK;
}

void nereus_machine_roll_back(nereus_job *job, struct machine_change *change)
{
    if (!change->begun)
        return;
    nereus_machine_fini(&job->machine);
    job->machine = change->old_machine;
    *change = (struct machine_change){.begun = false};
}

void nereus_machine_change_fini(struct machine_change *change)
{
    if (change->begun)
        nereus_machine_fini(&change->old_machine);
    *change = (struct machine_change){.begun = false};
}

/* May a client still query the nodes that this change has freed? */
static bool is_kept(const nereus_job *job, int64_t change)
{
    for (int i = 0; i < EXTERNAL_KEPT; i++)
        if (job->external_records.items[i].frees_at == change)
            return true;
    return false;
}

/* Copy the free nodes before the machine loses them. Without memory nothing is copied. */
static void record_freed_nodes(nereus_job *job, const struct nereus_request *record)
{
    const int64_t change = job->machine_changes + 1, old_count = job->freed_count;
    struct freed_node *freed = calloc((size_t)(old_count + record->lost_count) + 1, sizeof *freed);
    job->freed_count = 0;
    for (int64_t i = 0; freed != NULL && i < old_count; i++)
        if (is_kept(job, job->freed_nodes[i].change))
            freed[job->freed_count++] = job->freed_nodes[i];
    for (int64_t i = 0; freed != NULL && i < record->lost_count; i++)
        freed[job->freed_count++] =
            (struct freed_node){change, job->machine.nodes[record->lost_nodes[i]]};
    free(job->freed_nodes);
    job->freed_nodes = freed;
}

bool nereus_machine_commit(nereus_job *job, const struct nereus_request *record,
                           struct machine_change *change)
{
    struct nereus_error err;
    const bool changed = record->gained_nodes > 0 || record->lost_count > 0;
    if (changed)
        record_freed_nodes(job, record);
    nereus_machine_change_fini(change);
    /* must not fail in one process only: placements would differ */
    if (nereus_machine_remove_nodes(&job->machine, record->lost_nodes, record->lost_count,
                                    &job->state, &err) != NEREUS_OK)
        nereus_abort_job(&err);
    job->machine_changes += changed;
    return changed;
}

/* ---- description ----------------------------------------------------------------------------- */

static void append_text(char *text, size_t size, const char *word)
{
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", word);
}

/* @param named  names of this kind that are in the text already */
static void append_name(char text[MACHINE_TEXT_MAX], const char *what,
                        const struct nereus_node *node, int64_t named)
{
    if (named == 0 && text[0] != '\0')
        append_text(text, MACHINE_TEXT_MAX, "; ");
    append_text(text, MACHINE_TEXT_MAX, named == 0 ? what : ", ");
    append_text(text, MACHINE_TEXT_MAX, node->name);
}

char *nereus_machine_describe_change(const nereus_job *job, const struct nereus_request *record,
                                     char text[MACHINE_TEXT_MAX])
{
    const struct nereus_machine *machine = &job->machine;
    char number[48];
    int64_t named = 0;
    text[0] = '\0';
    for (int64_t i = 0; i < record->gained_nodes; i++)
        append_name(text, "the machine has gained ",
                    &machine->nodes[machine->node_count - record->gained_nodes + i], i);
    for (int64_t i = 0; record->lost_count > 0 && i < job->freed_count; i++)
        if (job->freed_nodes[i].change == job->machine_changes)
            append_name(text, "free now: ", &job->freed_nodes[i].node, named++);
    snprintf(number, sizeof number, " (%lld node%s)", (long long)machine->node_count,
             machine->node_count == 1 ? "" : "s");
    if (text[0] != '\0')
        append_text(text, MACHINE_TEXT_MAX, number);
    return text;
}

/* ---- the state file -------------------------------------------------------------------------- */

void nereus_job_write_state(const nereus_job *job)
{
    struct nereus_error err;
    if (job->settings.state_path != NULL &&
        nereus_jobstate_write(job->settings.state_path, &job->state, &job->machine, &err) !=
            NEREUS_OK &&
        !nereus_unwritten.state) {
        nereus_log("%s", err.text); /* not an error of the job */
        nereus_unwritten.state = true;
    }
}
