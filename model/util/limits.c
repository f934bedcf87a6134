/**
 * @file limits.c
 * Reads the limits of control groups. /proc/self/cgroup names a group in each hierarchy, as a path
 * below its root; mountinfo says where a hierarchy, or a part of it, is mounted:
 *
 *     version 2:  0::/system.slice/a.service         ... / /sys/fs/cgroup ... - cgroup2 ...
 *     version 1:  4:cpu,cpuacct:/docker/ID           ... /docker/ID /sys/fs/cgroup/cpu ... - cgroup
 *
 * A container with its own namespace sees "/" as its group; without one it has the host's path, and
 * only its own part is mounted. If the path is not in what is mounted, the group at the mount point
 * is used, the nearest visible one. Kernel: Documentation/admin-guide/cgroup-v2.rst,
 * cgroup-v1/{memory,cpusets,pids}.rst, scheduler/sched-bwc.rst.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "limits.h"

#include <sched.h>
#include <unistd.h>

#include "file.h"

/* Read a file; the caller frees the text.
 * @return NULL: no such file */
static char *read_text(const char *folder, const char *name)
{
    char path[PATH_MAX], *text = NULL;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path ||
        nereus_file_read(path, "control group", &text, NULL, NULL) != NEREUS_OK)
        return NULL;
    return text;
}

/* Read numbers such as "50000 100000"; "max" is INFINITY.
 * @return their number */
static int read_numbers(const char *folder, const char *name, double values[2])
{
    char *text = read_text(folder, name), *position = text, *end;
    int count = 0;
    for (; position != NULL && count < 2; position = end, count++) {
        values[count] = nereus_strtod(position, &end);
        if (end == position && strncmp(position, "max", 3) == 0) {
            values[count] = INFINITY;
            end = position + 3;
        }
        if (end == position || isnan(values[count]))
            break;
    }
    free(text);
    return count;
}

/* Read the value of a line "key value"; below 0: no such line. */
static double read_value(const char *folder, const char *name, const char *key)
{
    char *text = read_text(folder, name), *rest = text, *line;
    double value = -1.0;
    const size_t length = strlen(key);
    while (text != NULL && (line = strsep(&rest, "\n")) != NULL)
        if (strncmp(line, key, length) == 0 && line[length] == ' ')
            value = nereus_strtod(line + length, NULL);
    free(text);
    return value;
}

/* Count the processors in a list "0-3,8,10-11". */
static double count_listed(const char *folder, const char *name)
{
    char *text = read_text(folder, name), *rest = text, *word;
    double count = 0.0;
    while (text != NULL && (word = strsep(&rest, ",\n")) != NULL) {
        int first, last;
        const int found = sscanf(word, "%d-%d", &first, &last);
        count += found == 2 && last >= first ? last - first + 1 : found == 1;
    }
    free(text);
    return count;
}

/* Version 1 writes "no limit" of memory as the last page below 2^63; half of that counts as no
 * limit, too. */
static const double no_limit = 0x1p62;

/* @param used  below 0: not known */
static void add_limit(struct nereus_limit *limit, double max, double used, const char *folder,
                      const char *name)
{
    if (!(max > 0.0) || max >= no_limit)
        return;
    if (max < limit->max) {
        limit->max = max;
        snprintf(limit->place, sizeof limit->place, "%s/%s", folder, name);
    }
    if (used >= 0.0)
        limit->remaining = fmin(limit->remaining, fmax(0.0, max - used));
}

static void add_number(struct nereus_limit *limit, const char *folder, const char *max,
                       const char *used)
{
    double values[2], in_use[2];
    if (read_numbers(folder, max, values) >= 1)
        add_limit(limit, values[0], read_numbers(folder, used, in_use) >= 1 ? in_use[0] : -1.0,
                  folder, max);
}

/* Cached pages of files count as used, but the kernel drops them when memory is needed. */
static void add_memory(struct nereus_limit *limit, const char *folder, const char *max,
                       const char *used, const char *droppable)
{
    double values[2], in_use[2];
    if (read_numbers(folder, max, values) < 1)
        return;
    const double cache = read_value(folder, "memory.stat", droppable);
    const bool known = read_numbers(folder, used, in_use) >= 1;
    add_limit(limit, values[0], known ? fmax(0.0, in_use[0] - fmax(0.0, cache)) : -1.0, folder,
              max);
}

