/** @file job_hosts.c  Merges hosts from mpiexec's command line, a host file and Slurm by name. */
#include "job_hosts.h"

#include <unistd.h>

#include "job_line.h"
#include "model/layout/host_list.h"
#include "model/layout/slurm.h"

/* Find or append the entry of a node's host. NULL: no memory */
static struct job_host *get_entry(struct job_hosts *hosts, const char *node)
{
    char name[NEREUS_NODE_NAME_MAX]; /* the node's name without the name of a virtual node */
    snprintf(name, sizeof name, "%.*s", (int)strcspn(node, "/"), node);
    for (size_t i = 0; i < hosts->count; i++)
        if (strcmp(hosts->list[i].name, name) == 0)
            return &hosts->list[i];
    struct job_host *list = nereus_grow(hosts->list, (int64_t)hosts->count, sizeof *list);
    if (list == NULL)
        return NULL;
    hosts->list = list;
    struct job_host *host = &list[hosts->count++];
    *host = (struct job_host){.here = nereus_host_name_is_own(name), .answers = true};
    snprintf(host->name, sizeof host->name, "%s", name);
    return host;
}

/* Count the slots of a host in a machine: the sum over its virtual nodes. */
static int64_t count_slots_of_host(const struct nereus_machine *machine, const char *name)
{
    const size_t length = strlen(name);
    int64_t slots = 0;
    for (int64_t i = 0; i < machine->node_count; i++)
        if (strncmp(machine->nodes[i].name, name, length) == 0 &&
            strchr("/", machine->nodes[i].name[length]) != NULL) /* '/' or the end of the name */
            slots += nereus_machine_cores(machine, i);
    return slots;
}

/* Add the hosts of a source. Where sources differ, the larger number of slots is kept. */
static void add_machine(struct job_hosts *hosts, struct nereus_machine *machine, bool listed)
{
    for (int64_t i = 0; i < machine->node_count; i++) {
        struct job_host *host = get_entry(hosts, machine->nodes[i].name);
        if (host == NULL)
            continue;
        const int64_t slots = count_slots_of_host(machine, host->name);
        host->slots = slots > host->slots ? slots : host->slots;
        if (listed)
            host->listed_slots = host->slots;
    }
    nereus_machine_fini(machine);
}

static void add_file(struct job_hosts *hosts, const char *file, bool listed)
{
    struct nereus_machine machine;
    if (file != NULL && nereus_machine_from_file(file, &machine, NULL) == NEREUS_OK)
        add_machine(hosts, &machine, listed);
}

static void add_command_line(struct job_hosts *hosts, char *const *mpiexec)
{
    static const char *const lists[] = {"hosts", "host", NULL}, *const files[] = {"f", "hostfile",
                                                                                  "machinefile",
                                                                                  NULL};
    struct nereus_machine machine;
    char *const *argument = job_line_begin(mpiexec);
    for (struct job_option option; (option = job_line_next(&argument)).words > 0;
         argument += option.words) {
        const char *value = job_option_value(&option, argument);
        const bool list = job_option_is(&option, lists), file = job_option_is(&option, files);
        hosts->listed = hosts->listed || list || file;
        if (list && value != NULL && nereus_machine_from_text(value, &machine, NULL) == NEREUS_OK)
            add_machine(hosts, &machine, true);
        else if (file)
            add_file(hosts, value, true);
    }
}

void job_hosts_find(struct job_hosts *hosts, char *const *mpiexec)
{
    const struct nereus_slurm slurm = nereus_slurm_environment();
    struct nereus_machine machine;
    *hosts = (struct job_hosts){0};
    add_command_line(hosts, mpiexec);
    add_file(hosts, getenv("NEREUS_HOSTFILE"), false);
    if (slurm.nodes != NULL &&
        nereus_machine_from_environment(&slurm, "localhost", 1, &machine, NULL) == NEREUS_OK)
        add_machine(hosts, &machine, false);
}

/* Is the node, "host" or "host/virtual", on a host that does not answer? */
static bool is_silent(const struct job_hosts *hosts, const char *node)
{
    const size_t length = strcspn(node, "/");
    for (size_t i = 0; i < hosts->count; i++)
        if (!hosts->list[i].answers && strlen(hosts->list[i].name) == length &&
            strncmp(hosts->list[i].name, node, length) == 0)
            return true;
    return false;
}

/* Write the nodes of a host file whose hosts answer.
 * @return false: all nodes do, or the file cannot be written */
static bool write_answering(const struct job_hosts *hosts, const struct nereus_machine *machine,
                            FILE *file)
{
    const int64_t per_process = nereus_machine_cores_per_process(machine);
    bool some = false;
    if (per_process > 1)
        fprintf(file, "cores_per_process %lld\n", (long long)per_process);
    for (int64_t i = 0; i < machine->node_count; i++) {
        const struct nereus_node *node = &machine->nodes[i];
        const bool silent = is_silent(hosts, node->name);
        some = some || silent;
        if (!silent)
            fprintf(file, "%s:%lld%s%s\n", node->name, (long long)(node->cores * per_process),
                    node->allocation[0] != '\0' ? "@" : "", node->allocation);
    }
    return some && !ferror(file);
}

void job_hosts_leave_out(const struct job_hosts *hosts, const char *folder)
{
    const char *given = getenv("NEREUS_HOSTFILE");
    char path[PATH_MAX], unfinished[PATH_MAX];
    struct nereus_machine machine;
    if (given == NULL || *given == '\0' ||
        nereus_machine_from_file(given, &machine, NULL) != NEREUS_OK)
        return;
    snprintf(path, sizeof path, "%s/hosts", folder);
    snprintf(unfinished, sizeof unfinished, "%s/hosts.new", folder);
    FILE *file = fopen(unfinished, "we");
    bool good = file != NULL && write_answering(hosts, &machine, file);
    if (file != NULL)
        good = fclose(file) == 0 && good;
    if (good && rename(unfinished, path) == 0)
        setenv("NEREUS_HOSTFILE", path, 1);
    else
        unlink(unfinished);
    nereus_machine_fini(&machine);
}

void job_hosts_fini(struct job_hosts *hosts)
{
    free(hosts->list);
    *hosts = (struct job_hosts){0};
}
