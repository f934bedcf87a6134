/**
 * @file bind_with_hwloc.c
 * Binds each active process with all its threads to the cores that the plan's layout gives it
 * (bind_choice.h). Repeated after each reconfiguration, as the processes of a node change. The
 * initial affinity (control group, taskset, launcher) is never exceeded, and restored at the end.
 * The auxiliary thread of an asynchronous method gets the last of several cores, so that it does
 * not slow the application down, which computes with one thread fewer.
 *
 * An affinity belongs to the whole process, and so does the state here; main thread only.
 */
#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind.h"
#include "bind_choice.h"
#include "hosts.h"
#include "own_host.h"
#include "src/util/error.h"

static struct {
    bool looked;
    hwloc_topology_t topology; /* cores and threads only; NULL: not available, nothing is bound */
    hwloc_cpuset_t inherited;  /* initial affinity */
    hwloc_cpuset_t current;    /* present binding */
    hwloc_cpuset_t spare;      /* last one of several own cores; else empty */
} here;

/* ---- this host's cores ----------------------------------------------------------------------- */

/* hwloc loads its plugins (graphics, OpenCL, ...) in the first call, which dominates the time, and
 * none is needed. The environment is changed only before MPI has started threads. */
static int open_topology(bool may_set_environment)
{
    static const char plugins[] = "HWLOC_PLUGINS_PATH";
    const bool hide = may_set_environment && getenv(plugins) == NULL;
    /* hwloc's x86 component binds the caller to each core in turn, and on shared cores waits for
     * each, here and again inside MPICH. The Linux component has the same information. */
#if defined(__x86_64__) || defined(__i386__)
    if (may_set_environment)
        setenv("HWLOC_COMPONENTS", "-x86", 0);
#endif
    if (hide)
        setenv(plugins, "/dev/null", 0);
    const int failed = hwloc_topology_init(&here.topology);
    if (hide)
        unsetenv(plugins);
    return failed;
}

static void free_all(void)
{
    hwloc_bitmap_free(here.inherited);
    hwloc_bitmap_free(here.current);
    hwloc_bitmap_free(here.spare);
    hwloc_topology_destroy(here.topology);
    here.topology = NULL;
}

