! Do the modules mpi and mpi_f08 fit this MPI? Started as one process, which spawns another, the
! probe compares what Fortran and C (fortran_probe.c) say about constants, statuses, addresses,
! logicals and operations, and prints "both sides agree".
module probe_c
    use, intrinsic :: iso_c_binding, only: c_int
    implicit none
    interface
        ! How many of so many constants C has otherwise; it names them.
        integer(c_int) function c_constants(values, count) bind(c, name='fortran_probe_constants')
            import :: c_int
            integer(c_int), intent(in) :: values(*)
            integer(c_int), value :: count
        end function
        ! Is this what C finds in the status: 0 or 1?
        integer(c_int) function c_status(status, source, tag, count) bind(c, &
            name='fortran_probe_status')
            import :: c_int
            integer(c_int), intent(in) :: status(*)
            integer(c_int), value :: source, tag, count
        end function
        integer(c_int) function c_communicator(comm, rank, size) bind(c, &
            name='fortran_probe_communicator')
            import :: c_int
            integer(c_int), value :: comm, rank, size
        end function
    end interface
end module

module probe_08
    use mpi_f08
    implicit none
contains
    ! The same by the module mpi_f08: sum in place, status, attribute. @return how much is wrong
    integer function wrong_08(number) result(wrong)
        integer, intent(in) :: number ! of a communicator of two
        type(MPI_Comm) :: comm
        type(MPI_Status) :: status
        integer :: rank, sums(2), received
        logical :: equal
        comm%mpi_val = number
        call MPI_Comm_rank(comm, rank)
        sums = [rank + 1, 10*(rank + 1)]
        call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INTEGER, MPI_SUM, comm)
        wrong = merge(0, 1, all(sums == [3, 30]))
        if (rank == 0) call MPI_Send(sums, 2, MPI_INTEGER, 1, 23, comm)
        if (rank == 1) then
            call MPI_Recv(sums, 2, MPI_INTEGER, 0, MPI_ANY_TAG, comm, status)
            call MPI_Get_count(status, MPI_INTEGER, received)
            if (status%MPI_SOURCE /= 0 .or. status%MPI_TAG /= 23) wrong = wrong + 1
            if (received /= 2) wrong = wrong + 1
        end if
        equal = rank == 0
        call MPI_Allreduce(MPI_IN_PLACE, equal, 1, MPI_LOGICAL, MPI_LAND, comm)
        if (equal) wrong = wrong + 1
        call MPI_Barrier(comm)
    end function
end module

module probe_checks
    use mpi
    use probe_c
    implicit none
    integer :: wrong = 0
