/** @file machine.c  Examines this machine, without MPI: limits, memory, shared folders, ptrace,
 * nodes. */
/* process_vm_readv */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <signal.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"
#include "model/layout/slurm.h"
#include "model/util/limits.h"
#include "model/util/values.h"
#include "predictor/run/this_machine.h"

/* Below these limits, real jobs fail. */
static const double little_shared_memory_bytes = 256.0 * 1024 * 1024;
enum { FEW_DESCRIPTORS = 4096, FEW_PROCESSES = 1024 };

static void report_cores(struct nereus_doctor *doctor, const struct nereus_limits *limits)
{
    char topology[160], host[64], time[32];
    int64_t usable = nereus_cores_usable();
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    const bool quota = limits->processors.max < (double)online;
    nereus_this_machine_name(host, sizeof host);
    nereus_this_machine_topology(topology, sizeof topology);
    nereus_doctor_add(doctor, usable < online ? NEREUS_FINDING_NOTE : NEREUS_FINDING_OK, "cores",
                      "cores", "%lld may be used here of the %ld of %s%s%s", (long long)usable,
                      online, host, quota ? ", for the time of " : "",
                      quota ? nereus_cores_text(limits->processors.max, time) : "");
    if (quota) {
        nereus_doctor_advise(
            doctor,
            "a control group limits the processor time (%s): calibrate under the limit "
            "that the jobs will have",
            limits->processors.place);
    } else if (usable < online) {
        nereus_doctor_advise(
            doctor, "this shell is bound to some cores (taskset, cgroup, scheduler): calibrate "
                    "within the same bounds as the jobs will have");
    } else {
        nereus_doctor_advise(
            doctor,
            "more than %lld process%s at a time share cores: Nereus warns, and marks such "
            "measurements as oversubscribed",
            (long long)usable, nereus_plural_es(usable));
    }
    if (topology[0] != '\0')
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, "topology", "topology", "%s", topology);
}

/* Describe the nodes on which the probes run. */
static void describe_nodes(struct nereus_doctor *doctor, const struct nereus_machine *machine)
{
    size_t length = 0;
    snprintf(doctor->first_node, sizeof doctor->first_node, "%s:%lld", machine->nodes[0].name,
             (long long)machine->nodes[0].cores);
    while (doctor->nodes < machine->node_count && doctor->nodes < NEREUS_DOCTOR_NODES) {
        length +=
            (size_t)snprintf(doctor->node_list + length, sizeof doctor->node_list - length,
                             "%s%s:1", length > 0 ? "," : "", machine->nodes[doctor->nodes++].name);
    }
}

static void report_allocation(struct nereus_doctor *doctor)
{
    const struct nereus_slurm slurm = nereus_slurm_environment();
    struct nereus_machine machine;
    struct nereus_error err;
    if (nereus_machine_from_environment(&slurm, "this host", nereus_cores_usable(), &machine,
                                        &err) != NEREUS_OK) {
        nereus_doctor_add(doctor, NEREUS_FINDING_FAILED, "allocation", "allocation", "%s",
                          err.text);
        nereus_doctor_advise(doctor, "ask for an allocation anew");
        return;
    }
    if (machine.node_count > 1) {
        describe_nodes(doctor, &machine);
        nereus_doctor_add(doctor, NEREUS_FINDING_OK, "allocation", "allocation",
                          "%lld node%s (%.150s) for %lld process%s", (long long)machine.node_count,
                          nereus_plural_s(machine.node_count), slurm.nodes,
                          (long long)nereus_machine_total_cores(&machine),
                          nereus_plural_es(nereus_machine_total_cores(&machine)));
        nereus_doctor_advise(
            doctor,
            "start jobs with nereus-mpiexec or nereus run, which use all of them; what "
            "follows is tried on %.100s, where nothing else is said",
            machine.nodes[0].name);
    }
    nereus_machine_fini(&machine);
}

/* Report the abilities of a program that srun starts in the same way as this one. */
static void report_step(struct nereus_doctor *doctor)
{
    const bool told = nereus_slurm_has_started_process();
    if (!told && nereus_slurm_count_lone_processes() == 0)
        return;
    nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "step", "programs that srun starts", "%s",
                      told ? "run, and merge lets processes sleep and wakes them; no new process "
                             "can come in, and the job cannot restart itself"
                           : "each process is a job of its own, as MPI is told nothing "
                             "(--mpi=none)");
    nereus_doctor_advise(doctor, "nereus-mpiexec in place of srun, in the same allocation: all "
                                 "methods work; what follows is tried so");
}

static void report_launcher(struct nereus_doctor *doctor)
{
    const char *name = nereus_this_machine_launcher();
    bool alone = strncmp(name, "this host", 9) == 0;
    nereus_doctor_add(doctor, alone ? NEREUS_FINDING_NOTE : NEREUS_FINDING_OK, "launcher",
                      "launcher", "%s", name);
    if (alone) {
        nereus_doctor_advise(
            doctor, "several hosts need ssh without a password between them, or a scheduler");
    } else if (strncmp(name, "Slurm", 5) == 0) {
        report_allocation(doctor);
        report_step(doctor);
    }
}