static int load_topology(bool may_set_environment)
{
    if (open_topology(may_set_environment) != 0) {
        here.topology = NULL;
        return -1;
    }
    hwloc_topology_set_all_types_filter(here.topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(here.topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    here.inherited = hwloc_bitmap_alloc();
    here.current = hwloc_bitmap_alloc();
    here.spare = hwloc_bitmap_alloc();
    if (here.inherited != NULL && here.current != NULL && here.spare != NULL &&
        hwloc_topology_load(here.topology) == 0 &&
        hwloc_get_cpubind(here.topology, here.inherited, HWLOC_CPUBIND_THREAD) == 0 &&
        hwloc_bitmap_copy(here.current, here.inherited) == 0)
        return 0;
    free_all();
    return -1;
}

bool nereus_bind_possible(void)
{
    return true;
}

void nereus_bind_look(bool before_mpi)
{
    if (here.looked)
        return;
    here.looked = true;
    load_topology(before_mpi);
}

void nereus_bind_end(void)
{
    if (here.topology != NULL) {
        if (!hwloc_bitmap_isequal(here.current, here.inherited))
            hwloc_set_cpubind(here.topology, here.inherited, HWLOC_CPUBIND_PROCESS);
        free_all();
    }
    memset(&here, 0, sizeof here);
}

/* Some virtual machines report threads without cores: each then counts as a core. */
static hwloc_obj_type_t core_type(void)
{
    return hwloc_get_nbobjs_by_type(here.topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE
                                                                       : HWLOC_OBJ_PU;
}

/* Next core after `core` (NULL: the first) with at least one allowed hardware thread; these are
 * added to `usable`. */
static hwloc_obj_t next_core(hwloc_obj_t core, hwloc_bitmap_t usable)
{
    while ((core = hwloc_get_next_obj_by_type(here.topology, core_type(), core)) != NULL) {
        hwloc_bitmap_and(usable, core->cpuset, here.inherited);
        if (!hwloc_bitmap_iszero(usable))
            return core;
    }
    return NULL;
}

static struct nereus_bind_allowed count_allowed(hwloc_bitmap_t scratch)
{
    struct nereus_bind_allowed allowed = {0};
    for (hwloc_obj_t core = NULL; (core = next_core(core, scratch)) != NULL; allowed.cores++)
        allowed.threads += hwloc_bitmap_weight(scratch);
    return allowed;
}

/* Add the chosen cores to the set. */
static void add_cores(const struct nereus_bind_choice *choice, hwloc_bitmap_t scratch,
                      hwloc_bitmap_t set)
{
    int64_t i = 0;
    for (hwloc_obj_t core = NULL; (core = next_core(core, scratch)) != NULL; i++)
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
        seen = i; /* until no core has so many threads */
        for (hwloc_obj_t core = NULL; (core = next_core(core, scratch)) != NULL;) {
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

/* ---- where this process stands --------------------------------------------------------------- */

/* @param[out] first_on_host  no process with a lower rank is on this host */
static struct nereus_bind_position find_position(const nereus_job *job, bool *first_on_host)
{
    struct nereus_bind_position position = {.node = nereus_node_of_rank(job, job->rank)};
    int64_t first = 0;
    *first_on_host = true;
    for (int64_t i = 0; i < job->state.segment_count; i++) {
        const struct nereus_segment *segment = &job->state.segments[i];
        /* number of lower ranks in this segment */
        const int64_t before = job->rank - first;
        if (segment->node == position.node) {
            position.processes += segment->count;
            position.index += before <= 0 ? 0 : before < segment->count ? before : segment->count;
        }
        if (before > 0 && nereus_bind_same_host(&job->machine, segment->node, position.node))
            *first_on_host = false;
        first += segment->count;
    }
    return position;
}

/* ---- binding --------------------------------------------------------------------------------- */

/* Warn once per host, and not if the user has declared no machine. */
static void say_why_not(nereus_job *job, const struct nereus_bind_position *position,
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
    add_units(&last, scratch, here.spare);
}

/* The set for this process; the initial affinity if nothing better is known. */
static void choose_set(nereus_job *job, hwloc_bitmap_t scratch, hwloc_bitmap_t set)
{
    bool first_on_host;
    const struct nereus_bind_position position = find_position(job, &first_on_host);
    const struct nereus_bind_allowed allowed = count_allowed(scratch);
    const struct nereus_bind_choice choice = nereus_bind_choose(&job->machine, &position, &allowed);
    const bool right_host = nereus_is_this_host(job->machine.nodes[position.node].name);
    hwloc_bitmap_zero(set);
    hwloc_bitmap_zero(here.spare);
    if (right_host && choice.unit != NEREUS_BIND_NOTHING) {
        add_units(&choice, scratch, set);
        choose_spare(&choice, scratch);
    } else {
        hwloc_bitmap_copy(set, here.inherited);
    }
    if (!right_host || choice.reason == NEREUS_BIND_FEWER_CORES)
        say_why_not(job, &position, first_on_host, right_host);
}

/* Skip if already bound so: the application may have bound its own threads within. */
static void apply_set(nereus_job *job, hwloc_const_bitmap_t set)
{
    if (hwloc_bitmap_iszero(set) || hwloc_bitmap_isequal(set, here.current))
        return;
    if (hwloc_set_cpubind(here.topology, set, HWLOC_CPUBIND_PROCESS) == 0) {
        hwloc_bitmap_copy(here.current, set);
    } else if (!job->warned.unbound) {
        job->warned.unbound = true;
        nereus_log("warning: rank %d cannot be bound to a core: %s", job->rank, strerror(errno));
    }
}

void nereus_bind(nereus_job *job)
{
    if (!job->settings.bind_to_cores || job->machine.node_count == 0)
        return;
    nereus_bind_look(false);
    if (here.topology == NULL)
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
    if (here.topology != NULL && !hwloc_bitmap_iszero(here.spare))
        hwloc_set_thread_cpubind(here.topology, thread, here.spare, 0);
}
