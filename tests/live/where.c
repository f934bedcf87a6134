#include "where.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nereus/jobstate.h"
#include "nereus/layout.h"

/* What each process sends to rank 0. */
struct place {
    char host[64];
    cpu_set_t start, current;
};

static cpu_set_t at_start;

int where_begin(void)
{
    CPU_ZERO(&at_start);
    sched_getaffinity(0, sizeof at_start, &at_start);
    return CPU_COUNT(&at_start);
}

/* ---- what is expected ------------------------------------------------------------------------ */

/* Expected placement of the processes. */
struct layout {
    struct nereus_machine machine;
    struct nereus_jobstate state; /* as the job has written it; empty: compact placement */
};

/* The node on which a rank should be. */
static int64_t expected_node(const struct layout *layout, int rank)
{
    return layout->state.segment_count > 0 ? nereus_jobstate_node_of(&layout->state, rank)
                                           : nereus_machine_node_of(&layout->machine, rank);
}

static int64_t processes_on(const struct layout *layout, int size, int64_t node)
{
    int64_t count = 0;
    for (int rank = 0; rank < size; rank++)
        count += expected_node(layout, rank) == node;
    return count;
}

/* The job's machine from its state file; else from the host file, or this host with what rank 0 may
 * use. */
static int read_layout(int size, struct layout *layout)
{
    struct nereus_machine *machine = &layout->machine;
    const char *state = getenv("NEREUS_STATE");
    const char *hostfile = getenv("NEREUS_HOSTFILE"), *each = getenv("NEREUS_CORES_PER_PROCESS");
    struct nereus_error err;
    enum nereus_status status =
        hostfile != NULL ? nereus_machine_from_file(hostfile, machine, &err)
                         : nereus_machine_single("localhost", CPU_COUNT(&at_start), machine, &err);
    if (status == NEREUS_OK && each != NULL)
        status = nereus_machine_set_per_process(machine, atoll(each), &err);
    if (status == NEREUS_OK && state != NULL) {
        nereus_machine_fini(machine);
        status = nereus_jobstate_read_machine(state, machine, &err);
    }
    if (status == NEREUS_OK && state != NULL)
        status = nereus_jobstate_read(state, &layout->state, &err);
    if (status == NEREUS_OK && state != NULL && nereus_jobstate_processes(&layout->state) != size)
        status = nereus_fail(&err, NEREUS_ERR_ARGUMENT, "%s tells of %lld processes, not of %d",
                             state, (long long)nereus_jobstate_processes(&layout->state), size);
    for (int rank = 0; rank < size && status == NEREUS_OK; rank++)
        if (expected_node(layout, rank) < 0 || expected_node(layout, rank) >= machine->node_count)
            status = nereus_fail(&err, NEREUS_ERR_ARGUMENT, "rank %d is on no node", rank);
    if (status != NEREUS_OK)
        fprintf(stderr, "where: %s\n", err.text);
    return status == NEREUS_OK;
}

/* ---- what is --------------------------------------------------------------------------------- */

/* Union of the affinity masks of this process' threads. */
static void read_affinity(cpu_set_t *set)
{
    const struct dirent *entry;
    DIR *threads = opendir("/proc/self/task");
    sched_getaffinity(0, sizeof *set, set);
    while (threads != NULL && (entry = readdir(threads)) != NULL) {
        cpu_set_t thread;
        if (atoi(entry->d_name) > 0 &&
            sched_getaffinity(atoi(entry->d_name), sizeof thread, &thread) == 0)
            CPU_OR(set, set, &thread);
    }
    if (threads != NULL)
        closedir(threads);
}

/* As the kernel writes it: "0-2,5". */
static void list_cpus(const cpu_set_t *set, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t cpu = 0; cpu < CPU_SETSIZE && length + 16 < size; cpu++) {
        size_t last = cpu;
        if (!CPU_ISSET(cpu, set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
            last++;
        length += (size_t)snprintf(text + length, size - length, last > cpu ? "%s%zu-%zu" : "%s%zu",
                                   length > 0 ? "," : "", cpu, last);
        cpu = last;
    }
}

/* Processors with equal lists share a core; one without a list is a core. */
static void siblings(size_t cpu, char *text, int size)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list",
             cpu);
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(text, size, file) == NULL)
        snprintf(text, (size_t)size, "%zu", cpu);
    if (file != NULL)
        fclose(file);
}

/* Each core counts at the first of its processors in the set. */
static int count_cores(const cpu_set_t *set)
{
    int count = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        char own_siblings[256], other[256];
        size_t first = 0;
        if (!CPU_ISSET(cpu, set))
            continue;
        siblings(cpu, own_siblings, sizeof own_siblings);
        for (; first < cpu; first++) {
            siblings(first, other, sizeof other);
            if (CPU_ISSET(first, set) && strcmp(own_siblings, other) == 0)
                break;
        }
        count += first == cpu;
    }
    return count;
}

int where_spare(void)
{
    const struct dirent *entry;
    cpu_set_t process, thread, both;
    int found = 0;
    DIR *threads = opendir("/proc/self/task");
    sched_getaffinity(0, sizeof process, &process);
    while (threads != NULL && (entry = readdir(threads)) != NULL && !found)
        if (atoi(entry->d_name) > 0 &&
            sched_getaffinity(atoi(entry->d_name), sizeof thread, &thread) == 0) {
            CPU_AND(&both, &process, &thread);
            found =
                CPU_EQUAL(&both, &thread) && count_cores(&thread) == 1 && count_cores(&process) > 1;
        }
    if (threads != NULL)
        closedir(threads);
    return found;
}

