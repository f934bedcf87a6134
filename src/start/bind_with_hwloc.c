/**
 * @file bind_with_hwloc.c
 * Binds each active process with all its threads to the cores that the plan's layout gives it
 * (bind_choice.h). Repeated after each reconfiguration, as the processes of a node change. The
 * initial affinity (control group, taskset, launcher) is never exceeded, and restored at the end.
 * The auxiliary thread of an asynchronous method gets the last of several cores, so that it does
 * not slow the application down, which should compute with one thread fewer.
 *
 * An affinity belongs to the whole process, and so does the state here; main thread only.
 */
#include <hwloc.h>
#include <unistd.h>

#include "bind.h"
#include "bind_choice.h"
#include "hosts.h"

static struct {
    bool is_loaded;
    hwloc_topology_t topology; /* cores and threads only; NULL: not available, nothing is bound */
    hwloc_cpuset_t inherited;  /* initial affinity */
    hwloc_cpuset_t current;    /* present binding */
    hwloc_cpuset_t spare;      /* last of several own cores; else empty */
} this_host;

/* ---- this host's cores ----------------------------------------------------------------------- */

/* hwloc loads its plugins (graphics, OpenCL, ...) in the first call. That takes most of the time,
 * and none of them is needed. The environment is changed only before MPI has started threads. */
static int open_topology(bool may_set_environment)
{
    static const char plugins[] = "HWLOC_PLUGINS_PATH";
    const bool hide = may_set_environment && getenv(plugins) == NULL;
    /* hwloc's x86 component binds the caller to each core in turn, and on shared cores waits for
     * each of them, here and again inside MPICH. The Linux component has the same information. */
#if defined(__x86_64__) || defined(__i386__)
    if (may_set_environment)
        setenv("HWLOC_COMPONENTS", "-x86", 0);
#endif
    if (hide)
        setenv(plugins, "/dev/null", 0);
    const int failed = hwloc_topology_init(&this_host.topology);
    if (hide)
        unsetenv(plugins);
    return failed;
}

static void free_all(void)
{
    hwloc_bitmap_free(this_host.inherited);
    hwloc_bitmap_free(this_host.current);
    hwloc_bitmap_free(this_host.spare);
    hwloc_topology_destroy(this_host.topology);
    this_host.topology = NULL;
}

