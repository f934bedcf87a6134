/** @file test_limits.c  Limits of control groups, as containers and schedulers show them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/util/arith.h"
#include "model/util/limits.h"

#define DOCKER "/docker/b5f2c0d4a2d8"
#define POD    "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1f.slice"
#define MIB    (1024.0 * 1024.0)

/* A mount of a hierarchy, as mountinfo has it. */
#define V1(root, point, options)                                                                   \
    "33 32 0:29 " root " /sys/fs/cgroup/" point                                                    \
    " ro,nosuid,nodev,noexec,relatime master:15 - cgroup cgroup rw," options "\n"
#define V2(root, point)                                                                            \
    "30 24 0:26 " root " " point                                                                   \
    " rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"

struct row {
    const char *what, *groups, *mounts;
    struct {
        const char *path, *text; /* below sys/fs/cgroup, unless it begins with "/" */
    } files[8];
    double processors, cpuset, bytes, left, processes; /* 0: no limit */
    int64_t cores;                                     /* of 16 */
    const char *place;                                 /* of `processors`; NULL: any */
};

/* Forms of the files: kernel, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1; paths as
 * docker, podman, Kubernetes, systemd and Slurm (slurm.schedmd.com/cgroup_v2.html) make them. */
static const struct row rows[] = {
    {.what = "nothing is known", .cores = 16},
    {.what = "no group limits anything",
     .groups = "0::/init.scope\n",
     .mounts = V2("/", "/sys/fs/cgroup"),
     .files = {{"init.scope/cpu.max", "max 100000\n"}, {"init.scope/memory.max", "max\n"}},
     .cores = 16},
    {.what = "docker --cpus=0.5 --memory=512m, version 2",
     .groups = "0::/\n",
     .mounts = "22 20 0:21 / /proc rw - proc proc rw\n" V2("/", "/sys/fs/cgroup"),
     .files = {{"cpu.max", "50000 100000\n"},
               {"memory.max", "536870912\n"},
               {"memory.current", "104857600\n"},
               {"memory.stat", "anon 62914560\nfile 41943040\ninactive_file 20971520\n"},
               {"pids.max", "max\n"}},
     .processors = 0.5,
     .bytes = 512 * MIB,
     .left = (512 - 100 + 20) * MIB,
     .cores = 1,
     .place = "/sys/fs/cgroup/cpu.max"},
    {.what =
         "docker --cpus=2.5, version 1: the host's path, of which the container's part is mounted",
     .groups = "12:cpuset:" DOCKER "\n4:memory:" DOCKER "\n3:cpu,cpuacct:" DOCKER
               "\n1:name=systemd:" DOCKER "\n0::/system.slice/containerd.service\n",
     .mounts = V1(DOCKER, "systemd", "xattr,name=systemd") V1(DOCKER, "cpu,cpuacct", "cpu,cpuacct")
         V1(DOCKER, "memory", "memory") V1(DOCKER, "cpuset", "cpuset"),
     .files = {{"cpu,cpuacct/cpu.cfs_quota_us", "250000\n"},
               {"cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
               {"cpuset/cpuset.cpus", "0-5,8\n"},
               {"memory/memory.limit_in_bytes", "9223372036854771712\n"},
               {"memory/memory.usage_in_bytes", "104857600\n"},
               {"memory/memory.stat", "cache 4096\nhierarchical_memory_limit 1073741824\n"}},
     .processors = 2.5,
     .cpuset = 7,
     .bytes = 1024 * MIB,
     .cores = 2},
    {.what = "version 1 without limits",
     .groups = "3:cpu,cpuacct:/\n4:memory:/\n",
     .mounts = V1("/", "cpu,cpuacct", "cpu,cpuacct") V1("/", "memory", "memory"),
     .files = {{"cpu,cpuacct/cpu.cfs_quota_us", "-1\n"},
               {"cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
               {"memory/memory.limit_in_bytes", "9223372036854771712\n"},
               {"memory/memory.usage_in_bytes", "5\n"}},
     .cores = 16},
    {.what = "podman, the host's namespace of groups, version 2",
     .groups =
         "0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-4f.scope/container\n",
     .mounts = V2("/", "/sys/fs/cgroup"),
     .files = {{"user.slice/user-1000.slice/user@1000.service/user.slice/libpod-4f.scope/container/"
                "cpu.max",
                "max 100000\n"},
               {"user.slice/user-1000.slice/user@1000.service/user.slice/libpod-4f.scope/cpu.max",
                "300000 100000\n"}},
     .processors = 3,
     .cores = 3},
    {.what = "Kubernetes: the pod has less than its container",
     .groups = "0::" POD "/cri-containerd-9a.scope\n",
     .mounts = V2("/", "/sys/fs/cgroup"),
     .files = {{POD "/cri-containerd-9a.scope/cpu.max", "400000 100000\n"},
               {POD "/cpu.max", "190000 100000\n"},
               {POD "/cri-containerd-9a.scope/memory.max", "1073741824\n"},
               {POD "/cri-containerd-9a.scope/memory.current", "1048576\n"},
               {POD "/memory.max", "2147483648\n"},
               {POD "/memory.current", "2042626048\n"},
               {POD "/pids.max", "1024\n"}},
     .processors = 1.9,
     .bytes = 1024 * MIB,
     .left = 100 * MIB,
     .processes = 1024,
     .cores = 1,
     .place = POD "/cpu.max"},
    {.what = "systemd: CPUQuota=150% of the slice, with another period",
     .groups = "0::/batch.slice/solver.service\n",
     .mounts = V2("/", "/sys/fs/cgroup"),
     .files = {{"batch.slice/cpu.max", "30000 20000\n"},
               {"batch.slice/solver.service/cpu.max", "max 100000\n"}},
     .processors = 1.5,
     .cores = 1},
    {.what = "Slurm, version 1: cores and memory of the job, which are above the task's group",
     .groups = "6:cpuset:/slurm/uid_1000/job_42/step_0\n"
               "5:memory:/slurm/uid_1000/job_42/step_0/task_0\n",
     .mounts = V1("/", "cpuset", "cpuset") V1("/", "memory", "memory"),
     .files = {{"cpuset/slurm/uid_1000/job_42/step_0/cpuset.cpus", "4-7\n"},
               {"cpuset/slurm/uid_1000/job_42/cpuset.cpus", "4-7\n"},
               {"cpuset/cpuset.cpus", "0-63\n"},
               {"memory/slurm/uid_1000/job_42/step_0/memory.limit_in_bytes", "4194304000\n"}},
     .cpuset = 4,
     .bytes = 4194304000.0,
     .cores = 4},
    {.what = "Slurm, version 2, several slurmd on a node",
     .groups = "0::/system.slice/n1_slurmstepd.scope/job_4749/step_0/user/task_0\n",
     .mounts = V2("/", "/sys/fs/cgroup"),
     .files = {{"system.slice/n1_slurmstepd.scope/job_4749/step_0/user/task_0/memory.max", "max\n"},
               {"system.slice/n1_slurmstepd.scope/job_4749/step_0/user/memory.max", "4194304000\n"},
               {"system.slice/n1_slurmstepd.scope/job_4749/cpuset.cpus.effective", "0,2\n"},
               {"system.slice/n1_slurmstepd.scope/job_4749/step_0/cpuset.cpus", "\n"}},
     .cpuset = 2,
     .bytes = 4194304000.0,
     .cores = 2},
    {.what = "both versions: version 2 has no controllers",
     .groups = "3:cpu:/a\n0::/a\n",
     .mounts = V1("/", "cpu", "cpu") V2("/", "/sys/fs/cgroup/unified"),
     .files = {{"cpu/a/cpu.cfs_quota_us", "200000"},
               {"cpu/a/cpu.cfs_period_us", "100000"},
               {"unified/a/cgroup.procs", "1\n"}},
     .processors = 2,
     .cores = 2},
    {.what = "a mount of another part stands before the right one",
     .groups = "3:cpu:/jobs/b\n",
     .mounts = V1("/jobs/a", "other", "cpu") V1("/jobs", "cpu", "cpu"),
     .files = {{"other/cpu.cfs_quota_us", "100000"},
               {"other/cpu.cfs_period_us", "100000"},
               {"cpu/b/cpu.cfs_quota_us", "700000"},
               {"cpu/b/cpu.cfs_period_us", "100000"}},
     .processors = 7,
     .cores = 7},
    {.what = "the group is outside of the namespace: what is mounted is the nearest",
     .groups = "0::/../../other\n",
     .mounts = V2("/", "/sys/fs/cgroup"),
     .files = {{"cpu.max", "400000 100000\n"}},
     .processors = 4,
     .cores = 4},
    {.what = "a colon in a name, a space in the mount's, and a group that has been removed",
     .groups = "0::/jobs/a:b (deleted)\n",
     .mounts = V2("/", "/sys/fs/cgroup/two\\040words"),
     .files = {{"two words/jobs/cpu.max", "199999 100000\n"}},
     .processors = 1.99999,
     .cores = 2},
    {.what = "files that cannot be understood limit nothing",
     .groups = "no colon\n0::/\n7:cpu\n\n",
     .mounts = "- \n1 2 3\n1 2 0:1 / /x - cgroup2\n" V2("/", "/sys/fs/cgroup"),
     .files = {{"cpu.max", "lots\n"}, {"memory.max", "-4\n"}, {"cpuset.cpus.effective", "7-3,x\n"}},
     .cores = 16},
};

/* Every test works in an empty folder of its own. */
static char folder[] = "test-limits-XXXXXX";

static int remove_one(const char *path, const struct stat *file_status, int type, struct FTW *at)
{
    (void)file_status, (void)type, (void)at;
    return remove(path);
}

static void put(const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    for (char *slash = whole; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        cr_assert(mkdir(whole, 0700) == 0 || errno == EEXIST, "%s", whole);
    }
    FILE *stream = fopen(whole, "w");
    cr_assert(stream != NULL && fputs(text, stream) >= 0 && fclose(stream) == 0, "%s", whole);
}

static void expect(const char *row, const char *what, const struct nereus_limit *limit,
                   double wanted)
{
    cr_expect(wanted == 0 ? isinf(limit->max) : fabs(limit->max - wanted) < 1e-9 * wanted,
              "%s: %s %g, not %g", row, what, limit->max, wanted);
    cr_expect((limit->place[0] != '\0') == (wanted != 0), "%s: %s is from '%s'", row, what,
              limit->place);
}

static void check(const struct row *row)
{
    struct nereus_limits limits;
    char path[256];
    strcpy(folder, "test-limits-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    if (row->groups != NULL) {
        put("proc/self/cgroup", row->groups);
        put("proc/self/mountinfo", row->mounts);
    }
    for (int i = 0; i < 8 && row->files[i].path != NULL; i++) {
        snprintf(path, sizeof path, "sys/fs/cgroup/%s", row->files[i].path);
        put(path, row->files[i].text);
    }
    nereus_limits_read(folder, &limits);
    expect(row->what, "processors", &limits.processors, row->processors);
    expect(row->what, "cpuset", &limits.cpuset, row->cpuset);
    expect(row->what, "bytes", &limits.bytes, row->bytes);
    expect(row->what, "processes", &limits.processes, row->processes);
    cr_expect(row->left == 0 ? isinf(limits.bytes.remaining) : limits.bytes.remaining == row->left,
              "%s: %g left", row->what, limits.bytes.remaining);
    cr_expect(nereus_limits_cores(&limits, 16) == row->cores, "%s: %lld cores", row->what,
              (long long)nereus_limits_cores(&limits, 16));
    cr_expect(row->place == NULL || strstr(limits.processors.place, row->place) != NULL, "%s: '%s'",
              row->what, limits.processors.place);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

Test(limits, of_containers_and_schedulers)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        check(&rows[i]);
}

Test(limits, a_long_line_of_mounts_is_read)
{
    /* An overlay of many layers stands before the group. */
    char *mounts = malloc(70000), text[32];
    memset(mounts, 'l', 70000);
    memcpy(mounts, "1 2 0:1 / /o - overlay overlay lowerdir=", 40);
    strcpy(mounts + 60000, "\n" V2("/", "/sys/fs/cgroup"));
    struct row row = {.what = "a long line",
                      .groups = "0::/\n",
                      .mounts = mounts,
                      .files = {{"cpu.max", "400000 100000\n"}},
                      .processors = 4,
                      .cores = 4};
    check(&row);
    free(mounts);
    cr_expect_str_eq(nereus_cores_text(0.5, text), "0.5 cores");
    cr_expect_str_eq(nereus_cores_text(1.0, text), "1 core");
}