static int overlap(const cpu_set_t *left, const cpu_set_t *right)
{
    cpu_set_t both;
    CPU_AND(&both, left, right);
    return CPU_COUNT(&both) > 0;
}

static int is_on_host(const struct place *place, const char *node_name)
{
    const size_t length = strcspn(node_name, "/");
    return strncmp(node_name, "localhost", length) == 0 ||
           (strlen(place->host) == length && strncmp(place->host, node_name, length) == 0);
}

/* ---- the comparison -------------------------------------------------------------------------- */

static const char *fault_of(const struct layout *layout, const struct place *places, int size,
                            int rank, const char *expected)
{
    const struct place *own_place = &places[rank];
    const struct nereus_machine *machine = &layout->machine;
    const int64_t node = expected_node(layout, rank), cores = machine->nodes[node].cores;
    const int shared = processes_on(layout, size, node) > cores;
    if (!is_on_host(own_place, machine->nodes[node].name))
        return "not on its node's host";
    if (strcmp(expected, "host") == 0)
        return NULL;
    if (strcmp(expected, "free") == 0 || (shared && machine->slots == 0))
        return CPU_EQUAL(&own_place->current, &own_place->start) ? NULL : "not as it was started";
    const int64_t each = nereus_machine_cores_per_process(machine);
    if (!shared && count_cores(&own_place->current) != each)
        return "not on as many cores as a process takes";
    if (shared && CPU_COUNT(&own_place->current) < cores * each)
        return "not on all cores of its node";
    for (int other = 0; other < size; other++)
        if (other != rank && strcmp(places[other].host, own_place->host) == 0 &&
            (!shared || expected_node(layout, other) != node) &&
            overlap(&places[other].current, &own_place->current))
            return "shares a core";
    return NULL;
}

static int compare(const struct place *places, int size, const char *expected)
{
    struct layout layout = {0};
    int errors = 0;
    if (!read_layout(size, &layout))
        return 1;
    for (int rank = 0; rank < size; rank++) {
        char cpus[256];
        const char *fault = fault_of(&layout, places, size, rank, expected);
        list_cpus(&places[rank].current, cpus, sizeof cpus);
        printf("where: rank %d of %d, node %s: on %s, processors %s%s%s\n", rank, size,
               layout.machine.nodes[expected_node(&layout, rank)].name, places[rank].host, cpus,
               fault != NULL ? ": WRONG, " : "", fault != NULL ? fault : "");
        errors += fault != NULL;
    }
    nereus_machine_fini(&layout.machine);
    nereus_jobstate_fini(&layout.state);
    return errors;
}

int where_check(const nereus_job *job, const char *expected)
{
    const int rank = nereus_rank(job), size = nereus_size(job);
    struct place own_place = {.start = at_start}, *places = calloc((size_t)size, sizeof *places);
    int errors = 0;
    if (places == NULL)
        MPI_Abort(MPI_COMM_WORLD, 9);
    gethostname(own_place.host, sizeof own_place.host - 1);
    read_affinity(&own_place.current);
    MPI_Gather(&own_place, (int)sizeof own_place, MPI_BYTE, places, (int)sizeof own_place, MPI_BYTE,
               0, nereus_comm(job));
    if (rank == 0)
        errors = compare(places, size, expected);
    free(places);
    return errors;
}

/* ---- speeds ---------------------------------------------------------------------------------- */

static double speed_of(const char *speeds, const char *node)
{
    const size_t length = strlen(node);
    for (const char *position = speeds; (position = strstr(position, node)) != NULL;
         position += length)
        if (position[length] == ':')
            return atof(position + length + 1);
    return 1;
}

static void print_shares(const struct layout *layout, int size, const int64_t *elements)
{
    int64_t total = 0;
    for (int rank = 0; rank < size; rank++)
        total += elements[rank];
    for (int rank = 0; rank < size; rank++)
        printf("where: rank %d of %d, node %s: %.3g %% of the elements\n", rank, size,
               layout->machine.nodes[expected_node(layout, rank)].name,
               100 * (double)elements[rank] / (double)(total > 0 ? total : 1));
}

double where_speed(const nereus_job *job, const char *speeds, int64_t elements)
{
    const int size = nereus_size(job);
    struct layout layout = {0};
    double own_value = 0, *values = calloc((size_t)size, sizeof *values);
    int64_t *counts = calloc((size_t)size, sizeof *counts);
    if (values == NULL || counts == NULL)
        MPI_Abort(MPI_COMM_WORLD, 9);
    MPI_Gather(&elements, 1, MPI_INT64_T, counts, 1, MPI_INT64_T, 0, nereus_comm(job));
    if (nereus_rank(job) == 0 && read_layout(size, &layout)) {
        for (int rank = 0; rank < size; rank++)
            values[rank] =
                speed_of(speeds, layout.machine.nodes[expected_node(&layout, rank)].name);
        print_shares(&layout, size, counts);
        nereus_machine_fini(&layout.machine);
        nereus_jobstate_fini(&layout.state);
    }
    MPI_Scatter(values, 1, MPI_DOUBLE, &own_value, 1, MPI_DOUBLE, 0, nereus_comm(job));
    free(values);
    free(counts);
    return own_value;
}
