/**
 * @file slurm.c
 * Makes the text of a host file from the variables of a Slurm allocation (slurm_variables.c).
 */
#include "slurm.h"

#include "host_list.h"

struct hosts {
    const char *counts;   /* rest of "36(x2),24"; NULL: `cores` on every node */
    int64_t cores, times; /* cores of each of the next `times` nodes */
    char *text;
    size_t length;
};

/* Read the next "36(x2)" or "24"; the last count applies to all further nodes. */
static enum nereus_status read_next_count(struct hosts *hosts, struct nereus_error *err)
{
    if (hosts->times > 0 || hosts->counts == NULL || *hosts->counts == '\0') {
        hosts->times--;
        return NEREUS_OK;
    }
    const char *all = hosts->counts;
    int64_t times = 1;
    hosts->cores = nereus_host_list_number(&hosts->counts);
    if (strncmp(hosts->counts, "(x", 2) == 0) {
        hosts->counts += 2;
        times = nereus_host_list_number(&hosts->counts);
        times = *hosts->counts == ')' ? times : -1;
        hosts->counts += *hosts->counts == ')';
    }
    if (hosts->cores < 1 || times < 1 || (*hosts->counts != '\0' && *hosts->counts != ',')) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "'%.160s' is no list of cores per node, as Slurm writes it: 36(x2),24",
                           all);
    }
    hosts->counts += *hosts->counts == ',';
    hosts->times = times - 1;
    return NEREUS_OK;
}

static enum nereus_status add_node(void *user, const char *name, struct nereus_error *err)
{
    struct hosts *hosts = user;
    const size_t max = strlen(name) + 32;
    NEREUS_TRY(read_next_count(hosts, err));
    char *text = nereus_grow_by(hosts->text, (int64_t)hosts->length, (int64_t)max, 1);
    NEREUS_TRY_MEMORY(text, err, "for the names of nodes");
    hosts->text = text;
    hosts->length += (size_t)snprintf(hosts->text + hosts->length, max, "%s:%lld\n", name,
                                      (long long)hosts->cores);
    return NEREUS_OK;
}

enum nereus_status nereus_slurm_hosts(const struct nereus_slurm *slurm, int64_t cores, char **text,
                                      struct nereus_error *err)
{
    struct hosts hosts = {.cores = cores > 0 ? cores : 1};
    if (cores <= 0) {
        hosts.counts = slurm->tasks_per_node != NULL  ? slurm->tasks_per_node
                       : slurm->cpus_per_node != NULL ? slurm->cpus_per_node
                                                      : slurm->cpus_on_node;
    }
    const enum nereus_status status =
        nereus_host_list_visit(slurm->nodes, "SLURM_JOB_NODELIST", add_node, &hosts, err);
    if (status != NEREUS_OK) {
        free(hosts.text);
        return status;
    }
    *text = hosts.text;
    return NEREUS_OK;
}

static enum nereus_status make_machine(const struct nereus_slurm *slurm,
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
        machine->cores_per_process = per_task; /* `cores` counts tasks already */
        return NEREUS_OK;
    }
    machine->slots = 0; /* the allocation has no number of processes */
    if (per_task > 1)
        status = nereus_machine_set_per_process(machine, per_task, err);
    if (status != NEREUS_OK)
        nereus_machine_fini(machine);
    return status;
}

/* @return CPUs of the allocation's only node; 0: not known. Where Slurm confines no process to its
 * CPUs, a node that jobs share shows more. */
static int64_t count_given_cpus(const struct nereus_slurm *slurm)
{
    const char *position =
        slurm->cpus_per_node != NULL ? slurm->cpus_per_node : slurm->cpus_on_node;
    return slurm->nodes != NULL && position != NULL ? nereus_host_list_number(&position) : 0;
}

/* Make the machine of this host. Its processes take the CPUs of a task, unless something (a cpuset)
 * limits the host to fewer cores. */
static enum nereus_status make_single_node(const struct nereus_slurm *slurm, const char *name,
                                           int64_t cores, struct nereus_machine *machine,
                                           struct nereus_error *err)
{
    const int64_t given = count_given_cpus(slurm);
    if (given > 0)
        cores = nereus_min(cores, given);
    const enum nereus_status status = nereus_machine_single(name, cores, machine, err);
    return status == NEREUS_OK && slurm->nodes != NULL && slurm->cpus_per_task > 1 &&
                   slurm->cpus_per_task <= cores
               ? nereus_machine_set_per_process(machine, slurm->cpus_per_task, err)
               : status;
}

enum nereus_status nereus_machine_from_environment(const struct nereus_slurm *slurm,
                                                   const char *name, int64_t cores,
                                                   struct nereus_machine *machine,
                                                   struct nereus_error *err)
{
    char own[NEREUS_NODE_NAME_MAX];
    if (slurm->nodes != NULL) {
        const enum nereus_status status = make_machine(slurm, machine, err);
        if (status != NEREUS_OK || machine->node_count > 1)
            return status;
        memcpy(own, machine->nodes[0].name, sizeof own);
        nereus_machine_fini(machine);
        name = own; /* use Slurm's name, because the machine may gain nodes */
    }
    return make_single_node(slurm, name, cores, machine, err);
}