static void add_cpu(struct nereus_limits *limits, const char *folder)
{
    double quota[2], period[2];
    if (read_numbers(folder, "cpu.cfs_quota_us", quota) >= 1 &&
        read_numbers(folder, "cpu.cfs_period_us", period) >= 1 && period[0] > 0.0)
        add_limit(&limits->processors, quota[0] / period[0], -1.0, folder, "cpu.cfs_quota_us");
}

static void add_cpuset(struct nereus_limits *limits, const char *folder)
{
    static const char *const names[] = {"cpuset.effective_cpus", "cpuset.cpus"};
    for (size_t i = 0; i < NEREUS_COUNT_OF(names); i++)
        add_limit(&limits->cpuset, count_listed(folder, names[i]), -1.0, folder, names[i]);
}

static void add_memory_v1(struct nereus_limits *limits, const char *folder)
{
    add_memory(&limits->bytes, folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
               "total_inactive_file");
    /* includes groups above that are not visible here */
    add_limit(&limits->bytes, read_value(folder, "memory.stat", "hierarchical_memory_limit"), -1.0,
              folder, "memory.stat");
}

static void add_pids(struct nereus_limits *limits, const char *folder)
{
    add_number(&limits->processes, folder, "pids.max", "pids.current");
}

static void add_unified(struct nereus_limits *limits, const char *folder)
{
    double quota[2];
    if (read_numbers(folder, "cpu.max", quota) == 2 && quota[1] > 0.0)
        add_limit(&limits->processors, quota[0] / quota[1], -1.0, folder, "cpu.max");
    add_limit(&limits->cpuset, count_listed(folder, "cpuset.cpus.effective"), -1.0, folder,
              "cpuset.cpus.effective");
    add_memory(&limits->bytes, folder, "memory.max", "memory.current", "inactive_file");
    add_pids(limits, folder);
}

struct hierarchy {
    const char *controller; /* NULL: version 2, which has all */
    void (*look)(struct nereus_limits *limits, const char *folder);
};

static const struct hierarchy hierarchies[] = {
    {NULL, add_unified},       {"cpu", add_cpu},   {"cpuset", add_cpuset},
    {"memory", add_memory_v1}, {"pids", add_pids},
};

static bool has_word(const char *list, size_t length, const char *word)
{
    const size_t wanted = strlen(word);
    for (size_t offset = 0; offset < length; offset += strcspn(list + offset, ",") + 1)
        if (strcspn(list + offset, ",:\n ") == wanted && strncmp(list + offset, word, wanted) == 0)
            return true;
    return false;
}

/* @return false: the process is in no group of this hierarchy */
static bool find_path(const char *groups, const char *controller, char path[PATH_MAX])
{
    for (const char *line = groups; line != NULL && *line != '\0';) {
        const char *list = strchr(line, ':'), *end = line + strcspn(line, "\n");
        const char *colon = list != NULL && list < end ? strchr(list + 1, ':') : NULL;
        if (colon != NULL && colon < end &&
            (controller == NULL ? colon == list + 1
                                : has_word(list + 1, (size_t)(colon - list - 1), controller)))
            return snprintf(path, PATH_MAX, "%.*s", (int)(end - colon - 1), colon + 1) < PATH_MAX;
        line = *end == '\n' ? end + 1 : end;
    }
    return false;
}