contains
    subroutine expect(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what
        if (good) return
        wrong = wrong + 1
        print '(2a)', 'fortran_probe: wrong: ', what
    end subroutine

    ! In the order of fortran_probe.c.
    subroutine check_constants()
        integer, parameter :: values(*) = [MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL, &
            MPI_GROUP_NULL, &
            MPI_DATATYPE_NULL, MPI_REQUEST_NULL, MPI_OP_NULL, MPI_INFO_NULL, MPI_ERRHANDLER_NULL, &
            MPI_WIN_NULL, MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL, &
            MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, &
            MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP, &
            MPI_INTEGER, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, &
                MPI_LOGICAL, &
            MPI_CHARACTER, MPI_BYTE, MPI_PACKED, MPI_2INTEGER, MPI_2REAL, MPI_2DOUBLE_PRECISION, &
            MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8, MPI_REAL4, MPI_REAL8, &
                MPI_COMPLEX8, &
            MPI_COMPLEX16, MPI_AINT, MPI_OFFSET, MPI_COUNT, MPI_INT32_T, MPI_INT64_T, MPI_DOUBLE, &
            MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_PROC_NULL, MPI_ROOT, MPI_UNDEFINED, MPI_SUCCESS, &
                MPI_ERR_COMM, &
            MPI_ERR_TRUNCATE, MPI_ERR_SPAWN, MPI_ERR_PORT, MPI_ERR_LASTCODE, MPI_THREAD_SINGLE, &
            MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE, MPI_TAG_UB, &
            MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_KEYVAL_INVALID, MPI_COMM_TYPE_SHARED, MPI_IDENT, &
            MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL, MPI_ORDER_C, MPI_ORDER_FORTRAN, &
                MPI_LOCK_EXCLUSIVE, &
            MPI_LOCK_SHARED, MPI_MODE_RDONLY, MPI_MODE_CREATE, MPI_BSEND_OVERHEAD, MPI_CART, &
                MPI_GRAPH, &
            MPI_STATUS_SIZE, MPI_SOURCE, MPI_TAG, MPI_ERROR]
        wrong = wrong + c_constants(values, size(values))
    end subroutine

    subroutine check_sizes()
        integer :: bytes, error
        integer, parameter :: types(*) = [MPI_INTEGER, MPI_REAL, MPI_DOUBLE_PRECISION, &
            MPI_DOUBLE_COMPLEX, &
            MPI_LOGICAL, MPI_CHARACTER, MPI_INTEGER8, MPI_REAL8]
        integer, parameter :: sizes(*) = [4, 4, 8, 16, 4, 1, 8, 8]
        integer :: i
        do i = 1, size(types)
            call MPI_Type_size(types(i), bytes, error)
            call expect(error == MPI_SUCCESS .and. bytes == sizes(i), 'size of a type')
        end do
    end subroutine

    subroutine check_status(comm, rank)
        integer, intent(in) :: comm, rank
        integer :: status(MPI_STATUS_SIZE), count, error, requests(1)
        logical :: done
        double precision :: values(5)
        values = rank
        if (rank == 0) call MPI_Send(values, 5, MPI_DOUBLE_PRECISION, 1, 17, comm, error)
        if (rank == 0) call MPI_Send(values, 5, MPI_DOUBLE_PRECISION, 1, 18, comm, error)
        if (rank == 0) return
        status = -77
        ! From rank 0: over ucx this MPICH (5.0.2) may wait for ever for any source after a merge.
        call MPI_Recv(values, 5, MPI_DOUBLE_PRECISION, 0, MPI_ANY_TAG, comm, status, error)
        call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, error)
        call expect(status(MPI_SOURCE) == 0 .and. status(MPI_TAG) == 17 .and. count == 5, &
            'a status in Fortran')
        call expect(c_status(status, 0, 17, 5) == 1, 'a status of Fortran in C')
        call MPI_Irecv(values, 5, MPI_DOUBLE_PRECISION, 0, 18, comm, requests(1), error)
        done = .false.
        do while (.not. done)
            call MPI_Testall(1, requests, done, MPI_STATUSES_IGNORE, error)
        end do
        call expect(requests(1) == MPI_REQUEST_NULL, 'a test of requests')
    end subroutine

    subroutine check_addresses(comm, rank)
        integer, intent(in) :: comm, rank
        integer :: type, error, sums(3)
        integer(kind=MPI_ADDRESS_KIND) :: places(1)
        double precision, volatile :: value(2) ! MPI_F_sync_reg of MPICH 4.0 crashes by `use mpi`
        sums = rank + 1
        call MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_INTEGER, MPI_SUM, comm, error)
        call expect(all(sums == 3), 'MPI_IN_PLACE')
        value = merge(2.5d0, 0d0, rank == 0)
        call MPI_Get_address(value, places(1), error)
        call MPI_Type_create_hindexed(1, [2], places, MPI_DOUBLE_PRECISION, type, error)
        call MPI_Type_commit(type, error)
        call MPI_Bcast(MPI_BOTTOM, 1, type, 0, comm, error)
        call expect(all(abs(value - 2.5d0) < 1d-12), 'MPI_BOTTOM')
        call MPI_Type_free(type, error)
    end subroutine

    subroutine check_logicals(comm, rank)
        integer, intent(in) :: comm, rank
        logical :: mine(2), all_of(2), flag
        integer :: error
        integer(kind=MPI_ADDRESS_KIND) :: largest
        mine = [.true., rank == 0]
        call MPI_Allreduce(mine, all_of, 2, MPI_LOGICAL, MPI_LAND, comm, error)
        call expect(all_of(1) .and. .not. all_of(2), 'MPI_LAND of logicals')
        call MPI_Allreduce(mine, all_of, 2, MPI_LOGICAL, MPI_LOR, comm, error)
        call expect(all(all_of) .and. (all_of(1) .eqv. .true.), 'MPI_LOR of logicals')
        call MPI_Initialized(flag, error)
        call expect(flag .eqv. .true., 'a flag that is true')
        call MPI_Finalized(flag, error)
        call expect(flag .eqv. .false., 'a flag that is false')
        call MPI_Comm_get_attr(comm, MPI_TAG_UB, largest, flag, error)
        call expect(flag .and. largest >= 32767, 'the attribute MPI_TAG_UB')
    end subroutine

    subroutine longer(in, in_out, count, type)
        integer :: count, type
        integer :: in(count), in_out(count)
        in_out = max(abs(in), abs(in_out)) + 0*type
    end subroutine

    subroutine check_operation(comm, rank)
        integer, intent(in) :: comm, rank
        integer :: op, error, result
        call MPI_Op_create(longer, .true., op, error)
        call MPI_Allreduce(-5*(rank + 1), result, 1, MPI_INTEGER, op, comm, error)
        call expect(result == 10, 'an operation in Fortran')
        call MPI_Op_free(op, error)
    end subroutine
end module

program fortran_probe
    use probe_checks
    use probe_08, only: wrong_08
    implicit none
    integer :: parent, inter, merged, rank, processes, error, all_wrong
    character(len=4096) :: program
    call MPI_Init(error)
    call MPI_Comm_get_parent(parent, error)
    inter = parent
    if (parent == MPI_COMM_NULL) then
        call get_command_argument(0, program)
        call MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter, &
            MPI_ERRCODES_IGNORE, error)
        call check_constants()
        call check_sizes()
    end if
    call MPI_Intercomm_merge(inter, parent /= MPI_COMM_NULL, merged, error)
    call MPI_Comm_rank(merged, rank, error)
    call MPI_Comm_size(merged, processes, error)
    call expect(processes == 2 .and. (rank == 1 .eqv. parent /= MPI_COMM_NULL), 'spawn and merge')
    call expect(c_communicator(merged, rank, processes) == 1, 'a communicator of Fortran in C')
    call check_status(merged, rank)
    call check_addresses(merged, rank)
    call check_logicals(merged, rank)
    call check_operation(merged, rank)
    wrong = wrong + wrong_08(merged)
    call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, merged, error)
    call MPI_Barrier(merged, error)
    call MPI_Comm_disconnect(merged, error)
    call MPI_Barrier(inter, error)
    call MPI_Comm_disconnect(inter, error)
    call MPI_Finalize(error)
    if (all_wrong /= 0) stop 1
    if (rank == 0) print '(a)', 'both sides agree'
end program
