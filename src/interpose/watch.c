/**
 * @file watch.c
 * Records the MPI calls of a program: call, bytes, partner, times. Loaded before the program's
 * libraries (LD_PRELOAD); nothing is recompiled.
 *
 *   - `nereus twin` (NEREUS_WATCH): each process keeps its calls in memory and writes them in
 *     MPI_Finalize to rank-N.csv in that folder; a bounded number, the latest ones, so that a long
 *     run is recorded at its end.
 *   - nereus-mpiexec with NEREUS_MONITOR: calls are counted by kind, and libnereus reads the counts
 *     (uses.h).
 *
 * It links nothing, as it is loaded into mpiexec and its helpers, too. A call continues in the next
 * library that defines it (RTLD_NEXT), which may be that of NEREUS_CHECK, or libnereus.
 */
/* RTLD_NEXT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include "model/util/clock.h"
#include "parameters.h"
#include "persistent.h"
#include "src/mpi/weak_handles.h"
#include "src/util/guard_events.h"
#include "uses.h"

/* A twin has no stages of the kinds from REDUCE_SCATTER on: they are recorded by their names. (A
 * probe is recorded as a message that is received.) */
enum { CALLS_MAX = 1 << 18, NOBODY = -1, MARK = NEREUS_MPI_REDUCE_SCATTER, OTHER };
/* A non-blocking collective is counted as such, and recorded as the blocking one of its kind;
 * others are counted as what they resemble, and recorded by their names. */
#define NEREUS_MPI_BEGINS(kind) ((enum nereus_mpi_kind)(NEREUS_MPI_KIND_COUNT + NEREUS_MPI_##kind))
#define NEREUS_MPI_NAMED(kind)                                                                     \
    ((enum nereus_mpi_kind)(2 * NEREUS_MPI_KIND_COUNT + NEREUS_MPI_##kind))

#define WORD(name, word) word,
static const char *const words[NEREUS_MPI_KIND_COUNT] = {NEREUS_MPI_KIND_LIST(WORD)};

/* Calls of the main thread: calls from several threads are not recorded. */
static struct call {
    int kind;         /* a kind, or MARK: end of an iteration */
    const char *name; /* of a call that a twin leaves out; NULL: it has the kind */
    long long bytes;  /* of calls left out: number of calls in a row */
    long long peer;   /* of a collective with a root: as of `encode_root` */
    double begin_s, end_s;
    double coreless_s; /* time without a core since the previous call */
} * calls;
static long long count;
static int64_t registered_bytes[2]; /* constant, variable; set by libnereus */
static double started_s;            /* end of MPI_Init; 0: not seen */
static double changes;              /* of the number of processes, or of their data */

/* Per thread: an auxiliary thread of libnereus calls MPI while the application does. */
static _Thread_local struct nereus_mpi_use uses[NEREUS_MPI_KIND_COUNT];
static _Thread_local int depth; /* depth of nesting: MPI calls itself, as in MPI-IO */
/* Time in calls of libnereus, whose MPI calls are not counted; start of the present call, 0:
 * none. */
static _Thread_local double library_s, library_since_s;

/* This thread has called MPI_Init. Others, as an auxiliary thread of libnereus, are not recorded. */
static _Thread_local bool is_main_thread;
/* Processes that the program, or libnereus, starts later are not recorded: their ranks are those of
 * others. */
static bool started_later;

static bool is_recording(void)
{
    static enum { UNKNOWN, NO, YES } wanted;
    if (wanted == UNKNOWN)
        wanted = getenv("NEREUS_WATCH") != NULL && getenv(NEREUS_GUARD_FD_NAME) == NULL ? YES : NO;
    return wanted == YES && !started_later && (is_main_thread || started_s <= 0);
}

/* ---- without a core -------------------------------------------------------------------------- */

/* State of the main thread when its latest call ended. */
static struct {
    double end_s, coreless_s, cpu_s;
} latest;

/* State when the first call began. */
static struct {
    double process_s, thread_s; /* CPU time */
    double file_bytes;
} begun;
static double asleep_s, asleep_before_s; /* outside MPI, neither running nor ready to run; since the
                                            latest call */
static double own_bytes;                 /* read by this library */

/* Bytes that the process has read and written, of files and terminals (proc(5), io). */
static double read_file_bytes(void)
{
    unsigned long long read = 0, written = 0;
    FILE *file = fopen("/proc/self/io", "re");
    if (file == NULL || fscanf(file, "rchar: %llu wchar: %llu", &read, &written) != 2)
        read = written = 0;
    if (file != NULL)
        fclose(file);
    return (double)read + (double)written;
}

static void begin_record(void)
{
    begun.process_s = nereus_read_clock_s(CLOCK_PROCESS_CPUTIME_ID);
    begun.thread_s = nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID);
    begun.file_bytes = read_file_bytes();
}

/* Time for which this thread was ready to run without a core, since it began: the second number of
 * schedstat (Linux, Documentation/scheduler/sched-stats.rst), in ns. 0: unknown. */
static double read_coreless_s(void)
{
    static int file = -2;
    char text[96];
    unsigned long long waited_ns = 0;
    if (file == -2)
        file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? pread(file, text, sizeof text - 1, 0) : 0;
    own_bytes += length > 0 ? (double)length : 0;
    text[length > 0 ? length : 0] = '\0';
    return sscanf(text, "%*s %llu", &waited_ns) == 1 ? 1e-9 * (double)waited_ns : 0;
}

/* Begin of a call of the application. Time without a core is not read after a short interval, as
 * reading costs a system call.
 * @param[out] before_s  time without a core since the latest call
 * @return now */
static double begin_call(double *before_s)
{
    static const double least_s = 20e-6;
    const double begin_s = nereus_monotonic_s();
    *before_s = 0;
    if (depth > 0 || !is_recording())
        return begin_s;
    asleep_before_s = 0;
    if (latest.end_s <= 0 || begin_s - latest.end_s <= least_s)
        return begin_s;
    *before_s = read_coreless_s() - latest.coreless_s;
    asleep_before_s = begin_s - latest.end_s - *before_s -
                      (nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID) - latest.cpu_s);
    return begin_s;
}

