/* The C side of fortran_probe.f90. */
#include <mpi.h>
#include <stdio.h>

int fortran_probe_constants(const MPI_Fint *values, int count);
int fortran_probe_status(const MPI_Fint *status, int source, int tag, int count);
int fortran_probe_communicator(MPI_Fint comm, int rank, int size);

/* In the order of fortran_probe.f90. */
int fortran_probe_constants(const MPI_Fint *values, int count)
{
#define HANDLE(kind, name)                                                                         \
    {                                                                                              \
#name, kind##_c2f(name)                                                                    \
    }
#define NUMBER(name)                                                                               \
    {                                                                                              \
#name, name                                                                                \
    }
#define TYPE(name) HANDLE(MPI_Type, name)
#define OP(name)   HANDLE(MPI_Op, name)
    const struct {
        const char *name;
        MPI_Fint value;
    } known[] = {
        HANDLE(MPI_Comm, MPI_COMM_WORLD),
        HANDLE(MPI_Comm, MPI_COMM_SELF),
        HANDLE(MPI_Comm, MPI_COMM_NULL),
        HANDLE(MPI_Group, MPI_GROUP_NULL),
        TYPE(MPI_DATATYPE_NULL),
        HANDLE(MPI_Request, MPI_REQUEST_NULL),
        OP(MPI_OP_NULL),
        HANDLE(MPI_Info, MPI_INFO_NULL),
        HANDLE(MPI_Errhandler, MPI_ERRHANDLER_NULL),
        HANDLE(MPI_Win, MPI_WIN_NULL),
        HANDLE(MPI_Errhandler, MPI_ERRORS_RETURN),
        HANDLE(MPI_Errhandler, MPI_ERRORS_ARE_FATAL),
        OP(MPI_MAX),
        OP(MPI_MIN),
        OP(MPI_SUM),
        OP(MPI_PROD),
        OP(MPI_LAND),
        OP(MPI_BAND),
        OP(MPI_LOR),
        OP(MPI_BOR),
        OP(MPI_LXOR),
        OP(MPI_BXOR),
        OP(MPI_MAXLOC),
        OP(MPI_MINLOC),
        OP(MPI_REPLACE),
        OP(MPI_NO_OP),
        TYPE(MPI_INTEGER),
        TYPE(MPI_REAL),
        TYPE(MPI_DOUBLE_PRECISION),
        TYPE(MPI_COMPLEX),
        TYPE(MPI_DOUBLE_COMPLEX),
        TYPE(MPI_LOGICAL),
        TYPE(MPI_CHARACTER),
        TYPE(MPI_BYTE),
        TYPE(MPI_PACKED),
        TYPE(MPI_2INTEGER),
        TYPE(MPI_2REAL),
        TYPE(MPI_2DOUBLE_PRECISION),
        TYPE(MPI_INTEGER1),
        TYPE(MPI_INTEGER2),
        TYPE(MPI_INTEGER4),
        TYPE(MPI_INTEGER8),
        TYPE(MPI_REAL4),
        TYPE(MPI_REAL8),
        TYPE(MPI_COMPLEX8),
        TYPE(MPI_COMPLEX16),
        TYPE(MPI_AINT),
        TYPE(MPI_OFFSET),
        TYPE(MPI_COUNT),
        TYPE(MPI_INT32_T),
        TYPE(MPI_INT64_T),
        TYPE(MPI_DOUBLE),
        NUMBER(MPI_ANY_SOURCE),
        NUMBER(MPI_ANY_TAG),
        NUMBER(MPI_PROC_NULL),
        NUMBER(MPI_ROOT),
        NUMBER(MPI_UNDEFINED),
        NUMBER(MPI_SUCCESS),
        NUMBER(MPI_ERR_COMM),
        NUMBER(MPI_ERR_TRUNCATE),
        NUMBER(MPI_ERR_SPAWN),
        NUMBER(MPI_ERR_PORT),
        NUMBER(MPI_ERR_LASTCODE),
        NUMBER(MPI_THREAD_SINGLE),
        NUMBER(MPI_THREAD_FUNNELED),
        NUMBER(MPI_THREAD_SERIALIZED),
        NUMBER(MPI_THREAD_MULTIPLE),
        {"MPI_TAG_UB", MPI_TAG_UB + 1},
        {"MPI_UNIVERSE_SIZE", MPI_UNIVERSE_SIZE + 1},
        {"MPI_APPNUM", MPI_APPNUM + 1},
        NUMBER(MPI_KEYVAL_INVALID),
        NUMBER(MPI_COMM_TYPE_SHARED),
        NUMBER(MPI_IDENT),
        NUMBER(MPI_CONGRUENT),
        NUMBER(MPI_SIMILAR),
        NUMBER(MPI_UNEQUAL),
        NUMBER(MPI_ORDER_C),
        NUMBER(MPI_ORDER_FORTRAN),
        NUMBER(MPI_LOCK_EXCLUSIVE),
        NUMBER(MPI_LOCK_SHARED),
        NUMBER(MPI_MODE_RDONLY),
        NUMBER(MPI_MODE_CREATE),
        NUMBER(MPI_BSEND_OVERHEAD),
        NUMBER(MPI_CART),
        NUMBER(MPI_GRAPH),
        {"MPI_STATUS_SIZE", MPI_F_STATUS_SIZE},
        {"MPI_SOURCE", MPI_F_SOURCE + 1},
        {"MPI_TAG", MPI_F_TAG + 1},
        {"MPI_ERROR", MPI_F_ERROR + 1},
    };
    int wrong = 0;
    if (count != (int)(sizeof known / sizeof known[0])) {
        printf("fortran_probe: wrong: %d constants in Fortran, %zu in C\n", count,
               sizeof known / sizeof known[0]);
        return 1;
    }
    for (int i = 0; i < count; i++)
        if (values[i] != known[i].value) {
            printf("fortran_probe: wrong: %s is %d in Fortran, %d in C\n", known[i].name, values[i],
                   known[i].value);
            wrong++;
        }
    return wrong;
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
