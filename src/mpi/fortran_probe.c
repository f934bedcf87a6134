/** @file fortran_probe.c  Has the C functions that fortran_probe.f90 calls. */
#include <mpi.h>
#include <stdio.h>

int fortran_probe_constants(const MPI_Fint *values, int count);
int fortran_probe_status(const MPI_Fint *status, int source, int tag, int count);
int fortran_probe_communicator(MPI_Fint comm, int rank, int size);

/* In the order of fortran_probe.f90. Macros, not tables: handles of some MPIs are not constants. */
#define HANDLES(X)                                                                                 \
    X(MPI_Comm, MPI_COMM_WORLD)                                                                    \
    X(MPI_Comm, MPI_COMM_SELF)                                                                     \
    X(MPI_Comm, MPI_COMM_NULL)                                                                     \
    X(MPI_Group, MPI_GROUP_NULL)                                                                   \
    X(MPI_Type, MPI_DATATYPE_NULL)                                                                 \
    X(MPI_Request, MPI_REQUEST_NULL)                                                               \
    X(MPI_Op, MPI_OP_NULL)                                                                         \
    X(MPI_Info, MPI_INFO_NULL)                                                                     \
    X(MPI_Errhandler, MPI_ERRHANDLER_NULL)                                                         \
    X(MPI_Win, MPI_WIN_NULL)                                                                       \
    X(MPI_Errhandler, MPI_ERRORS_RETURN)                                                           \
    X(MPI_Errhandler, MPI_ERRORS_ARE_FATAL)                                                        \
    X(MPI_Op, MPI_MAX)                                                                             \
    X(MPI_Op, MPI_MIN)                                                                             \
    X(MPI_Op, MPI_SUM)                                                                             \
    X(MPI_Op, MPI_PROD)                                                                            \
    X(MPI_Op, MPI_LAND)                                                                            \
    X(MPI_Op, MPI_BAND)                                                                            \
    X(MPI_Op, MPI_LOR)                                                                             \
    X(MPI_Op, MPI_BOR)                                                                             \
    X(MPI_Op, MPI_LXOR)                                                                            \
    X(MPI_Op, MPI_BXOR)                                                                            \
    X(MPI_Op, MPI_MAXLOC)                                                                          \
    X(MPI_Op, MPI_MINLOC)                                                                          \
    X(MPI_Op, MPI_REPLACE)                                                                         \
    X(MPI_Op, MPI_NO_OP)                                                                           \
    X(MPI_Type, MPI_INTEGER)                                                                       \
    X(MPI_Type, MPI_REAL)                                                                          \
    X(MPI_Type, MPI_DOUBLE_PRECISION)                                                              \
    X(MPI_Type, MPI_COMPLEX)                                                                       \
    X(MPI_Type, MPI_DOUBLE_COMPLEX)                                                                \
    X(MPI_Type, MPI_LOGICAL)                                                                       \
    X(MPI_Type, MPI_CHARACTER)                                                                     \
    X(MPI_Type, MPI_BYTE)                                                                          \
    X(MPI_Type, MPI_PACKED)                                                                        \
    X(MPI_Type, MPI_2INTEGER)                                                                      \
    X(MPI_Type, MPI_2REAL)                                                                         \
    X(MPI_Type, MPI_2DOUBLE_PRECISION)                                                             \
    X(MPI_Type, MPI_INTEGER1)                                                                      \
    X(MPI_Type, MPI_INTEGER2)                                                                      \
    X(MPI_Type, MPI_INTEGER4)                                                                      \
    X(MPI_Type, MPI_INTEGER8)                                                                      \
    X(MPI_Type, MPI_REAL4)                                                                         \
    X(MPI_Type, MPI_REAL8)                                                                         \
    X(MPI_Type, MPI_COMPLEX8)                                                                      \
    X(MPI_Type, MPI_COMPLEX16)                                                                     \
    X(MPI_Type, MPI_AINT)                                                                          \
    X(MPI_Type, MPI_OFFSET)                                                                        \
    X(MPI_Type, MPI_COUNT)                                                                         \
    X(MPI_Type, MPI_INT32_T)                                                                       \
    X(MPI_Type, MPI_INT64_T)                                                                       \
    X(MPI_Type, MPI_DOUBLE)