/* ---- the record ------------------------------------------------------------------------------ */

static void record(int kind, long long bytes, long long peer, double begin_s, double before_s)
{
    if (!is_recording())
        return;
    if (calls == NULL) {
        begin_record();
        calls = malloc(CALLS_MAX * sizeof *calls);
    }
    asleep_s += asleep_before_s > 0 ? asleep_before_s : 0;
    asleep_before_s = 0;
    latest.cpu_s = nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID);
    latest.coreless_s = read_coreless_s();
    latest.end_s = nereus_monotonic_s();
    if (calls != NULL)
        calls[count++ % CALLS_MAX] =
            (struct call){kind, NULL, bytes, peer, begin_s, latest.end_s, before_s};
}

/* A request that a twin leaves out has begun: its wait is left out, too. */
static bool left_out_begun;

/* Calls of one function in a row are one entry, so that many puts before a fence are few.
 * @param function  begins with MPI_ or PMPI_ */
static void record_left_out(const char *function, double begin_s, double before_s)
{
    if (depth > 1 || !is_recording())
        return;
    record(OTHER, 1, NOBODY, begin_s, before_s);
    if (calls == NULL || count == 0)
        return;
    struct call *call = &calls[(count - 1) % CALLS_MAX],
                *previous_call = &calls[(count + CALLS_MAX - 2) % CALLS_MAX];
    call->name = function + (*function == 'P');
    if (count == 1 || previous_call->name == NULL || strcmp(previous_call->name, call->name) != 0)
        return;
    previous_call->bytes++;
    previous_call->end_s = call->end_s;
    previous_call->coreless_s += call->coreless_s;
    count--;
}

/* Processes are started by the program. */
static void record_process_start(const char *function, double begin_s, double before_s)
{
    record_left_out(function, begin_s, before_s);
    changes += depth == 1 && is_recording();
}

static void record_begun_left_out(const char *function, double begin_s, double before_s)
{
    record_left_out(function, begin_s, before_s);
    if (depth == 1 && is_recording()) /* else libnereus waits for it */
        left_out_begun = true;
}

static void record_wait(const char *function, double begin_s, double before_s)
{
    if (left_out_begun)
        record_left_out(function, begin_s, before_s);
    else
        record(NEREUS_MPI_WAIT, 0, NOBODY, begin_s, before_s);
    left_out_begun = false;
}

/* Tests that follow each other with little computing between them wait: when one has found
 * something they are recorded as a call, from the first one on. */
static struct {
    double begin_s, before_s;        /* of the first test */
    double begin_cpu_s, computing_s; /* CPU time of the thread: then, and between the tests since */
    double end_cpu_s;                /* when the last test ended */
    bool is_active;                  /* there is a request to be tested */
    double work;                     /* rows of tests with more computing than that */
} polling;