static int load_topology(bool may_set_environment)
{
    if (open_topology(may_set_environment) != 0) {
        this_host.topology = NULL;
        return -1;
    }
    hwloc_topology_set_all_types_filter(this_host.topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(this_host.topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    this_host.inherited = hwloc_bitmap_alloc();
    this_host.current = hwloc_bitmap_alloc();
    this_host.spare = hwloc_bitmap_alloc();
    if (this_host.inherited != NULL && this_host.current != NULL && this_host.spare != NULL &&
        hwloc_topology_load(this_host.topology) == 0 &&
        hwloc_get_cpubind(this_host.topology, this_host.inherited, HWLOC_CPUBIND_THREAD) == 0 &&
        hwloc_bitmap_copy(this_host.current, this_host.inherited) == 0)
        return 0;
    free_all();
    return -1;
}

bool nereus_bind_is_supported(void)
{
    return true;
}

void nereus_bind_store_initial(bool before_mpi)
{
    if (this_host.is_loaded)
        return;
    this_host.is_loaded = true;
    load_topology(before_mpi);
}

void nereus_bind_restore(void)
{
    if (this_host.topology != NULL) {
        if (!hwloc_bitmap_isequal(this_host.current, this_host.inherited))
            hwloc_set_cpubind(this_host.topology, this_host.inherited, HWLOC_CPUBIND_PROCESS);
        free_all();
    }
    memset(&this_host, 0, sizeof this_host);
}

/* Find the type of object that counts as a core: some virtual machines report threads without
 * cores. */
static hwloc_obj_type_t find_core_type(void)
{
    return hwloc_get_nbobjs_by_type(this_host.topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE
                                                                            : HWLOC_OBJ_PU;
}

/* Next core after `core` (NULL: the first) with at least one allowed hardware thread; these are
 * added to `usable`. */
static hwloc_obj_t find_next_core(hwloc_obj_t core, hwloc_bitmap_t usable)
{
    while ((core = hwloc_get_next_obj_by_type(this_host.topology, find_core_type(), core)) !=
           NULL) {
        hwloc_bitmap_and(usable, core->cpuset, this_host.inherited);
        if (!hwloc_bitmap_iszero(usable))
            return core;
    }
    return NULL;
}

static struct nereus_bind_allowed count_allowed(hwloc_bitmap_t scratch)
{
    struct nereus_bind_allowed allowed = {0};
    for (hwloc_obj_t core = NULL; (core = find_next_core(core, scratch)) != NULL; allowed.cores++)
        allowed.threads += hwloc_bitmap_weight(scratch);
    return allowed;
}

/* Add the chosen cores to the set. */
static void add_cores(const struct nereus_bind_choice *choice, hwloc_bitmap_t scratch,
                      hwloc_bitmap_t set)
{
    int64_t i = 0;
    for (hwloc_obj_t core = NULL; (core = find_next_core(core, scratch)) != NULL; i++)
        if (i >= choice->first && i < choice->first + choice->count)
            hwloc_bitmap_or(set, set, scratch);
}

/* Add the chosen hardware threads: first threads of all cores are counted first, then second
 * ones. */
static void add_threads(const struct nereus_bind_choice *choice, hwloc_bitmap_t scratch,
                        hwloc_bitmap_t set)
{
    int64_t i = 0, seen = -1;
    for (int sibling = 0; i != seen; sibling++) {
        seen = i; /* stop when no core has a thread with this number */
        for (hwloc_obj_t core = NULL; (core = find_next_core(core, scratch)) != NULL;) {
            int thread = hwloc_bitmap_first(scratch);
            for (int s = 0; s < sibling && thread >= 0; s++)
                thread = hwloc_bitmap_next(scratch, thread);
            if (thread < 0)
                continue;
            if (i >= choice->first && i < choice->first + choice->count)
                hwloc_bitmap_set(set, (unsigned)thread);
            i++;
        }
    }
}

/* ---- position of this process on its host ---------------------------------------------------- */

/* @param[out] first_on_host  no process with a lower rank is on this host */
static struct nereus_bind_position find_position(const nereus_job *job, bool *first_on_host)
{
    struct nereus_bind_position position = {.node = nereus_node_of_rank(job, job->rank)};
    int64_t first = 0;
    *first_on_host = true;
    for (int64_t i = 0; i < job->state.segment_count; i++) {
        const struct nereus_segment *segment = &job->state.segments[i];
        /* number of lower ranks in this segment */
        const int64_t earlier_processes = job->rank - first;
        if (segment->node == position.node) {
            position.processes += segment->count;
            position.index += earlier_processes <= 0               ? 0
                              : earlier_processes < segment->count ? earlier_processes
                                                                   : segment->count;
        }
        if (earlier_processes > 0 &&
            nereus_bind_same_host(&job->machine, segment->node, position.node))
            *first_on_host = false;
        first += segment->count;
    }
    return position;
}

/* ---- binding --------------------------------------------------------------------------------- */

/* Warn once per host, and not if the user has declared no machine. */
static void warn_if_unbound(nereus_job *job, const struct nereus_bind_position *position,
                            bool first_on_host, bool right_host)
{
    char own[256] = "";
    const struct nereus_node *node = &job->machine.nodes[position->node];
    if (job->warned.unbound || !first_on_host || job->machine.slots == 0)
        return;
    job->warned.unbound = true;
    gethostname(own, sizeof own - 1);
    if (!right_host)
        nereus_log(
            "warning: rank %d should be on %s and runs on %s: processes like this are not bound to cores "
            "(start the job on the hosts of the host file, in their order)",
            job->rank, node->name, own);
    else
        nereus_log(
            "warning: more cores are declared for %.*s than a process may use there: processes are not "
            "bound to cores there",
            nereus_bind_host_length(node->name), node->name);
}

/* Add the chosen cores or threads to the set. */
static void add_units(const struct nereus_bind_choice *choice, hwloc_bitmap_t scratch,
                      hwloc_bitmap_t set)
{
    if (choice->unit == NEREUS_BIND_CORES)
        add_cores(choice, scratch, set);
    else
        add_threads(choice, scratch, set);
}

/* The spare core is the last of several own units. */
static void choose_spare(const struct nereus_bind_choice *choice, hwloc_bitmap_t scratch)
{
    struct nereus_bind_choice last = *choice;
    if (choice->reason != NEREUS_BIND_TO_ONE || choice->count < 2)
        return;
    last.first += last.count - 1;
    last.count = 1;
    add_units(&last, scratch, this_host.spare);
}

/* Choose the set for this process; the initial affinity if the layout gives none. */
static void choose_set(nereus_job *job, hwloc_bitmap_t scratch, hwloc_bitmap_t set)
{
    bool first_on_host;
    const struct nereus_bind_position position = find_position(job, &first_on_host);
    const struct nereus_bind_allowed allowed = count_allowed(scratch);
    const struct nereus_bind_choice choice = nereus_bind_choose(&job->machine, &position, &allowed);
    const bool right_host = nereus_is_this_host(job->machine.nodes[position.node].name);
    hwloc_bitmap_zero(set);
    hwloc_bitmap_zero(this_host.spare);
    if (right_host && choice.unit != NEREUS_BIND_NOTHING) {
        add_units(&choice, scratch, set);
        choose_spare(&choice, scratch);
    } else {
        hwloc_bitmap_copy(set, this_host.inherited);
    }
    if (!right_host || choice.reason == NEREUS_BIND_FEWER_CORES)
        warn_if_unbound(job, &position, first_on_host, right_host);
}

/* Bind this process, unless it is bound to this set already: the application may have bound its
 * threads to parts of the set. */
static void apply_set(nereus_job *job, hwloc_const_bitmap_t set)
{
    if (hwloc_bitmap_iszero(set) || hwloc_bitmap_isequal(set, this_host.current))
        return;
    if (hwloc_set_cpubind(this_host.topology, set, HWLOC_CPUBIND_PROCESS) == 0) {
        hwloc_bitmap_copy(this_host.current, set);
    } else if (!job->warned.unbound) {
        job->warned.unbound = true;
        nereus_log("warning: rank %d cannot be bound to a core: %s", job->rank, strerror(errno));
    }
}

void nereus_bind(nereus_job *job)
{
    if (!job->settings.bind_to_cores || job->machine.node_count == 0)
        return;
    nereus_bind_store_initial(false);
    if (this_host.topology == NULL)
        return;
    hwloc_bitmap_t scratch = hwloc_bitmap_alloc(), set = hwloc_bitmap_alloc();
    if (scratch != NULL && set != NULL) {
        choose_set(job, scratch, set);
        apply_set(job, set);
    }
    hwloc_bitmap_free(scratch);
    hwloc_bitmap_free(set);
}

void nereus_bind_auxiliary(pthread_t thread)
{
    if (this_host.topology != NULL && !hwloc_bitmap_iszero(this_host.spare))
        hwloc_set_thread_cpubind(this_host.topology, thread, this_host.spare, 0);
}