/* mountinfo writes a space as \040. */
static void decode_octal(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        unsigned code;
        if (from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1 &&
            strspn(from + 1, "01234567") > 2) {
            *to++ = (char)code;
            from += 3;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/* Get the path below the root of a mount; NULL: the group is not below this root. */
static const char *strip_root(const char *path, const char *root)
{
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(path, root, length) != 0 || strstr(path + length, "/..") != NULL ||
        (path[length] != '/' && path[length] != '\0'))
        return NULL;
    return strcmp(path + length, "/") == 0 ? "" : path + length;
}

/* Copy word n of a line, from 0; to be freed. NULL: the line has fewer. */
static char *copy_word(const char *line, int n)
{
    while (n-- > 0) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return *line != '\0' ? strndup(line, strcspn(line, " ")) : NULL;
}

/* Does a line of mountinfo describe a mount of the hierarchy? */
static bool is_mount_of(const char *line, const char *controller)
{
    const char *dash = strstr(line, " - ");
    if (dash == NULL)
        return false;
    char *type = copy_word(dash + 3, 0), *options = copy_word(dash + 3, 2);
    const bool is = type != NULL && options != NULL &&
                    (controller == NULL ? strcmp(type, "cgroup2") == 0
                                        : strcmp(type, "cgroup") == 0 &&
                                              has_word(options, strlen(options), controller));
    free(type);
    free(options);
    return is;
}

/* Find the folder of a group: best in a mount that contains the group, else in a mount of another
 * part of the hierarchy.
 * @return length of the mount point; 0: nowhere */
static size_t find_folder(const char *prefix, const char *mounts, const char *controller,
                          const char *path, char folder[PATH_MAX])
{
    size_t length = 0;
    bool found = false;
    char *copy = strdup(mounts), *rest = copy, *line;
    while (copy != NULL && !found && (line = strsep(&rest, "\n")) != NULL) {
        char *root = copy_word(line, 3), *point = copy_word(line, 4);
        if (root != NULL && point != NULL && is_mount_of(line, controller)) {
            decode_octal(root);
            decode_octal(point);
            const char *below = strip_root(path, root);
            found = below != NULL;
            if ((found || length == 0) &&
                snprintf(folder, PATH_MAX, "%s%s%s", prefix, point, found ? below : "") < PATH_MAX)
                length = strlen(prefix) + strlen(point);
        }
        free(root);
        free(point);
    }
    free(copy);
    return length;
}

/* Add the limits of all groups from this one up to the mount point. */
static void add_all_groups(const struct hierarchy *h, struct nereus_limits *limits, char *folder,
                           size_t mount_length)
{
    for (;;) {
        h->look(limits, folder);
        char *cut = strrchr(folder, '/');
        if (cut == NULL || (size_t)(cut - folder) < mount_length)
            return;
        *cut = '\0';
    }
}

void nereus_limits_read(const char *root, struct nereus_limits *limits)
{
    static const struct nereus_limit none = {INFINITY, INFINITY, ""};
    char path[PATH_MAX], folder[PATH_MAX];
    const char *test = getenv("NEREUS_TEST_ROOT");
    const char *prefix = root != NULL ? root : test != NULL ? test : "";
    *limits = (struct nereus_limits){none, none, none, none};
    char *groups = read_text(prefix, "proc/self/cgroup");
    char *mounts = read_text(prefix, "proc/self/mountinfo");
    for (size_t i = 0; i < NEREUS_COUNT_OF(hierarchies) && mounts != NULL; i++) {
        const struct hierarchy *h = &hierarchies[i];
        if (find_path(groups, h->controller, path)) {
            const size_t length = find_folder(prefix, mounts, h->controller, path, folder);
            if (length > 0)
                add_all_groups(h, limits, folder, length);
        }
    }
    free(groups);
    free(mounts);
}

int64_t nereus_limits_cores(const struct nereus_limits *limits, int64_t count)
{
    /* Quotas are rounded to microseconds: 199999 of 100000 are two cores. */
    static const double rounding = 0.001;
    double cores = fmin((double)count, fmin(limits->cpuset.max, limits->processors.max));
    return cores < 1.0 ? 1 : (int64_t)floor(cores + rounding);
}

int64_t nereus_cores_within_limits(int64_t count)
{
    struct nereus_limits limits;
    nereus_limits_read(NULL, &limits);
    return nereus_limits_cores(&limits, count);
}

int64_t nereus_cores_usable(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return nereus_cores_within_limits(CPU_COUNT(&set));
    return nereus_cores_within_limits(sysconf(_SC_NPROCESSORS_ONLN));
}

char *nereus_cores_text(double cores, char text[32])
{
    nereus_snprintf(text, 32, "%.3g core%s", cores, cores == 1.0 ? "" : "s");
    return text;
}