/* Begin of a test. */
static double begin_test(bool is_active, double *before_s)
{
    if (depth > 0 || !is_recording())
        return begin_call(before_s);
    const double cpu_s = nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID);
    polling.is_active = is_active;
    if (polling.begin_s <= latest.end_s) {
        polling.begin_s = begin_call(before_s);
        polling.before_s = *before_s;
        polling.begin_cpu_s = cpu_s;
        polling.computing_s = 0;
    } else {
        polling.computing_s += cpu_s - polling.end_cpu_s;
    }
    *before_s = polling.before_s;
    return nereus_monotonic_s();
}

/* End of a call of the application. */
static void end_call(const char *function, int kind, long long bytes, long long peer,
                     double begin_s, double before_s)
{
    enum { BLOCKING, NONBLOCKING, NAMED };
    const int base_kind = kind % NEREUS_MPI_KIND_COUNT, form = kind / NEREUS_MPI_KIND_COUNT;
    if (depth > 1)
        return;
    struct nereus_mpi_use *use = &uses[form == NONBLOCKING ? NEREUS_MPI_NONBLOCKING : base_kind];
    use->calls++;
    use->bytes += bytes;
    use->time_s += nereus_monotonic_s() - begin_s;
    if (!is_recording())
        return;
    if (base_kind == NEREUS_MPI_PROBE) /* waits for a message, too */
        record(NEREUS_MPI_RECV, 0, 0, begin_s, before_s);
    else if (base_kind == NEREUS_MPI_WAIT)
        record_wait(function, begin_s, before_s);
    else if (form == NAMED || base_kind >= NEREUS_MPI_REDUCE_SCATTER)
        record_left_out(function, begin_s, before_s);
    else
        record(base_kind, bytes, peer, begin_s, before_s);
}

/* @param found    0, MPI_UNDEFINED: nothing
 * @param begin_s  of this test: all that is recorded, if the program has computed between tests */
static void end_test(const char *function, enum nereus_mpi_kind kind, int found, double begin_s,
                     double before_s)
{
    if (depth > 1)
        return;
    uses[NEREUS_MPI_TEST].calls++;
    uses[NEREUS_MPI_TEST].time_s += nereus_monotonic_s() - begin_s;
    if (!is_recording())
        return;
    polling.end_cpu_s = nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID);
    const bool waits = polling.computing_s <= 0.5 * (polling.end_cpu_s - polling.begin_cpu_s);
    if (!polling.is_active || found == 0 || found == MPI_UNDEFINED)
        return;
    polling.work += !waits;
    begin_s = waits ? polling.begin_s : begin_s;
    if (kind == NEREUS_MPI_WAIT)
        record_wait(function, begin_s, before_s);
    else
        record((int)kind, 0, 0, begin_s, before_s);
}

void nereus_watch_get_uses(struct nereus_mpi_use counted[NEREUS_MPI_KIND_COUNT])
{
    memcpy(counted, uses, sizeof uses);
}

double nereus_watch_library_s(void)
{
    return library_s + (library_since_s > 0 ? nereus_monotonic_s() - library_since_s : 0);
}

void nereus_watch_data(int64_t constant_bytes, int64_t variable_bytes)
{
    registered_bytes[0] = constant_bytes;
    registered_bytes[1] = variable_bytes;
}

/* MPI_DATATYPE_NULL is valid with MPI_IN_PLACE, and if only the root's arguments count. */
static long long count_bytes(long long elements, MPI_Datatype type)
{
    int size = 0;
    if (type != MPI_DATATYPE_NULL)
        PMPI_Type_size(type, &size);
    return elements * size;
}

static int get_size(MPI_Comm comm)
{
    int size;
    PMPI_Comm_size(comm, &size);
    return size;
}

