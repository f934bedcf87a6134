/**
 * @file objects.c
 * Records, through MPI's profiling interface, the communicators, windows, files and persistent
 * requests that the program has made, and from which communicator. At a change of size libnereus
 * queries the objects left of the communicator that is replaced. Like collectives.c, it links no
 * library.
 */
#include "objects.h"

#include <stdatomic.h>

#include "src/mpi/weak_handles.h"

/* Function of libnereus (src/job/calls.h), which may be loaded after this library; NULL: no job
 * yet. */
static void (*check_collective)(const char *call);

enum kind { COMM, WINDOW, FILE_HANDLE, REQUEST };

/* Largest number of open objects. Further ones are not recorded. */
enum { OBJECTS_MAX = 1024 };
static struct object {
    /* call that made the object; NULL: free entry, or a communicator of the job */
    const char *call;
    enum kind kind;
    uintptr_t handle;
    bool is_job, is_world_copy;
    MPI_Comm of; /* communicator from which it was made: the job's or MPI_COMM_WORLD */
} objects[OBJECTS_MAX];
static int used_entries; /* entries from here on are free */
/* Protects the entries: a thread of libnereus makes communicators while the program runs. */
static atomic_flag lock = ATOMIC_FLAG_INIT;
/* Depth of nested MPI calls: calls that MPI makes itself, as in MPI-IO, are not recorded. */
static _Thread_local int mpi_depth;

static void enter_mpi(void)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
}

static void leave_mpi(void)
{
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

/* A handle is an int or a pointer. */
#define BITS_OF(handle)                                                                            \
    static uintptr_t bits_of_##handle(MPI_##handle object)                                         \
    {                                                                                              \
        uintptr_t bits = 0;                                                                        \
        memcpy(&bits, &object, sizeof object);                                                     \
        return bits;                                                                               \
    }
BITS_OF(Comm)
BITS_OF(Win)
BITS_OF(File)
BITS_OF(Request)

static struct object *find_object(enum kind kind, uintptr_t handle)
{
    for (int i = 0; i < used_entries; i++)
        if ((objects[i].call != NULL || objects[i].is_job) && objects[i].kind == kind &&
            objects[i].handle == handle)
            return &objects[i];
    return NULL;
}

/* Store an object. An entry with the same handle is replaced: its object was freed by a call that
 * was not seen. The last entry is reserved for the job's communicator. */
static void store_object(struct object object)
{
    const struct object *known_object = find_object(object.kind, object.handle);
    int i = known_object != NULL ? (int)(known_object - objects) : 0;
    while (known_object == NULL && i < used_entries &&
           (objects[i].call != NULL || objects[i].is_job))
        i++;
    if (i >= OBJECTS_MAX - (object.is_job ? 0 : 1))
        return;
    objects[i] = object;
    used_entries = i == used_entries ? used_entries + 1 : used_entries;
}

/* Record an object, unless its communicator is neither the job's nor MPI_COMM_WORLD, nor made from
 * one of them. */
static void record_made(const char *call, enum kind kind, uintptr_t handle, MPI_Comm over)
{
    enter_mpi();
    const struct object *parent = find_object(COMM, bits_of_Comm(over));
    const bool of_world = over == MPI_COMM_WORLD;
    if (of_world || parent != NULL)
        store_object((struct object){.call = call,
                                     .kind = kind,
                                     .handle = handle,
                                     .is_world_copy =
                                         strcmp(call, "MPI_Comm_dup") == 0 &&
                                         (of_world || (parent != NULL && parent->is_world_copy)),
                                     .of = of_world ? over : parent->of});
    leave_mpi();
}

static void record_freed(enum kind kind, uintptr_t handle)
{
    enter_mpi();
    struct object *object = find_object(kind, handle);
    if (object != NULL)
        *object = (struct object){0};
    leave_mpi();
}

void nereus_objects_set_job(MPI_Comm comm, void (*check)(const char *call))
{
    check_collective = check;
    enter_mpi();
    store_object(
        (struct object){.kind = COMM, .handle = bits_of_Comm(comm), .is_job = true, .of = comm});
    leave_mpi();
}

void nereus_report_collective(const char *call, MPI_Comm comm)
{
    bool is_world = comm == MPI_COMM_WORLD;
    if (check_collective == NULL || comm == MPI_COMM_NULL)
        return;
    enter_mpi();
    const struct object *object = find_object(COMM, bits_of_Comm(comm));
    is_world = is_world || (object != NULL && object->is_world_copy);
    leave_mpi();
    if (is_world)
        check_collective(call);
}

/* Append the call to the list, unless the list contains it. */
static void list_call(const char *call, char *calls, size_t bytes)
{
    const size_t length = strlen(calls), name = strlen(call);
    for (const char *position = strstr(calls, call); position != NULL;
         position = strstr(position + 1, call))
        if (position[name] == ',' || position[name] == '\0')
            return;
    snprintf(calls + length, bytes - length, "%s%s", length > 0 ? ", " : "", call);
}

bool nereus_objects_list_open(MPI_Comm comm, char *calls, size_t bytes)
{
    calls[0] = '\0';
    enter_mpi();
    for (int i = 0; i < used_entries; i++) {
        struct object *object = &objects[i];
        if (object->call == NULL || object->of != comm)
            continue;
        list_call(object->call, calls, bytes);
        *object = (struct object){0};
    }
    leave_mpi();
    return calls[0] != '\0';
}

/* ---- calls that make something --------------------------------------------------------------- */

/* MAKES(kind, type, name, parameters, arguments): the parameter with the communicator must be named
 * comm, the result `object`. */
#define MAKES(kind, type, name, parameters, arguments)                                             \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        if (mpi_depth == 0 && kind == COMM && strcmp(#name, "Comm_create_group") != 0)             \
            nereus_report_collective("MPI_" #name, comm);                                          \
        mpi_depth++;                                                                               \
        const int code = PMPI_##name arguments;                                                    \
        mpi_depth--;                                                                               \
        if (mpi_depth == 0 && code == MPI_SUCCESS && *object != NULL_##type)                       \
            record_made("MPI_" #name, kind, bits_of_##type(*object), comm);                        \
        return code;                                                                               \
    }
#define NULL_Comm    MPI_COMM_NULL
#define NULL_Win     MPI_WIN_NULL
#define NULL_File    MPI_FILE_NULL
#define NULL_Request MPI_REQUEST_NULL

MAKES(COMM, Comm, Comm_dup, (MPI_Comm comm, MPI_Comm *object), (comm, object))
MAKES(COMM, Comm, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *object),
      (comm, info, object))
MAKES(COMM, Comm, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *object),
      (comm, color, key, object))
MAKES(COMM, Comm, Comm_split_type,
      (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *object),
      (comm, type, key, info, object))
MAKES(COMM, Comm, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *object),
      (comm, group, object))