static void report_memory(struct nereus_doctor *doctor, const struct nereus_limits *limits)
{
    double total_bytes, available_bytes;
    char total[32], available[32], limit[32];
    nereus_this_machine_memory(&total_bytes, &available_bytes);
    const bool limited = limits->bytes.max < total_bytes;
    const double max_bytes = limited ? limits->bytes.max : total_bytes;
    available_bytes = fmin(fmin(available_bytes, limits->bytes.remaining), max_bytes);
    nereus_format_bytes(total_bytes, total);
    nereus_format_bytes(available_bytes, available);
    if (limited) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "memory", "memory",
                          "%s of the %s of this host, of which %s are free",
                          nereus_format_bytes(max_bytes, limit), total, available);
        nereus_doctor_advise(doctor,
                             "a control group limits it (%s): during a redistribution the old and "
                             "the new parts of the data are both in memory",
                             limits->bytes.place);
        return;
    }
    nereus_doctor_add(doctor, NEREUS_FINDING_OK, "memory", "memory", "%s, of which %s are free",
                      total, available);
    nereus_doctor_advise(
        doctor, "during a redistribution the old and the new parts of the data are both in memory");
}

static void check_shared_memory(struct nereus_doctor *doctor)
{
    struct statvfs file_system;
    char size[32], available[32];
    if (statvfs("/dev/shm", &file_system) != 0) {
        nereus_doctor_add(doctor, NEREUS_FINDING_NOTE, "shared_memory", "/dev/shm",
                          "there is none");
        nereus_doctor_advise(doctor,
                             "MPI's shared memory needs it: in a container, mount a tmpfs there");
        return;
    }
    double bytes = (double)file_system.f_blocks * (double)file_system.f_frsize;
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){
            bytes >= little_shared_memory_bytes, "shared_memory", "/dev/shm",
            "give it more (docker run --shm-size=1g): many processes on a node need it"},
        "%s, of which %s are free", nereus_format_bytes(bytes, size),
        nereus_format_bytes((double)file_system.f_bavail * (double)file_system.f_frsize,
                            available));
}

/* Can a process read the memory of a process that is neither its parent nor its child? The data
 * method shared does. */
static bool can_read_sibling(void)
{
    static volatile int64_t number; /* at the same address in both */
    const int64_t wanted = 20260101;
    number = 0;
    const pid_t source = fork();
    if (source == 0) {
        number = wanted;
        alarm(2); /* it ends even if the doctor is killed */
        pause();
        _exit(0);
    }
    const pid_t reader = source > 0 ? fork() : -1;
    if (reader == 0) {
        int64_t got = 0;
        const struct iovec into = {&got, sizeof got},
                           from = {(void *)(uintptr_t)&number, sizeof number};
        for (int i = 0; i < 100 && got != wanted;
             i++) { /* the source may not have written it yet */
            if (process_vm_readv(source, &into, 1, &from, 1, 0) != (ssize_t)sizeof got)
                _exit(1);
            usleep(1000);
        }
        _exit(got == wanted ? 0 : 1);
    }
    int status = -1;
    if (reader > 0)
        waitpid(reader, &status, 0);
    if (source > 0) {
        kill(source, SIGKILL);
        waitpid(source, NULL, 0);
    }
    return reader > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void report_memory_reading(struct nereus_doctor *doctor)
{
    const bool possible = can_read_sibling();
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){possible, "read_memory", "other process' memory",
                              "the data method shared sends messages instead: see ptrace_scope "
                              "(/proc/sys/kernel/yama), or the container's seccomp rules"},
        possible ? "can be read" : "cannot be read");
}

static void report_limit(struct nereus_doctor *doctor, const char *key, const char *title,
                         __rlimit_resource_t resource, rlim_t few, const char *advice)
{
    struct rlimit limit;
    char soft[32], hard[32];
    if (getrlimit(resource, &limit) != 0)
        return;
    snprintf(soft, sizeof soft, limit.rlim_cur == RLIM_INFINITY ? "no limit" : "%llu",
             (unsigned long long)limit.rlim_cur);
    snprintf(hard, sizeof hard, limit.rlim_max == RLIM_INFINITY ? "no limit" : "%llu",
             (unsigned long long)limit.rlim_max);
    bool low = limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < few;
    nereus_doctor_add_check(doctor, (struct nereus_check){!low, key, title, advice},
                            "%s (can be raised to: %s)", soft, hard);
}

/* The limit of processes; threads count, too, so that 1000 are soon used. */
static void check_process_limit(struct nereus_doctor *doctor, const struct nereus_limit *processes)
{
    if (isinf(processes->max))
        return;
    nereus_doctor_add_check(
        doctor,
        (struct nereus_check){
            processes->remaining >= FEW_PROCESSES, "group_processes", "processes of the group",
            "raise it (docker run --pids-limit, TasksMax=): every thread of every rank, "
            "its guard and the launcher's proxies count"},
        "%.0f, of which %.0f are free (%s)", processes->max, processes->remaining,
        processes->place);
}

void nereus_doctor_check_machine(struct nereus_doctor *doctor)
{
    struct nereus_limits limits;
    nereus_limits_read(NULL, &limits);
    doctor->section = "machine";
    report_cores(doctor, &limits);
    report_launcher(doctor);
    report_memory(doctor, &limits);
    check_shared_memory(doctor);
    report_memory_reading(doctor);
    report_limit(
        doctor, "descriptors", "open files", RLIMIT_NOFILE, FEW_DESCRIPTORS,
        "raise it (ulimit -n) before mpiexec: the launcher keeps a pipe for every process that is "
        "spawned");
    report_limit(doctor, "processes", "processes of this user", RLIMIT_NPROC, FEW_PROCESSES,
                 "raise it (ulimit -u): every rank, its guard and the launcher's proxies count");
    check_process_limit(doctor, &limits.processes);
}