/* Constants: name in Fortran, value in C. */
#define NUMBERS(X)                                                                                 \
    X(MPI_ANY_SOURCE, MPI_ANY_SOURCE)                                                              \
    X(MPI_ANY_TAG, MPI_ANY_TAG)                                                                    \
    X(MPI_PROC_NULL, MPI_PROC_NULL)                                                                \
    X(MPI_ROOT, MPI_ROOT)                                                                          \
    X(MPI_UNDEFINED, MPI_UNDEFINED)                                                                \
    X(MPI_SUCCESS, MPI_SUCCESS)                                                                    \
    X(MPI_ERR_COMM, MPI_ERR_COMM)                                                                  \
    X(MPI_ERR_TRUNCATE, MPI_ERR_TRUNCATE)                                                          \
    X(MPI_ERR_SPAWN, MPI_ERR_SPAWN)                                                                \
    X(MPI_ERR_PORT, MPI_ERR_PORT)                                                                  \
    X(MPI_ERR_LASTCODE, MPI_ERR_LASTCODE)                                                          \
    X(MPI_THREAD_SINGLE, MPI_THREAD_SINGLE)                                                        \
    X(MPI_THREAD_FUNNELED, MPI_THREAD_FUNNELED)                                                    \
    X(MPI_THREAD_SERIALIZED, MPI_THREAD_SERIALIZED)                                                \
    X(MPI_THREAD_MULTIPLE, MPI_THREAD_MULTIPLE)                                                    \
    X(MPI_TAG_UB, MPI_TAG_UB + 1)                                                                  \
    X(MPI_UNIVERSE_SIZE, MPI_UNIVERSE_SIZE + 1)                                                    \
    X(MPI_APPNUM, MPI_APPNUM + 1)                                                                  \
    X(MPI_KEYVAL_INVALID, MPI_KEYVAL_INVALID)                                                      \
    X(MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_SHARED)                                                  \
    X(MPI_IDENT, MPI_IDENT)                                                                        \
    X(MPI_CONGRUENT, MPI_CONGRUENT)                                                                \
    X(MPI_SIMILAR, MPI_SIMILAR)                                                                    \
    X(MPI_UNEQUAL, MPI_UNEQUAL)                                                                    \
    X(MPI_ORDER_C, MPI_ORDER_C)                                                                    \
    X(MPI_ORDER_FORTRAN, MPI_ORDER_FORTRAN)                                                        \
    X(MPI_LOCK_EXCLUSIVE, MPI_LOCK_EXCLUSIVE)                                                      \
    X(MPI_LOCK_SHARED, MPI_LOCK_SHARED)                                                            \
    X(MPI_MODE_RDONLY, MPI_MODE_RDONLY)                                                            \
    X(MPI_MODE_CREATE, MPI_MODE_CREATE)                                                            \
    X(MPI_BSEND_OVERHEAD, MPI_BSEND_OVERHEAD)                                                      \
    X(MPI_CART, MPI_CART)                                                                          \
    X(MPI_GRAPH, MPI_GRAPH)                                                                        \
    X(MPI_STATUS_SIZE, MPI_F_STATUS_SIZE)                                                          \
    X(MPI_SOURCE, MPI_F_SOURCE + 1)                                                                \
    X(MPI_TAG, MPI_F_TAG + 1)                                                                      \
    X(MPI_ERROR, MPI_F_ERROR + 1)

struct constant {
    const char *name;
    MPI_Fint value;
};

static int count_differences(const struct constant *known, const MPI_Fint *values, int count)
{
    int wrong = 0;
    for (int i = 0; i < count; i++)
        if (values[i] != known[i].value) {
            printf("fortran_probe: wrong: %s is %d in Fortran, %d in C\n", known[i].name, values[i],
                   known[i].value);
            wrong++;
        }
    return wrong;
}

int fortran_probe_constants(const MPI_Fint *values, int count)
{
#define OF_HANDLE(kind, name)   {#name, kind##_c2f(name)},
#define OF_NUMBER(name, number) {#name, number},
    const struct constant known[] = {HANDLES(OF_HANDLE) NUMBERS(OF_NUMBER)};
    const int expected = (int)(sizeof known / sizeof known[0]);
    if (count == expected)
        return count_differences(known, values, count);
    printf("fortran_probe: wrong: %d constants in Fortran, %d in C\n", count, expected);
    return 1;
}

int fortran_probe_status(const MPI_Fint *status, int source, int tag, int count)
{
    MPI_Status found;
    MPI_Fint back[MPI_F_STATUS_SIZE];
    int received;
    if (MPI_Status_f2c(status, &found) != MPI_SUCCESS ||
        MPI_Get_count(&found, MPI_DOUBLE, &received) != MPI_SUCCESS ||
        MPI_Status_c2f(&found, back) != MPI_SUCCESS)
        return 0;
    for (int i = 0; i < MPI_F_STATUS_SIZE; i++)
        if (back[i] != status[i])
            return 0;
    return found.MPI_SOURCE == source && found.MPI_TAG == tag && received == count;
}

int fortran_probe_communicator(MPI_Fint comm, int rank, int size)
{
    int own, all;
    MPI_Comm_rank(MPI_Comm_f2c(comm), &own);
    MPI_Comm_size(MPI_Comm_f2c(comm), &all);
    return own == rank && all == size;
}