MAKES(COMM, Comm, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *object),
      (comm, group, tag, object))
MAKES(COMM, Comm, Cart_create,
      (MPI_Comm comm, int dimensions, const int sides[], const int periods[], int reorder,
       MPI_Comm *object),
      (comm, dimensions, sides, periods, reorder, object))
MAKES(COMM, Comm, Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *object),
      (comm, remain, object))
MAKES(COMM, Comm, Comm_idup, (MPI_Comm comm, MPI_Comm *object, MPI_Request *request),
      (comm, object, request))
MAKES(COMM, Comm, Intercomm_create,
      (MPI_Comm comm, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *object),
      (comm, leader, peer, remote, tag, object))
MAKES(COMM, Comm, Graph_create,
      (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
       MPI_Comm *object),
      (comm, nodes, index, edges, reorder, object))
MAKES(COMM, Comm, Dist_graph_create,
      (MPI_Comm comm, int n, const int sources[], const int degrees[], const int targets[],
       const int weights[], MPI_Info info, int reorder, MPI_Comm *object),
      (comm, n, sources, degrees, targets, weights, info, reorder, object))
MAKES(COMM, Comm, Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int sources[], const int in_weights[], int out,
       const int targets[], const int out_weights[], MPI_Info info, int reorder, MPI_Comm *object),
      (comm, in, sources, in_weights, out, targets, out_weights, info, reorder, object))

#define MAKES_WINDOWS(suffix, unit_type)                                                           \
    MAKES(WINDOW, Win, Win_create##suffix,                                                         \
          (void *base, MPI_Aint size, unit_type unit, MPI_Info info, MPI_Comm comm,                \
           MPI_Win *object),                                                                       \
          (base, size, unit, info, comm, object))                                                  \
    MAKES(WINDOW, Win, Win_allocate##suffix,                                                       \
          (MPI_Aint size, unit_type unit, MPI_Info info, MPI_Comm comm, void *base,                \
           MPI_Win *object),                                                                       \
          (size, unit, info, comm, base, object))                                                  \
    MAKES(WINDOW, Win, Win_allocate_shared##suffix,                                                \
          (MPI_Aint size, unit_type unit, MPI_Info info, MPI_Comm comm, void *base,                \
           MPI_Win *object),                                                                       \
          (size, unit, info, comm, base, object))
MAKES_WINDOWS(, int)
MAKES(WINDOW, Win, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *object),
      (info, comm, object))
MAKES(FILE_HANDLE, File, File_open,
      (MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *object),
      (comm, path, mode, info, object))

#define WRAP(name, kind, bytes, peer, parameters, arguments)
#define INIT(name, kind, bytes, peer, parameters, arguments)                                       \
    MAKES(REQUEST, Request, name, parameters, arguments)
#define COUNT  int
#define OFFSET int
#include "counted_calls.inc"
#if MPI_VERSION >= 4
#undef INIT
#undef COUNT
#undef OFFSET
#define INIT(name, kind, bytes, peer, parameters, arguments)                                       \
    MAKES(REQUEST, Request, name##_c, parameters, arguments)
#define COUNT  MPI_Count
#define OFFSET MPI_Aint
#include "counted_calls.inc"
MAKES_WINDOWS(_c, MPI_Aint)
MAKES(REQUEST, Request, Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request *object),
      (comm, info, object))
#define MAKES_NEIGHBOURS(name, count_type)                                                         \
    MAKES(REQUEST, Request, name,                                                                  \
          (const void *from, count_type sends, MPI_Datatype send_type, void *to,                   \
           count_type receives, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,           \
           MPI_Request *object),                                                                   \
          (from, sends, send_type, to, receives, receive_type, comm, info, object))
MAKES_NEIGHBOURS(Neighbor_alltoall_init, int)
MAKES_NEIGHBOURS(Neighbor_alltoall_init_c, MPI_Count)
#endif

/* ---- calls that free it ---------------------------------------------------------------------- */

#define FREES(kind, type, name)                                                                    \
    int MPI_##name(MPI_##type *object)                                                             \
    {                                                                                              \
        if (*object != NULL_##type)                                                                \
            record_freed(kind, bits_of_##type(*object));                                           \
        mpi_depth++;                                                                               \
        const int code = PMPI_##name(object);                                                      \
        mpi_depth--;                                                                               \
        return code;                                                                               \
    }
FREES(COMM, Comm, Comm_free)
FREES(COMM, Comm, Comm_disconnect)
FREES(WINDOW, Win, Win_free)
FREES(FILE_HANDLE, File, File_close)
FREES(REQUEST, Request, Request_free)
