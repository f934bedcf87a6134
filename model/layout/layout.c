/** @file layout.c  Makes machines, and computes on which nodes their ranks are placed. */
#include "nereus/layout.h"

#include "layout_rounds.h"

static enum nereus_status check_cores(int64_t cores, struct nereus_error *err)
{
    if (cores < 1 || cores > INT_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a node has 1 core or more (up to %d), not %lld", INT_MAX,
                           (long long)cores);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_machine_uniform(int64_t cores_per_node, struct nereus_machine *machine,
                                          struct nereus_error *err)
{
    enum nereus_status status = check_cores(cores_per_node, err);
    if (status == NEREUS_OK)
        *machine = (struct nereus_machine){.cores_per_node = cores_per_node};
    return status;
}

enum nereus_status nereus_machine_single(const char *name, int64_t cores,
                                         struct nereus_machine *machine, struct nereus_error *err)
{
    NEREUS_TRY(check_cores(cores, err));
    struct nereus_node *node = calloc(1, sizeof *node);
    NEREUS_TRY_MEMORY(node, err, "for a machine of one node");
    /* a longer name is cut: names are only displayed */
    snprintf(node->name, sizeof node->name, "%s",
             name != NULL && name[0] != '\0' ? name : "localhost");
    node->cores = cores;
    *machine = (struct nereus_machine){.cores_per_node = cores, .node_count = 1, .nodes = node};
    return NEREUS_OK;
}

enum nereus_status nereus_machine_equal_nodes(int64_t nodes, int64_t cores_per_node,
                                              struct nereus_machine *machine,
                                              struct nereus_error *err)
{
    if (nodes < 0 || nodes > NEREUS_EQUAL_NODES_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a machine has 0 (no limit) to %d nodes, not %lld",
                           NEREUS_EQUAL_NODES_MAX, (long long)nodes);
    }
    enum nereus_status status = check_cores(cores_per_node, err);
    struct nereus_node *list = NULL;
    if (status == NEREUS_OK && nodes > 0) {
        list = calloc((size_t)nodes, sizeof *list);
        status = list != NULL ? NEREUS_OK
                              : nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld nodes",
                                            (long long)nodes);
    }
    if (status != NEREUS_OK)
        return status;
    for (int64_t i = 0; i < nodes; i++) {
        snprintf(list[i].name, sizeof list[i].name, "node%lld", (long long)i);
        list[i].cores = cores_per_node;
    }
    *machine = (struct nereus_machine){
        .cores_per_node = cores_per_node, .node_count = nodes, .nodes = list};
    return NEREUS_OK;
}

enum nereus_status nereus_machine_copy(const struct nereus_machine *machine,
                                       struct nereus_machine *copy, struct nereus_error *err)
{
    const size_t bytes = (size_t)machine->node_count * sizeof *machine->nodes;
    struct nereus_node *nodes = bytes > 0 ? malloc(bytes) : NULL;
    if (bytes > 0 && nodes == NULL) {
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a machine of %lld nodes",
                           (long long)machine->node_count);
    }
    if (bytes > 0)
        memcpy(nodes, machine->nodes, bytes);
    *copy = *machine;
    copy->nodes = nodes;
    copy->layout = NULL;
    return NEREUS_OK;
}

int64_t nereus_machine_cores_per_process(const struct nereus_machine *machine)
{
    return machine->cores_per_process > 1 ? machine->cores_per_process : 1;
}

static enum nereus_status fail_too_few_cores(const char *node, int64_t cores, int64_t per_process,
                                             struct nereus_error *err)
{
    return nereus_fail(
        err, NEREUS_ERR_ARGUMENT,
        "%s%.160s%s %lld core%s, and each process takes %lld: let it take fewer, or name "
        "larger nodes",
        node != NULL ? "node '" : "a node", node != NULL ? node : "",
        node != NULL ? "' has" : " has", (long long)cores, nereus_plural_s(cores),
        (long long)per_process);
}

enum nereus_status nereus_machine_set_per_process(struct nereus_machine *machine,
                                                  int64_t cores_per_process,
                                                  struct nereus_error *err)
{
    const int64_t cores_before = nereus_machine_cores_per_process(machine);
    int64_t all = 0, max = 0;
    if (cores_per_process < 1 || cores_per_process > INT_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%lld core%s for a process: it takes 1 or more",
                           (long long)cores_per_process, nereus_plural_s(cores_per_process));
    if (machine->node_count == 0 && machine->cores_per_node * cores_before < cores_per_process)
        return fail_too_few_cores(NULL, machine->cores_per_node * cores_before, cores_per_process,
                                  err);
    for (int64_t i = 0; i < machine->node_count; i++) {
        const struct nereus_node *node = &machine->nodes[i];
        if (node->cores * cores_before < cores_per_process)
            return fail_too_few_cores(node->name, node->cores * cores_before, cores_per_process,
                                      err);
        all += node->cores;
    }
    const bool by_nodes = machine->node_count > 0 && machine->slots == all;
    machine->slots = by_nodes ? 0 : machine->slots;
    for (int64_t i = 0; i < machine->node_count; i++) {
        struct nereus_node *node = &machine->nodes[i];
        node->cores = node->cores * cores_before / cores_per_process;
        max = node->cores > max ? node->cores : max;
        machine->slots += by_nodes ? node->cores : 0;
    }
    machine->cores_per_node =
        machine->node_count > 0 ? max : machine->cores_per_node * cores_before / cores_per_process;
    machine->cores_per_process = cores_per_process;
    return NEREUS_OK;
}