static int get_rank(MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

static bool is_inter(MPI_Comm comm)
{
    int inter;
    PMPI_Comm_test_inter(comm, &inter);
    return inter != 0;
}

/* Number of processes that a process exchanges parts with: of an inter-communicator those of the
 * other group. */
static int count_peers(MPI_Comm comm)
{
    int size;
    if (!is_inter(comm))
        return get_size(comm);
    PMPI_Comm_remote_size(comm, &size);
    return size;
}

/* Is this process the root? Over an inter-communicator it passes MPI_ROOT; a rank is one in the
 * other group. */
static bool is_root(int root, MPI_Comm comm)
{
    return root == MPI_ROOT || (root == get_rank(comm) && !is_inter(comm));
}

/* Bytes that each process sends; with MPI_IN_PLACE what it receives from itself. */
static long long count_sent_bytes(const void *send, long long sent, MPI_Datatype sent_type,
                                  long long n, MPI_Datatype type)
{
    return send == MPI_IN_PLACE ? count_bytes(n, type) : count_bytes(sent, sent_type);
}

/* Sum over `parts` processes. */
#define SUM(name, type)                                                                            \
    static long long name(const type *counts, int parts)                                           \
    {                                                                                              \
        long long sum = 0;                                                                         \
        for (int i = 0; i < parts; i++)                                                            \
            sum += counts[i];                                                                      \
        return sum;                                                                                \
    }
SUM(sum_of, int)
#if MPI_VERSION >= 4
SUM(sum_of_counts, MPI_Count)
#endif

/* Rank in MPI_COMM_WORLD of a process of a communicator, of an inter-communicator in its remote
 * group; MPI_UNDEFINED: it is of another world. */
static int find_world_rank(int rank, MPI_Comm comm)
{
    MPI_Group group, world;
    int there;
    if (comm == MPI_COMM_WORLD)
        return rank;
    if (is_inter(comm))
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &rank, world, &there);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return there;
}

static double scattered; /* collectives on processes that are no block of ranks */
static double between;   /* collectives of two groups */

/* Number of processes of a collective; of an inter-communicator those of the own group. */
static int count_processes(MPI_Comm comm)
{
    const int size = get_size(comm);
    if (!is_recording() || depth > 1 || comm == MPI_COMM_WORLD)
        return size;
    if (is_inter(comm))
        between++;
    else if (size > 1 && size < get_size(MPI_COMM_WORLD))
        scattered += find_world_rank(size - 1, comm) - find_world_rank(0, comm) != size - 1;
    return size;
}

/* Number of processes, and root, of a collective that has one: in MPI_COMM_WORLD, if that is all of
 * them; the root of a group between communicators has no rank. */
static long long encode_root(int root, MPI_Comm comm)
{
    const int size = count_processes(comm);
    if (is_recording() && depth <= 1 && root >= 0 && size == get_size(MPI_COMM_WORLD) &&
        !is_inter(comm))
        root = find_world_rank(root, comm);
    return size + ((long long)(root > 0 ? root : 0) << 32);
}

/* Rank of a partner - own rank, both in MPI_COMM_WORLD; 0 for MPI_PROC_NULL. */
static int find_distance(int peer, MPI_Comm comm)
{
    if (!is_recording() || peer == MPI_PROC_NULL)
        return 0;
    const int there = find_world_rank(peer, comm);
    return there == MPI_UNDEFINED ? peer - get_rank(comm) : there - get_rank(MPI_COMM_WORLD);
}

/* An MPI loaded by an interpreter with local scope (mpi4py) must be found, too. */
static void *find_loaded(const char *name)
{
    static const char *const libraries[] = {"libmpi.so.12", "libmpi.so.40", "libmpi.so"};
    void *found = NULL;
    for (int i = 0; i < 3 && found == NULL; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
        found = library != NULL ? dlsym(library, name) : NULL;
    }
    return found;
}

/* The function of the next library. */
static void *find_next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    return found != NULL ? found : find_loaded(name);
}

static struct {
    uintptr_t first, end; /* of the MPI library, in memory */
} mpi;

/* dl_iterate_phdr: is this the library that has the function? */
static int find_bounds(struct dl_phdr_info *library, size_t bytes, void *function)
{
    uintptr_t first = UINTPTR_MAX, end = 0;
    (void)bytes;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const uintptr_t begin = library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
        if (library->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        first = begin < first ? begin : first;
        end = begin + library->dlpi_phdr[i].p_memsz > end ? begin + library->dlpi_phdr[i].p_memsz
                                                          : end;
    }
    if (*(uintptr_t *)function < first || *(uintptr_t *)function >= end)
        return 0;
    mpi.first = first;
    mpi.end = end;
    return 1;
}

/* Does MPI call itself? Its own calls inside one that is wrapped are told by `depth`; this tells
 * those of the others, as of MPI_File_open. */
