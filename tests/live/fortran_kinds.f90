! Matrices in Fortran: dense by columns and by rows, sparse by columns and by rows, of each type of
! values, cut as one partition, in a program that uses the module mpi and initialises MPI itself.
! Changes its size three times and looks at every element after each point.
!
!   fortran-kinds METHOD SIZE SIZE SIZE
module fortran_kinds_data
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use mpi
    use nereus
    implicit none

    integer(int64), parameter :: rows = 5, columns = 37, last = 12
    type(nereus_job), save :: job
    character(len=6), parameter :: names(4) = ['int32 ', 'int64 ', 'real32', 'real64']
    integer, save :: wrong = 0, dense_id(4), turned_id(4), whole_id(4), sparse_id(4), rows_id(4)
    integer(int64), target, save :: iteration = 0

contains

    subroutine expect(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what
        if (good) return
        wrong = wrong + 1
        print '(3a, i0)', 'wrong: ', what, ' at iteration ', iteration
    end subroutine

#define VALUE integer(int32)
#define ELEMENT nereus_int32
#define SPARSE nereus_sparse_int32
#define AS(x) int(x, int32)
#define OF(name) name/**/_int32
#include "fortran_kinds.inc"
#define VALUE integer(int64)
#define ELEMENT nereus_int64
#define SPARSE nereus_sparse_int64
#define AS(x) int(x, int64)
#define OF(name) name/**/_int64
#include "fortran_kinds.inc"
#define VALUE real(real32)
#define ELEMENT nereus_real32
#define SPARSE nereus_sparse_real32
#define AS(x) real(x, real32)
#define OF(name) name/**/_real32
#include "fortran_kinds.inc"
#define VALUE real(real64)
#define ELEMENT nereus_real64
#define SPARSE nereus_sparse
#define AS(x) real(x, real64)
#define OF(name) name/**/_real64
#include "fortran_kinds.inc"

    subroutine register_all()
        integer :: cut, id
        call nereus_register_partition(job, 'columns', columns, cut)
        call register_int32(cut)
        call register_int64(cut)
        call register_real32(cut)
        call register_real64(cut)
        call nereus_weigh_by_nonzeros(job, sparse_id(nereus_real32))
        call nereus_register_replicated(job, 'iteration', iteration, nereus_variable, id)
    end subroutine

    subroutine fill()
        call fill_int32()
        call fill_int64()
        call fill_real32()
        call fill_real64()
    end subroutine

    subroutine check()
        call check_int32()
        call check_int64()
        call check_real32()
        call check_real64()
    end subroutine

    subroutine iterate()
        call grow_int32()
        call grow_int64()
        call grow_real32()
        call grow_real64()
        iteration = iteration + 1
    end subroutine

    ! What is wrong in one process is refused in all, and what is no matrix is refused.
    subroutine check_refusals()
        integer(int64), allocatable :: pointers(:), indices(:)
        real(real64), allocatable :: values(:)
        real(real32), pointer :: single(:, :)
        type(nereus_sparse) :: sparse
        integer(int64) :: first, count
        integer :: id, status
        call nereus_part_of(job, dense_id(1), nereus_rank(job), first, count)
        call make_columns_real64(first, count, pointers, indices, values)
        if (nereus_rank(job) == 0) pointers = pointers - 1
        call nereus_register_csc(job, 'other', rows, columns, pointers, indices, values, &
            nereus_constant, id, status=status)
        call expect(status /= nereus_ok, 'pointers from 0')
        if (nereus_rank(job) == 0) call expect(index(nereus_last_error(job), 'begin with 1') > 0, &
            'the sentence for pointers from 0')
        call nereus_local(job, dense_id(nereus_real64), single, rows, status=status)
        call expect(status /= nereus_ok .and. size(single) == 0, 'a pointer of another type')
        call expect(index(nereus_last_error(job), '5 of nereus_real32') > 0, 'its sentence')
        call nereus_local_sparse(job, dense_id(nereus_real64), sparse, status)
        call expect(status /= nereus_ok .and. sparse%count == 0, 'a dense matrix as a sparse one')
        call nereus_local_sparse(job, sparse_id(nereus_real32), sparse, status)
        call expect(status /= nereus_ok .and. sparse%count == 0 .and. size(sparse%values) == 0, &
            'a sparse matrix as one of another type')
        call expect(index(nereus_last_error(job), 'values of nereus_real32;') > 0, 'its sentence')
        call nereus_owner_of(job, dense_id(1), columns + 1, id, status)
        call expect(status /= nereus_ok, 'the owner of no column')
    end subroutine
end module

program fortran_kinds
    use fortran_kinds_data
    implicit none
    type(nereus_options) :: options
    character(len=64) :: word
    integer(int64) :: nt
    integer :: i, action, error, provided, all_wrong(1)

    if (command_argument_count() /= 4) error stop 'fortran-kinds METHOD SIZE SIZE SIZE'
    call get_command_argument(1, options%method)
    allocate (options%schedule(3))
    do i = 1, 3
        call get_command_argument(i + 1, word)
        read (word, *) nt
        options%schedule(i) = nereus_resize(point=3_int64*i, nt=nt)
    end do
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, error)
    call nereus_init(job, options)
    call register_all()
    if (.not. nereus_is_joined(job)) then
        call fill()
        call check_refusals()
    end if
    call check()

    action = nereus_continue
    do while (iteration < last .and. action /= nereus_leave)
        call iterate()
        call nereus_point(job, action)
        if (action /= nereus_leave) call check()
    end do
    if (action /= nereus_leave) then
        call expect(nereus_reconfigurations(job) == 3, 'reconfigurations')
        call MPI_Allreduce([wrong], all_wrong, 1, MPI_INTEGER, MPI_SUM, nereus_comm(job), error)
        if (nereus_rank(job) == 0) print '(a, i0, a, i0, a, i0)', 'iteration ', iteration, ', ', &
            nereus_size(job), ' processes, wrong ', all_wrong
        wrong = all_wrong(1)
    end if
    call nereus_finalize(job)
    call MPI_Finalize(error)
    deallocate (options%schedule)
    if (wrong /= 0) stop 1
end program