void nereus_machine_fini(struct nereus_machine *machine)
{
    free(machine->nodes);
    memset(machine, 0, sizeof *machine);
}

int64_t nereus_machine_cores(const struct nereus_machine *machine, int64_t node)
{
    return machine->node_count == 0 ? machine->cores_per_node : machine->nodes[node].cores;
}

int64_t nereus_machine_total_cores(const struct nereus_machine *machine)
{
    if (machine->node_count == 0)
        return INT64_MAX;
    int64_t total = 0;
    for (int64_t i = 0; i < machine->node_count; i++)
        total += machine->nodes[i].cores;
    return total;
}

/* Cores on the nodes before this one, and on all nodes. */
static int64_t count_cores_before(const struct nereus_machine *machine, int64_t node,
                                  int64_t *total)
{
    int64_t cores_before = 0;
    *total = 0;
    for (int64_t i = 0; i < machine->node_count; i++) {
        cores_before += i < node ? machine->nodes[i].cores : 0;
        *total += machine->nodes[i].cores;
    }
    return cores_before;
}

int64_t nereus_machine_node_of(const struct nereus_machine *machine, int64_t rank)
{
    if (machine->node_count == 0)
        return rank / machine->cores_per_node;
    int64_t node = 0, before = 0; /* cores of the earlier nodes */
    while (node < machine->node_count && rank >= before + machine->nodes[node].cores)
        before += machine->nodes[node++].cores;
    if (node < machine->node_count)
        return node;
    return nereus_machine_node_of(machine, rank % before); /* in a later round */
}

int64_t nereus_machine_count_nodes(const struct nereus_machine *machine, int64_t n)
{
    if (n <= 0)
        return 0;
    if (machine->node_count == 0)
        return nereus_divide_up(n, machine->cores_per_node);
    int64_t node = 0, cores = 0;
    while (node < machine->node_count && cores < n)
        cores += machine->nodes[node++].cores;
    return node;
}

bool nereus_machine_is_one_node(const struct nereus_machine *machine, int64_t n)
{
    const struct nereus_layout *const layout = machine->layout;
    int64_t used_nodes = 0;
    if (layout == NULL)
        return nereus_machine_count_nodes(machine, n) <= 1;
    for (int64_t i = 0; i < machine->node_count; i++)
        used_nodes += layout->sources[i] + layout->woken_zombies[i] + layout->targets[i] > 0;
    return used_nodes <= 1;
}

int64_t nereus_machine_node_processes(const struct nereus_machine *machine, int64_t first,
                                      int64_t n, int64_t node)
{
    if (machine->node_count > 0) {
        int64_t total;
        int64_t cores_before = count_cores_before(machine, node, &total);
        return nereus_rounds_share(first, n, cores_before, machine->nodes[node].cores, total);
    }
    /* compare nodes, because node * cores may overflow */
    int64_t cores = machine->cores_per_node;
    if (n <= 0 || node < first / cores || node > (first + n - 1) / cores)
        return 0;
    int64_t from = node == first / cores ? first % cores : 0;
    int64_t to = node == (first + n - 1) / cores ? (first + n - 1) % cores + 1 : cores;
    return to - from;
}

enum nereus_status nereus_machine_check_size(const struct nereus_machine *machine, const char *what,
                                             int64_t n, struct nereus_error *err)
{
    if (n < 1) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s %lld: a job needs 1 process or more", what,
                           (long long)n);
    }
    if (n > INT_MAX) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%s %lld: MPI numbers processes up to %d",
                           what, (long long)n, INT_MAX);
    }
    if (machine->slots > 0 && n > machine->slots) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "%s %lld: only %lld slot%s %s declared (by the host file, SLURM_TASKS_PER_NODE, "
            "NEREUS_SLOTS or --slots): ask for at most so many, or declare more",
            what, (long long)n, (long long)machine->slots, nereus_plural_s(machine->slots),
            nereus_choose_plural(machine->slots, "is", "are"));
    }
    return NEREUS_OK;
}

/* Limit the processes where no slots are declared: a mistyped size must not exhaust the host. */
static enum nereus_status check_undeclared(const struct nereus_machine *machine, const char *what,
                                           int64_t n, struct nereus_error *err)
{
    if (machine->node_count == 0)
        return NEREUS_OK;
    const int64_t cores = nereus_machine_total_cores(machine);
    if (nereus_divide_up(n, NEREUS_UNDECLARED_PER_CORE) <= cores)
        return NEREUS_OK;
    return nereus_fail(
        err, NEREUS_ERR_ARGUMENT,
        "%s %lld: on %lld core%s at most %lld processes (%d a core) are started unless more slots "
        "are declared: ask for fewer, or declare slots (by a host file, NEREUS_SLOTS or --slots)",
        what, (long long)n, (long long)cores, nereus_plural_s(cores),
        (long long)(NEREUS_UNDECLARED_PER_CORE * cores), NEREUS_UNDECLARED_PER_CORE);
}

enum nereus_status nereus_machine_check_start(const struct nereus_machine *machine,
                                              const char *what, int64_t n, struct nereus_error *err)
{
    const enum nereus_status status = nereus_machine_check_size(machine, what, n, err);
    return status == NEREUS_OK && machine->slots == 0 ? check_undeclared(machine, what, n, err)
                                                      : status;
}

bool nereus_machine_is_oversubscribed(const struct nereus_machine *machine, int64_t n)
{
    return machine->node_count > 0 && n > nereus_machine_total_cores(machine);
}
