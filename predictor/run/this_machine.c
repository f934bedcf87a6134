/** @file this_machine.c  Finds facts about this machine, without MPI. */
#include "this_machine.h"

#include <netdb.h>
#include <time.h>
#include <unistd.h>

#include "model/util/file.h"
#include "model/util/limits.h"
#include "nereus_mpi_config.h"
#include "predictor/run/child.h"

void nereus_this_machine_name(char *name, size_t bytes)
{
    if (gethostname(name, bytes) != 0)
        snprintf(name, bytes, "unknown");
    name[bytes - 1] = '\0';
}

const char *nereus_this_machine_launcher(void)
{
    /* The variables by which launchers recognise a scheduler. */
    static const struct {
        const char *variable, *launcher;
    } schedulers[] = {
        {"SLURM_JOB_ID", "Slurm (srun)"},
        {"PBS_JOBID", "PBS"},
        {"LSB_JOBID", "LSF"},
        {"PE_HOSTFILE", "Grid Engine"},
        {"COBALT_JOBID", "Cobalt"},
        {"LOADL_HOSTFILE", "LoadLeveler"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(schedulers); i++)
        if (getenv(schedulers[i].variable) != NULL)
            return schedulers[i].launcher;
    return nereus_program_is_on_path("ssh") ? "ssh" : "this host only (no ssh)";
}

bool nereus_this_machine_is_virtual(void)
{
    char word[64] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && strcmp(word, "hypervisor") != 0 && fscanf(file, "%63s", word) == 1) {
    }
    if (file != NULL)
        fclose(file);
    return strcmp(word, "hypervisor") == 0;
}

void nereus_this_machine_memory(double *total_bytes, double *available_bytes)
{
    char line[256];
    double kibi;
    *total_bytes = *available_bytes = 0.0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemTotal: %lf", &kibi) == 1)
            *total_bytes = 1024.0 * kibi;
        else if (sscanf(line, "MemAvailable: %lf", &kibi) == 1)
            *available_bytes = 1024.0 * kibi;
    if (file != NULL)
        fclose(file);
}

int64_t nereus_this_machine_segments(void)
{
    char line[512];
    unsigned uid;
    int64_t count = 0;
    FILE *file = fopen("/proc/sysvipc/shm", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        count += sscanf(line, "%*d %*d %*o %*u %*d %*d %*u %u", &uid) == 1 && uid == getuid();
    if (file != NULL)
        fclose(file);
    return count;
}

/* CPU limit of the control group, in cores; 0: none. */
static double count_allowed_processors(void)
{
    struct nereus_limits limits;
    nereus_limits_read(NULL, &limits);
    const double max = limits.processors.max;
    return max < (double)sysconf(_SC_NPROCESSORS_ONLN) ? max : 0.0;
}

/* NEREUS_MPI names the folder of another MPI than that of the build. */
static void find_mpi_name(char *name, size_t bytes)
{
    const char *folder = getenv("NEREUS_MPI");
    char path[4096], line[300];
    snprintf(name, bytes, "%s", NEREUS_MPI_VERSION_STRING);
    snprintf(path, sizeof path, "%s/mpi.env", folder != NULL ? folder : "");
    FILE *file = folder != NULL ? fopen(path, "r") : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "NEREUS_MPI_VERSION=", 19) == 0)
            snprintf(name, bytes, "%.*s", (int)strcspn(line + 19, "\n"), line + 19);
    if (file != NULL)
        fclose(file);
}

void nereus_this_machine_provenance(const struct nereus_machine *machine, const char *cluster,
                                    struct nereus_provenance *provenance)
{
    const time_t now = time(NULL);
    struct tm utc;
    *provenance = (struct nereus_provenance){
        .cores_per_node = machine->cores_per_node * nereus_machine_cores_per_process(machine),
        .nodes = machine->node_count,
        .processors = count_allowed_processors()};
    snprintf(provenance->cluster, sizeof provenance->cluster, "%s", cluster);
    nereus_this_machine_name(provenance->host, sizeof provenance->host);
    if (gmtime_r(&now, &utc) != NULL)
        strftime(provenance->date, sizeof provenance->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    find_mpi_name(provenance->mpi, sizeof provenance->mpi);
    snprintf(provenance->launcher, sizeof provenance->launcher, "%s",
             nereus_this_machine_launcher());
    snprintf(provenance->machine_kind, sizeof provenance->machine_kind, "%s",
             nereus_this_machine_is_virtual() ? NEREUS_MACHINE_VIRTUAL : NEREUS_MACHINE_DEDICATED);
}

void nereus_node_host(const struct nereus_machine *machine, int64_t node,
                      char host[NEREUS_NODE_NAME_MAX])
{
    snprintf(host, NEREUS_NODE_NAME_MAX, "%s", machine->nodes[node].name);
    host[strcspn(host, "/")] = '\0';
}

enum nereus_status nereus_this_machine_check_hosts(const struct nereus_machine *machine,
                                                   const char *file, struct nereus_error *err)
{
    enum { LOOKUPS_MAX = 64 };
    char own_host[NEREUS_NODE_NAME_MAX] = "", last[NEREUS_NODE_NAME_MAX] = "";
    nereus_this_machine_name(own_host, sizeof own_host);
    for (int64_t i = 0, lookups = 0; i < machine->node_count && lookups < LOOKUPS_MAX; i++) {
        char host[NEREUS_NODE_NAME_MAX];
        struct addrinfo *found = NULL;
        nereus_node_host(machine, i, host);
        if (strcmp(host, own_host) == 0 || strcmp(host, last) == 0)
            continue;
        lookups++;
        snprintf(last, sizeof last, "%s", host);
        if (getaddrinfo(host, NULL, NULL, &found) != 0) {
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "%s: the host '%s' is not known on %s: no process can be started there", file, host,
                own_host);
        }
        freeaddrinfo(found);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_launch_hosts_write(const struct nereus_machine *machine, const char *path,
                                             struct nereus_error *err)
{
    struct nereus_file_replace file;
    NEREUS_TRY(nereus_file_replace_begin(path, &file, err));
    file.transient = true;
    for (int64_t node = 0; node < machine->node_count;) {
        char name[NEREUS_NODE_NAME_MAX], other[NEREUS_NODE_NAME_MAX];
        int64_t cores = 0;
        nereus_node_host(machine, node, name);
        do {
            cores += machine->nodes[node++].cores;
            nereus_node_host(machine, node < machine->node_count ? node : 0, other);
        } while (node < machine->node_count && strcmp(name, other) == 0);
        fprintf(file.stream, "%s:%lld\n", name, (long long)cores);
    }
    return nereus_file_replace_commit(&file, err);
}