static bool is_of_mpi(const void *caller)
{
    if (mpi.end == 0) {
        uintptr_t function = (uintptr_t)find_next("PMPI_Comm_rank");
        mpi.end = 1;
        dl_iterate_phdr(find_bounds, &function);
    }
    return (uintptr_t)caller >= mpi.first && (uintptr_t)caller < mpi.end;
}

#define NEXT(next, name)                                                                           \
    do {                                                                                           \
        if ((next) == NULL)                                                                        \
            *(void **)&(next) = find_next(name);                                                   \
    } while (0)

/* begin, end: what is done around the call of the next library, whose result is `code`. */
#define CALL_AS(function, begin, end, parameters, arguments)                                       \
    int function parameters                                                                        \
    {                                                                                              \
        static int(*next) parameters;                                                              \
        double before_s;                                                                           \
        NEXT(next, #function);                                                                     \
        if (is_of_mpi(__builtin_return_address(0)))                                                \
            return next arguments;                                                                 \
        const double begin_s = begin;                                                              \
        depth++;                                                                                   \
        const int code = next arguments;                                                           \
        end;                                                                                       \
        depth--;                                                                                   \
        return code;                                                                               \
    }
#define WRAP_AS(function, kind, bytes, peer, parameters, arguments)                                \
    CALL_AS(function, begin_call(&before_s),                                                       \
            end_call(#function, NEREUS_MPI_##kind, bytes, peer, begin_s, before_s), parameters,    \
            arguments)

/* Stores what a persistent request will begin. */
#define INIT_AS(function, kind, bytes, peer, parameters, arguments)                                \
    int function parameters                                                                        \
    {                                                                                              \
        static int(*next) parameters;                                                              \
        NEXT(next, #function);                                                                     \
        const int code = next arguments;                                                           \
        if (code == MPI_SUCCESS)                                                                   \
            nereus_persistent_store(                                                               \
                (struct nereus_persistent){*object, #function, NEREUS_MPI_##kind, bytes, peer});   \
        return code;                                                                               \
    }

/* Fortran's bindings call the PMPI functions: those of MPICH's mpi_f08 some, Open MPI's all.
 * SUFFIX: _c for the calls with large counts, or empty. */
#define NAMED_BOTH(form, call, suffix, ...)                                                        \
    form(MPI_##call##suffix, __VA_ARGS__) form(PMPI_##call##suffix, __VA_ARGS__)
#define BOTH(form, call, suffix, ...) NAMED_BOTH(form, call, suffix, __VA_ARGS__)
#define WRAP(call, ...)               BOTH(WRAP_AS, call, SUFFIX, __VA_ARGS__)
#define INIT(call, ...)               BOTH(INIT_AS, call, SUFFIX, __VA_ARGS__)
#define SUFFIX
#define COUNT  int
#define OFFSET int
#define SUM_OF sum_of
#include "counted_calls.inc"
/* Calls without element counts; some are no stages of a twin. */
WRAP(Barrier, BARRIER, 0, count_processes(comm), (MPI_Comm comm), (comm))
WRAP(Wait, WAIT, 0, NOBODY, (MPI_Request * request, MPI_Status *status), (request, status))
WRAP(Waitall, WAIT, 0, NOBODY, (int n, MPI_Request requests[], MPI_Status statuses[]),
     (n, requests, statuses))
WRAP(Waitany, WAIT, 0, NOBODY, (int n, MPI_Request requests[], int *which, MPI_Status *status),
     (n, requests, which, status))
WRAP(Waitsome, WAIT, 0, NOBODY,
     (int n, MPI_Request requests[], int *done, int which[], MPI_Status all[]),
     (n, requests, done, which, all))
WRAP(Probe, PROBE, 0, NOBODY, (int peer, int tag, MPI_Comm comm, MPI_Status *status),
     (peer, tag, comm, status))
WRAP(Ibarrier, BEGINS(BARRIER), 0, count_processes(comm), (MPI_Comm comm, MPI_Request *request),
     (comm, request))
WRAP(Win_fence, RMA_SYNC, 0, NOBODY, (int assertion, MPI_Win window), (assertion, window))
WRAP(Win_flush, RMA_SYNC, 0, NOBODY, (int peer, MPI_Win window), (peer, window))
WRAP(Win_flush_all, RMA_SYNC, 0, NOBODY, (MPI_Win window), (window))
WRAP(Win_unlock, RMA_SYNC, 0, NOBODY, (int peer, MPI_Win window), (peer, window))
WRAP(Win_unlock_all, RMA_SYNC, 0, NOBODY, (MPI_Win window), (window))
WRAP(Mprobe, PROBE, 0, NOBODY,
     (int peer, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
     (peer, tag, comm, message, status))
#undef COUNT
#undef OFFSET
#undef SUM_OF
#if MPI_VERSION >= 4
#undef SUFFIX
#define SUFFIX _c
#define COUNT  MPI_Count
#define OFFSET MPI_Aint
#define SUM_OF sum_of_counts
#include "counted_calls.inc"
#undef COUNT
#undef OFFSET
#undef SUFFIX
#define SUFFIX
#endif

static bool any_active(int n, const MPI_Request requests[])
{
    int i = 0;
    while (i < n && requests[i] == MPI_REQUEST_NULL)
        i++;
    return i < n;
}

/* done: an argument. kind: what a test that finds something is recorded as. */
#define TEST_AS(function, kind, active, parameters, arguments)                                     \
    CALL_AS(function, begin_test(active, &before_s),                                               \
            end_test(#function, NEREUS_MPI_##kind, code == MPI_SUCCESS ? *done : 0, begin_s,       \
                     before_s),                                                                    \
            parameters, arguments)
#define TEST(call, ...) BOTH(TEST_AS, call, SUFFIX, __VA_ARGS__)
TEST(Test, WAIT, any_active(1, request), (MPI_Request * request, int *done, MPI_Status *status),
     (request, done, status))
TEST(Testall, WAIT, any_active(n, requests),
     (int n, MPI_Request requests[], int *done, MPI_Status statuses[]),
     (n, requests, done, statuses))
TEST(Testany, WAIT, any_active(n, requests),
     (int n, MPI_Request requests[], int *which, int *done, MPI_Status *status),
     (n, requests, which, done, status))
TEST(Testsome, WAIT, any_active(n, requests),
     (int n, MPI_Request requests[], int *done, int which[], MPI_Status statuses[]),
     (n, requests, done, which, statuses))
TEST(Iprobe, RECV, true, (int peer, int tag, MPI_Comm comm, int *done, MPI_Status *status),
     (peer, tag, comm, done, status))
TEST(Improbe, RECV, true,
     (int peer, int tag, MPI_Comm comm, int *done, MPI_Message *message, MPI_Status *status),
     (peer, tag, comm, done, message, status))

/* A persistent request, when it begins: as the call that is not persistent. */
static void end_start(const char *function, MPI_Request request, double begin_s, double before_s)
{
    const struct nereus_persistent *begun_call = nereus_persistent_find(request);
    if (begun_call != NULL && begun_call->kind != OTHER)
        end_call(begun_call->function, begun_call->kind, begun_call->bytes, begun_call->peer,
                 begin_s, before_s);
    else
        record_begun_left_out(begun_call != NULL ? begun_call->function : function, begin_s,
                              before_s);
}

#define START(function, n, requests, parameters, arguments)                                        \
    int function parameters                                                                        \
    {                                                                                              \
        static int(*next) parameters;                                                              \
        double before_s;                                                                           \
        NEXT(next, #function);                                                                     \
        const double begin_s = begin_call(&before_s);                                              \
        depth++;                                                                                   \
        const int code = next arguments;                                                           \
        for (int i = 0; i < (n); i++)                                                              \
            end_start(#function, (requests)[i], i == 0 ? begin_s : nereus_monotonic_s(),           \
                      i == 0 ? before_s : 0);                                                      \
        depth--;                                                                                   \
        return code;                                                                               \
    }
NAMED_BOTH(START, Start, , 1, request, (MPI_Request * request), (request))
NAMED_BOTH(START, Startall, , n, requests, (int n, MPI_Request requests[]), (n, requests))

#define LEFT_OUT_AS(function, end, ...)                                                            \
    CALL_AS(function, begin_call(&before_s), end(#function, begin_s, before_s),                    \
            (NEREUS_TAKES(__VA_ARGS__)), (NEREUS_GIVES(__VA_ARGS__)))
#define INIT_LEFT_OUT_AS(function, ...)                                                            \
    int function(NEREUS_TAKES(__VA_ARGS__))                                                        \
    {                                                                                              \
        static int (*next)(NEREUS_TAKES(__VA_ARGS__));                                             \
        NEXT(next, #function);                                                                     \
        const int code = next(NEREUS_GIVES(__VA_ARGS__));                                          \
        if (code == MPI_SUCCESS)                                                                   \
            nereus_persistent_store((struct nereus_persistent){*p1, #function, OTHER, 0, 0});      \
        return code;                                                                               \
    }
#define LEFT_OUT(call, ...) BOTH(LEFT_OUT_AS, call, SUFFIX, record_left_out, __VA_ARGS__)
#define CHANGE(call, ...)   BOTH(LEFT_OUT_AS, call, SUFFIX, record_process_start, __VA_ARGS__)
#define LEFT_OUT_BEGUN(call, ...)                                                                  \
    BOTH(LEFT_OUT_AS, call, SUFFIX, record_begun_left_out, __VA_ARGS__)
#define LEFT_OUT_INIT(call, ...) BOTH(INIT_LEFT_OUT_AS, call, SUFFIX, __VA_ARGS__)
#define COUNT                    int
#define OFFSET                   int
#define PLAIN
#include "left_out_calls.inc"
#undef COUNT
#undef OFFSET
#undef PLAIN
#if MPI_VERSION >= 4
#undef SUFFIX
#define SUFFIX _c
#define COUNT  MPI_Count
#define OFFSET MPI_Aint
#include "left_out_calls.inc"
#endif

/* The program's own mark of an iteration's end. */
#define MARKS(function, parameters)                                                                \
    int function parameters                                                                        \
    {                                                                                              \
        double before_s;                                                                           \
        const double begin_s = begin_call(&before_s);                                              \
        record(MARK, level, NOBODY, begin_s, before_s);                                            \
        return MPI_SUCCESS;                                                                        \
    }
NAMED_BOTH(MARKS, Pcontrol, , (const int level, ...))

/* ---- calls of libnereus ---------------------------------------------------------------------- */

static double begin_library(double *before_s)
{
    const double begin_s = begin_call(before_s);
    if (depth++ == 0)
        library_since_s = begin_s;
    return begin_s;
}

/* @param action  of a point, which ends an iteration; NULL: none */
static void end_library(const enum nereus_action *action, double begin_s, double before_s)
{
    if (--depth > 0)
        return;
    library_s += nereus_monotonic_s() - begin_s;
    library_since_s = 0;
    if (action == NULL)
        return;
    record(MARK, 0, NOBODY, begin_s, before_s);
    changes += *action != NEREUS_CONTINUE;
}

/* Calls of libnereus that call MPI: these MPI calls are not the application's. */
#define LIBRARY(name, action, parameters, arguments)                                               \
    enum nereus_status name parameters                                                             \
    {                                                                                              \
        static enum nereus_status(*next) parameters;                                               \
        double before_s;                                                                           \
        const double begin_s = begin_library(&before_s);                                           \
        NEXT(next, #name);                                                                         \
        const enum nereus_status status = next arguments;                                          \
        end_library(action, begin_s, before_s);                                                    \
        return status;                                                                             \
    }

LIBRARY(nereus_init, NULL,
        (int *argc, char ***argv, const struct nereus_options *options, nereus_job **job),
        (argc, argv, options, job))
LIBRARY(nereus_point, action, (nereus_job * job, enum nereus_action *action), (job, action))
/* nereus_balance contains a point. */
LIBRARY(nereus_balance, action,
        (nereus_job * job, const struct nereus_balance_options *options,
         enum nereus_action *action),
        (job, options, action))
LIBRARY(nereus_finalize, NULL, (nereus_job * *job), (job))

/* ---- work that the record does not show ---------------------------------------------------- */

/* A line "fact,NAME,VALUE" of what a twin does not have, if there is any of it. */
static void write_fact(FILE *file, const char *name, double value, double least)
{
    if (value > least)
        nereus_fprintf(file, "fact,%s,%.9g\n", name, value);
}

/* Libraries by which a program uses a GPU, if they are loaded. */
static void write_gpu(FILE *file)
{
    static const char *const libraries[] = {"libcuda.so", "libamdhip64.so", "libze_loader.so",
                                            "libOpenCL.so"};
    bool found[4] = {false};
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        for (int i = 0; i < 4; i++)
            found[i] = found[i] || strstr(line, libraries[i]) != NULL;
    if (maps != NULL)
        fclose(maps);
    for (int i = 0; i < 4; i++)
        write_fact(file, libraries[i], found[i], 0);
}

static void write_facts(FILE *file)
{
    write_fact(file, "calls-lost", (double)(count - CALLS_MAX), 0);
    write_fact(file, "threads-s",
               nereus_read_clock_s(CLOCK_PROCESS_CPUTIME_ID) - begun.process_s -
                   (nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID) - begun.thread_s),
               0);
    int level = MPI_THREAD_MULTIPLE;
    PMPI_Query_thread(&level);
    write_fact(file, "thread-single", level < MPI_THREAD_MULTIPLE, 0);
    cpu_set_t cores;
    write_fact(file, "bound",
               sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) == 1, 0);
    write_fact(file, "asleep-s", asleep_s, 0);
    /* MPI-IO is in the record, with the bytes of all processes. */
    const double recorded_bytes =
        (double)(uses[NEREUS_MPI_WRITE].bytes + uses[NEREUS_MPI_READ].bytes) /
        get_size(MPI_COMM_WORLD);
    write_fact(file, "file-bytes",
               read_file_bytes() - begun.file_bytes - own_bytes - recorded_bytes, 0);
    write_fact(file, "nonblocking-collectives", (double)uses[NEREUS_MPI_NONBLOCKING].calls, 0);
    write_fact(file, "scattered-collectives", scattered, 0);
    write_fact(file, "inter-collectives", between, 0);
    write_fact(file, "tests-with-work", polling.work, 0);
    write_fact(file, "changes", changes, 0);
    write_gpu(file);
}

static const char *get_word(int kind)
{
    return kind == MARK ? "mark" : words[kind];
}

static void write_calls(const char *folder)
{
    const double ended_s = nereus_monotonic_s();
    char path[4096];
    const int rank = get_rank(MPI_COMM_WORLD), size = get_size(MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s/rank-%d.csv", folder, rank);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "nereus twin: process %d cannot write '%s': %s\n", rank, path,
                strerror(errno));
        return;
    }
    const long long first = count > CALLS_MAX ? count - CALLS_MAX : 0;
    fprintf(file, "processes,%d,%lld,%lld\n", size, (long long)registered_bytes[0],
            (long long)registered_bytes[1]);
    write_facts(file);
    fputs("call,bytes,peer,begin_s,end_s,coreless_s,root\n", file);
    if (first == 0 && started_s > 0) /* else the first calls are lost */
        nereus_fprintf(file, "MPI_Init,1,-1,%.9f,%.9f,0,0\n", started_s, started_s);
    for (long long i = first; i < count; i++) {
        const struct call *call = &calls[i % CALLS_MAX];
        nereus_fprintf(file, "%s,%lld,%d,%.9f,%.9f,%.9f,%d\n",
                       call->name != NULL ? call->name : get_word(call->kind), call->bytes,
                       (int)call->peer, call->begin_s, call->end_s, call->coreless_s,
                       call->peer > 0 ? (int)(call->peer >> 32) : 0);
    }
    nereus_fprintf(file, "MPI_Finalize,1,-1,%.9f,%.9f,0,0\n", ended_s, ended_s);
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        fprintf(stderr, "nereus twin: process %d cannot write '%s': %s\n", rank, path,
                strerror(errno));
}

/* Called in MPI_Finalize, whose own MPI calls are not the program's. */
static void end_record(void)
{
    const char *folder = getenv("NEREUS_WATCH");
    if (folder != NULL && count > 0 && is_recording())
        write_calls(folder);
    free(calls);
    calls = NULL;
    count = 0;
    depth++;
}

static void begin_program(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    started_later = parent != MPI_COMM_NULL;
    started_s = nereus_monotonic_s();
    is_main_thread = true;
}

/* The program's time begins when MPI has started. */
#define BEGINS_PROGRAM(function, parameters, arguments)                                            \
    int function parameters                                                                        \
    {                                                                                              \
        static int(*next) parameters;                                                              \
        NEXT(next, #function);                                                                     \
        const int code = next arguments;                                                           \
        begin_program();                                                                           \
        return code;                                                                               \
    }
NAMED_BOTH(BEGINS_PROGRAM, Init, , (int *argc, char ***argv), (argc, argv))
NAMED_BOTH(BEGINS_PROGRAM, Init_thread, , (int *argc, char ***argv, int wanted, int *given),
           (argc, argv, wanted, given))

#define ENDS_PROGRAM(function, parameters)                                                         \
    int function parameters                                                                        \
    {                                                                                              \
        static int(*next) parameters;                                                              \
        NEXT(next, #function);                                                                     \
        end_record();                                                                              \
        return next();                                                                             \
    }
NAMED_BOTH(ENDS_PROGRAM, Finalize, , (void))
